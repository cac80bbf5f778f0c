/* What only device code may call of the runtime.  The functions that exist on
 * both sides are in cuda_runtime_api.h. */
#ifndef CDP_CUDA_DEVICE_RUNTIME_API_H
#define CDP_CUDA_DEVICE_RUNTIME_API_H

#define __CUDA_DEVICE_RUNTIME_API_H__

#include "cuda_runtime_api.h"

#ifdef __CUDA__
/* Launching: clang makes the first pair of child<<<>>>(); user code may call any. */
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void *func, void *buffer, dim3 grid, dim3 block,
                                        unsigned int shared, cudaStream_t stream);
__device__ void *cudaGetParameterBufferV2(void *func, dim3 grid, dim3 block, unsigned int shared);
__device__ cudaError_t cudaLaunchDeviceV2(void *buffer, cudaStream_t stream);
}
/* The first guide's form: a buffer for as many parameters as its generation allows.
 * In a namespace, as clang takes any function of this global name for the one above. */
inline namespace cdp_first_guide
{
static __device__ inline cudaError_t cudaGetParameterBuffer(void **params)
{
    *params = ::cudaGetParameterBuffer(64, 4096);
    return *params != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}
} // namespace cdp_first_guide
/* What CUB calls in device code from CUDA 11.6 on. */
#if defined(CDP_MODE) && CDP_MODE == 2
extern "C" __host__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
#else
static __device__ inline cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void)
{
    return cudaDeviceSynchronize();
}
#endif
/* A grid starts when the one before it in its stream is complete: there is nothing left to
 * wait for, and nobody to let start earlier. */
static __device__ inline void cudaGridDependencySynchronize(void)
{
}
static __device__ inline void cudaTriggerProgrammaticLaunchCompletion(void)
{
}
#endif

#endif
