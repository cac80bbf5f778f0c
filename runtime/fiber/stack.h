/* Stacks for fibers. All are in one reserved address range, so one comparison tests whether an
 * address is in a device thread's local memory. Each stack has a guard page at its low end, which
 * needs no extra mapping if the kernel supports that. At its upper end is the guard of the next
 * stack, because arrays of device code overrun upwards.
 *
 * The range is divided into chunks. A chunk is a guard page, then a record for each stack of the
 * chunk, which no overrun of a stack reaches, then the stacks. */
#ifndef CDP_FIBER_STACK_H
#define CDP_FIBER_STACK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

/* The requested properties of a range. */
struct cdp_stack_shape {
    size_t stack_size;  /* bytes of a stack */
    size_t record_size; /* bytes of its taker's record */
    unsigned takers;    /* workers that will take chunks */
};

/* The range, shared by all workers; the memory is the engine's. Stacks are taken and never
 * returned: they stay in the workers' caches. */
struct cdp_stack_range {
    char *low, *high;      /* const after init */
    size_t stack_size;     /* bytes of one stack, including the guard; const */
    size_t record_size;    /* bytes from record to record; const */
    size_t head_size;      /* bytes of a chunk before its first stack; const */
    unsigned chunk;        /* stacks of a chunk; const */
    _Atomic(char *) next;  /* workers take chunks */
    atomic_bool unguarded; /* a guard could not be made; reported once */
};

/* One worker's part of the range; only the owner accesses it. */
struct cdp_stack_source {
    struct cdp_stack_range *range;
    char *chunk;    /* the chunk that was taken last */
    unsigned taken; /* stacks of it */
    unsigned colour;
};

/* The stack that was taken. */
struct cdp_stack {
    char *low; /* above its guard */
    char *top; /* lowered by an offset (colour), so that the tops of many stacks do not share cache
                  sets */
    void *record; /* zeroed; belongs to the taker for ever */
};

/* Divides bytes of reserved memory at low; false if that is not enough for two stacks for each
 * taker. */
bool cdp_stack_range_init(struct cdp_stack_range *range, const struct cdp_stack_shape *shape,
                          void *low, size_t bytes) CDP_MUST_CHECK;

/* False: the range is used up. */
bool cdp_stack_take(struct cdp_stack_source *source, struct cdp_stack *stack) CDP_MUST_CHECK;

/* The record of the stack whose memory or guard contains address; NULL if that stack was not taken
 * yet. */
void *cdp_stack_record(const struct cdp_stack_range *range, const void *address);

#endif
