/* Compares two accesses. */
#include "races/order.h"

#include <stddef.h>

#include "races/release.h"
#include "races/wait.h"

/* One side of the comparison, on its way up the launch tree. At first the access itself; then the
 * launch by which the grid that contains it was launched. */
struct side {
    uint32_t launch; /* number of the current grid's launch; 0: the host */
    uint32_t run;    /* the execution of the block in that grid; 0: under a tail launch */
    bool is_launch;  /* by a launch, below */
    struct cdp_history_launch by;
};

/* Moves up to the launching grid. False if the launch is forgotten. */
static bool climb(struct side *side)
{
    if (!cdp_history_find_launch(side->launch, &side->by)) {
        return false;
    }
    side->is_launch = true;
    side->launch = side->by.parent;
    side->run = side->by.kind == CDP_LAUNCH_TAIL ? 0 : side->by.run;
    return true;
}

/* The depth of the grid, -1 for the host. */
static bool depth_of(const struct side *side, int64_t *depth)
{
    struct cdp_history_launch launch = {.depth = 0};
    bool found = side->launch == 0 || cdp_history_find_launch(side->launch, &launch);
    *depth = side->launch == 0 ? -1 : (int64_t)launch.depth;
    return found;
}

/* Moves both sides to the grid, or the host, that they have in common. */
static bool climb_to_common(struct side *a, struct side *b)
{
    int64_t a_depth, b_depth;
    if (!depth_of(a, &a_depth) || !depth_of(b, &b_depth)) {
        return false;
    }
    while (a_depth != b_depth || a->launch != b->launch) {
        bool a_climbs = a_depth >= b_depth, b_climbs = b_depth >= a_depth;
        if ((a_climbs && !climb(a)) || (b_climbs && !climb(b))) {
            return false;
        }
        a_depth -= a_climbs;
        b_depth -= b_climbs;
    }
    return true;
}

/* The same. If device code asked for the operation of the host's streams that b is under, and a is
 * in the grid that asked or under it, they meet there. */
static bool meet(struct side *a, struct side *b)
{
    struct side first = *a;
    if (!climb_to_common(a, b)) {
        return false;
    }
    bool is_asked_for = a->launch == 0 && a->is_launch && b->is_launch && b->by.launcher != 0;
    struct side asking = {.launch = is_asked_for ? b->by.launcher : 0};
    if (is_asked_for && climb_to_common(&first, &asking) && first.launch != 0) {
        *a = first;
        *b = asking;
    }
    return true;
}

/* The two accesses that are compared; a was first. */
struct pair {
    const struct cdp_order_access *a;
    struct cdp_history_block *block; /* of b; NULL: the host */
    uint32_t thread;
};

/* Whether what is known of the lanes puts a before the lane own. */
static bool lanes_cover(const struct cdp_history_lanes *lanes, const struct cdp_order_access *a,
                        uint32_t own)
{
    if (a->set == CDP_SET_THREAD) {
        return lanes->until[a->thread % CDP_HISTORY_LANES] >= a->segment;
    }
    for (uint32_t lane = 0; lane < CDP_HISTORY_LANES; lane++) {
        if ((lanes->mask >> lane & 1) != 0 && lane != own && lanes->until[lane] < a->segment) {
            return false;
        }
    }
    return lanes->mask != 0;
}

static bool is_same_warp(const struct cdp_order_access *a, uint32_t thread)
{
    return a->set <= CDP_SET_WARP && a->thread / CDP_HISTORY_LANES == thread / CDP_HISTORY_LANES;
}

/* Both in one block. */
static enum cdp_order_rule within_block(const struct pair *pair)
{
    const struct cdp_order_access *a = pair->a;
    if (a->segment < pair->block->epoch ||
        (a->set == CDP_SET_THREAD && a->thread == pair->thread)) {
        return CDP_ORDERED;
    }
    const struct cdp_history_thread *self =
        pair->block->threads != NULL ? &pair->block->threads[pair->thread] : NULL;
    if (!is_same_warp(a, pair->thread)) {
        return CDP_NO_BARRIER;
    }
    bool covered = self != NULL && self->lanes != NULL &&
                   lanes_cover(self->lanes, a, pair->thread % CDP_HISTORY_LANES);
    return covered ? CDP_ORDERED : CDP_NO_WARP_SYNC;
}

/* a in a block, b under a launch of it. */
static enum cdp_order_rule before_launch(const struct cdp_order_access *a,
                                         const struct cdp_history_launch *launch)
{
    bool by_thread =
        a->set == CDP_SET_THREAD && a->thread == launch->thread && a->segment <= launch->segment;
    struct cdp_history_lanes lanes;
    if (a->segment < launch->epoch || by_thread) {
        return CDP_ORDERED;
    }
    bool by_lanes = is_same_warp(a, launch->thread) && cdp_history_lanes_of(launch, &lanes) &&
                    lanes_cover(&lanes, a, launch->thread % CDP_HISTORY_LANES);
    return by_lanes ? CDP_ORDERED : CDP_NO_LAUNCH;
}

/* a under a launch of the block, b in the block. */
static enum cdp_order_rule after_join(const struct pair *pair,
                                      const struct cdp_history_launch *launch)
{
    const struct cdp_history_block *block = pair->block;
    uint32_t own = block->threads != NULL ? block->threads[pair->thread].joined : 0;
    if (own >= launch->number || block->joined >= launch->number) {
        return CDP_ORDERED;
    }
    return block->arriving >= launch->number ? CDP_JOIN_BY_OTHER : CDP_NO_JOIN;
}

/* Replaces a launch by the operation of which it is a part. False: there is none. */
static bool enlarge(struct cdp_history_launch *launch)
{
    return launch->whole != 0 && cdp_history_find_launch(launch->whole, launch);
}

/* Whether streams put the launch first before b, or an operation of which it is a part. */
static bool streams_order(const struct cdp_history_launch *first,
                          const struct cdp_history_launch *b)
{
    struct cdp_history_launch a = *first;
    bool is_before;
    do {
        is_before =
            a.stream != 0 && (a.stream == b->stream ? a.number < b->number
                                                    : cdp_history_covers(b, a.stream, a.number));
    } while (!is_before && enlarge(&a));
    return is_before;
}

static bool host_waited_for(const struct cdp_history_launch *first)
{
    struct cdp_history_launch launch = *first;
    bool waited;
    do {
        waited = cdp_history_host_waited_for(launch.stream, launch.number);
    } while (!waited && enlarge(&launch));
    return waited;
}

/* Under two launches of one block, or of the host. */
static enum cdp_order_rule between_launches(const struct cdp_history_launch *a,
                                            const struct cdp_history_launch *b)
{
    return b->joined >= a->number || streams_order(a, b) ? CDP_ORDERED : CDP_NO_STREAM;
}

static enum cdp_order_rule in_one_block(const struct pair *pair, const struct side *a,
                                        const struct side *b)
{
    if (!a->is_launch && !b->is_launch) {
        return within_block(pair);
    }
    if (!a->is_launch) {
        return before_launch(pair->a, &b->by);
    }
    return b->is_launch ? between_launches(&a->by, &b->by) : after_join(pair, &a->by);
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
    bool by_stream = a->is_launch && b->is_launch && streams_order(&a->by, &b->by);
    return by_stream ? CDP_ORDERED : CDP_NO_GRID_SYNC;
}

/* At the host. */
static enum cdp_order_rule at_host(const struct pair *pair, const struct side *a,
                                   const struct side *b)
{
    if (!a->is_launch) {
        bool before = !b->is_launch || pair->a->segment <= b->by.host_segment;
        return before ? CDP_ORDERED : CDP_NO_HOST_LAUNCH;
    }
    if (b->is_launch) {
        return between_launches(&a->by, &b->by);
    }
    return host_waited_for(&a->by) ? CDP_ORDERED : CDP_NO_HOST_SYNC;
}

static enum cdp_order_rule compare(const struct pair *pair, const struct side *a,
                                   const struct side *b)
{
    if (a->launch == 0) {
        return at_host(pair, a, b);
    }
    bool b_in_tail = b->is_launch && b->by.kind == CDP_LAUNCH_TAIL;
    if (!a->is_launch && pair->a->set == CDP_SET_GRID && !b_in_tail) {
        return CDP_NO_GRID_SYNC;
    }
    return a->run == b->run && a->run != 0 ? in_one_block(pair, a, b) : in_one_grid(a, b);
}

/* Whether the thread of the second access, or a thread that launched its grid or one above it, has
 * acquired what the query describes. */
static bool has_acquired(const struct pair *pair, struct cdp_release_query *query)
{
    const struct cdp_history_block *block = pair->block;
    struct cdp_history_launch launch;
    if (block == NULL) {
        return cdp_release_host_has(query) || cdp_wait_has(NULL, query);
    }
    query->reader = block->run;
    if (cdp_release_view_has(block->acquired, query) ||
        (block->threads != NULL &&
         cdp_release_view_has(block->threads[pair->thread].acquired, query))) {
        return true;
    }
    uint32_t number = block->launch;
    while (number != 0 && cdp_history_find_launch(number, &launch)) {
        query->reader = launch.run;
        if (cdp_history_has_acquired(&launch, query) ||
            (launch.parent == 0 && cdp_wait_has(&launch, query))) {
            return true;
        }
        number = launch.parent;
    }
    return false;
}

/* The same for the operations of the host's streams of which a's is a part. */
static bool whole_is_acquired(const struct pair *pair, struct cdp_history_launch *whole)
{
    bool found;
    do {
        struct cdp_release_query query = {.stream = whole->stream, .number = whole->number};
        found = has_acquired(pair, &query);
    } while (!found && enlarge(whole));
    return found;
}

/* Whether a release and an acquire put a before b: a release of a's block, or, after it had waited
 * for them, of a block above. */
static bool is_acquired(const struct pair *pair, const struct cdp_history_segment *segment)
{
    if (!cdp_release_is_used()) {
        return false;
    }
    struct cdp_history_launch launch;
    uint32_t number = segment->launch;
    struct cdp_release_query query = {
        .run = segment->run,
        .segment = pair->a->segment,
        .thread = pair->a->set == CDP_SET_THREAD ? pair->a->thread : UINT32_MAX,
        .warp = pair->a->set <= CDP_SET_WARP ? pair->a->thread / CDP_HISTORY_LANES : UINT32_MAX,
    };
    bool found = has_acquired(pair, &query);
    while (!found && number != 0 && cdp_history_find_launch(number, &launch)) {
        query = launch.parent != 0
                    ? (struct cdp_release_query){.run = launch.run, .launch = number}
                    : (struct cdp_release_query){.stream = launch.stream, .number = number};
        found = has_acquired(pair, &query) ||
                (launch.parent == 0 && enlarge(&launch) && whole_is_acquired(pair, &launch));
        number = launch.parent;
    }
    return found;
}

/* Compares two accesses that are not in one execution of a block. */
static CDP_NOINLINE enum cdp_order_rule
order_across_blocks(const struct pair *pair, const struct cdp_history_segment *segment)
{
    struct cdp_history_block *block = pair->block;
    struct side a = {.launch = segment->launch, .run = segment->run};
    struct side b = {.launch = 0};
    if (block != NULL) {
        b = (struct side){.launch = block->launch, .run = block->run};
    }
    if (!meet(&a, &b)) {
        return CDP_ORDERED;
    }
    enum cdp_order_rule rule = compare(pair, &a, &b);
    /* Launches of the host: the same for all accesses of the two. */
    if (rule == CDP_ORDERED && block != NULL && a.launch == 0 && a.is_launch) {
        block->before = segment->launch;
    }
    return rule;
}

/* By the table of the block of the second access. */
static bool is_known_before(const struct pair *pair)
{
    if (pair->block == NULL) {
        return false;
    }
    enum cdp_history_seen seen = cdp_order_look_up(pair->a->segment, pair->block);
    return cdp_order_is_before(pair->a->set == CDP_SET_GRID ? cdp_order_of_grid(seen) : seen);
}

enum cdp_order_rule cdp_order_of(const struct cdp_order_access *a, struct cdp_history_block *block,
                                 uint32_t thread)
{
    struct cdp_history_segment segment;
    struct pair pair = {.a = a, .block = block, .thread = thread};
    if (a->segment < cdp_history_horizon() || is_known_before(&pair) ||
        !cdp_history_find_segment(a->segment, &segment) ||
        (block != NULL && segment.launch != 0 && segment.launch == block->before)) {
        return CDP_ORDERED;
    }
    bool is_here = block != NULL && segment.run == block->run && a->set != CDP_SET_GRID;
    enum cdp_order_rule rule = is_here ? within_block(&pair) : order_across_blocks(&pair, &segment);
    return rule != CDP_ORDERED && is_acquired(&pair, &segment) ? CDP_ORDERED : rule;
}

enum cdp_history_seen cdp_order_of_segment(uint32_t number, struct cdp_history_block *block)
{
    struct cdp_history_segment segment;
    if (!cdp_history_find_segment(number, &segment)) {
        return CDP_SEEN_BEFORE;
    }
    if (segment.run == block->run) {
        return CDP_SEEN_OWN;
    }
    if (segment.launch == block->launch) {
        return CDP_SEEN_GRID;
    }
    struct cdp_order_access access = {.segment = number, .set = CDP_SET_BLOCK};
    struct pair pair = {.a = &access, .block = block};
    struct side a = {.launch = segment.launch, .run = segment.run};
    struct side b = {.launch = block->launch, .run = block->run};
    if (!meet(&a, &b)) {
        return CDP_SEEN_BEFORE;
    }
    /* Of a launch by this block, each of its threads knows something else. */
    if (!b.is_launch || compare(&pair, &a, &b) != CDP_ORDERED) {
        return CDP_SEEN_OTHER;
    }
    bool is_launcher = a.launch != 0 && !a.is_launch && b.by.kind != CDP_LAUNCH_TAIL;
    return is_launcher ? CDP_SEEN_LAUNCHER : CDP_SEEN_BEFORE;
}
