/* C++'s overloads of the runtime API: typed pointers, symbols by reference, kernels
 * by their own type, and the argument lists of more than one CUDA version. */
#ifndef CDP_API_CXX_H
#define CDP_API_CXX_H

#include "../cuda_runtime_api.h"

/* A call through it is a call of what it wraps: reports name the program's line. */
#ifdef __clang__
#define CDP_WRAPPER static inline __attribute__((always_inline, nodebug))
#else
#define CDP_WRAPPER static inline
#endif

/* ---- Memory ---- */

template <class T> CDP_BOTH CDP_WRAPPER cudaError_t cudaMalloc(T **ptr, size_t size)
{
    return cudaMalloc((void **)(void *)ptr, size);
}
template <class T>
CDP_WRAPPER cudaError_t cudaMallocManaged(T **ptr, size_t size,
                                          unsigned int flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)(void *)ptr, size, flags);
}
template <class T>
CDP_WRAPPER cudaError_t cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0)
{
    return cudaHostAlloc((void **)(void *)ptr, size, flags);
}
CDP_WRAPPER cudaError_t cudaMallocHost(void **ptr, size_t size, unsigned int flags)
{
    return cudaHostAlloc(ptr, size, flags);
}
template <class T> CDP_WRAPPER cudaError_t cudaHostAlloc(T **ptr, size_t size, unsigned int flags)
{
    return cudaHostAlloc((void **)(void *)ptr, size, flags);
}
template <class T>
CDP_WRAPPER cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
    return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T>
CDP_WRAPPER cudaError_t cudaMallocPitch(T **ptr, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)(void *)ptr, pitch, width, height);
}
template <class T>
CDP_WRAPPER cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaStream_t stream)
{
    return cudaMallocAsync((void **)(void *)ptr, size, stream);
}
template <class T>
CDP_WRAPPER cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaMemPool_t pool,
                                        cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)(void *)ptr, size, pool, stream);
}
template <class T>
CDP_WRAPPER cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t pool,
                                                cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)(void *)ptr, size, pool, stream);
}
/* Memory advice took a device before CUDA 13, a location since. */
static inline cudaError_t cudaMemAdvise(const void *ptr, size_t size, enum cudaMemoryAdvise advice,
                                        struct cudaMemLocation location)
{
    return cudaMemAdvise(ptr, size, advice,
                         location.type == cudaMemLocationTypeDevice ? location.id
                                                                    : cudaCpuDeviceId);
}
static inline cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t size,
                                               struct cudaMemLocation location, unsigned int,
                                               cudaStream_t stream = 0)
{
    return cudaMemPrefetchAsync(
        ptr, size, location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId,
        stream);
}

/* ---- Symbols ---- */

template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t size,
                                             size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, src, size, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t size,
                                               size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(dst, (const void *)&symbol, size, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t size,
                                                  size_t offset, enum cudaMemcpyKind kind,
                                                  cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, src, size, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t size,
                                                    size_t offset, enum cudaMemcpyKind kind,
                                                    cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, size, offset, kind, stream);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **ptr, const T &symbol)
{
    return cudaGetSymbolAddress(ptr, (const void *)&symbol);
}
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{
    return cudaGetSymbolSize(size, (const void *)&symbol);
}

/* ---- Kernels ---- */

template <class T>
static inline cudaError_t cudaLaunchKernel(T *func, dim3 grid, dim3 block, void **args,
                                           size_t shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)func, grid, block, args, shared, stream);
}
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 grid, dim3 block, void **args,
                                                      size_t shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)func, grid, block, args, shared, stream);
}
/* The arguments are converted to the kernel's parameter types first. */
template <class... P, class... A>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*func)(P...),
                                             A &&...args)
{
    return [&](P... converted) {
        void *list[] = {(void *)&converted..., nullptr};
        return cudaLaunchKernelExC(config, (const void *)func, list);
    }(static_cast<A &&>(args)...);
}
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value)
{
    return cudaFuncSetAttribute((const void *)func, attr, value);
}
template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *func, enum cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)func, config);
}
template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T *func, enum cudaSharedMemConfig config)
{
    return cudaFuncSetSharedMemConfig((const void *)func, config);
}
template <class T>
CDP_BOTH static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, T *func)
{
    return cudaFuncGetAttributes(attr, (const void *)func);
}
template <class T>
CDP_BOTH static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T func, int block_size, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)func, block_size,
                                                         shared);
}
template <class T>
CDP_BOTH static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T func, int block_size,
                                                       size_t shared, unsigned int flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)func,
                                                                  block_size, shared, flags);
}
template <class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, T *func,
                                                                    int blocks, int block_size)
{
    return cudaOccupancyAvailableDynamicSMemPerBlock(shared, (const void *)func, blocks,
                                                     block_size);
}
template <class T>
CDP_BOTH static inline cudaError_t
cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T func, size_t shared = 0, int limit = 0)
{
    return __cdp_occupancy(grid, block, (const void *)func, shared, limit);
}
template <class T>
CDP_BOTH static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, T func, size_t shared = 0,
                                            int limit = 0, unsigned int = 0)
{
    return __cdp_occupancy(grid, block, (const void *)func, shared, limit);
}
/* No processor here runs out of shared memory: any size serves to ask. */
template <class S, class T>
CDP_BOTH static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T func, S shared_of_block,
                                               int limit = 0)
{
    return __cdp_occupancy(grid, block, (const void *)func, shared_of_block(256), limit);
}

/* ---- Events, graphs, and the rest ---- */

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return cudaEventCreateWithFlags(event, flags);
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                               unsigned long long flags = 0)
{
    return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                               cudaGraphNode_t *, char *, size_t)
{
    return cudaGraphInstantiateWithFlags(exec, graph, 0);
}
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *deps, const cudaGraphEdgeData *,
                                           size_t dep_count, struct cudaGraphNodeParams *params)
{
    return cudaGraphAddNode(node, graph, deps, dep_count, params);
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                              cudaGraphNode_t *error_node,
                                              enum cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info = {};
    const cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
    if (error_node) {
        *error_node = info.errorNode;
    }
    if (result) {
        *result = info.result;
    }
    return error;
}
static inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                              cudaGraphNode_t *deps,
                                                              const cudaGraphEdgeData *,
                                                              size_t dep_count,
                                                              unsigned int flags = 0)
{
    return cudaStreamUpdateCaptureDependencies(stream, deps, dep_count, flags);
}
static inline cudaError_t
cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                         unsigned long long *id = 0, cudaGraph_t *graph = 0,
                         const cudaGraphNode_t **deps = 0, size_t *dep_count = 0)
{
    return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, deps, dep_count);
}
static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                   enum cudaStreamCaptureStatus *status,
                                                   unsigned long long *id, cudaGraph_t *graph,
                                                   const cudaGraphNode_t **deps,
                                                   const cudaGraphEdgeData **, size_t *dep_count)
{
    return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, deps, dep_count);
}

CDP_BOTH_INLINE cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    return cudaExtent{width, height, depth};
}
CDP_BOTH_INLINE cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    return cudaPos{x, y, z};
}
CDP_BOTH_INLINE cudaPitchedPtr make_cudaPitchedPtr(void *ptr, size_t pitch, size_t x, size_t y)
{
    return cudaPitchedPtr{ptr, pitch, x, y};
}
#define cudaGetDeviceProperties_v2 cudaGetDeviceProperties

#endif
