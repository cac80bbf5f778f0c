/* A list of ended waits. Programs have few of them between two waits of the host for everything. */
#include "races/wait.h"

#include <stdatomic.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "races/flag.h"
#include "races/history.h"
#include "races/release.h"

/* Life: from the wait's end to cdp_wait_clear. Const. */
struct wait {
    struct wait *next;
    uintptr_t stream;
    uint32_t number;               /* of the operation */
    struct cdp_release_view *view; /* owned: what it has acquired */
};

static struct {
    struct cdp_lock lock; /* guards the list */
    struct wait *first CDP_GUARDED_BY(&lock);
    _Atomic bool has_waits; /* set under the lock */
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_WAITS)};

static bool is_before(const struct wait *wait, const struct cdp_history_launch *launch)
{
    if (launch == NULL) {
        return cdp_history_host_waited_for(wait->stream, wait->number);
    }
    return wait->stream == launch->stream ? wait->number < launch->number
                                          : cdp_history_covers(launch, wait->stream, wait->number);
}

static bool has_waits(void)
{
    /* Relaxed: whoever comes after a wait knows of it by the order of the streams. */
    return CDP_UNLIKELY(atomic_load_explicit(&all.has_waits, memory_order_relaxed));
}

void cdp_wait_view(const struct cdp_history_launch *launch, struct cdp_release_view **view)
{
    if (!has_waits()) {
        return;
    }
    cdp_lock_acquire(&all.lock);
    for (const struct wait *wait = all.first; wait != NULL; wait = wait->next) {
        if (is_before(wait, launch)) {
            cdp_release_view_join(view, wait->view);
        }
    }
    cdp_lock_release(&all.lock);
}

bool cdp_wait_has(const struct cdp_history_launch *launch, const struct cdp_release_query *query)
{
    bool found = false;
    if (!has_waits()) {
        return false;
    }
    cdp_lock_acquire(&all.lock);
    for (const struct wait *wait = all.first; wait != NULL && !found; wait = wait->next) {
        found = is_before(wait, launch) && cdp_release_view_has(wait->view, query);
    }
    cdp_lock_release(&all.lock);
    return found;
}

void cdp_wait_wrote(const void *address, uint32_t operation)
{
    struct cdp_history_launch launch;
    if (!cdp_history_find_launch(operation, &launch)) {
        return;
    }
    struct cdp_operation_release release = {.host_segment = launch.host_segment};
    cdp_history_join_before(&release.clock, operation);
    cdp_clock_add(&release.clock, launch.stream, operation);
    cdp_history_view_of(&launch, &release.view);
    cdp_wait_view(&launch, &release.view);
    cdp_release_operation_wrote(address, &release);
}

void cdp_wait_ended(const void *address, uint32_t operation)
{
    struct cdp_history_launch launch;
    struct wait *wait =
        cdp_history_find_launch(operation, &launch) ? cdp_alloc(sizeof *wait) : NULL;
    if (wait == NULL) {
        cdp_history_forget();
        return;
    }
    *wait = (struct wait){.stream = launch.stream, .number = operation};
    cdp_flag_acquired(address);
    cdp_release_add(address, &wait->view);
    cdp_lock_acquire(&all.lock);
    wait->next = all.first;
    all.first = wait;
    atomic_store_explicit(&all.has_waits, true, memory_order_relaxed);
    cdp_lock_release(&all.lock);
}

void cdp_wait_clear(void)
{
    cdp_lock_acquire(&all.lock);
    while (all.first != NULL) {
        struct wait *wait = all.first;
        all.first = wait->next;
        cdp_release_view_drop(wait->view);
        cdp_free(wait);
    }
    atomic_store_explicit(&all.has_waits, false, memory_order_relaxed);
    cdp_lock_release(&all.lock);
}
