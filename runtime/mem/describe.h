/* Addresses and frees in words, for reports of what went wrong with them. */
#ifndef CDP_MEM_DESCRIBE_H
#define CDP_MEM_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>

/* What lies at an address that device code should not have touched so: which allocation
 * or variable, how far outside of it, allocated and freed where.  The words follow "which
 * is "; false if nothing is known of it. */
bool cdp_describe_address(const void *address, char *out, size_t size);

/* Who frees. */
enum cdp_freer {
    CDP_FREES_DEVICE, /* the host's cudaFree */
    CDP_FREES_PINNED, /* cudaFreeHost */
    CDP_FREES_HEAP,   /* free, delete or cudaFree in a kernel */
};
/* Why the freer may not free memory at that address, as a sentence. */
void cdp_describe_wrong_free(const void *address, enum cdp_freer freer, char *out, size_t size);

#endif
