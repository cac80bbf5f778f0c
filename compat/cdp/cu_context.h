/* The driver API's contexts. Included by cuda.h. */
#ifndef __CDP_CU_CONTEXT_H
#define __CDP_CU_CONTEXT_H

#define cuCtxCreate cuCtxCreate_v2
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuCtxCreate(CUcontext *__context, unsigned int __flags, CUdevice __device);
CUresult cuCtxCreate_v3(CUcontext *__context, CUexecAffinityParam *__affinities, int __count,
                        unsigned int __flags, CUdevice __device);
CUresult cuCtxCreate_v4(CUcontext *__context, CUctxCreateParams *__params, unsigned int __flags,
                        CUdevice __device);
CUresult cuCtxDestroy(CUcontext __context);
CUresult cuCtxPushCurrent(CUcontext __context);
CUresult cuCtxPopCurrent(CUcontext *__context);
CUresult cuCtxSetCurrent(CUcontext __context);
CUresult cuCtxGetCurrent(CUcontext *__context);
CUresult cuCtxGetDevice(CUdevice *__device);
CUresult cuCtxGetFlags(unsigned int *__flags);
CUresult cuCtxSetFlags(unsigned int __flags);
CUresult cuCtxGetId(CUcontext __context, unsigned long long *__id);
CUresult cuCtxGetApiVersion(CUcontext __context, unsigned int *__version);
CUresult cuCtxSynchronize(void);
CUresult cuCtxSetLimit(CUlimit __limit, size_t __value);
CUresult cuCtxGetLimit(size_t *__value, CUlimit __limit);
CUresult cuCtxGetCacheConfig(CUfunc_cache *__config);
CUresult cuCtxSetCacheConfig(CUfunc_cache __config);
CUresult cuCtxResetPersistingL2Cache(void);
CUresult cuCtxGetSharedMemConfig(CUsharedconfig *__config);
CUresult cuCtxSetSharedMemConfig(CUsharedconfig __config);
CUresult cuCtxGetExecAffinity(CUexecAffinityParam *__affinity, CUexecAffinityType __type);
CUresult cuDeviceGetExecAffinitySupport(int *__is, CUexecAffinityType __type, CUdevice __device);
CUresult cuCtxGetStreamPriorityRange(int *__least, int *__greatest);
CUresult cuCtxEnablePeerAccess(CUcontext __peer, unsigned int __flags);
CUresult cuCtxDisablePeerAccess(CUcontext __peer);

#ifdef __cplusplus
}

/* As CUDA 13 declares it. */
static inline CUresult cuCtxCreate(CUcontext *__context, CUctxCreateParams *__params,
                                   unsigned int __flags, CUdevice __device)
{
    return cuCtxCreate_v4(__context, __params, __flags, __device);
}
#endif

#endif
