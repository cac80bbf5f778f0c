/* Named barriers: PTX's bar and barrier with a number, a count, or both.
 *
 * A block has 16 of them.  Barrier 0 is the same as __syncthreads if it is for the whole block.
 * Like on a device, barriers count whole warps.  A warp has arrived when all its lanes that have
 * not ended have arrived.  It then counts as 32 threads.  Tiles of more than one warp have their
 * own barriers, with numbers from 16. */
#include <string.h>

#include "base/alloc.h"
#include "races/history.h"
#include "exec/block/barrier.h"
#include "exec/state/entry.h"
#include "exec/block/executor.h"
#include "exec/block/named_barrier.h"
#include "exec/block/poll.h"
#include "exec/block/warp.h"
#include "exec/report/fault.h"

enum { BARRIERS = CDP_BARRIERS };

/* The arguments of a thread's barrier instruction. */
struct arrival {
    uint32_t id, threads, members; /* as in struct cdp_named_barrier */
    bool waits, votes;
    int predicate;
    const void *site;
};

/* An address inside the call instruction, for reports. */
static const void *call_of(const struct arrival *arrival)
{
    return (const char *)arrival->site - 1;
}

/* struct cdp_votes in one word: the result of a waiting thread. */
static uint64_t pack(const struct cdp_named_barrier *barrier)
{
    return (uint64_t)barrier->yes << 32 | (barrier->yes + barrier->no);
}

static struct cdp_votes unpack(uint64_t result)
{
    return (struct cdp_votes){.yes = (uint32_t)(result >> 32), .all = (uint32_t)result};
}

static struct cdp_named_barrier *find_or_make(struct cdp_block *block, uint32_t id)
{
    struct cdp_named_barrier *barrier = block->named;
    while (barrier != NULL && barrier->id != id) {
        barrier = barrier->next;
    }
    if (CDP_LIKELY(barrier != NULL)) {
        return barrier;
    }
    barrier = cdp_alloc_zero(sizeof *barrier);
    if (barrier == NULL) {
        cdp_fault_raise(CDP_NO_MEMORY, NULL, "no memory for barrier %u", id);
    }
    barrier->id = id;
    barrier->next = block->named;
    block->named = barrier;
    return barrier;
}

/* Whether all lanes of the warp that have not ended have arrived. */
static bool has_arrived(const struct cdp_block *block, const struct cdp_named_barrier *barrier,
                        uint32_t warp)
{
    return (block->warps[warp].live & ~barrier->lanes[warp]) == 0;
}

static bool is_complete(const struct cdp_block *block, const struct cdp_named_barrier *barrier)
{
    uint32_t warps = (block->view.thread_count + CDP_LANES - 1) / CDP_LANES, threads = 0;
    for (uint32_t warp = 0; warp < warps; warp++) {
        if (barrier->threads == 0) {
            if ((barrier->members >> warp & 1) != 0 && !has_arrived(block, barrier, warp)) {
                return false;
            }
        } else if (barrier->lanes[warp] != 0 && has_arrived(block, barrier, warp)) {
            threads += CDP_LANES;
        }
    }
    return barrier->threads == 0 || threads >= barrier->threads;
}

static void open(struct cdp_block *block, struct cdp_named_barrier *barrier)
{
    uint64_t result = pack(barrier);
    for (struct cdp_fiber *fiber = barrier->waiting.head; fiber != NULL; fiber = fiber->next) {
        fiber->result = result;
    }
    barrier->came = barrier->yes = barrier->no = 0;
    cdp_poll_passed_barrier(block);
    if (CDP_UNLIKELY(block->races != NULL)) {
        cdp_history_barrier(block->races); /* more than it orders: no false report */
    }
    memset(barrier->lanes, 0, sizeof barrier->lanes);
    cdp_fiber_append(&block->ready, &barrier->waiting);
    cdp_fiber_append(&block->ready, &barrier->again);
}

void cdp_named_barriers_lane_ended(struct cdp_block *block)
{
    for (struct cdp_named_barrier *b = block->named; b != NULL; b = b->next) {
        if (b->came != 0 && is_complete(block, b)) {
            open(block, b);
        }
    }
}

static void suspend(struct cdp_block *block, struct cdp_fiber *self, struct cdp_fiber_queue *queue,
                    const void *site)
{
    self->site = site;
    cdp_fiber_push(queue, self);
    cdp_executor_suspend(block->executor, self);
}

/* Counts the arrival of the thread.  If the thread is already counted in this phase, it first waits
 * until the barrier opens, because other lanes of its warp have not arrived yet. */
static struct cdp_named_barrier *count(struct cdp_block *block, struct cdp_fiber *self,
                                       const struct arrival *arrival)
{
    struct cdp_named_barrier *barrier = find_or_make(block, arrival->id);
    uint32_t *lanes = &barrier->lanes[self->thread.linear / CDP_LANES];
    uint32_t bit = 1u << self->thread.linear % CDP_LANES;
    while ((*lanes & bit) != 0) {
        suspend(block, self, &barrier->again, arrival->site);
    }
    if (barrier->came != 0 && barrier->threads != arrival->threads) {
        cdp_fault_raise(CDP_FAULT_LAUNCH, call_of(arrival),
                        "barrier %u: this thread names %u threads, others named %u (0: all of the "
                        "block); all must name the same",
                        arrival->id, arrival->threads, barrier->threads);
    }
    barrier->threads = arrival->threads;
    barrier->members = arrival->members;
    *lanes |= bit;
    barrier->came++;
    barrier->yes += arrival->votes && arrival->predicate != 0;
    barrier->no += arrival->votes && arrival->predicate == 0;
    return barrier;
}

static struct cdp_votes arrive(struct cdp_block *block, struct cdp_fiber *self,
                               const struct arrival *arrival)
{
    if (CDP_UNLIKELY(block->warps == NULL)) {
        cdp_fault_raise(CDP_FAULT_LAUNCH, NULL, "named barrier in a kernel declared to have none");
    }
    struct cdp_named_barrier *barrier = count(block, self, arrival);
    if (has_arrived(block, barrier, self->thread.linear / CDP_LANES) &&
        is_complete(block, barrier)) {
        struct cdp_votes votes = unpack(pack(barrier));
        open(block, barrier);
        return votes;
    }
    if (arrival->waits) {
        suspend(block, self, &barrier->waiting, arrival->site);
    }
    return unpack(self->result);
}

static void check(const struct cdp_block *block, const struct arrival *arrival)
{
    uint32_t most = (block->view.thread_count + CDP_LANES - 1) / CDP_LANES * CDP_LANES;
    if (arrival->id >= BARRIERS) {
        cdp_fault_raise(CDP_FAULT_LAUNCH, call_of(arrival),
                        "barrier %u: a block has barriers 0 to %d", arrival->id, BARRIERS - 1);
    }
    if (arrival->threads % CDP_LANES != 0 && arrival->threads != block->view.thread_count) {
        cdp_fault_raise(CDP_FAULT_LAUNCH, call_of(arrival),
                        "barrier %u for %u threads: must be a multiple of 32, as warps are counted",
                        arrival->id, arrival->threads);
    }
    if (arrival->threads > most) {
        cdp_fault_raise(CDP_FAULT_LAUNCH, call_of(arrival),
                        "barrier %u for %u threads would never open: the block has %u", arrival->id,
                        arrival->threads, block->view.thread_count);
    }
}

/* Whether it is the block's own barrier.  A count of all threads is the same as no count. */
static bool is_whole(const struct cdp_block *block, struct arrival *arrival)
{
    if (arrival->threads >= block->view.thread_count) {
        arrival->threads = 0;
    }
    arrival->members = ~0u;
    return arrival->id == 0 && arrival->threads == 0;
}

/* The thread arrives at the block's own barrier without waiting. */
static void arrive_only(struct cdp_block *block, struct cdp_fiber *self, const void *site)
{
    while (self->arrived_turn == block->barrier.turn) {
        /* A thread is not counted twice in a phase. */
        suspend(block, self, &block->barrier.waiting, site);
    }
    self->arrived_turn = block->barrier.turn;
    block->barrier.arrive_only++;
    block->barrier.arrived++;
    if (cdp_barrier_arrived(block) == block->threads.alive) {
        cdp_barrier_open(block);
    }
}

static struct cdp_votes barrier(struct arrival *arrival)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    struct cdp_block *block = cdp_block_of(&self->thread);
    cdp_fault_check_stack(self);
    check(block, arrival);
    if (!is_whole(block, arrival)) {
        return arrive(block, self, arrival);
    }
    if (arrival->votes) {
        return cdp_barrier_vote(block, self, arrival->predicate, arrival->site);
    }
    if (arrival->waits) {
        cdp_barrier_wait(block, self, arrival->site);
    } else {
        arrive_only(block, self, arrival->site);
    }
    return (struct cdp_votes){0};
}

void cdp_abi_barrier(uint32_t id, uint32_t threads)
{
    struct arrival arrival = {
        .id = id, .threads = threads, .waits = true, .site = __builtin_return_address(0)};
    (void)barrier(&arrival);
}

void cdp_abi_barrier_arrive(uint32_t id, uint32_t threads)
{
    struct arrival arrival = {.id = id, .threads = threads, .site = __builtin_return_address(0)};
    (void)barrier(&arrival);
}

uint32_t cdp_abi_barrier_reduce(uint32_t id, uint32_t threads, int predicate, int operation)
{
    enum { COUNT, AND, OR };
    struct arrival arrival = {.id = id,
                              .threads = threads,
                              .waits = true,
                              .votes = true,
                              .predicate = predicate,
                              .site = __builtin_return_address(0)};
    struct cdp_votes votes = barrier(&arrival);
    return operation == COUNT ? votes.yes
           : operation == AND ? votes.yes == votes.all
                              : votes.yes != 0;
}

/* Tiles of 64 threads have barriers 16 to 31, tiles of 128 threads the next 8, and so on. */
void cdp_abi_tile_sync(uint32_t size)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    uint32_t tile = self->thread.linear / size, warps = size / CDP_LANES;
    uint32_t members = warps >= CDP_WARPS ? ~0u : ((1u << warps) - 1) << tile * warps;
    struct arrival arrival = {.id = BARRIERS + 2 * BARRIERS - 2 * CDP_MOST_THREADS / size + tile,
                              .members = members,
                              .waits = true,
                              .site = __builtin_return_address(0)};
    cdp_fault_check_stack(self);
    (void)arrive(cdp_block_of(&self->thread), self, &arrival);
}

void cdp_named_barriers_collect(struct cdp_block *block, struct cdp_fiber_queue *queue)
{
    for (struct cdp_named_barrier *b = block->named; b != NULL; b = b->next) {
        cdp_fiber_append(queue, &b->waiting);
        cdp_fiber_append(queue, &b->again);
        b->came = 0;
    }
}

void cdp_named_barriers_destroy(struct cdp_block *block)
{
    while (block->named != NULL) {
        struct cdp_named_barrier *barrier = block->named;
        block->named = barrier->next;
        cdp_free(barrier);
    }
}

void cdp_named_barriers_visit(const struct cdp_block *block, const struct cdp_wait_visitor *visitor)
{
    for (const struct cdp_named_barrier *b = block->named; b != NULL; b = b->next) {
        struct cdp_wait wait = {.kind = CDP_WAIT_NAMED, .barrier = b};
        for (wait.fiber = b->waiting.head; wait.fiber != NULL; wait.fiber = wait.fiber->next) {
            visitor->visit(visitor->arg, &wait);
        }
        wait.again = true;
        for (wait.fiber = b->again.head; wait.fiber != NULL; wait.fiber = wait.fiber->next) {
            visitor->visit(visitor->arg, &wait);
        }
    }
}
