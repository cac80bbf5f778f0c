/* Work of a library (NCCL) that was captured. A program sees such a node as that of a kernel, whose
 * function and parameters it cannot read, as it is with the kernels of NVIDIA's libraries. */
#ifndef CDP_API_LIBRARY_WORK_H
#define CDP_API_LIBRARY_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "driver_types.h"

#include "base/attr.h"
#include "base/status.h"

/* The type of such nodes within the runtime. */
#define CDP_NODE_LIBRARY ((enum cudaGraphNodeType)31)

/* Life: counted, by the nodes that do it. The library's own struct begins with it. */
struct cdp_library_work {
    _Atomic unsigned references;
    /* Queues the work in a stream, at each launch of the graph. */
    enum cdp_status (*queue)(struct cdp_library_work *work, uint64_t stream);
    /* No node does it any more. May be called with the lock of the captures. */
    void (*free)(struct cdp_library_work *work);
};

/* The work becomes a node of the capture of the stream, and the node gets the reference. False: the
 * stream is not captured, or the call failed: the reference is still the caller's. *error: the
 * result of the call. */
bool cdp_capture_library(cudaStream_t stream, struct cdp_library_work *work,
                         cudaError_t *error) CDP_MUST_CHECK;

#endif
