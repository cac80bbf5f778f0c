/* Errors as the program sees them. */
#include "api/error.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#include "cuda_runtime_api.h"

#include "api/runtime.h"
#include "api/unread.h"
#include "exec/report/profile.h"

static __thread cudaError_t last_error;
static __thread bool in_callback;

static cudaError_t fault_of(enum cdp_status status)
{
    switch ((int)status) {
    case CDP_FAULT_ASSERT:
        return cudaErrorAssert;
    case CDP_FAULT_INSTRUCTION:
        return cudaErrorIllegalInstruction;
    case CDP_FAULT_MISALIGNED:
        return cudaErrorMisalignedAddress;
    case CDP_FAULT_SPACE:
        return cudaErrorInvalidAddressSpace;
    case CDP_FAULT_LAUNCH:
        return cudaErrorLaunchFailure;
    case CDP_FAULT_STACK:
        return cudaErrorHardwareStackError;
    case CDP_FAULT_TIMEOUT:
        return cudaErrorLaunchTimeout;
    default:
        return cudaErrorIllegalAddress;
    }
}

/* No default: a status without an error is a compile-time error. */
cudaError_t cdp_error_of(enum cdp_status status)
{
    switch (status) {
    case CDP_OK:
        return cudaSuccess;
    case CDP_INVALID_VALUE:
        return cudaErrorInvalidValue;
    case CDP_NO_MEMORY:
        return cudaErrorMemoryAllocation;
    case CDP_INVALID_CONFIGURATION:
        return cudaErrorInvalidConfiguration;
    case CDP_INVALID_PITCH:
        return cudaErrorInvalidPitchValue;
    case CDP_INVALID_SYMBOL:
        return cudaErrorInvalidSymbol;
    case CDP_INVALID_DIRECTION:
        return cudaErrorInvalidMemcpyDirection;
    case CDP_DEPTH_EXCEEDED:
        return cudaErrorLaunchMaxDepthExceeded;
    case CDP_SYNC_DEPTH_EXCEEDED:
        return cudaErrorSyncDepthExceeded;
    case CDP_PENDING_EXCEEDED:
        return cudaErrorLaunchPendingCountExceeded;
    case CDP_INVALID_FUNCTION:
        return cudaErrorInvalidDeviceFunction;
    case CDP_NO_DEVICE:
        return cudaErrorNoDevice;
    case CDP_INVALID_DEVICE:
        return cudaErrorInvalidDevice;
    case CDP_UNSUPPORTED_LIMIT:
        return cudaErrorUnsupportedLimit;
    case CDP_INVALID_HANDLE:
        return cudaErrorInvalidResourceHandle;
    case CDP_NOT_READY:
        return cudaErrorNotReady;
    case CDP_ALREADY_REGISTERED:
        return cudaErrorHostMemoryAlreadyRegistered;
    case CDP_NOT_REGISTERED:
        return cudaErrorHostMemoryNotRegistered;
    case CDP_NOT_PERMITTED:
        return cudaErrorNotPermitted;
    case CDP_NOT_SUPPORTED:
        return cudaErrorNotSupported;
    case CDP_VERSION_MISMATCH:
        return cudaErrorCdpVersionMismatch;
    case CDP_TOO_LARGE:
        return cudaErrorCooperativeLaunchTooLarge;
    case CDP_FAULT_ADDRESS:
    case CDP_FAULT_ASSERT:
    case CDP_FAULT_INSTRUCTION:
    case CDP_FAULT_MISALIGNED:
    case CDP_FAULT_SPACE:
    case CDP_FAULT_LAUNCH:
    case CDP_FAULT_STACK:
    case CDP_FAULT_TIMEOUT:
        return fault_of(status);
    }
    return cudaErrorUnknown;
}

const char *cdp_error_name(cudaError_t error)
{
    switch ((int)error) {
#define __CDP_CUDA_ERROR(name, number, text)                                                       \
    case number:                                                                                   \
        return #name;
#include "cuda_errors.def"
#undef __CDP_CUDA_ERROR
    default:
        return "unrecognized error code";
    }
}

const char *cdp_error_text(cudaError_t error)
{
    switch ((int)error) {
#define __CDP_CUDA_ERROR(name, number, text)                                                       \
    case number:                                                                                   \
        return text;
#include "cuda_errors.def"
#undef __CDP_CUDA_ERROR
    default:
        return "unrecognized error code";
    }
}

const char *cdp_error_name_of(enum cdp_status status)
{
    return cdp_error_name(cdp_error_of(status));
}

cudaError_t cdp_api_fail(cudaError_t error)
{
    if (error != cudaSuccess && error != cudaErrorNotReady) {
        last_error = error;
    }
    return error;
}

static void say_why_no_handle(void)
{
    static _Atomic int said;
    enum { MOST_SAID = 10 };
    char why[200];
    struct cdp_runtime *running = cdp_runtime_running();
    if (running == NULL || atomic_fetch_add_explicit(&said, 1, memory_order_relaxed) >= MOST_SAID) {
        return;
    }
    cdp_streams_explain(running->streams, why, sizeof why);
    fprintf(stderr, "cdp: cudaErrorInvalidResourceHandle: %s\n", why);
}

cudaError_t cdp_api_fail_status(enum cdp_status status)
{
    if (status == CDP_INVALID_HANDLE) {
        say_why_no_handle();
    }
    return cdp_api_fail(cdp_error_of(status));
}

void cdp_error_restore_last(cudaError_t error)
{
    last_error = error;
}

void cdp_error_forget_last(void)
{
    last_error = cudaSuccess;
}

void cdp_api_set_in_callback(bool value)
{
    in_callback = value;
}

bool cdp_api_in_callback(void)
{
    return in_callback;
}

cudaError_t cdp_error_last(void)
{
    return last_error;
}

cudaError_t cudaPeekAtLastError(void)
{
    CDP_PROFILE_CALL();
    if (CDP_UNLIKELY(last_error != cudaSuccess)) {
        cdp_unread_clear();
    }
    return last_error;
}

cudaError_t cudaGetLastError(void)
{
    CDP_PROFILE_CALL();
    cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    return cdp_error_name(error);
}

const char *cudaGetErrorString(cudaError_t error)
{
    return cdp_error_text(error);
}
