/* Stacks for fibers: one reserved address range for all of them, so that "is this
 * a device thread's local memory" is one compare.  Each stack has a guard page at
 * its low end, which costs no mapping where the kernel can do that, and the guard of what comes
 * next at its upper end: device code's arrays overrun upwards.
 *
 * The range is cut into chunks: a guard page, then a record for each stack of the chunk, which no
 * overrun of a stack reaches, then the stacks. */
#ifndef CDP_FIBER_STACK_H
#define CDP_FIBER_STACK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

/* What a range is asked for. */
struct cdp_stack_shape {
    size_t stack_size;  /* bytes of a stack */
    size_t record_size; /* bytes of its taker's record */
    unsigned takers;    /* workers that will take chunks */
};

/* The range, shared by all workers; the memory is the engine's.  Stacks are taken and never given
 * back: they live in the workers' caches. */
struct cdp_stack_range {
    char *low, *high;      /* const after init */
    size_t stack_size;     /* bytes of one stack, guard included; const */
    size_t record_size;    /* bytes from record to record; const */
    size_t head_size;      /* bytes of a chunk before its first stack; const */
    unsigned chunk;        /* stacks of a chunk; const */
    _Atomic(char *) next;  /* workers take chunks */
    atomic_bool unguarded; /* a guard could not be made; said once */
};

/* One worker's part of the range: owner only. */
struct cdp_stack_source {
    struct cdp_stack_range *range;
    char *chunk;    /* taken last */
    unsigned taken; /* stacks of it */
    unsigned colour;
};

/* A stack that was taken. */
struct cdp_stack {
    char *low;    /* above its guard */
    char *top;    /* lowered by a colour so that the tops of many stacks do not share cache sets */
    void *record; /* zeroed; the taker's own, for ever */
};

/* Cuts bytes of reserved memory at low; false if that is not enough for two stacks for each
 * taker. */
bool cdp_stack_range_init(struct cdp_stack_range *range, const struct cdp_stack_shape *shape,
                          void *low, size_t bytes) CDP_MUST_CHECK;

/* False: the range is used up. */
bool cdp_stack_take(struct cdp_stack_source *source, struct cdp_stack *stack) CDP_MUST_CHECK;

/* The record of the stack that address lies in, or whose guard; NULL if that was not taken from the
 * system yet. */
void *cdp_stack_record(const struct cdp_stack_range *range, const void *address);

#endif
