/* The counted C heap: malloc and free plus one counter for tests. */
#include "base/alloc.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Allocations first to last - 1 fail; first == 0: none. */
static _Atomic uint64_t first, last, count;

void cdp_alloc_set_failure(uint32_t n, uint32_t times)
{
    atomic_store(&count, 0);
    atomic_store(&last, times != 0 ? (uint64_t)n + times : UINT64_MAX);
    atomic_store(&first, n);
}

static bool counted_fails(uint64_t start)
{
    uint64_t number = atomic_fetch_add(&count, 1) + 1;
    if (number == start) {
        fprintf(stderr, "cdp: CDP_FAIL_ALLOC: allocation %" PRIu64 " fails\n", number);
    }
    return number >= start && number < atomic_load(&last);
}

bool cdp_alloc_fails(void)
{
    /* Relaxed: only the count matters. It publishes nothing. */
    uint64_t start = atomic_load_explicit(&first, memory_order_relaxed);
    return CDP_UNLIKELY(start != 0) && counted_fails(start);
}

void *cdp_alloc(size_t size)
{
    return cdp_alloc_fails() ? NULL : malloc(size);
}

void *cdp_alloc_zero(size_t size)
{
    return cdp_alloc_fails() ? NULL : calloc(1, size);
}

char *cdp_alloc_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = cdp_alloc(size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
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
