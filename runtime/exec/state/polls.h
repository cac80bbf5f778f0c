/* Blocks that poll, and have let others go first. */
#ifndef CDP_EXEC_STATE_POLLS_H
#define CDP_EXEC_STATE_POLLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cdp_abi_kernel;
struct cdp_block;

/* The blocks of a worker that poll and have given way (block/poll.c).  Owner only.
 *
 * One turn goes through the list now, from its head.  A block that polls on goes to the head of
 * the list later, which becomes now for the next turn.  So turns alternate in direction.  A chain
 * of blocks, each of which waits for its neighbour, is done after two turns. */
struct cdp_polls {
    struct cdp_block *now, *later; /* by next */
    /* A kernel whose blocks poll for other blocks: one of them did so with all of its threads
     * started.  NULL: none was seen. */
    const struct cdp_abi_kernel *kernel;
    uint32_t holding;         /* blocks that start no more threads while they poll */
    uint32_t visits;          /* of polling blocks, since one of those that hold was released */
    uint32_t waits;           /* visits before anything else is begun */
    uint32_t visits_in_a_row; /* const; visits before others may have the processor */
    uint64_t began;           /* when something else was last begun, in ticks */
    bool is_joined;           /* what was begun then polls, too */
    bool is_turn;             /* it is a polling block's turn, not that of something else */
};

static inline bool cdp_polls_any(const struct cdp_polls *polls)
{
    return polls->now != NULL || polls->later != NULL;
}

#endif
