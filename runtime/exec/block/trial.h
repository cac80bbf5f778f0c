/* Trials of both entries of a kernel, to find the faster one.
 *
 * A loop with many gathers can be slower by the block entry than by thread entries. That depends on
 * the data, so the compiler marks such kernels with CDP_KERNEL_UNSURE. Each worker runs some of the
 * first blocks by each entry, one after the other, and measures them. The first worker that knows
 * enough decides for all, and for later launches. The first blocks may have other costs, such as
 * faults of new pages. So workers measure again, at first after some hundred blocks and then less
 * and less often. */
#ifndef CDP_EXEC_BLOCK_TRIAL_H
#define CDP_EXEC_BLOCK_TRIAL_H

#include "exec/state/executor.h"
#include "exec/state/grid.h"

/* Which entry the next block of the kernel uses. */
enum cdp_entry cdp_trial_choose(struct cdp_executor *executor, const struct cdp_abi_kernel *kernel);
/* A call ran that many blocks by the chosen entry, in that many ticks. */
void cdp_trial_ran(struct cdp_executor *executor, const struct cdp_abi_kernel *kernel,
                   enum cdp_entry entry, uint32_t blocks, uint64_t ticks);

#endif
