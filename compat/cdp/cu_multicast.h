/* The driver API's "Multicast Object Management": not supported, as on a single GPU
 * (CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED is 0). Included by cuda.h. */
#ifndef __CDP_CU_MULTICAST_H
#define __CDP_CU_MULTICAST_H

typedef enum CUmulticastGranularity_flags_enum {
    CU_MULTICAST_GRANULARITY_MINIMUM = 0x0,
    CU_MULTICAST_GRANULARITY_RECOMMENDED = 0x1
} CUmulticastGranularity_flags;

typedef struct CUmulticastObjectProp_st {
    unsigned int numDevices;
    size_t size;
    unsigned long long handleTypes, flags;
} CUmulticastObjectProp, CUmulticastObjectProp_v1;

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuMulticastCreate(CUmemGenericAllocationHandle *__handle,
                           const CUmulticastObjectProp *__prop);
CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle __handle, CUdevice __device);
CUresult cuMulticastBindMem(CUmemGenericAllocationHandle __handle, size_t __offset,
                            CUmemGenericAllocationHandle __memory, size_t __memory_offset,
                            size_t __size, unsigned long long __flags);
CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle __handle, size_t __offset,
                             CUdeviceptr __ptr, size_t __size, unsigned long long __flags);
CUresult cuMulticastUnbind(CUmemGenericAllocationHandle __handle, CUdevice __device,
                           size_t __offset, size_t __size);
CUresult cuMulticastGetGranularity(size_t *__granularity, const CUmulticastObjectProp *__prop,
                                   CUmulticastGranularity_flags __option);

#ifdef __cplusplus
}
#endif

#endif
