/* Kernels of the driver API: launches, attributes, occupancy. */
#include "api/driver/driver.h"

#include <string.h>

#include "cuda_runtime_api.h"

#include "api/driver/module.h"
#include "api/launch.h"
#include "api/register.h"
#include "base/alloc.h"

/* The start of a call for a kernel. */
static CUresult begin(CUfunction function, struct cdp_driver_call *call,
                      const struct cdp_abi_kernel **kernel)
{
    CUresult result = cdp_driver_begin(call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    *kernel = cdp_registry_find_kernel((const void *)function);
    return *kernel != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* The same for a call to which no function is an invalid value, as an H100 showed. */
static CUresult begin_reading(CUfunction function, struct cdp_driver_call *call,
                              const struct cdp_abi_kernel **kernel)
{
    CUresult result = begin(function, call, kernel);
    bool is_null = result == CUDA_ERROR_INVALID_HANDLE && function == NULL;
    return is_null ? CUDA_ERROR_INVALID_VALUE : result;
}

/* ---- Launches ---- */

/* The bytes of all parameters, without padding after the last one. */
static size_t bytes_of_params(const struct cdp_abi_kernel *kernel)
{
    size_t end = 0;
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        size_t after = kernel->params[i].offset + kernel->params[i].size;
        end = after > end ? after : end;
    }
    return end;
}

/* Finds the buffer with all parameters that the last argument of cuLaunchKernel describes. An H200
 * accepts no other size than that of the parameters. */
static CUresult find_buffer(void **extra, const struct cdp_abi_kernel *kernel, char **buffer)
{
    size_t size = 0;
    *buffer = NULL;
    for (size_t i = 0; extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
        if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
            *buffer = extra[i + 1];
        } else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE) {
            size = *(const size_t *)extra[i + 1];
        } else {
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    if (*buffer == NULL && kernel->param_count > 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return size == bytes_of_params(kernel) ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
}

CUresult cdp_driver_args_of_buffer(const struct cdp_abi_kernel *kernel, void **extra, void ***args)
{
    char *buffer;
    CUresult result = find_buffer(extra, kernel, &buffer);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    *args = cdp_alloc((kernel->param_count + 1) * sizeof **args);
    if (*args == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        (*args)[i] = buffer + kernel->params[i].offset;
    }
    return CUDA_SUCCESS;
}

static CUresult launch_buffer(struct cdp_host_launch *launch, const struct cdp_abi_kernel *kernel,
                              void **extra)
{
    CUresult result = cdp_driver_args_of_buffer(kernel, extra, &launch->args);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = cdp_driver_result(cdp_launch_by_host(launch));
    cdp_free(launch->args);
    return result;
}

static CUresult launch(struct cdp_host_launch *launch, void **extra)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin((CUfunction)(uintptr_t)launch->func, &call, &kernel);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (extra != NULL && launch->args != NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    result = extra != NULL ? launch_buffer(launch, kernel, extra)
                           : cdp_driver_result(cdp_launch_by_host(launch));
    (void)cdp_driver_end(&call, cudaSuccess);
    return result;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared, CUstream stream, void **params,
                        void **extra)
{
    struct cdp_host_launch ask = {.func = (const void *)function,
                                  .shape = {.grid = {grid_x, grid_y, grid_z},
                                            .block = {block_x, block_y, block_z},
                                            .dynamic_shared = shared},
                                  .args = params,
                                  .stream = stream,
                                  .site = __builtin_return_address(0)};
    return launch(&ask, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared, CUstream stream,
                                   void **params)
{
    struct cdp_host_launch ask = {.func = (const void *)function,
                                  .shape = {.grid = {grid_x, grid_y, grid_z},
                                            .block = {block_x, block_y, block_z},
                                            .dynamic_shared = shared},
                                  .args = params,
                                  .stream = stream,
                                  .site = __builtin_return_address(0),
                                  .is_cooperative = true};
    return launch(&ask, NULL);
}

/* Attributes of launches are the same in both APIs. */
_Static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute), "another layout");

static cudaLaunchConfig_t config_of(const CUlaunchConfig *config)
{
    return (cudaLaunchConfig_t){
        .gridDim = {config->gridDimX, config->gridDimY, config->gridDimZ},
        .blockDim = {config->blockDimX, config->blockDimY, config->blockDimZ},
        .dynamicSmemBytes = config->sharedMemBytes,
        .stream = config->hStream,
        .attrs = (cudaLaunchAttribute *)(void *)config->attrs,
        .numAttrs = config->numAttrs};
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params,
                          void **extra)
{
    struct cdp_host_launch ask;
    if (config == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    cudaLaunchConfig_t same = config_of(config);
    cudaError_t error = cdp_launch_of_config(&same, &ask);
    if (error != cudaSuccess) {
        return cdp_driver_result(error);
    }
    ask.func = (const void *)function;
    ask.args = params;
    ask.site = __builtin_return_address(0);
    return launch(&ask, extra);
}

/* ---- Attributes ---- */

CUresult cdp_driver_attribute_of(const struct cudaFuncAttributes *attrs, CUfunction_attribute attr,
                                 int *value)
{
    switch ((int)attr) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = attrs->maxThreadsPerBlock;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = (int)attrs->sharedSizeBytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        *value = (int)attrs->constSizeBytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = (int)attrs->localSizeBytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = attrs->numRegs;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        *value = attrs->ptxVersion;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = attrs->binaryVersion;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        *value = attrs->cacheModeCA;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = attrs->maxDynamicSharedSizeBytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = attrs->preferredShmemCarveout;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
        *value = attrs->clusterDimMustBeSet;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
        *value = attrs->requiredClusterWidth;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
        *value = attrs->requiredClusterHeight;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        *value = attrs->requiredClusterDepth;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        *value = attrs->nonPortableClusterSizeAllowed;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        *value = attrs->clusterSchedulingPolicyPreference;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attr, CUfunction function)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    struct cudaFuncAttributes attrs;
    CUresult result = begin(function, &call, &kernel);
    if (result != CUDA_SUCCESS || value == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    result = cdp_driver_end(&call, cudaFuncGetAttributes(&attrs, kernel));
    return result != CUDA_SUCCESS ? result : cdp_driver_attribute_of(&attrs, attr, value);
}

/* The attributes that can be set have the same numbers in both APIs. */
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attr, int value)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin(function, &call, &kernel);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call,
                                cudaFuncSetAttribute(kernel, (enum cudaFuncAttribute)attr, value));
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin(function, &call, &kernel);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cudaFuncSetCacheConfig(kernel, (enum cudaFuncCache)config));
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin(function, &call, &kernel);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(
                     &call, cudaFuncSetSharedMemConfig(kernel, (enum cudaSharedMemConfig)config));
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin_reading(function, &call, &kernel);
    if (result != CUDA_SUCCESS || name == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *name = kernel->name;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin_reading(function, &call, &kernel);
    if (result != CUDA_SUCCESS || module == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *module = cdp_module_of_kernel(kernel);
    return *module != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cdp_driver_param_info(const struct cdp_abi_kernel *kernel, size_t index, size_t *offset,
                               size_t *size)
{
    if (offset == NULL || index >= kernel->param_count) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *offset = kernel->params[index].offset;
    if (size != NULL) {
        *size = kernel->params[index].size;
    }
    return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin_reading(function, &call, &kernel);
    return result != CUDA_SUCCESS ? result : cdp_driver_param_info(kernel, index, offset, size);
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin(function, &call, &kernel);
    if (result != CUDA_SUCCESS || state == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction function)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    return begin(function, &call, &kernel);
}

/* ---- Occupancy ---- */

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
                                                              int block_size, size_t shared,
                                                              unsigned int flags)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin(function, &call, &kernel);
    return result != CUDA_SUCCESS
               ? result
               : cdp_driver_end(&call, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                                           blocks, kernel, block_size, shared, flags));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                     int block_size, size_t shared)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size,
                                                                shared, CU_OCCUPANCY_DEFAULT);
}

/* The number of clusters, or their size. */
static CUresult ask_clusters(cudaError_t (*ask)(int *, const void *, const cudaLaunchConfig_t *),
                             int *found, CUfunction function, const CUlaunchConfig *config)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin(function, &call, &kernel);
    if (result != CUDA_SUCCESS || config == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    cudaLaunchConfig_t same = config_of(config);
    return cdp_driver_end(&call, ask(found, kernel, &same));
}

CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction function,
                                      const CUlaunchConfig *config)
{
    return ask_clusters(cudaOccupancyMaxActiveClusters, clusters, function, config);
}

CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function,
                                            const CUlaunchConfig *config)
{
    return ask_clusters(cudaOccupancyMaxPotentialClusterSize, size, function, config);
}

/* The largest block, in whole warps, of those with which most threads are resident. */
CUresult cuOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, CUfunction function,
                                          CUoccupancyB2DSize shared_of, size_t shared, int limit)
{
    int most = 0, best = 0, multiprocessors = 0, resident = 0;
    CUresult result = cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
    if (result != CUDA_SUCCESS || grid_size == NULL || block_size == NULL || limit < 0) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    most = limit > 0 && limit < most ? limit : most;
    *grid_size = *block_size = 0;
    result = cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
    result =
        result == CUDA_SUCCESS
            ? cuDeviceGetAttribute(&resident, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 0)
            : result;
    for (int size = most; size > 0 && best < resident && result == CUDA_SUCCESS;
         size = (size - 1) / 32 * 32) {
        int blocks = 0;
        size_t bytes = shared_of != NULL ? shared_of(size) : shared;
        result = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, size, bytes);
        if (blocks * size > best) {
            best = blocks * size;
            *block_size = size;
            *grid_size = blocks * multiprocessors;
        }
    }
    return result;
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid_size, int *block_size,
                                                   CUfunction function,
                                                   CUoccupancyB2DSize shared_of, size_t shared,
                                                   int limit, unsigned int flags)
{
    return (flags & ~(unsigned)CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) != 0
               ? CUDA_ERROR_INVALID_VALUE
               : cuOccupancyMaxPotentialBlockSize(grid_size, block_size, function, shared_of,
                                                  shared, limit);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *shared, CUfunction function, int blocks,
                                                 int block_size)
{
    struct cdp_driver_call call;
    const struct cdp_abi_kernel *kernel;
    CUresult result = begin(function, &call, &kernel);
    return result != CUDA_SUCCESS ? result
                                  : cdp_driver_end(&call, cudaOccupancyAvailableDynamicSMemPerBlock(
                                                              shared, kernel, blocks, block_size));
}
