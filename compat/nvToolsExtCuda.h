/* NVTX: names of streams of the driver API; names of other objects are accepted and not shown. */
#ifndef __CDP_NVTOOLSEXTCUDA_H
#define __CDP_NVTOOLSEXTCUDA_H

#include "cuda.h"
#include "nvToolsExt.h"

#ifdef __cplusplus
extern "C" {
#endif
static inline void nvtxNameCuStreamA(CUstream __stream, const char *__name)
{
    if (__cdp_nvtx_name_stream) {
        __cdp_nvtx_name_stream((const void *)__stream, __cdp_nvtx_ascii(__name));
    }
}
static inline void nvtxNameCuStreamW(CUstream __stream, const wchar_t *__name)
{
    if (__cdp_nvtx_name_stream) {
        __cdp_nvtx_name_stream((const void *)__stream, __cdp_nvtx_wide(__name));
    }
}
static inline void nvtxNameCuDeviceA(CUdevice __device, const char *__name)
{
    (void)__device, (void)__name;
}
static inline void nvtxNameCuDeviceW(CUdevice __device, const wchar_t *__name)
{
    (void)__device, (void)__name;
}
static inline void nvtxNameCuContextA(CUcontext __context, const char *__name)
{
    (void)__context, (void)__name;
}
static inline void nvtxNameCuContextW(CUcontext __context, const wchar_t *__name)
{
    (void)__context, (void)__name;
}
static inline void nvtxNameCuEventA(CUevent __event, const char *__name)
{
    (void)__event, (void)__name;
}
static inline void nvtxNameCuEventW(CUevent __event, const wchar_t *__name)
{
    (void)__event, (void)__name;
}
#ifdef __cplusplus
}
#endif
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA

#endif
