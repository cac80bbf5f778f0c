/* Streams and events of device code. */
#include <stdio.h>

#include "api/device.h"
#include "os/code.h"

/* Reported only a few times: a program that makes this mistake usually repeats it. */
void cdp_device_foreign_handle(const char *call, const char *what, const void *handle)
{
    static _Atomic int said;
    enum { MOST_SAID = 5 };
    int before = atomic_fetch_add_explicit(&said, 1, memory_order_relaxed);
    if (before >= MOST_SAID) {
        return;
    }
    const struct cdp_block *block = cdp_device_block();
    const uint32_t *b = block->view.block_idx, *t = cdp_abi_self->thread_idx;
    static const char *const reasons[] = {
        [CDP_HANDLE_FOREIGN] = "was not created by device code",
        [CDP_HANDLE_ENDED] = "was destroyed, or the block or grid that created it has ended",
        [CDP_HANDLE_LIVE] = "belongs to another grid or block, or is something else"};
    char kernel[256];
    cdp_os_demangle(block->view.kernel->name, kernel, sizeof kernel);
    fprintf(stderr,
            "cdp: cudaErrorInvalidValue: %s in kernel %s, block (%u,%u,%u), thread (%u,%u,%u): "
            "%s %p %s%s\n",
            call, kernel, b[0], b[1], b[2], t[0], t[1], t[2], what, handle,
            reasons[cdp_device_handle_state(block->executor->engine, (uint64_t)(uintptr_t)handle)],
            before == MOST_SAID - 1 ? "; further ones are not reported" : "");
}

static cudaError_t refuse(const char *call, const char *what, const void *handle)
{
    cdp_device_foreign_handle(call, what, handle);
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
    enum cdp_status status = cdp_device_stream_create(block, &handle);
    if (status != CDP_OK) {
        return cdp_device_return(status);
    }
    *stream = (cudaStream_t)(uintptr_t)handle;
    CDP_DEVICE_STORED(stream);
    return cudaSuccess;
}

cudaError_t cdp_abi_cudaStreamDestroy(cudaStream_t stream)
{
    struct cdp_block *block = cdp_device_block();
    if (stream == NULL) {
        return cdp_device_fail(cudaErrorInvalidValue); /* the block's own: needs no message */
    }
    struct cdp_device_stream *found = cdp_device_stream_find(block, (uint64_t)(uintptr_t)stream);
    if (found == NULL) {
        return refuse("cudaStreamDestroy", "stream", stream);
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
    CDP_DEVICE_STORED(event);
    return cudaSuccess;
}

cudaError_t cdp_abi_cudaEventDestroy(cudaEvent_t event)
{
    struct cdp_block *block = cdp_device_block();
    struct cdp_device_event *found = cdp_device_event_find(block, (uint64_t)(uintptr_t)event);
    if (found == NULL) {
        return refuse("cudaEventDestroy", "event", event);
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
        return refuse(call, "event", event);
    }
    if (!cdp_device_resolve(block, stream, &where)) {
        return refuse(call, "stream", stream);
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
