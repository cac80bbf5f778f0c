/* The driver API's memory pools ("Stream Ordered Memory Allocator" in NVIDIA's manual), and where
 * managed memory shall be ("Unified Addressing"). Included by cuda.h. */
#ifndef __CDP_CU_POOL_H
#define __CDP_CU_POOL_H

#include "cu_graph_types.h"

#define CU_DEVICE_CPU ((CUdevice) - 1)
#define CU_DEVICE_INVALID ((CUdevice) - 2)

typedef struct CUmemPoolHandle_st *CUmemoryPool;

typedef enum CUmemPool_attribute_enum {
    CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
    CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = 2,
    CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
    CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4,
    CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5,
    CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6,
    CU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7,
    CU_MEMPOOL_ATTR_USED_MEM_HIGH = 8
} CUmemPool_attribute;

typedef struct CUmemPoolPtrExportData_st {
    unsigned char reserved[64];
} CUmemPoolPtrExportData;

typedef enum CUmem_advise_enum {
    CU_MEM_ADVISE_SET_READ_MOSTLY = 1,
    CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2,
    CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3,
    CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
    CU_MEM_ADVISE_SET_ACCESSED_BY = 5,
    CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6
} CUmem_advise;

typedef enum CUmem_range_attribute_enum {
    CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
    CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
    CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
    CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 4
} CUmem_range_attribute;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Pools ---- */
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *__pool, CUdevice __device);
CUresult cuDeviceGetMemPool(CUmemoryPool *__pool, CUdevice __device);
CUresult cuDeviceSetMemPool(CUdevice __device, CUmemoryPool __pool);
CUresult cuMemPoolCreate(CUmemoryPool *__pool, const CUmemPoolProps *__props);
CUresult cuMemPoolDestroy(CUmemoryPool __pool);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *__ptr, size_t __size, CUmemoryPool __pool,
                                 CUstream __stream);
CUresult cuMemPoolTrimTo(CUmemoryPool __pool, size_t __keep);
CUresult cuMemPoolSetAttribute(CUmemoryPool __pool, CUmemPool_attribute __attr, void *__value);
CUresult cuMemPoolGetAttribute(CUmemoryPool __pool, CUmemPool_attribute __attr, void *__value);
CUresult cuMemPoolSetAccess(CUmemoryPool __pool, const CUmemAccessDesc *__list, size_t __count);
CUresult cuMemPoolGetAccess(CUmemAccess_flags *__flags, CUmemoryPool __pool,
                            CUmemLocation *__location);
CUresult cuMemPoolExportToShareableHandle(void *__shareable, CUmemoryPool __pool,
                                          CUmemAllocationHandleType __type,
                                          unsigned long long __flags);
CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *__pool, void *__os_handle,
                                            CUmemAllocationHandleType __type,
                                            unsigned long long __flags);
CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *__data, CUdeviceptr __ptr);
CUresult cuMemPoolImportPointer(CUdeviceptr *__ptr, CUmemoryPool __pool,
                                CUmemPoolPtrExportData *__data);

/* ---- Managed memory ---- */
CUresult cuMemPrefetchAsync(CUdeviceptr __ptr, size_t __size, CUdevice __device,
                            CUstream __stream);
CUresult cuMemPrefetchAsync_v2(CUdeviceptr __ptr, size_t __size, CUmemLocation __location,
                               unsigned int __flags, CUstream __stream);
CUresult cuMemAdvise(CUdeviceptr __ptr, size_t __size, CUmem_advise __advice, CUdevice __device);
CUresult cuMemAdvise_v2(CUdeviceptr __ptr, size_t __size, CUmem_advise __advice,
                        CUmemLocation __location);
CUresult cuMemRangeGetAttribute(void *__data, size_t __data_size, CUmem_range_attribute __attr,
                                CUdeviceptr __ptr, size_t __size);
CUresult cuMemRangeGetAttributes(void **__data, size_t *__data_sizes,
                                 CUmem_range_attribute *__attrs, size_t __count, CUdeviceptr __ptr,
                                 size_t __size);
CUresult cuStreamAttachMemAsync(CUstream __stream, CUdeviceptr __ptr, size_t __size,
                                unsigned int __flags);

#ifdef __cplusplus
}

/* As CUDA 13 declares them. */
static inline CUresult cuMemPrefetchAsync(CUdeviceptr __ptr, size_t __size,
                                          CUmemLocation __location, unsigned int __flags,
                                          CUstream __stream)
{
    return cuMemPrefetchAsync_v2(__ptr, __size, __location, __flags, __stream);
}
static inline CUresult cuMemAdvise(CUdeviceptr __ptr, size_t __size, CUmem_advise __advice,
                                   CUmemLocation __location)
{
    return cuMemAdvise_v2(__ptr, __size, __advice, __location);
}
#endif

#endif
