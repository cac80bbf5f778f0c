/* The driver API's "Virtual Memory Management": addresses and memory apart. Included by cuda.h. */
#ifndef __CDP_CU_MAPPING_H
#define __CDP_CU_MAPPING_H

typedef enum CUmemAllocationHandleType_enum {
    CU_MEM_HANDLE_TYPE_NONE = 0x0,
    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 0x1,
    CU_MEM_HANDLE_TYPE_WIN32 = 0x2,
    CU_MEM_HANDLE_TYPE_WIN32_KMT = 0x4,
    CU_MEM_HANDLE_TYPE_FABRIC = 0x8,
    CU_MEM_HANDLE_TYPE_MAX = 0x7FFFFFFF
} CUmemAllocationHandleType;

typedef enum CUmemAccess_flags_enum {
    CU_MEM_ACCESS_FLAGS_PROT_NONE = 0x0,
    CU_MEM_ACCESS_FLAGS_PROT_READ = 0x1,
    CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 0x3,
    CU_MEM_ACCESS_FLAGS_PROT_MAX = 0x7FFFFFFF
} CUmemAccess_flags;

typedef enum CUmemLocationType_enum {
    CU_MEM_LOCATION_TYPE_INVALID = 0x0,
    CU_MEM_LOCATION_TYPE_NONE = 0x0,
    CU_MEM_LOCATION_TYPE_DEVICE = 0x1,
    CU_MEM_LOCATION_TYPE_HOST = 0x2,
    CU_MEM_LOCATION_TYPE_HOST_NUMA = 0x3,
    CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT = 0x4,
    CU_MEM_LOCATION_TYPE_MAX = 0x7FFFFFFF
} CUmemLocationType;

typedef enum CUmemAllocationType_enum {
    CU_MEM_ALLOCATION_TYPE_INVALID = 0x0,
    CU_MEM_ALLOCATION_TYPE_PINNED = 0x1,
    CU_MEM_ALLOCATION_TYPE_MAX = 0x7FFFFFFF
} CUmemAllocationType;

typedef enum CUmemAllocationGranularity_flags_enum {
    CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0x0,
    CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 0x1
} CUmemAllocationGranularity_flags;

typedef enum CUmemAllocationCompType_enum {
    CU_MEM_ALLOCATION_COMP_NONE = 0x0,
    CU_MEM_ALLOCATION_COMP_GENERIC = 0x1
} CUmemAllocationCompType;

typedef struct CUmemLocation_st {
    CUmemLocationType type;
    int id;
} CUmemLocation;

typedef struct CUmemAllocationProp_st {
    CUmemAllocationType type;
    CUmemAllocationHandleType requestedHandleTypes;
    CUmemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType;
        unsigned char gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} CUmemAllocationProp;

typedef struct CUmemAccessDesc_st {
    CUmemLocation location;
    CUmemAccess_flags flags;
} CUmemAccessDesc;

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuMemGetAllocationGranularity(size_t *__granularity, const CUmemAllocationProp *__prop,
                                       CUmemAllocationGranularity_flags __option);
CUresult cuMemAddressReserve(CUdeviceptr *__ptr, size_t __size, size_t __alignment,
                             CUdeviceptr __address, unsigned long long __flags);
CUresult cuMemAddressFree(CUdeviceptr __ptr, size_t __size);
CUresult cuMemCreate(CUmemGenericAllocationHandle *__handle, size_t __size,
                     const CUmemAllocationProp *__prop, unsigned long long __flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle __handle);
CUresult cuMemMap(CUdeviceptr __ptr, size_t __size, size_t __offset,
                  CUmemGenericAllocationHandle __handle, unsigned long long __flags);
CUresult cuMemUnmap(CUdeviceptr __ptr, size_t __size);
CUresult cuMemSetAccess(CUdeviceptr __ptr, size_t __size, const CUmemAccessDesc *__access,
                        size_t __count);
CUresult cuMemGetAccess(unsigned long long *__flags, const CUmemLocation *__location,
                        CUdeviceptr __ptr);
CUresult cuMemExportToShareableHandle(void *__shareable, CUmemGenericAllocationHandle __handle,
                                      CUmemAllocationHandleType __type,
                                      unsigned long long __flags);
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *__handle, void *__os_handle,
                                        CUmemAllocationHandleType __type);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *__prop,
                                                CUmemGenericAllocationHandle __handle);
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *__handle, void *__address);

#ifdef __cplusplus
}
#endif

#endif
