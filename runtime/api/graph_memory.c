/* Memory nodes of graphs. */
#include "api/graph_memory.h"

#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/graph.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "base/lock.h"
#include "exec/report/profile.h"
#include "mem/memmap.h"
#include "os/os.h"

/* Life: while a node refers to it. */
struct cdp_graph_memory {
    struct cdp_graph_memory *next; /* in all.first */
    void *address;
    size_t size;
    unsigned refs;
    uint64_t home;         /* handle: its own graph */
    bool is_freed_at_home; /* by a node there: no other graph may free it */
    bool is_allocated;     /* by a launch, and not free again */
    bool is_used;          /* a launch has allocated it: it counts as used until the graphs end */
    bool is_reserved;      /* it counts as reserved: not from cudaDeviceGraphMemTrim to a launch */
    uint64_t launch;       /* number of the latest launch of one of its nodes */
};

static struct {
    struct cdp_lock lock; /* guards all of this, and the objects */
    struct cdp_graph_memory *first;
    uint64_t used, most_used, reserved, most_reserved; /* bytes */
    uint64_t launches;                                 /* of nodes */
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_GRAPHS)};

void *cdp_graph_memory_address(const struct cdp_graph_memory *memory)
{
    return memory->address;
}

size_t cdp_graph_memory_size(const struct cdp_graph_memory *memory)
{
    return memory->size;
}

/* What is used is memory "currently associated with graphs", on an H100 also after a free node. */
static void set_used(struct cdp_graph_memory *memory) CDP_NEEDS(&all.lock)
{
    all.used += memory->is_used ? 0 : memory->size;
    all.most_used = all.used > all.most_used ? all.used : all.most_used;
    memory->is_used = true;
}

static void set_reserved(struct cdp_graph_memory *memory) CDP_NEEDS(&all.lock)
{
    all.reserved += memory->is_reserved ? 0 : memory->size;
    all.most_reserved = all.reserved > all.most_reserved ? all.reserved : all.most_reserved;
    memory->is_reserved = true;
}

static void reserve(struct cdp_graph_memory *memory)
{
    cdp_lock_acquire(&all.lock);
    memory->next = all.first;
    all.first = memory;
    set_reserved(memory);
    cdp_lock_release(&all.lock);
}

void cdp_graph_memory_retain(struct cdp_graph_memory *memory)
{
    cdp_lock_acquire(&all.lock);
    memory->refs++;
    cdp_lock_release(&all.lock);
}

void cdp_graph_memory_note_node(struct cdp_graph_memory *memory, enum cudaGraphNodeType type,
                                const struct cdp_graph *graph)
{
    cdp_lock_acquire(&all.lock);
    if (type == cudaGraphNodeTypeMemAlloc && memory->home == 0) {
        memory->home = graph->handle;
    }
    if (type == cudaGraphNodeTypeMemFree && memory->home == graph->handle) {
        memory->is_freed_at_home = true;
    }
    cdp_lock_release(&all.lock);
}

static void unlink_memory(const struct cdp_graph_memory *memory) CDP_NEEDS(&all.lock)
{
    struct cdp_graph_memory **at = &all.first;
    while (*at != memory) {
        at = &(*at)->next;
    }
    *at = memory->next;
    all.reserved -= memory->is_reserved ? memory->size : 0;
}

/* Pending launches may still use the memory. */
void cdp_graph_memory_release(struct cdp_graph_memory *memory)
{
    cdp_lock_acquire(&all.lock);
    bool is_last = --memory->refs == 0;
    if (is_last) {
        all.used -= memory->is_used ? memory->size : 0;
        unlink_memory(memory);
    }
    cdp_lock_release(&all.lock);
    if (is_last) {
        struct cdp_runtime *runtime = cdp_runtime_running();
        struct cdp_device *device = cdp_device_of(runtime, memory->address);
        cdp_streams_synchronize(runtime->streams, CDP_ALL_DEVICES);
        (void)!cdp_heap_free(&device->memory, memory->address, NULL); /* gone after a reset */
        cdp_free(memory);
    }
}

static struct cdp_graph_memory *find(const void *address) CDP_NEEDS(&all.lock)
{
    struct cdp_graph_memory *at = all.first;
    while (at != NULL && at->address != address) {
        at = at->next;
    }
    return at;
}

bool cdp_graph_memory_owns(const void *address)
{
    cdp_lock_acquire(&all.lock);
    bool owns = find(address) != NULL;
    cdp_lock_release(&all.lock);
    return owns;
}

bool cdp_graph_memory_free(const void *address)
{
    cdp_lock_acquire(&all.lock);
    struct cdp_graph_memory *memory = find(address);
    bool was_allocated = memory != NULL && memory->is_allocated;
    if (was_allocated) {
        memory->is_allocated = false;
    }
    cdp_lock_release(&all.lock);
    return was_allocated;
}

/* ---- Launches ---- */

bool cdp_graph_has_memory(const struct cdp_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        if (cdp_work_is_of_memory(&graph->nodes[i]->work)) {
            return true;
        }
    }
    return false;
}

bool cdp_graph_frees(const struct cdp_graph *graph, const void *address)
{
    bool frees = false;
    for (size_t i = 0; i < graph->count && !frees; i++) {
        const struct cdp_work *work = &graph->nodes[i]->work;
        frees = work->type == cudaGraphNodeTypeMemFree && work->memory->address == address;
    }
    return frees;
}

static bool may_launch(const struct cdp_graph *graph) CDP_NEEDS(&all.lock)
{
    bool may = true;
    for (size_t i = 0; i < graph->count && may; i++) {
        const struct cdp_work *work = &graph->nodes[i]->work;
        may = work->type != cudaGraphNodeTypeMemAlloc || !work->memory->is_allocated;
    }
    return may;
}

/* First all allocations, then all frees: what a launch leaves allocated is what counts. */
static void apply(const struct cdp_graph *graph, enum cudaGraphNodeType type) CDP_NEEDS(&all.lock)
{
    for (size_t i = 0; i < graph->count; i++) {
        const struct cdp_work *work = &graph->nodes[i]->work;
        if (work->type == type) {
            work->memory->is_allocated = type == cudaGraphNodeTypeMemAlloc;
            set_used(work->memory);
            set_reserved(work->memory);
            work->memory->launch = ++all.launches;
        }
    }
}

cudaError_t cdp_graph_memory_launch(const struct cdp_graph *graph, bool frees_itself)
{
    cdp_lock_acquire(&all.lock);
    bool may = frees_itself || may_launch(graph);
    if (may) {
        apply(graph, cudaGraphNodeTypeMemAlloc);
        apply(graph, cudaGraphNodeTypeMemFree);
    }
    cdp_lock_release(&all.lock);
    return may ? cudaSuccess : cudaErrorInvalidValue;
}

/* ---- Nodes ---- */

cudaError_t cdp_work_of_alloc(size_t size, const void *site, struct cdp_work *out)
{
    *out = (struct cdp_work){.type = cudaGraphNodeTypeMemAlloc};
    struct cdp_runtime *runtime = cdp_runtime_running();
    struct cdp_graph_memory *memory = size == 0 ? NULL : cdp_alloc_zero(sizeof *memory);
    if (memory == NULL) {
        return size == 0 ? cudaErrorInvalidValue : cudaErrorMemoryAllocation;
    }
    struct cdp_heap_request request = {.size = size, .kind = CDP_MEMORY_DEVICE, .site = site};
    enum cdp_status status =
        cdp_heap_alloc(&cdp_device_current(runtime)->memory, &request, &memory->address);
    if (status != CDP_OK) {
        cdp_free(memory);
        return cdp_error_of(status);
    }
    memory->size = size;
    memory->refs = 1;
    reserve(memory);
    out->memory = memory;
    return cudaSuccess;
}

cudaError_t cdp_work_of_free(const void *address, struct cdp_work *out)
{
    *out = (struct cdp_work){.type = cudaGraphNodeTypeMemFree};
    cdp_lock_acquire(&all.lock);
    struct cdp_graph_memory *memory = find(address);
    if (memory != NULL && !memory->is_freed_at_home) { /* as on an H100 */
        memory->refs++;
        out->memory = memory;
    }
    cdp_lock_release(&all.lock);
    return out->memory != NULL ? cudaSuccess : cudaErrorInvalidValue;
}

/* ---- The device's figures ---- */

static uint64_t *figure_of(enum cudaGraphMemAttributeType attr) CDP_NEEDS(&all.lock)
{
    switch ((int)attr) {
    case cudaGraphMemAttrUsedMemCurrent:
        return &all.used;
    case cudaGraphMemAttrUsedMemHigh:
        return &all.most_used;
    case cudaGraphMemAttrReservedMemCurrent:
        return &all.reserved;
    case cudaGraphMemAttrReservedMemHigh:
        return &all.most_reserved;
    default:
        return NULL;
    }
}

static cudaError_t check_device(int device)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    return error == cudaSuccess && !cdp_device_exists(runtime, device)
               ? cdp_api_fail(cudaErrorInvalidDevice)
               : error;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                           void *value)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check_device(device);
    if (error != cudaSuccess) {
        return error;
    }
    cdp_lock_acquire(&all.lock);
    const uint64_t *figure = value == NULL ? NULL : figure_of(attr);
    if (figure != NULL) {
        *(uint64_t *)value = *figure;
    }
    cdp_lock_release(&all.lock);
    return figure != NULL ? cudaSuccess : cdp_api_fail(cudaErrorInvalidValue);
}

/* Only the highest values can be set, and only to 0. */
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                                           void *value)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check_device(device);
    bool is_high = attr == cudaGraphMemAttrUsedMemHigh || attr == cudaGraphMemAttrReservedMemHigh;
    if (error != cudaSuccess) {
        return error;
    }
    if (!is_high || value == NULL || *(const uint64_t *)value != 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    cdp_lock_acquire(&all.lock);
    all.most_used = attr == cudaGraphMemAttrUsedMemHigh ? all.used : all.most_used;
    all.most_reserved = attr == cudaGraphMemAttrReservedMemHigh ? all.reserved : all.most_reserved;
    cdp_lock_release(&all.lock);
    return cudaSuccess;
}

/* Returns the memory's pages to the system. They are there again when they are used. */
static void trim(struct cdp_graph_memory *memory) CDP_NEEDS(&all.lock)
{
    uintptr_t page = cdp_os_page(), lo = (uintptr_t)memory->address, hi = lo + memory->size;
    uintptr_t first = (lo + page - 1) & ~(page - 1), last = hi & ~(page - 1);
    if (first < last) {
        cdp_os_discard((void *)first, last - first);
    }
    all.reserved -= memory->is_reserved ? memory->size : 0;
    memory->is_reserved = false;
}

/* Memory that no launch has left allocated. The launches so far are over; memory of later ones
 * stays. */
cudaError_t cudaDeviceGraphMemTrim(int device)
{
    CDP_PROFILE_CALL();
    cudaError_t error = check_device(device);
    if (error != cudaSuccess) {
        return error;
    }
    struct cdp_runtime *runtime = cdp_runtime_running();
    cdp_lock_acquire(&all.lock);
    uint64_t launches = all.launches;
    cdp_lock_release(&all.lock);
    cdp_streams_synchronize(runtime->streams, CDP_ALL_DEVICES);
    cdp_lock_acquire(&all.lock);
    for (struct cdp_graph_memory *at = all.first; at != NULL; at = at->next) {
        bool is_here = cdp_device_of(runtime, at->address) == &runtime->devices[device];
        if (is_here && !at->is_allocated && at->launch <= launches) {
            trim(at);
        }
    }
    cdp_lock_release(&all.lock);
    return cudaSuccess;
}
