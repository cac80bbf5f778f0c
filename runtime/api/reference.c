/* Texture and surface references: each has its own object.
 *
 * A reference is two variables, the host's and the device's, joined by their name like other
 * variables. Both contain the handle of the object; kernels read the device's. A bind waits for the
 * work that uses the old object. */
#include <stdint.h>

#include "cuda_runtime_api.h"
#include "texture_types.h"

#include "api/error.h"
#include "api/register.h"
#include "api/runtime.h"
#include "exec/report/profile.h"
#include "mem/memmap.h"

/* The required alignments of memory. The remainder of an address is the offset that the caller
 * gets. */
enum { LINEAR_ALIGNMENT = 16, PITCH_ALIGNMENT = 32 };

/* The variable from which kernels read the object; NULL if no kernel uses it. */
static cudaTextureObject_t *on_device(const void *reference, size_t offset)
{
    const struct cdp_abi_variable *variable = cdp_registry_find_variable(reference);
    return variable == NULL ? NULL
                            : (cudaTextureObject_t *)(void *)((char *)variable->address + offset);
}

/* The common part of both kinds of references. */
struct reference {
    cudaTextureObject_t *host, *device; /* device may be NULL */
    cudaError_t (*destroy)(cudaTextureObject_t);
};

/* The parameters of CUDA's calls are const, though the calls change the reference. */
static struct reference of_texture(const struct textureReference *texture)
{
    return (struct reference){
        .host = (cudaTextureObject_t *)(uintptr_t)&texture->__object,
        .device = on_device(texture, offsetof(struct textureReference, __object)),
        .destroy = cudaDestroyTextureObject,
    };
}

static struct reference of_surface(const struct surfaceReference *surface)
{
    return (struct reference){
        .host = (cudaSurfaceObject_t *)(uintptr_t)&surface->__object,
        .device = on_device(surface, offsetof(struct surfaceReference, __object)),
        .destroy = cudaDestroySurfaceObject,
    };
}

/* Sets another object for a reference, or 0. */
static cudaError_t change(const struct reference *reference, cudaTextureObject_t object)
{
    cudaTextureObject_t old = *reference->host;
    cudaError_t error = old != 0 ? cudaDeviceSynchronize() : cudaSuccess;
    if (error != cudaSuccess) {
        return error;
    }
    *reference->host = object;
    if (reference->device != NULL) {
        *reference->device = object;
    }
    if (old != 0) {
        (void)reference->destroy(old); /* a reset of the device may have destroyed it */
        (void)cudaGetLastError();
    }
    return cudaSuccess;
}

static cudaError_t bind_texture(const struct textureReference *texture,
                                const struct cudaResourceDesc *resource, size_t offset)
{
    const struct cudaTextureDesc desc = {
        .addressMode = {texture->addressMode[0], texture->addressMode[1], texture->addressMode[2]},
        .filterMode = texture->filterMode,
        .readMode = texture->__readMode,
        .sRGB = texture->sRGB,
        .normalizedCoords = texture->normalized,
        .maxAnisotropy = texture->maxAnisotropy,
        .mipmapFilterMode = texture->mipmapFilterMode,
        .mipmapLevelBias = texture->mipmapLevelBias,
        .minMipmapLevelClamp = texture->minMipmapLevelClamp,
        .maxMipmapLevelClamp = texture->maxMipmapLevelClamp,
    };
    cudaTextureObject_t object;
    cudaError_t error = cudaCreateTextureObject(&object, resource, &desc, NULL);
    if (error != cudaSuccess) {
        return error;
    }
    struct reference reference = of_texture(texture);
    error = change(&reference, object);
    if (error == cudaSuccess) {
        ((struct textureReference *)(uintptr_t)texture)->__offset = offset;
    }
    return error;
}

/* The aligned start of memory. offset gets the distance from there to the address. If offset is
 * NULL, the address must be aligned. */
static cudaError_t align(const void **address, size_t alignment, size_t *offset)
{
    size_t rest = (uintptr_t)*address % alignment;
    if (rest != 0 && offset == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    *address = (const char *)*address - rest;
    if (offset != NULL) {
        *offset = rest;
    }
    return cudaSuccess;
}

/* The bytes from an address to the end of its allocation, at most size. */
static size_t clip(const void *address, size_t size)
{
    struct cdp_memory memory;
    cdp_memmap_find(address, &memory);
    size_t rest =
        memory.base == NULL ? size : memory.size - (size_t)((const char *)address - memory.base);
    return rest < size ? rest : size;
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texture,
                            const void *address, const struct cudaChannelFormatDesc *desc,
                            size_t size)
{
    CDP_PROFILE_CALL();
    if (texture == NULL || address == NULL || desc == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    size = clip(address, size);
    size_t rest = (uintptr_t)address % LINEAR_ALIGNMENT;
    cudaError_t error = align(&address, LINEAR_ALIGNMENT, offset);
    if (error != cudaSuccess) {
        return error;
    }
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear};
    resource.res.linear.devPtr = (void *)(uintptr_t)address;
    resource.res.linear.desc = *desc;
    resource.res.linear.sizeInBytes = size + rest;
    return bind_texture(texture, &resource, rest);
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texture,
                              const void *address, const struct cudaChannelFormatDesc *desc,
                              size_t width, size_t height, size_t pitch)
{
    CDP_PROFILE_CALL();
    if (texture == NULL || address == NULL || desc == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    size_t texel = (size_t)(desc->x + desc->y + desc->z + desc->w) / 8;
    size_t rest = (uintptr_t)address % PITCH_ALIGNMENT;
    cudaError_t error = align(&address, PITCH_ALIGNMENT, offset);
    if (error != cudaSuccess) {
        return error;
    }
    struct cudaResourceDesc resource = {.resType = cudaResourceTypePitch2D};
    resource.res.pitch2D.devPtr = (void *)(uintptr_t)address;
    resource.res.pitch2D.desc = *desc;
    resource.res.pitch2D.width = width + (texel != 0 ? rest / texel : 0);
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return bind_texture(texture, &resource, rest);
}

cudaError_t cudaBindTextureToArray(const struct textureReference *texture, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    CDP_PROFILE_CALL();
    if (texture == NULL || array == NULL || desc == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
    resource.res.array.array = (cudaArray_t)(uintptr_t)array;
    return bind_texture(texture, &resource, 0);
}

cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *texture,
                                            cudaMipmappedArray_const_t array,
                                            const struct cudaChannelFormatDesc *desc)
{
    CDP_PROFILE_CALL();
    if (texture == NULL || array == NULL || desc == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeMipmappedArray};
    resource.res.mipmap.mipmap = (cudaMipmappedArray_t)(uintptr_t)array;
    return bind_texture(texture, &resource, 0);
}

cudaError_t cudaUnbindTexture(const struct textureReference *texture)
{
    CDP_PROFILE_CALL();
    if (texture == NULL) {
        return cdp_api_fail(cudaErrorInvalidTexture);
    }
    struct reference reference = of_texture(texture);
    return *reference.host == 0 ? cudaSuccess : change(&reference, 0);
}

/* The offset of the memory to which it is bound: none for arrays. */
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texture)
{
    CDP_PROFILE_CALL();
    if (offset == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (texture == NULL) {
        return cdp_api_fail(cudaErrorInvalidTexture);
    }
    if (texture->__object == 0) {
        return cdp_api_fail(cudaErrorInvalidTextureBinding);
    }
    *offset = texture->__offset;
    return cudaSuccess;
}

cudaError_t cudaGetTextureReference(const struct textureReference **texture, const void *symbol)
{
    CDP_PROFILE_CALL();
    if (texture == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (cdp_registry_find_variable(symbol) == NULL) {
        return cdp_api_fail(cudaErrorInvalidTexture);
    }
    *texture = symbol;
    return cudaSuccess;
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surface, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc)
{
    CDP_PROFILE_CALL();
    if (surface == NULL || array == NULL || desc == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
    resource.res.array.array = (cudaArray_t)(uintptr_t)array;
    cudaSurfaceObject_t object;
    cudaError_t error = cudaCreateSurfaceObject(&object, &resource);
    if (error != cudaSuccess) {
        return error;
    }
    struct reference reference = of_surface(surface);
    return change(&reference, object);
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surface, const void *symbol)
{
    CDP_PROFILE_CALL();
    if (surface == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (cdp_registry_find_variable(symbol) == NULL) {
        return cdp_api_fail(cudaErrorInvalidSurface);
    }
    *surface = symbol;
    return cudaSuccess;
}
