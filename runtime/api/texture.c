/* Texture and surface objects. */
#include "api/texture.h"

#include <stdint.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "texture_types.h"

#include "api/array.h"
#include "api/error.h"
#include "api/leak.h"
#include "api/runtime.h"
#include "exec/report/profile.h"

/* The alignments that an H200 requires of memory that it samples, in bytes. */
enum { LINEAR_ALIGNMENT = 16, PITCH_ALIGNMENT = 32 };

/* ---- Resources ---- */

static uint8_t dimensions_of(const struct cdp_array_shape *shape)
{
    if (shape->height == 0) {
        return 1;
    }
    return shape->depth == 0 || shape->layered || shape->cube ? 2 : 3;
}

static cudaError_t from_array(struct cdp_runtime *runtime, const void *handle,
                              struct cdp_texture *texture)
{
    const struct cdp_array *array = cdp_table_find_array(&runtime->textures, (uintptr_t)handle);
    if (array == NULL) {
        return cudaErrorInvalidResourceHandle;
    }
    const struct cdp_array_shape *shape = &array->shape;
    texture->format = shape->format;
    texture->dimensions = dimensions_of(shape);
    texture->is_cube = shape->cube;
    if (shape->layered) {
        texture->layers = (uint32_t)shape->depth / (shape->cube ? CDP_CUBE_FACES : 1);
    } else if (shape->cube) {
        texture->layers = 1;
    }
    texture->levels = shape->levels;
    memcpy(texture->image, array->level, sizeof texture->image);
    return cudaSuccess;
}

static cudaError_t from_memory(const struct cudaResourceDesc *resource, struct cdp_texture *texture)
{
    bool is_linear = resource->resType == cudaResourceTypeLinear;
    const struct cudaChannelFormatDesc *desc =
        is_linear ? &resource->res.linear.desc : &resource->res.pitch2D.desc;
    if (!cdp_format_of(desc, &texture->format)) {
        return cudaErrorInvalidChannelDescriptor;
    }
    struct cdp_image *image = &texture->image[0];
    size_t texel = cdp_texel_bytes(&texture->format);
    if (is_linear) {
        image->data = resource->res.linear.devPtr;
        size_t count = resource->res.linear.sizeInBytes / texel;
        image->width = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
        image->height = 1;
    } else {
        image->data = resource->res.pitch2D.devPtr;
        image->width = (uint32_t)resource->res.pitch2D.width;
        image->height = (uint32_t)resource->res.pitch2D.height;
        image->pitch = resource->res.pitch2D.pitchInBytes;
    }
    image->depth = 1;
    texture->is_linear_memory = is_linear;
    texture->dimensions = is_linear ? 1 : 2;
    texture->levels = 1;
    bool fits = is_linear || (image->pitch % PITCH_ALIGNMENT == 0 && image->width != 0 &&
                              image->height != 0 && image->pitch >= image->width * texel);
    return image->data != NULL && (uintptr_t)image->data % LINEAR_ALIGNMENT == 0 && fits
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

/* The handle of the array in a resource; NULL for memory. */
static const void *array_of(const struct cudaResourceDesc *resource)
{
    switch (resource->resType) {
    case cudaResourceTypeArray:
        return resource->res.array.array;
    case cudaResourceTypeMipmappedArray:
        return resource->res.mipmap.mipmap;
    case cudaResourceTypeLinear:
    case cudaResourceTypePitch2D:
        break;
    }
    return NULL;
}

static cudaError_t from_resource(struct cdp_runtime *runtime,
                                 const struct cudaResourceDesc *resource,
                                 struct cdp_texture *texture)
{
    if ((unsigned)resource->resType > cudaResourceTypePitch2D) {
        return cudaErrorInvalidValue;
    }
    texture->is_mipmapped = resource->resType == cudaResourceTypeMipmappedArray;
    bool is_memory =
        resource->resType == cudaResourceTypeLinear || resource->resType == cudaResourceTypePitch2D;
    return is_memory ? from_memory(resource, texture)
                     : from_array(runtime, array_of(resource), texture);
}

/* ---- Textures ---- */

/* Which descriptors a texture's format allows: as an H200. */
static cudaError_t check_format(const struct cudaTextureDesc *desc,
                                const struct cdp_texture *texture, bool is_memory)
{
    const struct cdp_format *format = &texture->format;
    bool is_float = format->kind == CDP_CHANNEL_FLOAT;
    bool is_normalized = desc->readMode == cudaReadModeNormalizedFloat;
    bool is_filtered =
        is_float || format->normalized || (is_normalized && format->bytes < sizeof(float));
    if (desc->filterMode == cudaFilterModeLinear && !is_filtered) {
        return cudaErrorInvalidFilterSetting;
    }
    bool is_readable =
        is_normalized ? !is_float && format->bytes < sizeof(float) : !format->normalized;
    if (!is_readable) {
        return cudaErrorInvalidNormSetting;
    }
    return format->normalized && is_memory ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t check_modes(const struct cudaTextureDesc *desc,
                               const struct cdp_texture *texture)
{
    for (int i = 0; i < texture->dimensions; i++) {
        if ((unsigned)desc->addressMode[i] > cudaAddressModeBorder) {
            return cudaErrorInvalidValue;
        }
    }
    bool is_known = (unsigned)desc->filterMode <= cudaFilterModeLinear &&
                    (unsigned)desc->mipmapFilterMode <= cudaFilterModeLinear;
    return is_known && (desc->seamlessCubemap == 0 || texture->is_cube) ? cudaSuccess
                                                                        : cudaErrorInvalidValue;
}

static void set_sampler(const struct cudaTextureDesc *desc, struct cdp_texture *texture)
{
    struct cdp_sampler *sampler = &texture->sampler;
    *sampler = (struct cdp_sampler){
        .linear = desc->filterMode == cudaFilterModeLinear,
        .linear_levels = desc->mipmapFilterMode == cudaFilterModeLinear,
        .normalized_coordinates = desc->normalizedCoords != 0,
        .normalized_values = desc->readMode == cudaReadModeNormalizedFloat,
        .srgb = desc->sRGB != 0,
        .bias = desc->mipmapLevelBias,
        .least_level = desc->minMipmapLevelClamp,
        .most_level = desc->maxMipmapLevelClamp,
        .seamless = desc->seamlessCubemap != 0,
        .exact_levels = desc->disableTrilinearOptimization != 0,
        .anisotropy = desc->maxAnisotropy,
    };
    memcpy(sampler->border, desc->borderColor, sizeof sampler->border);
    for (int i = 0; i < 3; i++) {
        unsigned mode =
            (unsigned)desc->addressMode[i]; /* that of an axis without a use may be wrong */
        sampler->address[i] = (uint8_t)(mode > cudaAddressModeBorder ? cudaAddressModeClamp : mode);
    }
}

/* The texture of an order. */
static cudaError_t prepare(struct cdp_runtime *runtime, const struct cdp_texture_order *order,
                           struct cdp_texture *texture)
{
    cudaError_t error = from_resource(runtime, order->resource, texture);
    if (error == cudaSuccess) {
        error = check_modes(order->desc, texture);
    }
    if (error == cudaSuccess && !order->any_filter) {
        error = check_format(order->desc, texture, array_of(order->resource) == NULL);
    }
    if (error == cudaSuccess) {
        set_sampler(order->desc, texture);
    }
    return error;
}

/* Lists the object for the program's call at site. */
static cudaError_t add(struct cdp_runtime *runtime, const struct cdp_texture_object *made,
                       unsigned long long *object, const void *site)
{
    *object = cdp_table_add(&runtime->textures, made);
    if (*object == 0) {
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    cdp_leak_made(made->kind == CDP_OBJECT_TEXTURE ? CDP_LEAK_TEXTURE : CDP_LEAK_SURFACE, *object,
                  site);
    return cudaSuccess;
}

cudaError_t cdp_texture_make(cudaTextureObject_t *object, const struct cdp_texture_order *order)
{
    const struct cudaResourceDesc *resource = order->resource;
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (object == NULL || resource == NULL || order->desc == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (order->view != NULL && order->view->format != cudaResViewFormatNone) {
        return cdp_api_fail(cudaErrorNotSupported);
    }
    struct cdp_texture_object made = {.kind = CDP_OBJECT_TEXTURE,
                                      .array = (uintptr_t)array_of(resource)};
    error = prepare(runtime, order, &made.texture);
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    return add(runtime, &made, object, order->site);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc,
                                    const struct cudaResourceViewDesc *view)
{
    CDP_PROFILE_CALL();
    struct cdp_texture_order order = {
        .resource = resource, .desc = desc, .view = view, .site = __builtin_return_address(0)};
    return cdp_texture_make(object, &order);
}

/* An object that was destroyed. It is freed when nothing can use it any more. */
struct retired {
    struct cdp_texture_table *table;
    uint64_t object;
    enum cdp_object_kind kind;
};

static void free_retired(void *data)
{
    const struct retired *order = data;
    cdp_table_free_retired(order->table, order->object, order->kind);
}

/* Earlier launches may use it, because the call does not wait for them. */
static void free_after_all(struct cdp_runtime *runtime, struct retired order)
{
    struct cdp_stream_call call = {.run = free_retired, .data = &order, .size = sizeof order};
    if (cdp_streams_call_after_all(runtime->streams, &call) != CDP_OK) {
        cdp_streams_synchronize(runtime->streams, CDP_ALL_DEVICES);
        free_retired(&order);
    }
}

/* Object 0 may be destroyed, as on an H200. */
static cudaError_t destroy(uint64_t object, enum cdp_object_kind kind)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess || object == 0) {
        return error;
    }
    if (!cdp_table_retire(&runtime->textures, object, kind)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    cdp_leak_freed(object);
    struct retired order = {.table = &runtime->textures, .object = object, .kind = kind};
    free_after_all(runtime, order);
    return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    CDP_PROFILE_CALL();
    return destroy(object, CDP_OBJECT_TEXTURE);
}

static cudaError_t find(uint64_t object, enum cdp_object_kind kind, const void *out,
                        const struct cdp_texture_object **found)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    *found = cdp_table_find(&runtime->textures, object, kind);
    return out != NULL && *found != NULL ? cudaSuccess : cdp_api_fail(cudaErrorInvalidValue);
}

static void describe_array(const struct cdp_texture_object *found, bool is_mipmapped,
                           struct cudaResourceDesc *out)
{
    void *handle = (void *)(uintptr_t)found->array;
    if (is_mipmapped) {
        out->resType = cudaResourceTypeMipmappedArray;
        out->res.mipmap.mipmap = handle;
    } else {
        out->resType = cudaResourceTypeArray;
        out->res.array.array = handle;
    }
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out,
                                             cudaTextureObject_t object)
{
    CDP_PROFILE_CALL();
    const struct cdp_texture_object *found;
    cudaError_t error = find(object, CDP_OBJECT_TEXTURE, out, &found);
    if (error != cudaSuccess) {
        return error;
    }
    const struct cdp_texture *texture = &found->texture;
    const struct cdp_image *image = &texture->image[0];
    memset(out, 0, sizeof *out);
    if (found->array != 0) {
        describe_array(found, texture->is_mipmapped, out);
    } else if (texture->is_linear_memory) {
        out->resType = cudaResourceTypeLinear;
        out->res.linear.devPtr = image->data;
        out->res.linear.desc = cdp_desc_of(&texture->format);
        out->res.linear.sizeInBytes = (size_t)image->width * cdp_texel_bytes(&texture->format);
    } else {
        out->resType = cudaResourceTypePitch2D;
        out->res.pitch2D.devPtr = image->data;
        out->res.pitch2D.desc = cdp_desc_of(&texture->format);
        out->res.pitch2D.width = image->width;
        out->res.pitch2D.height = image->height;
        out->res.pitch2D.pitchInBytes = image->pitch;
    }
    return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out, cudaTextureObject_t object)
{
    CDP_PROFILE_CALL();
    const struct cdp_texture_object *found;
    cudaError_t error = find(object, CDP_OBJECT_TEXTURE, out, &found);
    if (error != cudaSuccess) {
        return error;
    }
    const struct cdp_sampler *sampler = &found->texture.sampler;
    *out = (struct cudaTextureDesc){
        .filterMode = sampler->linear ? cudaFilterModeLinear : cudaFilterModePoint,
        .readMode =
            sampler->normalized_values ? cudaReadModeNormalizedFloat : cudaReadModeElementType,
        .sRGB = sampler->srgb,
        .normalizedCoords = sampler->normalized_coordinates,
        .mipmapFilterMode = sampler->linear_levels ? cudaFilterModeLinear : cudaFilterModePoint,
        .mipmapLevelBias = sampler->bias,
        .minMipmapLevelClamp = sampler->least_level,
        .maxMipmapLevelClamp = sampler->most_level,
        .maxAnisotropy = sampler->anisotropy,
        .seamlessCubemap = sampler->seamless,
        .disableTrilinearOptimization = sampler->exact_levels,
    };
    memcpy(out->borderColor, sampler->border, sizeof out->borderColor);
    for (int i = 0; i < 3; i++) {
        out->addressMode[i] = (enum cudaTextureAddressMode)sampler->address[i];
    }
    return cudaSuccess;
}

/* ---- Surfaces ---- */

cudaError_t cdp_surface_make(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource,
                             const void *site)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (object == NULL || resource == NULL || resource->resType != cudaResourceTypeArray) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    uint64_t handle = cdp_handle_of_array(resource->res.array.array);
    const struct cdp_array *array = cdp_table_find_array(&runtime->textures, handle);
    if (array == NULL) {
        return cdp_api_fail(cudaErrorInvalidResourceHandle);
    }
    struct cdp_texture_object made = {
        .kind = CDP_OBJECT_SURFACE,
        .array = handle,
        .surface = {.image = array->level[0],
                    .format = array->shape.format,
                    .is_layered = array->shape.layered || array->shape.cube}};
    return add(runtime, &made, object, site);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const struct cudaResourceDesc *resource)
{
    CDP_PROFILE_CALL();
    return cdp_surface_make(object, resource, __builtin_return_address(0));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
    CDP_PROFILE_CALL();
    return destroy(object, CDP_OBJECT_SURFACE);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *out,
                                             cudaSurfaceObject_t object)
{
    CDP_PROFILE_CALL();
    const struct cdp_texture_object *found;
    cudaError_t error = find(object, CDP_OBJECT_SURFACE, out, &found);
    if (error == cudaSuccess) {
        memset(out, 0, sizeof *out);
        describe_array(found, false, out);
    }
    return error;
}
