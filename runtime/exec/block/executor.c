/* An executor's fibers, and its suspended blocks. */
#include "exec/block/executor.h"

#include "base/alloc.h"
#include "exec/block/inside.h"
#include "exec/report/fault.h"
#include "exec/report/profile.h"
#include "exec/state/engine.h"
#include "exec/state/valid.h"
#include "os/os.h"

/* Stack that the runtime's functions may use when device code calls them. Reports need most: half
 * of it is for the C++ library's demangler, which takes 72 bytes for each byte of a kernel's name.
 */
enum { RUNTIME_STACK = 40 << 10 };

static struct cdp_fiber *create_fiber(struct cdp_executor *executor)
{
    struct cdp_fiber *fiber =
        cdp_fiber_create(&executor->fibers.stacks, executor->fibers.main, executor);
    if (fiber != NULL) {
        fiber->floor =
            fiber->low + (fiber->size / 4 < RUNTIME_STACK ? fiber->size / 4 : RUNTIME_STACK);
        fiber->thread.private_low = executor->engine->ranges.own.low;
        fiber->thread.private_size = executor->engine->ranges.own.size;
    }
    return fiber;
}

struct cdp_fiber *cdp_executor_idle_fiber(struct cdp_executor *executor)
{
    struct cdp_fiber *fiber = executor->fibers.idle;
    if (CDP_LIKELY(fiber != NULL)) {
        executor->fibers.idle = fiber->next;
        return fiber;
    }
    fiber = cdp_alloc_fails() ? NULL : create_fiber(executor);
    if (CDP_LIKELY(fiber != NULL)) {
        return fiber;
    }
    char limit[300];
    cdp_os_describe_memory_limit(limit, sizeof limit);
    const struct cdp_block *block = executor->current;
    cdp_fault_set(
        executor->engine, block != NULL ? cdp_grid_device(block->grid) : 0, CDP_NO_MEMORY,
        "no stack for another waiting device thread (CDP_STACK_KB makes them smaller): %s", limit);
    fiber = executor->fibers.reserve;
    executor->fibers.reserve = NULL;
    return fiber;
}

void cdp_executor_put_aside(struct cdp_executor *executor, struct cdp_block *block)
{
    struct cdp_block *head = executor->blocks.suspended_head;
    block->flags.is_suspended = true;
    block->suspension.next = head;
    block->suspension.before = NULL;
    if (head != NULL) {
        head->suspension.before = block;
    }
    executor->blocks.suspended_head = block;
    executor->blocks.suspended++;
    executor->current = NULL;
    CDP_CHECK_VALID_SAMPLE(block->threads.alive, cdp_block_is_valid(block));
    CDP_CHECK_VALID_SAMPLE(executor->blocks.resident, cdp_executor_is_valid(executor));
}

static void unlink_suspended(struct cdp_executor *executor, struct cdp_block *block)
{
    if (block->suspension.before != NULL) {
        block->suspension.before->suspension.next = block->suspension.next;
    } else {
        executor->blocks.suspended_head = block->suspension.next;
    }
    if (block->suspension.next != NULL) {
        block->suspension.next->suspension.before = block->suspension.before;
    }
}

void cdp_executor_resume(struct cdp_executor *executor, struct cdp_block *block)
{
    block->flags.is_suspended = false;
    executor->blocks.suspended--;
    unlink_suspended(executor, block);
    executor->schedule->resume(executor, block);
    CDP_CHECK_VALID_SAMPLE(executor->blocks.resident, cdp_executor_is_valid(executor));
}

static void append(struct cdp_block **head, struct cdp_block **tail, struct cdp_block *block)
{
    block->next = NULL;
    if (*head != NULL) {
        (*tail)->next = block;
    } else {
        *head = block;
    }
    *tail = block;
}

void cdp_executor_append_resumable(struct cdp_executor *executor, struct cdp_block *block)
{
    append(&executor->blocks.resumable_head, &executor->blocks.resumable_tail, block);
}

void cdp_executor_take_mail(struct cdp_executor *executor)
{
    struct cdp_task *task = cdp_mailbox_take(&executor->worker.mail);
    while (task != NULL) {
        struct cdp_task *next = task->link;
        cdp_offer_run(&executor->worker, cdp_offer_whole(task));
        task = next;
    }
}

bool cdp_executor_init(struct cdp_executor *executor, struct cdp_engine *engine,
                       void (*fiber_main)(void *fiber))
{
    executor->engine = engine;
    executor->records.source.trailer =
        engine->options->stats != 0 || engine->modes.races || cdp_profile_is_on ? CDP_CACHE_LINE
                                                                                : 0;
    executor->records.source.memory = &engine->launch_memory;
    executor->records.source.run = engine->operations->run_grid;
    executor->schedule = engine->schedule;
    executor->fibers.main = fiber_main;
    executor->plain = engine->modes.plain;
    executor->alone = engine->schedule->is_natural && engine->pool.count == 1;
    executor->fibers.stacks.range = &engine->ranges.stacks;
    executor->slabs.range = &engine->ranges.slabs;
    executor->fibers.reserve = create_fiber(executor);
    struct cdp_fiber *first = create_fiber(executor);
    if (executor->fibers.reserve == NULL || first == NULL || !cdp_inside_init(executor)) {
        return false;
    }
    cdp_executor_cache(executor, first);
    return true;
}
