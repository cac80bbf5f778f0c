/* The driver API's graphs and stream capture. Included by cuda.h. */
#ifndef __CDP_CU_GRAPH_H
#define __CDP_CU_GRAPH_H

#include "cu_graph_types.h"

#define cuGraphInstantiate cuGraphInstantiateWithFlags
#define cuGraphExecUpdate cuGraphExecUpdate_v2
#define cuGraphAddKernelNode cuGraphAddKernelNode_v2
#define cuGraphKernelNodeGetParams cuGraphKernelNodeGetParams_v2
#define cuGraphKernelNodeSetParams cuGraphKernelNodeSetParams_v2
#define cuGraphExecKernelNodeSetParams cuGraphExecKernelNodeSetParams_v2
#define cuStreamBeginCapture cuStreamBeginCapture_v2
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v2

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Graphs ---- */
CUresult cuGraphCreate(CUgraph *__graph, unsigned int __flags);
CUresult cuGraphDestroy(CUgraph __graph);
CUresult cuGraphClone(CUgraph *__clone, CUgraph __graph);
CUresult cuGraphNodeFindInClone(CUgraphNode *__found, CUgraphNode __original, CUgraph __clone);
CUresult cuGraphDestroyNode(CUgraphNode __node);
CUresult cuGraphAddDependencies(CUgraph __graph, const CUgraphNode *__from, const CUgraphNode *__to,
                                size_t __count);
CUresult cuGraphAddDependencies_v2(CUgraph __graph, const CUgraphNode *__from,
                                   const CUgraphNode *__to, const CUgraphEdgeData *__edges,
                                   size_t __count);
CUresult cuGraphRemoveDependencies(CUgraph __graph, const CUgraphNode *__from,
                                   const CUgraphNode *__to, size_t __count);
CUresult cuGraphRemoveDependencies_v2(CUgraph __graph, const CUgraphNode *__from,
                                      const CUgraphNode *__to, const CUgraphEdgeData *__edges,
                                      size_t __count);
CUresult cuGraphGetNodes(CUgraph __graph, CUgraphNode *__nodes, size_t *__count);
CUresult cuGraphGetRootNodes(CUgraph __graph, CUgraphNode *__nodes, size_t *__count);
CUresult cuGraphGetEdges(CUgraph __graph, CUgraphNode *__from, CUgraphNode *__to, size_t *__count);
CUresult cuGraphGetEdges_v2(CUgraph __graph, CUgraphNode *__from, CUgraphNode *__to,
                            CUgraphEdgeData *__edges, size_t *__count);
CUresult cuGraphNodeGetDependencies(CUgraphNode __node, CUgraphNode *__deps, size_t *__count);
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode __node, CUgraphNode *__deps,
                                       CUgraphEdgeData *__edges, size_t *__count);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode __node, CUgraphNode *__nodes, size_t *__count);
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode __node, CUgraphNode *__nodes,
                                         CUgraphEdgeData *__edges, size_t *__count);
CUresult cuGraphNodeGetType(CUgraphNode __node, CUgraphNodeType *__type);
CUresult cuGraphDebugDotPrint(CUgraph __graph, const char *__path, unsigned int __flags);
CUresult cuUserObjectCreate(CUuserObject *__object, void *__ptr, CUhostFn __destroy,
                            unsigned int __count, unsigned int __flags);
CUresult cuUserObjectRetain(CUuserObject __object, unsigned int __count);
CUresult cuUserObjectRelease(CUuserObject __object, unsigned int __count);
CUresult cuGraphRetainUserObject(CUgraph __graph, CUuserObject __object, unsigned int __count,
                                 unsigned int __flags);
CUresult cuGraphReleaseUserObject(CUgraph __graph, CUuserObject __object, unsigned int __count);
CUresult cuDeviceGetGraphMemAttribute(CUdevice __device, CUgraphMem_attribute __attr,
                                      void *__value);
CUresult cuDeviceSetGraphMemAttribute(CUdevice __device, CUgraphMem_attribute __attr,
                                      void *__value);
CUresult cuDeviceGraphMemTrim(CUdevice __device);

/* ---- Nodes; __deps, __n: the nodes that come before ---- */
CUresult cuGraphAddNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__deps, size_t __n,
                        CUgraphNodeParams *__params);
CUresult cuGraphAddNode_v2(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__deps,
                           const CUgraphEdgeData *__edges, size_t __n, CUgraphNodeParams *__params);
CUresult cuGraphAddKernelNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__deps,
                              size_t __n, const CUDA_KERNEL_NODE_PARAMS *__params);
CUresult cuGraphKernelNodeGetParams(CUgraphNode __node, CUDA_KERNEL_NODE_PARAMS *__params);
CUresult cuGraphKernelNodeSetParams(CUgraphNode __node, const CUDA_KERNEL_NODE_PARAMS *__params);
CUresult cuGraphAddMemcpyNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__deps,
                              size_t __n, const CUDA_MEMCPY3D *__copy, CUcontext __context);
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode __node, CUDA_MEMCPY3D *__copy);
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode __node, const CUDA_MEMCPY3D *__copy);
CUresult cuGraphAddMemsetNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__deps,
                              size_t __n, const CUDA_MEMSET_NODE_PARAMS *__params,
                              CUcontext __context);
CUresult cuGraphMemsetNodeGetParams(CUgraphNode __node, CUDA_MEMSET_NODE_PARAMS *__params);
CUresult cuGraphMemsetNodeSetParams(CUgraphNode __node, const CUDA_MEMSET_NODE_PARAMS *__params);
CUresult cuGraphAddHostNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__deps,
                            size_t __n, const CUDA_HOST_NODE_PARAMS *__params);
CUresult cuGraphHostNodeGetParams(CUgraphNode __node, CUDA_HOST_NODE_PARAMS *__params);
CUresult cuGraphHostNodeSetParams(CUgraphNode __node, const CUDA_HOST_NODE_PARAMS *__params);
CUresult cuGraphAddChildGraphNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__deps,
                                  size_t __n, CUgraph __child);
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode __node, CUgraph *__graph);
CUresult cuGraphAddEmptyNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__deps,
                             size_t __n);
CUresult cuGraphAddEventRecordNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__deps,
                                   size_t __n, CUevent __event);
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode __node, CUevent *__event);
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode __node, CUevent __event);
CUresult cuGraphAddEventWaitNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__deps,
                                 size_t __n, CUevent __event);
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode __node, CUevent *__event);
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode __node, CUevent __event);
CUresult cuGraphAddMemAllocNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__deps,
                                size_t __n, CUDA_MEM_ALLOC_NODE_PARAMS *__params);
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode __node, CUDA_MEM_ALLOC_NODE_PARAMS *__params);
CUresult cuGraphAddMemFreeNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__deps,
                               size_t __n, CUdeviceptr __ptr);
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode __node, CUdeviceptr *__ptr);
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *__handle, CUgraph __graph,
                                        CUcontext __context, unsigned int __initial,
                                        unsigned int __flags);

CUresult cuGraphNodeSetParams(CUgraphNode __node, CUgraphNodeParams *__params);
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode __node, CUkernelNodeAttrID __attr,
                                       const CUkernelNodeAttrValue *__value);
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode __node, CUkernelNodeAttrID __attr,
                                       CUkernelNodeAttrValue *__value);
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode __to, CUgraphNode __from);

/* ---- Executable graphs ---- */
CUresult cuGraphInstantiate(CUgraphExec *__exec, CUgraph __graph, unsigned long long __flags);
CUresult cuGraphInstantiateWithParams(CUgraphExec *__exec, CUgraph __graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *__params);
CUresult cuGraphExecGetFlags(CUgraphExec __exec, cuuint64_t *__flags);
CUresult cuGraphUpload(CUgraphExec __exec, CUstream __stream);
CUresult cuGraphLaunch(CUgraphExec __exec, CUstream __stream);
CUresult cuGraphExecDestroy(CUgraphExec __exec);
CUresult cuGraphExecUpdate(CUgraphExec __exec, CUgraph __graph,
                           CUgraphExecUpdateResultInfo *__info);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec __exec, CUgraphNode __node,
                                        const CUDA_KERNEL_NODE_PARAMS *__params);
CUresult cuGraphExecNodeSetParams(CUgraphExec __exec, CUgraphNode __node,
                                  CUgraphNodeParams *__params);
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec __exec, CUgraphNode __node,
                                        const CUDA_MEMCPY3D *__copy, CUcontext __context);
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec __exec, CUgraphNode __node,
                                        const CUDA_MEMSET_NODE_PARAMS *__params,
                                        CUcontext __context);
CUresult cuGraphExecHostNodeSetParams(CUgraphExec __exec, CUgraphNode __node,
                                      const CUDA_HOST_NODE_PARAMS *__params);
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec __exec, CUgraphNode __node,
                                            CUgraph __child);
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec __exec, CUgraphNode __node,
                                            CUevent __event);
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec __exec, CUgraphNode __node, CUevent __event);
CUresult cuGraphNodeSetEnabled(CUgraphExec __exec, CUgraphNode __node, unsigned int __is_enabled);
CUresult cuGraphNodeGetEnabled(CUgraphExec __exec, CUgraphNode __node, unsigned int *__is_enabled);

/* ---- Stream capture ---- */
CUresult cuStreamBeginCapture(CUstream __stream, CUstreamCaptureMode __mode);
CUresult cuStreamBeginCaptureToGraph(CUstream __stream, CUgraph __graph, const CUgraphNode *__deps,
                                     const CUgraphEdgeData *__edges, size_t __n,
                                     CUstreamCaptureMode __mode);
CUresult cuStreamEndCapture(CUstream __stream, CUgraph *__graph);
CUresult cuStreamIsCapturing(CUstream __stream, CUstreamCaptureStatus *__status);
CUresult cuStreamGetCaptureInfo(CUstream __stream, CUstreamCaptureStatus *__status,
                                cuuint64_t *__id, CUgraph *__graph, const CUgraphNode **__deps,
                                size_t *__n);
CUresult cuStreamGetCaptureInfo_v3(CUstream __stream, CUstreamCaptureStatus *__status,
                                   cuuint64_t *__id, CUgraph *__graph, const CUgraphNode **__deps,
                                   const CUgraphEdgeData **__edges, size_t *__n);
CUresult cuStreamUpdateCaptureDependencies(CUstream __stream, CUgraphNode *__deps, size_t __n,
                                           unsigned int __flags);
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream __stream, CUgraphNode *__deps,
                                              const CUgraphEdgeData *__edges, size_t __n,
                                              unsigned int __flags);
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *__mode);

#ifdef __cplusplus
}
#include "cu_graph_cxx.h"
#endif

#endif
