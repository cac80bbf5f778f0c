/* Builds that count: what thread entries and block entries have in common. */
#ifndef CDP_CHECK_COUNT_H
#define CDP_CHECK_COUNT_H

#include "abi/cdp_abi.h"
#include "exec/report/count_sums.h"
#include "exec/state/block.h"

/* The kind of memory that a lane accesses. CDP_COUNT_SPACES for memory that is not counted: local
 * memory, or shared memory of another block, which has no banks here. */
static inline enum cdp_count_space cdp_count_space_of(uint64_t address)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    return address - (uintptr_t)block->view.shared < block->view.shared_size  ? CDP_COUNT_SHARED
           : address - cdp_abi_self->private_low < cdp_abi_self->private_size ? CDP_COUNT_SPACES
                                                                              : CDP_COUNT_GLOBAL;
}

/* A thread starts a basic block: the first thread of a grid, that of its kernel's code, counts as
 * the launch. */
static inline void cdp_count_starts(const struct cdp_abi_count_block *code, uint32_t thread)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    const uint32_t *idx = block->view.block_idx;
    if (code->is_entry != 0 && thread == 0 && (idx[0] | idx[1] | idx[2]) == 0) {
        cdp_count_launched(block, code->function);
    }
}

#endif
