/* C++ overloads of the runtime API: typed pointers, symbols by reference, kernels by their own
 * type, and the argument lists of several CUDA versions. */
#ifndef __CDP_API_CXX_H
#define __CDP_API_CXX_H

#include "../cuda_runtime_api.h"

/* A call of such an overload counts as a call of the wrapped function: reports name the program's
 * line. */
#ifdef __clang__
#define __CDP_WRAPPER static inline __attribute__((__always_inline__, __nodebug__))
#else
#define __CDP_WRAPPER static inline
#endif

/* ---- Memory ---- */

template <class __T> __CDP_BOTH __CDP_WRAPPER cudaError_t cudaMalloc(__T **__ptr, size_t __size)
{
    return cudaMalloc((void **)(void *)__ptr, __size);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaMallocManaged(__T **__ptr, size_t __size,
                                            unsigned int __flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)(void *)__ptr, __size, __flags);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaMallocHost(__T **__ptr, size_t __size, unsigned int __flags = 0)
{
    return cudaHostAlloc((void **)(void *)__ptr, __size, __flags);
}
__CDP_WRAPPER cudaError_t cudaMallocHost(void **__ptr, size_t __size, unsigned int __flags)
{
    return cudaHostAlloc(__ptr, __size, __flags);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaHostAlloc(__T **__ptr, size_t __size, unsigned int __flags)
{
    return cudaHostAlloc((void **)(void *)__ptr, __size, __flags);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaHostGetDevicePointer(__T **__device, void *__host,
                                                   unsigned int __flags)
{
    return cudaHostGetDevicePointer((void **)(void *)__device, __host, __flags);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaMallocPitch(__T **__ptr, size_t *__pitch, size_t __width,
                                          size_t __height)
{
    return cudaMallocPitch((void **)(void *)__ptr, __pitch, __width, __height);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaMallocAsync(__T **__ptr, size_t __size, cudaStream_t __stream)
{
    return cudaMallocAsync((void **)(void *)__ptr, __size, __stream);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaMallocAsync(__T **__ptr, size_t __size, cudaMemPool_t __pool,
                                          cudaStream_t __stream)
{
    return cudaMallocFromPoolAsync((void **)(void *)__ptr, __size, __pool, __stream);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaMallocFromPoolAsync(__T **__ptr, size_t __size, cudaMemPool_t __pool,
                                                  cudaStream_t __stream)
{
    return cudaMallocFromPoolAsync((void **)(void *)__ptr, __size, __pool, __stream);
}
/* Memory advice has a device parameter before CUDA 13, and a location since. */
__CDP_WRAPPER cudaError_t cudaMemAdvise(const void *__ptr, size_t __size,
                                        enum cudaMemoryAdvise __advice,
                                        struct cudaMemLocation __location)
{
    return cudaMemAdvise(__ptr, __size, __advice,
                         __location.type == cudaMemLocationTypeDevice ? __location.id
                                                                      : cudaCpuDeviceId);
}
__CDP_WRAPPER cudaError_t cudaMemPrefetchAsync(const void *__ptr, size_t __size,
                                               struct cudaMemLocation __location, unsigned int,
                                               cudaStream_t __stream = 0)
{
    return cudaMemPrefetchAsync(
        __ptr, __size,
        __location.type == cudaMemLocationTypeDevice ? __location.id : cudaCpuDeviceId, __stream);
}

/* ---- Symbols ---- */

template <class __T>
__CDP_WRAPPER cudaError_t cudaMemcpyToSymbol(const __T &__symbol, const void *__src, size_t __size,
                                             size_t __offset = 0,
                                             enum cudaMemcpyKind __kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&__symbol, __src, __size, __offset, __kind);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaMemcpyFromSymbol(void *__dst, const __T &__symbol, size_t __size,
                                               size_t __offset = 0,
                                               enum cudaMemcpyKind __kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(__dst, (const void *)&__symbol, __size, __offset, __kind);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaMemcpyToSymbolAsync(const __T &__symbol, const void *__src,
                                                  size_t __size, size_t __offset,
                                                  enum cudaMemcpyKind __kind,
                                                  cudaStream_t __stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&__symbol, __src, __size, __offset, __kind,
                                   __stream);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaMemcpyFromSymbolAsync(void *__dst, const __T &__symbol, size_t __size,
                                                    size_t __offset, enum cudaMemcpyKind __kind,
                                                    cudaStream_t __stream = 0)
{
    return cudaMemcpyFromSymbolAsync(__dst, (const void *)&__symbol, __size, __offset, __kind,
                                     __stream);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaGetSymbolAddress(void **__ptr, const __T &__symbol)
{
    return cudaGetSymbolAddress(__ptr, (const void *)&__symbol);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaGetSymbolSize(size_t *__size, const __T &__symbol)
{
    return cudaGetSymbolSize(__size, (const void *)&__symbol);
}

/* ---- Kernels ---- */

template <class __T>
__CDP_WRAPPER cudaError_t cudaLaunchKernel(__T *__func, dim3 __grid, dim3 __block_dim,
                                           void **__args, size_t __shared = 0,
                                           cudaStream_t __stream = 0)
{
    return cudaLaunchKernel((const void *)__func, __grid, __block_dim, __args, __shared, __stream);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaLaunchCooperativeKernel(__T *__func, dim3 __grid, dim3 __block_dim,
                                                      void **__args, size_t __shared = 0,
                                                      cudaStream_t __stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)__func, __grid, __block_dim, __args, __shared,
                                       __stream);
}
/* The arguments are converted to the kernel's parameter types first. */
template <class... __P, class... __A>
__CDP_WRAPPER cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *__config,
                                             void (*__func)(__P...), __A &&...__args)
{
    return [&](__P... __converted) {
        void *__list[] = {(void *)&__converted..., nullptr};
        return cudaLaunchKernelExC(__config, (const void *)__func, __list);
    }(static_cast<__A &&>(__args)...);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaFuncSetAttribute(__T *__func, enum cudaFuncAttribute __attr,
                                               int __value)
{
    return cudaFuncSetAttribute((const void *)__func, __attr, __value);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaFuncSetCacheConfig(__T *__func, enum cudaFuncCache __config)
{
    return cudaFuncSetCacheConfig((const void *)__func, __config);
}
template <class __T>
__CDP_WRAPPER cudaError_t cudaFuncSetSharedMemConfig(__T *__func, enum cudaSharedMemConfig __config)
{
    return cudaFuncSetSharedMemConfig((const void *)__func, __config);
}
template <class __T>
__CDP_BOTH __CDP_WRAPPER cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *__attr,
                                                           __T *__func)
{
    return cudaFuncGetAttributes(__attr, (const void *)__func);
}
#include "occupancy_cxx.h"

/* ---- Events, graphs, and the rest ---- */

__CDP_WRAPPER cudaError_t cudaEventCreate(cudaEvent_t *__event, unsigned int __flags)
{
    return cudaEventCreateWithFlags(__event, __flags);
}
#include "graph_cxx.h"

__CDP_BOTH_INLINE cudaExtent make_cudaExtent(size_t __width, size_t __height, size_t __depth)
{
    return cudaExtent{__width, __height, __depth};
}
__CDP_BOTH_INLINE cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    return cudaPos{x, y, z};
}
__CDP_BOTH_INLINE cudaPitchedPtr make_cudaPitchedPtr(void *__ptr, size_t __pitch, size_t x,
                                                     size_t y)
{
    return cudaPitchedPtr{__ptr, __pitch, x, y};
}
#define cudaGetDeviceProperties_v2 cudaGetDeviceProperties

#endif
