/* What does not exist in device code: an overload for the device side beside the
 * host's function, so that the message says what to use instead.
 *
 * The overload is never chosen (enable_if), only listed with its hint when nothing
 * else fits.  An unavailable one would be chosen, and be an error, also in functions
 * of both sides that only the host calls, which every lambda in host code is. */
#ifndef CDP_ABSENT_H
#define CDP_ABSENT_H

#include "../cuda_runtime_api.h"

#define CDP_ABSENT(hint)                                                                           \
    __device__ __attribute__((enable_if(false, "it does not exist in device code" hint)))

extern "C" {
CDP_ABSENT("; use cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)")
cudaError_t cudaStreamCreate(cudaStream_t *stream);
CDP_ABSENT("; use cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)")
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
CDP_ABSENT("; streams order device work, there is no waiting for one")
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
CDP_ABSENT("; streams order device work, there is no asking whether it is done")
cudaError_t cudaStreamQuery(cudaStream_t stream);
CDP_ABSENT("; use cudaEventCreateWithFlags(&e, cudaEventDisableTiming)")
cudaError_t cudaEventCreate(cudaEvent_t *event);
CDP_ABSENT("; use cudaStreamWaitEvent")
cudaError_t cudaEventSynchronize(cudaEvent_t event);
CDP_ABSENT("; use cudaStreamWaitEvent")
cudaError_t cudaEventQuery(cudaEvent_t event);
CDP_ABSENT("; use clock64()")
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);
CDP_ABSENT("; a kernel stays on its device")
cudaError_t cudaSetDevice(int device);
CDP_ABSENT("; use cudaDeviceGetAttribute")
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
CDP_ABSENT("; set it on the host, kernels inherit it")
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
CDP_ABSENT("; set it on the host, kernels inherit it")
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
CDP_ABSENT("; a kernel cannot end the device it runs on, reset it on the host")
cudaError_t cudaDeviceReset(void);
CDP_ABSENT("; ask on the host and pass the answer to the kernel")
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int src, int dst);
CDP_ABSENT("; use cudaMemcpyAsync")
cudaError_t cudaMemcpy(void *dst, const void *src, size_t size, enum cudaMemcpyKind kind);
CDP_ABSENT("; use cudaMemsetAsync")
cudaError_t cudaMemset(void *ptr, int value, size_t size);
CDP_ABSENT("; ask on the host, or cudaDeviceGetLimit for the size of the device's heap")
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
CDP_ABSENT("; use cudaMemcpy2DAsync")
cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind);
CDP_ABSENT("; use cudaMemset2DAsync")
cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width, size_t height);
CDP_ABSENT("; free it on the host")
cudaError_t cudaFreeHost(void *ptr);
CDP_ABSENT("; use cudaFree")
cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream);
CDP_ABSENT("; use cudaRuntimeGetVersion")
cudaError_t cudaDriverGetVersion(int *version);
CDP_ABSENT("; use __isGlobal and its kin")
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attr, const void *ptr);
CDP_ABSENT("; make it on the host and pass the object to the kernel")
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *texture,
                                    const struct cudaResourceViewDesc *view);
CDP_ABSENT("; destroy it on the host")
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
CDP_ABSENT("; make it on the host and pass the object to the kernel")
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const struct cudaResourceDesc *resource);
CDP_ABSENT("; destroy it on the host")
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
CDP_ABSENT("; use kernel<<<grid, block, shared, stream>>>(...)")
cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                             cudaStream_t stream);
#if defined(CDP_MODE) && CDP_MODE == 2
CDP_ABSENT("; launch what must follow into cudaStreamTailLaunch")
cudaError_t cudaThreadSynchronize(void);
CDP_ABSENT(" with --cdp=2 (sm_90 and later); launch what must follow into cudaStreamTailLaunch")
cudaError_t cudaDeviceSynchronize(void);
#else
CDP_ABSENT("; use cudaDeviceSynchronize")
cudaError_t cudaThreadSynchronize(void);
#endif
}
template <class T>
CDP_ABSENT("; assign to the variable")
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t size, size_t offset = 0,
                               enum cudaMemcpyKind kind = cudaMemcpyHostToDevice);
template <class T>
CDP_ABSENT("; read the variable")
cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t size, size_t offset = 0,
                                 enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
template <class T>
CDP_ABSENT("; use &variable")
cudaError_t cudaGetSymbolAddress(void **ptr, const T &symbol);
template <class T>
CDP_ABSENT("; use cudaMalloc or malloc")
cudaError_t cudaMallocManaged(T **ptr, size_t size, unsigned int flags = cudaMemAttachGlobal);
template <class T>
CDP_ABSENT("; use cudaMalloc and compute the pitch")
cudaError_t cudaMallocPitch(T **ptr, size_t *pitch, size_t width, size_t height);
template <class T>
CDP_ABSENT("; use cudaMalloc or malloc")
cudaError_t cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0);
template <class T>
CDP_ABSENT("; use cudaMalloc or malloc")
cudaError_t cudaHostAlloc(T **ptr, size_t size, unsigned int flags);
template <class T>
CDP_ABSENT("; use cudaMalloc or malloc")
cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaStream_t stream);
template <class T>
CDP_ABSENT("; use sizeof")
cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol);
template <class T>
CDP_ABSENT("; set it on the host, launches by kernels obey it")
cudaError_t cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value);
template <class T>
CDP_ABSENT("; set it on the host")
cudaError_t cudaFuncSetCacheConfig(T *func, enum cudaFuncCache config);
template <class T>
CDP_ABSENT("; use kernel<<<grid, block, shared, stream>>>(...)")
cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 grid, dim3 block, void **args,
                                        size_t shared = 0, cudaStream_t stream = 0);
template <class... P, class... A>
CDP_ABSENT("; use kernel<<<grid, block, shared, stream>>>(...)")
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*func)(P...), A &&...args);

#undef CDP_ABSENT

#endif
