/* Warp operations.
 *
 * Lanes that name the same mask meet.  All but the last one are suspended.  The last lane to arrive
 * computes the results of all lanes, and releases them.  Lanes that have ended are not waited for.
 * In divergent code, several meetings of one warp may be open at the same time, with different
 * masks. */
#include "exec/block/warp.h"

#include <string.h>

#include "base/alloc.h"
#include "races/history.h"
#include "exec/state/entry.h"
#include "exec/block/executor.h"
#include "exec/block/meeting.h"
#include "exec/block/sync_check.h"
#include "exec/report/fault.h"
#include "exec/report/steps.h"
#include "exec/state/executor.h"
#include "exec/state/point.h"

enum { LANES = CDP_LANES };

bool cdp_warps_create(struct cdp_block *block)
{
    uint32_t threads = block->view.thread_count;
    uint32_t count = (threads + LANES - 1) / LANES;
    block->warps = cdp_alloc(count * sizeof *block->warps);
    if (block->warps == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t lanes = threads - i * LANES;
        block->warps[i].live = lanes >= LANES ? ~0u : (1u << lanes) - 1;
        block->warps[i].meetings = NULL;
    }
    return true;
}

void cdp_warps_destroy(struct cdp_block *block)
{
    cdp_free(block->warps);
    block->warps = NULL;
}

/* The definition of PTX's shfl, with the operands of CUDA's headers.  Only five bits of the lane or
 * distance are used, and of 32 - width.  So widths that are no powers of two are defined, too. */
bool cdp_meeting_source(const struct cdp_meeting *meeting, uint32_t lane, uint32_t *source)
{
    const struct cdp_offering *mine = &meeting->offers[lane];
    uint32_t segment = (LANES - mine->width) % LANES, within = LANES - 1 - segment;
    uint32_t first = lane & segment, last = first | within, by = mine->lane % LANES;
    uint32_t from = lane;
    bool inside = true;
    switch ((enum cdp_abi_shuffle)meeting->mode) {
    case CDP_SHUFFLE_IDX:
        from = first | (by & within);
        break;
    case CDP_SHUFFLE_UP:
        inside = by <= lane - first;
        from = lane - by;
        break;
    case CDP_SHUFFLE_DOWN:
        from = lane + by;
        inside = from <= last;
        break;
    case CDP_SHUFFLE_XOR:
        from = lane ^ by;
        inside = from <= last;
        break;
    }
    *source = inside ? from : lane;
    return inside;
}

static void finish_shuffle(struct cdp_meeting *meeting)
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if ((meeting->arrived >> lane & 1) == 0) {
            continue;
        }
        uint32_t source;
        bool inside = cdp_meeting_source(meeting, lane, &source);
        /* A lane that does not take part has no value.  Its reader gets its own value. */
        if ((meeting->arrived >> source & 1) == 0) {
            source = lane;
        }
        meeting->results[lane] = meeting->offers[source].value;
        meeting->predicates |= (uint32_t)inside << lane;
    }
}

static void finish_ballot(struct cdp_meeting *meeting)
{
    uint32_t ballot = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (meeting->arrived >> lane & 1 && meeting->offers[lane].value != 0) {
            ballot |= 1u << lane;
        }
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        meeting->results[lane] = ballot;
    }
}

static void finish_match(struct cdp_meeting *meeting)
{
    bool all = true;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t same = 0;
        for (uint32_t other = 0; other < LANES && meeting->arrived >> lane & 1; other++) {
            if (meeting->arrived >> other & 1 &&
                meeting->offers[other].value == meeting->offers[lane].value) {
                same |= 1u << other;
            }
        }
        meeting->results[lane] = same;
        all = all && (same == 0 || same == meeting->arrived);
    }
    if (meeting->kind == MEET_MATCH_ALL) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            meeting->results[lane] = all ? meeting->arrived : 0;
        }
        meeting->predicates = all ? ~0u : 0;
    }
}

static uint32_t reduce(enum cdp_abi_reduce operation, uint32_t a, uint32_t b)
{
    switch (operation) {
    case CDP_REDUCE_ADD:
        return a + b;
    case CDP_REDUCE_UMIN:
        return a < b ? a : b;
    case CDP_REDUCE_UMAX:
        return a > b ? a : b;
    case CDP_REDUCE_SMIN:
        return (int32_t)a < (int32_t)b ? a : b;
    case CDP_REDUCE_SMAX:
        return (int32_t)a > (int32_t)b ? a : b;
    case CDP_REDUCE_AND:
        return a & b;
    case CDP_REDUCE_OR:
        return a | b;
    case CDP_REDUCE_XOR:
        return a ^ b;
    }
    return a;
}

static void finish_reduce(struct cdp_meeting *meeting)
{
    bool any = false;
    uint32_t result = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (meeting->arrived >> lane & 1) {
            uint32_t value = (uint32_t)meeting->offers[lane].value;
            result = any ? reduce((enum cdp_abi_reduce)meeting->mode, result, value) : value;
            any = true;
        }
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        meeting->results[lane] = result;
    }
}

static void compute(struct cdp_meeting *meeting)
{
    switch (meeting->kind) {
    case MEET_SYNC:
        break;
    case MEET_SHUFFLE:
        finish_shuffle(meeting);
        break;
    case MEET_BALLOT:
        finish_ballot(meeting);
        break;
    case MEET_MATCH_ANY:
    case MEET_MATCH_ALL:
        finish_match(meeting);
        break;
    case MEET_REDUCE:
        finish_reduce(meeting);
        break;
    }
}

static uint64_t pack(const struct cdp_meeting *meeting, uint32_t lane, bool *predicate)
{
    *predicate = meeting->predicates >> lane & 1;
    return meeting->results[lane];
}

/* Removes the meeting from the warp, computes the results, and releases the waiting lanes.  Each
 * lane's result is copied to its fiber, because the meeting is on the first lane's stack.  last:
 * the lane that runs, or NULL. */
static void close_meeting(struct cdp_block *block, struct cdp_warp *warp,
                          struct cdp_meeting *meeting, const struct cdp_fiber *last)
{
    if (CDP_UNLIKELY(cdp_finding_is_on(CDP_CHECKS_SYNC))) {
        cdp_sync_check_meeting(block, warp, meeting, last);
    }
    if (cdp_steps_has(block)) {
        cdp_steps_add(&(struct cdp_step){.kind = CDP_STEP_MET,
                                         .thread = (uint32_t)(warp - block->warps) * LANES,
                                         .lanes = meeting->arrived});
    }
    if (CDP_UNLIKELY(block->races != NULL)) {
        cdp_history_warp(block->races, (uint32_t)(warp - block->warps) * LANES, meeting->arrived);
    }
    struct cdp_meeting **link = &warp->meetings;
    while (*link != meeting) {
        link = &(*link)->next;
    }
    *link = meeting->next;
    compute(meeting);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        struct cdp_fiber *fiber = meeting->fibers[lane];
        if (fiber != NULL) {
            bool predicate;
            fiber->result = pack(meeting, lane, &predicate);
            fiber->predicate = predicate;
            cdp_fiber_push(&block->ready, fiber);
        }
    }
}

static bool is_complete(const struct cdp_warp *warp, const struct cdp_meeting *meeting)
{
    return (meeting->mask & warp->live & ~meeting->arrived) == 0;
}

void cdp_warp_lane_ended(struct cdp_block *block, uint32_t linear)
{
    struct cdp_warp *warp = &block->warps[linear / LANES];
    warp->live &= ~(1u << linear % LANES);
    struct cdp_meeting *next;
    for (struct cdp_meeting *meeting = warp->meetings; meeting != NULL; meeting = next) {
        next = meeting->next;
        if (is_complete(warp, meeting)) {
            close_meeting(block, warp, meeting, NULL);
        }
    }
}

/* The lane joins the open meeting of its mask and kind, or opens mine. */
static struct cdp_meeting *join(struct cdp_warp *warp, struct cdp_meeting *mine, uint32_t lane)
{
    uint32_t bit = 1u << lane;
    for (struct cdp_meeting *m = warp->meetings; m != NULL; m = m->next) {
        if (m->mask == mine->mask && m->kind == mine->kind && (m->arrived & bit) == 0) {
            return m;
        }
    }
    memset(mine->fibers, 0, sizeof mine->fibers);
    mine->arrived = mine->predicates = mine->unnamed = 0;
    mine->next = warp->meetings;
    warp->meetings = mine;
    return mine;
}

/* A lane's request to meet. */
struct request {
    uint32_t mask;
    enum cdp_meeting_kind kind;
    int mode;
    struct cdp_offering offer;
    const void *site; /* the return address into device code */
};

/* For the record of the block's steps. */
static CDP_NOINLINE void tell_arrival(const struct cdp_meeting *mine, const struct cdp_fiber *self,
                                      const void *site)
{
    cdp_steps_add(&(struct cdp_step){.kind = CDP_STEP_WARP,
                                     .thread = self->thread.linear,
                                     .lanes = mine->mask,
                                     .operation = cdp_meeting_operation(mine),
                                     .site = site});
}

static uint64_t meet(const struct request *request, bool *predicate)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    struct cdp_block *block = cdp_block_of(&self->thread);
    if (CDP_UNLIKELY(block->warps == NULL)) {
        cdp_fault_raise(CDP_FAULT_LAUNCH, NULL, "warp operation in a kernel declared to have none");
    }
    cdp_fault_check_stack(self);
    uint32_t lane = self->thread.linear % LANES;
    struct cdp_warp *warp = &block->warps[self->thread.linear / LANES];
    struct cdp_meeting mine;
    mine.mask = request->mask | 1u << lane;
    mine.kind = request->kind;
    mine.mode = request->mode;
    if (CDP_UNLIKELY(cdp_finding_is_on(CDP_CHECKS_SYNC))) {
        self->site = request->site;
        cdp_sync_check_mask(block, warp, &mine, request->mask);
    }
    if (cdp_steps_has(block)) {
        tell_arrival(&mine, self, request->site);
    }
    struct cdp_meeting *meeting = join(warp, &mine, lane);
    meeting->arrived |= 1u << lane;
    meeting->unnamed |= ~request->mask & 1u << lane;
    meeting->offers[lane] = request->offer;
    if (is_complete(warp, meeting)) {
        close_meeting(block, warp, meeting, self);
        /* The meeting may be on the stack of another lane that close_meeting has made ready.  But
         * that lane has not run yet. */
        uint64_t result = pack(meeting, lane, predicate);
        cdp_schedule_point(block);
        return result;
    }
    meeting->fibers[lane] = self;
    self->site = request->site;
    cdp_executor_suspend(block->executor, self);
    *predicate = self->predicate;
    return self->result;
}

void cdp_warps_collect(struct cdp_block *block, struct cdp_fiber_queue *queue)
{
    uint32_t count = (block->view.thread_count + LANES - 1) / LANES;
    for (uint32_t i = 0; i < count; i++) {
        struct cdp_meeting *next;
        for (struct cdp_meeting *m = block->warps[i].meetings; m != NULL; m = next) {
            next = m->next;
            for (uint32_t lane = 0; lane < LANES; lane++) {
                if (m->fibers[lane] != NULL) {
                    cdp_fiber_push(queue, m->fibers[lane]);
                }
            }
        }
        block->warps[i].meetings = NULL;
    }
}

const char *cdp_meeting_operation(const struct cdp_meeting *meeting)
{
    static const char *const shuffles[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync",
                                           "__shfl_xor_sync"};
    static const char *const reductions[] = {
        "__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync", "__reduce_min_sync",
        "__reduce_max_sync", "__reduce_and_sync", "__reduce_or_sync",  "__reduce_xor_sync"};
    switch (meeting->kind) {
    case MEET_SYNC:
        return "__syncwarp";
    case MEET_SHUFFLE:
        return shuffles[meeting->mode & 3];
    case MEET_BALLOT:
        return "a vote";
    case MEET_MATCH_ANY:
        return "__match_any_sync";
    case MEET_MATCH_ALL:
        return "__match_all_sync";
    case MEET_REDUCE:
        return reductions[meeting->mode & 7];
    }
    return "";
}

static void visit_meeting(const struct cdp_warp *warp, const struct cdp_meeting *meeting,
                          const struct cdp_wait_visitor *visitor)
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (meeting->fibers[lane] != NULL) {
            struct cdp_wait wait = {.kind = CDP_WAIT_WARP,
                                    .fiber = meeting->fibers[lane],
                                    .operation = cdp_meeting_operation(meeting),
                                    .mask = meeting->mask & ~(meeting->unnamed & 1u << lane),
                                    .unnamed = (meeting->unnamed >> lane & 1) != 0,
                                    .missing = meeting->mask & warp->live & ~meeting->arrived};
            visitor->visit(visitor->arg, &wait);
        }
    }
}

void cdp_warps_visit(const struct cdp_block *block, const struct cdp_wait_visitor *visitor)
{
    uint32_t count = (block->view.thread_count + LANES - 1) / LANES;
    for (uint32_t i = 0; i < count && block->warps != NULL; i++) {
        for (const struct cdp_meeting *m = block->warps[i].meetings; m != NULL; m = m->next) {
            visit_meeting(&block->warps[i], m, visitor);
        }
    }
}

void cdp_abi_syncwarp(uint32_t mask)
{
    bool predicate;
    struct request request = {.mask = mask, .kind = MEET_SYNC, .site = __builtin_return_address(0)};
    (void)meet(&request, &predicate);
}

static uint64_t shuffle(uint32_t mask, int mode, struct cdp_offering offer, const void *site,
                        int *predicate)
{
    struct request request = {
        .mask = mask, .kind = MEET_SHUFFLE, .mode = mode, .offer = offer, .site = site};
    bool inside;
    uint64_t result = meet(&request, &inside);
    if (predicate != NULL) {
        *predicate = inside;
    }
    return result;
}

uint64_t cdp_abi_shfl64(uint32_t mask, uint64_t value, uint32_t lane, uint32_t width, int mode,
                        int *predicate)
{
    struct cdp_offering offer = {.value = value, .lane = lane, .width = width};
    return shuffle(mask, mode, offer, __builtin_return_address(0), predicate);
}

uint32_t cdp_abi_shfl32(uint32_t mask, uint32_t value, uint32_t lane, uint32_t width, int mode,
                        int *predicate)
{
    struct cdp_offering offer = {.value = value, .lane = lane, .width = width};
    return (uint32_t)shuffle(mask, mode, offer, __builtin_return_address(0), predicate);
}

static uint32_t match_any(uint32_t mask, uint64_t value, const void *site)
{
    bool predicate;
    struct request request = {
        .mask = mask, .kind = MEET_MATCH_ANY, .offer = {.value = value}, .site = site};
    return (uint32_t)meet(&request, &predicate);
}

uint32_t cdp_abi_match_any64(uint32_t mask, uint64_t value)
{
    return match_any(mask, value, __builtin_return_address(0));
}

uint32_t cdp_abi_match_any32(uint32_t mask, uint32_t value)
{
    return match_any(mask, value, __builtin_return_address(0));
}

static uint32_t match_all(uint32_t mask, uint64_t value, int *predicate, const void *site)
{
    bool all;
    struct request request = {
        .mask = mask, .kind = MEET_MATCH_ALL, .offer = {.value = value}, .site = site};
    uint32_t result = (uint32_t)meet(&request, &all);
    *predicate = all;
    return result;
}

uint32_t cdp_abi_match_all64(uint32_t mask, uint64_t value, int *predicate)
{
    return match_all(mask, value, predicate, __builtin_return_address(0));
}

uint32_t cdp_abi_match_all32(uint32_t mask, uint32_t value, int *predicate)
{
    return match_all(mask, value, predicate, __builtin_return_address(0));
}

uint32_t cdp_abi_reduce32(uint32_t mask, uint32_t value, int operation)
{
    bool predicate;
    struct request request = {.mask = mask,
                              .kind = MEET_REDUCE,
                              .mode = operation,
                              .offer = {.value = value},
                              .site = __builtin_return_address(0)};
    return (uint32_t)meet(&request, &predicate);
}

/* CUDA defines the result by the lanes that execute the call together.  Fibers never do this.  So
 * the lanes that reach the same call wait until no other thread of the block can run.  No schedule
 * gives more convergence, and on a device converged code has the same result.  Returns the group's
 * lanes.  The upper half is the lanes with a nonzero vote. */
static uint64_t converge(struct cdp_fiber *self, const void *site, bool vote)
{
    struct cdp_block *block = cdp_block_of(&self->thread);
    cdp_fault_check_stack(self);
    self->site = site;
    self->predicate = vote;
    cdp_fiber_push(&block->converge, self);
    cdp_executor_suspend(block->executor, self);
    return self->result;
}

uint32_t cdp_abi_activemask(void)
{
    return (uint32_t)converge(cdp_fiber_of(cdp_abi_self), __builtin_return_address(0), false);
}

/* A mask without the calling lane is undefined in CUDA. On a device the converged lanes then vote
 * among themselves, and programs rely on this. */
uint32_t cdp_abi_ballot(uint32_t mask, int vote)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    if (CDP_UNLIKELY((mask >> self->thread.linear % LANES & 1) == 0)) {
        if (cdp_finding_is_on(CDP_CHECKS_SYNC)) {
            cdp_fault_check_stack(self);
            self->site = __builtin_return_address(0);
            cdp_sync_check_unnamed(cdp_block_of(&self->thread), "a vote", mask);
        }
        return mask & (uint32_t)(converge(self, __builtin_return_address(0), vote != 0) >> 32);
    }
    bool predicate;
    struct request request = {.mask = mask,
                              .kind = MEET_BALLOT,
                              .offer = {.value = vote != 0},
                              .site = __builtin_return_address(0)};
    return (uint32_t)meet(&request, &predicate);
}

/* Lanes of one warp that wait at one call. */
struct group {
    const void *site;
    uint32_t lanes, votes;
};

/* Releases one group of each warp.  Other groups wait for the next call. */
void cdp_warp_release_converged(struct cdp_block *block)
{
    struct cdp_fiber_queue waiting = block->converge, released = {0};
    struct group groups[LANES] = {{0}}; /* by warp: a block has at most 32 */
    struct cdp_fiber *next;
    block->converge.head = NULL;
    for (struct cdp_fiber *fiber = waiting.head; fiber != NULL; fiber = next) {
        struct group *group = &groups[fiber->thread.linear / LANES];
        uint32_t lane = fiber->thread.linear % LANES;
        next = fiber->next;
        if (group->lanes != 0 && group->site != fiber->site) {
            cdp_fiber_push(&block->converge, fiber);
            continue;
        }
        group->site = fiber->site;
        group->lanes |= 1u << lane;
        group->votes |= (uint32_t)fiber->predicate << lane;
        cdp_fiber_push(&released, fiber);
    }
    for (struct cdp_fiber *fiber = released.head; fiber != NULL; fiber = fiber->next) {
        const struct group *group = &groups[fiber->thread.linear / LANES];
        fiber->result = (uint64_t)group->votes << 32 | group->lanes;
    }
    cdp_fiber_append(&block->ready, &released);
}
