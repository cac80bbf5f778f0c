/* Arrays: creating them, querying them, copying to and from them. */
#include "api/array.h"

#include <string.h>

#include "cuda_runtime_api.h"

#include "api/capture.h"
#include "api/copy.h"
#include "api/error.h"
#include "api/leak.h"
#include "api/runtime.h"
#include "exec/report/profile.h"

/* Kinds of normalized integers: six of unsigned ones, then six of signed ones. Of six, three are of
 * bytes. Three have 1, 2 and 4 channels. */
enum { LAST_KIND = 31 };
enum {
    FIRST_NORMALIZED = cudaChannelFormatKindUnsignedNormalized8X1,
    OF_A_SIGN = 6,
    OF_A_SIZE = 3
};

static struct cdp_format normalized_format(unsigned index)
{
    bool is_signed = index >= OF_A_SIGN;
    return (struct cdp_format){.kind = is_signed ? CDP_CHANNEL_SIGNED : CDP_CHANNEL_UNSIGNED,
                               .channels = (uint8_t)(1u << index % OF_A_SIZE),
                               .bytes = (uint8_t)(index % OF_A_SIGN / OF_A_SIZE + 1),
                               .normalized = true};
}

/* False if a kind has no such channels. */
static bool format_of_kind(unsigned kind, int channels, int bits, struct cdp_format *out)
{
    unsigned index = kind - FIRST_NORMALIZED;
    if (index < 2 * OF_A_SIGN) {
        *out = normalized_format(index);
        return out->channels == channels && out->bytes * 8 == bits;
    }
    *out = (struct cdp_format){
        .kind = (uint8_t)kind, .channels = (uint8_t)channels, .bytes = (uint8_t)(bits / 8)};
    bool size_fits = bits == 16 || bits == 32 || (bits == 8 && kind != cudaChannelFormatKindFloat);
    return kind <= cudaChannelFormatKindFloat && size_fits &&
           (channels == 1 || channels == 2 || channels == 4);
}

bool cdp_format_of(const struct cudaChannelFormatDesc *desc, struct cdp_format *out)
{
    const int bits[4] = {desc->x, desc->y, desc->z, desc->w};
    int channels = 0;
    while (channels < 4 && bits[channels] != 0) {
        if (bits[channels] != bits[0]) {
            return false;
        }
        channels++;
    }
    for (int i = channels; i < 4; i++) {
        if (bits[i] != 0) {
            return false;
        }
    }
    return format_of_kind((unsigned)desc->f, channels, bits[0], out);
}

/* Block-compressed formats, and the one of 10, 10, 10 and 2 bits. */
static bool is_packed(unsigned kind)
{
    return kind > cudaChannelFormatKindSignedNormalized16X4 && kind <= LAST_KIND;
}

static enum cudaChannelFormatKind kind_of(const struct cdp_format *format)
{
    int kind = format->kind;
    for (unsigned i = 0; format->normalized && i < 2 * OF_A_SIGN; i++) {
        struct cdp_format other = normalized_format(i);
        if (other.kind == format->kind && other.channels == format->channels &&
            other.bytes == format->bytes) {
            kind = FIRST_NORMALIZED + (int)i;
        }
    }
    return (enum cudaChannelFormatKind)kind;
}

struct cudaChannelFormatDesc cdp_desc_of(const struct cdp_format *format)
{
    int bits = format->bytes * 8;
    return (struct cudaChannelFormatDesc){.x = bits,
                                          .y = format->channels > 1 ? bits : 0,
                                          .z = format->channels > 2 ? bits : 0,
                                          .w = format->channels > 2 ? bits : 0,
                                          .f = kind_of(format)};
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){.x = x, .y = y, .z = z, .w = w, .f = kind};
}

/* ---- Making and freeing ---- */

static const unsigned known_flags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;

/* Adds the array and, for a mipmapped one, its levels to the table; frees it if that fails. */
static uint64_t list(struct cdp_runtime *runtime, struct cdp_array *array)
{
    struct cdp_texture_table *table = &runtime->textures;
    for (uint32_t i = 0; array->shape.levels > 1 && i < array->shape.levels; i++) {
        struct cdp_array *level;
        if (cdp_array_create_level(array, i, &level) != CDP_OK) {
            return 0;
        }
        array->level_handle[i] = cdp_table_add_array(table, level);
        if (array->level_handle[i] == 0) {
            cdp_array_destroy(NULL, level);
            return 0;
        }
    }
    return cdp_table_add_array(table, array);
}

static void destroy(struct cdp_runtime *runtime, struct cdp_array *array)
{
    for (uint32_t i = 0; i < CDP_MOST_LEVELS; i++) {
        if (array->level_handle[i] != 0) {
            struct cdp_array *level =
                cdp_table_remove_array(&runtime->textures, array->level_handle[i]);
            if (level != NULL) {
                cdp_array_destroy(NULL, level);
            }
        }
    }
    cdp_array_destroy(&cdp_device_of(runtime, array->memory)->memory, array);
}

static cudaError_t make(const struct cudaChannelFormatDesc *desc, const struct cudaExtent *extent,
                        unsigned levels, unsigned flags, uint64_t *handle)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_capture_enter_unsafe(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    struct cdp_array_shape shape = {.width = extent->width,
                                    .height = extent->height,
                                    .depth = extent->depth,
                                    .layered = (flags & cudaArrayLayered) != 0,
                                    .cube = (flags & cudaArrayCubemap) != 0,
                                    .levels = levels,
                                    .flags = flags};
    bool gathers = (flags & cudaArrayTextureGather) != 0; /* only plain 2D arrays do */
    bool is_2d = extent->height > 0 && extent->depth == 0 &&
                 (flags & (cudaArrayLayered | cudaArrayCubemap)) == 0;
    if ((flags & (cudaArraySparse | cudaArrayDeferredMapping)) != 0) {
        return cdp_api_fail(cudaErrorNotSupported);
    }
    if (desc == NULL || (flags & ~known_flags) != 0 || (gathers && !is_2d)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (!cdp_format_of(desc, &shape.format)) {
        return cdp_api_fail(is_packed((unsigned)desc->f) ? cudaErrorNotSupported
                                                         : cudaErrorInvalidChannelDescriptor);
    }
    struct cdp_array *array;
    enum cdp_status status = cdp_array_create(&cdp_device_current(runtime)->memory, &shape, &array);
    if (status != CDP_OK) {
        return cdp_api_return(status);
    }
    *handle = list(runtime, array);
    if (*handle == 0) {
        destroy(runtime, array);
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    return cudaSuccess;
}

/* An array without levels. */
static cudaError_t make_plain(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              const struct cudaExtent *extent, unsigned flags)
{
    if (array == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    uint64_t handle;
    cudaError_t error = make(desc, extent, 1, flags, &handle);
    if (error == cudaSuccess) {
        *array = (cudaArray_t)(void *)(uintptr_t)handle;
    }
    return error;
}

/* Returns the error of the program's call at site, which has made the array if it is none. */
static cudaError_t made(cudaError_t error, const cudaArray_t *array, const void *site)
{
    if (error == cudaSuccess) {
        cdp_leak_made(CDP_LEAK_ARRAY, (uintptr_t)*array, site);
    }
    return error;
}

cudaError_t cdp_array_make(cudaArray_t *array, const struct cdp_array_order *order)
{
    return made(make_plain(array, &order->desc, &order->extent, order->flags), array, order->site);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags)
{
    CDP_PROFILE_CALL();
    return made(make_plain(array, desc, &extent, flags), array, __builtin_return_address(0));
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned int flags)
{
    CDP_PROFILE_CALL();
    struct cudaExtent extent = {.width = width, .height = height};
    return made(make_plain(array, desc, &extent, flags), array, __builtin_return_address(0));
}

/* Levels down to a single texel. */
static unsigned most_levels(const struct cudaExtent *extent, unsigned flags)
{
    size_t side = extent->width > extent->height ? extent->width : extent->height;
    if ((flags & (cudaArrayLayered | cudaArrayCubemap)) == 0 && extent->depth > side) {
        side = extent->depth;
    }
    unsigned levels = 0;
    for (; side > 0; side /= 2) {
        levels++;
    }
    return levels < CDP_MOST_LEVELS ? levels : CDP_MOST_LEVELS;
}

cudaError_t cdp_array_make_levels(cudaMipmappedArray_t *array, const struct cdp_array_order *order)
{
    if (array == NULL || order->extent.width == 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    unsigned most = most_levels(&order->extent, order->flags);
    unsigned levels = order->levels == 0 ? 1 : order->levels < most ? order->levels : most;
    uint64_t handle;
    cudaError_t error = make(&order->desc, &order->extent, levels, order->flags, &handle);
    if (error == cudaSuccess) {
        *array = (cudaMipmappedArray_t)(void *)(uintptr_t)handle;
        cdp_leak_made(CDP_LEAK_ARRAY, handle, order->site);
    }
    return error;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array,
                                     const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int levels,
                                     unsigned int flags)
{
    CDP_PROFILE_CALL();
    if (desc == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_array_order order = {.desc = *desc,
                                    .extent = extent,
                                    .levels = levels,
                                    .flags = flags,
                                    .site = __builtin_return_address(0)};
    return cdp_array_make_levels(array, &order);
}

static struct cdp_array *find(struct cdp_runtime *runtime, const void *handle)
{
    return cdp_table_find_array(&runtime->textures, (uintptr_t)handle);
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level_array, cudaMipmappedArray_const_t array,
                                       unsigned int level)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    const struct cdp_array *whole = find(runtime, array);
    if (whole == NULL) {
        return cdp_api_fail(cudaErrorInvalidResourceHandle);
    }
    if (level_array == NULL || level >= whole->shape.levels) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    /* A single level is the array itself. */
    *level_array = whole->shape.levels == 1
                       ? (cudaArray_t)(void *)(uintptr_t)array
                       : (cudaArray_t)(void *)(uintptr_t)whole->level_handle[level];
    return cudaSuccess;
}

static cudaError_t release(const void *handle)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_capture_enter_unsafe(&runtime);
    if (error != cudaSuccess || handle == NULL) {
        return error;
    }
    const struct cdp_array *listed = find(runtime, handle);
    if (listed == NULL) {
        return cdp_api_fail(cudaErrorInvalidResourceHandle);
    }
    if (listed->memory == NULL) { /* a level stays */
        return cudaSuccess;
    }
    /* As in cudaFree: running work may still use it. */
    cdp_device_wait_for_users(runtime, cdp_device_of(runtime, listed->memory));
    error = cdp_api_waited(runtime);
    if (error != cudaSuccess) {
        return error;
    }
    struct cdp_array *array = cdp_table_remove_array(&runtime->textures, (uintptr_t)handle);
    if (array == NULL) {
        return cdp_api_fail(cudaErrorInvalidResourceHandle);
    }
    destroy(runtime, array);
    cdp_leak_freed((uintptr_t)handle);
    return cudaSuccess;
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    CDP_PROFILE_CALL();
    return release(array);
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array)
{
    CDP_PROFILE_CALL();
    return release(array);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    const struct cdp_array *found = find(runtime, array);
    if (found == NULL) {
        return cdp_api_fail(cudaErrorInvalidResourceHandle);
    }
    const struct cdp_array_shape *shape = &found->shape;
    if (desc != NULL) {
        *desc = cdp_desc_of(&shape->format);
    }
    if (extent != NULL) {
        *extent = (struct cudaExtent){shape->width, shape->height, shape->depth};
    }
    if (flags != NULL) {
        *flags = shape->flags;
    }
    return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    CDP_PROFILE_CALL();
    if (desc == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return cudaArrayGetInfo(desc, NULL, NULL, (cudaArray_t)(uintptr_t)array);
}

/* ---- Copies ---- */

bool cdp_array_box(const struct cdp_array *array, const struct cudaPos *from,
                   const struct cudaExtent *texels, struct cdp_box *out)
{
    const struct cdp_image *image = &array->level[0];
    if (texels->width > image->width || from->x > image->width - texels->width ||
        texels->height > image->height || from->y > image->height - texels->height ||
        texels->depth > image->depth || from->z > image->depth - texels->depth) {
        return false;
    }
    *out = (struct cdp_box){.base = image->data + from->z * image->slice + from->y * image->pitch +
                                    from->x * cdp_texel_bytes(&array->shape.format),
                            .pitch = image->pitch,
                            .slice = image->slice};
    return true;
}

/* A part of an array in the terms of the 2D calls: x and width in bytes. */
struct part {
    cudaArray_const_t array;
    size_t x, y;
};

static cudaError_t part_box(struct cdp_runtime *runtime, const struct part *part, size_t width,
                            size_t height, struct cdp_box *out)
{
    const struct cdp_array *array = find(runtime, part->array);
    if (array == NULL) {
        return cudaErrorInvalidResourceHandle;
    }
    size_t texel = cdp_texel_bytes(&array->shape.format);
    struct cudaPos from = {.x = part->x / texel, .y = part->y};
    struct cudaExtent extent = {.width = width / texel, .height = height, .depth = 1};
    if (part->x % texel != 0 || width % texel != 0 || !cdp_array_box(array, &from, &extent, out)) {
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

/* A copy between a part of an array and memory; part is the destination unless from_array. */
static cudaError_t copy_part(const struct part *part, struct cdp_copy *copy, bool from_array,
                             const struct cdp_copy_order *order)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    size_t pitch = from_array ? copy->to.pitch : copy->from.pitch; /* of the memory */
    if (pitch < copy->width) {
        return cdp_api_fail(cudaErrorInvalidPitchValue);
    }
    error =
        part_box(runtime, part, copy->width, copy->height, from_array ? &copy->from : &copy->to);
    return error != cudaSuccess ? cdp_api_fail(error) : cdp_copy_2d(copy, order);
}

static const struct cdp_copy_order synchronous = {.stream = NULL, .is_async = false};

/* Arrays are memory of the device. Other directions than those of the kind are not that call's. */
static cudaError_t check_kind(enum cudaMemcpyKind kind, enum cudaMemcpyKind with_host)
{
    bool is_known =
        kind == with_host || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
    return is_known ? cudaSuccess : cdp_api_fail(cudaErrorInvalidMemcpyDirection);
}

static cudaError_t copy_to(const struct part *to, const void *src, size_t src_pitch, size_t width,
                           size_t height, enum cudaMemcpyKind kind,
                           const struct cdp_copy_order *order)
{
    struct cdp_copy copy = {.from = {.base = (char *)(uintptr_t)src, .pitch = src_pitch},
                            .width = width,
                            .height = height,
                            .depth = 1,
                            .direction = (enum cdp_direction)kind};
    cudaError_t error = check_kind(kind, cudaMemcpyHostToDevice);
    return error != cudaSuccess ? error : copy_part(to, &copy, false, order);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src,
                                size_t src_pitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    struct part to = {.array = dst, .x = x, .y = y};
    return copy_to(&to, src, src_pitch, width, height, kind, &synchronous);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src,
                                     size_t src_pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    struct part to = {.array = dst, .x = x, .y = y};
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    return copy_to(&to, src, src_pitch, width, height, kind, &order);
}

static cudaError_t copy_from(void *dst, size_t dst_pitch, const struct part *from, size_t width,
                             size_t height, enum cudaMemcpyKind kind,
                             const struct cdp_copy_order *order)
{
    struct cdp_copy copy = {.to = {.base = dst, .pitch = dst_pitch},
                            .width = width,
                            .height = height,
                            .depth = 1,
                            .direction = (enum cdp_direction)kind};
    cudaError_t error = check_kind(kind, cudaMemcpyDeviceToHost);
    return error != cudaSuccess ? error : copy_part(from, &copy, true, order);
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dst_pitch, cudaArray_const_t src, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    struct part from = {.array = src, .x = x, .y = y};
    return copy_from(dst, dst_pitch, &from, width, height, kind, &synchronous);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dst_pitch, cudaArray_const_t src, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    struct part from = {.array = src, .x = x, .y = y};
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    return copy_from(dst, dst_pitch, &from, width, height, kind, &order);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y,
                                     cudaArray_const_t src, size_t src_x, size_t src_y,
                                     size_t width, size_t height, enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    struct part to = {.array = dst, .x = dst_x, .y = dst_y};
    struct part from = {.array = src, .x = src_x, .y = src_y};
    struct cdp_copy copy = {
        .width = width, .height = height, .depth = 1, .direction = (enum cdp_direction)kind};
    error = part_box(runtime, &to, width, height, &copy.to);
    if (error == cudaSuccess) {
        error = part_box(runtime, &from, width, height, &copy.from);
    }
    return error != cudaSuccess ? cdp_api_fail(error) : cdp_copy_2d(&copy, &synchronous);
}

/* The flat calls continue from row to row; rows are contiguous here. */
static cudaError_t flat_box(const struct part *part, size_t size, struct cdp_box *out)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    const struct cdp_array *array = find(runtime, part->array);
    if (array == NULL) {
        return cdp_api_fail(cudaErrorInvalidResourceHandle);
    }
    const struct cdp_image *image = &array->level[0];
    if (part->y >= image->height || part->x > image->slice) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    size_t start = part->y * image->pitch + part->x;
    if (start > image->slice || size > image->slice - start) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    *out = (struct cdp_box){.base = image->data + start, .pitch = size, .slice = size};
    return cudaSuccess;
}

static cudaError_t copy_flat_to(const struct part *to, const void *src, size_t size,
                                enum cudaMemcpyKind kind, const struct cdp_copy_order *order)
{
    struct cdp_copy copy = cdp_copy_flat(NULL, src, size, (enum cdp_direction)kind);
    cudaError_t error = check_kind(kind, cudaMemcpyHostToDevice);
    error = error != cudaSuccess ? error : flat_box(to, size, &copy.to);
    return error != cudaSuccess ? error : cdp_copy_2d(&copy, order);
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t size,
                              enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    struct part to = {.array = dst, .x = x, .y = y};
    return copy_flat_to(&to, src, size, kind, &synchronous);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src,
                                   size_t size, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    struct part to = {.array = dst, .x = x, .y = y};
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    return copy_flat_to(&to, src, size, kind, &order);
}

static cudaError_t copy_flat_from(void *dst, const struct part *from, size_t size,
                                  enum cudaMemcpyKind kind, const struct cdp_copy_order *order)
{
    struct cdp_copy copy = cdp_copy_flat(dst, NULL, size, (enum cdp_direction)kind);
    cudaError_t error = check_kind(kind, cudaMemcpyDeviceToHost);
    error = error != cudaSuccess ? error : flat_box(from, size, &copy.from);
    return error != cudaSuccess ? error : cdp_copy_2d(&copy, order);
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t size,
                                enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    struct part from = {.array = src, .x = x, .y = y};
    return copy_flat_from(dst, &from, size, kind, &synchronous);
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x, size_t y,
                                     size_t size, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    struct part from = {.array = src, .x = x, .y = y};
    struct cdp_copy_order order = {.stream = stream, .is_async = true};
    return copy_flat_from(dst, &from, size, kind, &order);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y,
                                   cudaArray_const_t src, size_t src_x, size_t src_y, size_t size,
                                   enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    struct part to = {.array = dst, .x = dst_x, .y = dst_y};
    struct part from = {.array = src, .x = src_x, .y = src_y};
    struct cdp_copy copy = cdp_copy_flat(NULL, NULL, size, (enum cdp_direction)kind);
    cudaError_t error = check_kind(kind, cudaMemcpyDeviceToDevice);
    error = error != cudaSuccess ? error : flat_box(&to, size, &copy.to);
    error = error != cudaSuccess ? error : flat_box(&from, size, &copy.from);
    return error != cudaSuccess ? error : cdp_copy_2d(&copy, &synchronous);
}
