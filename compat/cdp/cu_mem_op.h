/* The driver API's stream memory operations, in streams and in nodes of graphs. Included by
 * cuda.h. */
#ifndef __CDP_CU_MEM_OP_H
#define __CDP_CU_MEM_OP_H

#include "cu_graph_types.h"
#include "cu_mem_op_types.h"

#define cuStreamWaitValue32 cuStreamWaitValue32_v2
#define cuStreamWaitValue64 cuStreamWaitValue64_v2
#define cuStreamWriteValue32 cuStreamWriteValue32_v2
#define cuStreamWriteValue64 cuStreamWriteValue64_v2
#define cuStreamBatchMemOp cuStreamBatchMemOp_v2

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuStreamWaitValue32(CUstream __stream, CUdeviceptr __address, cuuint32_t __value,
                             unsigned int __flags);
CUresult cuStreamWaitValue64(CUstream __stream, CUdeviceptr __address, cuuint64_t __value,
                             unsigned int __flags);
CUresult cuStreamWriteValue32(CUstream __stream, CUdeviceptr __address, cuuint32_t __value,
                              unsigned int __flags);
CUresult cuStreamWriteValue64(CUstream __stream, CUdeviceptr __address, cuuint64_t __value,
                              unsigned int __flags);
CUresult cuStreamBatchMemOp(CUstream __stream, unsigned int __count,
                            CUstreamBatchMemOpParams *__params, unsigned int __flags);

CUresult cuGraphAddBatchMemOpNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__deps,
                                  size_t __n, const CUDA_BATCH_MEM_OP_NODE_PARAMS *__params);
CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode __node,
                                        CUDA_BATCH_MEM_OP_NODE_PARAMS *__params);
CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode __node,
                                        const CUDA_BATCH_MEM_OP_NODE_PARAMS *__params);
CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec __exec, CUgraphNode __node,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS *__params);

#ifdef __cplusplus
}
#endif

#endif
