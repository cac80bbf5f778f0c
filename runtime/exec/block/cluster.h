/* Clusters: their blocks' shared memory, and their barrier. */
#ifndef CDP_EXEC_BLOCK_CLUSTER_H
#define CDP_EXEC_BLOCK_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "exec/state/cluster.h"
#include "exec/state/executor.h"

struct cdp_wait_visitor;

/* The block, whose index is set, joins its cluster, and gets its part of the cluster's shared
 * memory, or NULL if shared is 0.  False without memory. */
bool cdp_cluster_join(struct cdp_executor *executor, struct cdp_block *block, size_t shared,
                      char **slab) CDP_MUST_CHECK;
/* The block's threads have ended: the block leaves its cluster, and counts off at its grid's
 * clusters.  Also for a block that could not join. */
void cdp_cluster_leave(struct cdp_block *block);
/* The same for a block that did not start. */
void cdp_cluster_skip(struct cdp_executor *executor, struct cdp_grid *grid);

/* The thread has ended: the barrier does not wait for it. */
void cdp_cluster_thread_ended(struct cdp_block *block, const struct cdp_abi_thread *thread);
/* No thread of the block can run: one that waits for the cluster begins to poll.  False if none
 * waits. */
bool cdp_cluster_settle(struct cdp_block *block);
/* Moves the threads that wait at the cluster's barrier to the queue. */
void cdp_cluster_collect(struct cdp_block *block, struct cdp_fiber_queue *queue);
void cdp_cluster_visit(const struct cdp_block *block, const struct cdp_wait_visitor *visitor);

#endif
