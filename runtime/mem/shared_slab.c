/* Slabs by size class, cut from chunks of one range. */
#include "mem/shared_slab.h"

#include "os/os.h"

enum { SMALLEST = 1024, CHUNK = 4 << 20 };

/* Tried in turn: a limited address space (ulimit -v) must still do. */
static const size_t range_sizes[] = {(size_t)16 << 30, (size_t)2 << 30, (size_t)256 << 20};

bool cdp_slab_range_init(struct cdp_slab_range *range)
{
    for (size_t i = 0; i < sizeof range_sizes / sizeof *range_sizes; i++) {
        range->low = cdp_os_reserve(range_sizes[i]);
        if (range->low != NULL) {
            range->high = range->low + range_sizes[i];
            atomic_init(&range->next, range->low);
            return true;
        }
    }
    return false;
}

void cdp_slab_range_finish(struct cdp_slab_range *range)
{
    if (range->low != NULL) {
        cdp_os_unmap(range->low, (size_t)(range->high - range->low));
        range->low = range->high = NULL;
    }
}

static unsigned class_of(size_t size)
{
    unsigned class = 0;
    while (class < CDP_SLAB_CLASSES && ((size_t)SMALLEST << class) < size) {
        class++;
    }
    return class;
}

static bool take_chunk(struct cdp_slab_cache *cache)
{
    struct cdp_slab_range *range = cache->range;
    /* Relaxed: the chunk's memory is fresh from the system, nothing is published. */
    char *chunk = atomic_load_explicit(&range->next, memory_order_relaxed);
    do {
        if (range->high - chunk < CHUNK) {
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&range->next, &chunk, chunk + CHUNK,
                                                    memory_order_relaxed, memory_order_relaxed));
    if (!cdp_os_commit(chunk, CHUNK)) {
        return false;
    }
    cache->next = chunk;
    cache->end = chunk + CHUNK;
    return true;
}

char *cdp_slab_take(struct cdp_slab_cache *cache, size_t size)
{
    unsigned class = class_of(size);
    if (class == CDP_SLAB_CLASSES) {
        return NULL;
    }
    char *slab = cache->free[class];
    if (slab != NULL) {
        cache->free[class] = *(void **)(void *)slab;
        return slab;
    }
    size_t bytes = (size_t)SMALLEST << class;
    if ((size_t)(cache->end - cache->next) < bytes && !take_chunk(cache)) {
        return NULL;
    }
    slab = cache->next;
    cache->next += bytes;
    return slab;
}

size_t cdp_slab_slack(size_t size)
{
    return ((size_t)SMALLEST << class_of(size)) - size;
}

void cdp_slab_give(struct cdp_slab_cache *cache, char *slab, size_t size)
{
    unsigned class = class_of(size);
    *(void **)(void *)slab = cache->free[class];
    cache->free[class] = slab;
}
