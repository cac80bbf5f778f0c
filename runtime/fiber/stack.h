/* Stacks for fibers: one reserved address range for all of them, so that "is this
 * a device thread's local memory" is one compare.  Each stack has a guard page at
 * its low end, which costs no mapping where the kernel can do that. */
#ifndef CDP_FIBER_STACK_H
#define CDP_FIBER_STACK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

/* The range, shared by all workers; the memory is the engine's.  Stacks are taken and never given
 * back: they live in the workers' caches. */
struct cdp_stack_range {
    char *low, *high;      /* const after init */
    size_t stack_size;     /* bytes of one stack, guard included; const */
    _Atomic(char *) next;  /* workers take chunks */
    atomic_bool unguarded; /* a guard could not be made; said once */
};

/* One worker's part of the range: owner only. */
struct cdp_stack_source {
    struct cdp_stack_range *range;
    char *next, *end;
    unsigned colour;
};

/* Stacks of stack_size bytes from bytes of reserved memory at low; false if that is not
 * enough for one chunk. */
bool cdp_stack_range_init(struct cdp_stack_range *range, size_t stack_size, void *low,
                          size_t bytes) CDP_MUST_CHECK;

/* One stack's low end (above its guard) and its top, lowered by a colour so that
 * the tops of many stacks do not share cache sets.  False: the range is used up. */
bool cdp_stack_take(struct cdp_stack_source *source, char **low, char **top) CDP_MUST_CHECK;

/* A word of the stack that address lies in, zero at first, for its taker to be found by;
 * NULL if the address is in no stack that was taken. */
_Atomic(void *) *cdp_stack_word(const struct cdp_stack_range *range, const void *address);

#endif
