/* What all calls share: errors, and the functions by name. */
#include "api/driver/driver.h"

#include <string.h>

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

/* An entry without function ends the table. */
static const struct {
    const char *name;
    void (*function)(void);
} functions[] = {
/* The names of the header are macros for the library's names. */
#define CDP_DRIVER_FUNCTION(name, symbol) {#name, (void (*)(void))(symbol)},
#include "api/driver/functions.def"
#undef CDP_DRIVER_FUNCTION
    {NULL, NULL},
};

CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *result)
{
    (void)version, (void)flags; /* each function has one version here */
    if (name == NULL || function == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    size_t i = 0;
    while (functions[i].name != NULL && strcmp(functions[i].name, name) != 0) {
        i++;
    }
    *function = (void *)(uintptr_t)functions[i].function;
    if (result != NULL) {
        *result =
            *function != NULL ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    }
    return CUDA_SUCCESS; /* also if there is none, as on an H200 */
}
