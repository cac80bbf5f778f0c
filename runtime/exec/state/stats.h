/* What CDP_STATS=1 counts. */
#ifndef CDP_EXEC_STATE_STATS_H
#define CDP_EXEC_STATE_STATS_H

#include <stdatomic.h>
#include <stdint.h>

/* One executor's counts.  Only the owner writes, with relaxed loads and stores; the
 * summary reads them at any time. */
struct cdp_stats {
    _Atomic uint64_t launches; /* by device code, accepted */
    _Atomic uint64_t started;  /* of these, by anyone: first blocks started here */
    _Atomic uint64_t waited;   /* ns from launch to first block, of the started */
    _Atomic uint64_t longest;  /* the most of these */
    _Atomic uint32_t deepest;  /* nesting level of a launched grid; the host's is 0 */
    _Atomic uint32_t pending;  /* the most launches that were not complete at once */
    _Atomic uint64_t whole;    /* blocks that a block entry ran */
    _Atomic uint64_t refused;  /* blocks of a shape that was none for the kernel's */
};

#endif
