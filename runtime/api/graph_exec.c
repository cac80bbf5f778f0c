/* Executable graphs: from nodes to streams and events.
 *
 * A graph's nodes become steps, in an order in which each comes after what it needs. Child graphs
 * are replaced by their nodes. Each step has a lane, which is a stream: a node that needs another
 * one follows it in its lane if possible. Lane 0 is the stream of the launch, the others belong to
 * the executable graph. Between lanes, events order the steps.
 *
 *     A -> B -> D        lane 0: A B D
 *     A -> C -> D        lane 1: C, which waits for A's event; D waits for C's
 *
 * A launch queues all steps. The next launch of the same graph waits until they are complete. */
#include <stdio.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/capture.h"
#include "api/error.h"
#include "api/graph.h"
#include "api/graph_memory.h"
#include "api/handle.h"
#include "api/leak.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "base/handle.h"
#include "base/lock.h"

enum { EXEC_TAG = 0x58 /* 'X' */, MOST_LANES = 8, NO_STEP = -1 };

struct step {
    const struct cdp_work *work; /* of the executable graph's own copy of the graph */
    size_t *needs;               /* owned: indices of steps of other lanes */
    size_t need_count;
    unsigned lane;
    uint64_t event; /* handle; 0: no other lane waits for it */
};

/* Life: from cudaGraphInstantiate to cudaGraphExecDestroy. */
struct exec {
    uint64_t handle;
    struct cdp_graph *graph; /* owned: a copy; its nodes know those of which they are copies */
    unsigned long long flags;
    struct step *steps; /* owned */
    size_t count;
    unsigned lanes;
    uint64_t streams[MOST_LANES]; /* handles of lanes; [0] is unused */
    uint64_t begin;               /* event: the other lanes may start; 0 with one lane */
    uint64_t done;                /* event: the latest launch is complete; see come_after_latest */
    uint64_t latest;              /* handle: the stream of the latest launch */
    bool was_launched, has_memory;
    struct exec *next; /* while all are freed */
};

static struct {
    struct cdp_lock lock; /* guards the table */
    struct cdp_handle_table execs;
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_GRAPHS), .execs = {.tag = EXEC_TAG}};

static cudaError_t find(cudaGraphExec_t handle, struct cdp_runtime **runtime, struct exec **exec)
{
    cudaError_t error = cdp_api_enter(runtime);
    if (error != cudaSuccess) {
        return error;
    }
    cdp_lock_acquire(&all.lock);
    *exec = cdp_handle_find(&all.execs, (uintptr_t)(void *)handle);
    cdp_lock_release(&all.lock);
    return *exec != NULL ? cudaSuccess : cdp_api_fail(cudaErrorInvalidValue);
}

/* ---- Steps ---- */

/* The graph with its child graphs as one list. While steps are made. */
struct flat {
    struct cdp_node **nodes; /* owned; a child graph's node comes after the child's nodes */
    size_t count, capacity;
};

static bool push(struct flat *flat, struct cdp_node *node)
{
    if (flat->count == flat->capacity) {
        size_t more = flat->capacity == 0 ? 16 : 2 * flat->capacity;
        struct cdp_node **larger = cdp_realloc(flat->nodes, more * sizeof(struct cdp_node *));
        if (larger == NULL) {
            return false;
        }
        flat->nodes = larger;
        flat->capacity = more;
    }
    node->step = flat->count;
    flat->nodes[flat->count++] = node;
    return true;
}

static cudaError_t flatten(const struct cdp_graph *graph, struct flat *flat)
{
    struct cdp_node **order = cdp_alloc((graph->count + 1) * sizeof(struct cdp_node *));
    if (order == NULL) {
        return cudaErrorMemoryAllocation;
    }
    cudaError_t error = cdp_graph_sort(graph, order) ? cudaSuccess : cudaErrorInvalidValue;
    for (size_t i = 0; i < graph->count && error == cudaSuccess; i++) {
        bool is_child =
            order[i]->work.type == cudaGraphNodeTypeGraph && !order[i]->work.is_disabled;
        if (is_child) {
            order[i]->work.child->holder = order[i];
            error = flatten(order[i]->work.child, flat);
        }
        if (error == cudaSuccess && !push(flat, order[i])) {
            error = cudaErrorMemoryAllocation;
        }
    }
    cdp_free(order);
    return error;
}

/* What one step comes after, without repetitions. */
struct needs {
    size_t *items; /* owned by the caller */
    size_t count;
};

static void need(struct needs *needs, size_t step)
{
    for (size_t i = 0; i < needs->count; i++) {
        if (needs->items[i] == step) {
            return;
        }
    }
    needs->items[needs->count++] = step;
}

static void collect_needs(const struct cdp_node *node, struct needs *needs)
{
    /* A first node of a child graph comes after what the child graph's node needs. */
    for (const struct cdp_node *from = node; from != NULL;
         from = from->need_count == 0 ? from->graph->holder : NULL) {
        for (size_t i = 0; i < from->need_count; i++) {
            need(needs, from->needs[i]->step);
        }
    }
    /* The child graph's node comes after all of the child's. */
    if (node->work.type == cudaGraphNodeTypeGraph && !node->work.is_disabled) {
        for (size_t i = 0; i < node->work.child->count; i++) {
            need(needs, node->work.child->nodes[i]->step);
        }
    }
}

/* Of a lane: its last step. */
struct lane_ends {
    long last[MOST_LANES]; /* NO_STEP: none */
    unsigned count;
};

/* The lane of a needed step that is its lane's last one; else a new lane, or the one that has
 * waited longest. */
static unsigned choose_lane(struct lane_ends *ends, const struct exec *exec,
                            const struct needs *needs)
{
    for (size_t i = 0; i < needs->count; i++) {
        unsigned lane = exec->steps[needs->items[i]].lane;
        if (ends->last[lane] == (long)needs->items[i]) {
            return lane;
        }
    }
    if (ends->count < MOST_LANES) {
        return ends->count++;
    }
    unsigned oldest = 0;
    for (unsigned i = 1; i < MOST_LANES; i++) {
        oldest = ends->last[i] < ends->last[oldest] ? i : oldest;
    }
    return oldest;
}

static cudaError_t make_event(struct cdp_runtime *runtime, uint64_t *event)
{
    if (*event != 0) {
        return cudaSuccess;
    }
    return cdp_error_of(cdp_event_create(runtime->streams, CDP_EVENT_DISABLE_TIMING, event));
}

/* Keeps the needs of other lanes, whose steps get events. */
static cudaError_t keep_needs(struct cdp_runtime *runtime, struct exec *exec, struct step *step,
                              const struct needs *needs)
{
    step->needs = cdp_alloc((needs->count + 1) * sizeof *step->needs);
    cudaError_t error = step->needs == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
    for (size_t i = 0; i < needs->count && error == cudaSuccess; i++) {
        struct step *other = &exec->steps[needs->items[i]];
        if (other->lane != step->lane) {
            step->needs[step->need_count++] = needs->items[i];
            error = make_event(runtime, &other->event);
        }
    }
    return error;
}

static cudaError_t make_lanes(struct cdp_runtime *runtime, struct exec *exec,
                              const struct lane_ends *ends)
{
    cudaError_t error = cudaSuccess;
    exec->lanes = ends->count;
    for (unsigned i = 1; i < ends->count && error == cudaSuccess; i++) {
        if (exec->streams[i] == 0) {
            error = cdp_error_of(
                cdp_stream_create(runtime->streams, CDP_STREAM_NON_BLOCKING, 0, &exec->streams[i]));
        }
        if (error == cudaSuccess) {
            error = make_event(runtime, &exec->steps[ends->last[i]].event);
        }
    }
    if (error == cudaSuccess && ends->count > 1) {
        error = make_event(runtime, &exec->begin);
    }
    return error != cudaSuccess ? error : make_event(runtime, &exec->done);
}

static cudaError_t plan_steps(struct cdp_runtime *runtime, struct exec *exec,
                              const struct flat *flat, size_t *room)
{
    struct lane_ends ends = {.count = 1};
    for (unsigned i = 0; i < MOST_LANES; i++) {
        ends.last[i] = NO_STEP;
    }
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < flat->count && error == cudaSuccess; i++) {
        struct needs needs = {.items = room};
        struct step *step = &exec->steps[i];
        collect_needs(flat->nodes[i], &needs);
        step->work = &flat->nodes[i]->work;
        step->lane = i == 0 ? 0 : choose_lane(&ends, exec, &needs);
        ends.last[step->lane] = (long)i;
        error = keep_needs(runtime, exec, step, &needs);
        exec->count = i + 1;
    }
    return error != cudaSuccess ? error : make_lanes(runtime, exec, &ends);
}

static void free_steps(struct cdp_runtime *runtime, struct exec *exec)
{
    for (size_t i = 0; i < exec->count; i++) {
        if (exec->steps[i].event != 0) {
            (void)!cdp_event_destroy(runtime->streams, exec->steps[i].event);
        }
        cdp_free(exec->steps[i].needs);
    }
    cdp_free(exec->steps);
    exec->steps = NULL;
    exec->count = 0;
}

static cudaError_t make_steps(struct cdp_runtime *runtime, struct exec *exec)
{
    struct flat flat = {.nodes = NULL};
    cudaError_t error = flatten(exec->graph, &flat);
    size_t *room = NULL;
    if (error == cudaSuccess) {
        room = cdp_alloc((flat.count + 1) * sizeof *room);
        exec->steps = cdp_alloc_zero((flat.count + 1) * sizeof *exec->steps);
        error = room == NULL || exec->steps == NULL ? cudaErrorMemoryAllocation
                                                    : plan_steps(runtime, exec, &flat, room);
    }
    cdp_free(room);
    cdp_free(flat.nodes);
    return error;
}

/* ---- Life ---- */

static void free_exec(struct cdp_runtime *runtime, struct exec *exec)
{
    free_steps(runtime, exec);
    for (unsigned i = 1; i < MOST_LANES; i++) {
        if (exec->streams[i] != 0) {
            (void)!cdp_stream_destroy(runtime->streams, exec->streams[i]);
        }
    }
    const uint64_t events[] = {exec->begin, exec->done};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        if (events[i] != 0) {
            (void)!cdp_event_destroy(runtime->streams, events[i]);
        }
    }
    if (exec->graph != NULL) {
        cdp_graph_free(exec->graph);
    }
    cdp_free(exec);
}

static cudaError_t make_exec(struct cdp_runtime *runtime, const struct cdp_graph *graph,
                             struct exec **out)
{
    struct exec *exec = cdp_alloc_zero(sizeof *exec);
    if (exec == NULL) {
        return cudaErrorMemoryAllocation;
    }
    exec->graph = cdp_graph_copy(graph);
    cudaError_t error = cudaErrorMemoryAllocation;
    if (exec->graph != NULL) {
        exec->graph->is_owned = true;
        exec->has_memory = cdp_graph_has_memory(exec->graph);
        error = make_steps(runtime, exec);
    }
    if (error == cudaSuccess) {
        cdp_lock_acquire(&all.lock);
        exec->handle = cdp_handle_create(&all.execs, exec);
        cdp_lock_release(&all.lock);
        error = exec->handle == 0 ? cudaErrorMemoryAllocation : cudaSuccess;
    }
    if (error != cudaSuccess) {
        free_exec(runtime, exec);
        return error;
    }
    *out = exec;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t handle,
                                          unsigned long long flags)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    const unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch |
                                     cudaGraphInstantiateFlagUpload |
                                     cudaGraphInstantiateFlagUseNodePriority;
    const struct cdp_graph *graph = cdp_graph_find(handle);
    if (exec == NULL || graph == NULL ||
        (flags & ~(known | cudaGraphInstantiateFlagDeviceLaunch)) != 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
        return cdp_api_fail(cudaErrorNotSupported);
    }
    struct exec *made;
    error = make_exec(runtime, graph, &made);
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    made->flags = flags;
    cdp_leak_made(CDP_LEAK_EXEC, made->handle, __builtin_return_address(0));
    *exec = (cudaGraphExec_t)(void *)(uintptr_t)made->handle;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params)
{
    if (params == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    cudaError_t error = cudaGraphInstantiateWithFlags(exec, graph, params->flags);
    params->errNode_out = NULL;
    params->result_out =
        error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
    return error;
}

/* Launches that are pending have all they need in their streams. */
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle)
{
    struct cdp_runtime *runtime;
    struct exec *exec;
    cudaError_t error = find(handle, &runtime, &exec);
    if (error != cudaSuccess) {
        return error;
    }
    cdp_leak_freed(exec->handle);
    cdp_lock_acquire(&all.lock);
    cdp_handle_remove(&all.execs, exec->handle);
    cdp_lock_release(&all.lock);
    free_exec(runtime, exec);
    return cudaSuccess;
}

static void take(void *object, void *arg)
{
    struct exec *exec = object, **list = arg;
    exec->next = *list;
    *list = exec;
}

void cdp_execs_reset(struct cdp_runtime *runtime)
{
    struct exec *list = NULL;
    cdp_lock_acquire(&all.lock);
    cdp_handle_clear(&all.execs, take, &list);
    cdp_lock_release(&all.lock);
    while (list != NULL) {
        struct exec *next = list->next;
        free_exec(runtime, list);
        list = next;
    }
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long *flags)
{
    struct cdp_runtime *runtime;
    struct exec *exec;
    cudaError_t error = find(handle, &runtime, &exec);
    if (error == cudaSuccess && flags == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (error == cudaSuccess) {
        *flags = exec->flags;
    }
    return error;
}

/* ---- Launches ---- */

/* One launch, while it is queued. */
struct launching {
    struct cdp_runtime *runtime;
    const struct exec *exec;
    uint64_t stream; /* lane 0 */
};

static uint64_t stream_of(const struct launching *at, unsigned lane)
{
    return lane == 0 ? at->stream : at->exec->streams[lane];
}

/* The launch comes after the latest one of the graph. In the same stream it does so anyway. In
 * another one it waits for all that the former stream has now. */
static enum cdp_status come_after_latest(const struct launching *at)
{
    const struct exec *exec = at->exec;
    struct cdp_streams *streams = at->runtime->streams;
    if (!exec->was_launched ||
        (exec->latest == at->stream && at->stream != CDP_STREAM_PER_THREAD)) {
        return CDP_OK;
    }
    if (exec->latest != CDP_STREAM_PER_THREAD &&
        cdp_event_record(streams, exec->done, exec->latest) != CDP_OK) { /* it was destroyed */
        cdp_streams_synchronize(streams);
        return CDP_OK;
    }
    return cdp_stream_wait_event(streams, at->stream, exec->done);
}

/* The lanes start after what is before the launch. */
static enum cdp_status start(const struct launching *at)
{
    struct cdp_streams *streams = at->runtime->streams;
    enum cdp_status status = come_after_latest(at);
    if (status == CDP_OK && at->exec->lanes > 1) {
        status = cdp_event_record(streams, at->exec->begin, at->stream);
    }
    for (unsigned i = 1; i < at->exec->lanes && status == CDP_OK; i++) {
        status = cdp_stream_wait_event(streams, at->exec->streams[i], at->exec->begin);
    }
    return status;
}

static enum cdp_status queue_step(const struct launching *at, const struct step *step)
{
    struct cdp_streams *streams = at->runtime->streams;
    uint64_t stream = stream_of(at, step->lane);
    enum cdp_status status = CDP_OK;
    for (size_t i = 0; i < step->need_count && status == CDP_OK; i++) {
        status = cdp_stream_wait_event(streams, stream, at->exec->steps[step->needs[i]].event);
    }
    if (status == CDP_OK) {
        status = cdp_work_submit(at->runtime, stream, step->work);
    }
    return status == CDP_OK && step->event != 0 ? cdp_event_record(streams, step->event, stream)
                                                : status;
}

/* Each lane's last step has an event. */
static enum cdp_status join(const struct launching *at)
{
    uint64_t last[MOST_LANES] = {0};
    for (size_t i = 0; i < at->exec->count; i++) {
        last[at->exec->steps[i].lane] = at->exec->steps[i].event;
    }
    enum cdp_status status = CDP_OK;
    for (unsigned i = 1; i < at->exec->lanes && status == CDP_OK; i++) {
        status = cdp_stream_wait_event(at->runtime->streams, at->stream, last[i]);
    }
    /* Another thread names a stream of its own by this handle. */
    return status == CDP_OK && at->stream == CDP_STREAM_PER_THREAD
               ? cdp_event_record(at->runtime->streams, at->exec->done, at->stream)
               : status;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream)
{
    struct cdp_runtime *runtime;
    struct exec *exec;
    cudaError_t error = find(handle, &runtime, &exec);
    if (error != cudaSuccess) {
        return error;
    }
    if (CDP_UNLIKELY(cdp_capture_is_on())) {
        error = cdp_capture_refuse_stream(stream);
        if (error != cudaErrorNotReady) {
            return error;
        }
    }
    bool frees_itself = (exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
    if (exec->has_memory &&
        (error = cdp_graph_memory_launch(exec->graph, frees_itself)) != cudaSuccess) {
        return cdp_api_fail(error);
    }
    struct launching at = {
        .runtime = runtime, .exec = exec, .stream = cdp_handle_of_stream(stream)};
    enum cdp_status status = start(&at);
    for (size_t i = 0; i < exec->count && status == CDP_OK; i++) {
        status = queue_step(&at, &exec->steps[i]);
    }
    status = status == CDP_OK ? join(&at) : status;
    exec->was_launched = true;
    exec->latest = at.stream;
    cdp_engine_lend(runtime->engine); /* the program may poll without another call */
    return cdp_api_return(status);
}

/* Nothing is prepared on the device, but the arguments are checked. */
cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream)
{
    struct cdp_runtime *runtime;
    struct exec *exec;
    unsigned flags;
    cudaError_t error = find(handle, &runtime, &exec);
    return error != cudaSuccess ? error : cudaStreamGetFlags(stream, &flags);
}

/* ---- Changes ---- */

/* The copy of a node, also within child graphs. */
static struct cdp_node *copy_of(const struct cdp_graph *graph, uint64_t origin)
{
    struct cdp_node *found = NULL;
    for (size_t i = 0; i < graph->count && found == NULL; i++) {
        struct cdp_node *node = graph->nodes[i];
        bool is_child = node->work.type == cudaGraphNodeTypeGraph;
        found = node->origin == origin ? node : is_child ? copy_of(node->work.child, origin) : NULL;
    }
    return found;
}

static cudaError_t find_copy(cudaGraphExec_t handle, cudaGraphNode_t node, struct cdp_node **copy)
{
    struct cdp_runtime *runtime;
    struct exec *exec;
    cudaError_t error = find(handle, &runtime, &exec);
    if (error != cudaSuccess) {
        return error;
    }
    *copy = copy_of(exec->graph, (uintptr_t)(void *)node);
    return *copy != NULL ? cudaSuccess : cdp_api_fail(cudaErrorInvalidValue);
}

/* error: that of making the work. Pending launches are not affected, as they have copies. */
static cudaError_t set_work(cudaGraphExec_t exec, cudaGraphNode_t node, cudaError_t error,
                            struct cdp_work *work)
{
    struct cdp_node *copy;
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    error = find_copy(exec, node, &copy);
    if (error == cudaSuccess && copy->work.type != work->type) {
        error = cdp_api_fail(cudaErrorInvalidValue);
    }
    if (error != cudaSuccess) {
        cdp_work_free(work);
        return error;
    }
    work->site = copy->work.site;
    work->is_disabled = copy->work.is_disabled;
    cdp_work_free(&copy->work);
    copy->work = *work;
    return cudaSuccess;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params)
{
    struct cdp_work work;
    return set_work(exec, node, cdp_work_of_kernel(params, &work), &work);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *params)
{
    struct cdp_work work;
    return set_work(exec, node, cdp_work_of_copy(params, &work), &work);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               void *dst, const void *src, size_t size,
                                               enum cudaMemcpyKind kind)
{
    struct cudaMemcpy3DParms params = {.srcPtr = {(void *)(uintptr_t)src, size, size, 1},
                                       .dstPtr = {dst, size, size, 1},
                                       .extent = {size, 1, 1},
                                       .kind = kind};
    return cudaGraphExecMemcpyNodeSetParams(exec, node, &params);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *params)
{
    struct cdp_work work;
    return set_work(exec, node, cdp_work_of_set(params, &work), &work);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *params)
{
    if (params == NULL || params->fn == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_work work = {.type = cudaGraphNodeTypeHost, .host = *params};
    return set_work(exec, node, cudaSuccess, &work);
}

static cudaError_t set_event(cudaGraphExec_t exec, cudaGraphNode_t node,
                             enum cudaGraphNodeType type, cudaEvent_t event)
{
    struct cdp_work work = {.type = type, .event = cdp_handle_of_event(event)};
    cudaError_t error = cudaEventQuery(event); /* a handle of an event */
    return error != cudaSuccess && error != cudaErrorNotReady
               ? error
               : set_work(exec, node, cudaSuccess, &work);
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event)
{
    return set_event(exec, node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event)
{
    return set_event(exec, node, cudaGraphNodeTypeWaitEvent, event);
}

/* Kernels, copies and fills can be disabled. */
static bool may_disable(const struct cdp_node *node)
{
    return node->work.type == cudaGraphNodeTypeKernel ||
           node->work.type == cudaGraphNodeTypeMemcpy || node->work.type == cudaGraphNodeTypeMemset;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int is_enabled)
{
    struct cdp_node *copy;
    cudaError_t error = find_copy(exec, node, &copy);
    if (error == cudaSuccess && !may_disable(copy)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (error == cudaSuccess) {
        copy->work.is_disabled = is_enabled == 0;
    }
    return error;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int *is_enabled)
{
    struct cdp_node *copy;
    cudaError_t error = find_copy(exec, node, &copy);
    if (error == cudaSuccess && (is_enabled == NULL || !may_disable(copy))) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (error == cudaSuccess) {
        *is_enabled = !copy->work.is_disabled;
    }
    return error;
}

/* ---- Update by another graph ---- */

/* Whether two nodes need the same nodes, by their numbers. */
static bool needs_same(const struct cdp_node *a, const struct cdp_node *b)
{
    bool is_same = a->need_count == b->need_count;
    for (size_t i = 0; i < a->need_count && is_same; i++) {
        is_same = cdp_node_needs(b, b->graph->nodes[a->needs[i]->index]);
    }
    return is_same;
}

static enum cudaGraphExecUpdateResult compare(const struct cdp_graph *old,
                                              const struct cdp_graph *graph,
                                              cudaGraphExecUpdateResultInfo *info)
{
    enum cudaGraphExecUpdateResult result = old->count == graph->count
                                                ? cudaGraphExecUpdateSuccess
                                                : cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < graph->count && result == cudaGraphExecUpdateSuccess; i++) {
        const struct cdp_node *a = old->nodes[i], *b = graph->nodes[i];
        if (!needs_same(a, b)) {
            result = cudaGraphExecUpdateErrorTopologyChanged;
        } else if (a->work.type != b->work.type) {
            result = cudaGraphExecUpdateErrorNodeTypeChanged;
        } else if (a->work.type == cudaGraphNodeTypeGraph) {
            result = compare(a->work.child, b->work.child, info);
        }
        if (result != cudaGraphExecUpdateSuccess && info->errorNode == NULL) {
            info->errorNode = cdp_node_handle(b);
        }
    }
    return result;
}

/* The nodes of the new copy take the place of the old ones, so the program's handles of the first
 * graph's nodes remain those of the executable graph. */
static void keep_origins(const struct cdp_graph *old, struct cdp_graph *fresh)
{
    for (size_t i = 0; i < fresh->count; i++) {
        fresh->nodes[i]->origin = old->nodes[i]->origin;
        fresh->nodes[i]->work.is_disabled = old->nodes[i]->work.is_disabled;
        if (fresh->nodes[i]->work.type == cudaGraphNodeTypeGraph) {
            keep_origins(old->nodes[i]->work.child, fresh->nodes[i]->work.child);
        }
    }
}

static cudaError_t replace_graph(struct cdp_runtime *runtime, struct exec *exec,
                                 const struct cdp_graph *graph)
{
    struct cdp_graph *fresh = cdp_graph_copy(graph);
    if (fresh == NULL) {
        return cudaErrorMemoryAllocation;
    }
    fresh->is_owned = true;
    keep_origins(exec->graph, fresh);
    free_steps(runtime, exec);
    cdp_graph_free(exec->graph);
    exec->graph = fresh;
    return make_steps(runtime, exec);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                cudaGraphExecUpdateResultInfo *info)
{
    struct cdp_runtime *runtime;
    struct exec *exec;
    cudaGraphExecUpdateResultInfo unused;
    cudaError_t error = find(handle, &runtime, &exec);
    if (error != cudaSuccess) {
        return error;
    }
    const struct cdp_graph *graph = cdp_graph_find(graph_handle);
    if (graph == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    info = info != NULL ? info : &unused;
    *info = (cudaGraphExecUpdateResultInfo){.errorNode = NULL};
    info->result = compare(exec->graph, graph, info);
    if (info->result != cudaGraphExecUpdateSuccess) {
        return cdp_api_fail(cudaErrorGraphExecUpdateFailure);
    }
    error = replace_graph(runtime, exec, graph);
    return error != cudaSuccess ? cdp_api_fail(error) : cudaSuccess;
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node,
                                                 cudaGraph_t child)
{
    struct cdp_node *copy;
    cudaGraphExecUpdateResultInfo info = {.errorNode = NULL};
    struct cdp_runtime *runtime;
    struct exec *exec;
    cudaError_t error = find(handle, &runtime, &exec);
    if (error == cudaSuccess) {
        error = find_copy(handle, node, &copy);
    }
    if (error != cudaSuccess) {
        return error;
    }
    const struct cdp_graph *graph = cdp_graph_find(child);
    if (graph == NULL || copy->work.type != cudaGraphNodeTypeGraph ||
        compare(copy->work.child, graph, &info) != cudaGraphExecUpdateSuccess) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_graph *fresh = cdp_graph_copy(graph);
    if (fresh == NULL) {
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    fresh->is_owned = true;
    keep_origins(copy->work.child, fresh);
    free_steps(runtime, exec);
    cdp_graph_free(copy->work.child);
    copy->work.child = fresh;
    error = make_steps(runtime, exec);
    return error != cudaSuccess ? cdp_api_fail(error) : cudaSuccess;
}
