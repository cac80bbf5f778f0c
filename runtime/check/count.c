/* Builds that count: what thread entries call. See abi/cdp_count.h; check/count_lanes.c is for
 * block entries. */
#include "abi/cdp_abi.h"
#include "abi/cdp_count.h"
#include "base/attr.h"
#include "check/count.h"
#include "exec/block/poll.h"
#include "exec/report/count.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "fiber/fiber.h"

CDP_EXPORT void cdp_abi_count_access(const struct cdp_abi_site *site, const void *address,
                                     uint64_t size, uint64_t key);
CDP_EXPORT void cdp_abi_count_branch(const struct cdp_abi_site *site, uint32_t taken, uint64_t key);
CDP_EXPORT void cdp_abi_count_switch(const struct cdp_abi_site *site, uint32_t side, uint64_t key);
CDP_EXPORT void cdp_abi_count_block(struct cdp_abi_count_block *block, uint64_t key);
CDP_EXPORT void cdp_abi_count_call(uint64_t key);
CDP_EXPORT uint64_t cdp_abi_count_start(void);
CDP_EXPORT void cdp_abi_count_end(void);

/* From a call to the start of the function that is called. */
static __thread uint64_t call_key;

static void add(const struct cdp_count_event *event)
{
    struct cdp_block *block = cdp_block_of(cdp_abi_self);
    if (CDP_UNLIKELY(cdp_count_add(block, cdp_abi_self->linear, event))) {
        /* The thread is far ahead of others, or it polls for something that another block must do.
         */
        cdp_poll_yield(block->executor, cdp_fiber_of(cdp_abi_self));
    }
}

void cdp_abi_count_access(const struct cdp_abi_site *site, const void *address, uint64_t size,
                          uint64_t key)
{
    enum cdp_abi_count_space space = cdp_count_space_of((uintptr_t)address);
    if (space != CDP_COUNT_SPACES) {
        add(&(struct cdp_count_event){.what = (void *)(uintptr_t)site,
                                      .space = space,
                                      .value = (uintptr_t)address,
                                      .size = size,
                                      .key = key});
    }
}

void cdp_abi_count_branch(const struct cdp_abi_site *site, uint32_t taken, uint64_t key)
{
    add(&(struct cdp_count_event){
        .what = (void *)(uintptr_t)site, .space = CDP_COUNT_BRANCH, .value = taken, .key = key});
}

void cdp_abi_count_switch(const struct cdp_abi_site *site, uint32_t side, uint64_t key)
{
    cdp_abi_count_branch(site, side, key);
}

/* The first thread of a grid, at the start of its kernel's code, counts as the launch. */
static void count_launch(const struct cdp_abi_count_block *code)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    const uint32_t *idx = block->view.block_idx;
    if (code->is_entry != 0 && cdp_abi_self->linear == 0 && (idx[0] | idx[1] | idx[2]) == 0) {
        cdp_count_launched(block, code->function);
    }
}

void cdp_abi_count_block(struct cdp_abi_count_block *block, uint64_t key)
{
    count_launch(block);
    add(&(struct cdp_count_event){.what = block, .space = CDP_COUNT_SPACES, .key = key});
}

void cdp_abi_count_call(uint64_t key)
{
    call_key = key;
}

uint64_t cdp_abi_count_start(void)
{
    return call_key;
}

void cdp_abi_count_end(void)
{
    cdp_count_thread_ended(cdp_block_of(cdp_abi_self), cdp_abi_self->linear);
}
