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
CDP_ABSENT("")
cudaError_t cudaDeviceReset(void);
CDP_ABSENT("")
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int src, int dst);
CDP_ABSENT("; use cudaMemcpyAsync")
cudaError_t cudaMemcpy(void *dst, const void *src, size_t size, enum cudaMemcpyKind kind);
CDP_ABSENT("; use cudaMemsetAsync")
cudaError_t cudaMemset(void *ptr, int value, size_t size);
CDP_ABSENT("")
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
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
CDP_ABSENT(" with --cdp=2 (sm_90 and later); launch what must follow into cudaStreamTailLaunch")
cudaError_t cudaDeviceSynchronize(void);
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

#undef CDP_ABSENT

#endif
