/* The counted C heap: malloc and free plus one countdown for tests. */
#include "base/alloc.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Allocations left until one fails; 0 = never.  Any thread counts it down. */
static _Atomic uint32_t failure_countdown;

void cdp_alloc_set_failure(uint32_t n)
{
    atomic_store(&failure_countdown, n);
}

bool cdp_alloc_fails(void)
{
    /* Relaxed: only the count matters, it publishes nothing. */
    uint32_t left = atomic_load_explicit(&failure_countdown, memory_order_relaxed);
    while (CDP_UNLIKELY(left != 0)) {
        if (atomic_compare_exchange_weak(&failure_countdown, &left, left - 1)) {
            return left == 1;
        }
    }
    return false;
}

void *cdp_alloc(size_t size)
{
    return cdp_alloc_fails() ? NULL : malloc(size);
}

void *cdp_alloc_zero(size_t size)
{
    return cdp_alloc_fails() ? NULL : calloc(1, size);
}

void *cdp_realloc(void *memory, size_t size)
{
    return cdp_alloc_fails() ? NULL : realloc(memory, size);
}

void cdp_free(void *memory)
{
    free(memory);
}

void *cdp_alloc_aligned(size_t alignment, size_t size)
{
    if (cdp_alloc_fails()) {
        return NULL;
    }
    size_t whole = (size + alignment - 1) / alignment * alignment;
    void *memory = aligned_alloc(alignment, whole);
    if (memory != NULL) {
        memset(memory, 0, whole);
    }
    return memory;
}
