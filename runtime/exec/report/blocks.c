/* The lists of blocks of a worker. */
#include "exec/report/blocks.h"

#include "exec/state/block.h"
#include "exec/state/executor.h"
#include "exec/state/schedule.h"

typedef void visitor(void *arg, const struct cdp_block *block, const struct cdp_fiber *running);

static void visit_list(const struct cdp_block *block, visitor *visit, void *arg)
{
    for (; block != NULL; block = block->next) {
        visit(arg, block, NULL);
    }
}

void cdp_blocks_visit(struct cdp_executor *executor, const struct cdp_fiber *running,
                      visitor *visit, void *arg)
{
    if (executor->current != NULL) {
        visit(arg, executor->current, running);
    }
    visit_list(executor->blocks.resumable_head, visit, arg);
    visit_list(executor->blocks.polls.now, visit, arg);
    visit_list(executor->blocks.polls.later, visit, arg);
    if (executor->schedule->aside != NULL) {
        visit_list(executor->schedule->aside(executor), visit, arg);
    }
    for (const struct cdp_block *b = executor->blocks.suspended_head; b != NULL;
         b = b->suspension.next) {
        visit(arg, b, NULL);
    }
}
