/* Texture and surface objects of the driver API: those of the runtime API, by other descriptions.
 */
#include "api/texture.h"

#include "cuda_runtime_api.h"

#include "api/driver/array.h"
#include "api/driver/driver.h"

#define CALLER __builtin_return_address(0)

/* The numbers of addresses, filters and resources are the same in both APIs. */

static CUresult linear_of(const CUDA_RESOURCE_DESC *resource, struct cudaResourceDesc *out)
{
    out->res.linear.devPtr = cdp_address_of(resource->res.linear.devPtr);
    out->res.linear.sizeInBytes = resource->res.linear.sizeInBytes;
    return cdp_channels_of(resource->res.linear.format, resource->res.linear.numChannels,
                           &out->res.linear.desc);
}

static CUresult pitch2d_of(const CUDA_RESOURCE_DESC *resource, struct cudaResourceDesc *out)
{
    out->res.pitch2D.devPtr = cdp_address_of(resource->res.pitch2D.devPtr);
    out->res.pitch2D.width = resource->res.pitch2D.width;
    out->res.pitch2D.height = resource->res.pitch2D.height;
    out->res.pitch2D.pitchInBytes = resource->res.pitch2D.pitchInBytes;
    return cdp_channels_of(resource->res.pitch2D.format, resource->res.pitch2D.numChannels,
                           &out->res.pitch2D.desc);
}

static CUresult resource_of(const CUDA_RESOURCE_DESC *resource, struct cudaResourceDesc *out)
{
    *out = (struct cudaResourceDesc){.resType = (enum cudaResourceType)resource->resType};
    if (resource->flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    switch (resource->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        out->res.array.array = cdp_array_of(resource->res.array.hArray);
        return out->res.array.array != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        out->res.mipmap.mipmap = (cudaMipmappedArray_t)(void *)resource->res.mipmap.hMipmappedArray;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR:
        return linear_of(resource, out);
    case CU_RESOURCE_TYPE_PITCH2D:
        return pitch2d_of(resource, out);
    }
    return CUDA_ERROR_INVALID_VALUE;
}

static CUDA_RESOURCE_DESC cu_resource_of(const struct cudaResourceDesc *resource)
{
    CUDA_RESOURCE_DESC out = {.resType = (CUresourcetype)resource->resType};
    switch (resource->resType) {
    case cudaResourceTypeArray:
        out.res.array.hArray = cdp_cu_array_of(resource->res.array.array);
        break;
    case cudaResourceTypeMipmappedArray:
        out.res.mipmap.hMipmappedArray = (CUmipmappedArray)(void *)resource->res.mipmap.mipmap;
        break;
    case cudaResourceTypeLinear:
        out.res.linear.devPtr = (uintptr_t)resource->res.linear.devPtr;
        out.res.linear.format =
            cdp_array_format_of(&resource->res.linear.desc, &out.res.linear.numChannels);
        out.res.linear.sizeInBytes = resource->res.linear.sizeInBytes;
        break;
    case cudaResourceTypePitch2D:
        out.res.pitch2D.devPtr = (uintptr_t)resource->res.pitch2D.devPtr;
        out.res.pitch2D.format =
            cdp_array_format_of(&resource->res.pitch2D.desc, &out.res.pitch2D.numChannels);
        out.res.pitch2D.width = resource->res.pitch2D.width;
        out.res.pitch2D.height = resource->res.pitch2D.height;
        out.res.pitch2D.pitchInBytes = resource->res.pitch2D.pitchInBytes;
        break;
    }
    return out;
}

static struct cudaChannelFormatDesc channels_of(const struct cudaResourceDesc *resource)
{
    struct cudaChannelFormatDesc desc = {.f = cudaChannelFormatKindFloat};
    switch (resource->resType) {
    case cudaResourceTypeArray:
        (void)cudaGetChannelDesc(&desc, resource->res.array.array);
        break;
    case cudaResourceTypeMipmappedArray: /* the array's handle, too */
        (void)cudaGetChannelDesc(&desc, (cudaArray_const_t)(void *)resource->res.mipmap.mipmap);
        break;
    case cudaResourceTypeLinear:
        desc = resource->res.linear.desc;
        break;
    case cudaResourceTypePitch2D:
        desc = resource->res.pitch2D.desc;
        break;
    }
    return desc;
}

/* Without CU_TRSF_READ_AS_INTEGER, integers of 8 and 16 bits are read as fractions of 1. Those of
 * 32 bits are always read as they are, and those of normalized formats never. */
static bool is_read_as_fraction(const struct cudaChannelFormatDesc *channels, unsigned flags)
{
    bool is_small = channels->f != cudaChannelFormatKindFloat && channels->x < 32;
    bool is_normalized = channels->f >= cudaChannelFormatKindUnsignedNormalized8X1;
    return is_normalized || (is_small && (flags & CU_TRSF_READ_AS_INTEGER) == 0);
}

static struct cudaTextureDesc texture_of(const CUDA_TEXTURE_DESC *desc,
                                         const struct cudaResourceDesc *resource)
{
    struct cudaChannelFormatDesc channels = channels_of(resource);
    bool is_fraction = is_read_as_fraction(&channels, desc->flags);
    struct cudaTextureDesc out = {
        .filterMode = (enum cudaTextureFilterMode)desc->filterMode,
        .readMode = is_fraction ? cudaReadModeNormalizedFloat : cudaReadModeElementType,
        .sRGB = (desc->flags & CU_TRSF_SRGB) != 0,
        .normalizedCoords = (desc->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
        .maxAnisotropy = desc->maxAnisotropy,
        .mipmapFilterMode = (enum cudaTextureFilterMode)desc->mipmapFilterMode,
        .mipmapLevelBias = desc->mipmapLevelBias,
        .minMipmapLevelClamp = desc->minMipmapLevelClamp,
        .maxMipmapLevelClamp = desc->maxMipmapLevelClamp,
        .disableTrilinearOptimization = (desc->flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0,
        .seamlessCubemap = (desc->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0,
    };
    for (int i = 0; i < 3; i++) {
        out.addressMode[i] = (enum cudaTextureAddressMode)desc->addressMode[i];
    }
    for (int i = 0; i < 4; i++) {
        out.borderColor[i] = desc->borderColor[i];
    }
    return out;
}

/* ---- Textures ---- */

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *desc, const CUDA_RESOURCE_VIEW_DESC *view)
{
    struct cdp_driver_call call;
    struct cudaResourceDesc what;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || resource == NULL || desc == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    if (view != NULL && view->format != CU_RES_VIEW_FORMAT_NONE) {
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    result = resource_of(resource, &what);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct cudaTextureDesc how = texture_of(desc, &what);
    struct cdp_texture_order order = {
        .resource = &what, .desc = &how, .site = CALLER, .any_filter = true};
    return cdp_driver_end(&call, cdp_texture_make(object, &order));
}

CUresult cuTexObjectDestroy(CUtexObject object)
{
    CDP_DRIVER_CALL(cudaDestroyTextureObject(object));
}

/* The result of a query for the resource of an object. */
static CUresult get_resource(CUDA_RESOURCE_DESC *resource, unsigned long long object,
                             cudaError_t (*get)(struct cudaResourceDesc *, unsigned long long))
{
    struct cdp_driver_call call;
    struct cudaResourceDesc found;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || resource == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = cdp_driver_end(&call, get(&found, object));
    if (result == CUDA_SUCCESS) {
        *resource = cu_resource_of(&found);
    }
    return result;
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject object)
{
    return get_resource(resource, object, cudaGetTextureObjectResourceDesc);
}

static unsigned flags_of(const struct cudaTextureDesc *desc, bool is_integer)
{
    bool is_read = is_integer && desc->readMode == cudaReadModeElementType;
    return (is_read ? CU_TRSF_READ_AS_INTEGER : 0) |
           (desc->normalizedCoords != 0 ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
           (desc->sRGB != 0 ? CU_TRSF_SRGB : 0);
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *desc, CUtexObject object)
{
    struct cdp_driver_call call;
    struct cudaTextureDesc found;
    struct cudaResourceDesc resource;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || desc == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    cudaError_t error = cudaGetTextureObjectTextureDesc(&found, object);
    error = error != cudaSuccess ? error : cudaGetTextureObjectResourceDesc(&resource, object);
    result = cdp_driver_end(&call, error);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    *desc = (CUDA_TEXTURE_DESC){
        .filterMode = (CUfilter_mode)found.filterMode,
        .flags = flags_of(&found, channels_of(&resource).f != cudaChannelFormatKindFloat),
        .maxAnisotropy = found.maxAnisotropy,
        .mipmapFilterMode = (CUfilter_mode)found.mipmapFilterMode,
        .mipmapLevelBias = found.mipmapLevelBias,
        .minMipmapLevelClamp = found.minMipmapLevelClamp,
        .maxMipmapLevelClamp = found.maxMipmapLevelClamp};
    for (int i = 0; i < 3; i++) {
        desc->addressMode[i] = (CUaddress_mode)found.addressMode[i];
    }
    for (int i = 0; i < 4; i++) {
        desc->borderColor[i] = found.borderColor[i];
    }
    return CUDA_SUCCESS;
}

/* No object has a view; an H100 accepts the call all the same. */
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject object)
{
    CUDA_RESOURCE_DESC resource;
    CUresult result = cuTexObjectGetResourceDesc(view == NULL ? NULL : &resource, object);
    if (result == CUDA_SUCCESS) {
        *view = (CUDA_RESOURCE_VIEW_DESC){.format = CU_RES_VIEW_FORMAT_NONE};
    }
    return result;
}

/* ---- Surfaces ---- */

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource)
{
    struct cdp_driver_call call;
    struct cudaResourceDesc what;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || resource == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = resource_of(resource, &what);
    return result != CUDA_SUCCESS ? result
                                  : cdp_driver_end(&call, cdp_surface_make(object, &what, CALLER));
}

CUresult cuSurfObjectDestroy(CUsurfObject object)
{
    CDP_DRIVER_CALL(cudaDestroySurfaceObject(object));
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject object)
{
    return get_resource(resource, object, cudaGetSurfaceObjectResourceDesc);
}
