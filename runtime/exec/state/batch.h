/* A batch: blocks of one grid that a worker runs one after the other. */
#ifndef CDP_EXEC_STATE_BATCH_H
#define CDP_EXEC_STATE_BATCH_H

#include <stdint.h>

#include "sched/task.h"
#include "exec/state/trial.h"

struct cdp_abi_kernel;
struct cdp_grid;

/* Blocks of one grid that this worker runs one after the other.  They are not offered one by one.
 * If workers share the grid's counter and the deque, it is slow to count down and to pop for each
 * block.  Meanwhile, the blocks that other workers could take are in the deque.
 *
 * A batch takes some ten microseconds.  It runs in parts of a few blocks.  After each part the
 * worker checks whether the other workers still have enough blocks.  The duration of a block is
 * estimated from the blocks before it.  If a grid is faster on one worker (launch/pace.h), all of
 * its blocks are one batch.
 *
 * Owner: the executor.  Invariant: left.task != NULL implies left.first < left.last. */
struct cdp_batch_of_blocks {
    struct cdp_offer left;               /* blocks that have not started; task NULL: none */
    const struct cdp_task *task;         /* task of the latest batch */
    const struct cdp_abi_kernel *kernel; /* kernel of the latest batch */
    uint64_t started;                    /* when the latest batch began, in ticks */
    uint64_t patience;                   /* ticks in which none of its blocks are offered */
    uint32_t size, ran;                  /* blocks of the latest batch; how many have started */
    /* Parts: only batches that run by block entries have them. */
    uint64_t looked;       /* when the current part began, in ticks */
    uint32_t part;         /* blocks that a part should have, by the latest estimate */
    uint32_t most_at_once; /* upper limit of part */
    /* blocks of the current part; fewer than part at the end of a row of the grid; 0: none yet */
    uint32_t in_part;
    uint32_t single_parts; /* how many of the next parts have one block */
    uint64_t took;         /* ticks that the previous part took */
    uint32_t took_blocks;  /* blocks of that part; 0: no part of this kernel was timed */
    /* Blocks that have ended on this worker, but are still counted in blocks_left of their grid.
     * At least one other block of that grid has not ended.  It has started on this worker or is in
     * left. */
    struct cdp_grid *ended_grid;
    uint32_t ended;
    struct cdp_trial trial; /* of a kernel's entries */
};

#endif
