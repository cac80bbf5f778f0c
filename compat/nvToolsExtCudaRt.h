/* NVTX: names of streams; names of devices and events are accepted and not shown. */
#ifndef __CDP_NVTOOLSEXTCUDART_H
#define __CDP_NVTOOLSEXTCUDART_H

#include "driver_types.h"
#include "nvToolsExt.h"

#ifdef __cplusplus
extern "C" {
#endif
static inline void nvtxNameCudaStreamA(cudaStream_t __stream, const char *__name)
{
    if (__cdp_nvtx_name_stream) {
        __cdp_nvtx_name_stream((const void *)__stream, __cdp_nvtx_ascii(__name));
    }
}
static inline void nvtxNameCudaStreamW(cudaStream_t __stream, const wchar_t *__name)
{
    if (__cdp_nvtx_name_stream) {
        __cdp_nvtx_name_stream((const void *)__stream, __cdp_nvtx_wide(__name));
    }
}
static inline void nvtxNameCudaDeviceA(int __device, const char *__name)
{
    (void)__device, (void)__name;
}
static inline void nvtxNameCudaDeviceW(int __device, const wchar_t *__name)
{
    (void)__device, (void)__name;
}
static inline void nvtxNameCudaEventA(cudaEvent_t __event, const char *__name)
{
    (void)__event, (void)__name;
}
static inline void nvtxNameCudaEventW(cudaEvent_t __event, const wchar_t *__name)
{
    (void)__event, (void)__name;
}
#ifdef __cplusplus
}
#endif
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA

#endif
