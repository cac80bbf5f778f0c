/* The barrier of a cluster, and what its threads ask about their cluster.
 *
 * All threads of the cluster that have not ended arrive, and then wait.  One word counts them.  A
 * thread that waits lets the other threads of its block run.  If none of them can run, it gives way
 * to other blocks, like a thread that polls.  So the other blocks of the cluster start, on any
 * number of workers.  It alone polls for its block. */
#include "base/attr.h"
#include "exec/block/cluster.h"
#include "exec/block/cluster_barrier.h"
#include "exec/block/executor.h"
#include "exec/block/poll.h"
#include "exec/report/fault.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "exec/state/entry.h"
#include "races/history.h"
#include "races/release.h"

enum { ENDED_SHIFT = 16, PHASE_SHIFT = 32 };
#define COUNT_MASK UINT64_C(0xffff)

static uint32_t phase_of(uint64_t word)
{
    return (uint32_t)(word >> PHASE_SHIFT);
}

/* The word after more threads arrived or ended. */
static uint64_t after(const struct cdp_cluster *cluster, uint64_t word, uint32_t arrived,
                      uint32_t ended)
{
    uint64_t all_ended = (word >> ENDED_SHIFT & COUNT_MASK) + ended;
    uint64_t all_arrived = (word & COUNT_MASK) + arrived;
    uint64_t phase = phase_of(word);
    if (all_arrived == (uint64_t)cluster->size * cluster->block_threads) {
        all_arrived = all_ended;
        phase = (uint32_t)(phase + 1);
    }
    return phase << PHASE_SHIFT | all_ended << ENDED_SHIFT | all_arrived;
}

static uint32_t *token_of(struct cdp_cluster *cluster, uint32_t rank, uint32_t thread)
{
    return &cluster->tokens[rank * cluster->block_threads + thread];
}

/* ---- The race check ----
 *
 * What a block did before it arrived is before what the others do after they waited.  Each phase
 * has one release of each block, by its last thread, and one acquire.  Blocks that have waited may
 * release the next phase while others have not acquired this one, so two logs alternate. */

static const void *log_of(const struct cdp_cluster *cluster, uint32_t phase)
{
    return cluster->logs + phase % 2;
}

static void release_if_last(struct cdp_block *block, struct cdp_cluster *cluster)
{
    const struct cdp_cluster_member *member = &cluster->members[block->slab.rank];
    if (block->races != NULL && member->arrived != 0 && member->arrived == block->threads.alive) {
        cdp_history_barrier(block->races);
        cdp_history_fence(block->races, cdp_abi_self->linear, false);
        cdp_release_write(log_of(cluster, member->phase), block->races, cdp_abi_self->linear);
    }
}

static void acquire(struct cdp_block *block, struct cdp_cluster *cluster, uint32_t phase)
{
    struct cdp_cluster_member *member = &cluster->members[block->slab.rank];
    if (CDP_UNLIKELY(block->races != NULL) && member->joined != phase) {
        member->joined = phase;
        cdp_release_read(log_of(cluster, phase - 1), block->races, cdp_abi_self->linear);
        cdp_history_barrier(block->races);
    }
}

/* ---- Arrivals and ends ---- */

/* The block's cluster.  A block without one is a cluster by itself. */
static struct cdp_cluster *cluster_of(struct cdp_block *block)
{
    struct cdp_cluster *cluster = block->slab.cluster;
    if (CDP_LIKELY(cluster != NULL)) {
        return cluster;
    }
    cluster = cdp_cluster_create(1, block->view.thread_count);
    if (cluster == NULL) {
        cdp_fault_raise(CDP_FAULT_LAUNCH, NULL, "no memory for the barrier of a cluster");
    }
    uint64_t ended = block->view.thread_count - block->threads.alive;
    atomic_init(&cluster->barrier, ended << ENDED_SHIFT | ended);
    cluster->members[0].ended = (uint32_t)ended;
    block->slab.cluster = cluster;
    block->slab.rank = 0;
    return cluster;
}

void cdp_cluster_thread_ended(struct cdp_block *block, const struct cdp_abi_thread *thread)
{
    struct cdp_cluster *cluster = block->slab.cluster;
    struct cdp_cluster_member *member = &cluster->members[block->slab.rank];
    uint32_t token = *token_of(cluster, block->slab.rank, thread->linear);
    uint64_t old = atomic_load_explicit(&cluster->barrier, memory_order_relaxed);
    bool has_arrived = token == phase_of(old) + 1;
    member->ended++;
    member->arrived -= has_arrived && member->phase == phase_of(old);
    release_if_last(block, cluster);
    uint64_t now;
    do { /* as in cdp_abi_cluster_arrive */
        now = after(cluster, old, token != phase_of(old) + 1, 1);
    } while (!atomic_compare_exchange_weak_explicit(&cluster->barrier, &old, now,
                                                    memory_order_acq_rel, memory_order_relaxed));
}

void cdp_cluster_block_ended(struct cdp_cluster *cluster, uint32_t rank)
{
    uint32_t rest = cluster->block_threads - cluster->members[rank].ended;
    uint64_t old = atomic_load_explicit(&cluster->barrier, memory_order_relaxed);
    while (rest != 0 && !atomic_compare_exchange_weak_explicit(
                            &cluster->barrier, &old, after(cluster, old, rest, rest),
                            memory_order_acq_rel, memory_order_relaxed)) {
    }
}

void cdp_abi_cluster_arrive(void)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    struct cdp_block *block = cdp_block_of(&self->thread);
    cdp_fault_check_stack(self);
    struct cdp_cluster *cluster = cluster_of(block);
    struct cdp_cluster_member *member = &cluster->members[block->slab.rank];
    uint32_t *token = token_of(cluster, block->slab.rank, self->thread.linear);
    if (*token != 0) {
        cdp_fault_raise(CDP_FAULT_LAUNCH, (const char *)__builtin_return_address(0) - 1,
                        "a thread arrived twice at the barrier of its cluster: call "
                        "barrier_wait() or __cluster_barrier_wait() between the two");
    }
    uint64_t old = atomic_load_explicit(&cluster->barrier, memory_order_relaxed);
    if (member->phase != phase_of(old)) {
        member->phase = phase_of(old);
        member->arrived = 0;
    }
    member->arrived++;
    *token = phase_of(old) + 1;
    release_if_last(block, cluster);
    /* Release: what the thread did.  Acquire: the last arrival publishes what all others did.  The
     * phase cannot change, because it needs this arrival. */
    while (!atomic_compare_exchange_weak_explicit(&cluster->barrier, &old,
                                                  after(cluster, old, 1, 0), memory_order_acq_rel,
                                                  memory_order_relaxed)) {
    }
}

/* ---- Waiting ---- */

static bool is_over(struct cdp_cluster *cluster, uint32_t phase)
{
    return phase_of(atomic_load_explicit(&cluster->barrier, memory_order_acquire)) != phase;
}

/* Whether other threads of the block can run. */
static bool can_others_run(const struct cdp_block *block)
{
    return cdp_block_has_ready(block) || block->polling.head != NULL ||
           block->threads.next < block->threads.may_start;
}

static void wait_for_phase(struct cdp_block *block, struct cdp_cluster *cluster,
                           struct cdp_fiber *self, uint32_t phase)
{
    struct cdp_cluster_member *member = &cluster->members[block->slab.rank];
    while (!is_over(cluster, phase)) {
        if (member->has_poller || can_others_run(block)) {
            cdp_fiber_push(&member->waiting, self);
            cdp_executor_suspend(block->executor, self);
        } else {
            member->has_poller = true;
            cdp_poll_give_way(block->executor, self);
            member->has_poller = false;
        }
    }
    if (member->waiting.head != NULL) {
        if (CDP_UNLIKELY(block->executor->schedule->shuffle != NULL)) {
            block->executor->schedule->shuffle(block->executor, &member->waiting);
        }
        cdp_fiber_append(&block->ready, &member->waiting);
    }
}

static void wait_at(const void *site)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    struct cdp_block *block = cdp_block_of(&self->thread);
    cdp_fault_check_stack(self);
    struct cdp_cluster *cluster = cluster_of(block);
    uint32_t *token = token_of(cluster, block->slab.rank, self->thread.linear);
    uint32_t phase = *token - 1;
    if (*token == 0) {
        cdp_fault_raise(CDP_FAULT_LAUNCH, (const char *)site - 1,
                        "a thread waits at the barrier of its cluster, where it has not arrived: "
                        "call barrier_arrive() or __cluster_barrier_arrive() first");
    }
    self->site = site;
    wait_for_phase(block, cluster, self, phase);
    *token = 0;
    cdp_poll_progressed(block);
    acquire(block, cluster, phase + 1);
}

void cdp_abi_cluster_wait(void)
{
    wait_at(__builtin_return_address(0));
}

/* ---- Places and shared memory ---- */

uint32_t cdp_abi_cluster_read(uint32_t what)
{
    struct cdp_block *block = cdp_block_of(cdp_abi_self);
    const struct cdp_clusters *clusters = cdp_grid_clusters(block->grid);
    uint32_t axis = what % CDP_CLUSTER_AXES;
    uint32_t dim = clusters != NULL ? clusters->dim[axis] : 1;
    if (what == CDP_CLUSTER_RANK) {
        return clusters != NULL ? block->slab.rank : 0;
    }
    if (what == CDP_CLUSTER_SIZE) {
        return cdp_cluster_size(block->grid);
    }
    switch (what - axis) {
    case CDP_CLUSTER_DIM:
        return dim;
    case CDP_CLUSTER_BLOCK:
        return block->view.block_idx[axis] % dim;
    case CDP_CLUSTER_INDEX:
        return block->view.block_idx[axis] / dim;
    case CDP_CLUSTER_GRID:
        return block->view.grid_dim[axis] / dim;
    default:
        return clusters != NULL;
    }
}

/* The shared memory that the pointer is in: the distance to the start of its block's, and the
 * block's rank. */
struct place {
    uint64_t offset;
    uint32_t rank;
};

static struct place find(const struct cdp_block *block, const void *address, const char *function,
                         const void *site)
{
    const struct cdp_cluster *cluster = block->slab.cluster;
    uint64_t own = (uintptr_t)address - (uintptr_t)block->view.shared;
    if (block->view.shared != NULL && own <= block->view.shared_size) {
        return (struct place){own, cdp_grid_has_clusters(block->grid) ? block->slab.rank : 0};
    }
    if (cluster == NULL || !cdp_cluster_contains(cluster, (uintptr_t)address, 1)) {
        cdp_fault_raise(CDP_FAULT_LAUNCH, (const char *)site - 1,
                        "%s(%p): the address is not in the shared memory of the cluster", function,
                        address);
    }
    uint64_t offset = (uint64_t)((const char *)address - cluster->slab);
    return (struct place){offset % cluster->stride, (uint32_t)(offset / cluster->stride)};
}

void *cdp_abi_cluster_map(const void *address, uint32_t rank)
{
    const void *site = __builtin_return_address(0);
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    struct place place = find(block, address, "map_shared_rank", site);
    const struct cdp_cluster *cluster =
        cdp_grid_has_clusters(block->grid) ? block->slab.cluster : NULL;
    uint32_t size = cluster != NULL ? cluster->size : 1;
    if (rank >= size) {
        cdp_fault_raise(CDP_FAULT_LAUNCH, (const char *)site - 1,
                        "map_shared_rank() for the block of rank %u, in a cluster of %u block%s",
                        rank, size, size == 1 ? "" : "s");
    }
    return (cluster != NULL ? cluster->slab + rank * cluster->stride : block->view.shared) +
           place.offset;
}

uint32_t cdp_abi_cluster_query(const void *address)
{
    return find(cdp_block_of(cdp_abi_self), address, "query_shared_rank",
                __builtin_return_address(0))
        .rank;
}

uint32_t cdp_abi_is_cluster_shared(const void *address)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    return (uintptr_t)address - (uintptr_t)block->view.shared < block->view.shared_size ||
           cdp_cluster_is_of_sibling(block, address);
}
