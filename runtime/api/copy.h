/* Translation of CUDA's descriptions of copies and fills, for host and device calls. */
#ifndef CDP_API_COPY_H
#define CDP_API_COPY_H

#include "driver_types.h"

#include "base/attr.h"
#include "base/status.h"
#include "mem/copy.h"

struct cdp_runtime;
struct cdp_transfer;

/* The stream of a copy, and whether it is asynchronous. */
struct cdp_copy_order {
    cudaStream_t stream;
    bool is_async;
    bool reads_now; /* of an asynchronous copy: the source is not read after the call */
};

/* A copy or a fill, as by cudaMemcpy(Async) and cudaMemset(Async). The caller has set
 * cdp_races_call_site. Sets the last error. */
cudaError_t cdp_copy_flat_by(void *dst, const void *src, size_t size, enum cudaMemcpyKind kind,
                             const struct cdp_copy_order *order);
cudaError_t cdp_set_by(const struct cdp_set *set, const struct cdp_copy_order *order);
/* Checks a copy of rows, and executes or queues it. Sets the last error. */
cudaError_t cdp_copy_2d(const struct cdp_copy *copy, const struct cdp_copy_order *order);
/* A copy as by cudaMemcpy3D(Async). */
cudaError_t cdp_copy_3d_by(const struct cudaMemcpy3DParms *params,
                           const struct cdp_copy_order *order);

/* The bytes of one element of the array; 1: there is no such array. */
size_t cdp_copy_element_bytes(cudaArray_const_t array);

/* The copy that the parameters describe. The runtime must have started. Does not set the last
 * error. */
cudaError_t cdp_copy_of_3d(const struct cudaMemcpy3DParms *params, struct cdp_copy *out);
/* Queues a transfer that has been checked. */
enum cdp_status cdp_copy_queue(struct cdp_runtime *runtime, uint64_t stream,
                               const struct cdp_transfer *transfer) CDP_MUST_CHECK;

#endif
