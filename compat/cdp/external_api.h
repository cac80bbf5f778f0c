/* Other interfaces' memory and semaphores: "External Resource Interoperability" of NVIDIA's manual
 * of the runtime API, which is not supported. Included by cuda_runtime_api.h within its extern "C".
 */
#ifndef __CDP_EXTERNAL_API_H
#define __CDP_EXTERNAL_API_H

cudaError_t cudaImportExternalMemory(cudaExternalMemory_t *__memory,
                                     const struct cudaExternalMemoryHandleDesc *__desc);
cudaError_t cudaExternalMemoryGetMappedBuffer(void **__ptr, cudaExternalMemory_t __memory,
                                              const struct cudaExternalMemoryBufferDesc *__desc);
cudaError_t cudaExternalMemoryGetMappedMipmappedArray(
    cudaMipmappedArray_t *__array, cudaExternalMemory_t __memory,
    const struct cudaExternalMemoryMipmappedArrayDesc *__desc);
cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t __memory);
cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t *__semaphore,
                                        const struct cudaExternalSemaphoreHandleDesc *__desc);
cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t __semaphore);
cudaError_t
cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t *__semaphores,
                                  const struct cudaExternalSemaphoreSignalParams *__params,
                                  unsigned int __count, cudaStream_t __stream __CDP_DEFAULT(0));
cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t *__semaphores,
                                            const struct cudaExternalSemaphoreWaitParams *__params,
                                            unsigned int __count,
                                            cudaStream_t __stream __CDP_DEFAULT(0));
cudaError_t cudaGraphAddExternalSemaphoresSignalNode(
    cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__deps, size_t __dep_count,
    const struct cudaExternalSemaphoreSignalNodeParams *__params);
cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(
    cudaGraphNode_t __node, struct cudaExternalSemaphoreSignalNodeParams *__params);
cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(
    cudaGraphNode_t __node, const struct cudaExternalSemaphoreSignalNodeParams *__params);
cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(
    cudaGraphExec_t __exec, cudaGraphNode_t __node,
    const struct cudaExternalSemaphoreSignalNodeParams *__params);
cudaError_t
cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                       const cudaGraphNode_t *__deps, size_t __dep_count,
                                       const struct cudaExternalSemaphoreWaitNodeParams *__params);
cudaError_t
cudaGraphExternalSemaphoresWaitNodeGetParams(cudaGraphNode_t __node,
                                             struct cudaExternalSemaphoreWaitNodeParams *__params);
cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(
    cudaGraphNode_t __node, const struct cudaExternalSemaphoreWaitNodeParams *__params);
cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(
    cudaGraphExec_t __exec, cudaGraphNode_t __node,
    const struct cudaExternalSemaphoreWaitNodeParams *__params);
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget __target,
                                               enum cudaFlushGPUDirectRDMAWritesScope __scope);

#endif
