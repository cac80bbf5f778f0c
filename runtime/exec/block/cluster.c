/* The life of clusters.
 *
 * The blocks of a cluster start like any blocks, perhaps on several workers.  The first one makes
 * the cluster, with the shared memory of all of its blocks, so the address of a block's shared
 * memory is known before that block has started. */
#include "exec/block/cluster.h"

#include "base/alloc.h"
#include "exec/block/cluster_barrier.h"
#include "exec/report/fault.h"
#include "exec/report/wait.h"
#include "fiber/sanitizer.h"
#include "mem/shared_slab.h"

struct cdp_cluster *cdp_cluster_create(uint32_t size, uint32_t block_threads)
{
    size_t head = sizeof(struct cdp_cluster) + size * sizeof(struct cdp_cluster_member);
    size_t tokens = (size_t)size * block_threads * sizeof(uint32_t);
    struct cdp_cluster *cluster = cdp_alloc_zero(head + tokens);
    if (cluster != NULL) {
        cluster->size = size;
        cluster->block_threads = block_threads;
        cluster->tokens = (uint32_t *)(void *)((char *)cluster + head);
        atomic_init(&cluster->blocks_left, size);
    }
    return cluster;
}

static void destroy(struct cdp_executor *executor, struct cdp_cluster *cluster)
{
    if (cluster->slab != NULL) {
        cdp_sanitizer_unpoison(cluster->slab, cluster->stride * cluster->size);
        cdp_slab_give(&executor->slabs, cluster->slab, cluster->stride * cluster->size);
    }
    cdp_free(cluster);
}

static struct cdp_cluster *begin(struct cdp_executor *executor, const struct cdp_block *block,
                                 const struct cdp_clusters *clusters, size_t shared)
{
    uint32_t size = clusters->dim[0] * clusters->dim[1] * clusters->dim[2];
    struct cdp_cluster *cluster = cdp_cluster_create(size, block->view.thread_count);
    if (cluster == NULL || shared == 0) {
        return cluster;
    }
    /* More than the memory, so the address of its end is not in the next block's. */
    cluster->stride = (shared + CDP_ABI_SHARED_ALIGN) / CDP_ABI_SHARED_ALIGN * CDP_ABI_SHARED_ALIGN;
    cluster->slab = cdp_slab_take(&executor->slabs, cluster->stride * size);
    if (cluster->slab == NULL) {
        destroy(executor, cluster);
        return NULL;
    }
    /* With AddressSanitizer, the part of a block may be accessed while the block runs. */
    cdp_sanitizer_poison(cluster->slab, cluster->stride * size);
    return cluster;
}

bool cdp_cluster_join(struct cdp_executor *executor, struct cdp_block *block, size_t shared,
                      char **slab)
{
    struct cdp_clusters *clusters = cdp_grid_clusters(block->grid);
    struct cdp_cluster_place place =
        cdp_cluster_place_of(clusters, block->view.block_idx, block->view.grid_dim);
    _Atomic(struct cdp_cluster *) *at = &clusters->of[place.cluster];
    /* Acquire pairs with the release of the worker that began the cluster. */
    struct cdp_cluster *cluster = atomic_load_explicit(at, memory_order_acquire);
    if (cluster == NULL) {
        struct cdp_cluster *own = begin(executor, block, clusters, shared);
        if (own == NULL) {
            return false;
        }
        if (atomic_compare_exchange_strong_explicit(at, &cluster, own, memory_order_acq_rel,
                                                    memory_order_acquire)) {
            cluster = own;
        } else {
            destroy(executor, own);
        }
    }
    block->slab.cluster = cluster;
    block->slab.rank = place.rank;
    atomic_store_explicit(&cluster->members[place.rank].state, CDP_MEMBER_RUNS,
                          memory_order_relaxed);
    *slab = cluster->slab != NULL ? cluster->slab + place.rank * cluster->stride : NULL;
    return true;
}

/* After a failure, some blocks of a cluster may never have joined it. */
static void destroy_table(struct cdp_executor *executor, struct cdp_clusters *clusters)
{
    for (uint32_t i = 0; i < clusters->count; i++) {
        struct cdp_cluster *cluster = atomic_load_explicit(&clusters->of[i], memory_order_relaxed);
        if (cluster != NULL) {
            destroy(executor, cluster);
        }
    }
    cdp_free(clusters);
}

void cdp_cluster_skip(struct cdp_executor *executor, struct cdp_grid *grid)
{
    struct cdp_clusters *clusters = cdp_grid_clusters(grid);
    /* Release, and acquire by the last one: what the other blocks did with the table. */
    if (clusters != NULL &&
        atomic_fetch_sub_explicit(&clusters->blocks_left, 1, memory_order_acq_rel) == 1) {
        destroy_table(executor, clusters);
    }
}

void cdp_cluster_leave(struct cdp_block *block)
{
    struct cdp_executor *executor = block->executor;
    struct cdp_cluster *cluster = block->slab.cluster;
    struct cdp_clusters *clusters = cdp_grid_clusters(block->grid);
    block->slab.cluster = NULL;
    if (cluster != NULL) {
        atomic_store_explicit(&cluster->members[block->slab.rank].state, CDP_MEMBER_ENDED,
                              memory_order_relaxed);
        cdp_cluster_block_ended(cluster, block->slab.rank);
        /* As above. */
        if (atomic_fetch_sub_explicit(&cluster->blocks_left, 1, memory_order_acq_rel) == 1) {
            if (clusters != NULL) {
                struct cdp_cluster_place place =
                    cdp_cluster_place_of(clusters, block->view.block_idx, block->view.grid_dim);
                atomic_store_explicit(&clusters->of[place.cluster], NULL, memory_order_relaxed);
            }
            destroy(executor, cluster);
        }
    }
    cdp_cluster_skip(executor, block->grid);
}

/* ---- Threads that wait ---- */

static struct cdp_fiber_queue *queue_of(const struct cdp_block *block)
{
    struct cdp_cluster *cluster = block->slab.cluster;
    return cluster != NULL ? &cluster->members[block->slab.rank].waiting : NULL;
}

bool cdp_cluster_settle(struct cdp_block *block)
{
    struct cdp_fiber_queue *waiting = queue_of(block);
    if (waiting == NULL || waiting->head == NULL) {
        return false;
    }
    cdp_fiber_push(&block->ready, cdp_fiber_pop(waiting));
    return true;
}

void cdp_cluster_collect(struct cdp_block *block, struct cdp_fiber_queue *queue)
{
    struct cdp_fiber_queue *waiting = queue_of(block);
    if (waiting != NULL) {
        cdp_fiber_append(queue, waiting);
    }
}

void cdp_cluster_visit(const struct cdp_block *block, const struct cdp_wait_visitor *visitor)
{
    const struct cdp_fiber_queue *waiting = queue_of(block);
    struct cdp_wait wait = {.kind = CDP_WAIT_CLUSTER,
                            .fiber = waiting != NULL ? waiting->head : NULL};
    for (; wait.fiber != NULL; wait.fiber = wait.fiber->next) {
        visitor->visit(visitor->arg, &wait);
    }
}
