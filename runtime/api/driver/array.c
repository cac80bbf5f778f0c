/* Arrays of the driver API: those of the runtime API. */
#include "api/driver/array.h"

#include "cuda_runtime_api.h"

#include "api/array.h"
#include "api/driver/driver.h"

#define CALLER __builtin_return_address(0)

/* ---- Formats ---- */

static const struct {
    CUarray_format format;
    int bits;
    enum cudaChannelFormatKind kind;
    unsigned channels; /* of normalized formats; of others the program says how many */
} formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned, 0},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned, 0},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned, 0},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned, 0},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned, 0},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned, 0},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat, 0},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat, 0},
    {CU_AD_FORMAT_UNORM_INT8X1, 8, cudaChannelFormatKindUnsignedNormalized8X1, 1},
    {CU_AD_FORMAT_UNORM_INT8X2, 8, cudaChannelFormatKindUnsignedNormalized8X2, 2},
    {CU_AD_FORMAT_UNORM_INT8X4, 8, cudaChannelFormatKindUnsignedNormalized8X4, 4},
    {CU_AD_FORMAT_UNORM_INT16X1, 16, cudaChannelFormatKindUnsignedNormalized16X1, 1},
    {CU_AD_FORMAT_UNORM_INT16X2, 16, cudaChannelFormatKindUnsignedNormalized16X2, 2},
    {CU_AD_FORMAT_UNORM_INT16X4, 16, cudaChannelFormatKindUnsignedNormalized16X4, 4},
    {CU_AD_FORMAT_SNORM_INT8X1, 8, cudaChannelFormatKindSignedNormalized8X1, 1},
    {CU_AD_FORMAT_SNORM_INT8X2, 8, cudaChannelFormatKindSignedNormalized8X2, 2},
    {CU_AD_FORMAT_SNORM_INT8X4, 8, cudaChannelFormatKindSignedNormalized8X4, 4},
    {CU_AD_FORMAT_SNORM_INT16X1, 16, cudaChannelFormatKindSignedNormalized16X1, 1},
    {CU_AD_FORMAT_SNORM_INT16X2, 16, cudaChannelFormatKindSignedNormalized16X2, 2},
    {CU_AD_FORMAT_SNORM_INT16X4, 16, cudaChannelFormatKindSignedNormalized16X4, 4},
};
enum { FORMATS = sizeof formats / sizeof *formats };

/* Formats that cuda.h here does not have: CU_AD_FORMAT_BC1_UNORM to CU_AD_FORMAT_BC7_UNORM_SRGB,
 * and CU_AD_FORMAT_UNORM_INT_101010_2. */
enum { FIRST_COMPRESSED = 0x91, LAST_COMPRESSED = 0x9e, TEN_BITS = 0x50 };

static bool is_unsupported(unsigned format)
{
    return format == CU_AD_FORMAT_NV12 || format == TEN_BITS ||
           (format >= FIRST_COMPRESSED && format <= LAST_COMPRESSED);
}

CUresult cdp_channels_of(CUarray_format format, unsigned count, struct cudaChannelFormatDesc *out)
{
    int i = 0;
    while (i < FORMATS && formats[i].format != format) {
        i++;
    }
    if (i == FORMATS) {
        return is_unsupported(format) ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
    }
    bool fits = formats[i].channels == 0 || formats[i].channels == count;
    if ((count != 1 && count != 2 && count != 4) || !fits) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    int bits = formats[i].bits;
    *out = (struct cudaChannelFormatDesc){.x = bits,
                                          .y = count > 1 ? bits : 0,
                                          .z = count > 2 ? bits : 0,
                                          .w = count > 2 ? bits : 0,
                                          .f = formats[i].kind};
    return CUDA_SUCCESS;
}

CUarray_format cdp_array_format_of(const struct cudaChannelFormatDesc *desc, unsigned *count)
{
    *count = desc->z != 0 ? 4 : desc->y != 0 ? 2 : 1;
    int i = 0;
    while (formats[i].bits != desc->x || formats[i].kind != desc->f) {
        i++; /* each format of an array is in the table */
    }
    return formats[i].format;
}

/* ---- Making and freeing ---- */

/* The start of a call that makes an array. */
static CUresult begin(struct cdp_driver_call *call, const CUDA_ARRAY3D_DESCRIPTOR *desc,
                      struct cdp_array_order *order)
{
    CUresult result = cdp_driver_begin(call);
    if (result != CUDA_SUCCESS || desc == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    order->extent = (struct cudaExtent){desc->Width, desc->Height, desc->Depth};
    order->flags = desc->Flags;
    return cdp_channels_of(desc->Format, desc->NumChannels, &order->desc);
}

static CUresult create(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc, const void *site)
{
    struct cdp_driver_call call;
    struct cdp_array_order order = {.site = site};
    cudaArray_t made = NULL;
    CUresult result = begin(&call, desc, &order);
    if (result != CUDA_SUCCESS || array == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = cdp_driver_end(&call, cdp_array_make(&made, &order));
    if (result == CUDA_SUCCESS) {
        *array = cdp_cu_array_of(made);
    }
    return result;
}

CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc)
{
    return create(array, desc, CALLER);
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc)
{
    if (desc == NULL) {
        return create(array, NULL, CALLER);
    }
    CUDA_ARRAY3D_DESCRIPTOR deep = {.Width = desc->Width,
                                    .Height = desc->Height,
                                    .Format = desc->Format,
                                    .NumChannels = desc->NumChannels};
    return create(array, &deep, CALLER);
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc,
                                unsigned int levels)
{
    struct cdp_driver_call call;
    struct cdp_array_order order = {.levels = levels, .site = CALLER};
    cudaMipmappedArray_t made = NULL;
    CUresult result = begin(&call, desc, &order);
    if (result != CUDA_SUCCESS || array == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = cdp_driver_end(&call, cdp_array_make_levels(&made, &order));
    if (result == CUDA_SUCCESS) {
        *array = (CUmipmappedArray)(void *)made;
    }
    return result;
}

/* A mipmapped array that has been destroyed has a code of its own. As an H200. */
static CUresult of_levels(const void *array, CUresult result)
{
    return result == CUDA_ERROR_INVALID_HANDLE && array != NULL ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                                                                : result;
}

CUresult cuMipmappedArrayGetLevel(CUarray *level_array, CUmipmappedArray array, unsigned int level)
{
    struct cdp_driver_call call;
    cudaArray_t found = NULL;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || level_array == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    cudaMipmappedArray_const_t whole = (cudaMipmappedArray_const_t)(const void *)array;
    result = cdp_driver_end(&call, cudaGetMipmappedArrayLevel(&found, whole, level));
    if (result == CUDA_SUCCESS) {
        *level_array = cdp_cu_array_of(found);
    }
    return of_levels(array, result);
}

/* This API refuses to destroy NULL. */
static CUresult destroy(void *array)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || array == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_HANDLE;
    }
    return cdp_driver_end(&call, cudaFreeArray((cudaArray_t)array));
}

CUresult cuArrayDestroy(CUarray array)
{
    return destroy(array);
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray array)
{
    return of_levels(array, destroy(array));
}

/* ---- Queries ---- */

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array)
{
    struct cdp_driver_call call;
    struct cudaChannelFormatDesc channels;
    struct cudaExtent extent;
    unsigned flags;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || desc == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result =
        cdp_driver_end(&call, cudaArrayGetInfo(&channels, &extent, &flags, cdp_array_of(array)));
    if (result == CUDA_SUCCESS) {
        desc->Width = extent.width;
        desc->Height = extent.height;
        desc->Depth = extent.depth;
        desc->Format = cdp_array_format_of(&channels, &desc->NumChannels);
        desc->Flags = flags;
    }
    return result;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array)
{
    CUDA_ARRAY3D_DESCRIPTOR deep;
    CUresult result = cuArray3DGetDescriptor(desc == NULL ? NULL : &deep, array);
    if (result == CUDA_SUCCESS) {
        *desc = (CUDA_ARRAY_DESCRIPTOR){.Width = deep.Width,
                                        .Height = deep.Height,
                                        .Format = deep.Format,
                                        .NumChannels = deep.NumChannels};
    }
    return result;
}
