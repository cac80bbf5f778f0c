/* Attributes of kernel nodes. */
#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/graph.h"
#include "api/graph_updatable.h"

static cudaError_t find_kernel(cudaGraphNode_t handle, struct cdp_node **node)
{
    cudaError_t error = cdp_node_enter(handle, node);
    return error == cudaSuccess && (*node)->work.type != cudaGraphNodeTypeKernel
               ? cdp_api_fail(cudaErrorInvalidValue)
               : error;
}

static void describe(const struct cdp_updatable *updatable, cudaLaunchAttributeValue *value)
{
    uint64_t handle = updatable != NULL ? cdp_updatable_handle(updatable) : 0;
    value->deviceUpdatableKernelNode.deviceUpdatable = updatable != NULL;
    value->deviceUpdatableKernelNode.devNode = (cudaGraphDeviceNode_t)(void *)(uintptr_t)handle;
}

/* Once a kernel may change a node, it stays so. The program gets the node's handle in the value. */
static cudaError_t make_updatable(struct cdp_node *node, cudaLaunchAttributeValue *value)
{
    if (value->deviceUpdatableKernelNode.deviceUpdatable != 1) {
        return cudaErrorNotSupported;
    }
    if (node->graph->is_owned && !node->graph->is_body) { /* child graphs have no such nodes */
        return cudaErrorNotSupported;
    }
    cudaError_t error = cdp_updatable_make(&node->work);
    if (error == cudaSuccess) {
        describe(node->work.launch.updatable, value);
    }
    return error;
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID attr,
                                            const cudaLaunchAttributeValue *value)
{
    struct cdp_node *node;
    cudaError_t error = find_kernel(handle, &node);
    if (error != cudaSuccess) {
        return error;
    }
    if (value == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    switch ((int)attr) {
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
        /* CUDA writes the handle there, too. */
        error = make_updatable(node, (cudaLaunchAttributeValue *)(uintptr_t)value);
        break;
    case cudaLaunchAttributeCooperative:
        node->work.launch.order.is_cooperative = value->cooperative != 0;
        break;
    case cudaLaunchAttributePriority:
        node->work.launch.priority = value->priority;
        break;
    default:
        error = cudaErrorNotSupported;
    }
    return error != cudaSuccess ? cdp_api_fail(error) : cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value)
{
    struct cdp_node *node;
    cudaError_t error = find_kernel(handle, &node);
    if (error != cudaSuccess) {
        return error;
    }
    if (value == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    const struct cdp_work_launch *launch = &node->work.launch;
    switch ((int)attr) {
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
        describe(launch->updatable, value);
        return cudaSuccess;
    case cudaLaunchAttributeCooperative:
        value->cooperative = launch->order.is_cooperative;
        return cudaSuccess;
    case cudaLaunchAttributePriority:
        value->priority = launch->priority;
        return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
        value->clusterDim.x = launch->order.cluster_dim[0];
        value->clusterDim.y = launch->order.cluster_dim[1];
        value->clusterDim.z = launch->order.cluster_dim[2];
        return cudaSuccess;
    default:
        return cdp_api_fail(cudaErrorNotSupported);
    }
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from)
{
    struct cdp_node *target, *source;
    cudaError_t error = find_kernel(to, &target);
    error = error != cudaSuccess ? error : find_kernel(from, &source);
    if (error != cudaSuccess) {
        return error;
    }
    if (target->work.launch.updatable != NULL || source->work.launch.updatable != NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    target->work.launch.order.is_cooperative = source->work.launch.order.is_cooperative;
    target->work.launch.priority = source->work.launch.priority;
    return cudaSuccess;
}
