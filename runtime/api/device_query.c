/* Queries of device code: errors, properties and address spaces. */
#include <stdint.h>

#include "api/check.h"
#include "api/device.h"
#include "api/properties.h"
#include "exec/state/cluster.h"
#include "mem/memmap.h"

/* The version of the device runtime that hardware returns; it differs from the host's. */
enum { DEVICE_RUNTIME_VERSION = 6000 };

cudaError_t cdp_abi_cudaGetLastError(void)
{
    cudaError_t error = (cudaError_t)cdp_abi_self->last_error;
    cdp_abi_self->last_error = cudaSuccess;
    cdp_abi_self->launch_failed = 0;
    return error;
}

cudaError_t cdp_abi_cudaPeekAtLastError(void)
{
    cdp_abi_self->launch_failed = 0;
    return (cudaError_t)cdp_abi_self->last_error;
}

const char *cdp_abi_cudaGetErrorString(cudaError_t error)
{
    return cdp_error_text(error);
}

const char *cdp_abi_cudaGetErrorName(cudaError_t error)
{
    return cdp_error_name(error);
}

/* The device that runs this code. */
static unsigned own_device(void)
{
    return cdp_grid_device(cdp_device_block()->grid);
}

cudaError_t cdp_abi_cudaGetDeviceCount(int *count)
{
    if (count == NULL) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    CDP_DEVICE_STORED(count);
    *count = (int)cdp_runtime_running()->device_count;
    return cudaSuccess;
}

cudaError_t cdp_abi_cudaGetDevice(int *device)
{
    if (device == NULL) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    CDP_DEVICE_STORED(device);
    *device = (int)own_device();
    return cudaSuccess;
}

cudaError_t cdp_abi_cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    if (!cdp_device_exists(cdp_runtime_running(), device)) {
        return cdp_device_fail(cudaErrorInvalidDevice);
    }
    if (value == NULL) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    CDP_DEVICE_STORED(value);
    return cdp_device_fail(cdp_property_attribute((unsigned)device, value, attribute));
}

cudaError_t cdp_abi_cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    if (value == NULL) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    CDP_DEVICE_STORED(value);
    return cdp_device_fail(cdp_property_limit(own_device(), value, limit));
}

cudaError_t cdp_abi_cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    if (config == NULL) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    CDP_DEVICE_STORED(config);
    *config =
        (enum cudaFuncCache)atomic_load(&cdp_runtime_running()->devices[own_device()].cache_config);
    return cudaSuccess;
}

cudaError_t cdp_abi_cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    if (config == NULL) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    CDP_DEVICE_STORED(config);
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

cudaError_t cdp_abi_cudaRuntimeGetVersion(int *version)
{
    if (version == NULL) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    CDP_DEVICE_STORED(version);
    *version = DEVICE_RUNTIME_VERSION;
    return cudaSuccess;
}

/* On the device a kernel's address is its descriptor. */
static const struct cdp_abi_kernel *descriptor(const void *kernel)
{
    const struct cdp_abi_kernel *found = kernel;
    return found != NULL && found->abi_version == CDP_ABI_VERSION ? found : NULL;
}

cudaError_t cdp_abi_cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel)
{
    if (descriptor(kernel) == NULL) {
        return cdp_device_fail(cudaErrorInvalidDeviceFunction);
    }
    if (attributes == NULL) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    CDP_DEVICE_STORED(attributes);
    cdp_describe_kernel(descriptor(kernel), attributes);
    return cudaSuccess;
}

cudaError_t cdp_abi_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                                  int threads, size_t shared)
{
    if (descriptor(kernel) == NULL) {
        return cdp_device_fail(cudaErrorInvalidDeviceFunction);
    }
    if (blocks == NULL || threads <= 0) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    *blocks = cdp_occupancy_of(descriptor(kernel), threads, shared);
    return cudaSuccess;
}

cudaError_t cdp_abi_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *kernel, int threads, size_t shared, unsigned flags)
{
    if (flags > cudaOccupancyDisableCachingOverride) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    return cdp_abi_cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared);
}

cudaError_t cdp_abi_occupancy(int *grid, int *block, const void *kernel, size_t shared, int limit)
{
    const struct cdp_abi_kernel *found = descriptor(kernel);
    if (found == NULL || grid == NULL || block == NULL) {
        return cdp_device_fail(found == NULL ? cudaErrorInvalidDeviceFunction
                                             : cudaErrorInvalidValue);
    }
    int multiprocessors;
    (void)cdp_property_attribute(own_device(), &multiprocessors, cudaDevAttrMultiProcessorCount);
    *block = cdp_best_block_size(found, shared, limit);
    *grid = cdp_occupancy_of(found, *block, shared) * multiprocessors;
    return cudaSuccess;
}

uint32_t cdp_abi_is_global(const void *address)
{
    switch (cdp_memmap_space(address)) {
    case CDP_SPACE_SHARED:
    case CDP_SPACE_LOCAL:
    case CDP_SPACE_CONSTANT:
        return 0;
    case CDP_SPACE_HOST: /* one address space: kernels can access the host's memory too */
    case CDP_SPACE_DEVICE:
    case CDP_SPACE_HEAP:
    case CDP_SPACE_REGISTERED:
    case CDP_SPACE_VARIABLE:
        return 1;
    }
    return 0;
}

uint32_t cdp_abi_is_shared(const void *address)
{
    return cdp_memmap_space(address) == CDP_SPACE_SHARED &&
           !cdp_cluster_is_of_sibling(cdp_block_of(cdp_abi_self), address);
}

uint32_t cdp_abi_is_constant(const void *address)
{
    return cdp_memmap_space(address) == CDP_SPACE_CONSTANT;
}

uint32_t cdp_abi_is_local(const void *address)
{
    return cdp_memmap_space(address) == CDP_SPACE_LOCAL;
}

/* Other parameters are copied to the thread's own variables. */
uint32_t cdp_abi_is_grid_constant(const void *address)
{
    struct cdp_grid *grid = cdp_device_block()->grid;
    uintptr_t params = (uintptr_t)cdp_grid_params(grid);
    return (uintptr_t)address - params < grid->kernel->param_size;
}
