/* Libraries of the runtime API: those of the driver API. The codes have the same numbers. */
#include "api/driver/library.h"

#include "cuda_runtime_api.h"

#include "api/devices.h"
#include "api/error.h"
#include "api/register.h"
#include "api/runtime.h"
#include "exec/report/profile.h"

/* The start of a call, and its result. */
static cudaError_t ends_with(CUresult result)
{
    return result == CUDA_SUCCESS ? cudaSuccess : cdp_api_fail((cudaError_t)result);
}

#define CALL(expression)                                                                           \
    struct cdp_runtime *runtime;                                                                   \
    cudaError_t error = cdp_api_enter_any(&runtime);                                               \
    return error != cudaSuccess ? error : ends_with(expression)

/* The options have the same numbers. */
static struct cdp_library_options options_of(const enum cudaJitOption *jit, void **jit_values,
                                             unsigned jit_count, const enum cudaLibraryOption *list,
                                             unsigned count)
{
    return (struct cdp_library_options){.jit = (const CUjit_option *)(const void *)jit,
                                        .jit_values = jit_values,
                                        .jit_count = jit_count,
                                        .list = (const CUlibraryOption *)(const void *)list,
                                        .count = count};
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                enum cudaJitOption *jit_options, void **jit_values,
                                unsigned int jit_count, enum cudaLibraryOption *options,
                                void **values, unsigned int count)
{
    CDP_PROFILE_CALL();
    (void)values;
    struct cdp_library_options all = options_of(jit_options, jit_values, jit_count, options, count);
    CALL(cdp_library_load(code, NULL, &all, library));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path,
                                    enum cudaJitOption *jit_options, void **jit_values,
                                    unsigned int jit_count, enum cudaLibraryOption *options,
                                    void **values, unsigned int count)
{
    CDP_PROFILE_CALL();
    (void)values;
    struct cdp_library_options all = options_of(jit_options, jit_values, jit_count, options, count);
    CALL(cdp_library_load(NULL, path, &all, library));
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    CDP_PROFILE_CALL();
    CALL(cdp_library_unload(library));
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    CDP_PROFILE_CALL();
    CALL(cdp_library_kernel(library, name, kernel));
}

cudaError_t cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t library)
{
    CDP_PROFILE_CALL();
    CALL(cdp_library_kernel_count(library, count));
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int most,
                                        cudaLibrary_t library)
{
    CDP_PROFILE_CALL();
    CALL(cdp_library_kernels(library, kernels, most));
}

static CUresult give_pointer(CUresult result, const CUdeviceptr *found, void **ptr)
{
    if (result == CUDA_SUCCESS && ptr != NULL) {
        *ptr = cdp_address_of(*found);
    }
    return result;
}

cudaError_t cudaLibraryGetGlobal(void **ptr, size_t *size, cudaLibrary_t library, const char *name)
{
    CDP_PROFILE_CALL();
    CUdeviceptr found = 0, *out = ptr != NULL ? &found : NULL;
    CALL(give_pointer(cdp_library_global(library, name, out, size), &found, ptr));
}

cudaError_t cudaLibraryGetManaged(void **ptr, size_t *size, cudaLibrary_t library, const char *name)
{
    CDP_PROFILE_CALL();
    CUdeviceptr found = 0, *out = ptr != NULL ? &found : NULL;
    CALL(give_pointer(cdp_library_managed(library, name, out, size), &found, ptr));
}

cudaError_t cudaLibraryGetUnifiedFunction(void **function, cudaLibrary_t library, const char *name)
{
    CDP_PROFILE_CALL();
    unsigned count;
    (void)function, (void)name;
    CALL(cdp_library_kernel_count(library, &count) == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE
                                                                   : CUDA_ERROR_INVALID_HANDLE);
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *func)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter_any(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    struct cdp_abi_kernel *found = cdp_registry_find_kernel(func);
    if (found == NULL || kernel == NULL) {
        return cdp_api_fail(found == NULL ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
    }
    *kernel = (cudaKernel_t)(void *)found;
    return cudaSuccess;
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attr,
                                            int value, int device)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter_any(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    return cdp_device_exists(runtime, device)
               ? cudaFuncSetAttribute((const void *)kernel, attr, value)
               : cdp_api_fail(cudaErrorInvalidDevice);
}
