/* Builds that count: what thread entries and block entries have in common. */
#ifndef CDP_CHECK_COUNT_H
#define CDP_CHECK_COUNT_H

#include "abi/cdp_abi.h"
#include "exec/report/count_sums.h"
#include "exec/state/block.h"

/* Where the memory is that is not global, for the calling thread: shared memory of its own block,
 * and all shared and local memory. */
struct cdp_count_ranges {
    uint64_t shared, shared_size;
    uint64_t private_low, private_size;
};
static inline struct cdp_count_ranges cdp_count_ranges(void)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    return (struct cdp_count_ranges){.shared = (uintptr_t)block->view.shared,
                                     .shared_size = block->view.shared_size,
                                     .private_low = cdp_abi_self->private_low,
                                     .private_size = cdp_abi_self->private_size};
}

/* The kind of memory that a lane accesses. CDP_COUNT_SPACES for memory that is not counted: local
 * memory, or shared memory of another block, which has no banks here. */
static inline enum cdp_abi_count_space cdp_count_space_in(const struct cdp_count_ranges *ranges,
                                                          uint64_t address)
{
    return address - ranges->shared < ranges->shared_size         ? CDP_COUNT_SHARED
           : address - ranges->private_low < ranges->private_size ? CDP_COUNT_SPACES
                                                                  : CDP_COUNT_GLOBAL;
}

static inline enum cdp_abi_count_space cdp_count_space_of(uint64_t address)
{
    const struct cdp_count_ranges ranges = cdp_count_ranges();
    return cdp_count_space_in(&ranges, address);
}

#endif
