/* Batches of copies: those of the runtime API. */
#include <stddef.h>

#include "api/driver/driver.h"

#include "cuda_runtime_api.h"

_Static_assert(sizeof(CUmemcpyAttributes) == sizeof(struct cudaMemcpyAttributes) &&
                   sizeof(CUDA_MEMCPY3D_BATCH_OP) == sizeof(struct cudaMemcpy3DBatchOp) &&
                   offsetof(CUDA_MEMCPY3D_BATCH_OP, extent) ==
                       offsetof(struct cudaMemcpy3DBatchOp, extent) &&
                   sizeof(CUdeviceptr) == sizeof(void *),
               "the same layout");

CUresult cuMemcpyBatchAsync(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                            CUmemcpyAttributes *attrs, size_t *starts, size_t attr_count,
                            size_t *failed, CUstream stream)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    return cdp_driver_end(&call,
                          cudaMemcpyBatchAsync((void **)(void *)dsts, (void **)(void *)srcs, sizes,
                                               count, (struct cudaMemcpyAttributes *)(void *)attrs,
                                               starts, attr_count, failed, stream));
}

CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP *ops, size_t *failed,
                              unsigned long long flags, CUstream stream)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    return cdp_driver_end(&call,
                          cudaMemcpy3DBatchAsync(count, (struct cudaMemcpy3DBatchOp *)(void *)ops,
                                                 failed, flags, stream));
}
