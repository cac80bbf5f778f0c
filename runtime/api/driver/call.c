/* What all calls share: errors, and the functions by name. */
#include "api/driver/driver.h"

#include <string.h>

#include "cudaProfiler.h"
#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/runtime.h"

CUresult cdp_driver_result(cudaError_t error)
{
    switch ((int)error) {
#define __CDP_CU_ERROR(name, number)                                                               \
    case number:                                                                                   \
        return name;
#include "cdp/cu_errors.def"
#undef __CDP_CU_ERROR
    case cudaErrorInvalidSymbol:
        return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction:
        return CUDA_ERROR_INVALID_HANDLE;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

struct cdp_driver_call cdp_driver_call_now(void)
{
    return (struct cdp_driver_call){.last = cdp_error_last(),
                                    .is_used = atomic_load(&cdp_api_is_used)};
}

CUresult cdp_driver_begin_any(struct cdp_driver_call *call)
{
    *call = cdp_driver_call_now();
    return cdp_driver_is_initialized() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cdp_driver_begin(struct cdp_driver_call *call)
{
    CUresult result = cdp_driver_begin_any(call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    return cdp_context_current() != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cdp_driver_check_device(const struct cdp_driver_call *call, CUdevice device)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter_any(&runtime);
    bool exists = error == cudaSuccess && cdp_device_exists(runtime, device);
    CUresult result = cdp_driver_end(call, error);
    return result == CUDA_SUCCESS && !exists ? CUDA_ERROR_INVALID_DEVICE : result;
}

CUresult cdp_driver_end(const struct cdp_driver_call *call, cudaError_t error)
{
    cdp_error_restore_last(call->last);
    if (!call->is_used) {
        atomic_store(&cdp_api_is_used, false);
    }
    return cdp_driver_result(error);
}

/* ---- Errors ---- */

static const char *name_of(CUresult error)
{
    switch ((int)error) {
#define __CDP_CU_ERROR(name, number)                                                               \
    case number:                                                                                   \
        return #name;
#include "cdp/cu_errors.def"
#undef __CDP_CU_ERROR
    default:
        return NULL;
    }
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    if (name == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *name = name_of(error);
    return *name != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    if (text == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *text = name_of(error) != NULL ? cdp_error_text((cudaError_t)error) : NULL;
    return *text != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDriverGetVersion(int *version)
{
    struct cdp_driver_call call = cdp_driver_call_now();
    return version == NULL ? CUDA_ERROR_INVALID_VALUE
                           : cdp_driver_end(&call, cudaDriverGetVersion(version));
}

/* ---- Functions by name ---- */

/* A function of a name from a version of CUDA on, until a later entry of the same name. An entry
 * without function ends the table. */
static const struct {
    const char *name;
    int since;
    void (*function)(void);
} functions[] = {
/* The names of the header are macros for the library's names. */
#define CDP_DRIVER_FUNCTION(name, symbol) {#name, 0, (void (*)(void))(symbol)},
#define CDP_DRIVER_SINCE(name, symbol, version) {#name, version, (void (*)(void))(symbol)},
#include "api/driver/functions.def"
#undef CDP_DRIVER_FUNCTION
#undef CDP_DRIVER_SINCE
    {NULL, 0, NULL},
};

/* NULL: there is none. Names of all versions of CUDA have a function. */
static void *find_function(const char *name, int version)
{
    void (*found)(void) = NULL;
    for (size_t i = 0; functions[i].name != NULL; i++) {
        if (functions[i].since <= version && strcmp(functions[i].name, name) == 0) {
            found = functions[i].function;
        }
    }
    return (void *)(uintptr_t)found;
}

CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *result)
{
    (void)flags; /* streams per thread have the same functions */
    if (name == NULL || function == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *function = find_function(name, version);
    if (result != NULL) {
        *result =
            *function != NULL ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    }
    return CUDA_SUCCESS; /* also if there is none, as on an H200 */
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function,
                                             unsigned int version, unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *result)
{
    if (name == NULL || function == NULL || name[0] == '\0' ||
        flags > cudaEnablePerThreadDefaultStream) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    *function = find_function(name, (int)version);
    if (result != NULL) {
        *result =
            *function != NULL ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    }
    return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *result)
{
    return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, result);
}
