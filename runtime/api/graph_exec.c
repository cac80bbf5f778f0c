/* Executable graphs: from nodes to streams and events.
 *
 * A graph's nodes become steps, in an order in which each comes after its dependencies. Child
 * graphs are replaced by their nodes. Each step has a branch, which is a stream: a node follows one
 * of its dependencies in that one's branch if possible. Branch 0 is the stream of the launch, the
 * others belong to the executable graph. Events order the steps of different branches.
 *
 *     A -> B -> D        branch 0: A B D
 *     A -> C -> D        branch 1: C, which waits for A's event; D waits for C's
 *
 * A launch queues all steps. The next launch of the same graph waits until they are complete. */
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

enum { EXEC_TAG = 0x58 /* 'X' */, MOST_BRANCHES = 8, NO_STEP = -1 };

struct step {
    const struct cdp_work *work; /* of the executable graph's own copy of the graph */
    size_t *deps;                /* owned: indices of steps of other branches */
    size_t dep_count;
    unsigned branch;
    uint64_t event; /* handle; 0: no other branch waits for it */
};

/* Life: from cudaGraphInstantiate to cudaGraphExecDestroy. */
struct exec {
    uint64_t handle;
    struct cdp_graph *graph; /* owned: a copy; its nodes know those of which they are copies */
    unsigned long long flags;
    struct step *steps; /* owned */
    size_t count;
    unsigned branches;
    uint64_t streams[MOST_BRANCHES]; /* handles, of branches; [0] is unused */
    uint64_t begin;                  /* event: the other branches may start; 0 if there are none */
    uint64_t done;   /* event: the latest launch is complete; see come_after_latest */
    uint64_t latest; /* handle: the stream of the latest launch */
    bool was_launched, has_memory;
    struct exec *next; /* while all are freed */
};

static struct {
    struct cdp_lock lock; /* guards the table */
    struct cdp_handle_table execs;
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_GRAPHS), .execs = {.tag = EXEC_TAG}};

/* The start of a call for an executable graph. */
static cudaError_t enter(cudaGraphExec_t handle, struct cdp_runtime **runtime, struct exec **exec)
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

cudaError_t cdp_exec_enter(cudaGraphExec_t handle, struct cdp_graph **graph)
{
    struct cdp_runtime *runtime;
    struct exec *exec;
    cudaError_t error = enter(handle, &runtime, &exec);
    if (error == cudaSuccess) {
        *graph = exec->graph;
    }
    return error;
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
        if (order[i]->work.type == cudaGraphNodeTypeGraph) {
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
struct dep_list {
    size_t *items; /* owned by the caller */
    size_t count;
};

static void put(struct dep_list *list, size_t step)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i] == step) {
            return;
        }
    }
    list->items[list->count++] = step;
}

static void collect_deps(const struct cdp_node *node, struct dep_list *list)
{
    /* A first node of a child graph comes after the dependencies of the child graph's node. */
    for (const struct cdp_node *from = node; from != NULL;
         from = from->dep_count == 0 ? from->graph->holder : NULL) {
        for (size_t i = 0; i < from->dep_count; i++) {
            put(list, from->deps[i]->step);
        }
    }
    /* The child graph's node comes after all of the child's. */
    if (node->work.type == cudaGraphNodeTypeGraph) {
        for (size_t i = 0; i < node->work.child->count; i++) {
            put(list, node->work.child->nodes[i]->step);
        }
    }
}

/* Of each branch: its last step. */
struct branch_ends {
    long last[MOST_BRANCHES]; /* NO_STEP: none */
    unsigned count;
};

/* The branch of a dependency that is its branch's last step; else a new branch, or the one whose
 * last step is the earliest. */
static unsigned choose_branch(struct branch_ends *ends, const struct exec *exec,
                              const struct dep_list *deps)
{
    for (size_t i = 0; i < deps->count; i++) {
        unsigned branch = exec->steps[deps->items[i]].branch;
        if (ends->last[branch] == (long)deps->items[i]) {
            return branch;
        }
    }
    if (ends->count < MOST_BRANCHES) {
        return ends->count++;
    }
    unsigned oldest = 0;
    for (unsigned i = 1; i < MOST_BRANCHES; i++) {
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

/* Keeps the dependencies of other branches, whose steps get events. */
static cudaError_t keep_deps(struct cdp_runtime *runtime, struct exec *exec, struct step *step,
                             const struct dep_list *deps)
{
    step->deps = cdp_alloc((deps->count + 1) * sizeof *step->deps);
    cudaError_t error = step->deps == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
    for (size_t i = 0; i < deps->count && error == cudaSuccess; i++) {
        struct step *other = &exec->steps[deps->items[i]];
        if (other->branch != step->branch) {
            step->deps[step->dep_count++] = deps->items[i];
            error = make_event(runtime, &other->event);
        }
    }
    return error;
}

static cudaError_t make_branches(struct cdp_runtime *runtime, struct exec *exec,
                                 const struct branch_ends *ends)
{
    cudaError_t error = cudaSuccess;
    exec->branches = ends->count;
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
    struct branch_ends ends = {.count = 1};
    for (unsigned i = 0; i < MOST_BRANCHES; i++) {
        ends.last[i] = NO_STEP;
    }
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < flat->count && error == cudaSuccess; i++) {
        struct dep_list deps = {.items = room};
        struct step *step = &exec->steps[i];
        collect_deps(flat->nodes[i], &deps);
        step->work = &flat->nodes[i]->work;
        step->branch = i == 0 ? 0 : choose_branch(&ends, exec, &deps);
        ends.last[step->branch] = (long)i;
        error = keep_deps(runtime, exec, step, &deps);
        exec->count = i + 1;
    }
    return error != cudaSuccess ? error : make_branches(runtime, exec, &ends);
}

static void free_steps(struct cdp_runtime *runtime, struct exec *exec)
{
    for (size_t i = 0; i < exec->count; i++) {
        if (exec->steps[i].event != 0) {
            (void)!cdp_event_destroy(runtime->streams, exec->steps[i].event);
        }
        cdp_free(exec->steps[i].deps);
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
    for (unsigned i = 1; i < MOST_BRANCHES; i++) {
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

/* Pending launches do not refer to the executable graph: their streams have copies. */
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle)
{
    struct cdp_runtime *runtime;
    struct exec *exec;
    cudaError_t error = enter(handle, &runtime, &exec);
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
    cudaError_t error = enter(handle, &runtime, &exec);
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
    uint64_t stream; /* of branch 0 */
};

static uint64_t stream_of(const struct launching *at, unsigned branch)
{
    return branch == 0 ? at->stream : at->exec->streams[branch];
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

/* The branches start after what is before the launch. */
static enum cdp_status start(const struct launching *at)
{
    struct cdp_streams *streams = at->runtime->streams;
    enum cdp_status status = come_after_latest(at);
    if (status == CDP_OK && at->exec->branches > 1) {
        status = cdp_event_record(streams, at->exec->begin, at->stream);
    }
    for (unsigned i = 1; i < at->exec->branches && status == CDP_OK; i++) {
        status = cdp_stream_wait_event(streams, at->exec->streams[i], at->exec->begin);
    }
    return status;
}

static enum cdp_status queue_step(const struct launching *at, const struct step *step)
{
    struct cdp_streams *streams = at->runtime->streams;
    uint64_t stream = stream_of(at, step->branch);
    enum cdp_status status = CDP_OK;
    for (size_t i = 0; i < step->dep_count && status == CDP_OK; i++) {
        status = cdp_stream_wait_event(streams, stream, at->exec->steps[step->deps[i]].event);
    }
    if (status == CDP_OK) {
        status = cdp_work_submit(at->runtime, stream, step->work);
    }
    return status == CDP_OK && step->event != 0 ? cdp_event_record(streams, step->event, stream)
                                                : status;
}

/* Each branch's last step has an event. */
static enum cdp_status join(const struct launching *at)
{
    uint64_t last[MOST_BRANCHES] = {0};
    for (size_t i = 0; i < at->exec->count; i++) {
        last[at->exec->steps[i].branch] = at->exec->steps[i].event;
    }
    enum cdp_status status = CDP_OK;
    for (unsigned i = 1; i < at->exec->branches && status == CDP_OK; i++) {
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
    cudaError_t error = enter(handle, &runtime, &exec);
    if (error != cudaSuccess) {
        return error;
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_refuses_stream(stream, &error)) {
        return error;
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
    cudaError_t error = enter(handle, &runtime, &exec);
    return error != cudaSuccess ? error : cudaStreamGetFlags(stream, &flags);
}
