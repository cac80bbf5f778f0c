/* Trials of both entries of a kernel, to find the faster one. */
#include "exec/block/trial.h"

/* A trial has at least LEAST_SAMPLES of each entry, and lasts LEAST_TICKS: some tens of
 * microseconds. A few blocks alone may have nothing to do, such as those at the end of a grid. The
 * next trial comes after FIRST_WAIT blocks. The wait for each later one is LONGER times as long, up
 * to MOST_WAIT. */
enum { LEAST_SAMPLES = 6, LEAST_TICKS = 100000, MOST_SAMPLES = 256 };
enum { FIRST_WAIT = 512, LONGER = 8, MOST_WAIT = 1 << 20 };

/* Thread entries must be faster by a tenth. */
enum { TENTHS = 10, TENTHS_OF_BLOCK = 9 };

enum cdp_entry cdp_trial_choose(struct cdp_executor *executor, const struct cdp_abi_kernel *kernel)
{
    struct cdp_trial *trial = &executor->batch.trial;
    uint32_t decision = atomic_load_explicit(cdp_trial_decision(kernel), memory_order_relaxed);
    bool is_known = decision != CDP_TRIAL_UNKNOWN;
    if (trial->kernel != kernel) {
        *trial = (struct cdp_trial){.kernel = kernel, .is_over = is_known, .wait = FIRST_WAIT};
    } else if (trial->is_over && trial->since >= trial->wait) {
        uint32_t wait = trial->wait < MOST_WAIT ? trial->wait * LONGER : trial->wait;
        *trial = (struct cdp_trial){.kernel = kernel, .wait = wait};
    }
    if (is_known && trial->is_over) {
        return decision == CDP_TRIAL_THREADS ? CDP_ENTRY_THREADS : CDP_ENTRY_BLOCK;
    }
    return trial->samples[CDP_ENTRY_THREADS] < trial->samples[CDP_ENTRY_BLOCK] ? CDP_ENTRY_THREADS
                                                                               : CDP_ENTRY_BLOCK;
}

/* The mean without the longest sample, in which the worker may have been interrupted. */
static uint64_t mean_of(const struct cdp_trial *trial, enum cdp_entry entry)
{
    return (trial->sum[entry] - trial->most[entry]) / (trial->samples[entry] - 1);
}

/* A kernel whose blocks have next to nothing to do keeps its block entry. */
static uint32_t decide(const struct cdp_trial *trial)
{
    const uint32_t *samples = trial->samples;
    if (samples[CDP_ENTRY_BLOCK] >= MOST_SAMPLES) {
        return CDP_TRIAL_BLOCK;
    }
    if (samples[CDP_ENTRY_BLOCK] < LEAST_SAMPLES || samples[CDP_ENTRY_THREADS] < LEAST_SAMPLES ||
        trial->sum[CDP_ENTRY_BLOCK] + trial->sum[CDP_ENTRY_THREADS] < LEAST_TICKS) {
        return CDP_TRIAL_UNKNOWN;
    }
    return TENTHS * mean_of(trial, CDP_ENTRY_THREADS) <
                   TENTHS_OF_BLOCK * mean_of(trial, CDP_ENTRY_BLOCK)
               ? CDP_TRIAL_THREADS
               : CDP_TRIAL_BLOCK;
}

void cdp_trial_ran(struct cdp_executor *executor, const struct cdp_abi_kernel *kernel,
                   enum cdp_entry entry, uint32_t blocks, uint64_t ticks)
{
    struct cdp_trial *trial = &executor->batch.trial;
    if (trial->kernel != kernel) {
        return;
    }
    if (trial->is_over) {
        trial->since += blocks;
        return;
    }
    uint64_t sample = ticks / blocks;
    trial->samples[entry]++;
    trial->sum[entry] += sample;
    trial->most[entry] = sample > trial->most[entry] ? sample : trial->most[entry];
    uint32_t decision = decide(trial);
    if (decision != CDP_TRIAL_UNKNOWN) {
        atomic_store_explicit(cdp_trial_decision(kernel), decision, memory_order_relaxed);
        trial->is_over = true;
        trial->since = 0;
    }
}
