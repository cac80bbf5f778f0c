/* Which bytes of the two heaps and of shared memory were written, for the check of initialization.
 * One bit for each byte.
 *
 * Off until cdp_written_enable. Other memory counts as written. Any thread may call the functions
 * at any time: the bits of one byte of this table are changed atomically. */
#ifndef CDP_MEM_WRITTEN_H
#define CDP_MEM_WRITTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Before the first allocation in the range [low, low + size): a heap's, or that of shared memory,
 * which each block gets unwritten. Without memory for the table the range is not checked. */
void cdp_written_enable(const void *low, size_t size, bool is_shared);
/* Whether some range is checked; whether the byte is in one. */
bool cdp_written_is_on(void);
bool cdp_written_is_checked(const void *address);
/* Whether it is in a range of shared memory. */
bool cdp_written_is_shared(const void *address);

void cdp_written_set(const void *address, size_t size);
void cdp_written_clear(const void *address, size_t size);
/* The bytes at to get the bits of those at from. The ranges may overlap. */
void cdp_written_copy(const void *to, const void *from, size_t size);
/* A bit for each of at most 64 bytes, the lowest one for the lowest address; 1: written. */
uint64_t cdp_written_bits(const void *address, size_t size);
/* The inverse. */
void cdp_written_put(const void *address, size_t size, uint64_t bits);
/* The number of leading bytes that were written: size if all were. */
size_t cdp_written_prefix(const void *address, size_t size);
/* Whether the bytes are in a checked range and none was written. */
bool cdp_written_is_empty(const void *address, size_t size);

#endif
