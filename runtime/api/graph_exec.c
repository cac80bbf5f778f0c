/* Executable graphs: their life and their launches.
 *
 * An executable graph is a copy of a graph, with a plan (graph_plan.c) of how to put its nodes into
 * streams. A launch queues all steps of the plan. The next launch of the same graph waits until
 * they are complete. */
#include "cuda_runtime_api.h"

#include "api/capture.h"
#include "api/devices.h"
#include "api/error.h"
#include "api/graph.h"
#include "api/graph_condition.h"
#include "api/graph_memory.h"
#include "api/graph_plan.h"
#include "api/graph_run.h"
#include "api/graph_updatable.h"
#include "api/handle.h"
#include "api/leak.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "base/handle.h"
#include "base/lock.h"
#include "exec/report/profile.h"

enum { EXEC_TAG = 0x58 /* 'X' */ };

/* What kernels launch if the executable graph was changed after its upload. */
struct kept {
    struct cdp_graph *graph; /* owned: a copy from before the changes */
    struct cdp_plan plan;
};

/* Life: from cudaGraphInstantiate to cudaGraphExecDestroy. */
struct exec {
    uint64_t handle;
    unsigned device;         /* the current one when it was made: its streams are there */
    struct cdp_graph *graph; /* owned: a copy; its nodes know those of which they are copies */
    unsigned long long flags;
    struct cdp_plan plan;
    uint64_t done;   /* event: the latest launch is complete; see come_after_latest */
    uint64_t latest; /* handle: the stream of the latest launch */
    bool was_launched, has_memory;
    bool has_conditions;       /* it has conditional nodes: pending launches refer to it */
    bool has_updatables;       /* it has kernel nodes that kernels change */
    struct cdp_graph_run *run; /* owned; NULL: its kernels launch no graphs, nor do others it */
    struct kept *kept;         /* owned; or NULL */
    struct exec *next;         /* while all are freed */
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

/* Other pending launches do not refer to the graph: the streams have copies. */
static bool is_referred_to(const struct exec *exec)
{
    return exec->has_conditions || exec->has_updatables || exec->run != NULL;
}

static void wait_for_host_launches(struct cdp_runtime *runtime, const struct exec *exec)
{
    if (is_referred_to(exec) && exec->was_launched) {
        (void)!cdp_event_synchronize(runtime->streams, exec->done);
    }
}

static void free_kept(struct cdp_runtime *runtime, struct kept *kept)
{
    if (kept == NULL) {
        return;
    }
    cdp_plan_finish(runtime, &kept->plan);
    if (kept->graph != NULL) {
        cdp_graph_free(kept->graph);
    }
    cdp_free(kept);
}

/* NULL: no memory, or kernels change nodes of the graph, which a copy would not have. */
static struct kept *make_kept(struct cdp_runtime *runtime, const struct exec *exec)
{
    struct kept *kept = exec->has_updatables ? NULL : cdp_alloc_zero(sizeof *kept);
    if (kept == NULL) {
        return NULL;
    }
    unsigned device = cdp_device_number;
    cdp_device_number = exec->device; /* that of the plan's streams */
    kept->graph = cdp_graph_copy(exec->graph);
    cudaError_t error = cudaErrorMemoryAllocation;
    if (kept->graph != NULL) {
        kept->graph->is_owned = true;
        error = cdp_plan_make(runtime, kept->graph, &kept->plan);
    }
    cdp_device_number = device;
    if (error != cudaSuccess) {
        free_kept(runtime, kept);
        kept = NULL;
    }
    return kept;
}

/* Kernels launch what was uploaded, as on an H100. Waits until no launch by a kernel refers to the
 * graph itself. After an earlier change none does. */
static void keep_uploaded(struct cdp_runtime *runtime, struct exec *exec)
{
    struct kept *kept = NULL;
    if (cdp_graph_run_is_current(exec->run)) {
        kept = make_kept(runtime, exec);
    } else if (exec->kept != NULL) {
        return;
    }
    cdp_graph_run_settle(exec->run, kept != NULL ? &kept->plan : NULL);
    free_kept(runtime, exec->kept);
    exec->kept = kept;
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

void cdp_exec_settle(cudaGraphExec_t handle)
{
    struct cdp_runtime *runtime;
    struct exec *exec;
    if (enter(handle, &runtime, &exec) == cudaSuccess) {
        wait_for_host_launches(runtime, exec);
        if (exec->run != NULL) {
            keep_uploaded(runtime, exec);
        }
    }
}

/* ---- Life ---- */

static void free_exec(struct cdp_runtime *runtime, struct exec *exec)
{
    if (exec->run != NULL) {
        cdp_graph_run_free(exec->run);
    }
    free_kept(runtime, exec->kept);
    cdp_plan_finish(runtime, &exec->plan);
    if (exec->done != 0) {
        (void)!cdp_event_destroy(runtime->streams, exec->done);
    }
    if (exec->graph != NULL) {
        cdp_graph_free(exec->graph);
    }
    cdp_free(exec);
}

/* Registers it. From then on kernels may name it. */
static cudaError_t publish(struct cdp_runtime *runtime, struct exec *exec)
{
    cdp_lock_acquire(&all.lock);
    exec->handle = cdp_handle_create(&all.execs, exec);
    cdp_lock_release(&all.lock);
    cudaError_t error = exec->handle == 0 ? cudaErrorMemoryAllocation : cudaSuccess;
    struct cdp_graph_run *run = NULL;
    if (error == cudaSuccess && (exec->flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
        struct cdp_graph_run_traits traits = {
            .plan = &exec->plan, .exec = exec->handle, .device = exec->device};
        error = cdp_graph_run_make(runtime, &traits, &run);
    }
    cdp_lock_acquire(&all.lock);
    exec->run = run;
    if (error != cudaSuccess && exec->handle != 0) {
        cdp_handle_remove(&all.execs, exec->handle);
    }
    cdp_lock_release(&all.lock);
    return error;
}

static cudaError_t make_exec(struct cdp_runtime *runtime, const struct cdp_graph *graph,
                             unsigned long long flags, struct exec **out)
{
    struct exec *exec = cdp_alloc_zero(sizeof *exec);
    if (exec == NULL) {
        return cudaErrorMemoryAllocation;
    }
    exec->device = cdp_device_number;
    exec->flags = flags;
    exec->graph = cdp_graph_copy(graph);
    cudaError_t error = cudaErrorMemoryAllocation;
    if (exec->graph != NULL) {
        exec->graph->is_owned = true;
        exec->has_memory = cdp_graph_has_memory(exec->graph);
        exec->has_conditions = cdp_graph_has_conditions(exec->graph);
        exec->has_updatables = cdp_graph_has_updatables(exec->graph);
        error = cdp_plan_make(runtime, exec->graph, &exec->plan);
    }
    if (error == cudaSuccess) {
        error = cdp_error_of(cdp_event_create(runtime->streams, CDP_ALL_DEVICES,
                                              CDP_EVENT_DISABLE_TIMING, &exec->done));
    }
    error = error != cudaSuccess ? error : publish(runtime, exec);
    if (error != cudaSuccess) {
        free_exec(runtime, exec);
        return error;
    }
    *out = exec;
    return cudaSuccess;
}

/* Of a graph with memory or conditional nodes, or with nodes that kernels change, only one
 * executable graph exists at a time: it owns the memory, and kernels name conditions and nodes by
 * handles of the graph. */
static cudaError_t may_instantiate(const struct cdp_graph *graph)
{
    bool is_only = cdp_graph_has_conditions(graph) || graph->condition_count != 0 ||
                   cdp_graph_has_updatables(graph) || cdp_graph_has_memory(graph);
    if (graph->is_body) {
        return cudaErrorNotSupported;
    }
    if (!cdp_graph_uses_conditions(graph) || !cdp_graph_bodies_may_run(graph)) {
        return cudaErrorInvalidValue;
    }
    cdp_lock_acquire(&all.lock);
    bool has_exec = cdp_handle_find(&all.execs, graph->exec) != NULL;
    cdp_lock_release(&all.lock);
    return is_only && has_exec ? cudaErrorNotSupported : cudaSuccess;
}

/* Flags that exclude each other, or are unknown. */
static bool are_valid(unsigned long long flags)
{
    const unsigned long long known =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
        cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
    const unsigned long long either =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagDeviceLaunch;
    return (flags & ~known) == 0 && (flags & either) != either;
}

/* Whether it is possible. obstacle: why not. */
static cudaError_t check_graph(const struct cdp_graph *graph, unsigned long long flags,
                               struct cdp_graph_obstacle *obstacle)
{
    *obstacle = (struct cdp_graph_obstacle){.result = cudaGraphInstantiateError};
    if (graph == NULL || !are_valid(flags)) {
        return cudaErrorInvalidValue;
    }
    cudaError_t error = may_instantiate(graph);
    if (error != cudaSuccess) {
        obstacle->result = cdp_graph_uses_conditions(graph)
                               ? cudaGraphInstantiateError
                               : cudaGraphInstantiateConditionalHandleUnused;
        return error;
    }
    bool is_for_kernels = (flags & cudaGraphInstantiateFlagDeviceLaunch) != 0;
    return is_for_kernels && !cdp_graph_may_be_launched(graph, obstacle) ? cudaErrorInvalidValue
                                                                         : cudaSuccess;
}

static cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t handle, unsigned long long flags,
                               const void *site, struct cdp_graph_obstacle *obstacle)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_capture_enter_unsafe(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    struct cdp_graph *graph = exec != NULL ? cdp_graph_find(handle) : NULL;
    struct exec *made = NULL;
    error = check_graph(graph, flags, obstacle);
    error = error != cudaSuccess ? error : make_exec(runtime, graph, flags, &made);
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    graph->exec = made->handle;
    if (made->run != NULL && (flags & cudaGraphInstantiateFlagUpload) != 0) {
        cdp_graph_run_upload(made->run);
    }
    cdp_leak_made(CDP_LEAK_EXEC, made->handle, site);
    *exec = (cudaGraphExec_t)(void *)(uintptr_t)made->handle;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    CDP_PROFILE_CALL();
    struct cdp_graph_obstacle unused;
    if ((flags & cudaGraphInstantiateFlagUpload) != 0) { /* no stream is named for it */
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return instantiate(exec, graph, flags, __builtin_return_address(0), &unused);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params)
{
    CDP_PROFILE_CALL();
    if (params == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_graph_obstacle obstacle = {.result = cudaGraphInstantiateError};
    cudaError_t error =
        instantiate(exec, graph, params->flags, __builtin_return_address(0), &obstacle);
    params->errNode_out = obstacle.node != NULL ? cdp_node_handle(obstacle.node) : NULL;
    params->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess : obstacle.result;
    return error;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct exec *exec;
    cudaError_t error = enter(handle, &runtime, &exec);
    if (error != cudaSuccess) {
        return error;
    }
    cdp_leak_freed(exec->handle);
    cdp_lock_acquire(&all.lock);
    cdp_handle_remove(&all.execs, exec->handle); /* now no kernel launches it any more */
    cdp_lock_release(&all.lock);
    wait_for_host_launches(runtime, exec);
    if (exec->run != NULL) {
        cdp_graph_run_settle(exec->run, NULL);
    }
    free_exec(runtime, exec);
    return cudaSuccess;
}

/* The executable graphs of a device. */
struct taken {
    unsigned device;
    struct exec *list;
};

static bool take(void *object, void *arg)
{
    struct exec *exec = object;
    struct taken *taken = arg;
    if (exec->device != taken->device) {
        return false;
    }
    exec->next = taken->list;
    taken->list = exec;
    return true;
}

void cdp_execs_reset(struct cdp_runtime *runtime, unsigned device)
{
    struct taken taken = {.device = device};
    cdp_lock_acquire(&all.lock);
    cdp_handle_clear(&all.execs, take, &taken);
    cdp_lock_release(&all.lock);
    struct exec *list = taken.list;
    while (list != NULL) {
        struct exec *next = list->next;
        free_exec(runtime, list);
        list = next;
    }
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long *flags)
{
    CDP_PROFILE_CALL();
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

/* The launch comes after the latest one of the graph. In the same stream it does so anyway. In
 * another one it waits for all that the former stream has now. */
static enum cdp_status come_after_latest(struct cdp_streams *streams, const struct exec *exec,
                                         uint64_t stream)
{
    if (!exec->was_launched || (exec->latest == stream && !cdp_stream_is_per_thread(stream))) {
        return CDP_OK;
    }
    if (!cdp_stream_is_per_thread(exec->latest) &&
        cdp_event_record(streams, exec->done, exec->latest) != CDP_OK) { /* it was destroyed */
        cdp_streams_synchronize(streams, CDP_ALL_DEVICES);
        return CDP_OK;
    }
    return cdp_stream_wait_event(streams, stream, exec->done);
}

static enum cdp_status queue_all(struct cdp_runtime *runtime, struct exec *exec, uint64_t stream)
{
    struct cdp_plan_launch at = {.runtime = runtime, .plan = &exec->plan, .stream = stream};
    enum cdp_status status = CDP_OK;
    if (exec->has_conditions) {
        status = cdp_conditions_queue_reset(runtime, stream, exec->graph);
    }
    if (status != CDP_OK) {
        return status;
    }
    return exec->run != NULL ? cdp_graph_run_queue(exec->run, stream) : cdp_plan_launch(&at);
}

/* Kernels of a graph may launch others although none launches this one. So if there are others, it
 * gets an environment. */
static enum cdp_status prepare(struct cdp_runtime *runtime, struct exec *exec)
{
    if (CDP_LIKELY(!cdp_graph_run_exists()) || exec->run != NULL ||
        !cdp_graph_may_launch(exec->graph)) {
        return CDP_OK;
    }
    struct cdp_graph_run_traits traits = {.plan = &exec->plan, .device = exec->device};
    struct cdp_graph_run *run;
    if (cdp_graph_run_make(runtime, &traits, &run) != cudaSuccess) {
        return CDP_NO_MEMORY;
    }
    cdp_lock_acquire(&all.lock);
    exec->run = run;
    cdp_lock_release(&all.lock);
    return CDP_OK;
}

static enum cdp_status queue(struct cdp_runtime *runtime, struct exec *exec, uint64_t stream)
{
    enum cdp_status status = prepare(runtime, exec);
    if (status != CDP_OK) {
        return status;
    }
    status = prepare(runtime, exec);
    if (status != CDP_OK) {
        return status;
    }
    status = come_after_latest(runtime->streams, exec, stream);
    status = status == CDP_OK ? queue_all(runtime, exec, stream) : status;
    exec->was_launched = true;
    exec->latest = stream;
    /* Another thread names a stream of its own by the same handle. */
    bool records = cdp_stream_is_per_thread(stream) || is_referred_to(exec);
    if (status == CDP_OK && records) {
        status = cdp_event_record(runtime->streams, exec->done, stream);
    }
    if (status != CDP_OK && is_referred_to(exec)) { /* what was queued must end before the graph */
        cdp_streams_synchronize(runtime->streams, CDP_ALL_DEVICES);
    }
    return status;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
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
    enum cdp_status status = queue(runtime, exec, cdp_handle_of_stream(stream));
    cdp_engine_lend(runtime->engine); /* the program may poll without another call */
    return cdp_api_return(status);
}

/* Nothing is prepared on the device. From now on kernels may launch the graph; the arguments are
 * checked. */
cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    struct exec *exec;
    unsigned flags;
    cudaError_t error = enter(handle, &runtime, &exec);
    error = error != cudaSuccess ? error : cudaStreamGetFlags(stream, &flags);
    if (error == cudaSuccess && exec->run != NULL) {
        cdp_graph_run_upload(exec->run);
    }
    return error;
}

/* Why kernels cannot launch it, if they cannot. */
static const char *why_not(const struct exec *exec, const struct cdp_graph_launch *launch)
{
    if (exec == NULL) {
        return "this is no executable graph, or it was destroyed";
    }
    return launch->is_fault
               ? "the graph was instantiated without cudaGraphInstantiateFlagDeviceLaunch"
               : "the kernel is no node of a graph, or of one that has host functions or events, "
                 "or no graph was instantiated with cudaGraphInstantiateFlagDeviceLaunch when this "
                 "one was launched";
}

cudaError_t cdp_exec_launch(uint64_t handle, struct cdp_graph_launch *launch)
{
    cdp_lock_acquire(&all.lock);
    const struct exec *exec = cdp_handle_find(&all.execs, handle);
    struct cdp_graph_run *run = exec != NULL ? exec->run : NULL;
    cudaError_t error = cudaErrorInvalidValue;
    launch->is_fault = exec != NULL && (exec->flags & cudaGraphInstantiateFlagDeviceLaunch) == 0;
    launch->reason = why_not(exec, launch);
    if (launch->by != NULL && run != NULL && !launch->is_fault) {
        error = cdp_graph_run_admit(run, launch);
    }
    cdp_lock_release(&all.lock);
    /* It is pending, so it lives. */
    if (error == cudaSuccess && launch->way != CDP_GRAPH_TAIL) {
        cdp_graph_run_start(run);
    }
    return error;
}
