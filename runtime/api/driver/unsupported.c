/* The functions that are not supported, from one table. Each prints a message once on stderr, so
 * that a program which ignores errors does not fail silently. */
#include "api/driver/driver.h"

#include <stdatomic.h>
#include <stdio.h>

static CUresult refuse(const char *name, const char *feature, atomic_bool *reported)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin_any(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (!atomic_exchange(reported, true)) {
        fprintf(stderr, "cdp: %s: %s are not supported\n", name, feature);
    }
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* The entries name their parameters for the reader. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define CDP_DRIVER_UNSUPPORTED(name, parameters, feature)                                          \
    CUresult name parameters                                                                       \
    {                                                                                              \
        static atomic_bool reported;                                                               \
        return refuse(#name, feature, &reported);                                                  \
    }
#include "api/driver/unsupported.def"
#undef CDP_DRIVER_UNSUPPORTED
#pragma GCC diagnostic pop
