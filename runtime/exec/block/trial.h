/* Trials of both entries of a kernel, to find the faster one.
 *
 * A loop with many gathers can be slower by the block entry than by thread entries. That depends on
 * the data, so the compiler marks such kernels with CDP_KERNEL_UNSURE. Each worker runs some of the
 * first blocks by each entry, one after the other, and measures them. The first worker that knows
 * enough decides for all, and for later launches. */
#ifndef CDP_EXEC_BLOCK_TRIAL_H
#define CDP_EXEC_BLOCK_TRIAL_H

#include <stdbool.h>

#include "exec/state/executor.h"
#include "exec/state/grid.h"

/* Which entry the next block of the kernel uses. *is_measured: its time must be passed to
 * cdp_trial_measured. */
enum cdp_entry cdp_trial_choose(struct cdp_executor *executor, const struct cdp_abi_kernel *kernel,
                                bool *is_measured);
/* That many blocks took that many ticks. */
void cdp_trial_measured(struct cdp_executor *executor, const struct cdp_abi_kernel *kernel,
                        enum cdp_entry entry, uint32_t blocks, uint64_t ticks);
#endif
