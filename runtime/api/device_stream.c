/* Streams and events of device code. */
#include <stdio.h>

#include "api/device.h"

/* Said once a process: programs that do it do it often. */
void cdp_device_foreign_handle(const char *call, const char *what)
{
    static _Atomic bool said;
    if (!atomic_exchange_explicit(&said, true, memory_order_relaxed)) {
        fprintf(stderr,
                "cdp: %s in kernel %s: not a live %s of this grid (one made on the host, by a "
                "parent or in another grid cannot be used here)\n",
                call, cdp_device_block()->view.kernel->name, what);
    }
}

static cudaError_t refuse(const char *call, const char *what)
{
    cdp_device_foreign_handle(call, what);
    return cdp_device_fail(cudaErrorInvalidValue);
}

cudaError_t cdp_abi_cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    struct cdp_block *block = cdp_device_block();
    bool cdp1 = (block->view.kernel->flags & CDP_KERNEL_CDP1) != 0;
    bool accepted = flags == cudaStreamNonBlocking || (flags == cudaStreamDefault && !cdp1);
    if (stream == NULL || !accepted) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    uint64_t handle;
    enum cdp_status status = cdp_device_stream_create(block, cdp1, &handle);
    if (status != CDP_OK) {
        return cdp_device_return(status);
    }
    *stream = (cudaStream_t)(uintptr_t)handle;
    return cudaSuccess;
}

cudaError_t cdp_abi_cudaStreamDestroy(cudaStream_t stream)
{
    struct cdp_block *block = cdp_device_block();
    struct cdp_device_stream *found = cdp_device_stream_find(block, (uint64_t)(uintptr_t)stream);
    if (found == NULL) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    cdp_device_stream_destroy(block, found);
    return cudaSuccess;
}

cudaError_t cdp_abi_cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    if (event == NULL || flags != cudaEventDisableTiming) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    uint64_t handle;
    enum cdp_status status = cdp_device_event_create(cdp_device_block(), &handle);
    if (status != CDP_OK) {
        return cdp_device_return(status);
    }
    *event = (cudaEvent_t)(uintptr_t)handle;
    return cudaSuccess;
}

cudaError_t cdp_abi_cudaEventDestroy(cudaEvent_t event)
{
    struct cdp_block *block = cdp_device_block();
    struct cdp_device_event *found = cdp_device_event_find(block, (uint64_t)(uintptr_t)event);
    if (found == NULL) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    cdp_device_event_destroy(block, found);
    return cudaSuccess;
}

/* Both calls refuse the tail and the fire-and-forget stream. */
static bool is_ordered(const struct cdp_device_where *where)
{
    return where->target == CDP_TARGET_BLOCK || where->target == CDP_TARGET_NAMED;
}

typedef enum cdp_status operation(struct cdp_block *block, struct cdp_device_event *event,
                                  enum cdp_device_target target, struct cdp_device_stream *stream);

static cudaError_t operate(const char *call, operation *perform, cudaEvent_t event,
                           cudaStream_t stream)
{
    struct cdp_block *block = cdp_device_block();
    struct cdp_device_where where;
    struct cdp_device_event *found = cdp_device_event_find(block, (uint64_t)(uintptr_t)event);
    if (found == NULL) {
        return refuse(call, "event");
    }
    if (!cdp_device_resolve(block, stream, &where)) {
        return refuse(call, "stream");
    }
    if (!is_ordered(&where)) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    return cdp_device_return(perform(block, found, where.target, where.stream));
}

cudaError_t cdp_abi_cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return operate("cudaEventRecord", cdp_device_event_record, event, stream);
}

cudaError_t cdp_abi_cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    if (flags != cudaEventRecordDefault) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    return cdp_abi_cudaEventRecord(event, stream);
}

cudaError_t cdp_abi_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    if (flags != cudaEventWaitDefault) {
        return cdp_device_fail(cudaErrorInvalidValue);
    }
    return operate("cudaStreamWaitEvent", cdp_device_event_wait, event, stream);
}
