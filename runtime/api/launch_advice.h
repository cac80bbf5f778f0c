/* What to change about a launch that failed, for the findings of --check=api. */
#ifndef CDP_API_LAUNCH_ADVICE_H
#define CDP_API_LAUNCH_ADVICE_H

#include "api/check.h"

/* One sentence. kernel may be NULL. */
const char *cdp_launch_advice(const struct cdp_abi_kernel *kernel, const struct cdp_shape *shape,
                              cudaError_t error);

#endif
