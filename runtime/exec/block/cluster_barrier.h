/* The barrier of a cluster.  Internal to cluster.c and cluster_barrier.c. */
#ifndef CDP_EXEC_BLOCK_CLUSTER_BARRIER_H
#define CDP_EXEC_BLOCK_CLUSTER_BARRIER_H

#include "exec/state/cluster.h"

/* A cluster without shared memory, of which no block has ended.  NULL without memory. */
struct cdp_cluster *cdp_cluster_create(uint32_t size, uint32_t block_threads);

/* The block's threads have ended, perhaps without running. */
void cdp_cluster_block_ended(struct cdp_cluster *cluster, uint32_t rank);

#endif
