/* Trials of both entries of a kernel, to find the faster one. */
#include "exec/block/trial.h"

/* A trial has as many blocks as this by each entry, and lasts as many ticks: some tens of
 * microseconds. Blocks at the end of a grid may have nothing to do. */
enum { LEAST_BLOCKS = 4, LEAST_TICKS = 100000, MOST_BLOCKS = 256 };

/* Thread entries must be faster by a tenth. */
enum { TENTHS = 10, TENTHS_OF_BLOCK = 9 };

enum cdp_entry cdp_trial_choose(struct cdp_executor *executor, const struct cdp_abi_kernel *kernel,
                                bool *is_measured)
{
    struct cdp_trial *trial = &executor->batch.trial;
    uint32_t decision = atomic_load_explicit(cdp_trial_decision(kernel), memory_order_relaxed);
    *is_measured = decision == CDP_TRIAL_UNKNOWN;
    if (decision != CDP_TRIAL_UNKNOWN) {
        return decision == CDP_TRIAL_THREADS ? CDP_ENTRY_THREADS : CDP_ENTRY_BLOCK;
    }
    if (trial->kernel != kernel) {
        *trial = (struct cdp_trial){.kernel = kernel};
    }
    return trial->blocks[CDP_ENTRY_THREADS] < trial->blocks[CDP_ENTRY_BLOCK] ? CDP_ENTRY_THREADS
                                                                             : CDP_ENTRY_BLOCK;
}

/* The mean of the blocks decides. A kernel whose blocks have next to nothing to do keeps its block
 * entry. */
static uint32_t decide(const struct cdp_trial *trial)
{
    const uint32_t *blocks = trial->blocks;
    const uint64_t *ticks = trial->ticks;
    if (blocks[CDP_ENTRY_BLOCK] >= MOST_BLOCKS) {
        return CDP_TRIAL_BLOCK;
    }
    if (blocks[CDP_ENTRY_BLOCK] < LEAST_BLOCKS || blocks[CDP_ENTRY_THREADS] < LEAST_BLOCKS ||
        ticks[CDP_ENTRY_BLOCK] + ticks[CDP_ENTRY_THREADS] < LEAST_TICKS) {
        return CDP_TRIAL_UNKNOWN;
    }
    uint64_t by_block = ticks[CDP_ENTRY_BLOCK] / blocks[CDP_ENTRY_BLOCK],
             by_threads = ticks[CDP_ENTRY_THREADS] / blocks[CDP_ENTRY_THREADS];
    return TENTHS * by_threads < TENTHS_OF_BLOCK * by_block ? CDP_TRIAL_THREADS : CDP_TRIAL_BLOCK;
}

void cdp_trial_measured(struct cdp_executor *executor, const struct cdp_abi_kernel *kernel,
                        enum cdp_entry entry, uint32_t blocks, uint64_t ticks)
{
    struct cdp_trial *trial = &executor->batch.trial;
    if (trial->kernel != kernel) {
        return;
    }
    trial->ticks[entry] += ticks;
    trial->blocks[entry] += blocks;
    uint32_t decision = decide(trial);
    if (decision != CDP_TRIAL_UNKNOWN) {
        atomic_store_explicit(cdp_trial_decision(kernel), decision, memory_order_relaxed);
        trial->kernel = NULL;
    }
}
