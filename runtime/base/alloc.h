/* The C heap, as the runtime uses it: every allocation of the runtime itself goes
 * through here, so that a test can make the n-th of them fail and see that nothing
 * crashes, leaks or hangs.  User-visible memory, stacks, slabs, mappings and threads do
 * not come from here, but each asks cdp_alloc_fails() once. */
#ifndef CDP_BASE_ALLOC_H
#define CDP_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* NULL on failure.  Owned by the caller, freed by cdp_free. */
void *cdp_alloc(size_t size) CDP_MUST_CHECK;
void *cdp_alloc_zero(size_t size) CDP_MUST_CHECK;
/* As realloc: on failure the old memory is untouched. */
void *cdp_realloc(void *memory, size_t size) CDP_MUST_CHECK;
/* Zeroed memory at a multiple of alignment (a power of two); freed by cdp_free too. */
void *cdp_alloc_aligned(size_t alignment, size_t size) CDP_MUST_CHECK;
/* Accepts NULL. */
void cdp_free(void *memory);

/* Makes the n-th allocation from now on fail, and those behind it: times in all, 0 =
 * for ever.  n == 0: none. */
void cdp_alloc_set_failure(uint32_t n, uint32_t times);
/* Counts as an allocation; true if it is the one that must fail. */
bool cdp_alloc_fails(void);

#endif
