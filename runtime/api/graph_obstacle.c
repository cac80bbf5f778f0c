/* Which graphs kernels may launch: those of kernels that launch no grids, copies, fills and child
 * graphs of these, on one device. */
#include "api/devices.h"
#include "api/graph.h"
#include "api/library_work.h"
#include "api/memory_ops.h"
#include "api/graph_run.h"
#include "mem/memmap.h"

/* Besides the parameters, the record of a launch has the environment. */
enum { MOST_PARAMS = 32 << 10, RECORD_EXTRAS = 64 };

/* Arrays, and memory of the host that CUDA does not know. */
static bool may_be_copied(const struct cdp_work_transfer *transfer)
{
    const struct cudaMemcpy3DParms *params = &transfer->params.copy;
    return params->srcArray == NULL && params->dstArray == NULL &&
           cdp_memmap_space(transfer->transfer.copy.from.base) != CDP_SPACE_HOST &&
           cdp_memmap_space(transfer->transfer.copy.to.base) != CDP_SPACE_HOST;
}

static bool may_be_launched(const struct cdp_work *work)
{
    const struct cdp_abi_kernel *kernel;
    switch ((int)work->type) {
    case cudaGraphNodeTypeKernel:
        kernel = work->launch.order.kernel;
        return kernel->param_size <= MOST_PARAMS - RECORD_EXTRAS &&
               (kernel->flags & CDP_KERNEL_LAUNCHES) == 0;
    case cudaGraphNodeTypeMemcpy:
        return may_be_copied(&work->transfer);
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeGraph:
        return true;
    default:
        return false;
    }
}

bool cdp_graph_may_be_launched(const struct cdp_graph *graph, struct cdp_graph_obstacle *obstacle)
{
    *obstacle = (struct cdp_graph_obstacle){.result = cudaGraphInstantiateError};
    if (graph->count == 0) {
        return false;
    }
    for (size_t i = 0; i < graph->count; i++) {
        const struct cdp_work *work = &graph->nodes[i]->work;
        *obstacle = (struct cdp_graph_obstacle){
            .node = graph->nodes[i], .result = cudaGraphInstantiateNodeOperationNotSupported};
        if (!may_be_launched(work)) {
            return false;
        }
        if (work->type == cudaGraphNodeTypeKernel &&
            work->launch.order.device != cdp_device_number) {
            obstacle->result = cudaGraphInstantiateMultipleDevicesNotSupported;
            return false;
        }
        if (work->type == cudaGraphNodeTypeGraph &&
            !cdp_graph_may_be_launched(work->child, obstacle)) {
            return false;
        }
    }
    *obstacle = (struct cdp_graph_obstacle){.result = cudaGraphInstantiateSuccess};
    return true;
}

/* The host's functions and the program's events are queued when the host launches the graph, and
 * not in its turn. */
bool cdp_graph_may_launch(const struct cdp_graph *graph)
{
    bool has_kernel = false;
    for (size_t i = 0; i < graph->count; i++) {
        const struct cdp_work *work = &graph->nodes[i]->work;
        switch ((int)work->type) {
        case cudaGraphNodeTypeHost:
        case cudaGraphNodeTypeEventRecord:
        case cudaGraphNodeTypeWaitEvent:
        case CDP_NODE_MEMORY_OPS:
        case CDP_NODE_LIBRARY:
            return false;
        case cudaGraphNodeTypeKernel:
            if (work->launch.order.kernel->param_size > MOST_PARAMS - RECORD_EXTRAS) {
                return false;
            }
            has_kernel = true;
            break;
        default:
            break;
        }
    }
    return has_kernel;
}
