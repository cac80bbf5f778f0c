/* The C heap as the runtime uses it. Every allocation of the runtime itself goes through these
 * functions. So a test can make the n-th allocation fail and check that nothing crashes, leaks or
 * hangs. User-visible memory, stacks, slabs, mappings and threads are allocated elsewhere, but each
 * of them calls cdp_alloc_fails() once. */
#ifndef CDP_BASE_ALLOC_H
#define CDP_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* NULL on failure.  Owned by the caller, freed by cdp_free. */
void *cdp_alloc(size_t size) CDP_MUST_CHECK;
void *cdp_alloc_zero(size_t size) CDP_MUST_CHECK;
/* Like realloc: on failure the old memory is unchanged. */
void *cdp_realloc(void *memory, size_t size) CDP_MUST_CHECK;
/* Zeroed memory at a multiple of alignment (a power of two); freed by cdp_free too. */
void *cdp_alloc_aligned(size_t alignment, size_t size) CDP_MUST_CHECK;
/* A copy of the text. */
char *cdp_alloc_text(const char *text) CDP_MUST_CHECK;
/* Accepts NULL. */
void cdp_free(void *memory);

/* Makes the n-th allocation from now on fail, and the following ones: times in total, 0 = for ever.
 * n == 0: no allocation fails. */
void cdp_alloc_set_failure(uint32_t n, uint32_t times);
/* Counts as an allocation; true if it is one that must fail. */
bool cdp_alloc_fails(void);

#endif
