/* A batch: blocks of one grid that a worker runs one after the other. */
#ifndef CDP_EXEC_STATE_BATCH_H
#define CDP_EXEC_STATE_BATCH_H

#include <stdint.h>

#include "sched/task.h"

struct cdp_abi_kernel;
struct cdp_grid;

/* Blocks of one grid that this worker runs one after the other.  They are not offered one by one:
 * to count each block off the grid and to take the next one from the deque is slow where workers
 * share both.  Blocks that others could take lie in the deque meanwhile.
 *
 * A batch takes some ten microseconds.  It runs in parts of a few blocks; after each part the
 * worker looks whether the others still have enough.  How long a block takes is learned from the
 * blocks before.  If one worker had better run a grid alone (launch/pace.h), all of the grid's
 * blocks are one batch.
 *
 * Owner: the executor.  Invariant: left.task != NULL implies left.first < left.last. */
struct cdp_batch_of_blocks {
    struct cdp_offer left;               /* blocks not started; task NULL: none */
    const struct cdp_task *task;         /* of the latest batch */
    const struct cdp_abi_kernel *kernel; /* of the latest batch */
    uint64_t started;                    /* when the latest batch began, in ticks */
    uint64_t patience;                   /* for so many ticks nothing of it is shared */
    uint32_t size, ran;                  /* its blocks; how many of them have started */
    /* Parts, which block entries run. */
    uint64_t looked;       /* when the current part began, in ticks */
    uint32_t part;         /* blocks that a part should have by now */
    uint32_t most_at_once; /* blocks that a part may have */
    uint32_t in_part;      /* blocks of the current part; a row of the grid may end before */
    uint64_t took;         /* ticks that the previous part took */
    uint32_t took_blocks;  /* blocks of that part; 0: nothing is known of this kernel */
    /* Blocks that have ended here and that blocks_left of their grid still counts.  At least one
     * other block of that grid, which started here or is left, has not ended. */
    struct cdp_grid *ended_grid;
    uint32_t ended;
};

#endif
