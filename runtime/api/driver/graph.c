/* Graphs of the driver API: those of the runtime API. */
#include "cuda_runtime_api.h"

#include "api/driver/driver.h"
#include "api/graph.h"

/* ---- Graphs ---- */

/* Needs no context, as an H100 showed. */
CUresult cuGraphCreate(CUgraph *graph, unsigned int flags)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin_any(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = cdp_driver_end(&call, cudaGraphCreate(graph, flags));
    return cdp_driver_made(result, CDP_LEAK_GRAPH, graph, __builtin_return_address(0));
}

CUresult cuGraphDestroy(CUgraph graph)
{
    CDP_DRIVER_CALL(cudaGraphDestroy(graph));
}

CUresult cuGraphClone(CUgraph *clone, CUgraph graph)
{
    CDP_DRIVER_MAKE(CDP_LEAK_GRAPH, clone, cudaGraphClone(clone, graph));
}

CUresult cuGraphNodeFindInClone(CUgraphNode *found, CUgraphNode original, CUgraph clone)
{
    CDP_DRIVER_CALL(cudaGraphNodeFindInClone(found, original, clone));
}

CUresult cuGraphDestroyNode(CUgraphNode node)
{
    CDP_DRIVER_CALL(cudaGraphDestroyNode(node));
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                size_t count)
{
    CDP_DRIVER_CALL(cudaGraphAddDependencies(graph, from, to, count));
}

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *edges, size_t count)
{
    CDP_DRIVER_CALL(cudaGraphAddDependencies_v2(graph, from, to, cdp_driver_edges(edges), count));
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   size_t count)
{
    CDP_DRIVER_CALL(cudaGraphRemoveDependencies(graph, from, to, count));
}

CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      const CUgraphEdgeData *edges, size_t count)
{
    CDP_DRIVER_CALL(
        cudaGraphRemoveDependencies_v2(graph, from, to, cdp_driver_edges(edges), count));
}

/* ---- Queries ---- */

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    CDP_DRIVER_CALL(cudaGraphGetNodes(graph, nodes, count));
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    CDP_DRIVER_CALL(cudaGraphGetRootNodes(graph, nodes, count));
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count)
{
    CDP_DRIVER_CALL(cudaGraphGetEdges(graph, from, to, count));
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                            CUgraphEdgeData *edges, size_t *count)
{
    CDP_DRIVER_CALL(cudaGraphGetEdges_v2(graph, from, to, cdp_driver_edges(edges), count));
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *deps, size_t *count)
{
    CDP_DRIVER_CALL(cudaGraphNodeGetDependencies(node, deps, count));
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *deps, CUgraphEdgeData *edges,
                                       size_t *count)
{
    CDP_DRIVER_CALL(cudaGraphNodeGetDependencies_v2(node, deps, cdp_driver_edges(edges), count));
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *count)
{
    CDP_DRIVER_CALL(cudaGraphNodeGetDependentNodes(node, nodes, count));
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes,
                                         CUgraphEdgeData *edges, size_t *count)
{
    CDP_DRIVER_CALL(cudaGraphNodeGetDependentNodes_v2(node, nodes, cdp_driver_edges(edges), count));
}

/* Types of nodes have the same numbers in both APIs. */
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type)
{
    enum cudaGraphNodeType found = cudaGraphNodeTypeEmpty;
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = cdp_driver_end(&call, cudaGraphNodeGetType(node, type == NULL ? NULL : &found));
    if (result == CUDA_SUCCESS) {
        *type = (CUgraphNodeType)found;
    }
    return result;
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned int flags)
{
    CDP_DRIVER_CALL(cudaGraphDebugDotPrint(graph, path, flags));
}

/* ---- Objects of the program ---- */

CUresult cuUserObjectCreate(CUuserObject *object, void *ptr, CUhostFn destroy, unsigned int count,
                            unsigned int flags)
{
    CDP_DRIVER_CALL(cudaUserObjectCreate(object, ptr, destroy, count, flags));
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned int count)
{
    CDP_DRIVER_CALL(cudaUserObjectRetain(object, count));
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned int count)
{
    CDP_DRIVER_CALL(cudaUserObjectRelease(object, count));
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count,
                                 unsigned int flags)
{
    CDP_DRIVER_CALL(cudaGraphRetainUserObject(graph, object, count, flags));
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count)
{
    CDP_DRIVER_CALL(cudaGraphReleaseUserObject(graph, object, count));
}

/* ---- Memory of graphs ---- */

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value)
{
    CDP_DRIVER_CALL(
        cudaDeviceGetGraphMemAttribute(device, (enum cudaGraphMemAttributeType)attr, value));
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value)
{
    CDP_DRIVER_CALL(
        cudaDeviceSetGraphMemAttribute(device, (enum cudaGraphMemAttributeType)attr, value));
}

CUresult cuDeviceGraphMemTrim(CUdevice device)
{
    CDP_DRIVER_CALL(cudaDeviceGraphMemTrim(device));
}

/* ---- Executable graphs ---- */

CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
    CDP_DRIVER_MAKE(CDP_LEAK_EXEC, exec, cudaGraphInstantiateWithFlags(exec, graph, flags));
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || params == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    cudaGraphInstantiateParams how = {.flags = params->flags,
                                      .uploadStream = params->hUploadStream};
    result = cdp_driver_end(&call, cudaGraphInstantiateWithParams(exec, graph, &how));
    params->hErrNode_out = how.errNode_out;
    params->result_out = (CUgraphInstantiateResult)how.result_out;
    return cdp_driver_made(result, CDP_LEAK_EXEC, exec, __builtin_return_address(0));
}

CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t *flags)
{
    unsigned long long found = 0;
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result == CUDA_SUCCESS) {
        result = cdp_driver_end(&call, cudaGraphExecGetFlags(exec, flags == NULL ? NULL : &found));
    }
    if (result == CUDA_SUCCESS) {
        *flags = found;
    }
    return result;
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream stream)
{
    CDP_DRIVER_CALL(cudaGraphUpload(exec, stream));
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
    CDP_DRIVER_CALL(cudaGraphLaunch(exec, stream));
}

CUresult cuGraphExecDestroy(CUgraphExec exec)
{
    CDP_DRIVER_CALL(cudaGraphExecDestroy(exec));
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info)
{
    struct cdp_driver_call call;
    cudaGraphExecUpdateResultInfo found = {.result = cudaGraphExecUpdateSuccess};
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = cdp_driver_end(&call, cudaGraphExecUpdate(exec, graph, info == NULL ? NULL : &found));
    if (info != NULL) {
        *info = (CUgraphExecUpdateResultInfo){.result = (CUgraphExecUpdateResult)found.result,
                                              .errorNode = found.errorNode,
                                              .errorFromNode = found.errorFromNode};
    }
    return result;
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int is_enabled)
{
    CDP_DRIVER_CALL(cudaGraphNodeSetEnabled(exec, node, is_enabled));
}

CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int *is_enabled)
{
    CDP_DRIVER_CALL(cudaGraphNodeGetEnabled(exec, node, is_enabled));
}
