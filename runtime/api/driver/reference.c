/* Texture and surface references of modules.
 *
 * A reference has an object while something is bound to it. Kernels read the object's handle from
 * the module's variable, as those of the program do (api/reference.c). Programs set properties
 * before and after they bind, so each change makes a new object. */
#include "api/driver/driver.h"

#include <string.h>

#include "cuda_runtime_api.h"
#include "texture_types.h"

#include "api/driver/array.h"
#include "api/driver/module.h"
#include "base/alloc.h"
#include "base/handle.h"
#include "base/lock.h"

enum { REFERENCE_TAG = 0x54 /* 'T' */, LINEAR_ALIGNMENT = 16 };

/* Life: of a module's: for ever, since modules stay mapped; else from cuTexRefCreate to
 * cuTexRefDestroy. CUDA requires that a program does not use one from two threads at once. */
struct reference {
    struct reference *next;        /* in the list of those of modules */
    cudaTextureObject_t *variable; /* what kernels read; NULL: of cuTexRefCreate */
    uint64_t handle, object;       /* object 0: nothing is bound */
    bool is_surface, is_bound;
    CUarray_format format; /* of linear memory */
    int channels;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC desc;
};

static struct {
    struct cdp_lock lock; /* guards the table and the list */
    struct cdp_handle_table handles;
    struct reference *first CDP_GUARDED_BY(&lock);
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_DRIVER), .handles = {.tag = REFERENCE_TAG}};

/* ---- References ---- */

static CUresult make(cudaTextureObject_t *variable, bool is_surface, uint64_t *out)
{
    struct reference *reference = cdp_alloc_zero(sizeof *reference);
    if (reference == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *reference = (struct reference){.variable = variable,
                                    .is_surface = is_surface,
                                    .format = CU_AD_FORMAT_FLOAT,
                                    .channels = 1};
    for (int i = 0; i < 3; i++) {
        reference->desc.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
    }
    cdp_lock_acquire(&all.lock);
    reference->handle = *out = cdp_handle_create(&all.handles, reference);
    if (*out != 0 && variable != NULL) {
        reference->next = all.first;
        all.first = reference;
    }
    cdp_lock_release(&all.lock);
    if (*out == 0) {
        cdp_free(reference);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return CUDA_SUCCESS;
}

/* The reference of the variable; 0: there is none yet. */
static uint64_t find_made(const cudaTextureObject_t *variable)
{
    uint64_t found = 0;
    cdp_lock_acquire(&all.lock);
    for (const struct reference *r = all.first; r != NULL && found == 0; r = r->next) {
        found = r->variable == variable ? r->handle : 0;
    }
    cdp_lock_release(&all.lock);
    return found;
}

/* The start of a call for a reference. */
static CUresult begin(struct cdp_driver_call *call, const void *handle, struct reference **out)
{
    CUresult result = cdp_driver_begin(call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    cdp_lock_acquire(&all.lock);
    *out = cdp_handle_find(&all.handles, (uintptr_t)handle);
    cdp_lock_release(&all.lock);
    return *out != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* handle: that of a CUtexref or a CUsurfref. size, offset: of the variable and of the object's
 * handle in it. */
static CUresult of_module(uint64_t *handle, CUmodule module, const char *name, size_t size,
                          size_t offset)
{
    CUdeviceptr address;
    size_t found;
    CUresult result = cuModuleGetGlobal(&address, &found, module, name);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (found != size) { /* a variable of another type */
        return CUDA_ERROR_NOT_FOUND;
    }
    cudaTextureObject_t *variable = cdp_address_of(address + offset);
    *handle = find_made(variable);
    return *handle != 0 ? CUDA_SUCCESS
                        : make(variable, size == sizeof(struct surfaceReference), handle);
}

CUresult cuModuleGetTexRef(CUtexref *reference, CUmodule module, const char *name)
{
    uint64_t handle = 0;
    if (reference == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult result = of_module(&handle, module, name, sizeof(struct textureReference),
                                offsetof(struct textureReference, __object));
    if (result == CUDA_SUCCESS) {
        *reference = (CUtexref)(void *)(uintptr_t)handle;
    }
    return result;
}

CUresult cuModuleGetSurfRef(CUsurfref *reference, CUmodule module, const char *name)
{
    uint64_t handle = 0;
    if (reference == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult result = of_module(&handle, module, name, sizeof(struct surfaceReference),
                                offsetof(struct surfaceReference, __object));
    if (result == CUDA_SUCCESS) {
        *reference = (CUsurfref)(void *)(uintptr_t)handle;
    }
    return result;
}

CUresult cuTexRefCreate(CUtexref *reference)
{
    struct cdp_driver_call call;
    uint64_t handle = 0;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || reference == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = make(NULL, false, &handle);
    if (result == CUDA_SUCCESS) {
        *reference = (CUtexref)(void *)(uintptr_t)handle;
    }
    return result;
}

/* ---- Objects ---- */

static void destroy(const struct reference *reference, uint64_t object)
{
    /* A reset of the device may have destroyed it. */
    if (reference->is_surface) {
        (void)cuSurfObjectDestroy(object);
    } else {
        (void)cuTexObjectDestroy(object);
    }
}

/* Kernels that are pending read the old object. */
static CUresult replace(struct reference *reference, CUtexObject object)
{
    uint64_t old = reference->object;
    CUresult result = old != 0 ? cuCtxSynchronize() : CUDA_SUCCESS;
    if (result != CUDA_SUCCESS) {
        return result;
    }
    reference->object = object;
    if (reference->variable != NULL) {
        *reference->variable = object;
    }
    if (old != 0) {
        destroy(reference, old);
    }
    return CUDA_SUCCESS;
}

/* Makes the object anew, if something is bound. */
static CUresult update(struct reference *reference)
{
    CUtexObject object = 0;
    CUresult result = CUDA_SUCCESS;
    if (reference->is_bound && reference->is_surface) {
        result = cuSurfObjectCreate(&object, &reference->resource);
    } else if (reference->is_bound) {
        result = cuTexObjectCreate(&object, &reference->resource, &reference->desc, NULL);
    }
    if (object != 0) {
        cdp_leak_freed(object); /* it is no object of the program */
    }
    return result != CUDA_SUCCESS ? result : replace(reference, object);
}

CUresult cuTexRefDestroy(CUtexref handle)
{
    struct cdp_driver_call call;
    struct reference *reference;
    CUresult result = begin(&call, handle, &reference);
    if (result != CUDA_SUCCESS || reference->variable != NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = replace(reference, 0);
    cdp_lock_acquire(&all.lock);
    (void)cdp_handle_remove(&all.handles, (uintptr_t)(void *)handle);
    cdp_lock_release(&all.lock);
    cdp_free(reference);
    return result;
}

/* ---- Binding ---- */

static CUresult bind(struct reference *reference, const CUDA_RESOURCE_DESC *resource)
{
    CUDA_RESOURCE_DESC old = reference->resource;
    bool was_bound = reference->is_bound;
    reference->resource = *resource;
    reference->is_bound = true;
    CUresult result = update(reference);
    if (result != CUDA_SUCCESS) {
        reference->resource = old;
        reference->is_bound = was_bound;
    }
    return result;
}

static CUresult bind_array(const void *handle, const CUDA_RESOURCE_DESC *resource, bool is_valid)
{
    struct cdp_driver_call call;
    struct reference *reference;
    CUresult result = begin(&call, handle, &reference);
    if (result != CUDA_SUCCESS || !is_valid) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    return bind(reference, resource);
}

CUresult cuTexRefSetArray(CUtexref reference, CUarray array, unsigned int flags)
{
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    return bind_array(reference, &resource, array != NULL && flags == CU_TRSA_OVERRIDE_FORMAT);
}

CUresult cuTexRefSetMipmappedArray(CUtexref reference, CUmipmappedArray array, unsigned int flags)
{
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY,
                                   .res.mipmap.hMipmappedArray = array};
    return bind_array(reference, &resource, array != NULL && flags == CU_TRSA_OVERRIDE_FORMAT);
}

CUresult cuSurfRefSetArray(CUsurfref reference, CUarray array, unsigned int flags)
{
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    return bind_array(reference, &resource, array != NULL && flags == 0);
}

CUresult cuTexRefSetAddress(size_t *offset, CUtexref handle, CUdeviceptr ptr, size_t size)
{
    struct cdp_driver_call call;
    struct reference *reference;
    size_t rest = ptr % LINEAR_ALIGNMENT;
    CUresult result = begin(&call, handle, &reference);
    if (result != CUDA_SUCCESS || ptr == 0 || (rest != 0 && offset == NULL)) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_LINEAR};
    resource.res.linear.devPtr = ptr - rest;
    resource.res.linear.sizeInBytes = size + rest;
    resource.res.linear.format = reference->format;
    resource.res.linear.numChannels = (unsigned)reference->channels;
    result = bind(reference, &resource);
    if (result == CUDA_SUCCESS && offset != NULL) {
        *offset = rest;
    }
    return result;
}

CUresult cuTexRefSetAddress2D(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr ptr,
                              size_t pitch)
{
    struct cdp_driver_call call;
    struct reference *reference;
    CUresult result = begin(&call, handle, &reference);
    if (result != CUDA_SUCCESS || desc == NULL || ptr == 0) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_PITCH2D};
    resource.res.pitch2D.devPtr = ptr;
    resource.res.pitch2D.format = desc->Format;
    resource.res.pitch2D.numChannels = desc->NumChannels;
    resource.res.pitch2D.width = desc->Width;
    resource.res.pitch2D.height = desc->Height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return bind(reference, &resource);
}

/* What is bound, if it is of that type. */
static CUresult bound(const void *handle, CUresourcetype type, const void *out,
                      const CUDA_RESOURCE_DESC **resource)
{
    struct cdp_driver_call call;
    struct reference *reference;
    CUresult result = begin(&call, handle, &reference);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    *resource = &reference->resource;
    return out != NULL && reference->is_bound && reference->resource.resType == type
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuTexRefGetAddress(CUdeviceptr *ptr, CUtexref reference)
{
    const CUDA_RESOURCE_DESC *resource;
    CUresult result = bound(reference, CU_RESOURCE_TYPE_LINEAR, ptr, &resource);
    if (result == CUDA_SUCCESS) {
        *ptr = resource->res.linear.devPtr;
        return result;
    }
    result = bound(reference, CU_RESOURCE_TYPE_PITCH2D, ptr, &resource);
    if (result == CUDA_SUCCESS) {
        *ptr = resource->res.pitch2D.devPtr;
    }
    return result;
}

CUresult cuTexRefGetArray(CUarray *array, CUtexref reference)
{
    const CUDA_RESOURCE_DESC *resource;
    CUresult result = bound(reference, CU_RESOURCE_TYPE_ARRAY, array, &resource);
    if (result == CUDA_SUCCESS) {
        *array = resource->res.array.hArray;
    }
    return result;
}

CUresult cuTexRefGetMipmappedArray(CUmipmappedArray *array, CUtexref reference)
{
    const CUDA_RESOURCE_DESC *resource;
    CUresult result = bound(reference, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, array, &resource);
    if (result == CUDA_SUCCESS) {
        *array = resource->res.mipmap.hMipmappedArray;
    }
    return result;
}

CUresult cuSurfRefGetArray(CUarray *array, CUsurfref reference)
{
    const CUDA_RESOURCE_DESC *resource;
    CUresult result = bound(reference, CU_RESOURCE_TYPE_ARRAY, array, &resource);
    if (result == CUDA_SUCCESS) {
        *array = resource->res.array.hArray;
    }
    return result;
}

/* ---- Properties ---- */

/* A call that changes a property, if the test holds. */
#define SET(test, change)                                                                          \
    struct cdp_driver_call call;                                                                   \
    struct reference *reference;                                                                   \
    CUresult result = begin(&call, handle, &reference);                                            \
    if (result != CUDA_SUCCESS || !(test)) {                                                       \
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;                         \
    }                                                                                              \
    (void)(change);                                                                                \
    return update(reference)

static bool is_dim(int dim)
{
    return dim >= 0 && dim < 3;
}

CUresult cuTexRefSetFormat(CUtexref handle, CUarray_format format, int channels)
{
    struct cdp_driver_call call;
    struct reference *reference;
    struct cudaChannelFormatDesc unused;
    CUresult result = begin(&call, handle, &reference);
    result = result != CUDA_SUCCESS ? result : cdp_channels_of(format, (unsigned)channels, &unused);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    reference->format = format;
    reference->channels = channels;
    if (reference->resource.resType != CU_RESOURCE_TYPE_LINEAR) {
        return CUDA_SUCCESS; /* other resources have a format of their own */
    }
    reference->resource.res.linear.format = format;
    reference->resource.res.linear.numChannels = (unsigned)channels;
    return update(reference);
}

CUresult cuTexRefSetAddressMode(CUtexref handle, int dim, CUaddress_mode mode)
{
    SET(is_dim(dim) && (unsigned)mode <= CU_TR_ADDRESS_MODE_BORDER,
        reference->desc.addressMode[dim] = mode);
}

CUresult cuTexRefSetFilterMode(CUtexref handle, CUfilter_mode mode)
{
    SET((unsigned)mode <= CU_TR_FILTER_MODE_LINEAR, reference->desc.filterMode = mode);
}

CUresult cuTexRefSetFlags(CUtexref handle, unsigned int flags)
{
    SET(true, reference->desc.flags = flags);
}

CUresult cuTexRefSetMipmapFilterMode(CUtexref handle, CUfilter_mode mode)
{
    SET((unsigned)mode <= CU_TR_FILTER_MODE_LINEAR, reference->desc.mipmapFilterMode = mode);
}

CUresult cuTexRefSetMipmapLevelBias(CUtexref handle, float bias)
{
    SET(true, reference->desc.mipmapLevelBias = bias);
}

CUresult cuTexRefSetMipmapLevelClamp(CUtexref handle, float least, float most)
{
    SET(true,
        (reference->desc.minMipmapLevelClamp = least, reference->desc.maxMipmapLevelClamp = most));
}

CUresult cuTexRefSetMaxAnisotropy(CUtexref handle, unsigned int most)
{
    SET(true, reference->desc.maxAnisotropy = most);
}

CUresult cuTexRefSetBorderColor(CUtexref handle, float *color)
{
    SET(color != NULL, memcpy(reference->desc.borderColor, color, 4 * sizeof *color));
}

/* A call that asks for a property, if the test holds. */
#define GET(test, answer)                                                                          \
    struct cdp_driver_call call;                                                                   \
    struct reference *reference;                                                                   \
    CUresult result = begin(&call, handle, &reference);                                            \
    if (result != CUDA_SUCCESS || !(test)) {                                                       \
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;                         \
    }                                                                                              \
    (void)(answer);                                                                                \
    return CUDA_SUCCESS

CUresult cuTexRefGetFormat(CUarray_format *format, int *channels, CUtexref handle)
{
    GET(format != NULL && channels != NULL,
        (*format = reference->format, *channels = reference->channels));
}

CUresult cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref handle, int dim)
{
    GET(mode != NULL && is_dim(dim), *mode = reference->desc.addressMode[dim]);
}

CUresult cuTexRefGetFilterMode(CUfilter_mode *mode, CUtexref handle)
{
    GET(mode != NULL, *mode = reference->desc.filterMode);
}

CUresult cuTexRefGetFlags(unsigned int *flags, CUtexref handle)
{
    GET(flags != NULL, *flags = reference->desc.flags);
}

CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode *mode, CUtexref handle)
{
    GET(mode != NULL, *mode = reference->desc.mipmapFilterMode);
}

CUresult cuTexRefGetMipmapLevelBias(float *bias, CUtexref handle)
{
    GET(bias != NULL, *bias = reference->desc.mipmapLevelBias);
}

CUresult cuTexRefGetMipmapLevelClamp(float *least, float *most, CUtexref handle)
{
    GET(least != NULL && most != NULL, (*least = reference->desc.minMipmapLevelClamp,
                                        *most = reference->desc.maxMipmapLevelClamp));
}

CUresult cuTexRefGetMaxAnisotropy(int *most, CUtexref handle)
{
    GET(most != NULL, *most = (int)reference->desc.maxAnisotropy);
}

CUresult cuTexRefGetBorderColor(float *color, CUtexref handle)
{
    GET(color != NULL, memcpy(color, reference->desc.borderColor, 4 * sizeof *color));
}
