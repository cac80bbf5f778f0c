/* Attributes of pointers. */
#include "api/driver/driver.h"

#include <string.h>

#include "cuda_runtime_api.h"

#include "base/options.h"
#include "mem/heap.h"
#include "mem/memmap.h"

static CUresult get_range(void *value, bool is_size, CUdeviceptr ptr)
{
    CUdeviceptr base;
    size_t size;
    CUresult result = cuMemGetAddressRange(&base, &size, ptr);
    if (result != CUDA_SUCCESS) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (is_size) {
        *(size_t *)value = size;
    } else {
        *(CUdeviceptr *)value = base;
    }
    return CUDA_SUCCESS;
}

/* SYNC_MEMOPS of an allocation before the program sets it. */
static bool is_synchronous(const struct cdp_heap_info *info)
{
    return info->kind == CDP_MEMORY_MANAGED;
}

/* What the allocation has: its number, access, and SYNC_MEMOPS: the mark tells of a change. */
static CUresult get_of_allocation(void *value, CUpointer_attribute attr, CUdeviceptr ptr)
{
    enum cdp_space space;
    struct cdp_heap_info info;
    struct cdp_heap *heap = cdp_memmap_heap(cdp_address_of(ptr), &space);
    if (heap == NULL || !cdp_heap_find(heap, cdp_address_of(ptr), &info)) {
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    if (attr == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) {
        *(unsigned *)value = info.mark != is_synchronous(&info);
    } else if (attr == CU_POINTER_ATTRIBUTE_ACCESS_FLAGS) {
        *(unsigned *)value = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
    } else { /* each heap has numbers of its own */
        unsigned device = cdp_memmap_device(info.base);
        *(unsigned long long *)value = info.serial * CDP_MOST_DEVICES + device;
    }
    return CUDA_SUCCESS;
}

static CUresult get_attribute(void *value, CUpointer_attribute attr, CUdeviceptr ptr,
                              const struct cudaPointerAttributes *found)
{
    bool is_managed = found->type == cudaMemoryTypeManaged;
    switch ((int)attr) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)value = cdp_context_current();
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value =
            found->type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)value = ptr;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *(void **)value = found->hostPointer;
        return found->hostPointer != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(unsigned *)value = is_managed; /* an H100 writes 4 bytes */
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPED:
        *(unsigned *)value = 1;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        *(unsigned *)value = found->type == cudaMemoryTypeDevice;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
        *(unsigned *)value = 0;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)value = found->device;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        return get_range(value, attr == CU_POINTER_ATTRIBUTE_RANGE_SIZE, ptr);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        return get_of_allocation(value, attr, ptr);
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attr, CUdeviceptr ptr)
{
    struct cdp_driver_call call;
    struct cudaPointerAttributes found;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || value == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = cdp_driver_end(&call, cudaPointerGetAttributes(&found, cdp_address_of(ptr)));
    if (result != CUDA_SUCCESS || found.type == cudaMemoryTypeUnregistered) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    return get_attribute(value, attr, ptr, &found);
}

/* The bytes of an attribute's value; 0: it does not exist. */
static size_t size_of(CUpointer_attribute attr)
{
    switch ((int)attr) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        return sizeof(unsigned);
    case CU_POINTER_ATTRIBUTE_CONTEXT:
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        return sizeof(void *);
    default:
        return 0;
    }
}

/* The value where there is none, as an H200 has it. */
static void store_default(void *value, CUpointer_attribute attr, CUdeviceptr ptr)
{
    struct cudaPointerAttributes found;
    struct cdp_driver_call call;
    bool is_host = cdp_driver_begin(&call) == CUDA_SUCCESS &&
                   cdp_driver_end(&call, cudaPointerGetAttributes(&found, cdp_address_of(ptr))) ==
                       CUDA_SUCCESS &&
                   found.type == cudaMemoryTypeUnregistered;
    switch ((int)attr) {
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *(void **)value = is_host ? cdp_address_of(ptr) : NULL;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)value = CU_DEVICE_INVALID;
        break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: /* stay as they are */
        break;
    default:
        memset(value, 0, size_of(attr));
        break;
    }
}

/* What a pointer does not have is no error. */
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute *attrs, void **values,
                                CUdeviceptr ptr)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || count == 0 || attrs == NULL || values == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned i = 0; i < count; i++) {
        if (size_of(attrs[i]) == 0 || values[i] == NULL) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        if (cuPointerGetAttribute(values[i], attrs[i], ptr) != CUDA_SUCCESS) {
            store_default(values[i], attrs[i], ptr);
        }
    }
    return CUDA_SUCCESS;
}

/* Calls that do not have Async in their names have done their work when they return, here also
 * without the attribute. So it is only stored. */
CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attr, CUdeviceptr ptr)
{
    struct cdp_driver_call call;
    enum cdp_space space;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct cdp_heap *heap = cdp_memmap_heap(cdp_address_of(ptr), &space);
    struct cdp_heap_info info;
    if (value == NULL || attr != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || heap == NULL ||
        !cdp_heap_find(heap, cdp_address_of(ptr), &info)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    bool is_on = *(const unsigned *)value != 0;
    bool is_set = cdp_heap_set_mark(heap, info.base, is_on != is_synchronous(&info));
    return is_set ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
