/* Which graphs kernels may launch: those of kernels, copies, fills and child graphs of these, on
 * one device. */
#include "api/devices.h"
#include "api/graph.h"
#include "api/graph_run.h"

/* Besides the parameters, the record of a launch has the environment. */
enum { MOST_PARAMS = 32 << 10, RECORD_EXTRAS = 64 };

static bool is_array(const struct cudaMemcpy3DParms *params)
{
    return params->srcArray != NULL || params->dstArray != NULL;
}

static bool may_be_launched(const struct cdp_work *work)
{
    switch ((int)work->type) {
    case cudaGraphNodeTypeKernel:
        return work->launch.order.kernel->param_size <= MOST_PARAMS - RECORD_EXTRAS;
    case cudaGraphNodeTypeMemcpy:
        return !is_array(&work->transfer.params.copy);
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeGraph:
        return true;
    default:
        return false;
    }
}

bool cdp_graph_may_be_launched(const struct cdp_graph *graph, struct cdp_graph_obstacle *obstacle)
{
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
