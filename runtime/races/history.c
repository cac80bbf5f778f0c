/* Segments, launches, and the events of blocks. */
#include "races/history.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "fiber/sanitizer.h"
#include "os/os.h"
#include "races/release.h"

/* Life: from cdp_history_start to cdp_history_stop. The rings are written by whoever takes the
 * number; a reader compares the number before and after it copies a record. */
static struct {
    struct cdp_history_segment *segments;       /* owned; CDP_HISTORY_SEGMENTS */
    struct cdp_history_launch *launches;        /* owned; CDP_HISTORY_LAUNCHES */
    _Atomic uint64_t next_segment, next_launch; /* see number_of */
    _Atomic uint32_t next_run;
    _Atomic uint32_t horizon;
    _Atomic uint64_t horizon_launch; /* next_launch when the horizon was set */
    _Atomic uint64_t forgotten;
    _Atomic uint32_t host_segment; /* 0: the next access begins one */
    /* Also guards the clock and the view of all launches. */
    struct cdp_lock lock;
    struct cdp_race_clock *host CDP_GUARDED_BY(&lock); /* the work that the host has waited for */
} history = {.lock = CDP_LOCK_INITIAL(CDP_RANK_RACES)};

bool cdp_history_start(void)
{
    size_t segments = CDP_HISTORY_SEGMENTS * sizeof *history.segments;
    size_t launches = CDP_HISTORY_LAUNCHES * sizeof *history.launches;
    history.segments = cdp_os_map(segments);
    history.launches = cdp_os_map(launches);
    if (history.segments == NULL || history.launches == NULL) {
        cdp_history_stop();
        return false;
    }
    cdp_sanitizer_root(history.launches, launches);
    atomic_store(&history.next_segment, 1);
    atomic_store(&history.next_launch, 1);
    atomic_store(&history.horizon_launch, 1);
    atomic_store(&history.next_run, 1);
    atomic_store(&history.horizon, 1);
    atomic_store(&history.host_segment, 0);
    return true;
}

static void drop_view(struct cdp_history_view *view)
{
    if (view != NULL) {
        cdp_release_view_drop(view->acquired);
        cdp_free(view);
    }
}

static void drop_launch(struct cdp_history_launch *launch) CDP_NEEDS(&history.lock)
{
    cdp_clock_drop(launch->clock);
    drop_view(launch->view);
    launch->clock = NULL;
    launch->view = NULL;
}

void cdp_history_stop(void)
{
    if (history.segments != NULL) {
        cdp_os_unmap(history.segments, CDP_HISTORY_SEGMENTS * sizeof *history.segments);
    }
    cdp_lock_acquire(&history.lock);
    if (history.launches != NULL) {
        uint64_t count = atomic_load(&history.next_launch);
        for (uint32_t i = 0; i < CDP_HISTORY_LAUNCHES && i < count; i++) {
            drop_launch(&history.launches[i]);
        }
        cdp_os_unmap(history.launches, CDP_HISTORY_LAUNCHES * sizeof *history.launches);
    }
    cdp_clock_drop(history.host);
    history.host = NULL;
    cdp_lock_release(&history.lock);
    history.segments = NULL;
    history.launches = NULL;
}

/* ---- Segments ---- */

static bool forget(void)
{
    atomic_fetch_add_explicit(&history.forgotten, 1, memory_order_relaxed);
    return false;
}

void cdp_history_forget(void)
{
    (void)forget();
}

/* A count as a number of 32 bits. When the numbers are used up, which takes hours without a wait of
 * the host for everything, all get the last one. So nothing more is found, which is counted. */
static uint32_t number_of(uint64_t count)
{
    if (CDP_UNLIKELY(count > UINT32_MAX)) {
        (void)forget();
        return UINT32_MAX;
    }
    return (uint32_t)count;
}

/* The number that the next segment will have. */
static uint32_t next_segment(void)
{
    return number_of(atomic_load_explicit(&history.next_segment, memory_order_relaxed));
}

static uint32_t begin_segment(uint32_t launch, uint32_t run, uint32_t block)
{
    uint32_t number =
        number_of(atomic_fetch_add_explicit(&history.next_segment, 1, memory_order_relaxed));
    struct cdp_history_segment *segment = &history.segments[number % CDP_HISTORY_SEGMENTS];
    /* Release pairs with the acquire in cdp_history_find_segment: a reader that sees the number
     * sees the rest. */
    __atomic_store_n(&segment->number, 0, __ATOMIC_RELEASE);
    segment->launch = launch;
    segment->run = run;
    segment->block = block;
    __atomic_store_n(&segment->number, number, __ATOMIC_RELEASE);
    return number;
}

uint32_t cdp_history_begin_segment(struct cdp_history_block *block)
{
    block->current = begin_segment(block->launch, block->run, block->block);
    return block->current;
}

uint32_t cdp_history_host_segment(void)
{
    uint32_t number = atomic_load(&history.host_segment);
    if (number != 0) {
        return number;
    }
    uint32_t made = begin_segment(0, 0, 0), expected = 0;
    return atomic_compare_exchange_strong(&history.host_segment, &expected, made) ? made : expected;
}

bool cdp_history_find_segment(uint32_t number, struct cdp_history_segment *out)
{
    const struct cdp_history_segment *segment = &history.segments[number % CDP_HISTORY_SEGMENTS];
    if (__atomic_load_n(&segment->number, __ATOMIC_ACQUIRE) != number) {
        return forget();
    }
    *out = *segment;
    return __atomic_load_n(&segment->number, __ATOMIC_ACQUIRE) == number || forget();
}

bool cdp_history_set_horizon(void)
{
    const uint64_t half = UINT64_C(1) << 31;
    bool restarts = atomic_load(&history.next_segment) > half;
    if (restarts) {
        atomic_store(&history.next_segment, 1);
    }
    atomic_store(&history.host_segment, 0);
    atomic_store(&history.horizon, next_segment());
    atomic_store(&history.horizon_launch, atomic_load(&history.next_launch));
    return restarts;
}

bool cdp_history_is_quiet(void)
{
    return atomic_load_explicit(&history.next_launch, memory_order_relaxed) ==
           atomic_load_explicit(&history.horizon_launch, memory_order_relaxed);
}

uint32_t cdp_history_horizon(void)
{
    return atomic_load_explicit(&history.horizon, memory_order_relaxed);
}

uint64_t cdp_history_forgotten(void)
{
    return atomic_load(&history.forgotten);
}

/* ---- Blocks ---- */

struct cdp_history_block *cdp_history_begin(uint32_t launch, uint32_t block, uint32_t threads)
{
    struct cdp_history_block *made = cdp_alloc_zero(sizeof *made);
    if (made != NULL) {
        made->launch = launch;
        made->run = atomic_fetch_add_explicit(&history.next_run, 1, memory_order_relaxed);
        made->block = block;
        made->thread_count = threads;
        made->first = made->shared = made->epoch = next_segment();
        made->horizon = cdp_history_horizon();
    }
    return made;
}

void cdp_history_end(struct cdp_history_block *block)
{
    for (uint32_t i = 0; block->threads != NULL && i < block->thread_count; i++) {
        cdp_free(block->threads[i].lanes);
        cdp_release_view_drop(block->threads[i].acquired);
    }
    cdp_free(block->threads);
    cdp_free(block->stores);
    cdp_free(block->loops);
    cdp_release_view_drop(block->acquired);
    cdp_clock_drop(block->null_stream.clock);
    cdp_free(block);
}

struct cdp_history_thread *cdp_history_thread(struct cdp_history_block *block, uint32_t thread)
{
    if (block->threads == NULL) {
        block->threads = cdp_alloc_zero(block->thread_count * sizeof *block->threads);
    }
    return block->threads != NULL ? &block->threads[thread] : NULL;
}

/* What single threads have acquired is known to all. */
static void share_acquired(struct cdp_history_block *block)
{
    for (uint32_t i = 0; block->threads != NULL && i < block->thread_count; i++) {
        struct cdp_history_thread *thread = &block->threads[i];
        if (thread->acquired != NULL) {
            cdp_release_view_join(&block->acquired, thread->acquired);
            cdp_release_view_drop(thread->acquired);
            thread->acquired = NULL;
        }
    }
}

void cdp_history_barrier(struct cdp_history_block *block)
{
    share_acquired(block);
    block->epoch = next_segment();
    block->current = 0;
    block->joined = block->arriving;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* What the lanes that meet know together. */
struct meeting {
    struct cdp_history_lanes lanes;
    uint32_t joined;
};

static void collect(struct cdp_history_block *block, uint32_t first, uint32_t mask,
                    struct meeting *out)
{
    *out = (struct meeting){.lanes = {.mask = mask}};
    for (uint32_t lane = 0; lane < CDP_HISTORY_LANES; lane++) {
        if ((mask >> lane & 1) == 0) {
            continue;
        }
        const struct cdp_history_thread *thread = &block->threads[first + lane];
        for (uint32_t i = 0; thread->lanes != NULL && i < CDP_HISTORY_LANES; i++) {
            out->lanes.until[i] = greater(out->lanes.until[i], thread->lanes->until[i]);
        }
        out->joined = greater(out->joined, thread->joined);
    }
}

void cdp_history_warp(struct cdp_history_block *block, uint32_t first, uint32_t mask)
{
    struct meeting meeting;
    if (cdp_history_thread(block, first) == NULL) {
        return;
    }
    /* Accesses that follow have a later segment, so that the number tells the two apart. */
    uint32_t now = block->current != 0 ? block->current : next_segment() - 1;
    block->current = 0;
    collect(block, first, mask, &meeting);
    for (uint32_t lane = 0; lane < CDP_HISTORY_LANES; lane++) {
        if ((mask >> lane & 1) != 0) {
            meeting.lanes.until[lane] = now;
        }
    }
    for (uint32_t lane = 0; lane < CDP_HISTORY_LANES; lane++) {
        if ((mask >> lane & 1) == 0) {
            continue;
        }
        struct cdp_history_thread *thread = &block->threads[first + lane];
        thread->lanes = thread->lanes != NULL ? thread->lanes : cdp_alloc(sizeof *thread->lanes);
        if (thread->lanes != NULL) {
            *thread->lanes = meeting.lanes;
        }
        thread->joined = meeting.joined;
    }
}

void cdp_history_joined(struct cdp_history_block *block, uint32_t number, uint32_t launch)
{
    struct cdp_history_thread *thread = cdp_history_thread(block, number);
    if (thread != NULL) {
        thread->joined = greater(thread->joined, launch);
        block->arriving = greater(block->arriving, launch);
    }
}

void cdp_history_fence(struct cdp_history_block *block, uint32_t number, bool is_of_block)
{
    struct cdp_history_thread *thread = cdp_history_thread(block, number);
    if (thread != NULL) {
        thread->block_fence = cdp_history_segment(block);
        thread->fence = is_of_block ? thread->fence : thread->block_fence;
        block->current = 0;
    }
}

/* ---- Launches ---- */

static uint32_t store_launch(struct cdp_history_launch *launch)
{
    uint32_t number =
        number_of(atomic_fetch_add_explicit(&history.next_launch, 1, memory_order_relaxed));
    struct cdp_history_launch *slot = &history.launches[number % CDP_HISTORY_LAUNCHES];
    __atomic_store_n(&slot->number, 0, __ATOMIC_RELEASE); /* as in begin_segment */
    if (CDP_UNLIKELY(slot->clock != NULL || slot->view != NULL)) {
        cdp_lock_acquire(&history.lock);
        drop_launch(slot);
        cdp_lock_release(&history.lock);
    }
    launch->number = 0;
    *slot = *launch;
    launch->number = number;
    __atomic_store_n(&slot->number, number, __ATOMIC_RELEASE);
    return number;
}

bool cdp_history_find_launch(uint32_t number, struct cdp_history_launch *out)
{
    const struct cdp_history_launch *launch = &history.launches[number % CDP_HISTORY_LAUNCHES];
    if (__atomic_load_n(&launch->number, __ATOMIC_ACQUIRE) != number) {
        return forget();
    }
    *out = *launch;
    out->number = number;
    return __atomic_load_n(&launch->number, __ATOMIC_ACQUIRE) == number || forget();
}

/* Whether the lanes tell more than the block's latest barrier. */
static bool are_newer(const struct cdp_history_lanes *lanes, uint32_t epoch)
{
    bool newer = false;
    for (uint32_t i = 0; lanes != NULL && i < CDP_HISTORY_LANES; i++) {
        newer |= lanes->until[i] >= epoch;
    }
    return newer;
}

/* What the launching thread knows beyond its block's latest barrier; NULL if that is nothing. */
static struct cdp_history_view *view_of(const struct cdp_history_block *block, uint32_t number)
{
    static const struct cdp_history_thread nothing;
    const struct cdp_history_thread *thread =
        block->threads != NULL ? &block->threads[number] : &nothing;
    bool has_lanes = are_newer(thread->lanes, block->epoch);
    if (!has_lanes && thread->acquired == NULL && block->acquired == NULL) {
        return NULL;
    }
    struct cdp_history_view *view = cdp_alloc_zero(sizeof *view);
    if (view != NULL) {
        if (has_lanes) {
            view->lanes = *thread->lanes;
        }
        cdp_release_view_join(&view->acquired, block->acquired);
        cdp_release_view_join(&view->acquired, thread->acquired);
    }
    return view;
}

uint32_t cdp_history_launch(struct cdp_history_block *block, struct cdp_history_launch *launch)
{
    uint32_t joined = block->threads != NULL ? block->threads[launch->thread].joined : 0;
    launch->parent = block->launch;
    launch->run = block->run;
    launch->block = block->block;
    launch->segment = block->current != 0 ? block->current : next_segment() - 1;
    launch->epoch = block->epoch;
    launch->joined = greater(block->joined, joined);
    launch->view = view_of(block, launch->thread);
    block->current = 0;
    uint32_t number = store_launch(launch);
    if (launch->kind != CDP_LAUNCH_TAIL) {
        block->latest = number;
    }
    return number;
}

/* What the host has acquired by flags; NULL if that is nothing. */
static struct cdp_history_view *view_of_host(void)
{
    struct cdp_release_view *acquired = NULL;
    cdp_release_host_view(&acquired);
    struct cdp_history_view *view = acquired != NULL ? cdp_alloc_zero(sizeof *view) : NULL;
    if (view == NULL) {
        cdp_release_view_drop(acquired);
        return NULL;
    }
    view->acquired = acquired;
    return view;
}

static bool is_still(const struct cdp_history_launch *launch) CDP_NEEDS(&history.lock)
{
    const struct cdp_history_launch *slot =
        &history.launches[launch->number % CDP_HISTORY_LAUNCHES];
    return __atomic_load_n(&slot->number, __ATOMIC_ACQUIRE) == launch->number || forget();
}

/* A copy of the view; NULL if it is NULL, or without memory. */
static struct cdp_history_view *copy_of(const struct cdp_history_view *view)
{
    struct cdp_history_view *copy = view != NULL ? cdp_alloc_zero(sizeof *copy) : NULL;
    if (copy != NULL) {
        cdp_release_view_join(&copy->acquired, view->acquired);
    }
    return copy;
}

static uint32_t launch_part(struct cdp_history_launch *launch)
{
    struct cdp_history_launch whole;
    if (cdp_history_find_launch(launch->whole, &whole)) {
        launch->host_segment = whole.host_segment;
        cdp_lock_acquire(&history.lock);
        launch->view = is_still(&whole) ? copy_of(whole.view) : NULL;
        cdp_lock_release(&history.lock);
    }
    return store_launch(launch);
}

void cdp_history_join_before(struct cdp_race_clock **clock, uint32_t number)
{
    struct cdp_history_launch launch;
    if (!cdp_history_find_launch(number, &launch)) {
        return;
    }
    cdp_lock_acquire(&history.lock);
    if (is_still(&launch)) {
        cdp_clock_join(clock, launch.clock);
    }
    cdp_lock_release(&history.lock);
    cdp_clock_add(clock, launch.stream, number - 1);
}

void cdp_history_join_launcher(struct cdp_race_clock **clock, uint32_t number)
{
    struct cdp_history_launch launch;
    bool found = cdp_history_find_launch(number, &launch);
    while (found && launch.parent != 0) {
        found = cdp_history_find_launch(launch.parent, &launch);
    }
    if (found) {
        cdp_history_join_before(clock, launch.number);
        cdp_clock_add(clock, launch.stream, launch.number);
    }
}

uint32_t cdp_history_host_launch(struct cdp_history_launch *launch)
{
    launch->kind = CDP_LAUNCH_HOST;
    if (launch->whole != 0) {
        return launch_part(launch);
    }
    launch->view = view_of_host();
    launch->host_segment = next_segment() - 1;
    atomic_store(&history.host_segment, 0);
    cdp_lock_acquire(&history.lock);
    cdp_clock_join(&launch->clock, history.host);
    cdp_lock_release(&history.lock);
    return store_launch(launch);
}

void cdp_history_host_joined(const struct cdp_race_clock *clock, uintptr_t stream, uint32_t number)
{
    cdp_lock_acquire(&history.lock);
    cdp_clock_join(&history.host, clock);
    if (number != 0) {
        cdp_clock_add(&history.host, stream, number);
    }
    cdp_lock_release(&history.lock);
    atomic_store(&history.host_segment, 0);
}

bool cdp_history_host_waited_for(uintptr_t stream, uint32_t number)
{
    cdp_lock_acquire(&history.lock);
    bool waited = cdp_clock_covers(history.host, stream, number);
    cdp_lock_release(&history.lock);
    return waited;
}

/* ---- What launches own: read under the lock, as long as the ring has not overwritten them ---- */

void cdp_history_host_called(uint32_t number)
{
    struct cdp_history_launch launch;
    if (!cdp_history_find_launch(number, &launch)) {
        return;
    }
    cdp_lock_acquire(&history.lock);
    if (is_still(&launch)) {
        cdp_clock_join(&history.host, launch.clock);
        cdp_clock_add(&history.host, launch.stream, number);
    }
    cdp_lock_release(&history.lock);
    atomic_store(&history.host_segment, 0);
}

bool cdp_history_covers(const struct cdp_history_launch *launch, uintptr_t stream, uint32_t number)
{
    if (launch->clock == NULL) {
        return false;
    }
    cdp_lock_acquire(&history.lock);
    bool covers = is_still(launch) && cdp_clock_covers(launch->clock, stream, number);
    cdp_lock_release(&history.lock);
    return covers;
}

bool cdp_history_lanes_of(const struct cdp_history_launch *launch, struct cdp_history_lanes *out)
{
    if (launch->view == NULL) {
        return false;
    }
    cdp_lock_acquire(&history.lock);
    bool has = is_still(launch);
    if (has) {
        *out = launch->view->lanes;
    }
    cdp_lock_release(&history.lock);
    return has;
}

void cdp_history_view_of(const struct cdp_history_launch *launch, struct cdp_release_view **view)
{
    if (launch->view == NULL) {
        return;
    }
    cdp_lock_acquire(&history.lock);
    if (is_still(launch)) {
        cdp_release_view_join(view, launch->view->acquired);
    }
    cdp_lock_release(&history.lock);
}

bool cdp_history_has_acquired(const struct cdp_history_launch *launch,
                              const struct cdp_release_query *query)
{
    if (launch->view == NULL) {
        return false;
    }
    cdp_lock_acquire(&history.lock);
    bool has = is_still(launch) && cdp_release_view_has(launch->view->acquired, query);
    cdp_lock_release(&history.lock);
    return has;
}
