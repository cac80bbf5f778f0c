/* Other interfaces' memory and semaphores, and writes of other devices, in the driver API: not
 * supported. Included by cuda.h. */
#ifndef __CDP_CU_EXTERNAL_H
#define __CDP_CU_EXTERNAL_H

#include "cu_external_types.h"
#include "cu_graph_types.h"

typedef enum CUflushGPUDirectRDMAWritesTarget_enum {
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX = 0
} CUflushGPUDirectRDMAWritesTarget;
typedef enum CUflushGPUDirectRDMAWritesScope_enum {
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER = 100,
    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES = 200
} CUflushGPUDirectRDMAWritesScope;

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuImportExternalMemory(CUexternalMemory *__memory,
                                const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *__desc);
CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr *__ptr, CUexternalMemory __memory,
                                         const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *__desc);
CUresult
cuExternalMemoryGetMappedMipmappedArray(CUmipmappedArray *__array, CUexternalMemory __memory,
                                        const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *__desc);
CUresult cuDestroyExternalMemory(CUexternalMemory __memory);
CUresult cuImportExternalSemaphore(CUexternalSemaphore *__semaphore,
                                   const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *__desc);
CUresult cuDestroyExternalSemaphore(CUexternalSemaphore __semaphore);
CUresult cuSignalExternalSemaphoresAsync(const CUexternalSemaphore *__semaphores,
                                         const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *__params,
                                         unsigned int __count, CUstream __stream);
CUresult cuWaitExternalSemaphoresAsync(const CUexternalSemaphore *__semaphores,
                                       const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *__params,
                                       unsigned int __count, CUstream __stream);
CUresult cuGraphAddExternalSemaphoresSignalNode(CUgraphNode *__node, CUgraph __graph,
                                                const CUgraphNode *__deps, size_t __dep_count,
                                                const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *__params);
CUresult cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode __node,
                                                      CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *__params);
CUresult
cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode __node,
                                             const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *__params);
CUresult
cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec __exec, CUgraphNode __node,
                                                 const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *__params);
CUresult cuGraphAddExternalSemaphoresWaitNode(CUgraphNode *__node, CUgraph __graph,
                                              const CUgraphNode *__deps, size_t __dep_count,
                                              const CUDA_EXT_SEM_WAIT_NODE_PARAMS *__params);
CUresult cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode __node,
                                                    CUDA_EXT_SEM_WAIT_NODE_PARAMS *__params);
CUresult cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode __node,
                                                    const CUDA_EXT_SEM_WAIT_NODE_PARAMS *__params);
CUresult
cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec __exec, CUgraphNode __node,
                                               const CUDA_EXT_SEM_WAIT_NODE_PARAMS *__params);
CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget __target,
                                    CUflushGPUDirectRDMAWritesScope __scope);

#ifdef __cplusplus
}
#endif

#endif
