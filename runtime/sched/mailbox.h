/* A mailbox of tasks: any thread puts tasks in, one owner takes all of them, in order. */
#ifndef CDP_SCHED_MAILBOX_H
#define CDP_SCHED_MAILBOX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "sched/task.h"

struct cdp_mailbox {
    _Atomic(struct cdp_task *) newest; /* all threads put, the owner takes */
};

static inline void cdp_mailbox_put(struct cdp_mailbox *box, struct cdp_task *task)
{
    struct cdp_task *newest = atomic_load_explicit(&box->newest, memory_order_relaxed);
    do {
        task->link = newest;
        /* seq_cst: this store comes before the sender's read of the owner's sleeping flag, see
         * sched/park.h. */
    } while (!atomic_compare_exchange_weak_explicit(&box->newest, &newest, task,
                                                    memory_order_seq_cst, memory_order_relaxed));
}

/* A hint, for the common empty case. */
static inline bool cdp_mailbox_seems_empty(const struct cdp_mailbox *box)
{
    return atomic_load_explicit(&box->newest, memory_order_relaxed) == NULL;
}

/* All tasks, oldest first, chained by link. Read a task's link before another thread gets the task:
 * it may be run and recycled at once. */
static inline struct cdp_task *cdp_mailbox_take(struct cdp_mailbox *box)
{
    /* Acquire pairs with the put: it makes the task's contents visible. */
    struct cdp_task *task = atomic_exchange_explicit(&box->newest, NULL, memory_order_acquire);
    struct cdp_task *oldest = NULL;
    while (task != NULL) {
        struct cdp_task *older = task->link;
        task->link = oldest;
        oldest = task;
        task = older;
    }
    return oldest;
}

#endif
