/* Attributes of kernel nodes. */
#include "cuda_runtime_api.h"

#include <string.h>

#include "api/cluster.h"
#include "api/error.h"
#include "api/graph.h"
#include "api/graph_updatable.h"
#include "api/stream_attribute.h"
#include "exec/report/profile.h"

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

static cudaError_t set_cluster(struct cdp_node *node, dim3 requested)
{
    struct cdp_launch *order = &node->work.launch.order;
    uint32_t dim[3];
    if (node->work.launch.updatable != NULL) {
        return cudaErrorNotSupported;
    }
    const dim3 grid = {order->grid_dim[0], order->grid_dim[1], order->grid_dim[2]};
    cudaError_t error = cdp_cluster_of_launch(order->kernel, requested, grid, dim);
    if (error == cudaSuccess) {
        memcpy(order->cluster_dim, dim, sizeof dim);
    }
    return error;
}

static cudaError_t set_window(struct cdp_node *node, const struct cudaAccessPolicyWindow *window)
{
    if (!cdp_access_window_is_valid(window)) {
        return cudaErrorInvalidValue;
    }
    node->work.launch.hints.window = *window;
    return cudaSuccess;
}

/* Attributes that CUDA has, but not here; and others. */
static cudaError_t error_of_other(cudaLaunchAttributeID attr)
{
    return (int)attr > cudaLaunchAttributeIgnore &&
                   (int)attr <= cudaLaunchAttributeDeviceUpdatableKernelNode + 1
               ? cudaErrorNotSupported
               : cudaErrorInvalidValue;
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID attr,
                                            const cudaLaunchAttributeValue *value)
{
    CDP_PROFILE_CALL();
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
    case cudaLaunchAttributeClusterDimension:
        error = set_cluster(node,
                            (dim3){value->clusterDim.x, value->clusterDim.y, value->clusterDim.z});
        break;
    case cudaLaunchAttributePriority:
        node->work.launch.hints.priority = value->priority;
        break;
    case cudaLaunchAttributeAccessPolicyWindow:
        error = set_window(node, &value->accessPolicyWindow);
        break;
    default:
        error = error_of_other(attr);
    }
    return error != cudaSuccess ? cdp_api_fail(error) : cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value)
{
    CDP_PROFILE_CALL();
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
    case cudaLaunchAttributeClusterDimension:
        value->clusterDim.x = launch->order.cluster_dim[0];
        value->clusterDim.y = launch->order.cluster_dim[1];
        value->clusterDim.z = launch->order.cluster_dim[2];
        return cudaSuccess;
    case cudaLaunchAttributePriority:
        value->priority = launch->hints.priority;
        return cudaSuccess;
    case cudaLaunchAttributeAccessPolicyWindow:
        value->accessPolicyWindow = launch->hints.window;
        return cudaSuccess;
    default:
        return cdp_api_fail(error_of_other(attr));
    }
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from)
{
    CDP_PROFILE_CALL();
    struct cdp_node *target, *source;
    cudaError_t error = find_kernel(to, &target);
    error = error != cudaSuccess ? error : find_kernel(from, &source);
    if (error != cudaSuccess) {
        return error;
    }
    if (target->work.launch.updatable != NULL || source->work.launch.updatable != NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    const struct cdp_launch *order = &source->work.launch.order;
    const uint32_t *dim = order->cluster_dim;
    if (!cdp_cluster_is_given(order->kernel) &&
        !cdp_cluster_is_given(target->work.launch.order.kernel)) {
        error = set_cluster(target, (dim3){dim[0], dim[1], dim[2]});
    }
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    target->work.launch.order.is_cooperative = order->is_cooperative;
    target->work.launch.hints = source->work.launch.hints;
    return cudaSuccess;
}
