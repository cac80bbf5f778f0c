/* Queries of sparse arrays, arrays with deferred mapping and arrays of several planes. No array
 * here is one: cudaMalloc3DArray refuses their flags, and no format has planes. CUDA documents
 * cudaErrorInvalidValue for other arrays. */
#include "cuda_runtime_api.h"

#include "api/array.h"
#include "api/devices.h"
#include "api/error.h"
#include "api/handle.h"
#include "api/runtime.h"
#include "exec/report/profile.h"
#include "texture/table.h"

/* out: where the result would be. */
static cudaError_t refuse(const void *out, uint64_t handle, int device)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (out == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (!cdp_device_exists(runtime, device)) {
        return cdp_api_fail(cudaErrorInvalidDevice);
    }
    return cdp_api_fail(cdp_table_find_array(&runtime->textures, handle) == NULL
                            ? cudaErrorInvalidResourceHandle
                            : cudaErrorInvalidValue);
}

cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties *properties,
                                         cudaArray_t array)
{
    CDP_PROFILE_CALL();
    return refuse(properties, (uintptr_t)(void *)array, 0);
}

cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties *properties,
                                                  cudaMipmappedArray_t array)
{
    CDP_PROFILE_CALL();
    return refuse(properties, (uintptr_t)(void *)array, 0);
}

cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *requirements,
                                           cudaArray_t array, int device)
{
    CDP_PROFILE_CALL();
    return refuse(requirements, (uintptr_t)(void *)array, device);
}

cudaError_t
cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *requirements,
                                        cudaMipmappedArray_t array, int device)
{
    CDP_PROFILE_CALL();
    return refuse(requirements, (uintptr_t)(void *)array, device);
}

cudaError_t cudaArrayGetPlane(cudaArray_t *plane, cudaArray_t array, unsigned int number)
{
    CDP_PROFILE_CALL();
    (void)number;
    return refuse(plane, (uintptr_t)(void *)array, 0);
}

/* As an H200 has it: 2^30 elements, and 2^32 bytes. */
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *elements,
                                                 const struct cudaChannelFormatDesc *format,
                                                 int device)
{
    CDP_PROFILE_CALL();
    const uint64_t most = UINT64_C(1) << 30, most_bytes = UINT64_C(1) << 32;
    struct cdp_runtime *runtime;
    struct cdp_format known;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (elements == NULL || format == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (!cdp_device_exists(runtime, device)) {
        return cdp_api_fail(cudaErrorInvalidDevice);
    }
    if (!cdp_format_of(format, &known)) {
        return cdp_api_fail(cudaErrorInvalidChannelDescriptor);
    }
    uint64_t fitting = most_bytes / cdp_texel_bytes(&known);
    *elements = fitting < most ? fitting : most;
    return cudaSuccess;
}
