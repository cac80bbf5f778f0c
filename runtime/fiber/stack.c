/* A worker takes stacks in chunks, and then one by one from its chunk. */
#include "fiber/stack.h"

#include <stdint.h>
#include <stdio.h>

#include "os/os.h"

/* The offsets (colours) use almost all sets of a first-level cache. The largest offset leaves
 * enough of the page for the loop's frames and a small kernel's frames. */
enum { MOST_IN_CHUNK = 64, COLOURS = 56, COLOUR_BYTES = 64 };
/* The number of stacks for each taker in a small range: the minimum, and the usual number. */
enum { LEAST_OF_EACH = 2, CHUNKS_OF_EACH = 4 };

static size_t round_up(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

static size_t chunk_bytes(const struct cdp_stack_range *range)
{
    return range->head_size + range->stack_size * range->chunk;
}

/* The number of stacks in a chunk. Each taker should get several chunks, if the range is large
 * enough. */
static unsigned choose_chunk(const struct cdp_stack_range *range, unsigned takers, size_t bytes)
{
    size_t stacks = bytes / range->stack_size / ((size_t)takers * CHUNKS_OF_EACH);
    return stacks > MOST_IN_CHUNK   ? MOST_IN_CHUNK
           : stacks < LEAST_OF_EACH ? LEAST_OF_EACH
                                    : (unsigned)stacks;
}

bool cdp_stack_range_init(struct cdp_stack_range *range, const struct cdp_stack_shape *shape,
                          void *low, size_t bytes)
{
    size_t page = cdp_os_page(), pages = (shape->stack_size + page - 1) / page;
    /* One more page is the guard. The number of pages is odd because the threads of a block touch
     * the same page of their stacks. At a stride with a large power of two these pages would share
     * a few sets of the TLB. */
    range->stack_size = ((pages + 1) | 1) * page;
    /* A multiple of cache lines, chosen for the sets of the caches for the same reason. */
    range->record_size =
        (round_up(shape->record_size, CDP_CACHE_LINE) / CDP_CACHE_LINE | 1) * CDP_CACHE_LINE;
    range->chunk = choose_chunk(range, shape->takers, bytes);
    range->head_size = page + round_up(range->record_size * range->chunk, page);
    range->low = low;
    range->high =
        range->low + bytes - page; /* the memory after the range has a guard before it, too */
    atomic_init(&range->next, range->low);
    atomic_init(&range->unguarded, false);
    return bytes > page && chunk_bytes(range) * shape->takers <= bytes - page;
}

static void guard(struct cdp_stack_range *range, char *page)
{
    if (!cdp_os_guard(page, cdp_os_page()) && !atomic_exchange(&range->unguarded, true)) {
        fprintf(stderr,
                "cdp: more device threads wait than this kernel can guard: a stack overflow "
                "may go unnoticed from here on\n");
    }
}

static bool take_chunk(struct cdp_stack_source *source)
{
    struct cdp_stack_range *range = source->range;
    size_t bytes = chunk_bytes(range);
    /* Relaxed: the chunk's memory comes fresh from the system, so nothing is published. */
    char *chunk = atomic_load_explicit(&range->next, memory_order_relaxed);
    do {
        if ((size_t)(range->high - chunk) < bytes) {
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&range->next, &chunk, chunk + bytes,
                                                    memory_order_relaxed, memory_order_relaxed));
    if (!cdp_os_commit(chunk, bytes)) {
        return false;
    }
    guard(range, chunk);
    guard(range, chunk + range->head_size);
    source->chunk = chunk;
    source->taken = 0;
    return true;
}

bool cdp_stack_take(struct cdp_stack_source *source, struct cdp_stack *stack)
{
    struct cdp_stack_range *range = source->range;
    if ((source->chunk == NULL || source->taken == range->chunk) && !take_chunk(source)) {
        return false;
    }
    unsigned index = source->taken++;
    char *low = source->chunk + range->head_size + range->stack_size * index;
    if (source->taken < range->chunk) { /* else it belongs to the next chunk, or is not taken yet */
        guard(range, low + range->stack_size);
    }
    stack->low = low + cdp_os_page();
    stack->top = low + range->stack_size - (size_t)(source->colour++ % COLOURS) * COLOUR_BYTES;
    stack->record = source->chunk + cdp_os_page() + range->record_size * index;
    return true;
}

void *cdp_stack_record(const struct cdp_stack_range *range, const void *address)
{
    size_t offset = (size_t)((const char *)address - range->low);
    size_t taken = (size_t)(atomic_load(&range->next) - range->low);
    if (offset >= taken || offset % chunk_bytes(range) < range->head_size) {
        return NULL;
    }
    char *chunk = range->low + offset / chunk_bytes(range) * chunk_bytes(range);
    size_t index = (offset % chunk_bytes(range) - range->head_size) / range->stack_size;
    return chunk + cdp_os_page() + range->record_size * index;
}
