/* Logs of releases, by address. */
#include "races/release.h"

#include <stdatomic.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/attr.h"
#include "base/lock.h"
#include "races/history.h"

enum { MOST_LOGS = 4096, MOST_DEPTH = 8 };

/* Guards all logs. */
static struct cdp_lock lock = CDP_LOCK_INITIAL(CDP_RANK_RELEASES);

/* One release. Const once it is in a log. */
struct release {
    uint32_t run, thread;          /* run 0: the host; then only fence and epoch count */
    uint32_t fence;                /* the thread's accesses up to this segment are released, */
    uint32_t block_fence;          /* or up to this one, for threads of its block */
    uint32_t epoch;                /* those of the block below this segment, too, */
    uint32_t joined;               /* and everything under its launches up to this one */
    struct cdp_release_view *view; /* owned: what the releaser had acquired; may be NULL */
};

/* The releases at one address. Life: from the first release until the program ends. */
struct log {
    _Atomic(const void *) address;                  /* NULL: unused; set once */
    struct release *releases CDP_GUARDED_BY(&lock); /* owned */
    uint32_t count, capacity;
};

struct part {
    const struct log *log;
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

/* log NULL: the table is full. */
static void append(struct log *log, const void *address, struct release release) CDP_NEEDS(&lock)
{
    if (log != NULL && grow((void **)&log->releases, log->count, &log->capacity, sizeof release)) {
        log->releases[log->count++] = release;
        /* Release pairs with the acquire in find. */
        atomic_store_explicit(&log->address, address, memory_order_release);
        atomic_store(&has_logs, true);
    } else {
        cdp_release_view_drop(release.view);
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
    };
    cdp_release_view_join(&release.view, self->acquired);
    cdp_release_view_join(&release.view, block->acquired);
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

static bool is_released(const struct release *release, const struct cdp_release_query *query)
{
    uint32_t fence = query->reader == release->run ? release->block_fence : release->fence;
    if (release->run != query->run || fence == 0) {
        return false;
    }
    return query->launch != 0 ? query->launch <= release->joined
                              : query->segment < release->epoch ||
                                    (query->thread == release->thread && query->segment <= fence);
}

static bool has(const struct cdp_release_view *view, const struct cdp_release_query *query,
                int depth) CDP_NEEDS(&lock)
{
    for (uint32_t i = 0; view != NULL && depth > 0 && i < view->count; i++) {
        const struct part *part = &view->parts[i];
        for (uint32_t j = 0; j < part->count && j < part->log->count; j++) {
            const struct release *release = &part->log->releases[j];
            /* A part of the same log is a prefix of this one. */
            bool is_nested = release->view != NULL && !(release->view->count == 1 &&
                                                        release->view->parts[0].log == part->log);
            if (is_released(release, query) ||
                (is_nested && has(release->view, query, depth - 1))) {
                return true;
            }
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
    bool found = has(view, query, MOST_DEPTH);
    cdp_lock_release(&lock);
    return found;
}

bool cdp_release_host_has(const struct cdp_release_query *query)
{
    cdp_lock_acquire(&lock);
    bool found = has(of_host, query, MOST_DEPTH);
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
    for (uint32_t i = 0; i < MOST_LOGS && atomic_load(&has_logs); i++) {
        for (uint32_t j = 0; j < logs[i].count; j++) {
            cdp_release_view_drop(logs[i].releases[j].view);
        }
        logs[i].count = 0;
    }
    cdp_release_view_drop(of_host);
    of_host = NULL;
    atomic_store(&has_logs, false);
    cdp_lock_release(&lock);
}
