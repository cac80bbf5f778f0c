/* The counters of CDP_STATS=1 and of checked programs. */
#ifndef CDP_EXEC_STATE_STATS_H
#define CDP_EXEC_STATE_STATS_H

#include <stdatomic.h>
#include <stdint.h>

/* What device code has used: bits of cdp_stats.uses. */
enum cdp_stats_use {
    CDP_STATS_WAITED = 1 << 0,       /* cudaDeviceSynchronize() in a kernel */
    CDP_STATS_TAIL_OR_FREE = 1 << 1, /* the streams of tail launches, and of fire and forget */
};

/* The counters of one executor.  Only the owner writes, with relaxed loads and stores.  The summary
 * reads them at any time. */
struct cdp_stats {
    _Atomic uint64_t launches; /* accepted launches by device code */
    /* device launches, by any executor, whose first block started on this one */
    _Atomic uint64_t started;
    _Atomic uint64_t waited;  /* ns from launch to first block, summed over started */
    _Atomic uint64_t longest; /* the longest such time, in ns */
    /* greatest nesting depth of a launched grid; the host's grids have 0 */
    _Atomic uint32_t deepest;
    _Atomic uint32_t uses;              /* enum cdp_stats_use */
    _Atomic uint32_t pending;           /* most launches that were pending at the same time */
    _Atomic(const void *) deepest_site; /* return address of a launch with these numbers */
    _Atomic(const void *) pending_site;
    _Atomic uint64_t whole; /* blocks that ran by a block entry */
    /* blocks for which no version of the kernel's block entry was suitable */
    _Atomic uint64_t refused;
};

#endif
