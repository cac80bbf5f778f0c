/* Clusters: groups of a grid's blocks that are resident together.  They meet at a barrier, and use
 * each other's shared memory. */
#ifndef CDP_EXEC_STATE_CLUSTER_H
#define CDP_EXEC_STATE_CLUSTER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exec/state/block.h"
#include "exec/state/grid.h"
#include "fiber/fiber.h"

enum cdp_cluster_state { CDP_MEMBER_NOT_STARTED, CDP_MEMBER_RUNS, CDP_MEMBER_ENDED };

/* One block's part of a cluster.  Only the worker that runs the block accesses it, except state. */
struct cdp_cluster_member {
    _Atomic uint32_t state; /* enum cdp_cluster_state; for checks */
    struct cdp_fiber_queue
        waiting; /* threads at the cluster's barrier, except the one that polls */
    bool has_poller;
    uint32_t ended;   /* threads that the barrier counts as ended */
    uint32_t arrived; /* live threads that have arrived in the phase, */
    uint32_t phase;   /* which is this one; of an earlier phase, arrived means 0 */
    uint32_t joined;  /* with the race check: the block has acquired the phases before this one */
};

/* A cluster.
 * Life: from the start of its first block until the threads of its last block have ended.  A block
 * without a cluster gets one of its own when it first uses the barrier.
 * Owner: the grid's table; a block's own cluster belongs to the block.
 * There is no lock.  All fields are const, unless their comment says otherwise. */
struct cdp_cluster {
    /* From bit 32: the number of the current phase.  From bit 16: threads that have ended.  Below:
     * threads that have arrived or ended.  Changed by all workers that run blocks of the cluster.
     */
    _Atomic uint64_t barrier;
    _Atomic uint32_t blocks_left; /* whose threads have not ended */
    uint32_t size;                /* blocks */
    uint32_t block_threads;
    _Atomic uint32_t first_segment; /* with the race check: of its first block; 0: not known */
    uint32_t logs[2]; /* their addresses name the logs of the race check; never accessed */
    char *slab;       /* the blocks' shared memory, in the order of their ranks; NULL: none */
    size_t stride;    /* bytes of each block; more than it uses */
    uint32_t *tokens; /* for each thread: 0, or 1 + the phase for which it arrived and has not
                         waited; only the thread's worker accesses it */
    struct cdp_cluster_member members[]; /* size of them; then the tokens */
};

/* The clusters of a grid.
 * Life: from the launch until the threads of the grid's last block have ended.
 * Owner: the grid's blocks, which count themselves off. */
struct cdp_clusters {
    uint32_t dim[3];                    /* of a cluster, in blocks; const */
    uint32_t count;                     /* const */
    _Atomic uint32_t blocks_left;       /* whose threads have not ended */
    _Atomic(struct cdp_cluster *) of[]; /* NULL: not begun, or ended */
};

/* Gives the grid clusters of dim blocks.  Its record has space for a barrier after the parameters.
 * The grid's kernel and device are set; it is not published yet.  False without memory. */
bool cdp_grid_set_clusters(struct cdp_grid *grid, const uint32_t grid_dim[3],
                           const uint32_t dim[3]);

/* NULL: the grid has no clusters. */
static inline struct cdp_clusters *cdp_grid_clusters(struct cdp_grid *grid)
{
    return cdp_grid_has_clusters(grid) ? cdp_grid_barrier(grid)->clusters : NULL;
}

/* The blocks of each of the grid's clusters; 1 if it has none. */
static inline uint32_t cdp_cluster_size(struct cdp_grid *grid)
{
    const struct cdp_clusters *clusters = cdp_grid_clusters(grid);
    return clusters != NULL ? clusters->dim[0] * clusters->dim[1] * clusters->dim[2] : 1;
}

/* Whether a range of memory is in the shared memory of a block of the cluster. */
static inline bool cdp_cluster_contains(const struct cdp_cluster *cluster, uintptr_t address,
                                        uint64_t size)
{
    uint64_t all = cluster->stride * cluster->size;
    return cluster->slab != NULL && address >= (uintptr_t)cluster->slab && size <= all &&
           address - (uintptr_t)cluster->slab <= all - size;
}

/* Whether the address is in the shared memory of another block of the block's cluster. */
static inline bool cdp_cluster_is_of_sibling(const struct cdp_block *block, const void *address)
{
    const struct cdp_cluster *cluster = block->slab.cluster;
    return cluster != NULL && cdp_cluster_contains(cluster, (uintptr_t)address, 1) &&
           (uintptr_t)address - (uintptr_t)block->view.shared >= block->view.shared_size;
}

/* The block whose shared memory has the address, which cdp_cluster_contains. */
static inline uint32_t cdp_cluster_rank_at(const struct cdp_cluster *cluster, const void *address)
{
    return (uint32_t)((size_t)((const char *)address - cluster->slab) / cluster->stride);
}

/* The index of a block's cluster in the grid, and the block's rank in it. */
struct cdp_cluster_place {
    uint32_t cluster, rank;
};
static inline struct cdp_cluster_place cdp_cluster_place_of(const struct cdp_clusters *clusters,
                                                            const uint32_t block_idx[3],
                                                            const uint32_t grid_dim[3])
{
    struct cdp_cluster_place place = {0};
    for (int i = 2; i >= 0; i--) {
        uint32_t dim = clusters->dim[i];
        place.cluster = place.cluster * (grid_dim[i] / dim) + block_idx[i] / dim;
        place.rank = place.rank * dim + block_idx[i] % dim;
    }
    return place;
}

#endif
