/* Describes addresses and frees in words, for reports of mistakes. */
#ifndef CDP_MEM_DESCRIBE_H
#define CDP_MEM_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>

/* What lies at an address that device code must not access in this way: which allocation or
 * variable, how far outside of it, where it was allocated and freed. The text follows "which is ";
 * false if nothing is known of the address. */
bool cdp_describe_address(const void *address, char *out, size_t size);

/* Names the allocation or variable that contains the address: its size, and where it was
 * allocated. */
void cdp_describe_object(const void *address, char *out, size_t size);

/* The side and the call that free the memory. */
enum cdp_freer {
    CDP_FREES_DEVICE, /* the host's cudaFree */
    CDP_FREES_PINNED, /* cudaFreeHost */
    CDP_FREES_HEAP,   /* free, delete or cudaFree in a kernel */
};
/* Why the freer may not free memory at that address, as a sentence. */
void cdp_describe_wrong_free(const void *address, enum cdp_freer freer, char *out, size_t size);

#endif
