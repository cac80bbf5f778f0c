/* Builds that count (cdpcc --count): the functions that device code calls.
 *
 * key: a hash of the instruction, of the iteration of each loop around it, and of the calls that
 * led to it. The lanes of a warp that call with the same key executed the instruction together. */
#ifndef CDP_COUNT_H
#define CDP_COUNT_H

#include "abi/cdp_check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An access follows; a branch, and whether its condition is true. */
void cdp_abi_count_access(const struct cdp_abi_site *site, const void *address, uint64_t size,
                          uint64_t key);
void cdp_abi_count_branch(const struct cdp_abi_site *site, uint32_t taken, uint64_t key);
/* A call follows; and in the function that is called: the key of the call. */
void cdp_abi_count_call(uint64_t key);
uint64_t cdp_abi_count_start(void);
/* The thread ends. */
void cdp_abi_count_end(void);

#ifdef __cplusplus
}
#endif
#endif
