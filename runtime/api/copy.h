/* CUDA's descriptions of copies and fills, translated: for host and device calls. */
#ifndef CDP_API_COPY_H
#define CDP_API_COPY_H

#include "driver_types.h"

#include "mem/copy.h"

/* How a call wants its copy. */
struct cdp_copy_order {
    cudaStream_t stream;
    bool is_async;
};

/* Checks and does, or queues, a copy of rows.  Sets the last error. */
cudaError_t cdp_copy_2d(const struct cdp_copy *copy, const struct cdp_copy_order *order);

#endif
