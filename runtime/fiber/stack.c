/* Stacks are handed out in chunks of 64 to a worker, one by one from there. */
#include "fiber/stack.h"

#include <stdint.h>
#include <stdio.h>

#include "os/os.h"

enum { CHUNK = 64, COLOURS = 24, COLOUR_BYTES = 128 };

/* Address space is plentiful, but a limited one (ulimit -v) must still do. */
static const size_t range_sizes[] = {(size_t)256 << 30, (size_t)64 << 30, (size_t)8 << 30,
                                     (size_t)1 << 30};

bool cdp_stack_range_init(struct cdp_stack_range *range, size_t stack_size)
{
    range->stack_size = (stack_size + CDP_OS_PAGE - 1) & ~(size_t)(CDP_OS_PAGE - 1);
    for (size_t i = 0; i < sizeof range_sizes / sizeof *range_sizes; i++) {
        if (range->stack_size * CHUNK > range_sizes[i]) {
            return false;
        }
        range->low = cdp_os_reserve(range_sizes[i]);
        if (range->low != NULL) {
            range->high = range->low + range_sizes[i];
            atomic_init(&range->next, range->low);
            atomic_init(&range->unguarded, false);
            return true;
        }
    }
    return false;
}

void cdp_stack_range_finish(struct cdp_stack_range *range)
{
    if (range->low != NULL) {
        cdp_os_unmap(range->low, (size_t)(range->high - range->low));
        range->low = range->high = NULL;
    }
}

static bool take_chunk(struct cdp_stack_source *source)
{
    struct cdp_stack_range *range = source->range;
    size_t bytes = range->stack_size * CHUNK;
    /* Relaxed: the chunk's memory is fresh from the system, nothing is published. */
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
    source->next = chunk;
    source->end = chunk + bytes;
    return true;
}

bool cdp_stack_take(struct cdp_stack_source *source, char **low, char **top)
{
    if (source->next == source->end && !take_chunk(source)) {
        return false;
    }
    struct cdp_stack_range *range = source->range;
    char *stack = source->next;
    source->next += range->stack_size;
    if (!cdp_os_guard(stack, CDP_OS_PAGE) && !atomic_exchange(&range->unguarded, true)) {
        fprintf(stderr,
                "cdp: more device threads wait than this kernel can guard: a stack overflow "
                "may go unnoticed from here on\n");
    }
    *low = stack + CDP_OS_PAGE;
    *top = stack + range->stack_size - (size_t)(source->colour++ % COLOURS) * COLOUR_BYTES;
    return true;
}
