/* The calls with data of edges, as CUDA 13 declares them. Included by cu_graph.h, in C++. */
#ifndef __CDP_CU_GRAPH_CXX_H
#define __CDP_CU_GRAPH_CXX_H

static inline CUresult cuGraphAddDependencies(CUgraph __graph, const CUgraphNode *__from,
                                              const CUgraphNode *__to,
                                              const CUgraphEdgeData *__edges, size_t __count)
{
    return cuGraphAddDependencies_v2(__graph, __from, __to, __edges, __count);
}

static inline CUresult cuGraphRemoveDependencies(CUgraph __graph, const CUgraphNode *__from,
                                                 const CUgraphNode *__to,
                                                 const CUgraphEdgeData *__edges, size_t __count)
{
    return cuGraphRemoveDependencies_v2(__graph, __from, __to, __edges, __count);
}

static inline CUresult cuGraphGetEdges(CUgraph __graph, CUgraphNode *__from, CUgraphNode *__to,
                                       CUgraphEdgeData *__edges, size_t *__count)
{
    return cuGraphGetEdges_v2(__graph, __from, __to, __edges, __count);
}

static inline CUresult cuGraphNodeGetDependencies(CUgraphNode __node, CUgraphNode *__deps,
                                                  CUgraphEdgeData *__edges, size_t *__count)
{
    return cuGraphNodeGetDependencies_v2(__node, __deps, __edges, __count);
}

static inline CUresult cuGraphNodeGetDependentNodes(CUgraphNode __node, CUgraphNode *__nodes,
                                                    CUgraphEdgeData *__edges, size_t *__count)
{
    return cuGraphNodeGetDependentNodes_v2(__node, __nodes, __edges, __count);
}

static inline CUresult cuGraphAddNode(CUgraphNode *__node, CUgraph __graph,
                                      const CUgraphNode *__deps, const CUgraphEdgeData *__edges,
                                      size_t __n, CUgraphNodeParams *__params)
{
    return cuGraphAddNode_v2(__node, __graph, __deps, __edges, __n, __params);
}

static inline CUresult cuStreamGetCaptureInfo(CUstream __stream, CUstreamCaptureStatus *__status,
                                              cuuint64_t *__id, CUgraph *__graph,
                                              const CUgraphNode **__deps,
                                              const CUgraphEdgeData **__edges, size_t *__n)
{
    return cuStreamGetCaptureInfo_v3(__stream, __status, __id, __graph, __deps, __edges, __n);
}

static inline CUresult cuStreamUpdateCaptureDependencies(CUstream __stream, CUgraphNode *__deps,
                                                         const CUgraphEdgeData *__edges, size_t __n,
                                                         unsigned int __flags)
{
    return cuStreamUpdateCaptureDependencies_v2(__stream, __deps, __edges, __n, __flags);
}

#endif
