/* Functions of higher folders that lower folders call.
 *
 * Calls and includes run downwards only (docs/architecture.md).  A few calls must go upwards: a
 * fault kills a block, which block/ manages, and a launch operation completes a grid.  They go
 * through this table.  The engine sets it before its first worker starts.  None of these calls is
 * on a hot path. */
#ifndef CDP_EXEC_STATE_OPERATIONS_H
#define CDP_EXEC_STATE_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cdp_block;
struct cdp_engine;
struct cdp_executor;
struct cdp_fiber;
struct cdp_grid;
struct cdp_task;
struct cdp_wait_visitor;
struct cdp_worker;

/* Life: static.  Const: one table serves all engines. */
struct cdp_operations {
    /* For report/.  The first two are called on the block's executor. */

    /* cdp_block_kill: drops all threads of the block. */
    void (*kill_block)(struct cdp_block *block);
    /* cdp_executor_idle_fiber: the fiber to switch to when a thread abandons its own. */
    struct cdp_fiber *(*idle_fiber)(struct cdp_executor *executor);
    /* Visits the threads that wait at named barriers, at the cluster's, and in warp operations. */
    void (*visit_waiting)(const struct cdp_block *block, const struct cdp_wait_visitor *visitor);
    /* cdp_chains_pending: launches of the host that are not complete.  Any thread may call it. */
    uint32_t (*chains_pending)(struct cdp_engine *engine);

    /* For launch/. */

    /* cdp_grid_run, the task function of launch records: runs blocks first to last - 1 of the
     * grid (last == 0: all).  Each source of records has a copy. */
    void (*run_grid)(struct cdp_worker *worker, struct cdp_task *task, uint32_t first,
                     uint32_t last);

    /* cdp_grid_complete, on the executor that found the grid complete. */
    void (*complete_grid)(struct cdp_executor *executor, struct cdp_grid *grid);
    /* cdp_brief_try, on the launching host thread. */
    bool (*run_brief)(struct cdp_engine *engine, struct cdp_grid *grid);
    /* cdp_blocks_destroy: frees a list of unused blocks, linked by next.  Returns how many bytes
     * they had. */
    size_t (*free_blocks)(struct cdp_block *list);
};

#endif
