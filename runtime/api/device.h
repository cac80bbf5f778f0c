/* The CUDA runtime for device code: prototypes of the cdp_abi_ functions that this folder defines
 * (contract: abi/cdp_abi.def, signatures like the host functions of the same name), and what they
 * share.
 *
 * Follows "CUDA Dynamic Parallelism" in the CUDA C++ Programming Guide, both versions. */
#ifndef CDP_API_DEVICE_H
#define CDP_API_DEVICE_H

#include "cuda_runtime_api.h"

#include "abi/cdp_abi.h"
#include "api/error.h"
#include "api/runtime.h"
#include "base/attr.h"
#include "exec/report/fault.h"
#include "exec/launch/scope.h"
#include "mem/written.h"

/* A call stores its result there: for the check of initialization. */
#define CDP_DEVICE_STORED(out) cdp_written_set((out), sizeof *(out))

CDP_EXPORT void *cdp_abi_cudaGetParameterBuffer(size_t alignment, size_t size);
CDP_EXPORT cudaError_t cdp_abi_cudaLaunchDevice(const void *kernel, void *buffer, struct dim3 grid,
                                                struct dim3 block, unsigned shared,
                                                cudaStream_t stream);
CDP_EXPORT void *cdp_abi_cudaGetParameterBufferV2(const void *kernel, struct dim3 grid,
                                                  struct dim3 block, unsigned shared);
CDP_EXPORT cudaError_t cdp_abi_cudaLaunchDeviceV2(void *buffer, cudaStream_t stream);
CDP_EXPORT cudaError_t cdp_abi_cudaDeviceSynchronize(void);

CDP_EXPORT cudaError_t cdp_abi_cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
CDP_EXPORT cudaError_t cdp_abi_cudaStreamDestroy(cudaStream_t stream);
CDP_EXPORT cudaError_t cdp_abi_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                                   unsigned flags);
CDP_EXPORT cudaError_t cdp_abi_cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
CDP_EXPORT cudaError_t cdp_abi_cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
CDP_EXPORT cudaError_t cdp_abi_cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                                        unsigned flags);
CDP_EXPORT cudaError_t cdp_abi_cudaEventDestroy(cudaEvent_t event);

CDP_EXPORT cudaError_t cdp_abi_cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                               enum cudaMemcpyKind kind, cudaStream_t stream);
CDP_EXPORT cudaError_t cdp_abi_cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                                 size_t from_pitch, size_t width, size_t height,
                                                 enum cudaMemcpyKind kind, cudaStream_t stream);
CDP_EXPORT cudaError_t cdp_abi_cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parms,
                                                 cudaStream_t stream);
CDP_EXPORT cudaError_t cdp_abi_cudaMemsetAsync(void *to, int value, size_t bytes,
                                               cudaStream_t stream);
CDP_EXPORT cudaError_t cdp_abi_cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width,
                                                 size_t height, cudaStream_t stream);
CDP_EXPORT cudaError_t cdp_abi_cudaMemset3DAsync(struct cudaPitchedPtr to, int value,
                                                 struct cudaExtent extent, cudaStream_t stream);

CDP_EXPORT void cdp_abi_tex_fetch(uint64_t object, int index, uint32_t *out);
CDP_EXPORT void cdp_abi_tex_texel(uint64_t object, const int *at, uint32_t *out);
CDP_EXPORT void cdp_abi_tex_sample(uint64_t object, uint32_t dimensions, int layer,
                                   const float *position, uint32_t *out);
CDP_EXPORT void cdp_abi_tex_gather(uint64_t object, const float *position, int channel,
                                   uint32_t *out);
CDP_EXPORT void cdp_abi_tex_sample_offset(uint64_t object, uint32_t dimensions, int layer,
                                          const float *position, const int *offset, uint32_t *out);
CDP_EXPORT void cdp_abi_tex_gather_offset(uint64_t object, int layer, const float *position,
                                          const int *offset, int channel, uint32_t *out);
CDP_EXPORT float cdp_abi_tex_level(uint64_t object, const float *along_x, const float *along_y);
/* The address of a surface access; NULL: outside, in cudaBoundaryModeZero. */
CDP_EXPORT void cdp_abi_surf_store(uint64_t object, const int *position, uint32_t boundary,
                                   const uint32_t *words);
CDP_EXPORT void *cdp_abi_surf(uint64_t object, const int *position, uint32_t bytes,
                              uint32_t boundary);

CDP_EXPORT void *cdp_abi_malloc(size_t size);
CDP_EXPORT void *cdp_abi_calloc(size_t count, size_t size);
CDP_EXPORT void cdp_abi_free(void *memory);
CDP_EXPORT void *cdp_abi_aligned_malloc(size_t size, size_t alignment);
CDP_EXPORT cudaError_t cdp_abi_cudaMalloc(void **memory, size_t size);
CDP_EXPORT cudaError_t cdp_abi_cudaFree(void *memory);

CDP_EXPORT cudaError_t cdp_abi_cudaGetLastError(void);
CDP_EXPORT cudaError_t cdp_abi_cudaPeekAtLastError(void);
CDP_EXPORT const char *cdp_abi_cudaGetErrorString(cudaError_t error);
CDP_EXPORT const char *cdp_abi_cudaGetErrorName(cudaError_t error);
CDP_EXPORT cudaError_t cdp_abi_cudaGetDeviceCount(int *count);
CDP_EXPORT cudaError_t cdp_abi_cudaGetDevice(int *device);
CDP_EXPORT cudaError_t cdp_abi_cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                                      int device);
CDP_EXPORT cudaError_t cdp_abi_cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
CDP_EXPORT cudaError_t cdp_abi_cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
CDP_EXPORT cudaError_t cdp_abi_cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
CDP_EXPORT cudaError_t cdp_abi_cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                                     const void *kernel);
CDP_EXPORT void cdp_abi_cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value);
CDP_EXPORT cudaError_t cdp_abi_cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
CDP_EXPORT cudaGraphExec_t cdp_abi_cudaGetCurrentGraphExec(void);
CDP_EXPORT cudaError_t cdp_abi_cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t node,
                                                           size_t offset, const void *value,
                                                           size_t size);
CDP_EXPORT cudaError_t cdp_abi_cudaGraphKernelNodeSetEnabled(cudaGraphDeviceNode_t node,
                                                             bool enable);
CDP_EXPORT cudaError_t cdp_abi_cudaGraphKernelNodeSetGridDim(cudaGraphDeviceNode_t node,
                                                             struct dim3 grid);
CDP_EXPORT cudaError_t cdp_abi_cudaGraphKernelNodeUpdatesApply(
    const struct cudaGraphKernelNodeUpdate *updates, size_t count);
CDP_EXPORT cudaError_t cdp_abi_cudaRuntimeGetVersion(int *version);
CDP_EXPORT cudaError_t cdp_abi_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                                             const void *kernel,
                                                                             int threads,
                                                                             size_t shared);
CDP_EXPORT cudaError_t cdp_abi_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *kernel, int threads, size_t shared, unsigned flags);
CDP_EXPORT cudaError_t cdp_abi_occupancy(int *grid, int *block, const void *kernel, size_t shared,
                                         int limit);
CDP_EXPORT uint32_t cdp_abi_is_global(const void *address);
CDP_EXPORT uint32_t cdp_abi_is_shared(const void *address);
CDP_EXPORT uint32_t cdp_abi_is_constant(const void *address);
CDP_EXPORT uint32_t cdp_abi_is_local(const void *address);
CDP_EXPORT uint32_t cdp_abi_is_grid_constant(const void *address);

/* The calling thread's block. */
static inline struct cdp_block *cdp_device_block(void)
{
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    return cdp_block_of(cdp_abi_self);
}

/* Stores an error as the calling CUDA thread's last one. */
static inline cudaError_t cdp_device_fail(cudaError_t error)
{
    if (error != cudaSuccess) {
        cdp_abi_self->last_error = (int32_t)error;
    }
    return error;
}

static inline cudaError_t cdp_device_return(enum cdp_status status)
{
    return CDP_LIKELY(status == CDP_OK) ? cudaSuccess : cdp_device_fail(cdp_error_of(status));
}

/* The meaning of a stream handle for the calling block. */
struct cdp_device_where {
    enum cdp_device_target target;
    struct cdp_device_stream *stream;
};

/* False: not a stream of this block's scope. */
bool cdp_device_resolve(struct cdp_block *block, cudaStream_t handle,
                        struct cdp_device_where *where);

/* Prints a message on stderr for a handle that cdp_device_resolve or a look-up refused. */
void cdp_device_foreign_handle(const char *call, const char *what, const void *handle);

/* Checks the nesting rules for one more level below the calling block: mode and depth. */
enum cdp_status cdp_device_check_nesting(const struct cdp_block *block,
                                         const struct cdp_abi_kernel *kernel);

#endif
