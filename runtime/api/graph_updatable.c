/* Kernel nodes that kernels change. */
#include "api/graph_updatable.h"

#include <stdatomic.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/check.h"
#include "api/error.h"
#include "api/graph.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "base/handle.h"
#include "base/lock.h"
#include "exec/report/fault.h"

enum { UPDATABLE_TAG = 0x55 /* 'U' */, SMALL_PARAMS = 1024 };

/* Whether the kernel is complete may be known while it is still being queued. */
enum phase { QUEUING, PENDING, COMPLETE };

/* Life: counted; owned by the works of a node and of its copy. The lock below guards refs, work,
 * and what that one launches. */
struct cdp_updatable {
    struct cdp_engine_task task; /* the first member; see end_failed */
    uint64_t handle;             /* const */
    unsigned refs;
    struct cdp_work *work; /* borrowed: of the executable graph; NULL: there is none */
    /* From cdp_updatable_bind on, const: */
    struct cdp_runtime *runtime;
    uint64_t stream; /* handle: gets the kernel */
    /* Of the current launch. One executable graph has one launch at a time. */
    struct cdp_command *hold;
    _Atomic int phase; /* enum phase */
};

static struct {
    struct cdp_lock lock;
    struct cdp_handle_table nodes;
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_GRAPH_RUNS), .nodes = {.tag = UPDATABLE_TAG}};

/* ---- Life ---- */

cudaError_t cdp_updatable_make(struct cdp_work *work)
{
    if (work->launch.updatable != NULL) {
        return cudaSuccess;
    }
    struct cdp_updatable *made = cdp_alloc_zero(sizeof *made);
    if (made == NULL) {
        return cudaErrorMemoryAllocation;
    }
    made->refs = 1;
    cdp_lock_acquire(&all.lock);
    made->handle = cdp_handle_create(&all.nodes, made);
    cdp_lock_release(&all.lock);
    if (made->handle == 0) {
        cdp_free(made);
        return cudaErrorMemoryAllocation;
    }
    work->launch.updatable = made;
    return cudaSuccess;
}

uint64_t cdp_updatable_handle(const struct cdp_updatable *updatable)
{
    return updatable->handle;
}

struct cdp_updatable *cdp_updatable_retain(struct cdp_updatable *updatable)
{
    if (updatable != NULL) {
        cdp_lock_acquire(&all.lock);
        updatable->refs++;
        cdp_lock_release(&all.lock);
    }
    return updatable;
}

void cdp_updatable_release(struct cdp_work *work)
{
    struct cdp_updatable *updatable = work->launch.updatable;
    if (updatable == NULL) {
        return;
    }
    uint64_t stream = 0;
    cdp_lock_acquire(&all.lock);
    if (updatable->work == work) {
        updatable->work = NULL;
        stream = updatable->stream;
        updatable->stream = 0;
    }
    bool is_last = --updatable->refs == 0;
    if (is_last) {
        (void)cdp_handle_remove(&all.nodes, updatable->handle);
    }
    cdp_lock_release(&all.lock);
    if (stream != 0) {
        (void)!cdp_stream_destroy(updatable->runtime->streams, stream);
    }
    if (is_last) {
        cdp_free(updatable);
    }
}

void cdp_updatable_replace(struct cdp_work *work, struct cdp_work *fresh)
{
    cdp_lock_acquire(&all.lock);
    struct cdp_work old = *work;
    fresh->launch.updatable = old.launch.updatable;
    old.launch.updatable = NULL;
    *work = *fresh;
    cdp_lock_release(&all.lock);
    cdp_work_free(&old);
}

bool cdp_graph_has_updatables(const struct cdp_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        const struct cdp_work *work = &graph->nodes[i]->work;
        if (work->type == cudaGraphNodeTypeKernel && work->launch.updatable != NULL) {
            return true;
        }
    }
    return false;
}

cudaError_t cdp_updatable_bind(struct cdp_runtime *runtime, struct cdp_work *work)
{
    struct cdp_updatable *updatable = work->launch.updatable;
    struct cdp_stream_traits traits = {.device = cdp_device_number,
                                       .flags = CDP_STREAM_NON_BLOCKING};
    uint64_t stream = 0;
    enum cdp_status status = cdp_stream_create(runtime->streams, &traits, &stream);
    if (status == CDP_OK) {
        cdp_lock_acquire(&all.lock);
        updatable->runtime = runtime;
        updatable->stream = stream;
        updatable->work = work;
        cdp_lock_release(&all.lock);
    }
    return cdp_error_of(status);
}

/* ---- Launches ---- */

/* What the node launches now. */
struct snapshot {
    struct cdp_launch launch;
    bool is_disabled;
    void *large; /* owned: parameters that do not fit below; or NULL */
    char params[SMALL_PARAMS];
};

/* False: no memory. */
static bool take(struct cdp_updatable *updatable, struct snapshot *out)
{
    cdp_lock_acquire(&all.lock);
    const struct cdp_work *work = updatable->work;
    size_t size = work->launch.order.kernel->param_size;
    out->launch = work->launch.order;
    out->is_disabled = work->is_disabled;
    out->large = size > sizeof out->params ? cdp_alloc(size) : NULL;
    bool has_room = size <= sizeof out->params || out->large != NULL;
    if (has_room) {
        void *params = out->large != NULL ? out->large : out->params;
        memcpy(params, work->launch.order.params, size);
        out->launch.params = params;
    }
    cdp_lock_release(&all.lock);
    return has_room;
}

/* Of the kernel, with all that it launched. */
static void ended(void *data)
{
    struct cdp_updatable *updatable = *(struct cdp_updatable **)data;
    struct cdp_command *hold = updatable->hold;
    if (atomic_exchange(&updatable->phase, COMPLETE) == PENDING) {
        cdp_stream_end_hold(hold); /* now the program may end the executable graph */
    }
}

static enum cdp_status queue_end(struct cdp_updatable *updatable)
{
    struct cdp_stream_call end = {
        .run = ended, .data = &updatable, .size = sizeof updatable, .brief = true};
    return cdp_stream_call(updatable->runtime->streams, updatable->stream, &end);
}

/* The kernel is queued, so its end must come after it: see end_failed of graph_run.c. */
static void end_failed(struct cdp_engine_task *task)
{
    struct cdp_updatable *updatable = (struct cdp_updatable *)(void *)task;
    struct cdp_engine *engine = updatable->runtime->engine;
    if (queue_end(updatable) != CDP_OK) {
        cdp_engine_run_task(engine, task);
    }
}

static void report_no_memory(const struct cdp_updatable *updatable, unsigned device)
{
    cdp_fault_set(updatable->runtime->engine, device, CDP_FAULT_LAUNCH, "%s",
                  "no memory to launch a kernel node that kernels may change");
}

/* False: the kernel is not queued. */
static bool queue_kernel(struct cdp_updatable *updatable, void *environment)
{
    struct cdp_streams *streams = updatable->runtime->streams;
    struct cdp_stream_service service = {.hold = updatable->hold};
    struct snapshot now;
    bool has_memory = take(updatable, &now);
    bool runs = has_memory && !now.is_disabled;
    if (runs) {
        now.launch.environment = environment;
        has_memory = cdp_stream_serve_hold(streams, updatable->stream, &service) == CDP_OK &&
                     cdp_stream_launch(streams, updatable->stream, &now.launch) == CDP_OK;
        runs = has_memory;
    }
    cdp_free(now.large);
    if (!has_memory) {
        report_no_memory(updatable, now.launch.device);
    }
    return runs;
}

struct turn {
    struct cdp_updatable *updatable;
    void *environment;
};

static bool begin(void *data, struct cdp_command *hold)
{
    const struct turn *turn = data;
    struct cdp_updatable *updatable = turn->updatable;
    updatable->hold = hold;
    atomic_store(&updatable->phase, QUEUING);
    if (!queue_kernel(updatable, turn->environment)) {
        return true;
    }
    if (queue_end(updatable) != CDP_OK) {
        updatable->task.run = end_failed;
        cdp_engine_run_task(updatable->runtime->engine, &updatable->task);
    }
    return atomic_exchange(&updatable->phase, PENDING) == COMPLETE;
}

enum cdp_status cdp_updatable_queue(struct cdp_updatable *updatable, uint64_t stream,
                                    void *environment)
{
    struct turn turn = {.updatable = updatable, .environment = environment};
    struct cdp_stream_call call = {.begin = begin, .data = &turn, .size = sizeof turn};
    return cdp_stream_call(updatable->runtime->streams, stream, &call);
}

/* ---- Changes by device code ---- */

static const char *change_grid(struct cdp_launch *order, dim3 grid)
{
    struct cdp_shape shape = {
        .grid = grid,
        .block = {order->block_dim[0], order->block_dim[1], order->block_dim[2]},
        .dynamic_shared = order->dynamic_shared};
    if (order->cluster_dim[0] != 0 || order->is_cooperative) {
        return "the grid of a cooperative kernel, or of one with clusters, stays as it is";
    }
    if (cdp_check_launch(order->kernel, &shape, true) != cudaSuccess) {
        return "the grid is empty or too large";
    }
    order->grid_dim[0] = grid.x;
    order->grid_dim[1] = grid.y;
    order->grid_dim[2] = grid.z;
    return NULL;
}

static const char *change_param(struct cdp_work_launch *launch,
                                const struct cdp_node_change *change)
{
    size_t size = launch->order.kernel->param_size;
    if (change->offset > size || change->size > size - change->offset) {
        return "the bytes are not within the kernel's parameters";
    }
    if (change->value == NULL && change->size > 0) {
        return "the value is NULL";
    }
    /* The parameters are behind the pointers to them, in memory that the work owns. */
    char *params = launch->args != NULL ? (char *)(uintptr_t)launch->order.params : NULL;
    if (change->size > 0) {
        memcpy(params + change->offset, change->value, change->size);
    }
    return NULL;
}

static const char *change_work(struct cdp_work *work, const struct cdp_node_change *change)
{
    switch ((int)change->field) {
    case cudaGraphKernelNodeFieldGridDim:
        return change_grid(&work->launch.order, change->grid);
    case cudaGraphKernelNodeFieldParam:
        return change_param(&work->launch, change);
    case cudaGraphKernelNodeFieldEnabled:
        work->is_disabled = !change->is_enabled;
        return NULL;
    default:
        return "no such field";
    }
}

const char *cdp_updatable_change(uint64_t handle, unsigned device,
                                 const struct cdp_node_change *change)
{
    cdp_lock_acquire(&all.lock);
    const struct cdp_updatable *updatable = cdp_handle_find(&all.nodes, handle);
    const char *reason = NULL;
    if (updatable == NULL) {
        reason = "this is no node that kernels may change, or its graph was destroyed";
    } else if (updatable->work == NULL) {
        reason = "the node's graph has no executable graph";
    } else if (updatable->work->launch.order.device != device) {
        reason = "the node is of another device";
    } else {
        reason = change_work(updatable->work, change);
    }
    cdp_lock_release(&all.lock);
    return reason;
}
