/* Stream capture: calls that would queue work in a stream become nodes of a graph (CUDA's guide,
 * "Creating a Graph Using Stream Capture").
 *
 * Each cdp_capture_ function is asked by a call of the API before it does its work. The result
 * cudaErrorNotReady says that the call does not concern a capture. Any other result is that of the
 * call, and has been stored as the last error. */
#ifndef CDP_API_CAPTURE_H
#define CDP_API_CAPTURE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "driver_types.h"

struct cdp_copy_order;
struct cdp_transfer;
struct cdp_work_launch;

/* The number of captures that have begun and not ended. */
extern _Atomic uint32_t cdp_capture_count;

/* Whether other functions here need to be asked. */
static inline bool cdp_capture_is_on(void)
{
    /* Relaxed: a thread that uses a captured stream knows of the capture by its own means. */
    return atomic_load_explicit(&cdp_capture_count, memory_order_relaxed) != 0;
}

cudaError_t cdp_capture_launch(cudaStream_t stream, const struct cdp_work_launch *launch,
                               void *const *args, const void *site);
cudaError_t cdp_capture_transfer(const struct cdp_copy_order *order,
                                 const struct cdp_transfer *transfer);
/* params NULL: a call that cannot be captured. */
cudaError_t cdp_capture_host_call(cudaStream_t stream, const struct cudaHostNodeParams *params);
/* cudaMallocAsync and cudaFreeAsync. */
cudaError_t cdp_capture_alloc(cudaStream_t stream, size_t size, const void *site, void **ptr);
cudaError_t cdp_capture_free(cudaStream_t stream, const void *ptr);
/* External records and waits become nodes, the others only order nodes. */
cudaError_t cdp_capture_record(cudaStream_t stream, cudaEvent_t event, bool is_external);
cudaError_t cdp_capture_wait(cudaStream_t stream, cudaEvent_t event, bool is_external);

/* The stream is about to be destroyed. A capture that began there is over. */
void cdp_capture_forget(cudaStream_t stream);

/* A call that waits for a stream, asks for its state, or launches a graph. It ends the capture. */
cudaError_t cdp_capture_refuse_stream(cudaStream_t stream);
/* The same for an event, and for all work of the device. */
cudaError_t cdp_capture_refuse_event(cudaEvent_t event);
cudaError_t cdp_capture_refuse_device(void);
/* A call that CUDA calls unsafe: it may wait for other work, as cudaMalloc does. */
cudaError_t cdp_capture_refuse_unsafe(void);

#endif
