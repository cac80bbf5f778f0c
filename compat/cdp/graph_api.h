/* Graphs and stream capture: "Graph Management" of NVIDIA's manual of the runtime API. Included by
 * cuda_runtime_api.h within its extern "C". */
#ifndef __CDP_GRAPH_API_H
#define __CDP_GRAPH_API_H

__CDP_BOTH cudaError_t cudaGraphLaunch(cudaGraphExec_t __exec, cudaStream_t __stream);
cudaError_t cudaGraphCreate(cudaGraph_t *__graph, unsigned int __flags);
cudaError_t cudaGraphDestroy(cudaGraph_t __graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t __exec);
cudaError_t cudaGraphUpload(cudaGraphExec_t __exec, cudaStream_t __stream);
cudaError_t cudaGraphClone(cudaGraph_t *__clone, cudaGraph_t __graph);
cudaError_t cudaGraphGetNodes(cudaGraph_t __graph, cudaGraphNode_t *__nodes, size_t *__count);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *__exec, cudaGraph_t __graph,
                                          unsigned long long __flags __CDP_DEFAULT(0));
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                   const cudaGraphNode_t *__deps, size_t __dep_count,
                                   const struct cudaKernelNodeParams *__params);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                   const cudaGraphNode_t *__deps, size_t __dep_count,
                                   const struct cudaMemcpy3DParms *__params);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                     const cudaGraphNode_t *__deps, size_t __dep_count, void *__dst,
                                     const void *__src, size_t __size, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                   const cudaGraphNode_t *__deps, size_t __dep_count,
                                   const struct cudaMemsetParams *__params);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                 const cudaGraphNode_t *__deps, size_t __dep_count,
                                 const struct cudaHostNodeParams *__params);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                  const cudaGraphNode_t *__deps, size_t __dep_count);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                     const cudaGraphNode_t *__deps, size_t __dep_count,
                                     struct cudaMemAllocNodeParams *__params);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                    const cudaGraphNode_t *__deps, size_t __dep_count, void *__ptr);
cudaError_t cudaGraphAddDependencies(cudaGraph_t __graph, const cudaGraphNode_t *__from,
                                     const cudaGraphNode_t *__to, size_t __count);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                             const cudaGraphNode_t *__deps, size_t __dep_count,
                             struct cudaGraphNodeParams *__params);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *__handle,
                                             cudaGraph_t __graph,
                                             unsigned int __initial __CDP_DEFAULT(0),
                                             unsigned int __flags __CDP_DEFAULT(0));
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t __node, struct cudaGraphNodeParams *__params);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                       struct cudaGraphNodeParams *__params);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                             const struct cudaKernelNodeParams *__params);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t __exec, cudaGraph_t __graph,
                                cudaGraphExecUpdateResultInfo *__info);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *__found, cudaGraphNode_t __original,
                                     cudaGraph_t __clone);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t __graph, cudaGraphNode_t *__nodes, size_t *__count);
cudaError_t cudaGraphGetEdges(cudaGraph_t __graph, cudaGraphNode_t *__from, cudaGraphNode_t *__to,
                              size_t *__count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t __node, cudaGraphNode_t *__deps,
                                         size_t *__count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t __node, cudaGraphNode_t *__nodes,
                                           size_t *__count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t __node, enum cudaGraphNodeType *__type);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t __node);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t __graph, const cudaGraphNode_t *__from,
                                        const cudaGraphNode_t *__to, size_t __count);
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t __graph, const cudaGraphNode_t *__from,
                                        const cudaGraphNode_t *__to,
                                        const cudaGraphEdgeData *__edges, size_t __count);
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t __graph, const cudaGraphNode_t *__from,
                                           const cudaGraphNode_t *__to,
                                           const cudaGraphEdgeData *__edges, size_t __count);
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t __graph, cudaGraphNode_t *__from,
                                 cudaGraphNode_t *__to, cudaGraphEdgeData *__edges,
                                 size_t *__count);
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t __node, cudaGraphNode_t *__deps,
                                            cudaGraphEdgeData *__edges, size_t *__count);
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t __node, cudaGraphNode_t *__nodes,
                                              cudaGraphEdgeData *__edges, size_t *__count);
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                const cudaGraphNode_t *__deps, const cudaGraphEdgeData *__edges,
                                size_t __dep_count, struct cudaGraphNodeParams *__params);
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                           const cudaGraphNode_t *__deps, size_t __dep_count,
                                           const void *__symbol, const void *__src, size_t __size,
                                           size_t __offset, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                             const cudaGraphNode_t *__deps, size_t __dep_count,
                                             void *__dst, const void *__symbol, size_t __size,
                                             size_t __offset, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                       const cudaGraphNode_t *__deps, size_t __dep_count,
                                       cudaGraph_t __child);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                        const cudaGraphNode_t *__deps, size_t __dep_count,
                                        cudaEvent_t __event);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                      const cudaGraphNode_t *__deps, size_t __dep_count,
                                      cudaEvent_t __event);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t __node, cudaGraph_t *__graph);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t __node,
                                         struct cudaKernelNodeParams *__params);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t __node,
                                         const struct cudaKernelNodeParams *__params);
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t __node, cudaLaunchAttributeID __attr,
                                            const cudaLaunchAttributeValue *__value);
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t __node, cudaLaunchAttributeID __attr,
                                            cudaLaunchAttributeValue *__value);
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t __to, cudaGraphNode_t __from);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t __node,
                                         struct cudaMemcpy3DParms *__params);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t __node,
                                         const struct cudaMemcpy3DParms *__params);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t __node, void *__dst, const void *__src,
                                           size_t __size, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t __node, const void *__symbol,
                                                 const void *__src, size_t __size, size_t __offset,
                                                 enum cudaMemcpyKind __kind);
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t __node, void *__dst,
                                                   const void *__symbol, size_t __size,
                                                   size_t __offset, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t __node, struct cudaMemsetParams *__params);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t __node,
                                         const struct cudaMemsetParams *__params);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t __node, struct cudaHostNodeParams *__params);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t __node,
                                       const struct cudaHostNodeParams *__params);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t __node,
                                           struct cudaMemAllocNodeParams *__params);
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t __node, void *__dptr_out);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t __node, cudaEvent_t *__event);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t __node, cudaEvent_t __event);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t __node, cudaEvent_t *__event);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t __node, cudaEvent_t __event);
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *__exec, cudaGraph_t __graph,
                                           cudaGraphInstantiateParams *__params);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t __exec, unsigned long long *__flags);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                             const struct cudaMemcpy3DParms *__params);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                               void *__dst, const void *__src, size_t __size,
                                               enum cudaMemcpyKind __kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                                     const void *__symbol, const void *__src,
                                                     size_t __size, size_t __offset,
                                                     enum cudaMemcpyKind __kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t __exec,
                                                       cudaGraphNode_t __node, void *__dst,
                                                       const void *__symbol, size_t __size,
                                                       size_t __offset, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                             const struct cudaMemsetParams *__params);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                           const struct cudaHostNodeParams *__params);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                                 cudaGraph_t __child);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                                 cudaEvent_t __event);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                               cudaEvent_t __event);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                    unsigned int __is_enabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                    unsigned int *__is_enabled);
cudaError_t cudaUserObjectCreate(cudaUserObject_t *__object, void *__pointer,
                                 cudaHostFn_t __destroy, unsigned int __count,
                                 unsigned int __flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t __object, unsigned int __count __CDP_DEFAULT(1));
cudaError_t cudaUserObjectRelease(cudaUserObject_t __object, unsigned int __count __CDP_DEFAULT(1));
cudaError_t cudaGraphRetainUserObject(cudaGraph_t __graph, cudaUserObject_t __object,
                                      unsigned int __count __CDP_DEFAULT(1),
                                      unsigned int __flags __CDP_DEFAULT(0));
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t __graph, cudaUserObject_t __object,
                                       unsigned int __count __CDP_DEFAULT(1));
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t __graph, const char *__path, unsigned int __flags);
cudaError_t cudaDeviceGetGraphMemAttribute(int __device, enum cudaGraphMemAttributeType __attr,
                                           void *__value);
cudaError_t cudaDeviceSetGraphMemAttribute(int __device, enum cudaGraphMemAttributeType __attr,
                                           void *__value);
cudaError_t cudaDeviceGraphMemTrim(int __device);
cudaError_t cudaStreamBeginCapture(cudaStream_t __stream, enum cudaStreamCaptureMode __mode);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t __stream, cudaGraph_t __graph,
                                          const cudaGraphNode_t *__deps,
                                          const cudaGraphEdgeData *__edges, size_t __dep_count,
                                          enum cudaStreamCaptureMode __mode);
cudaError_t cudaStreamEndCapture(cudaStream_t __stream, cudaGraph_t *__graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t __stream, enum cudaStreamCaptureStatus *__status);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t __stream,
                                        enum cudaStreamCaptureStatus *__status,
                                        unsigned long long *__id __CDP_DEFAULT(0),
                                        cudaGraph_t *__graph __CDP_DEFAULT(0),
                                        const cudaGraphNode_t **__deps __CDP_DEFAULT(0),
                                        size_t *__dep_count __CDP_DEFAULT(0));
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t __stream, cudaGraphNode_t *__deps,
                                                size_t __dep_count,
                                                unsigned int __flags __CDP_DEFAULT(0));
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t __stream, cudaGraphNode_t *__deps,
                                                   const cudaGraphEdgeData *__edges,
                                                   size_t __dep_count,
                                                   unsigned int __flags __CDP_DEFAULT(0));
cudaError_t cudaStreamGetCaptureInfo_v3(
    cudaStream_t __stream, enum cudaStreamCaptureStatus *__status,
    unsigned long long *__id __CDP_DEFAULT(0), cudaGraph_t *__graph __CDP_DEFAULT(0),
    const cudaGraphNode_t **__deps __CDP_DEFAULT(0),
    const cudaGraphEdgeData **__edges __CDP_DEFAULT(0), size_t *__dep_count __CDP_DEFAULT(0));
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *__mode);

#endif
