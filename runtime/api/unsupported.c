/* The calls that are not supported, from one table. Each function prints a message once on stderr,
 * so that a program which ignores errors does not fail silently. */
#include <stdatomic.h>
#include <stdio.h>

#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/handle.h"
#include "api/runtime.h"

static cudaError_t refuse(const char *name, const char *feature, atomic_bool *reported)
{
    if (!atomic_exchange(reported, true)) {
        fprintf(stderr, "cdp: %s: %s are not supported\n", name, feature);
    }
    struct cdp_runtime *runtime; /* its checks find errors that nobody reads */
    cudaError_t error = cdp_api_enter_any(&runtime);
    return error != cudaSuccess ? error : cdp_api_fail(cudaErrorNotSupported);
}

/* The entries name their parameters for the reader. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define CDP_UNSUPPORTED(name, parameters, feature)                                                 \
    cudaError_t name parameters                                                                    \
    {                                                                                              \
        static atomic_bool reported;                                                               \
        return refuse(#name, feature, &reported);                                                  \
    }
#include "api/unsupported.def"
#undef CDP_UNSUPPORTED
#pragma GCC diagnostic pop
