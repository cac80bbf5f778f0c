/* Graphs and stream capture: overloads of C++, and the calls with data of edges, as CUDA 13 declares
 * them. Included by api_cxx.h. */
#ifndef __CDP_GRAPH_CXX_H
#define __CDP_GRAPH_CXX_H

__CDP_WRAPPER cudaError_t cudaGraphInstantiate(cudaGraphExec_t *__exec, cudaGraph_t __graph,
                                               unsigned long long __flags = 0)
{
    return cudaGraphInstantiateWithFlags(__exec, __graph, __flags);
}
__CDP_WRAPPER cudaError_t cudaGraphInstantiate(cudaGraphExec_t *__exec, cudaGraph_t __graph,
                                               cudaGraphNode_t *, char *, size_t)
{
    return cudaGraphInstantiateWithFlags(__exec, __graph, 0);
}
__CDP_WRAPPER cudaError_t cudaGraphAddNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                           const cudaGraphNode_t *__deps,
                                           const cudaGraphEdgeData *__edges, size_t __dep_count,
                                           struct cudaGraphNodeParams *__params)
{
    return cudaGraphAddNode_v2(__node, __graph, __deps, __edges, __dep_count, __params);
}
__CDP_WRAPPER cudaError_t cudaGraphAddDependencies(cudaGraph_t __graph,
                                                   const cudaGraphNode_t *__from,
                                                   const cudaGraphNode_t *__to,
                                                   const cudaGraphEdgeData *__edges, size_t __count)
{
    return cudaGraphAddDependencies_v2(__graph, __from, __to, __edges, __count);
}
__CDP_WRAPPER cudaError_t cudaGraphRemoveDependencies(cudaGraph_t __graph,
                                                      const cudaGraphNode_t *__from,
                                                      const cudaGraphNode_t *__to,
                                                      const cudaGraphEdgeData *__edges,
                                                      size_t __count)
{
    return cudaGraphRemoveDependencies_v2(__graph, __from, __to, __edges, __count);
}
__CDP_WRAPPER cudaError_t cudaGraphGetEdges(cudaGraph_t __graph, cudaGraphNode_t *__from,
                                            cudaGraphNode_t *__to, cudaGraphEdgeData *__edges,
                                            size_t *__count)
{
    return cudaGraphGetEdges_v2(__graph, __from, __to, __edges, __count);
}
__CDP_WRAPPER cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t __node,
                                                       cudaGraphNode_t *__deps,
                                                       cudaGraphEdgeData *__edges, size_t *__count)
{
    return cudaGraphNodeGetDependencies_v2(__node, __deps, __edges, __count);
}
__CDP_WRAPPER cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t __node,
                                                         cudaGraphNode_t *__nodes,
                                                         cudaGraphEdgeData *__edges,
                                                         size_t *__count)
{
    return cudaGraphNodeGetDependentNodes_v2(__node, __nodes, __edges, __count);
}
__CDP_WRAPPER cudaError_t cudaGraphExecUpdate(cudaGraphExec_t __exec, cudaGraph_t __graph,
                                              cudaGraphNode_t *__error_node,
                                              enum cudaGraphExecUpdateResult *__result)
{
    cudaGraphExecUpdateResultInfo __info = {};
    const cudaError_t __error = cudaGraphExecUpdate(__exec, __graph, &__info);
    if (__error_node) {
        *__error_node = __info.errorNode;
    }
    if (__result) {
        *__result = __info.result;
    }
    return __error;
}
__CDP_WRAPPER cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t __stream,
                                                              cudaGraphNode_t *__deps,
                                                              const cudaGraphEdgeData *__edges,
                                                              size_t __dep_count,
                                                              unsigned int __flags)
{
    return cudaStreamUpdateCaptureDependencies_v2(__stream, __deps, __edges, __dep_count, __flags);
}
/* With four arguments the third one is CUDA 12's number of dependencies, as in the C function, or
 * CUDA 13's data of edges: a pointer, nullptr or NULL. A default for __flags above would make 0
 * ambiguous. NULL is a long: with dependencies it is no number of them. */
__CDP_WRAPPER cudaError_t __cdp_add_dependencies(cudaStream_t __stream, cudaGraphNode_t *__deps,
                                                 const cudaGraphEdgeData *__edges,
                                                 size_t __dep_count)
{
    return cudaStreamUpdateCaptureDependencies_v2(__stream, __deps, __edges, __dep_count, 0);
}
__CDP_WRAPPER cudaError_t __cdp_add_dependencies(cudaStream_t __stream, cudaGraphNode_t *__deps,
                                                 long __third, size_t __fourth)
{
    return __third == 0 && __deps
               ? cudaStreamUpdateCaptureDependencies_v2(__stream, __deps, 0, __fourth, 0)
               : cudaStreamUpdateCaptureDependencies_v2(__stream, __deps, 0, (size_t)__third,
                                                        (unsigned int)__fourth);
}
template <class __T> struct __cdp_edges;
template <> struct __cdp_edges<long> {
    typedef cudaError_t __result;
};
template <class __Edge> struct __cdp_edges<__Edge *> {
    typedef cudaError_t __result;
};
template <> struct __cdp_edges<decltype(nullptr)> {
    typedef cudaError_t __result;
};
template <class __Edges>
__CDP_WRAPPER typename __cdp_edges<__Edges>::__result
cudaStreamUpdateCaptureDependencies(cudaStream_t __stream, cudaGraphNode_t *__deps, __Edges __edges,
                                    size_t __dep_count)
{
    return __cdp_add_dependencies(__stream, __deps, __edges, __dep_count);
}
__CDP_WRAPPER cudaError_t cudaStreamGetCaptureInfo(
    cudaStream_t __stream, enum cudaStreamCaptureStatus *__status, unsigned long long *__id = 0,
    cudaGraph_t *__graph = 0, const cudaGraphNode_t **__deps = 0, size_t *__dep_count = 0)
{
    return cudaStreamGetCaptureInfo_v2(__stream, __status, __id, __graph, __deps, __dep_count);
}
__CDP_WRAPPER cudaError_t cudaStreamGetCaptureInfo(cudaStream_t __stream,
                                                   enum cudaStreamCaptureStatus *__status,
                                                   unsigned long long *__id, cudaGraph_t *__graph,
                                                   const cudaGraphNode_t **__deps,
                                                   const cudaGraphEdgeData **__edges,
                                                   size_t *__dep_count)
{
    return cudaStreamGetCaptureInfo_v3(__stream, __status, __id, __graph, __deps, __edges,
                                       __dep_count);
}

/* A symbol by its name, of any type. */
template <class __T>
__CDP_WRAPPER cudaError_t cudaGraphAddMemcpyNodeToSymbol(
    cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__deps, size_t __count,
    const __T &__symbol, const void *__src, size_t __size, size_t __offset,
    enum cudaMemcpyKind __kind)
{
    return cudaGraphAddMemcpyNodeToSymbol(__node, __graph, __deps, __count,
                                          (const void *)&__symbol, __src, __size, __offset, __kind);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__deps, size_t __count,
    void *__dst, const __T &__symbol, size_t __size, size_t __offset, enum cudaMemcpyKind __kind)
{
    return cudaGraphAddMemcpyNodeFromSymbol(__node, __graph, __deps, __count, __dst,
                                            (const void *)&__symbol, __size, __offset, __kind);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(
    cudaGraphNode_t __node, const __T &__symbol, const void *__src, size_t __size, size_t __offset,
    enum cudaMemcpyKind __kind)
{
    return cudaGraphMemcpyNodeSetParamsToSymbol(__node, (const void *)&__symbol, __src, __size,
                                                __offset, __kind);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(
    cudaGraphNode_t __node, void *__dst, const __T &__symbol, size_t __size, size_t __offset,
    enum cudaMemcpyKind __kind)
{
    return cudaGraphMemcpyNodeSetParamsFromSymbol(__node, __dst, (const void *)&__symbol, __size,
                                                  __offset, __kind);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t __exec, cudaGraphNode_t __node, const __T &__symbol, const void *__src,
    size_t __size, size_t __offset, enum cudaMemcpyKind __kind)
{
    return cudaGraphExecMemcpyNodeSetParamsToSymbol(__exec, __node, (const void *)&__symbol, __src,
                                                    __size, __offset, __kind);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t __exec, cudaGraphNode_t __node, void *__dst, const __T &__symbol, size_t __size,
    size_t __offset, enum cudaMemcpyKind __kind)
{
    return cudaGraphExecMemcpyNodeSetParamsFromSymbol(
        __exec, __node, __dst, (const void *)&__symbol, __size, __offset, __kind);
}

#endif
