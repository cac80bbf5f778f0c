/* Kernel nodes that kernels change (CUDA's manual, "cudaLaunchAttributeDeviceUpdatableKernelNode").
 *
 * Such a node of a graph has a handle for device code. It names the node's copy in the only
 * executable graph of that graph. A kernel may change a node that comes after it in the same
 * launch. So the node is a hold of its stream (stream/stream.h), and reads what it launches when
 * its turn comes. */
#ifndef CDP_API_GRAPH_UPDATABLE_H
#define CDP_API_GRAPH_UPDATABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver_types.h"

#include "base/attr.h"
#include "base/status.h"

struct cdp_graph;
struct cdp_runtime;
struct cdp_updatable;
struct cdp_work;

/* Makes the kernel of a node changeable; again: nothing. */
cudaError_t cdp_updatable_make(struct cdp_work *work);
uint64_t cdp_updatable_handle(const struct cdp_updatable *updatable);
/* A further reference, for a copy of the work. */
struct cdp_updatable *cdp_updatable_retain(struct cdp_updatable *updatable);
/* The work of a node that is changeable, or not, ends. */
void cdp_updatable_release(struct cdp_work *work);
/* Replaces a kernel of a node by another one. Takes over what the new one owns. */
void cdp_updatable_replace(struct cdp_work *work, struct cdp_work *fresh);
bool cdp_graph_has_updatables(const struct cdp_graph *graph);

/* The work is that of an executable graph, which device code may change from now on. */
cudaError_t cdp_updatable_bind(struct cdp_runtime *runtime, struct cdp_work *work);
/* Queues the kernel. environment: see struct cdp_launch. */
enum cdp_status cdp_updatable_queue(struct cdp_updatable *updatable, uint64_t stream,
                                    void *environment) CDP_MUST_CHECK;

/* A change by device code on that device. */
struct cdp_node_change {
    enum cudaGraphKernelNodeField field;
    dim3 grid;
    const void *value; /* size bytes of the parameters, from the offset */
    size_t offset, size;
    bool is_enabled;
};
/* NULL, or why it is refused. */
const char *cdp_updatable_change(uint64_t handle, unsigned device,
                                 const struct cdp_node_change *change);

#endif
