/* Segments, launches and the order of accesses. See order.h. */
#include "races/order.h"

#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "races/release.h"
#include "os/os.h"

/* Life: from cdp_order_start to cdp_order_stop. The rings are written by whoever takes the number;
 * a reader compares the number before and after it copies a record. */
static struct {
    struct cdp_order_segment *segments; /* owned; CDP_ORDER_SEGMENTS */
    struct cdp_order_launch *launches;  /* owned; CDP_ORDER_LAUNCHES */
    _Atomic uint32_t next_segment, next_launch, next_run;
    _Atomic uint32_t horizon;
    _Atomic uint64_t forgotten;
    _Atomic uint32_t host_segment; /* 0: the next access begins one */
    struct cdp_lock lock;
    struct cdp_race_clock *host CDP_GUARDED_BY(&lock); /* the work that the host has waited for */
} order = {.lock = CDP_LOCK_INITIAL(CDP_RANK_RACES)};

bool cdp_order_start(void)
{
    size_t segments = CDP_ORDER_SEGMENTS * sizeof *order.segments;
    size_t launches = CDP_ORDER_LAUNCHES * sizeof *order.launches;
    order.segments = cdp_os_map(segments);
    order.launches = cdp_os_map(launches);
    if (order.segments == NULL || order.launches == NULL) {
        cdp_order_stop();
        return false;
    }
    atomic_store(&order.next_segment, 1);
    atomic_store(&order.next_launch, 1);
    atomic_store(&order.next_run, 1);
    atomic_store(&order.horizon, 1);
    atomic_store(&order.host_segment, 0);
    return true;
}

static void drop_launch(struct cdp_order_launch *launch)
{
    cdp_clock_drop(launch->clock);
    cdp_free(launch->lanes);
    launch->clock = NULL;
    launch->lanes = NULL;
}

void cdp_order_stop(void)
{
    if (order.segments != NULL) {
        cdp_os_unmap(order.segments, CDP_ORDER_SEGMENTS * sizeof *order.segments);
    }
    if (order.launches != NULL) {
        uint32_t count = atomic_load(&order.next_launch);
        for (uint32_t i = 0; i < CDP_ORDER_LAUNCHES && i < count; i++) {
            drop_launch(&order.launches[i]);
        }
        cdp_os_unmap(order.launches, CDP_ORDER_LAUNCHES * sizeof *order.launches);
    }
    cdp_lock_acquire(&order.lock);
    cdp_clock_drop(order.host);
    order.host = NULL;
    cdp_lock_release(&order.lock);
    order.segments = NULL;
    order.launches = NULL;
}

/* ---- Segments ---- */

/* The number that the next segment will have. */
static uint32_t next_segment(void)
{
    return atomic_load_explicit(&order.next_segment, memory_order_relaxed);
}

static uint32_t begin_segment(uint32_t launch, uint32_t run, uint32_t block)
{
    uint32_t number = atomic_fetch_add_explicit(&order.next_segment, 1, memory_order_relaxed);
    struct cdp_order_segment *segment = &order.segments[number % CDP_ORDER_SEGMENTS];
    /* Release pairs with the acquire in cdp_order_find_segment: a reader that sees the number sees
     * the rest. */
    __atomic_store_n(&segment->number, 0, __ATOMIC_RELEASE);
    segment->launch = launch;
    segment->run = run;
    segment->block = block;
    __atomic_store_n(&segment->number, number, __ATOMIC_RELEASE);
    return number;
}

uint32_t cdp_order_segment(struct cdp_order_block *block)
{
    if (CDP_UNLIKELY(block->current == 0)) {
        block->current = begin_segment(block->launch, block->run, block->block);
    }
    return block->current;
}

uint32_t cdp_order_host_segment(void)
{
    uint32_t number = atomic_load(&order.host_segment);
    if (number != 0) {
        return number;
    }
    uint32_t made = begin_segment(0, 0, 0), expected = 0;
    return atomic_compare_exchange_strong(&order.host_segment, &expected, made) ? made : expected;
}

static bool forget(void)
{
    atomic_fetch_add_explicit(&order.forgotten, 1, memory_order_relaxed);
    return false;
}

bool cdp_order_find_segment(uint32_t number, struct cdp_order_segment *out)
{
    const struct cdp_order_segment *segment = &order.segments[number % CDP_ORDER_SEGMENTS];
    if (__atomic_load_n(&segment->number, __ATOMIC_ACQUIRE) != number) {
        return forget();
    }
    *out = *segment;
    return __atomic_load_n(&segment->number, __ATOMIC_ACQUIRE) == number || forget();
}

void cdp_order_set_horizon(void)
{
    atomic_store(&order.host_segment, 0);
    atomic_store(&order.horizon, atomic_load(&order.next_segment));
}

uint32_t cdp_order_horizon(void)
{
    return atomic_load_explicit(&order.horizon, memory_order_relaxed);
}

uint64_t cdp_order_forgotten(void)
{
    return atomic_load(&order.forgotten);
}

/* ---- Blocks ---- */

struct cdp_order_block *cdp_order_begin(uint32_t launch, uint32_t block, uint32_t threads)
{
    struct cdp_order_block *made = cdp_alloc_zero(sizeof *made);
    if (made != NULL) {
        made->launch = launch;
        made->run = atomic_fetch_add_explicit(&order.next_run, 1, memory_order_relaxed);
        made->block = block;
        made->thread_count = threads;
        made->first = made->epoch = next_segment();
    }
    return made;
}

void cdp_order_end(struct cdp_order_block *block)
{
    for (uint32_t i = 0; block->threads != NULL && i < block->thread_count; i++) {
        cdp_free(block->threads[i].lanes);
        cdp_release_view_drop(block->threads[i].acquired);
    }
    cdp_free(block->threads);
    cdp_release_view_drop(block->acquired);
    cdp_clock_drop(block->null_clock);
    cdp_free(block);
}

struct cdp_order_thread *cdp_order_thread(struct cdp_order_block *block, uint32_t thread)
{
    if (block->threads == NULL) {
        block->threads = cdp_alloc_zero(block->thread_count * sizeof *block->threads);
    }
    return block->threads != NULL ? &block->threads[thread] : NULL;
}

/* What single threads have acquired is known to all. */
static void share_acquired(struct cdp_order_block *block)
{
    for (uint32_t i = 0; block->threads != NULL && i < block->thread_count; i++) {
        struct cdp_order_thread *thread = &block->threads[i];
        if (thread->acquired != NULL) {
            cdp_release_view_join(&block->acquired, thread->acquired);
            cdp_release_view_drop(thread->acquired);
            thread->acquired = NULL;
        }
    }
}

void cdp_order_barrier(struct cdp_order_block *block)
{
    share_acquired(block);
    block->epoch = next_segment();
    block->current = 0;
    block->joined = block->arriving;
}

static uint32_t *lanes_of(struct cdp_order_thread *thread)
{
    if (thread->lanes == NULL) {
        thread->lanes = cdp_alloc_zero(CDP_ORDER_LANES * sizeof *thread->lanes);
    }
    return thread->lanes;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The joined record of the lanes that meet: what each of them knows. */
struct meeting {
    uint32_t lanes[CDP_ORDER_LANES];
    uint32_t joined;
};

static void collect(struct cdp_order_block *block, uint32_t first, uint32_t mask,
                    struct meeting *out)
{
    *out = (struct meeting){.joined = 0};
    for (uint32_t lane = 0; lane < CDP_ORDER_LANES; lane++) {
        if ((mask >> lane & 1) == 0) {
            continue;
        }
        const struct cdp_order_thread *thread = &block->threads[first + lane];
        for (uint32_t i = 0; thread->lanes != NULL && i < CDP_ORDER_LANES; i++) {
            out->lanes[i] = greater(out->lanes[i], thread->lanes[i]);
        }
        out->joined = greater(out->joined, thread->joined);
    }
}

void cdp_order_warp(struct cdp_order_block *block, uint32_t first, uint32_t mask)
{
    struct meeting meeting;
    if (cdp_order_thread(block, first) == NULL) {
        return;
    }
    /* Accesses that follow have a later segment, so that the number tells the two apart. */
    uint32_t now = block->current != 0 ? block->current : next_segment() - 1;
    block->current = 0;
    collect(block, first, mask, &meeting);
    for (uint32_t lane = 0; lane < CDP_ORDER_LANES && first + lane < block->thread_count; lane++) {
        struct cdp_order_thread *thread = &block->threads[first + lane];
        if ((mask >> lane & 1) == 0 || lanes_of(thread) == NULL) {
            continue;
        }
        for (uint32_t i = 0; i < CDP_ORDER_LANES; i++) {
            thread->lanes[i] =
                (mask >> i & 1) != 0 ? now : greater(thread->lanes[i], meeting.lanes[i]);
        }
        thread->joined = greater(thread->joined, meeting.joined);
        thread->mask = mask;
    }
}

void cdp_order_joined(struct cdp_order_block *block, uint32_t number, uint32_t launch)
{
    struct cdp_order_thread *thread = cdp_order_thread(block, number);
    if (thread != NULL) {
        thread->joined = greater(thread->joined, launch);
        block->arriving = greater(block->arriving, launch);
    }
}

void cdp_order_fence(struct cdp_order_block *block, uint32_t number)
{
    struct cdp_order_thread *thread = cdp_order_thread(block, number);
    if (thread != NULL) {
        thread->fence = cdp_order_segment(block);
        block->current = 0;
    }
}

/* ---- Launches ---- */

static uint32_t store_launch(struct cdp_order_launch *launch)
{
    launch->number = atomic_fetch_add_explicit(&order.next_launch, 1, memory_order_relaxed);
    struct cdp_order_launch *slot = &order.launches[launch->number % CDP_ORDER_LAUNCHES];
    __atomic_store_n(&slot->number, 0, __ATOMIC_RELEASE); /* as in begin_segment */
    drop_launch(slot);
    uint32_t number = launch->number;
    launch->number = 0;
    *slot = *launch;
    __atomic_store_n(&slot->number, number, __ATOMIC_RELEASE);
    return number;
}

bool cdp_order_find_launch(uint32_t number, struct cdp_order_launch *out)
{
    const struct cdp_order_launch *launch = &order.launches[number % CDP_ORDER_LAUNCHES];
    if (__atomic_load_n(&launch->number, __ATOMIC_ACQUIRE) != number) {
        return forget();
    }
    *out = *launch;
    out->number = number;
    return __atomic_load_n(&launch->number, __ATOMIC_ACQUIRE) == number || forget();
}

/* A copy of what the launching lane knows of its warp, if that is newer than the last barrier. */
static uint32_t *copy_lanes(const struct cdp_order_block *block, uint32_t thread)
{
    const uint32_t *lanes = block->threads != NULL ? block->threads[thread].lanes : NULL;
    bool matters = false;
    for (uint32_t i = 0; lanes != NULL && i < CDP_ORDER_LANES; i++) {
        matters |= lanes[i] >= block->epoch;
    }
    uint32_t *copy = matters ? cdp_alloc(CDP_ORDER_LANES * sizeof *copy) : NULL;
    if (copy != NULL) {
        memcpy(copy, lanes, CDP_ORDER_LANES * sizeof *copy);
    }
    return copy;
}

uint32_t cdp_order_launch(struct cdp_order_block *block, struct cdp_order_launch *launch)
{
    uint32_t joined = block->threads != NULL ? block->threads[launch->thread].joined : 0;
    launch->parent = block->launch;
    launch->run = block->run;
    launch->block = block->block;
    launch->segment = block->current != 0 ? block->current : next_segment() - 1;
    launch->epoch = block->epoch;
    launch->joined = greater(block->joined, joined);
    launch->lanes = copy_lanes(block, launch->thread);
    block->current = 0;
    uint32_t number = store_launch(launch);
    if (launch->kind != CDP_LAUNCH_TAIL) {
        block->latest = number;
    }
    return number;
}

uint32_t cdp_order_host_launch(struct cdp_order_launch *launch)
{
    launch->kind = CDP_LAUNCH_HOST;
    launch->host_segment = next_segment() - 1;
    atomic_store(&order.host_segment, 0);
    cdp_lock_acquire(&order.lock);
    cdp_clock_join(&launch->clock, order.host);
    cdp_lock_release(&order.lock);
    return store_launch(launch);
}

void cdp_order_host_joined(const struct cdp_race_clock *clock, uintptr_t stream, uint32_t number)
{
    cdp_lock_acquire(&order.lock);
    cdp_clock_join(&order.host, clock);
    if (number != 0) {
        cdp_clock_add(&order.host, stream, number);
    }
    cdp_lock_release(&order.lock);
    atomic_store(&order.host_segment, 0);
}

/* ---- The order of two accesses ---- */

/* One side of the comparison, on its way up the launch tree. At first the access itself; then the
 * launch by which the grid that contains it was launched. */
struct side {
    uint32_t launch;     /* number of the current grid's launch; 0: the host */
    uint32_t run, block; /* in that grid; run 0: under a tail launch of the grid */
    bool is_launch;      /* by a launch, below */
    struct cdp_order_launch by;
};

/* Moves up to the launching grid. False if the launch is forgotten. */
static bool climb(struct side *side)
{
    if (!cdp_order_find_launch(side->launch, &side->by)) {
        return false;
    }
    side->is_launch = true;
    side->launch = side->by.parent;
    side->run = side->by.kind == CDP_LAUNCH_TAIL ? 0 : side->by.run;
    side->block = side->by.block;
    return true;
}

static bool depth_of(const struct side *side, int64_t *depth)
{
    const struct cdp_order_launch *launch = &order.launches[side->launch % CDP_ORDER_LAUNCHES];
    if (side->launch == 0) {
        *depth = -1;
        return true;
    }
    *depth = launch->depth;
    return __atomic_load_n(&launch->number, __ATOMIC_ACQUIRE) == side->launch || forget();
}

/* Moves both sides to the grid, or the host, that they have in common. */
static bool meet(struct side *a, struct side *b)
{
    int64_t a_depth, b_depth;
    if (!depth_of(a, &a_depth) || !depth_of(b, &b_depth)) {
        return false;
    }
    for (; a_depth > b_depth; a_depth--) {
        if (!climb(a)) {
            return false;
        }
    }
    for (; b_depth > a_depth; b_depth--) {
        if (!climb(b)) {
            return false;
        }
    }
    while (a->launch != b->launch) {
        if (!climb(a) || !climb(b)) {
            return false;
        }
    }
    return true;
}

/* The two accesses that are compared; a was first. */
struct question {
    const struct cdp_order_access *a;
    struct cdp_order_block *block; /* of b; NULL: the host */
    uint32_t thread;
};

static bool lanes_cover(const uint32_t *lanes, const struct cdp_order_access *a, uint32_t mask,
                        uint32_t own)
{
    if (lanes == NULL) {
        return false;
    }
    if (a->set == CDP_SET_THREAD) {
        return lanes[a->thread % CDP_ORDER_LANES] >= a->segment;
    }
    for (uint32_t lane = 0; lane < CDP_ORDER_LANES; lane++) {
        if ((mask >> lane & 1) != 0 && lane != own && lanes[lane] < a->segment) {
            return false;
        }
    }
    return a->set == CDP_SET_WARP && mask != 0;
}

static bool is_same_warp(const struct cdp_order_access *a, uint32_t thread)
{
    return a->set <= CDP_SET_WARP && a->thread / CDP_ORDER_LANES == thread / CDP_ORDER_LANES;
}

/* Both in one block. */
static enum cdp_order_rule within_block(const struct question *q)
{
    const struct cdp_order_access *a = q->a;
    if (a->segment < q->block->epoch || (a->set == CDP_SET_THREAD && a->thread == q->thread)) {
        return CDP_ORDERED;
    }
    const struct cdp_order_thread *self =
        q->block->threads != NULL ? &q->block->threads[q->thread] : NULL;
    if (!is_same_warp(a, q->thread)) {
        return CDP_NO_BARRIER;
    }
    bool covered =
        self != NULL && lanes_cover(self->lanes, a, self->mask, q->thread % CDP_ORDER_LANES);
    return covered ? CDP_ORDERED : CDP_NO_WARP_SYNC;
}

/* a in a block, b under a launch of it. */
static enum cdp_order_rule before_launch(const struct cdp_order_access *a,
                                         const struct cdp_order_launch *launch)
{
    bool by_thread =
        a->set == CDP_SET_THREAD && a->thread == launch->thread && a->segment <= launch->segment;
    bool by_lanes = is_same_warp(a, launch->thread) &&
                    lanes_cover(launch->lanes, a, ~0u, launch->thread % CDP_ORDER_LANES);
    return a->segment < launch->epoch || by_thread || by_lanes ? CDP_ORDERED : CDP_NO_LAUNCH;
}

/* a under a launch of the block, b in the block. */
static enum cdp_order_rule after_join(const struct question *q,
                                      const struct cdp_order_launch *launch)
{
    const struct cdp_order_block *block = q->block;
    uint32_t own = block->threads != NULL ? block->threads[q->thread].joined : 0;
    if (greater(own, block->joined) >= launch->number) {
        return CDP_ORDERED;
    }
    return block->arriving >= launch->number ? CDP_JOIN_BY_OTHER : CDP_NO_JOIN;
}

/* Under two launches of one block. */
static enum cdp_order_rule between_launches(const struct cdp_order_launch *a,
                                            const struct cdp_order_launch *b)
{
    bool by_stream = a->stream != 0 && a->stream == b->stream && a->number < b->number;
    bool by_clock = a->stream != 0 && cdp_clock_covers(b->clock, a->stream, a->number);
    return by_stream || by_clock || b->joined >= a->number ? CDP_ORDERED : CDP_NO_STREAM;
}

static enum cdp_order_rule in_one_block(const struct question *q, const struct side *a,
                                        const struct side *b)
{
    if (!a->is_launch && !b->is_launch) {
        return within_block(q);
    }
    if (!a->is_launch) {
        return before_launch(q->a, &b->by);
    }
    return b->is_launch ? between_launches(&a->by, &b->by) : after_join(q, &a->by);
}

/* In one grid, in two blocks, or under its tail launches. */
static enum cdp_order_rule in_one_grid(const struct side *a, const struct side *b)
{
    bool a_tail = a->is_launch && a->by.kind == CDP_LAUNCH_TAIL;
    bool b_tail = b->is_launch && b->by.kind == CDP_LAUNCH_TAIL;
    if (a_tail || b_tail) {
        /* Tails run after everything else of their grid, one after the other. */
        return CDP_ORDERED;
    }
    bool by_stream =
        a->is_launch && b->is_launch && a->by.stream != 0 &&
        (a->by.stream == b->by.stream ? a->by.number < b->by.number
                                      : cdp_clock_covers(b->by.clock, a->by.stream, a->by.number));
    return by_stream ? CDP_ORDERED : CDP_NO_GRID_SYNC;
}

/* At the host. */
static enum cdp_order_rule at_host(const struct question *q, const struct side *a,
                                   const struct side *b)
{
    if (!a->is_launch) {
        bool before = !b->is_launch || q->a->segment <= b->by.host_segment;
        return before ? CDP_ORDERED : CDP_NO_HOST_LAUNCH;
    }
    if (b->is_launch) {
        return between_launches(&a->by, &b->by);
    }
    cdp_lock_acquire(&order.lock);
    bool joined = cdp_clock_covers(order.host, a->by.stream, a->by.number);
    cdp_lock_release(&order.lock);
    return joined ? CDP_ORDERED : CDP_NO_HOST_SYNC;
}

static enum cdp_order_rule compare(const struct question *q, const struct side *a,
                                   const struct side *b)
{
    if (a->launch == 0) {
        return at_host(q, a, b);
    }
    bool b_in_tail = b->is_launch && b->by.kind == CDP_LAUNCH_TAIL;
    if (!a->is_launch && q->a->set == CDP_SET_GRID && !b_in_tail) {
        return CDP_NO_GRID_SYNC;
    }
    return a->run == b->run && a->run != 0 ? in_one_block(q, a, b) : in_one_grid(a, b);
}

/* Whether a release and an acquire put a before b. */
static bool is_acquired(const struct question *q, const struct cdp_order_segment *segment)
{
    const struct cdp_order_block *block = q->block;
    struct cdp_release_query query = {
        .run = segment->run,
        .segment = q->a->segment,
        .thread = q->a->set == CDP_SET_THREAD ? q->a->thread : UINT32_MAX,
    };
    if (block == NULL) {
        return false;
    }
    const struct cdp_order_thread *self =
        block->threads != NULL ? &block->threads[q->thread] : NULL;
    return cdp_release_view_has(block->acquired, &query) ||
           (self != NULL && cdp_release_view_has(self->acquired, &query));
}

/* Compares two accesses that are not in one execution of a block. */
static CDP_NOINLINE enum cdp_order_rule ask(const struct question *question,
                                            const struct cdp_order_segment *segment)
{
    struct cdp_order_block *block = question->block;
    struct side first = {.launch = segment->launch, .run = segment->run, .block = segment->block};
    struct side second = {.launch = 0};
    if (block != NULL) {
        second = (struct side){.launch = block->launch, .run = block->run, .block = block->block};
    }
    if (!meet(&first, &second)) {
        return CDP_ORDERED;
    }
    enum cdp_order_rule rule = compare(question, &first, &second);
    /* Launches of the host: the same for all accesses of the two. */
    if (rule == CDP_ORDERED && block != NULL && first.launch == 0 && first.is_launch) {
        block->before = segment->launch;
    }
    return rule;
}

enum cdp_order_rule cdp_order_of(const struct cdp_order_access *a, struct cdp_order_block *block,
                                 uint32_t thread)
{
    struct cdp_order_segment segment;
    if (a->segment < cdp_order_horizon() || !cdp_order_find_segment(a->segment, &segment) ||
        (block != NULL && segment.launch != 0 && segment.launch == block->before)) {
        return CDP_ORDERED;
    }
    struct question question = {.a = a, .block = block, .thread = thread};
    bool is_here = block != NULL && segment.run == block->run && a->set != CDP_SET_GRID;
    enum cdp_order_rule rule = is_here ? within_block(&question) : ask(&question, &segment);
    return rule != CDP_ORDERED && is_acquired(&question, &segment) ? CDP_ORDERED : rule;
}
