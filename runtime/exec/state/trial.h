/* Which entry of a kernel is faster, where the compiler does not know. */
#ifndef CDP_EXEC_STATE_TRIAL_H
#define CDP_EXEC_STATE_TRIAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/cdp_tables.h"

/* The entries of a kernel. */
enum cdp_entry { CDP_ENTRY_BLOCK, CDP_ENTRY_THREADS, CDP_ENTRIES };

/* A worker's measurements of one kernel, the last one whose faster entry it has measured. A sample
 * is a call that ran one or more blocks; its ticks are those of one block. Owner: the worker. */
struct cdp_trial {
    const struct cdp_abi_kernel *kernel; /* NULL: none */
    bool is_over;                        /* blocks run by the decision */
    uint32_t since, wait; /* blocks that ran since then; after so many it measures again */
    uint32_t samples[CDP_ENTRIES];
    uint64_t sum[CDP_ENTRIES], most[CDP_ENTRIES]; /* ticks of the samples; of the longest one */
};

/* What a kernel's field `faster` has. UNKNOWN is what the object file has. */
enum { CDP_TRIAL_UNKNOWN, CDP_TRIAL_BLOCK, CDP_TRIAL_THREADS };

/* The object that the pointer names is not const. All accesses are relaxed: the decision orders no
 * other data, and both entries have the same results. */
static inline _Atomic uint32_t *cdp_trial_decision(const struct cdp_abi_kernel *kernel)
{
    return (_Atomic uint32_t *)(uintptr_t)&kernel->faster;
}

/* A trial has found that the thread entry is faster. */
static inline bool cdp_trial_prefers_threads(const struct cdp_abi_kernel *kernel)
{
    return atomic_load_explicit(cdp_trial_decision(kernel), memory_order_relaxed) ==
           CDP_TRIAL_THREADS;
}

#endif
