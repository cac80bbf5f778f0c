/* Copies of rows and boxes, and all that name arrays, of the driver API.
 *
 * Each copy becomes one of boxes in the terms of the runtime API (cudaMemcpy3D). There, widths
 * count elements if an array is involved, and bytes otherwise; here they always count bytes. */
#include "api/driver/array.h"

#include "cuda_runtime_api.h"

#include "api/copy.h"
#include "api/driver/driver.h"
#include "exec/report/races.h"

static const struct cdp_copy_order synchronous = {.stream = NULL, .is_async = false};

/* ---- To the terms of the runtime API ---- */

/* One side of a copy of boxes. */
struct side {
    CUmemorytype type;
    void *host;
    CUdeviceptr device;
    CUarray array;
    size_t x, y, z, level; /* x in bytes */
    size_t pitch, height;  /* of memory; 0: as many as are copied */
};

static struct side to_of(const CUDA_MEMCPY3D *copy)
{
    return (struct side){.type = copy->dstMemoryType,
                         .host = copy->dstHost,
                         .device = copy->dstDevice,
                         .array = copy->dstArray,
                         .x = copy->dstXInBytes,
                         .y = copy->dstY,
                         .z = copy->dstZ,
                         .level = copy->dstLOD,
                         .pitch = copy->dstPitch,
                         .height = copy->dstHeight};
}

static struct side from_of(const CUDA_MEMCPY3D *copy)
{
    return (struct side){.type = copy->srcMemoryType,
                         .host = (void *)(uintptr_t)copy->srcHost,
                         .device = copy->srcDevice,
                         .array = copy->srcArray,
                         .x = copy->srcXInBytes,
                         .y = copy->srcY,
                         .z = copy->srcZ,
                         .level = copy->srcLOD,
                         .pitch = copy->srcPitch,
                         .height = copy->srcHeight};
}

/* The bytes of an element if the side is an array, else 1. */
static CUresult element_of(const struct side *side, size_t *bytes)
{
    struct cudaChannelFormatDesc desc;
    *bytes = 1;
    if (side->type != CU_MEMORYTYPE_ARRAY) {
        bool is_memory = side->type == CU_MEMORYTYPE_HOST || side->type == CU_MEMORYTYPE_DEVICE ||
                         side->type == CU_MEMORYTYPE_UNIFIED;
        return is_memory ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    if (cudaGetChannelDesc(&desc, cdp_array_of(side->array)) != cudaSuccess) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    *bytes = (size_t)(desc.x + desc.y + desc.z + desc.w) / 8;
    return CUDA_SUCCESS;
}

/* False: the rows of memory overlap. */
static bool set_memory(const struct side *side, const CUDA_MEMCPY3D *copy,
                       struct cudaPitchedPtr *ptr, struct cudaPos *pos)
{
    size_t row = side->x + copy->WidthInBytes;
    size_t pitch = side->pitch != 0 ? side->pitch : row;
    size_t height = side->height != 0 ? side->height : side->y + copy->Height;
    *ptr = (struct cudaPitchedPtr){
        .ptr = side->type == CU_MEMORYTYPE_HOST ? side->host : cdp_address_of(side->device),
        .pitch = pitch,
        .xsize = pitch,
        .ysize = height};
    *pos = (struct cudaPos){side->x, side->y, side->z};
    bool is_one = copy->Height == 1 && copy->Depth == 1;
    return is_one || (pitch >= row && (copy->Depth == 1 || height >= side->y + copy->Height));
}

static bool set_array(const struct side *side, size_t element, cudaArray_t *array,
                      struct cudaPos *pos)
{
    *array = cdp_array_of(side->array);
    *pos = (struct cudaPos){side->x / element, side->y, side->z};
    return side->x % element == 0;
}

/* By the places of both sides; an array is on the device. */
static enum cudaMemcpyKind kind_of(CUmemorytype to, CUmemorytype from)
{
    static const enum cudaMemcpyKind kinds[2][2] = {
        {cudaMemcpyHostToHost, cudaMemcpyDeviceToHost},
        {cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice}};
    if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED) {
        return cudaMemcpyDefault;
    }
    return kinds[to != CU_MEMORYTYPE_HOST][from != CU_MEMORYTYPE_HOST];
}

CUresult cdp_copy_params_of(const CUDA_MEMCPY3D *copy, struct cudaMemcpy3DParms *out)
{
    struct side to = to_of(copy), from = from_of(copy);
    size_t to_element, from_element;
    CUresult result = element_of(&to, &to_element);
    result = result == CUDA_SUCCESS ? element_of(&from, &from_element) : result;
    if (result != CUDA_SUCCESS) {
        return result;
    }
    size_t element = to_element > from_element ? to_element : from_element;
    bool is_to_array = to.type == CU_MEMORYTYPE_ARRAY,
         is_from_array = from.type == CU_MEMORYTYPE_ARRAY;
    bool is_other = is_to_array && is_from_array && to_element != from_element;
    if (to.level != 0 || from.level != 0 || copy->WidthInBytes % element != 0 || is_other) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = (struct cudaMemcpy3DParms){
        .extent = {copy->WidthInBytes / element, copy->Height, copy->Depth},
        .kind = kind_of(to.type, from.type)};
    bool fits = is_to_array ? set_array(&to, element, &out->dstArray, &out->dstPos)
                            : set_memory(&to, copy, &out->dstPtr, &out->dstPos);
    fits = fits && (is_from_array ? set_array(&from, element, &out->srcArray, &out->srcPos)
                                  : set_memory(&from, copy, &out->srcPtr, &out->srcPos));
    return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* A copy of rows as a copy of boxes of one row each. */
static CUDA_MEMCPY3D copy_of_rows(const CUDA_MEMCPY2D *copy)
{
    return (CUDA_MEMCPY3D){.srcXInBytes = copy->srcXInBytes,
                           .srcY = copy->srcY,
                           .srcMemoryType = copy->srcMemoryType,
                           .srcHost = copy->srcHost,
                           .srcDevice = copy->srcDevice,
                           .srcArray = copy->srcArray,
                           .srcPitch = copy->srcPitch,
                           .dstXInBytes = copy->dstXInBytes,
                           .dstY = copy->dstY,
                           .dstMemoryType = copy->dstMemoryType,
                           .dstHost = copy->dstHost,
                           .dstDevice = copy->dstDevice,
                           .dstArray = copy->dstArray,
                           .dstPitch = copy->dstPitch,
                           .WidthInBytes = copy->WidthInBytes,
                           .Height = copy->Height,
                           .Depth = 1};
}

/* ---- From the terms of the runtime API ---- */

static size_t element_bytes(cudaArray_t array)
{
    struct side side = {.type = CU_MEMORYTYPE_ARRAY, .array = cdp_cu_array_of(array)};
    size_t bytes;
    return element_of(&side, &bytes) == CUDA_SUCCESS ? bytes : 1;
}

/* Where the memory of one side is; is_host: as far as the kind of the copy tells. */
static CUmemorytype type_of(cudaArray_t array, enum cudaMemcpyKind kind, bool is_host)
{
    if (array != NULL) {
        return CU_MEMORYTYPE_ARRAY;
    }
    return kind == cudaMemcpyDefault ? CU_MEMORYTYPE_UNIFIED
           : is_host                 ? CU_MEMORYTYPE_HOST
                                     : CU_MEMORYTYPE_DEVICE;
}

CUDA_MEMCPY3D cdp_cu_copy_of(const struct cudaMemcpy3DParms *params)
{
    bool from_host = params->kind == cudaMemcpyHostToHost || params->kind == cudaMemcpyHostToDevice;
    bool to_host = params->kind == cudaMemcpyHostToHost || params->kind == cudaMemcpyDeviceToHost;
    size_t from = params->srcArray != NULL ? element_bytes(params->srcArray) : 1;
    size_t to = params->dstArray != NULL ? element_bytes(params->dstArray) : 1;
    return (CUDA_MEMCPY3D){.srcXInBytes = params->srcPos.x * from,
                           .srcY = params->srcPos.y,
                           .srcZ = params->srcPos.z,
                           .srcMemoryType = type_of(params->srcArray, params->kind, from_host),
                           .srcHost = from_host ? params->srcPtr.ptr : NULL,
                           .srcDevice = from_host ? 0 : (uintptr_t)params->srcPtr.ptr,
                           .srcArray = cdp_cu_array_of(params->srcArray),
                           .srcPitch = params->srcPtr.pitch,
                           .srcHeight = params->srcPtr.ysize,
                           .dstXInBytes = params->dstPos.x * to,
                           .dstY = params->dstPos.y,
                           .dstZ = params->dstPos.z,
                           .dstMemoryType = type_of(params->dstArray, params->kind, to_host),
                           .dstHost = to_host ? params->dstPtr.ptr : NULL,
                           .dstDevice = to_host ? 0 : (uintptr_t)params->dstPtr.ptr,
                           .dstArray = cdp_cu_array_of(params->dstArray),
                           .dstPitch = params->dstPtr.pitch,
                           .dstHeight = params->dstPtr.ysize,
                           .WidthInBytes = params->extent.width * (to > from ? to : from),
                           .Height = params->extent.height,
                           .Depth = params->extent.depth};
}

/* ---- The calls ---- */

static CUresult copy_boxes(const CUDA_MEMCPY3D *copy, const struct cdp_copy_order *order)
{
    struct cdp_driver_call call;
    struct cudaMemcpy3DParms params;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || copy == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = cdp_copy_params_of(copy, &params);
    cudaError_t error = result == CUDA_SUCCESS ? cdp_copy_3d_by(&params, order) : cudaSuccess;
    CUresult done = cdp_driver_end(&call, error);
    return result != CUDA_SUCCESS ? result : done;
}

static CUresult copy_rows(const CUDA_MEMCPY2D *copy, const struct cdp_copy_order *order)
{
    if (copy == NULL) {
        return copy_boxes(NULL, order);
    }
    CUDA_MEMCPY3D boxes = copy_of_rows(copy);
    return copy_boxes(&boxes, order);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy)
{
    CDP_RACES_CALL();
    return copy_rows(copy, &synchronous);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy)
{
    CDP_RACES_CALL();
    return copy_rows(copy, &synchronous);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    return copy_rows(copy, &order);
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *copy)
{
    CDP_RACES_CALL();
    return copy_boxes(copy, &synchronous);
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream)
{
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    return copy_boxes(copy, &order);
}

/* ---- A row of an array ---- */

/* One side of a copy of one row. */
struct row {
    CUmemorytype type;
    void *host;
    CUdeviceptr device;
    CUarray array;
    size_t offset; /* bytes in the array */
};

static CUresult copy_row(const struct row *to, const struct row *from, size_t size,
                         const struct cdp_copy_order *order)
{
    CUDA_MEMCPY3D boxes = {.srcXInBytes = from->offset,
                           .srcMemoryType = from->type,
                           .srcHost = from->host,
                           .srcDevice = from->device,
                           .srcArray = from->array,
                           .dstXInBytes = to->offset,
                           .dstMemoryType = to->type,
                           .dstHost = to->host,
                           .dstDevice = to->device,
                           .dstArray = to->array,
                           .WidthInBytes = size,
                           .Height = 1,
                           .Depth = 1};
    return copy_boxes(&boxes, order);
}

static struct row row_of_array(CUarray array, size_t offset)
{
    return (struct row){.type = CU_MEMORYTYPE_ARRAY, .array = array, .offset = offset};
}

static struct row row_of_device(CUdeviceptr ptr)
{
    return (struct row){.type = CU_MEMORYTYPE_DEVICE, .device = ptr};
}

static struct row row_of_host(const void *ptr)
{
    return (struct row){.type = CU_MEMORYTYPE_HOST, .host = (void *)(uintptr_t)ptr};
}

CUresult cuMemcpyDtoA(CUarray dst, size_t offset, CUdeviceptr src, size_t size)
{
    CDP_RACES_CALL();
    struct row to = row_of_array(dst, offset), from = row_of_device(src);
    return copy_row(&to, &from, size, &synchronous);
}

CUresult cuMemcpyAtoD(CUdeviceptr dst, CUarray src, size_t offset, size_t size)
{
    CDP_RACES_CALL();
    struct row to = row_of_device(dst), from = row_of_array(src, offset);
    return copy_row(&to, &from, size, &synchronous);
}

CUresult cuMemcpyHtoA(CUarray dst, size_t offset, const void *src, size_t size)
{
    CDP_RACES_CALL();
    struct row to = row_of_array(dst, offset), from = row_of_host(src);
    return copy_row(&to, &from, size, &synchronous);
}

CUresult cuMemcpyAtoH(void *dst, CUarray src, size_t offset, size_t size)
{
    CDP_RACES_CALL();
    struct row to = row_of_host(dst), from = row_of_array(src, offset);
    return copy_row(&to, &from, size, &synchronous);
}

CUresult cuMemcpyAtoA(CUarray dst, size_t dst_offset, CUarray src, size_t src_offset, size_t size)
{
    CDP_RACES_CALL();
    struct row to = row_of_array(dst, dst_offset), from = row_of_array(src, src_offset);
    return copy_row(&to, &from, size, &synchronous);
}

CUresult cuMemcpyHtoAAsync(CUarray dst, size_t offset, const void *src, size_t size,
                           CUstream stream)
{
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    struct row to = row_of_array(dst, offset), from = row_of_host(src);
    return copy_row(&to, &from, size, &order);
}

CUresult cuMemcpyAtoHAsync(void *dst, CUarray src, size_t offset, size_t size, CUstream stream)
{
    CDP_RACES_CALL();
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    struct row to = row_of_host(dst), from = row_of_array(src, offset);
    return copy_row(&to, &from, size, &order);
}
