/* Stacks are handed out in chunks of 64 to a worker, one by one from there. */
#include "fiber/stack.h"

#include <stdint.h>
#include <stdio.h>

#include "os/os.h"

/* The colours leave few sets of a first-level cache out, and the last of them leaves enough of
 * the page for the loop's frames and a small kernel's. */
enum { CHUNK = 64, COLOURS = 56, COLOUR_BYTES = 64, WORD_LINE = 64 };

bool cdp_stack_range_init(struct cdp_stack_range *range, size_t stack_size, void *low, size_t bytes)
{
    size_t page = cdp_os_page(), pages = (stack_size + page - 1) / page;
    /* One more is the guard.  An odd number of pages: the threads of a block touch the same page
     * of their stacks, and at a stride of many powers of two those share a few sets of the TLB. */
    range->stack_size = ((pages + 1) | 1) * page;
    range->low = low;
    range->high = range->low + bytes;
    atomic_init(&range->next, range->low);
    atomic_init(&range->unguarded, false);
    return range->stack_size * CHUNK <= bytes;
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
    if (!cdp_os_guard(stack, cdp_os_page()) && !atomic_exchange(&range->unguarded, true)) {
        fprintf(stderr,
                "cdp: more device threads wait than this kernel can guard: a stack overflow "
                "may go unnoticed from here on\n");
    }
    *low = stack + cdp_os_page();
    *top =
        stack + range->stack_size - WORD_LINE - (size_t)(source->colour++ % COLOURS) * COLOUR_BYTES;
    return true;
}

_Atomic(void *) *cdp_stack_word(const struct cdp_stack_range *range, const void *address)
{
    size_t offset = (size_t)((const char *)address - range->low);
    size_t taken = (size_t)(atomic_load(&range->next) - range->low);
    if (offset >= taken) {
        return NULL;
    }
    char *end = range->low + (offset / range->stack_size + 1) * range->stack_size;
    return (_Atomic(void *) *)(void *)(end - WORD_LINE);
}
