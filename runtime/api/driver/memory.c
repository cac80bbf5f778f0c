/* Memory, copies and fills of the driver API. */
#include "api/driver/driver.h"

#include <string.h>

#include "cuda_runtime_api.h"

#include "api/capture.h"
#include "api/copy.h"
#include "api/memory.h"
#include "api/runtime.h"
#include "exec/report/races.h"
#include "mem/heap.h"
#include "mem/memmap.h"
#include "mem/space.h"

/* The return address in the program. */
#define CALLER __builtin_return_address(0)

/* ---- Allocation ---- */

CUresult cuMemGetInfo(size_t *free, size_t *total)
{
    CDP_DRIVER_CALL(cudaMemGetInfo(free, total));
}

/* This API refuses allocations of no bytes. */
static CUresult allocate(void **ptr, const struct cdp_heap_request *request)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || ptr == NULL || request->size == 0) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    return cdp_driver_end(&call, cdp_memory_allocate(ptr, request));
}

static CUresult allocate_device(CUdeviceptr *ptr, const struct cdp_heap_request *request)
{
    void *address = NULL;
    CUresult result = allocate(ptr == NULL ? NULL : &address, request);
    if (result == CUDA_SUCCESS) {
        *ptr = (uintptr_t)address;
    }
    return result;
}

CUresult cuMemAlloc(CUdeviceptr *ptr, size_t size)
{
    struct cdp_heap_request request = {.size = size, .kind = CDP_MEMORY_DEVICE, .site = CALLER};
    return allocate_device(ptr, &request);
}

CUresult cuMemAllocManaged(CUdeviceptr *ptr, size_t size, unsigned int flags)
{
    if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct cdp_heap_request request = {
        .size = size, .kind = CDP_MEMORY_MANAGED, .flags = flags, .site = CALLER};
    return allocate_device(ptr, &request);
}

CUresult cuMemAllocPitch(CUdeviceptr *ptr, size_t *pitch, size_t width, size_t height,
                         unsigned int element_size)
{
    struct cdp_driver_call call;
    void *address = NULL;
    CUresult result = cdp_driver_begin(&call);
    bool is_size = element_size == 4 || element_size == 8 || element_size == 16;
    if (result != CUDA_SUCCESS || ptr == NULL || width == 0 || height == 0 || !is_size) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result =
        cdp_driver_end(&call, cdp_memory_allocate_rows(&address, pitch, width, height, CALLER));
    if (result == CUDA_SUCCESS) {
        *ptr = (uintptr_t)address;
    }
    return result;
}

static CUresult allocate_pinned(void **ptr, size_t size, unsigned flags, const void *site)
{
    unsigned known =
        CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
    if ((flags & ~known) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct cdp_heap_request request = {
        .size = size, .kind = CDP_MEMORY_PINNED, .flags = flags, .site = site};
    return allocate(ptr, &request);
}

CUresult cuMemHostAlloc(void **ptr, size_t size, unsigned int flags)
{
    return allocate_pinned(ptr, size, flags, CALLER);
}

CUresult cuMemAllocHost(void **ptr, size_t size)
{
    return allocate_pinned(ptr, size, 0, CALLER);
}

static CUresult release(void *ptr, bool is_pinned, const void *site)
{
    struct cdp_driver_call call;
    cudaError_t error = cudaSuccess;
    /* Freeing nothing needs no context. */
    CUresult result = ptr != NULL ? cdp_driver_begin(&call) : cdp_driver_begin_any(&call);
    if (result != CUDA_SUCCESS || (ptr == NULL && cdp_context_current() == NULL)) {
        return result;
    }
    /* Here a capture refuses also a null pointer. */
    bool is_refused = CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_refuses_unsafe(&error);
    return cdp_driver_end(&call, is_refused ? error : cdp_memory_free(ptr, is_pinned, site));
}

CUresult cuMemFree(CUdeviceptr ptr)
{
    return release(cdp_address_of(ptr), false, CALLER);
}

CUresult cuMemFreeHost(void *ptr)
{
    return release(ptr, true, CALLER);
}

CUresult cuMemAllocAsync(CUdeviceptr *ptr, size_t size, CUstream stream)
{
    struct cdp_driver_call call;
    void *address = NULL;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || ptr == NULL || size == 0) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = cdp_driver_end(&call, cdp_memory_allocate_async(NULL, &address, size, stream, CALLER));
    if (result == CUDA_SUCCESS) {
        *ptr = (uintptr_t)address;
    }
    return result;
}

CUresult cuMemFreeAsync(CUdeviceptr ptr, CUstream stream)
{
    CDP_DRIVER_CALL(cudaFreeAsync(cdp_address_of(ptr), stream));
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr ptr)
{
    struct cdp_driver_call call;
    struct cdp_heap_info info;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct cdp_device *device = cdp_device_of(cdp_runtime_running(), cdp_address_of(ptr));
    if (device == NULL || !cdp_heap_find(&device->memory, cdp_address_of(ptr), &info)) {
        struct cdp_memory memory; /* of cuMemMap */
        cdp_memmap_find(cdp_address_of(ptr), &memory);
        if (memory.space != CDP_SPACE_DEVICE || memory.size == 0) {
            return CUDA_ERROR_NOT_FOUND;
        }
        info = (struct cdp_heap_info){.base = memory.base, .size = memory.size};
    }
    if (base != NULL) {
        *base = (uintptr_t)info.base;
    }
    if (size != NULL) {
        *size = info.size;
    }
    return CUDA_SUCCESS;
}

/* ---- Memory of other processes ---- */

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr ptr)
{
    CDP_DRIVER_CALL(cudaIpcGetMemHandle((cudaIpcMemHandle_t *)handle, cdp_address_of(ptr)));
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *ptr, CUipcMemHandle handle, unsigned int flags)
{
    struct cdp_driver_call call;
    void *address = NULL;
    cudaIpcMemHandle_t same;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || ptr == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    memcpy(&same, &handle, sizeof same);
    result = cdp_driver_end(&call, cudaIpcOpenMemHandle(&address, same, flags));
    *ptr = (uintptr_t)address;
    return result;
}

CUresult cuIpcCloseMemHandle(CUdeviceptr ptr)
{
    CDP_DRIVER_CALL(cudaIpcCloseMemHandle(cdp_address_of(ptr)));
}

/* ---- Host memory ---- */

CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned int flags)
{
    struct cdp_driver_call call;
    void *address = NULL;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || device == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = cdp_driver_end(&call, cudaHostGetDevicePointer(&address, host, flags));
    *device = (uintptr_t)address;
    return result;
}

CUresult cuMemHostGetFlags(unsigned int *flags, void *host)
{
    CDP_DRIVER_CALL(cudaHostGetFlags(flags, host));
}

CUresult cuMemHostRegister(void *ptr, size_t size, unsigned int flags)
{
    CDP_DRIVER_CALL(cudaHostRegister(ptr, size, flags));
}

CUresult cuMemHostUnregister(void *ptr)
{
    CDP_DRIVER_CALL(cudaHostUnregister(ptr));
}

/* ---- Copies ---- */

static const struct cdp_copy_order synchronous = {.stream = NULL, .is_async = false};

static CUresult copy(void *dst, const void *src, size_t size, enum cudaMemcpyKind kind,
                     const struct cdp_copy_order *order)
{
    CDP_DRIVER_CALL(cdp_copy_flat_by(dst, src, size, kind, order));
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t size)
{
    CDP_RACES_CALL();
    return copy(cdp_address_of(dst), cdp_address_of(src), size, cudaMemcpyDefault, &synchronous);
}

CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t size)
{
    CDP_RACES_CALL();
    return copy(cdp_address_of(dst), src, size, cudaMemcpyHostToDevice, &synchronous);
}

CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t size)
{
    CDP_RACES_CALL();
    return copy(dst, cdp_address_of(src), size, cudaMemcpyDeviceToHost, &synchronous);
}

CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t size)
{
    CDP_RACES_CALL();
    return copy(cdp_address_of(dst), cdp_address_of(src), size, cudaMemcpyDeviceToDevice,
                &synchronous);
}

/* The devices of two contexts. */
static CUresult find_devices(CUcontext dst, CUdevice *dst_device, CUcontext src,
                             CUdevice *src_device)
{
    return cdp_context_device(dst, dst_device) && cdp_context_device(src, src_device)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
                      CUcontext src_context, size_t size)
{
    struct cdp_driver_call call;
    CUdevice to = 0, from = 0;
    CUresult result = cdp_driver_begin(&call);
    result = result == CUDA_SUCCESS ? find_devices(dst_context, &to, src_context, &from) : result;
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cudaMemcpyPeer(cdp_address_of(dst), to, cdp_address_of(src),
                                                      from, size));
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
                           CUcontext src_context, size_t size, CUstream stream)
{
    struct cdp_driver_call call;
    CUdevice to = 0, from = 0;
    CUresult result = cdp_driver_begin(&call);
    result = result == CUDA_SUCCESS ? find_devices(dst_context, &to, src_context, &from) : result;
    if (result != CUDA_SUCCESS) {
        return result;
    }
    cudaError_t error = cudaSuccess; /* it cannot be a node, as an RTX 3060 showed */
    if (!CDP_UNLIKELY(cdp_capture_is_on()) || !cdp_capture_refuses_stream(stream, &error)) {
        error =
            cudaMemcpyPeerAsync(cdp_address_of(dst), to, cdp_address_of(src), from, size, stream);
    }
    return cdp_driver_end(&call, error);
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t size, CUstream stream)
{
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    return copy(cdp_address_of(dst), cdp_address_of(src), size, cudaMemcpyDefault, &order);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t size, CUstream stream)
{
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    return copy(cdp_address_of(dst), src, size, cudaMemcpyHostToDevice, &order);
}

CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t size, CUstream stream)
{
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    return copy(dst, cdp_address_of(src), size, cudaMemcpyDeviceToHost, &order);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t size, CUstream stream)
{
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    return copy(cdp_address_of(dst), cdp_address_of(src), size, cudaMemcpyDeviceToDevice, &order);
}

/* ---- Fills ---- */

/* Of rows of values of 1, 2 or 4 bytes. */
struct rows {
    CUdeviceptr ptr;
    size_t pitch; /* 0: one row */
    size_t width; /* values */
    size_t height;
    unsigned value, value_size;
};

static CUresult fill(const struct rows *rows, const struct cdp_copy_order *order)
{
    struct cdp_driver_call call;
    size_t bytes;
    CUresult result = cdp_driver_begin(&call);
    bool is_bad = rows->ptr % rows->value_size != 0 ||
                  __builtin_mul_overflow(rows->width, rows->value_size, &bytes);
    bool has_pitch = rows->height > 1 && rows->width > 0;
    if (has_pitch && !is_bad) { /* else the pitch does not matter */
        is_bad = rows->pitch < bytes || rows->pitch % rows->value_size != 0;
    }
    if (result != CUDA_SUCCESS || is_bad) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    struct cdp_set set = {
        .to = {.base = cdp_address_of(rows->ptr), .pitch = has_pitch ? rows->pitch : bytes},
        .width = bytes,
        .height = rows->height,
        .depth = 1,
        .value = rows->value,
        .value_size = rows->value_size};
    return cdp_driver_end(&call, cdp_set_by(&set, order));
}

CUresult cuMemsetD8(CUdeviceptr ptr, unsigned char value, size_t count)
{
    CDP_RACES_CALL();
    struct rows rows = {ptr, 0, count, 1, value, 1};
    return fill(&rows, &synchronous);
}

CUresult cuMemsetD16(CUdeviceptr ptr, unsigned short value, size_t count)
{
    CDP_RACES_CALL();
    struct rows rows = {ptr, 0, count, 1, value, 2};
    return fill(&rows, &synchronous);
}

CUresult cuMemsetD32(CUdeviceptr ptr, unsigned int value, size_t count)
{
    CDP_RACES_CALL();
    struct rows rows = {ptr, 0, count, 1, value, 4};
    return fill(&rows, &synchronous);
}

CUresult cuMemsetD8Async(CUdeviceptr ptr, unsigned char value, size_t count, CUstream stream)
{
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    struct rows rows = {ptr, 0, count, 1, value, 1};
    return fill(&rows, &order);
}

CUresult cuMemsetD16Async(CUdeviceptr ptr, unsigned short value, size_t count, CUstream stream)
{
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    struct rows rows = {ptr, 0, count, 1, value, 2};
    return fill(&rows, &order);
}

CUresult cuMemsetD32Async(CUdeviceptr ptr, unsigned int value, size_t count, CUstream stream)
{
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    struct rows rows = {ptr, 0, count, 1, value, 4};
    return fill(&rows, &order);
}

CUresult cuMemsetD2D8(CUdeviceptr ptr, size_t pitch, unsigned char value, size_t width,
                      size_t height)
{
    CDP_RACES_CALL();
    struct rows rows = {ptr, pitch, width, height, value, 1};
    return fill(&rows, &synchronous);
}

CUresult cuMemsetD2D16(CUdeviceptr ptr, size_t pitch, unsigned short value, size_t width,
                       size_t height)
{
    CDP_RACES_CALL();
    struct rows rows = {ptr, pitch, width, height, value, 2};
    return fill(&rows, &synchronous);
}

CUresult cuMemsetD2D32(CUdeviceptr ptr, size_t pitch, unsigned int value, size_t width,
                       size_t height)
{
    CDP_RACES_CALL();
    struct rows rows = {ptr, pitch, width, height, value, 4};
    return fill(&rows, &synchronous);
}

CUresult cuMemsetD2D8Async(CUdeviceptr ptr, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream)
{
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    struct rows rows = {ptr, pitch, width, height, value, 1};
    return fill(&rows, &order);
}

CUresult cuMemsetD2D16Async(CUdeviceptr ptr, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream)
{
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    struct rows rows = {ptr, pitch, width, height, value, 2};
    return fill(&rows, &order);
}

CUresult cuMemsetD2D32Async(CUdeviceptr ptr, size_t pitch, unsigned int value, size_t width,
                            size_t height, CUstream stream)
{
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    struct rows rows = {ptr, pitch, width, height, value, 4};
    return fill(&rows, &order);
}
