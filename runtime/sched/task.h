/* All the scheduler knows of work: something that can be run, perhaps in parts. */
#ifndef CDP_SCHED_TASK_H
#define CDP_SCHED_TASK_H

#include <stdint.h>

struct cdp_worker;

/* A unit of work or of news.  Owned by whoever embeds it.  It is in at most one
 * queue at a time; link is that queue's. */
struct cdp_task {
    struct cdp_task *link;
    /* Runs parts first to last - 1 of the task on the calling worker. */
    void (*run)(struct cdp_worker *worker, struct cdp_task *task, uint32_t first, uint32_t last);
};

/* What a deque holds, by value: a range of a task has exactly one holder, so there
 * are no stale offers and nothing to count. */
struct cdp_offer {
    struct cdp_task *task;
    uint32_t first, last;
};

#endif
