/* The runtime API as C functions, each marked with the sides on which it exists;
 * C++'s overloads of them are in cdp/api_cxx.h.  A comment at the end of a
 * host-only declaration appears in clang's note when device code calls it. */
#ifndef CDP_CUDA_RUNTIME_API_H
#define CDP_CUDA_RUNTIME_API_H

#define __CUDA_RUNTIME_API_H__

#include "builtin_types.h"

#define CDP_BOTH __host__ __device__
/* --cdp=2 takes cudaDeviceSynchronize away from device code. */
#if defined(CDP_MODE) && CDP_MODE == 2
#define CDP_BOTH_UNLESS_CDP2
#else
#define CDP_BOTH_UNLESS_CDP2 __host__ __device__
#endif

#ifdef __cplusplus
#define CDP_DEFAULT(value) = value
extern "C" {
#else
#define CDP_DEFAULT(value)
#endif
/* A library built with hidden visibility still exports and finds these. */
#pragma GCC visibility push(default)

/* ---- Launching: what clang makes of <<<>>> ---- */
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared CDP_DEFAULT(0),
                                         cudaStream_t stream CDP_DEFAULT(0));
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t cudaLaunchKernel(
    const void *func, dim3 grid, dim3 block, void **args, size_t shared CDP_DEFAULT(0),
    cudaStream_t stream CDP_DEFAULT(0)); /* host only; in device code: kernel<<<...>>>(...) */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args);
cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args,
                                        size_t shared CDP_DEFAULT(0),
                                        cudaStream_t stream CDP_DEFAULT(0));
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *list,
                                                   unsigned int count,
                                                   unsigned int flags CDP_DEFAULT(0));
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *data);

/* ---- Errors ---- */
CDP_BOTH cudaError_t cudaGetLastError(void);
CDP_BOTH cudaError_t cudaPeekAtLastError(void);
CDP_BOTH const char *cudaGetErrorString(cudaError_t error);
CDP_BOTH const char *cudaGetErrorName(cudaError_t error);

/* ---- Devices ---- */
CDP_BOTH_UNLESS_CDP2 cudaError_t cudaDeviceSynchronize(void);
CDP_BOTH cudaError_t cudaGetDeviceCount(int *count);
CDP_BOTH cudaError_t cudaGetDevice(int *device);
CDP_BOTH cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
CDP_BOTH cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
CDP_BOTH cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
CDP_BOTH cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
CDP_BOTH cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int src, int dst);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int *flags);
cudaError_t cudaSetValidDevices(int *devices, int count);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
/* Gone from CUDA, still in old programs. */
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config);

/* ---- Streams ---- */
CDP_BOTH cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
CDP_BOTH cudaError_t cudaStreamDestroy(cudaStream_t stream);
CDP_BOTH cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                         unsigned int flags CDP_DEFAULT(0));
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr, size_t length CDP_DEFAULT(0),
                                     unsigned int flags CDP_DEFAULT(cudaMemAttachSingle));
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   cudaLaunchAttributeValue *value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src);

/* ---- Events ---- */
CDP_BOTH cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
CDP_BOTH cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream CDP_DEFAULT(0));
CDP_BOTH cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream CDP_DEFAULT(0),
                                              unsigned int flags CDP_DEFAULT(0));
CDP_BOTH cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);

/* ---- Functions and occupancy ---- */
CDP_BOTH cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func);
CDP_BOTH cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func,
                                                                   int block_size, size_t shared);
CDP_BOTH cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *func, int block_size, size_t shared, unsigned int flags);
/* What cudaOccupancyMaxPotentialBlockSize and its forms call. */
CDP_BOTH cudaError_t __cdp_occupancy(int *grid, int *block, const void *func, size_t shared,
                                     int limit);
cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value);
cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config);
cudaError_t cudaFuncGetName(const char **name, const void *func);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *func, const void *symbol);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, const void *func, int blocks,
                                                      int block_size);

/* ---- Memory ---- */
CDP_BOTH cudaError_t cudaMalloc(void **ptr, size_t size);
CDP_BOTH cudaError_t cudaFree(void *ptr);
cudaError_t
cudaMallocManaged(void **ptr, size_t size,
                  unsigned int flags CDP_DEFAULT(
                      cudaMemAttachGlobal)); /* host only; in device code: cudaMalloc or malloc */
cudaError_t cudaMallocHost(void **ptr,
                           size_t size); /* host only; in device code: cudaMalloc or malloc */
cudaError_t cudaHostAlloc(void **ptr, size_t size,
                          unsigned int flags); /* host only; in device code: cudaMalloc or malloc */
cudaError_t cudaFreeHost(void *ptr);
cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void *ptr);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int *flags, void *host);
cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width,
                            size_t height); /* host only; in device code: cudaMalloc */
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent);
cudaError_t cudaMallocAsync(void **ptr, size_t size,
                            cudaStream_t stream); /* host only; in device code: cudaMalloc */
cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream);
cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                 size_t count);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location);
cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool,
                                               enum cudaMemAllocationHandleType type,
                                               unsigned int flags);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                 enum cudaMemAllocationHandleType type,
                                                 unsigned int flags);
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data, void *ptr);
cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t pool,
                                     struct cudaMemPoolPtrExportData *data);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
/* With an int device, as before CUDA 13; C++ also has the form with a location. */
cudaError_t cudaMemAdvise(const void *ptr, size_t size, enum cudaMemoryAdvise advice, int device);
cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t size, int device,
                                 cudaStream_t stream CDP_DEFAULT(0));
cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_size, enum cudaMemRangeAttribute attr,
                                     const void *ptr, size_t size);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attr, const void *ptr);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *ptr);
cudaError_t cudaIpcOpenMemHandle(void **ptr, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void *ptr);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);

/* ---- Copies and fills ---- */
CDP_BOTH cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t size,
                                     enum cudaMemcpyKind kind, cudaStream_t stream CDP_DEFAULT(0));
CDP_BOTH cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src,
                                       size_t src_pitch, size_t width, size_t height,
                                       enum cudaMemcpyKind kind,
                                       cudaStream_t stream CDP_DEFAULT(0));
CDP_BOTH cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *params,
                                       cudaStream_t stream CDP_DEFAULT(0));
CDP_BOTH cudaError_t cudaMemsetAsync(void *ptr, int value, size_t size,
                                     cudaStream_t stream CDP_DEFAULT(0));
CDP_BOTH cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width,
                                       size_t height, cudaStream_t stream CDP_DEFAULT(0));
CDP_BOTH cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value,
                                       struct cudaExtent extent,
                                       cudaStream_t stream CDP_DEFAULT(0));
cudaError_t cudaMemcpy(void *dst, const void *src, size_t size, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t size);
cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
                                size_t size, cudaStream_t stream CDP_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *params);
cudaError_t cudaMemset(void *ptr, int value, size_t size);
cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset3D(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent);
cudaError_t cudaMemcpyToSymbol(
    const void *symbol, const void *src, size_t size, size_t offset CDP_DEFAULT(0),
    enum cudaMemcpyKind kind
        CDP_DEFAULT(cudaMemcpyHostToDevice)); /* host only; in device code assign to the variable */
cudaError_t
cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t size, size_t offset CDP_DEFAULT(0),
                     enum cudaMemcpyKind kind CDP_DEFAULT(
                         cudaMemcpyDeviceToHost)); /* host only; in device code read the variable */
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t size, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream CDP_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream CDP_DEFAULT(0));
cudaError_t cudaGetSymbolAddress(void **ptr,
                                 const void *symbol); /* host only; in device code: &variable */
cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);

/* ---- Arrays, textures, surfaces ---- */
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height CDP_DEFAULT(0),
                            unsigned int flags CDP_DEFAULT(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags CDP_DEFAULT(0));
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array,
                                     const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int levels,
                                     unsigned int flags CDP_DEFAULT(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level_array, cudaMipmappedArray_const_t array,
                                       unsigned int level);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array);
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src,
                                size_t src_pitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src,
                                     size_t src_pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream CDP_DEFAULT(0));
cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dst_pitch, cudaArray_const_t src, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dst_pitch, cudaArray_const_t src, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind,
                                       cudaStream_t stream CDP_DEFAULT(0));
cudaError_t
cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y, cudaArray_const_t src,
                         size_t src_x, size_t src_y, size_t width, size_t height,
                         enum cudaMemcpyKind kind CDP_DEFAULT(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t size,
                              enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t size,
                                enum cudaMemcpyKind kind);
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *texture,
                                    const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture,
                                            cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaSurfaceObject_t object);

/* ---- Graphs ---- */
CDP_BOTH cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags CDP_DEFAULT(0));
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *deps, size_t dep_count,
                                   const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *deps, size_t dep_count,
                                   const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *deps, size_t dep_count, void *dst,
                                     const void *src, size_t size, enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *deps, size_t dep_count,
                                   const struct cudaMemsetParams *params);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *deps, size_t dep_count,
                                 const struct cudaHostNodeParams *params);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *deps, size_t dep_count);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *deps, size_t dep_count,
                                     struct cudaMemAllocNodeParams *params);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *deps, size_t dep_count, void *ptr);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                             size_t dep_count, struct cudaGraphNodeParams *params);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int initial CDP_DEFAULT(0),
                                             unsigned int flags CDP_DEFAULT(0));
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags);
cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                           void *value);
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                           void *value);
cudaError_t cudaDeviceGraphMemTrim(int device);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *deps,
                                          const cudaGraphEdgeData *edges, size_t dep_count,
                                          enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id CDP_DEFAULT(0),
                                        cudaGraph_t *graph CDP_DEFAULT(0),
                                        const cudaGraphNode_t **deps CDP_DEFAULT(0),
                                        size_t *dep_count CDP_DEFAULT(0));
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *deps,
                                                size_t dep_count,
                                                unsigned int flags CDP_DEFAULT(0));
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);

/* Device code has no per-thread streams: there the names stay what they are. */
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(__CUDA_ARCH__)
#include "cdp/per_thread.h"
#endif

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
