/* What contexts say of their device. */
#include "api/driver/driver.h"

#include "cudaProfiler.h"
#include "cuda_runtime_api.h"

#include "api/runtime.h"

CUresult cuCtxSynchronize(void)
{
    CDP_DRIVER_CALL(cudaDeviceSynchronize());
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    CDP_DRIVER_CALL(cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    CDP_DRIVER_CALL(cudaDeviceGetLimit(value, (enum cudaLimit)limit));
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
    struct cdp_driver_call call;
    enum cudaFuncCache value = cudaFuncCachePreferNone;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || config == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = cdp_driver_end(&call, cudaDeviceGetCacheConfig(&value));
    *config = (CUfunc_cache)value;
    return result;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    CDP_DRIVER_CALL(cudaDeviceSetCacheConfig((enum cudaFuncCache)config));
}

CUresult cuCtxResetPersistingL2Cache(void)
{
    CDP_DRIVER_CALL(cudaCtxResetPersistingL2Cache());
}

/* Devices choose the width of their banks no more. */
CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || config == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    return result == CUDA_SUCCESS && (unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE
               ? CUDA_ERROR_INVALID_VALUE
               : result;
}

/* A context has all multiprocessors of its device. */
CUresult cuCtxGetExecAffinity(CUexecAffinityParam *affinity, CUexecAffinityType type)
{
    struct cdp_driver_call call;
    int count = 0;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || affinity == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    if (type != CU_EXEC_AFFINITY_TYPE_SM_COUNT) {
        return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    }
    result = cdp_driver_end(&call, cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount,
                                                          (int)cdp_device_number));
    affinity->type = type;
    affinity->param.smCount.val = (unsigned)count;
    return result;
}

CUresult cuDeviceGetExecAffinitySupport(int *is, CUexecAffinityType type, CUdevice device)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin_any(&call);
    if (result == CUDA_SUCCESS && (is == NULL || (unsigned)type >= CU_EXEC_AFFINITY_TYPE_MAX)) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    result = result == CUDA_SUCCESS ? cdp_driver_check_device(&call, device) : result;
    if (result == CUDA_SUCCESS) {
        *is = 0;
    }
    return result;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    CDP_DRIVER_CALL(cudaDeviceGetStreamPriorityRange(least, greatest));
}

/* ---- Peers ---- */

/* The start of a call about the device of another context. */
static CUresult begin_of_peer(struct cdp_driver_call *call, CUcontext peer, CUdevice *device)
{
    CUresult result = cdp_driver_begin(call);
    bool is_context = result == CUDA_SUCCESS && peer != NULL && cdp_context_device(peer, device);
    return result == CUDA_SUCCESS && !is_context ? CUDA_ERROR_INVALID_CONTEXT : result;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
    struct cdp_driver_call call;
    CUdevice device;
    CUresult result = begin_of_peer(&call, peer, &device);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cudaDeviceEnablePeerAccess(device, flags));
}

CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    struct cdp_driver_call call;
    CUdevice device;
    CUresult result = begin_of_peer(&call, peer, &device);
    return result != CUDA_SUCCESS ? result
                                  : cdp_driver_end(&call, cudaDeviceDisablePeerAccess(device));
}

/* ---- Profilers ---- */

CUresult cuProfilerStart(void)
{
    CDP_DRIVER_CALL(cudaProfilerStart());
}

CUresult cuProfilerStop(void)
{
    CDP_DRIVER_CALL(cudaProfilerStop());
}
