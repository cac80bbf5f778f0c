/* The runtime API as C functions. Each is marked with the sides on which it exists; the C++
 * overloads are in cdp/api_cxx.h. A comment at the end of a host-only declaration appears in
 * clang's note when device code calls the function. */
#ifndef __CDP_CUDA_RUNTIME_API_H
#define __CDP_CUDA_RUNTIME_API_H

#include "cdp/hide.h"

#define __CUDA_RUNTIME_API_H__

#include "builtin_types.h"

#define __CDP_BOTH __host__ __device__
/* --cdp=2 removes cudaDeviceSynchronize from device code. */
#if defined(__CDP_MODE) && __CDP_MODE == 2
#define __CDP_BOTH_UNLESS_CDP2
#else
#define __CDP_BOTH_UNLESS_CDP2 __host__ __device__
#endif

#ifdef __cplusplus
#define __CDP_DEFAULT(value) = value
extern "C" {
#else
#define __CDP_DEFAULT(value)
#endif
/* A library built with hidden visibility still exports and finds these. */
#pragma GCC visibility push(default)

/* ---- Launches: the functions that clang calls for <<<>>> ---- */
unsigned int __cudaPushCallConfiguration(dim3 __grid, dim3 __block_dim,
                                         size_t __shared __CDP_DEFAULT(0),
                                         cudaStream_t __stream __CDP_DEFAULT(0));
cudaError_t __cudaPopCallConfiguration(dim3 *__grid, dim3 *__block_dim, size_t *__shared,
                                       void *__stream);
cudaError_t cudaLaunchKernel(
    const void *__func, dim3 __grid, dim3 __block_dim, void **__args,
    size_t __shared __CDP_DEFAULT(0),
    cudaStream_t __stream __CDP_DEFAULT(0)); /* host only; in device code: kernel<<<...>>>(...) */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *__config, const void *__func,
                                void **__args);
cudaError_t cudaLaunchCooperativeKernel(const void *__func, dim3 __grid, dim3 __block_dim,
                                        void **__args, size_t __shared __CDP_DEFAULT(0),
                                        cudaStream_t __stream __CDP_DEFAULT(0));
cudaError_t cudaLaunchHostFunc(cudaStream_t __stream, cudaHostFn_t __fn, void *__data);

/* ---- Errors ---- */
__CDP_BOTH cudaError_t cudaGetLastError(void);
__CDP_BOTH cudaError_t cudaPeekAtLastError(void);
__CDP_BOTH const char *cudaGetErrorString(cudaError_t __error);
__CDP_BOTH const char *cudaGetErrorName(cudaError_t __error);

/* ---- Devices ---- */
__CDP_BOTH_UNLESS_CDP2 cudaError_t cudaDeviceSynchronize(void);
__CDP_BOTH cudaError_t cudaGetDeviceCount(int *__count);
__CDP_BOTH cudaError_t cudaGetDevice(int *__device);
__CDP_BOTH cudaError_t cudaDeviceGetAttribute(int *__value, enum cudaDeviceAttr __attr,
                                              int __device);
__CDP_BOTH cudaError_t cudaDeviceGetLimit(size_t *__value, enum cudaLimit __limit);
__CDP_BOTH cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *__config);
__CDP_BOTH cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *__config);
__CDP_BOTH cudaError_t cudaRuntimeGetVersion(int *__version);
cudaError_t cudaDriverGetVersion(int *__version);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit __limit, size_t __value);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache __config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig __config);
cudaError_t cudaDeviceGetStreamPriorityRange(int *__least, int *__greatest);
cudaError_t cudaDeviceGetByPCIBusId(int *__device, const char *__id);
cudaError_t cudaDeviceGetPCIBusId(char *__id, int __length, int __device);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *__prop, int __device);
cudaError_t cudaChooseDevice(int *__device, const struct cudaDeviceProp *__prop);
cudaError_t cudaSetDevice(int __device);
cudaError_t cudaInitDevice(int __device, unsigned int __device_flags, unsigned int __flags);
cudaError_t cudaSetDeviceFlags(unsigned int __flags);
cudaError_t cudaGetDeviceFlags(unsigned int *__flags);
cudaError_t cudaSetValidDevices(int *__devices, int __count);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
/* Removed from CUDA, still used in old programs. */
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSetLimit(enum cudaLimit __limit, size_t __value);
cudaError_t cudaThreadGetLimit(size_t *__value, enum cudaLimit __limit);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache __config);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *__config);

/* ---- Streams ---- */
__CDP_BOTH cudaError_t cudaStreamCreateWithFlags(cudaStream_t *__stream, unsigned int __flags);
__CDP_BOTH cudaError_t cudaStreamDestroy(cudaStream_t __stream);
__CDP_BOTH cudaError_t cudaStreamWaitEvent(cudaStream_t __stream, cudaEvent_t __event,
                                           unsigned int __flags __CDP_DEFAULT(0));
cudaError_t cudaStreamCreate(cudaStream_t *__stream);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *__stream, unsigned int __flags,
                                         int __priority);
cudaError_t cudaStreamGetPriority(cudaStream_t __stream, int *__priority);
cudaError_t cudaStreamGetFlags(cudaStream_t __stream, unsigned int *__flags);
cudaError_t cudaStreamGetId(cudaStream_t __stream, unsigned long long *__id);
cudaError_t cudaStreamGetDevice(cudaStream_t __stream, int *__device);
cudaError_t cudaStreamSynchronize(cudaStream_t __stream);
cudaError_t cudaStreamQuery(cudaStream_t __stream);
cudaError_t cudaStreamAddCallback(cudaStream_t __stream, cudaStreamCallback_t __callback,
                                  void *__data, unsigned int __flags);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t __stream, void *__ptr,
                                     size_t __length __CDP_DEFAULT(0),
                                     unsigned int __flags __CDP_DEFAULT(cudaMemAttachSingle));
cudaError_t cudaStreamSetAttribute(cudaStream_t __stream, cudaLaunchAttributeID __attr,
                                   const cudaLaunchAttributeValue *__value);
cudaError_t cudaStreamGetAttribute(cudaStream_t __stream, cudaLaunchAttributeID __attr,
                                   cudaLaunchAttributeValue *__value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t __dst, cudaStream_t __src);

/* ---- Events ---- */
__CDP_BOTH cudaError_t cudaEventCreateWithFlags(cudaEvent_t *__event, unsigned int __flags);
__CDP_BOTH cudaError_t cudaEventRecord(cudaEvent_t __event, cudaStream_t __stream __CDP_DEFAULT(0));
__CDP_BOTH cudaError_t cudaEventRecordWithFlags(cudaEvent_t __event,
                                                cudaStream_t __stream __CDP_DEFAULT(0),
                                                unsigned int __flags __CDP_DEFAULT(0));
__CDP_BOTH cudaError_t cudaEventDestroy(cudaEvent_t __event);
cudaError_t cudaEventCreate(cudaEvent_t *__event);
cudaError_t cudaEventQuery(cudaEvent_t __event);
cudaError_t cudaEventSynchronize(cudaEvent_t __event);
cudaError_t cudaEventElapsedTime(float *__ms, cudaEvent_t __start, cudaEvent_t __end);

/* ---- Functions and occupancy ---- */
__CDP_BOTH cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *__attr, const void *__func);
cudaError_t cudaFuncSetAttribute(const void *__func, enum cudaFuncAttribute __attr, int __value);
cudaError_t cudaFuncSetCacheConfig(const void *__func, enum cudaFuncCache __config);
cudaError_t cudaFuncSetSharedMemConfig(const void *__func, enum cudaSharedMemConfig __config);
#include "cdp/occupancy_api.h"

/* ---- Memory ---- */
__CDP_BOTH cudaError_t cudaMalloc(void **__ptr, size_t __size);
__CDP_BOTH cudaError_t cudaFree(void *__ptr);
cudaError_t
cudaMallocManaged(void **__ptr, size_t __size,
                  unsigned int __flags __CDP_DEFAULT(
                      cudaMemAttachGlobal)); /* host only; in device code: cudaMalloc or malloc */
cudaError_t cudaMallocHost(void **__ptr,
                           size_t __size); /* host only; in device code: cudaMalloc or malloc */
cudaError_t
cudaHostAlloc(void **__ptr, size_t __size,
              unsigned int __flags); /* host only; in device code: cudaMalloc or malloc */
cudaError_t cudaFreeHost(void *__ptr);
cudaError_t cudaHostRegister(void *__ptr, size_t __size, unsigned int __flags);
cudaError_t cudaHostUnregister(void *__ptr);
cudaError_t cudaHostGetDevicePointer(void **__device, void *__host, unsigned int __flags);
cudaError_t cudaHostGetFlags(unsigned int *__flags, void *__host);
cudaError_t cudaMallocPitch(void **__ptr, size_t *__pitch, size_t __width,
                            size_t __height); /* host only; in device code: cudaMalloc */
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *__ptr, struct cudaExtent __extent);
cudaError_t cudaMallocAsync(void **__ptr, size_t __size,
                            cudaStream_t __stream); /* host only; in device code: cudaMalloc */
cudaError_t cudaFreeAsync(void *__ptr, cudaStream_t __stream);
cudaError_t cudaMallocFromPoolAsync(void **__ptr, size_t __size, cudaMemPool_t __pool,
                                    cudaStream_t __stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *__pool, int __device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *__pool, int __device);
cudaError_t cudaDeviceSetMemPool(int __device, cudaMemPool_t __pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *__pool, const struct cudaMemPoolProps *__props);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t __pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t __pool, size_t __keep);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t __pool, enum cudaMemPoolAttr __attr,
                                    void *__value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t __pool, enum cudaMemPoolAttr __attr,
                                    void *__value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t __pool, const struct cudaMemAccessDesc *__list,
                                 size_t __count);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *__flags, cudaMemPool_t __pool,
                                 struct cudaMemLocation *__location);
cudaError_t cudaMemPoolExportToShareableHandle(void *__handle, cudaMemPool_t __pool,
                                               enum cudaMemAllocationHandleType __type,
                                               unsigned int __flags);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *__pool, void *__handle,
                                                 enum cudaMemAllocationHandleType __type,
                                                 unsigned int __flags);
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *__data, void *__ptr);
cudaError_t cudaMemPoolImportPointer(void **__ptr, cudaMemPool_t __pool,
                                     struct cudaMemPoolPtrExportData *__data);
cudaError_t cudaMemGetInfo(size_t *free, size_t *__total);
/* With an int device, as before CUDA 13; C++ also has the form with a location. */
cudaError_t cudaMemAdvise(const void *__ptr, size_t __size, enum cudaMemoryAdvise __advice,
                          int __device);
cudaError_t cudaMemPrefetchAsync(const void *__ptr, size_t __size, int __device,
                                 cudaStream_t __stream __CDP_DEFAULT(0));
cudaError_t cudaMemRangeGetAttribute(void *__data, size_t __data_size,
                                     enum cudaMemRangeAttribute __attr, const void *__ptr,
                                     size_t __size);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *__attr, const void *__ptr);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *__handle, void *__ptr);
cudaError_t cudaIpcOpenMemHandle(void **__ptr, cudaIpcMemHandle_t __handle, unsigned int __flags);
cudaError_t cudaIpcCloseMemHandle(void *__ptr);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *__handle, cudaEvent_t __event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *__event, cudaIpcEventHandle_t __handle);

/* ---- Copies and fills ---- */
__CDP_BOTH cudaError_t cudaMemcpyAsync(void *__dst, const void *__src, size_t __size,
                                       enum cudaMemcpyKind __kind,
                                       cudaStream_t __stream __CDP_DEFAULT(0));
__CDP_BOTH cudaError_t cudaMemcpy2DAsync(void *__dst, size_t __dst_pitch, const void *__src,
                                         size_t __src_pitch, size_t __width, size_t __height,
                                         enum cudaMemcpyKind __kind,
                                         cudaStream_t __stream __CDP_DEFAULT(0));
__CDP_BOTH cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *__params,
                                         cudaStream_t __stream __CDP_DEFAULT(0));
__CDP_BOTH cudaError_t cudaMemsetAsync(void *__ptr, int __value, size_t __size,
                                       cudaStream_t __stream __CDP_DEFAULT(0));
__CDP_BOTH cudaError_t cudaMemset2DAsync(void *__ptr, size_t __pitch, int __value, size_t __width,
                                         size_t __height, cudaStream_t __stream __CDP_DEFAULT(0));
__CDP_BOTH cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr __ptr, int __value,
                                         struct cudaExtent __extent,
                                         cudaStream_t __stream __CDP_DEFAULT(0));
cudaError_t cudaMemcpy(void *__dst, const void *__src, size_t __size, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpy2D(void *__dst, size_t __dst_pitch, const void *__src, size_t __src_pitch,
                         size_t __width, size_t __height, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *__params);
cudaError_t cudaMemset(void *__ptr, int __value, size_t __size);
cudaError_t cudaMemset2D(void *__ptr, size_t __pitch, int __value, size_t __width, size_t __height);
cudaError_t cudaMemset3D(struct cudaPitchedPtr __ptr, int __value, struct cudaExtent __extent);
cudaError_t cudaMemcpyToSymbol(
    const void *__symbol, const void *__src, size_t __size, size_t __offset __CDP_DEFAULT(0),
    enum cudaMemcpyKind __kind __CDP_DEFAULT(
        cudaMemcpyHostToDevice)); /* host only; in device code assign to the variable */
cudaError_t cudaMemcpyFromSymbol(
    void *__dst, const void *__symbol, size_t __size, size_t __offset __CDP_DEFAULT(0),
    enum cudaMemcpyKind __kind
        __CDP_DEFAULT(cudaMemcpyDeviceToHost)); /* host only; in device code read the variable */
cudaError_t cudaMemcpyToSymbolAsync(const void *__symbol, const void *__src, size_t __size,
                                    size_t __offset, enum cudaMemcpyKind __kind,
                                    cudaStream_t __stream __CDP_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbolAsync(void *__dst, const void *__symbol, size_t __size,
                                      size_t __offset, enum cudaMemcpyKind __kind,
                                      cudaStream_t __stream __CDP_DEFAULT(0));
cudaError_t cudaGetSymbolAddress(void **__ptr,
                                 const void *__symbol); /* host only; in device code: &variable */
cudaError_t cudaGetSymbolSize(size_t *__size, const void *__symbol);

/* ---- Arrays, textures, surfaces ---- */
cudaError_t cudaMallocArray(cudaArray_t *__array, const struct cudaChannelFormatDesc *__desc,
                            size_t __width, size_t __height __CDP_DEFAULT(0),
                            unsigned int __flags __CDP_DEFAULT(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *__array, const struct cudaChannelFormatDesc *__desc,
                              struct cudaExtent __extent, unsigned int __flags __CDP_DEFAULT(0));
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *__array,
                                     const struct cudaChannelFormatDesc *__desc,
                                     struct cudaExtent __extent, unsigned int __levels,
                                     unsigned int __flags __CDP_DEFAULT(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *__level_array,
                                       cudaMipmappedArray_const_t __array, unsigned int __level);
cudaError_t cudaFreeArray(cudaArray_t __array);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t __array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *__desc, struct cudaExtent *__extent,
                             unsigned int *__flags, cudaArray_t __array);
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind __kind);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *__desc, cudaArray_const_t __array);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *__object,
                                    const struct cudaResourceDesc *__resource,
                                    const struct cudaTextureDesc *__texture,
                                    const struct cudaResourceViewDesc *__view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t __object);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *__resource,
                                             cudaTextureObject_t __object);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *__texture,
                                            cudaTextureObject_t __object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *__object,
                                    const struct cudaResourceDesc *__resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t __object);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *__resource,
                                             cudaSurfaceObject_t __object);

#include "cdp/array_api.h"
#include "cdp/entry_api.h"
#include "cdp/external_api.h"
#include "cdp/graph_api.h"
#include "cdp/library_api.h"
#include "cdp/peer_api.h"
#include "cdp/reference_api.h"

/* Device code has no per-thread streams, so there the names do not change. */
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(__CUDA_ARCH__)
#include "cdp/per_thread.h"
#endif

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include "cdp/show.h"

#endif
