/* Blocks that poll and have given way to other blocks. */
#ifndef CDP_EXEC_STATE_POLLS_H
#define CDP_EXEC_STATE_POLLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cdp_abi_kernel;
struct cdp_block;

/* The blocks of a worker that poll and have given way (block/poll.c).  Owner only.
 *
 * One pass runs the blocks of the list now, from its head.  A block that still polls goes to the
 * head of the list later.  The list later becomes now for the next pass.  So passes alternate in
 * direction.  If each block of a chain waits for its neighbour, the whole chain ends within two
 * passes. */
struct cdp_polls {
    struct cdp_block *now, *later; /* by next */
    /* A kernel whose blocks wait for other blocks by polling.  One of its blocks polled although
     * all of its threads had started.  NULL: no such kernel was seen. */
    const struct cdp_abi_kernel *kernel;
    uint32_t holding;         /* blocks that start no more threads while they poll */
    uint32_t visits;          /* visits of polling blocks */
    uint32_t visits_in_a_row; /* const; visits before the worker yields the processor */
    uint32_t passes;          /* passes since other work was last begun */
    uint64_t polled;          /* polls without success */
    uint64_t waits_until;     /* no other work is begun before so many polls */
    uint64_t released; /* polls when a holding block was last released, or began to hold alone */
    uint64_t began;    /* when other work was last begun, in ticks */
    uint64_t turn;     /* when the present turn began, in ticks */
    uint64_t took;     /* ticks of the last turn of polling blocks */
    bool is_joined;    /* the work begun then polls, too */
    bool is_turn;      /* a polling block runs next, and not other work */
    bool has_progress; /* in this pass a wait of a cluster's block ended */
    bool had_progress; /* the same in the pass before */
};

static inline bool cdp_polls_any(const struct cdp_polls *polls)
{
    return polls->now != NULL || polls->later != NULL;
}

#endif
