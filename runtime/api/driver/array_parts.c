/* Queries of parts of arrays, which no array here has: those of the runtime API. */
#include "api/driver/driver.h"

#include "cuda_runtime_api.h"

#include "api/driver/array.h"

static CUresult sparse_properties(CUDA_ARRAY_SPARSE_PROPERTIES *properties, CUarray array)
{
    struct cdp_driver_call call;
    struct cudaArraySparseProperties found;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    return cdp_driver_end(&call, cudaArrayGetSparseProperties(properties != NULL ? &found : NULL,
                                                              cdp_array_of(array)));
}

CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *properties, CUarray array)
{
    return sparse_properties(properties, array);
}

CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *properties,
                                             CUmipmappedArray array)
{
    return sparse_properties(properties, (CUarray)(void *)array);
}

static CUresult memory_requirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, CUarray array,
                                    CUdevice device)
{
    struct cdp_driver_call call;
    struct cudaArrayMemoryRequirements found;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    return cdp_driver_end(&call,
                          cudaArrayGetMemoryRequirements(requirements != NULL ? &found : NULL,
                                                         cdp_array_of(array), device));
}

CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, CUarray array,
                                      CUdevice device)
{
    return memory_requirements(requirements, array, device);
}

CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements,
                                               CUmipmappedArray array, CUdevice device)
{
    return memory_requirements(requirements, (CUarray)(void *)array, device);
}

CUresult cuArrayGetPlane(CUarray *plane, CUarray array, unsigned int number)
{
    struct cdp_driver_call call;
    cudaArray_t found;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    return cdp_driver_end(
        &call, cudaArrayGetPlane(plane != NULL ? &found : NULL, cdp_array_of(array), number));
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *elements, CUarray_format format,
                                            unsigned int channels, CUdevice device)
{
    struct cdp_driver_call call;
    struct cudaChannelFormatDesc desc;
    CUresult result = cdp_driver_begin_any(&call);
    result = result == CUDA_SUCCESS ? cdp_channels_of(format, channels, &desc) : result;
    if (result != CUDA_SUCCESS) {
        return result;
    }
    return cdp_driver_end(&call, cudaDeviceGetTexture1DLinearMaxWidth(elements, &desc, device));
}
