/* Stream capture: calls that would queue work in a stream become nodes of a graph (CUDA's guide,
 * "Creating a Graph Using Stream Capture").
 *
 * Calls of the API ask these functions while a capture is active:
 *
 *     if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_...(stream, ..., &error)) {
 *         return error;
 *     }
 *
 * True: the call concerns a capture, and *error is its result, which has been stored as the last
 * error. False: the call continues as without captures. */
#ifndef CDP_API_CAPTURE_H
#define CDP_API_CAPTURE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "driver_types.h"

#include "base/attr.h"

struct cdp_copy_order;
struct cdp_host_launch;
struct cdp_launch;
struct cdp_memory_ops_order;
struct cdp_runtime;
struct cdp_transfer;

/* The number of captures that have begun and not ended. */
extern _Atomic uint32_t cdp_capture_count;

/* Whether a capture is active in any stream. */
static inline bool cdp_capture_is_on(void)
{
    /* Relaxed: a thread that uses a captured stream knows of the capture by its own means. */
    return atomic_load_explicit(&cdp_capture_count, memory_order_relaxed) != 0;
}

bool cdp_capture_contains(cudaStream_t stream);
/* A call in the stream has failed in a way that a GPU's capture does not survive. */
void cdp_capture_invalidate(cudaStream_t stream);

/* ---- Calls that become nodes ---- */

/* launch: what the program asks for, after the checks. */
bool cdp_capture_launch(const struct cdp_host_launch *ask, const struct cdp_launch *launch,
                        cudaError_t *error) CDP_MUST_CHECK;
bool cdp_capture_transfer(const struct cdp_copy_order *order, const struct cdp_transfer *transfer,
                          cudaError_t *error) CDP_MUST_CHECK;
bool cdp_capture_host_call(cudaStream_t stream, const struct cudaHostNodeParams *params,
                           cudaError_t *error) CDP_MUST_CHECK;
bool cdp_capture_memory_ops(cudaStream_t stream, const struct cdp_memory_ops_order *order,
                            cudaError_t *error) CDP_MUST_CHECK;
/* cudaMallocAsync and cudaFreeAsync. */
bool cdp_capture_alloc(cudaStream_t stream, size_t size, const void *site, void **ptr,
                       cudaError_t *error) CDP_MUST_CHECK;
bool cdp_capture_free(cudaStream_t stream, const void *ptr, cudaError_t *error) CDP_MUST_CHECK;
/* External records and waits become nodes, the others only order nodes. */
bool cdp_capture_record(cudaStream_t stream, cudaEvent_t event, bool is_external,
                        cudaError_t *error) CDP_MUST_CHECK;
bool cdp_capture_wait(cudaStream_t stream, cudaEvent_t event, bool is_external,
                      cudaError_t *error) CDP_MUST_CHECK;

/* ---- Calls that invalidate captures ---- */

/* Launches a graph, or is work that cannot be a node. */
bool cdp_capture_refuses_stream(cudaStream_t stream, cudaError_t *error) CDP_MUST_CHECK;
/* Waits for a stream, or asks for its state. If it is not captured, the call is an unsafe one. */
bool cdp_capture_refuses_wait(cudaStream_t stream, cudaError_t *error) CDP_MUST_CHECK;
/* Waits for an event, or asks for its state. If it is not captured, the call is unsafe, too. */
bool cdp_capture_refuses_event(cudaEvent_t event, cudaError_t *error) CDP_MUST_CHECK;
/* Waits for all work. */
bool cdp_capture_refuses_device(cudaError_t *error) CDP_MUST_CHECK;
/* A call that CUDA calls unsafe: it may wait for other work, as cudaMalloc does. */
bool cdp_capture_refuses_unsafe(cudaError_t *error) CDP_MUST_CHECK;
/* cdp_api_enter for such a call. */
cudaError_t cdp_capture_enter_unsafe(struct cdp_runtime **out) CDP_MUST_CHECK;

/* The stream is about to be destroyed. A capture that began there is over. */
void cdp_capture_forget(cudaStream_t stream);

#endif
