/* Errors and NCCL_DEBUG. */
#include "api/nccl/report.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/error.h"
#include "os/os.h"

__thread const char *cdp_nccl_call = "NCCL";
static __thread char last[CDP_NCCL_TEXT];

static const char *name_of(ncclResult_t result)
{
    switch (result) {
    case ncclSuccess:
        return "ncclSuccess";
    case ncclUnhandledCudaError:
        return "ncclUnhandledCudaError";
    case ncclSystemError:
        return "ncclSystemError";
    case ncclInternalError:
        return "ncclInternalError";
    case ncclInvalidArgument:
        return "ncclInvalidArgument";
    case ncclInvalidUsage:
        return "ncclInvalidUsage";
    case ncclRemoteError:
        return "ncclRemoteError";
    case ncclInProgress:
        return "ncclInProgress";
    case ncclNumResults:
        break;
    }
    return "unknown result";
}

const char *ncclGetErrorString(ncclResult_t result)
{
    switch (result) {
    case ncclSuccess:
        return "no error";
    case ncclUnhandledCudaError:
        return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case ncclSystemError:
        return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case ncclInternalError:
        return "internal error - please report this issue to the NCCL developers";
    case ncclInvalidArgument:
        return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case ncclInvalidUsage:
        return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case ncclRemoteError:
        return "remote process exited or there was a network error";
    case ncclInProgress:
        return "NCCL operation in progress";
    case ncclNumResults:
        break;
    }
    return "unknown result code";
}

void cdp_nccl_print(ncclResult_t result, const char *text)
{
    fprintf(stderr, "cdp: %s: %s\n", name_of(result), text);
}

ncclResult_t cdp_nccl_fail(ncclResult_t result, const char *format, ...)
{
    char text[CDP_NCCL_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(last, sizeof last, "%s: %s", cdp_nccl_call, text);
    cdp_nccl_print(result, last);
    return result;
}

ncclResult_t cdp_nccl_again(ncclResult_t result, const char *text)
{
    snprintf(last, sizeof last, "%s", text);
    return result;
}

ncclResult_t cdp_nccl_cuda(cudaError_t error)
{
    return cdp_nccl_fail(ncclUnhandledCudaError, "%s: %s", cdp_error_name(error),
                         cdp_error_text(error));
}

const char *cdp_nccl_last(void)
{
    return last;
}

/* The level of NCCL_DEBUG; -1: none. WARN asks for nothing more, as errors are always printed. */
static int level_of_debug(void)
{
    static _Atomic int known = -2;
    int level = atomic_load_explicit(&known, memory_order_relaxed);
    if (level == -2) {
        const char *debug = secure_getenv("NCCL_DEBUG");
        level = debug == NULL                     ? -1
                : strcasecmp(debug, "INFO") == 0  ? CDP_NCCL_INFO
                : strcasecmp(debug, "TRACE") == 0 ? CDP_NCCL_TRACE
                                                  : -1;
        atomic_store_explicit(&known, level, memory_order_relaxed);
    }
    return level;
}

void cdp_nccl_say(enum cdp_nccl_level level, const char *format, ...)
{
    if (level_of_debug() < (int)level) {
        return;
    }
    char text[CDP_NCCL_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "cdp: NCCL %s: [%u] %s\n", level == CDP_NCCL_INFO ? "INFO" : "TRACE",
            cdp_os_process_number(), text);
}
