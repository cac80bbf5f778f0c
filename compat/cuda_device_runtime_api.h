/* The functions of the runtime that only device code may call. Functions that exist on both sides
 * are in cuda_runtime_api.h. */
#ifndef __CDP_CUDA_DEVICE_RUNTIME_API_H
#define __CDP_CUDA_DEVICE_RUNTIME_API_H

#include "cdp/hide.h"

#define __CUDA_DEVICE_RUNTIME_API_H__

#include "cuda_runtime_api.h"

#ifdef __CUDA__
/* Launches: clang calls the first pair for child<<<>>>(); user code may call all of them. */
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t __alignment, size_t __size);
__device__ cudaError_t cudaLaunchDevice(void *__func, void *__buffer, dim3 __grid, dim3 __block_dim,
                                        unsigned int __shared, cudaStream_t __stream);
__device__ void *cudaGetParameterBufferV2(void *__func, dim3 __grid, dim3 __block_dim,
                                          unsigned int __shared);
__device__ cudaError_t cudaLaunchDeviceV2(void *__buffer, cudaStream_t __stream);
/* The graph of which the kernel is a node; NULL: none that kernels may launch. */
__device__ cudaGraphExec_t cudaGetCurrentGraphExec(void);
/* Changes of kernel nodes that have cudaLaunchAttributeDeviceUpdatableKernelNode. */
__device__ cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t __node, size_t __offset,
                                                   const void *__value, size_t __size);
__device__ cudaError_t cudaGraphKernelNodeSetEnabled(cudaGraphDeviceNode_t __node, bool __enable);
__device__ cudaError_t cudaGraphKernelNodeSetGridDim(cudaGraphDeviceNode_t __node, dim3 __grid);
__device__ cudaError_t
cudaGraphKernelNodeUpdatesApply(const struct cudaGraphKernelNodeUpdate *__updates, size_t __count);
/* In kernels of a graph: the value of a condition of its conditional nodes. */
__device__ void cudaGraphSetConditional(cudaGraphConditionalHandle __handle, unsigned int __value);
}
template <class __T>
static __device__ inline cudaError_t
cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t __node, size_t __offset, const __T &__value)
{
    return cudaGraphKernelNodeSetParam(__node, __offset, &__value, sizeof(__T));
}
/* The first guide's form: a buffer for as many parameters as its generation allows. It is in a
 * namespace, because clang assumes that any global function with this name is the one above. */
inline namespace __cdp_first_guide
{
static __device__ inline cudaError_t cudaGetParameterBuffer(void **__params)
{
    *__params = ::cudaGetParameterBuffer(64, 4096);
    return *__params != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}
} // namespace __cdp_first_guide
/* CUB 11.6 and later calls this in device code. */
#if defined(__CDP_MODE) && __CDP_MODE == 2
extern "C" __host__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
#else
static __device__ inline cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void)
{
    return cudaDeviceSynchronize();
}
#endif
/* A grid starts when the previous grid in its stream is complete. So there is nothing to wait for,
 * and no other grid that could start earlier. */
static __device__ inline void cudaGridDependencySynchronize(void)
{
}
static __device__ inline void cudaTriggerProgrammaticLaunchCompletion(void)
{
}
#endif

#include "cdp/show.h"

#endif
