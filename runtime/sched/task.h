/* Units of work for the scheduler: tasks, which may have parts. */
#ifndef CDP_SCHED_TASK_H
#define CDP_SCHED_TASK_H

#include <stdint.h>

struct cdp_worker;

/* A unit of work or a message. Owned by the struct that embeds it. It is in at most one queue at a
 * time; link belongs to that queue. */
struct cdp_task {
    struct cdp_task *link;
    /* Runs parts first to last - 1 of the task on the calling worker; last == 0: all. */
    void (*run)(struct cdp_worker *worker, struct cdp_task *task, uint32_t first, uint32_t last);
};

/* An element of a deque, by value. A range of a task has exactly one owner, so there are no stale
 * offers and no counts.
 * If first < last, the offer is parts first to last - 1. If both are 0, it is the whole task. Then
 * only the task's run function has the number of parts. */
struct cdp_offer {
    struct cdp_task *task;
    uint32_t first, last;
};

static inline struct cdp_offer cdp_offer_whole(struct cdp_task *task)
{
    return (struct cdp_offer){.task = task};
}

static inline void cdp_offer_run(struct cdp_worker *worker, struct cdp_offer offer)
{
    offer.task->run(worker, offer.task, offer.first, offer.last);
}

#endif
