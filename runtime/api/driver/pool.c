/* Memory pools of the driver API, and where managed memory shall be: those of the runtime API. */
#include "api/driver/driver.h"

#include <string.h>

#include "cuda_runtime_api.h"

#include "api/memory.h"
#include "api/pool.h"

/* ---- Pools ---- */

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
    CDP_DRIVER_CALL(cudaDeviceGetDefaultMemPool(pool, device));
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
    CDP_DRIVER_CALL(cudaDeviceGetMemPool(pool, device));
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)
{
    CDP_DRIVER_CALL(cudaDeviceSetMemPool(device, pool));
}

/* Descriptions of pools and of accesses are the same in both APIs. */
_Static_assert(sizeof(CUmemPoolProps) == sizeof(struct cudaMemPoolProps), "another layout");
_Static_assert(sizeof(CUmemAccessDesc) == sizeof(struct cudaMemAccessDesc), "another layout");
_Static_assert(sizeof(CUmemLocation) == sizeof(struct cudaMemLocation), "another layout");

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *props)
{
    CDP_DRIVER_CALL(cudaMemPoolCreate(pool, (const struct cudaMemPoolProps *)(const void *)props));
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    CDP_DRIVER_CALL(cudaMemPoolDestroy(pool));
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *ptr, size_t size, CUmemoryPool pool, CUstream stream)
{
    struct cdp_driver_call call;
    void *address = NULL;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || ptr == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    /* No bytes are no error here, unlike in cuMemAllocAsync. An H100 answers so. */
    result = cdp_driver_end(
        &call, cdp_pool_allocate(&address, size, pool, stream, __builtin_return_address(0)));
    if (result == CUDA_SUCCESS) {
        *ptr = (uintptr_t)address;
    }
    return result;
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep)
{
    CDP_DRIVER_CALL(cudaMemPoolTrimTo(pool, keep));
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
    CDP_DRIVER_CALL(cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)attr, value));
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
    CDP_DRIVER_CALL(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)attr, value));
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *list, size_t count)
{
    CDP_DRIVER_CALL(
        cudaMemPoolSetAccess(pool, (const struct cudaMemAccessDesc *)(const void *)list, count));
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location)
{
    enum cudaMemAccessFlags found = cudaMemAccessFlagsProtNone;
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result =
        cdp_driver_end(&call, cudaMemPoolGetAccess(flags == NULL ? NULL : &found, pool,
                                                   (struct cudaMemLocation *)(void *)location));
    if (result == CUDA_SUCCESS) {
        *flags = (CUmemAccess_flags)found;
    }
    return result;
}

CUresult cuMemPoolExportToShareableHandle(void *shareable, CUmemoryPool pool,
                                          CUmemAllocationHandleType type, unsigned long long flags)
{
    CDP_DRIVER_CALL(cudaMemPoolExportToShareableHandle(
        shareable, pool, (enum cudaMemAllocationHandleType)type, (unsigned)flags));
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool, void *os_handle,
                                            CUmemAllocationHandleType type,
                                            unsigned long long flags)
{
    CDP_DRIVER_CALL(cudaMemPoolImportFromShareableHandle(
        pool, os_handle, (enum cudaMemAllocationHandleType)type, (unsigned)flags));
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *data, CUdeviceptr ptr)
{
    struct cdp_driver_call call;
    struct cudaMemPoolPtrExportData found;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || data == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = cdp_driver_end(&call, cudaMemPoolExportPointer(&found, cdp_address_of(ptr)));
    if (result == CUDA_SUCCESS) {
        memcpy(data, &found, sizeof *data);
    }
    return result;
}

CUresult cuMemPoolImportPointer(CUdeviceptr *ptr, CUmemoryPool pool, CUmemPoolPtrExportData *data)
{
    struct cdp_driver_call call;
    struct cudaMemPoolPtrExportData same;
    void *address = NULL;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || ptr == NULL || data == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    memcpy(&same, data, sizeof same);
    result = cdp_driver_end(&call, cudaMemPoolImportPointer(&address, pool, &same));
    if (result == CUDA_SUCCESS) {
        *ptr = (uintptr_t)address;
    }
    return result;
}

/* ---- Managed memory ---- */

/* The device of a location in the terms of older calls; all of the host's are one. */
static CUdevice device_of(const CUmemLocation *location)
{
    return location->type == CU_MEM_LOCATION_TYPE_DEVICE ? location->id : CU_DEVICE_CPU;
}

CUresult cuMemPrefetchAsync(CUdeviceptr ptr, size_t size, CUdevice device, CUstream stream)
{
    CDP_DRIVER_CALL(cudaMemPrefetchAsync(cdp_address_of(ptr), size, device, stream));
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr ptr, size_t size, CUmemLocation location,
                               unsigned int flags, CUstream stream)
{
    return flags != 0 || location.type == CU_MEM_LOCATION_TYPE_INVALID
               ? CUDA_ERROR_INVALID_VALUE
               : cuMemPrefetchAsync(ptr, size, device_of(&location), stream);
}

CUresult cuMemAdvise(CUdeviceptr ptr, size_t size, CUmem_advise advice, CUdevice device)
{
    CDP_DRIVER_CALL(
        cudaMemAdvise(cdp_address_of(ptr), size, (enum cudaMemoryAdvise)advice, device));
}

/* Advice for no place ignores the location. */
CUresult cuMemAdvise_v2(CUdeviceptr ptr, size_t size, CUmem_advise advice, CUmemLocation location)
{
    bool has_place = advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION ||
                     advice == CU_MEM_ADVISE_SET_ACCESSED_BY ||
                     advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
    return has_place && location.type == CU_MEM_LOCATION_TYPE_INVALID
               ? CUDA_ERROR_INVALID_VALUE
               : cuMemAdvise(ptr, size, advice, device_of(&location));
}

CUresult cuMemRangeGetAttribute(void *data, size_t data_size, CUmem_range_attribute attr,
                                CUdeviceptr ptr, size_t size)
{
    CDP_DRIVER_CALL(cudaMemRangeGetAttribute(data, data_size, (enum cudaMemRangeAttribute)attr,
                                             cdp_address_of(ptr), size));
}

CUresult cuMemRangeGetAttributes(void **data, size_t *data_sizes, CUmem_range_attribute *attrs,
                                 size_t count, CUdeviceptr ptr, size_t size)
{
    CUresult result = CUDA_SUCCESS;
    if (data == NULL || data_sizes == NULL || attrs == NULL || count == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        result = cuMemRangeGetAttribute(data[i], data_sizes[i], attrs[i], ptr, size);
    }
    return result;
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr ptr, size_t size, unsigned int flags)
{
    CDP_DRIVER_CALL(cudaStreamAttachMemAsync(stream, cdp_address_of(ptr), size, flags));
}
