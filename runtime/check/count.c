/* Builds that count: what device code calls. See abi/cdp_count.h. */
#include "abi/cdp_abi.h"
#include "abi/cdp_count.h"
#include "base/attr.h"
#include "exec/block/poll.h"
#include "exec/report/count.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "fiber/fiber.h"

CDP_EXPORT void cdp_abi_count_access(const struct cdp_abi_site *site, const void *address,
                                     uint64_t size, uint64_t key);
CDP_EXPORT void cdp_abi_count_branch(const struct cdp_abi_site *site, uint32_t taken, uint64_t key);
CDP_EXPORT void cdp_abi_count_call(uint64_t key);
CDP_EXPORT uint64_t cdp_abi_count_start(void);
CDP_EXPORT void cdp_abi_count_end(void);

/* From a call to the start of the function that is called. */
static __thread uint64_t call_key;

static void add(const struct cdp_count_event *event)
{
    struct cdp_block *block = cdp_block_of(cdp_abi_self);
    if (CDP_UNLIKELY(cdp_count_add(block, cdp_abi_self->linear, event))) {
        cdp_poll_reset(block); /* it does not wait: the block need not give way */
        cdp_poll_yield(block->executor, cdp_fiber_of(cdp_abi_self));
    }
}

void cdp_abi_count_access(const struct cdp_abi_site *site, const void *address, uint64_t size,
                          uint64_t key)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    uintptr_t at = (uintptr_t)address;
    bool is_shared = at - (uintptr_t)block->view.shared < block->view.shared_size;
    if (!is_shared && at - cdp_abi_self->private_low < cdp_abi_self->private_size) {
        return; /* local memory; or shared memory of another block, which has no banks here */
    }
    add(&(struct cdp_count_event){.site = site,
                                  .space = is_shared ? CDP_COUNT_SHARED : CDP_COUNT_GLOBAL,
                                  .value = at,
                                  .size = size,
                                  .key = key});
}

void cdp_abi_count_branch(const struct cdp_abi_site *site, uint32_t taken, uint64_t key)
{
    add(&(struct cdp_count_event){
        .site = site, .space = CDP_COUNT_BRANCH, .value = taken, .key = key});
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
