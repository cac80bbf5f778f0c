/* Slabs by size class, cut from chunks of one range. */
#include "mem/shared_slab.h"

#include "abi/cdp_tables.h"
#include "os/os.h"

/* A small chunk is large enough for the shared memory of most blocks. */
enum { SMALLEST = 1024, LARGE_CHUNK = 4 << 20, SMALL_CHUNK = 256 << 10, CHUNKS_OF_EACH = 2 };

_Static_assert(SMALLEST % CDP_ABI_SHARED_ALIGN == 0, "a slab's size is a multiple of this");

void cdp_slab_range_init(struct cdp_slab_range *range, void *low, size_t bytes, unsigned takers)
{
    size_t each = bytes / takers / CHUNKS_OF_EACH;
    range->low = low;
    range->high = range->low + bytes;
    range->chunk = each >= LARGE_CHUNK ? LARGE_CHUNK : SMALL_CHUNK;
    atomic_init(&range->next, range->low);
}

static unsigned class_of(size_t size)
{
    unsigned class = 0;
    while (class < CDP_SLAB_CLASSES && ((size_t)SMALLEST << class) < size) {
        class++;
    }
    return class;
}

/* least: the smallest number of bytes. */
static bool take_chunk(struct cdp_slab_cache *cache, size_t least)
{
    struct cdp_slab_range *range = cache->range;
    ptrdiff_t bytes = (ptrdiff_t)(range->chunk > least ? range->chunk : least);
    /* Relaxed: the chunk's memory comes fresh from the system, so nothing is published. */
    char *chunk = atomic_load_explicit(&range->next, memory_order_relaxed);
    do {
        if (range->high - chunk < bytes) {
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&range->next, &chunk, chunk + bytes,
                                                    memory_order_relaxed, memory_order_relaxed));
    if (!cdp_os_commit(chunk, (size_t)bytes)) {
        return false;
    }
    cache->next = chunk;
    cache->end = chunk + bytes;
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
    if ((size_t)(cache->end - cache->next) < bytes && !take_chunk(cache, bytes)) {
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
