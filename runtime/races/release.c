/* Logs of releases, by address. */
#include "races/release.h"

#include <stdatomic.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/attr.h"
#include "base/lock.h"
#include "races/history.h"
#include "races/wait.h"

enum { MOST_LOGS = 1 << 16 };

/* Guards all logs. */
static struct cdp_lock lock = CDP_LOCK_INITIAL(CDP_RANK_RELEASES);

/* One release. Const once it is in a log. */
struct release {
    uint32_t run, thread; /* run 0: the host; then only fence and epoch count */
    uint32_t fence;       /* the thread's accesses up to this segment are released, */
    uint32_t block_fence; /* or up to this one, for threads of its block */
    uint32_t epoch;       /* those of the block below this segment, too, */
    uint32_t joined;      /* and everything under its launches up to this one */
    /* owned: what the releaser knew of the lanes of its warp, by warp operations; may be NULL */
    struct cdp_history_lanes *lanes;
    struct cdp_release_view *view; /* owned: what the releaser had acquired; may be NULL */
    /* a reference: operations of the host's streams that are before, or NULL */
    struct cdp_race_clock *clock;
};

/* The state of a log in one search, see has(). */
struct visit {
    uint64_t search;      /* the number of the search; else the rest is of an earlier one */
    uint32_t done, known; /* releases that were looked at; those that are to be */
    bool is_listed;
    struct log *next; /* in the list of logs with known > done */
};

/* The releases at one address. Life: from the first release until cdp_release_clear. */
struct log {
    _Atomic(const void *) address; /* NULL: unused */
    /* The rest is guarded by the lock. */
    struct release *releases; /* owned */
    uint32_t count, capacity;
    struct log *next_used;
    struct visit visit;
};

struct part {
    struct log *log;
    uint32_t count; /* its first releases */
};

/* Owned by one thread, one block or one release. */
struct cdp_release_view {
    uint32_t count, capacity;
    struct part *parts; /* owned */
};

/* An address that finds no free entry has no log: its releases order nothing. */
static struct log logs[MOST_LOGS];
static _Atomic bool has_logs;
static struct log *used CDP_GUARDED_BY(&lock); /* all logs with an address, by next_used */
static uint64_t searches CDP_GUARDED_BY(&lock);
/* What the host has acquired; owned. */
static struct cdp_release_view *of_host CDP_GUARDED_BY(&lock);

/* The log of the address, or the unused entry where it would be; NULL if the table is full. */
static struct log *find(const void *address)
{
    uint64_t hash = (uint64_t)(uintptr_t)address / 4 * UINT64_C(0x9E3779B97F4A7C15);
    for (uint32_t i = 0; i < MOST_LOGS; i++) {
        struct log *log = &logs[((hash >> 32) + i) % MOST_LOGS];
        const void *at = atomic_load_explicit(&log->address, memory_order_acquire);
        if (at == address || at == NULL) {
            return log;
        }
    }
    return NULL;
}

static bool grow(void **items, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity) {
        return true;
    }
    uint32_t more = *capacity == 0 ? 4 : *capacity * 2;
    void *made = cdp_realloc(*items, more * size);
    if (made == NULL) {
        return false;
    }
    *items = made;
    *capacity = more;
    return true;
}

static void add_part(struct cdp_release_view **view, struct part part)
{
    if (*view == NULL) {
        *view = cdp_alloc_zero(sizeof **view);
    }
    struct cdp_release_view *v = *view;
    for (uint32_t i = 0; v != NULL && i < v->count; i++) {
        if (v->parts[i].log == part.log) {
            v->parts[i].count = v->parts[i].count > part.count ? v->parts[i].count : part.count;
            return;
        }
    }
    if (v != NULL && grow((void **)&v->parts, v->count, &v->capacity, sizeof part)) {
        v->parts[v->count++] = part;
    }
}

void cdp_release_view_join(struct cdp_release_view **view, const struct cdp_release_view *other)
{
    for (uint32_t i = 0; other != NULL && i < other->count; i++) {
        add_part(view, other->parts[i]);
    }
}

void cdp_release_view_drop(struct cdp_release_view *view)
{
    if (view != NULL) {
        cdp_free(view->parts);
        cdp_free(view);
    }
}

static void drop(struct release *release)
{
    cdp_release_view_drop(release->view);
    cdp_clock_drop(release->clock);
    cdp_free(release->lanes);
}

/* log NULL: the table is full. */
static void append(struct log *log, const void *address, struct release release) CDP_NEEDS(&lock)
{
    if (log == NULL || !grow((void **)&log->releases, log->count, &log->capacity, sizeof release)) {
        drop(&release);
        cdp_history_forget();
        return;
    }
    log->releases[log->count++] = release;
    if (atomic_load_explicit(&log->address, memory_order_relaxed) == NULL) {
        log->next_used = used;
        used = log;
    }
    /* Release pairs with the acquire in find. */
    atomic_store_explicit(&log->address, address, memory_order_release);
    atomic_store(&has_logs, true);
}

/* A copy, or NULL. */
static struct cdp_history_lanes *copy_of(const struct cdp_history_lanes *lanes)
{
    struct cdp_history_lanes *copy = lanes != NULL ? cdp_alloc(sizeof *copy) : NULL;
    if (copy != NULL) {
        *copy = *lanes;
    }
    return copy;
}

/* What is before the grid of the host's stream under which the launch is. */
static void add_earlier_operations(uint32_t number, struct release *release)
{
    struct cdp_history_launch launch;
    bool found = cdp_history_find_launch(number, &launch);
    while (found && launch.parent != 0) {
        found = cdp_history_find_launch(launch.parent, &launch);
    }
    if (found) {
        cdp_history_join_before(&release->clock, launch.number);
        cdp_wait_view(&launch, &release->view);
    }
}

void cdp_release_write(const void *address, struct cdp_history_block *block, uint32_t thread)
{
    struct cdp_history_thread *self = block->threads != NULL ? &block->threads[thread] : NULL;
    if (self == NULL || self->block_fence == 0) {
        return;
    }
    struct release release = {
        .run = block->run,
        .thread = thread,
        .fence = self->fence,
        .block_fence = self->block_fence,
        .epoch = block->epoch,
        .joined = self->joined > block->joined ? self->joined : block->joined,
        .lanes = copy_of(self->lanes),
    };
    cdp_release_view_join(&release.view, self->acquired);
    cdp_release_view_join(&release.view, block->acquired);
    add_earlier_operations(block->launch, &release);
    cdp_lock_acquire(&lock);
    append(find(address), address, release);
    cdp_lock_release(&lock);
}

void cdp_release_host_wrote(const void *address, uint32_t segment)
{
    struct release release = {.fence = segment, .block_fence = segment, .epoch = segment + 1};
    cdp_lock_acquire(&lock);
    struct log *log = find(address);
    const struct release *latest =
        log != NULL && log->count != 0 ? &log->releases[log->count - 1] : NULL;
    if (latest == NULL || latest->run != 0 || latest->epoch < release.epoch) {
        cdp_release_view_join(&release.view, of_host);
        append(log, address, release);
    }
    cdp_lock_release(&lock);
}

void cdp_release_operation_wrote(const void *address, const struct cdp_operation_release *release)
{
    struct release made = {.fence = release->host_segment,
                           .block_fence = release->host_segment,
                           .epoch = release->host_segment + 1,
                           .clock = release->clock,
                           .view = release->view};
    cdp_lock_acquire(&lock);
    append(find(address), address, made);
    cdp_lock_release(&lock);
}

/* The log of the address; NULL if there is none. */
static struct log *find_used(const void *address)
{
    struct log *log = cdp_release_is_used() ? find(address) : NULL;
    return log != NULL && atomic_load(&log->address) != NULL ? log : NULL;
}

void cdp_release_host_read(const void *address)
{
    struct log *log = find_used(address);
    if (log != NULL) {
        cdp_lock_acquire(&lock);
        if (log->count != 0) {
            add_part(&of_host, (struct part){.log = log, .count = log->count});
        }
        cdp_lock_release(&lock);
    }
}

void cdp_release_add(const void *address, struct cdp_release_view **view)
{
    struct log *log = find_used(address);
    if (log != NULL) {
        cdp_lock_acquire(&lock);
        struct part part = {.log = log, .count = log->count};
        cdp_lock_release(&lock);
        add_part(view, part);
    }
}

void cdp_release_host_view(struct cdp_release_view **view)
{
    if (cdp_release_is_used()) {
        cdp_lock_acquire(&lock);
        cdp_release_view_join(view, of_host);
        cdp_lock_release(&lock);
    }
}

void cdp_release_read(const void *address, struct cdp_history_block *block, uint32_t thread)
{
    struct log *log = find_used(address);
    if (log == NULL) {
        return;
    }
    struct cdp_history_thread *self = cdp_history_thread(block, thread);
    cdp_lock_acquire(&lock);
    struct part part = {.log = log, .count = log->count};
    cdp_lock_release(&lock);
    if (self != NULL && part.count != 0) {
        add_part(&self->acquired, part);
    }
}

/* Whether the releaser knew of the access by operations of its warp. */
static bool is_of_warp(const struct release *release, const struct cdp_release_query *query)
{
    if (release->lanes == NULL || query->warp != release->thread / CDP_HISTORY_LANES) {
        return false;
    }
    for (uint32_t lane = 0; lane < CDP_HISTORY_LANES; lane++) {
        bool is_meant = query->thread != UINT32_MAX ? query->thread % CDP_HISTORY_LANES == lane
                                                    : (release->lanes->mask >> lane & 1) != 0;
        if (is_meant && release->lanes->until[lane] < query->segment) {
            return false;
        }
    }
    return true;
}

static bool is_released(const struct release *release, const struct cdp_release_query *query)
{
    if (query->stream != 0) {
        return cdp_clock_covers(release->clock, query->stream, query->number);
    }
    uint32_t fence = query->reader == release->run ? release->block_fence : release->fence;
    if (release->run != query->run || fence == 0) {
        return false;
    }
    if (query->launch != 0) {
        return query->launch <= release->joined;
    }
    bool is_before_fence =
        query->segment <= fence && (query->thread == release->thread || is_of_warp(release, query));
    return query->segment < release->epoch || is_before_fence;
}

/* Adds what a view knows to the search. */
static void visit(const struct cdp_release_view *view, struct log **list) CDP_NEEDS(&lock)
{
    for (uint32_t i = 0; view != NULL && i < view->count; i++) {
        const struct part *part = &view->parts[i];
        struct log *log = part->log;
        if (log->visit.search != searches) {
            log->visit = (struct visit){.search = searches};
        }
        uint32_t count = part->count < log->count ? part->count : log->count;
        log->visit.known = count > log->visit.known ? count : log->visit.known;
        if (!log->visit.is_listed && log->visit.known > log->visit.done) {
            log->visit.is_listed = true;
            log->visit.next = *list;
            *list = log;
        }
    }
}

/* A view has releases, the views of these have further ones, and so on. Each release is looked at
 * once. */
static bool has(const struct cdp_release_view *view, const struct cdp_release_query *query)
    CDP_NEEDS(&lock)
{
    struct log *list = NULL;
    searches++;
    visit(view, &list);
    while (list != NULL) {
        struct log *log = list;
        list = log->visit.next;
        log->visit.is_listed = false;
        while (log->visit.done < log->visit.known) {
            const struct release *release = &log->releases[log->visit.done++];
            if (is_released(release, query)) {
                return true;
            }
            visit(release->view, &list);
        }
    }
    return false;
}

bool cdp_release_view_has(const struct cdp_release_view *view,
                          const struct cdp_release_query *query)
{
    if (view == NULL) {
        return false;
    }
    cdp_lock_acquire(&lock);
    bool found = has(view, query);
    cdp_lock_release(&lock);
    return found;
}

bool cdp_release_host_has(const struct cdp_release_query *query)
{
    cdp_lock_acquire(&lock);
    bool found = has(of_host, query);
    cdp_lock_release(&lock);
    return found;
}

bool cdp_release_is_used(void)
{
    return atomic_load_explicit(&has_logs, memory_order_relaxed);
}

void cdp_release_clear(void)
{
    cdp_lock_acquire(&lock);
    for (struct log *log = used; log != NULL; log = log->next_used) {
        for (uint32_t i = 0; i < log->count; i++) {
            drop(&log->releases[i]);
        }
        log->count = 0;
        atomic_store_explicit(&log->address, NULL, memory_order_relaxed);
    }
    used = NULL;
    cdp_release_view_drop(of_host);
    of_host = NULL;
    atomic_store(&has_logs, false);
    cdp_lock_release(&lock);
}
