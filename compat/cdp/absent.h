/* Calls that do not exist in device code. Each has an overload for the device side beside the
 * host's function, so that the error message says what to use instead.
 *
 * The overload is never chosen (enable_if). It is only listed, with its hint, if no other function
 * fits. An unavailable overload would be chosen and be an error, also in functions of both sides
 * that only the host calls. Every lambda in host code is such a function. */
#ifndef __CDP_ABSENT_H
#define __CDP_ABSENT_H

#include "../cuda_runtime_api.h"

#define __CDP_ABSENT(hint)                                                                         \
    __device__ __attribute__((__enable_if__(false, "it does not exist in device code" hint)))

extern "C" {
__CDP_ABSENT("; use cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)")
cudaError_t cudaStreamCreate(cudaStream_t *__stream);
__CDP_ABSENT("; use cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)")
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *__stream, unsigned int __flags,
                                         int __priority);
__CDP_ABSENT("; streams order device work, device code cannot wait for one")
cudaError_t cudaStreamSynchronize(cudaStream_t __stream);
__CDP_ABSENT("; streams order device work, device code cannot query them")
cudaError_t cudaStreamQuery(cudaStream_t __stream);
__CDP_ABSENT("; use cudaEventCreateWithFlags(&e, cudaEventDisableTiming)")
cudaError_t cudaEventCreate(cudaEvent_t *__event);
__CDP_ABSENT("; use cudaStreamWaitEvent")
cudaError_t cudaEventSynchronize(cudaEvent_t __event);
__CDP_ABSENT("; use cudaStreamWaitEvent")
cudaError_t cudaEventQuery(cudaEvent_t __event);
__CDP_ABSENT("; use clock64()")
cudaError_t cudaEventElapsedTime(float *__ms, cudaEvent_t __start, cudaEvent_t end);
__CDP_ABSENT("; a kernel stays on its device")
cudaError_t cudaSetDevice(int __device);
__CDP_ABSENT("; use cudaDeviceGetAttribute")
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *__prop, int __device);
__CDP_ABSENT("; set it on the host, kernels inherit it")
cudaError_t cudaDeviceSetLimit(enum cudaLimit __limit, size_t __value);
__CDP_ABSENT("; set it on the host, kernels inherit it")
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache __config);
__CDP_ABSENT("; a kernel cannot end the device it runs on, reset it on the host")
cudaError_t cudaDeviceReset(void);
__CDP_ABSENT("; query it on the host and pass the result to the kernel")
cudaError_t cudaDeviceGetP2PAttribute(int *__value, enum cudaDeviceP2PAttr __attr, int __src,
                                      int __dst);
__CDP_ABSENT("; use cudaMemcpyAsync")
cudaError_t cudaMemcpy(void *__dst, const void *__src, size_t __size, enum cudaMemcpyKind __kind);
__CDP_ABSENT("; use cudaMemsetAsync")
cudaError_t cudaMemset(void *__ptr, int __value, size_t __size);
__CDP_ABSENT("; query it on the host, or use cudaDeviceGetLimit for the size of the device's heap")
cudaError_t cudaMemGetInfo(size_t *free, size_t *__total);
__CDP_ABSENT("; use cudaMemcpy2DAsync")
cudaError_t cudaMemcpy2D(void *__dst, size_t __dst_pitch, const void *__src, size_t __src_pitch,
                         size_t __width, size_t __height, enum cudaMemcpyKind __kind);
__CDP_ABSENT("; use cudaMemset2DAsync")
cudaError_t cudaMemset2D(void *__ptr, size_t __pitch, int __value, size_t __width, size_t __height);
__CDP_ABSENT("; free it on the host")
cudaError_t cudaFreeHost(void *__ptr);
__CDP_ABSENT("; use cudaFree")
cudaError_t cudaFreeAsync(void *__ptr, cudaStream_t __stream);
__CDP_ABSENT("; use cudaRuntimeGetVersion")
cudaError_t cudaDriverGetVersion(int *__version);
__CDP_ABSENT("; use __isGlobal and the like")
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *__attr, const void *__ptr);
__CDP_ABSENT("; create it on the host and pass the object to the kernel")
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *__object,
                                    const struct cudaResourceDesc *__resource,
                                    const struct cudaTextureDesc *__texture,
                                    const struct cudaResourceViewDesc *__view);
__CDP_ABSENT("; destroy it on the host")
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t __object);
__CDP_ABSENT("; create it on the host and pass the object to the kernel")
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *__object,
                                    const struct cudaResourceDesc *__resource);
__CDP_ABSENT("; destroy it on the host")
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t __object);
__CDP_ABSENT("; use kernel<<<grid, block, shared, stream>>>(...)")
cudaError_t cudaLaunchKernel(const void *__func, dim3 __grid, dim3 __block_dim, void **__args,
                             size_t __shared, cudaStream_t __stream);
#if defined(__CDP_MODE) && __CDP_MODE == 2
__CDP_ABSENT("; launch the work that must follow into cudaStreamTailLaunch")
cudaError_t cudaThreadSynchronize(void);
__CDP_ABSENT(" with --cdp=2 (sm_90 and later); launch the work that must follow into cudaStreamTailLaunch, "
             "or compile with --cdp=1, or with -arch below sm_90")
cudaError_t cudaDeviceSynchronize(void);
#else
__CDP_ABSENT("; use cudaDeviceSynchronize")
cudaError_t cudaThreadSynchronize(void);
#endif
}
template <class __T>
__CDP_ABSENT("; assign to the variable")
cudaError_t
    cudaMemcpyToSymbol(const __T &__symbol, const void *__src, size_t __size, size_t __offset = 0,
                       enum cudaMemcpyKind __kind = cudaMemcpyHostToDevice);
template <class __T>
__CDP_ABSENT("; read the variable")
cudaError_t
    cudaMemcpyFromSymbol(void *__dst, const __T &__symbol, size_t __size, size_t __offset = 0,
                         enum cudaMemcpyKind __kind = cudaMemcpyDeviceToHost);
template <class __T>
__CDP_ABSENT("; use &variable")
cudaError_t cudaGetSymbolAddress(void **__ptr, const __T &__symbol);
template <class __T>
__CDP_ABSENT("; use cudaMalloc or malloc")
cudaError_t
    cudaMallocManaged(__T **__ptr, size_t __size, unsigned int __flags = cudaMemAttachGlobal);
template <class __T>
__CDP_ABSENT("; use cudaMalloc and compute the pitch")
cudaError_t cudaMallocPitch(__T **__ptr, size_t *__pitch, size_t __width, size_t __height);
template <class __T>
__CDP_ABSENT("; use cudaMalloc or malloc")
cudaError_t cudaMallocHost(__T **__ptr, size_t __size, unsigned int __flags = 0);
template <class __T>
__CDP_ABSENT("; use cudaMalloc or malloc")
cudaError_t cudaHostAlloc(__T **__ptr, size_t __size, unsigned int __flags);
template <class __T>
__CDP_ABSENT("; use cudaMalloc or malloc")
cudaError_t cudaMallocAsync(__T **__ptr, size_t __size, cudaStream_t __stream);
template <class __T>
__CDP_ABSENT("; use sizeof")
cudaError_t cudaGetSymbolSize(size_t *__size, const __T &__symbol);
template <class __T>
__CDP_ABSENT("; set it on the host, launches by kernels obey it")
cudaError_t cudaFuncSetAttribute(__T *__func, enum cudaFuncAttribute __attr, int __value);
template <class __T>
__CDP_ABSENT("; set it on the host")
cudaError_t cudaFuncSetCacheConfig(__T *__func, enum cudaFuncCache __config);
template <class __T>
__CDP_ABSENT("; use kernel<<<grid, block, shared, stream>>>(...)")
cudaError_t cudaLaunchCooperativeKernel(__T *__func, dim3 __grid, dim3 __block_dim, void **__args,
                                        size_t __shared = 0, cudaStream_t __stream = 0);
template <class... __P, class... __A>
__CDP_ABSENT("; use kernel<<<grid, block, shared, stream>>>(...)")
cudaError_t
    cudaLaunchKernelEx(const cudaLaunchConfig_t *__config, void (*__func)(__P...), __A &&...__args);

#undef __CDP_ABSENT

#endif
