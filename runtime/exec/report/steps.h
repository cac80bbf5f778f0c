/* CDP_STEPS: what the threads of one chosen block do at barriers and warp operations, step by step,
 * for the animation of cdp-report. The block runs by thread entries.
 *
 * The chosen block is the first one with the given kernel and index that starts. No other block
 * pays more than the comparison of a pointer. */
#ifndef CDP_EXEC_REPORT_STEPS_H
#define CDP_EXEC_REPORT_STEPS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"

struct cdp_block;

enum cdp_step_kind {
    CDP_STEP_BARRIER, /* the thread arrives at __syncthreads() or one of its forms */
    CDP_STEP_OPEN,    /* all threads have arrived: they continue */
    CDP_STEP_WARP,    /* the thread arrives at a warp operation; lanes: its mask */
    CDP_STEP_MET,     /* the lanes of the thread's warp continue; lanes: which */
    CDP_STEP_END,     /* the thread has ended */
};

struct cdp_step {
    uint32_t thread; /* linear; of OPEN: 0 */
    enum cdp_step_kind kind;
    uint32_t lanes;
    const char *operation; /* never freed; of WARP, else NULL */
    const void *site;      /* the return address into device code; of BARRIER and WARP */
};

/* Const after the library is loaded. */
extern bool cdp_steps_is_on;
/* The block that is recorded; NULL: none, or no longer. Only the worker of that block finds
 * its block equal to it, and this worker has set it.  So memory_order_relaxed is sufficient. */
extern _Atomic(const struct cdp_block *) cdp_steps_block;

static inline bool cdp_steps_has(const struct cdp_block *block)
{
    return CDP_UNLIKELY(atomic_load_explicit(&cdp_steps_block, memory_order_relaxed) == block);
}

/* Whether the block needs its thread entry: it is recorded, or the chosen block may come with it,
 * because a block entry runs several blocks at once. */
bool cdp_steps_need_threads(const struct cdp_block *block);
/* The block has its indices, and starts. */
void cdp_steps_block_starts(const struct cdp_block *block);
/* Of the block that is recorded. */
CDP_COLD void cdp_steps_add(const struct cdp_step *step);
/* The thread arrives at the block's own barrier. Short, because it stands in inline functions. */
CDP_COLD void cdp_steps_arrive(uint32_t thread, const void *site);
void cdp_steps_block_ends(void);

/* Writes the file of CDP_STEPS_LOG. Says why it cannot, or that no such block ran. */
void cdp_steps_write(void);

#endif
