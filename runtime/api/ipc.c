/* Memory and events for other processes of this machine, by handles of 64 bytes. */
#include <stdio.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/capture.h"
#include "api/error.h"
#include "api/graph_memory.h"
#include "api/handle.h"
#include "api/ipc.h"
#include "api/leak.h"
#include "api/runtime.h"
#include "exec/report/profile.h"
#include "mem/import.h"
#include "mem/memmap.h"
#include "os/code.h"
#include "os/os.h"
#include "stream/shared_event.h"

#define CALLER __builtin_return_address(0)

_Static_assert(sizeof(struct cdp_share_name) <= sizeof(cudaIpcMemHandle_t), "a name fits");
_Static_assert(sizeof(struct cdp_event_name) <= sizeof(cudaIpcEventHandle_t), "a name fits");

/* Returns the error, and says why and what to do. */
static cudaError_t refuse(cudaError_t error, const char *call, const void *site, const char *reason)
{
    char place[512];
    cdp_os_symbolize((const char *)site - 1, place, sizeof place);
    fprintf(stderr, "cdp: %s at %s: %s\n", call, place, reason);
    return cdp_api_fail(error);
}

/* ---- Memory ---- */

/* Why memory of the host's cannot be shared; NULL: it can. */
static const char *why_not(const void *ptr, const struct cdp_memory *memory)
{
    if (memory->space == CDP_SPACE_DEVICE && memory->size == 0) {
        return "nothing is allocated there";
    }
    if (memory->space != CDP_SPACE_DEVICE || memory->kind != CDP_MEMORY_DEVICE) {
        return "it is not device memory of cudaMalloc: only such memory can be shared by a handle";
    }
    if ((memory->flags & CDP_MEMMAP_FOREIGN) != 0) {
        return "it is memory of another process: that process can share it";
    }
    if (cdp_memmap_device(ptr) == CDP_MOST_DEVICES) {
        return "it is memory of cuMemMap: cuMemExportToShareableHandle shares it";
    }
    if (cdp_graph_memory_owns(ptr)) {
        return "it is memory of a graph, which cannot be shared";
    }
    return memory->flags == 0 ? NULL
                              : "it is memory of a pool: cudaMemPoolExportPointer shares it, if "
                                "the pool was made with a handle type";
}

cudaError_t cdp_ipc_share(struct cdp_runtime *runtime, const void *ptr, struct cdp_share_name *name)
{
    unsigned device = cdp_memmap_device(ptr);
    cdp_streams_synchronize(runtime->streams, CDP_ALL_DEVICES);
    cudaError_t error = cdp_api_waited(runtime);
    if (error != cudaSuccess) {
        return error;
    }
    enum cdp_status status = cdp_share(&runtime->devices[device].memory, ptr, name);
    name->device = runtime->devices[device].machine; /* the other process may number otherwise */
    return cdp_api_return(status);
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *ptr)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct cdp_memory memory;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (handle == NULL || ptr == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_refuses_unsafe(&error)) {
        return error;
    }
    cdp_memmap_find(ptr, &memory);
    const char *reason = why_not(ptr, &memory);
    if (reason != NULL) {
        return refuse(cudaErrorInvalidValue, "cudaIpcGetMemHandle", CALLER, reason);
    }
    struct cdp_share_name name = {0};
    error = cdp_ipc_share(runtime, ptr, &name);
    if (error == cudaSuccess) {
        memset(handle, 0, sizeof *handle);
        memcpy(handle, &name, sizeof name);
    }
    return error;
}

unsigned cdp_ipc_device(const struct cdp_runtime *runtime, const struct cdp_share_name *name)
{
    unsigned device = cdp_device_of_machine(runtime, name->device);
    return device < runtime->device_count ? device : cdp_device_number;
}

static cudaError_t open_memory(const struct cdp_runtime *runtime, void **ptr,
                               const struct cdp_share_name *name, const void *site)
{
    if (name->magic == CDP_SHARE_MAGIC && name->process == cdp_os_process_number()) {
        return refuse(cudaErrorDeviceUninitialized, "cudaIpcOpenMemHandle", site,
                      "the handle is of this process, which has the memory already");
    }
    enum cdp_status status = cdp_import_open(name, -1, cdp_ipc_device(runtime, name), ptr);
    if (status == CDP_NOT_REGISTERED) {
        return refuse(cudaErrorInvalidValue, "cudaIpcOpenMemHandle", site,
                      "the memory was freed, or the process that has it has ended or belongs to "
                      "another user");
    }
    return cdp_api_return(status);
}

cudaError_t cudaIpcOpenMemHandle(void **ptr, cudaIpcMemHandle_t handle, unsigned int flags)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (ptr == NULL || flags != cudaIpcMemLazyEnablePeerAccess) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_share_name name;
    memcpy(&name, &handle, sizeof name);
    return open_memory(runtime, ptr, &name, CALLER);
}

cudaError_t cdp_ipc_close(struct cdp_runtime *runtime, void *ptr)
{
    cdp_streams_synchronize(runtime->streams, CDP_ALL_DEVICES);
    cudaError_t error = cdp_api_waited(runtime);
    return error != cudaSuccess ? error : cdp_api_return(cdp_import_close(ptr));
}

static void run_close(void *data)
{
    (void)!cdp_import_close(*(void **)data); /* closed by another call in the meantime */
}

cudaError_t cdp_ipc_close_async(struct cdp_runtime *runtime, void *ptr, cudaStream_t stream)
{
    struct cdp_stream_call call = {
        .run = run_close, .data = &ptr, .size = sizeof ptr, .brief = true};
    return cdp_api_return(cdp_stream_call(runtime->streams, cdp_handle_of_stream(stream), &call));
}

bool cdp_ipc_is_of_pool(const void *ptr)
{
    struct cdp_share_name name;
    unsigned device;
    return cdp_import_find(ptr, &name, &device) && name.pool != 0;
}

cudaError_t cudaIpcCloseMemHandle(void *ptr)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct cdp_share_name name;
    unsigned device;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (!cdp_import_find(ptr, &name, &device) || name.pool != 0) {
        return refuse(cudaErrorInvalidValue, "cudaIpcCloseMemHandle", CALLER,
                      "no call of cudaIpcOpenMemHandle returned this address, or it was closed "
                      "already");
    }
    return cdp_ipc_close(runtime, ptr);
}

/* ---- Events ---- */

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct cdp_event_name name;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (handle == NULL || event == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    enum cdp_status status = cdp_event_name(runtime->streams, cdp_handle_of_event(event), &name);
    if (status == CDP_INVALID_VALUE) {
        return refuse(cudaErrorInvalidResourceHandle, "cudaIpcGetEventHandle", CALLER,
                      "the event was made without cudaEventInterprocess | "
                      "cudaEventDisableTiming");
    }
    if (status == CDP_NOT_PERMITTED) {
        return refuse(cudaErrorInvalidResourceHandle, "cudaIpcGetEventHandle", CALLER,
                      "the event is one of another process: that process can share it");
    }
    if (status == CDP_OK) {
        memset(handle, 0, sizeof *handle);
        memcpy(handle, &name, sizeof name);
    }
    return cdp_api_return(status);
}

static cudaError_t open_event(struct cdp_runtime *runtime, cudaEvent_t *event,
                              const struct cdp_event_name *name, const void *site)
{
    if (name->magic == CDP_EVENT_MAGIC && name->process == cdp_os_process_number()) {
        return refuse(cudaErrorDeviceUninitialized, "cudaIpcOpenEventHandle", site,
                      "the handle is of this process, which has the event already");
    }
    uint64_t handle;
    enum cdp_status status = cdp_event_open(runtime->streams, cdp_device_number, name, &handle);
    if (status == CDP_NOT_REGISTERED || status == CDP_INVALID_VALUE) {
        return refuse(cudaErrorMapBufferObjectFailed, "cudaIpcOpenEventHandle", site,
                      status == CDP_INVALID_VALUE
                          ? "the bytes are no handle of an event"
                          : "the event was destroyed, or the process that made it has ended or "
                            "belongs to another user");
    }
    if (status == CDP_OK) {
        *event = cdp_event_of_handle(handle);
        cdp_leak_made(CDP_LEAK_EVENT, handle, site);
    }
    return cdp_api_return(status);
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    if (event == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_event_name name;
    memcpy(&name, &handle, sizeof name);
    return open_event(runtime, event, &name, CALLER);
}
