/* Translation of CUDA's descriptions of copies and fills, for host and device calls. */
#ifndef CDP_API_COPY_H
#define CDP_API_COPY_H

#include "driver_types.h"

#include "mem/copy.h"

/* The stream of a copy, and whether it is asynchronous. */
struct cdp_copy_order {
    cudaStream_t stream;
    bool is_async;
};

/* Checks a copy of rows, and executes or queues it. Sets the last error. */
cudaError_t cdp_copy_2d(const struct cdp_copy *copy, const struct cdp_copy_order *order);

#endif
