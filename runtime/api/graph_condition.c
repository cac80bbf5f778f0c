/* Conditional nodes: conditions, bodies, and how they run.
 *
 * A conditional node is a hold of its stream (stream/stream.h). When its turn comes, the value of
 * its condition chooses a body. The steps of the body go into streams of the executable graph, and
 * after them a brief call. This call either queues the body once more, for a loop, or ends the
 * hold. No thread waits. */
#include "api/graph_condition.h"

#include <stdatomic.h>

#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/graph.h"
#include "api/graph_plan.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "base/handle.h"
#include "base/lock.h"
#include "exec/report/fault.h"
#include "exec/report/profile.h"

enum { CONDITION_TAG = 0x43 /* 'C' */ };

/* Life: counted; owned by the graph for which it was made, and by nodes. */
struct cdp_condition {
    uint64_t handle;
    unsigned refs;  /* guarded by the lock below */
    uint64_t graph; /* handle: const; nodes of this graph and of bodies in it may use it */
    unsigned initial;
    bool is_assigned; /* each launch of the graph assigns initial */
    /* Relaxed: the work that sets it comes before the node that reads it. */
    _Atomic unsigned value;
    _Atomic unsigned runs; /* nodes of executable graphs that have it; relaxed, too */
};

static struct {
    struct cdp_lock lock; /* guards the table */
    struct cdp_handle_table conditions;
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_GRAPHS), .conditions = {.tag = CONDITION_TAG}};

/* ---- Conditions ---- */

/* The condition with one more reference; NULL: there is none. */
static struct cdp_condition *take(cudaGraphConditionalHandle handle)
{
    cdp_lock_acquire(&all.lock);
    struct cdp_condition *condition = cdp_handle_find(&all.conditions, handle);
    if (condition != NULL) {
        condition->refs++;
    }
    cdp_lock_release(&all.lock);
    return condition;
}

static void drop(struct cdp_condition *condition)
{
    cdp_lock_acquire(&all.lock);
    bool is_last = --condition->refs == 0;
    if (is_last) {
        (void)cdp_handle_remove(&all.conditions, condition->handle);
    }
    cdp_lock_release(&all.lock);
    if (is_last) {
        cdp_free(condition);
    }
}

void cdp_graph_drop_conditions(struct cdp_graph *graph)
{
    for (size_t i = 0; i < graph->condition_count; i++) {
        drop(graph->conditions[i]);
    }
    cdp_free(graph->conditions);
    graph->conditions = NULL;
    graph->condition_count = 0;
}

bool cdp_condition_set(cudaGraphConditionalHandle handle, unsigned value)
{
    cdp_lock_acquire(&all.lock);
    struct cdp_condition *condition = cdp_handle_find(&all.conditions, handle);
    bool is_used =
        condition != NULL && atomic_load_explicit(&condition->runs, memory_order_relaxed) != 0;
    if (is_used) {
        atomic_store_explicit(&condition->value, value, memory_order_relaxed);
    }
    cdp_lock_release(&all.lock);
    return is_used;
}

static cudaError_t make(struct cdp_graph *graph, const struct cdp_condition *like, uint64_t *handle)
{
    size_t size = (graph->condition_count + 1) * sizeof(struct cdp_condition *);
    struct cdp_condition **larger = cdp_realloc(graph->conditions, size);
    struct cdp_condition *made = larger != NULL ? cdp_alloc(sizeof *made) : NULL;
    graph->conditions = larger != NULL ? larger : graph->conditions;
    if (made == NULL) {
        return cudaErrorMemoryAllocation;
    }
    *made = *like;
    cdp_lock_acquire(&all.lock);
    made->handle = *handle = cdp_handle_create(&all.conditions, made);
    cdp_lock_release(&all.lock);
    if (made->handle == 0) {
        cdp_free(made);
        return cudaErrorMemoryAllocation;
    }
    graph->conditions[graph->condition_count++] = made;
    return cudaSuccess;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int initial, unsigned int flags)
{
    CDP_PROFILE_CALL();
    struct cdp_graph *found;
    cudaError_t error = cdp_graph_enter(graph, &found);
    if (error != cudaSuccess) {
        return error;
    }
    if (handle == NULL || (flags & ~(unsigned)cudaGraphCondAssignDefault) != 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_condition like = {.refs = 1,
                                 .graph = found->handle,
                                 .initial = initial,
                                 .is_assigned = flags == cudaGraphCondAssignDefault};
    uint64_t made = 0;
    error = make(found, &like, &made);
    *handle = made;
    return error != cudaSuccess ? cdp_api_fail(error) : cudaSuccess;
}

/* ---- Graphs with conditional nodes ---- */

/* NULL: the node is of another type. */
static const struct cdp_conditional *conditional_of(const struct cdp_node *node)
{
    return node->work.type == cudaGraphNodeTypeConditional ? node->work.conditional : NULL;
}

bool cdp_graph_has_conditions(const struct cdp_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        if (conditional_of(graph->nodes[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static bool has_node_of(const struct cdp_graph *graph, const struct cdp_condition *condition)
{
    bool has = false;
    for (size_t i = 0; i < graph->count && !has; i++) {
        const struct cdp_conditional *conditional = conditional_of(graph->nodes[i]);
        has = conditional != NULL && conditional->condition == condition;
        for (unsigned k = 0; conditional != NULL && k < conditional->size && !has; k++) {
            has = has_node_of(conditional->bodies[k], condition);
        }
    }
    return has;
}

bool cdp_graph_uses_conditions(const struct cdp_graph *graph)
{
    bool uses = true;
    for (size_t i = 0; i < graph->condition_count && uses; i++) {
        uses = has_node_of(graph, graph->conditions[i]);
    }
    for (size_t i = 0; i < graph->count && uses; i++) {
        const struct cdp_conditional *conditional = conditional_of(graph->nodes[i]);
        for (unsigned k = 0; conditional != NULL && k < conditional->size && uses; k++) {
            uses = cdp_graph_uses_conditions(conditional->bodies[k]);
        }
    }
    return uses;
}

/* Of a body, also within its child graphs. */
static bool is_valid_body(const struct cdp_graph *body)
{
    bool is = true;
    for (size_t i = 0; i < body->count && is; i++) {
        const struct cdp_work *work = &body->nodes[i]->work;
        switch ((int)work->type) {
        case cudaGraphNodeTypeKernel:
        case cudaGraphNodeTypeMemcpy:
        case cudaGraphNodeTypeMemset:
        case cudaGraphNodeTypeEmpty:
        case cudaGraphNodeTypeConditional:
            break;
        case cudaGraphNodeTypeGraph:
            is = is_valid_body(work->child);
            break;
        default:
            is = false;
            break;
        }
    }
    return is;
}

bool cdp_graph_bodies_may_run(const struct cdp_graph *graph)
{
    bool has = true;
    for (size_t i = 0; i < graph->count && has; i++) {
        const struct cdp_conditional *conditional = conditional_of(graph->nodes[i]);
        for (unsigned k = 0; conditional != NULL && k < conditional->size && has; k++) {
            has = is_valid_body(conditional->bodies[k]) &&
                  cdp_graph_bodies_may_run(conditional->bodies[k]);
        }
    }
    return has;
}

void cdp_work_set_outer(const struct cdp_work *work, struct cdp_graph *outer)
{
    if (work->type == cudaGraphNodeTypeGraph) {
        work->child->outer = outer;
    } else if (work->type == cudaGraphNodeTypeConditional) {
        for (unsigned i = 0; i < work->conditional->size; i++) {
            work->conditional->bodies[i]->outer = outer;
        }
    }
}

/* ---- Nodes ---- */

/* Plans of the bodies, and the state of the node while it runs.
 * Life: from cdp_conditional_plan to cdp_conditional_free. Launches of one executable graph do not
 * overlap, so one state is enough. */
struct cdp_conditional_run {
    struct cdp_engine_task task;         /* the first member; see end_failed */
    struct cdp_conditional *conditional; /* const: owns it */
    const struct cdp_plan *queued;       /* the latest body's */
    struct cdp_runtime *runtime;
    unsigned device;        /* the current one when it was made */
    struct cdp_plan *plans; /* owned: one for each body */
    unsigned plan_count;
    uint64_t stream;          /* handle: of the bodies' branch 0; 0: not made */
    struct cdp_command *hold; /* while the node runs */
    bool has_run;             /* a body has run since the node began */
    _Atomic int phase;        /* enum phase */
};

/* Whether a body is complete may be known while it is still being queued. */
enum phase {
    QUEUING,  /* a thread is in go_on and continues there */
    PENDING,  /* the thread has left go_on: the end of the body continues */
    COMPLETE, /* the body has ended while it was queued */
};

static void free_run(struct cdp_conditional_run *run)
{
    struct cdp_runtime *runtime = run->runtime;
    for (unsigned i = 0; i < run->plan_count; i++) {
        cdp_plan_finish(runtime, &run->plans[i]);
    }
    if (run->stream != 0) {
        (void)!cdp_stream_destroy(runtime->streams, run->stream);
    }
    cdp_free(run->plans);
    cdp_free(run);
}

static void count_run(struct cdp_condition *condition, unsigned change)
{
    atomic_fetch_add_explicit(&condition->runs, change, memory_order_relaxed);
}

void cdp_conditional_free(struct cdp_conditional *conditional)
{
    if (conditional->run != NULL) {
        count_run(conditional->condition, -1U);
        free_run(conditional->run);
    }
    for (unsigned i = 0; i < conditional->size; i++) {
        if (conditional->bodies != NULL && conditional->bodies[i] != NULL) {
            cdp_graph_free(conditional->bodies[i]);
        }
    }
    drop(conditional->condition);
    cdp_free(conditional->bodies);
    cdp_free(conditional->handles);
    cdp_free(conditional);
}

/* like: of which the bodies are copies; NULL: they are empty. Takes over the reference to the
 * condition. NULL if there is no memory. */
static struct cdp_conditional *make_conditional(const struct cdp_conditional *with,
                                                const struct cdp_conditional *like)
{
    struct cdp_conditional *made = cdp_alloc_zero(sizeof *made);
    if (made == NULL) {
        drop(with->condition);
        return NULL;
    }
    made->condition = with->condition;
    made->type = with->type;
    made->size = with->size;
    made->bodies = cdp_alloc_zero((size_t)with->size * sizeof(struct cdp_graph *));
    made->handles = cdp_alloc_zero((size_t)with->size * sizeof(cudaGraph_t));
    bool is_made = made->bodies != NULL && made->handles != NULL;
    for (unsigned i = 0; i < with->size && is_made; i++) {
        struct cdp_graph *body = like != NULL ? cdp_graph_copy(like->bodies[i]) : cdp_graph_new();
        made->bodies[i] = body;
        is_made = body != NULL;
        if (is_made) {
            body->is_owned = body->is_body = true;
            made->handles[i] = cdp_graph_handle(body);
        }
    }
    if (!is_made) {
        cdp_conditional_free(made);
        return NULL;
    }
    return made;
}

struct cdp_conditional *cdp_conditional_copy(const struct cdp_conditional *conditional)
{
    struct cdp_conditional with = *conditional;
    with.condition = take(conditional->condition->handle);
    return make_conditional(&with, conditional);
}

void cdp_conditional_swap(struct cdp_conditional *a, struct cdp_conditional *b)
{
    struct cdp_condition *condition = a->condition;
    a->condition = b->condition;
    b->condition = condition;
    unsigned runs = (a->run != NULL) - (unsigned)(b->run != NULL);
    count_run(a->condition, runs);
    count_run(b->condition, -runs);
}

static bool is_valid(const struct cudaConditionalNodeParams *params)
{
    switch ((int)params->type) {
    case cudaGraphCondTypeIf:
        return params->size == 1 || params->size == 2;
    case cudaGraphCondTypeWhile:
        return params->size == 1;
    case cudaGraphCondTypeSwitch:
        return params->size > 0;
    default:
        return false;
    }
}

/* The graph for which the condition was made, if it is this one or one of which this is a body;
 * else NULL. */
static const struct cdp_graph *owner_of(const struct cdp_condition *condition,
                                        const struct cdp_graph *graph)
{
    while (graph != NULL && graph->handle != condition->graph) {
        graph = graph->outer;
    }
    return graph;
}

cudaError_t cdp_work_of_conditional(const struct cdp_graph *graph,
                                    const struct cudaConditionalNodeParams *params,
                                    struct cdp_work *out)
{
    *out = (struct cdp_work){.type = cudaGraphNodeTypeConditional};
    if (graph->is_owned && !graph->is_body) { /* a child graph has no conditional nodes */
        return cudaErrorNotSupported;
    }
    struct cdp_condition *condition = is_valid(params) ? take(params->handle) : NULL;
    if (condition == NULL) {
        return cudaErrorInvalidValue;
    }
    const struct cdp_graph *owner = owner_of(condition, graph);
    if (owner == NULL || has_node_of(owner, condition)) { /* a condition has one node */
        drop(condition);
        return cudaErrorInvalidValue;
    }
    struct cdp_conditional with = {
        .condition = condition, .type = params->type, .size = params->size};
    out->conditional = make_conditional(&with, NULL);
    return out->conditional != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* ---- Launches ---- */

cudaError_t cdp_conditional_plan(struct cdp_runtime *runtime, struct cdp_conditional *conditional)
{
    struct cdp_conditional_run *run = cdp_alloc_zero(sizeof *run);
    if (run == NULL) {
        return cudaErrorMemoryAllocation;
    }
    conditional->run = run;
    count_run(conditional->condition, 1);
    run->conditional = conditional;
    run->runtime = runtime;
    run->device = cdp_device_number;
    run->plans = cdp_alloc_zero(conditional->size * sizeof *run->plans);
    if (run->plans == NULL) {
        return cudaErrorMemoryAllocation;
    }
    run->plan_count = conditional->size;
    struct cdp_stream_traits traits = {.device = cdp_device_number,
                                       .flags = CDP_STREAM_NON_BLOCKING};
    cudaError_t error = cdp_error_of(cdp_stream_create(runtime->streams, &traits, &run->stream));
    for (unsigned i = 0; i < run->plan_count && error == cudaSuccess; i++) {
        error = cdp_plan_make(runtime, conditional->bodies[i], &run->plans[i]);
    }
    return error;
}

/* The plan of the body that is to run now; NULL: none. After a fault of the device kernels do not
 * run, and would not end a loop. */
static const struct cdp_plan *choose(const struct cdp_conditional *conditional)
{
    const struct cdp_conditional_run *run = conditional->run;
    unsigned value = atomic_load_explicit(&conditional->condition->value, memory_order_relaxed);
    bool is_loop = conditional->type == cudaGraphCondTypeWhile;
    if ((run->has_run && !is_loop) ||
        cdp_engine_fault(run->runtime->engine, run->device, NULL) != CDP_OK) {
        return NULL;
    }
    unsigned body = conditional->type == cudaGraphCondTypeSwitch ? value : value == 0;
    return body < conditional->size ? &run->plans[body] : NULL;
}

static bool go_on(struct cdp_conditional *conditional);

/* At the end of a body. */
static void body_ended(void *data)
{
    struct cdp_conditional *conditional = *(struct cdp_conditional **)data;
    struct cdp_conditional_run *run = conditional->run;
    struct cdp_command *hold = run->hold;
    if (atomic_exchange(&run->phase, COMPLETE) == PENDING && go_on(conditional)) {
        /* Now the program may end the executable graph. */
        cdp_stream_end_hold(hold);
    }
}

static struct cdp_plan_launch launch_of(const struct cdp_conditional_run *run)
{
    return (struct cdp_plan_launch){.runtime = run->runtime,
                                    .plan = run->queued,
                                    .stream = run->stream,
                                    .service = {.hold = run->hold}};
}

static enum cdp_status queue_end(struct cdp_conditional *conditional)
{
    const struct cdp_conditional_run *run = conditional->run;
    struct cdp_stream_call end = {
        .run = body_ended, .data = &conditional, .size = sizeof conditional, .brief = true};
    return cdp_stream_call(run->runtime->streams, run->stream, &end);
}

/* Steps that are queued cannot be taken back, and refer to the graph. So the end of the body must
 * come after them. Tries this again and again: commands that end free their memory. */
static void end_failed(struct cdp_engine_task *task)
{
    struct cdp_conditional_run *run = (struct cdp_conditional_run *)(void *)task;
    struct cdp_engine *engine = run->runtime->engine;
    struct cdp_plan_launch launch = launch_of(run);
    if (cdp_plan_gather(&launch) != CDP_OK || queue_end(run->conditional) != CDP_OK) {
        cdp_engine_run_task(engine, task);
    }
}

static void queue_body(struct cdp_conditional *conditional, const struct cdp_plan *plan)
{
    struct cdp_conditional_run *run = conditional->run;
    struct cdp_engine *engine = run->runtime->engine;
    run->queued = plan;
    struct cdp_plan_launch launch = launch_of(run);
    if (cdp_plan_launch(&launch) != CDP_OK || queue_end(conditional) != CDP_OK) {
        cdp_fault_set(engine, run->device, CDP_FAULT_LAUNCH, "%s",
                      "no memory to queue the body of a conditional node of a graph");
        run->task.run = end_failed;
        cdp_engine_run_task(engine, &run->task);
    }
}

/* Queues bodies until one is pending; then the end of that one continues. True: no body is to run
 * any more. */
static bool go_on(struct cdp_conditional *conditional)
{
    struct cdp_conditional_run *run = conditional->run;
    const struct cdp_plan *plan;
    while ((plan = choose(conditional)) != NULL) {
        run->has_run = true;
        atomic_store(&run->phase, QUEUING);
        queue_body(conditional, plan);
        if (atomic_exchange(&run->phase, PENDING) == QUEUING) {
            return false; /* another thread may have continued already */
        }
    }
    return true;
}

static bool begin(void *data, struct cdp_command *hold)
{
    struct cdp_conditional *conditional = *(struct cdp_conditional **)data;
    conditional->run->hold = hold;
    conditional->run->has_run = false;
    return go_on(conditional);
}

enum cdp_status cdp_conditional_queue(struct cdp_conditional *conditional, uint64_t stream)
{
    struct cdp_stream_call call = {
        .begin = begin, .data = &conditional, .size = sizeof conditional};
    return cdp_stream_call(conditional->run->runtime->streams, stream, &call);
}

static void reset(const struct cdp_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        const struct cdp_conditional *conditional = conditional_of(graph->nodes[i]);
        if (conditional == NULL) {
            continue;
        }
        struct cdp_condition *condition = conditional->condition;
        if (condition->is_assigned) {
            atomic_store_explicit(&condition->value, condition->initial, memory_order_relaxed);
        }
        for (unsigned k = 0; k < conditional->size; k++) {
            reset(conditional->bodies[k]);
        }
    }
}

static void run_reset(void *data)
{
    reset(*(const struct cdp_graph **)data);
}

enum cdp_status cdp_conditions_queue_reset(struct cdp_runtime *runtime, uint64_t stream,
                                           const struct cdp_graph *graph)
{
    struct cdp_stream_call call = {
        .run = run_reset, .data = &graph, .size = sizeof graph, .brief = true};
    return cdp_stream_call(runtime->streams, stream, &call);
}
