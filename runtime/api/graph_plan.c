/* Plans: from nodes to streams and events.
 *
 * A graph's nodes become steps, in an order in which each comes after its dependencies. Child
 * graphs are replaced by their nodes. Each step has a branch, which is a stream: a node follows one
 * of its dependencies in that one's branch if possible. Branch 0 is a stream of the caller, the
 * others belong to the plan. Events order the steps of different branches.
 *
 *     A -> B -> D        branch 0: A B D
 *     A -> C -> D        branch 1: C, which waits for A's event; D waits for C's
 *
 * Operations of NCCL wait for each other, so those of several ranks in one graph must not be put
 * into an order. In such a graph each step comes after its dependencies only.
 *
 * A conditional node is one step. The graphs of its bodies have plans of their own. */
#include "api/graph_plan.h"

#include "api/error.h"
#include "api/graph.h"
#include "api/graph_condition.h"
#include "api/graph_updatable.h"
#include "api/library_work.h"
#include "api/runtime.h"
#include "base/alloc.h"

#include <string.h>

enum {
    NO_STEP = -1,
    /* More branches need more events, and more streams make nothing faster. A step that finds no
     * branch then comes after one that it does not depend on. */
    USUAL_BRANCHES = 8,
};

struct cdp_step {
    const struct cdp_work *work; /* of the executable graph's own copy of the graph */
    size_t *deps;                /* owned: indices of steps of other branches */
    size_t dep_count;
    long before; /* the step before it in its branch; NO_STEP: none */
    unsigned branch;
    uint64_t event; /* handle; 0: no other branch waits for it */
};

/* ---- Steps ---- */

/* The graph with its child graphs as one list. While steps are made. */
struct flat {
    struct cdp_node **nodes; /* owned; a child graph's node comes after the child's nodes */
    size_t count, capacity;
    bool has_library; /* a node of a library, which waits for others */
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
    flat->has_library |= node->work.type == CDP_NODE_LIBRARY;
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
    cudaError_t error = cdp_graph_sort(graph, order);
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
    bool *is_before; /* owned by the caller; room for each step */
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
    long last[CDP_MOST_BRANCHES]; /* NO_STEP: none */
    unsigned count;
    bool is_strict; /* a step comes after its dependencies only */
};

/* Marks in deps->is_before all steps that a new step, the count-th, comes after. */
static void mark_before(const struct cdp_plan *plan, const struct dep_list *deps, size_t count)
{
    memset(deps->is_before, 0, count * sizeof(bool));
    for (size_t i = 0; i < deps->count; i++) {
        deps->is_before[deps->items[i]] = true;
    }
    for (size_t i = count; i-- > 0;) { /* each step's own dependencies have smaller numbers */
        const struct cdp_step *step = &plan->steps[i];
        for (size_t k = 0; deps->is_before[i] && k < step->dep_count; k++) {
            deps->is_before[step->deps[k]] = true;
        }
        if (deps->is_before[i] && step->before != NO_STEP) {
            deps->is_before[step->before] = true;
        }
    }
}

/* A branch whose last step the new one comes after, perhaps by way of others. CDP_MOST_BRANCHES:
 * there is none. */
static unsigned find_ended(const struct branch_ends *ends, const struct cdp_plan *plan,
                           const struct dep_list *deps)
{
    mark_before(plan, deps, plan->count);
    for (unsigned i = 0; i < ends->count; i++) {
        if (ends->last[i] != NO_STEP && deps->is_before[ends->last[i]]) {
            return i;
        }
    }
    return CDP_MOST_BRANCHES;
}

/* The branch of a dependency that is its branch's last step; else a new branch, or the one whose
 * last step is the earliest. CDP_MOST_BRANCHES: there are no more. */
static unsigned choose_branch(struct branch_ends *ends, const struct cdp_plan *plan,
                              const struct dep_list *deps)
{
    for (size_t i = 0; i < deps->count; i++) {
        unsigned branch = plan->steps[deps->items[i]].branch;
        if (ends->last[branch] == (long)deps->items[i]) {
            return branch;
        }
    }
    if (ends->count < USUAL_BRANCHES) {
        return ends->count++;
    }
    if (ends->is_strict) {
        unsigned ended = find_ended(ends, plan, deps);
        return ended == CDP_MOST_BRANCHES && ends->count < CDP_MOST_BRANCHES ? ends->count++
                                                                             : ended;
    }
    unsigned oldest = 0;
    for (unsigned i = 1; i < ends->count; i++) {
        oldest = ends->last[i] < ends->last[oldest] ? i : oldest;
    }
    return oldest;
}

static cudaError_t make_event(struct cdp_runtime *runtime, uint64_t *event)
{
    if (*event != 0) {
        return cudaSuccess;
    }
    return cdp_error_of(
        cdp_event_create(runtime->streams, CDP_ALL_DEVICES, CDP_EVENT_DISABLE_TIMING, event));
}

/* Keeps the dependencies of other branches, whose steps get events. */
static cudaError_t keep_deps(struct cdp_runtime *runtime, struct cdp_plan *plan,
                             struct cdp_step *step, const struct dep_list *deps)
{
    step->deps = cdp_alloc((deps->count + 1) * sizeof *step->deps);
    cudaError_t error = step->deps == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
    for (size_t i = 0; i < deps->count && error == cudaSuccess; i++) {
        struct cdp_step *other = &plan->steps[deps->items[i]];
        if (other->branch != step->branch) {
            step->deps[step->dep_count++] = deps->items[i];
            error = make_event(runtime, &other->event);
        }
    }
    return error;
}

static cudaError_t make_branches(struct cdp_runtime *runtime, struct cdp_plan *plan,
                                 const struct branch_ends *ends)
{
    cudaError_t error = cudaSuccess;
    plan->branches = ends->count;
    for (unsigned i = 1; i < ends->count && error == cudaSuccess; i++) {
        if (plan->streams[i] == 0) {
            struct cdp_stream_traits traits = {.device = cdp_device_number,
                                               .flags = CDP_STREAM_NON_BLOCKING};
            error = cdp_error_of(cdp_stream_create(runtime->streams, &traits, &plan->streams[i]));
        }
        if (error == cudaSuccess) {
            error = make_event(runtime, &plan->steps[ends->last[i]].event);
        }
    }
    if (error == cudaSuccess && ends->count > 1) {
        error = make_event(runtime, &plan->begin);
    }
    return error;
}

static cudaError_t plan_steps(struct cdp_runtime *runtime, struct cdp_plan *plan,
                              const struct flat *flat, const struct dep_list *room)
{
    struct branch_ends ends = {.count = 1, .is_strict = flat->has_library};
    for (unsigned i = 0; i < CDP_MOST_BRANCHES; i++) {
        ends.last[i] = NO_STEP;
    }
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < flat->count && error == cudaSuccess; i++) {
        struct dep_list deps = *room;
        struct cdp_step *step = &plan->steps[i];
        collect_deps(flat->nodes[i], &deps);
        step->work = &flat->nodes[i]->work;
        step->branch = i == 0 ? 0 : choose_branch(&ends, plan, &deps);
        if (step->branch == CDP_MOST_BRANCHES) {
            return cudaErrorNotSupported;
        }
        step->before = ends.last[step->branch];
        ends.last[step->branch] = (long)i;
        error = keep_deps(runtime, plan, step, &deps);
        plan->count = i + 1;
    }
    return error != cudaSuccess ? error : make_branches(runtime, plan, &ends);
}

void cdp_plan_finish(struct cdp_runtime *runtime, struct cdp_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->steps[i].event != 0) {
            (void)!cdp_event_destroy(runtime->streams, plan->steps[i].event);
        }
        cdp_free(plan->steps[i].deps);
    }
    cdp_free(plan->steps);
    for (unsigned i = 1; i < CDP_MOST_BRANCHES; i++) {
        if (plan->streams[i] != 0) {
            (void)!cdp_stream_destroy(runtime->streams, plan->streams[i]);
        }
    }
    if (plan->begin != 0) {
        (void)!cdp_event_destroy(runtime->streams, plan->begin);
    }
    *plan = (struct cdp_plan){.steps = NULL};
}

static cudaError_t make_steps(struct cdp_runtime *runtime, const struct flat *flat,
                              struct cdp_plan *plan)
{
    struct dep_list room = {.items = cdp_alloc((flat->count + 1) * sizeof *room.items),
                            .is_before = cdp_alloc((flat->count + 1) * sizeof(bool))};
    plan->steps = cdp_alloc_zero((flat->count + 1) * sizeof *plan->steps);
    bool has_memory = room.items != NULL && room.is_before != NULL && plan->steps != NULL;
    cudaError_t error =
        has_memory ? plan_steps(runtime, plan, flat, &room) : cudaErrorMemoryAllocation;
    cdp_free(room.items);
    cdp_free(room.is_before);
    return error;
}

/* The bodies of conditional nodes, and nodes that kernels change. */
static cudaError_t plan_inner(struct cdp_runtime *runtime, const struct flat *flat)
{
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < flat->count && error == cudaSuccess; i++) {
        if (flat->nodes[i]->work.type == cudaGraphNodeTypeConditional) {
            error = cdp_conditional_plan(runtime, flat->nodes[i]->work.conditional);
        } else if (flat->nodes[i]->work.type == cudaGraphNodeTypeKernel &&
                   flat->nodes[i]->work.launch.updatable != NULL) {
            error = cdp_updatable_bind(runtime, &flat->nodes[i]->work);
        }
    }
    return error;
}

cudaError_t cdp_plan_make(struct cdp_runtime *runtime, const struct cdp_graph *graph,
                          struct cdp_plan *plan)
{
    struct flat flat = {.nodes = NULL};
    cudaError_t error = flatten(graph, &flat);
    error = error != cudaSuccess ? error : make_steps(runtime, &flat, plan);
    error = error != cudaSuccess ? error : plan_inner(runtime, &flat);
    cdp_free(flat.nodes);
    return error;
}

/* ---- Launches ---- */

static uint64_t stream_of(const struct cdp_plan_launch *at, unsigned branch)
{
    return branch == 0 ? at->stream : at->plan->streams[branch];
}

/* The branches start after what is before the launch. */
static enum cdp_status start(const struct cdp_plan_launch *at)
{
    struct cdp_streams *streams = at->runtime->streams;
    enum cdp_status status = CDP_OK;
    for (unsigned i = 0; i < at->plan->branches && at->service.hold != NULL && status == CDP_OK;
         i++) {
        status = cdp_stream_serve_hold(streams, stream_of(at, i), &at->service);
    }
    if (status == CDP_OK && at->plan->branches > 1) {
        status = cdp_event_record(streams, at->plan->begin, at->stream);
    }
    for (unsigned i = 1; i < at->plan->branches && status == CDP_OK; i++) {
        status = cdp_stream_wait_event(streams, at->plan->streams[i], at->plan->begin);
    }
    return status;
}

/* The host did not launch the kernels of a hold, so the checks of its launches leave them out. */
static enum cdp_status submit(const struct cdp_plan_launch *at, uint64_t stream,
                              const struct cdp_work *work)
{
    if (work->type == cudaGraphNodeTypeKernel && work->launch.updatable != NULL) {
        return cdp_updatable_queue(work->launch.updatable, stream, at->environment);
    }
    if (at->service.hold == NULL || work->type != cudaGraphNodeTypeKernel || work->is_disabled) {
        return cdp_work_submit(at->runtime, stream, work);
    }
    struct cdp_launch launch = work->launch.order;
    launch.environment = at->environment;
    return cdp_stream_launch(at->runtime->streams, stream, &launch);
}

static enum cdp_status queue_step(const struct cdp_plan_launch *at, const struct cdp_step *step)
{
    struct cdp_streams *streams = at->runtime->streams;
    uint64_t stream = stream_of(at, step->branch);
    enum cdp_status status = CDP_OK;
    for (size_t i = 0; i < step->dep_count && status == CDP_OK; i++) {
        status = cdp_stream_wait_event(streams, stream, at->plan->steps[step->deps[i]].event);
    }
    if (status == CDP_OK) {
        status = submit(at, stream, step->work);
    }
    return status == CDP_OK && step->event != 0 ? cdp_event_record(streams, step->event, stream)
                                                : status;
}

/* Each branch's last step has an event. */
static enum cdp_status join(const struct cdp_plan_launch *at)
{
    uint64_t last[CDP_MOST_BRANCHES]; /* only those of the plan's branches are set */
    for (size_t i = 0; at->plan->branches > 1 && i < at->plan->count; i++) {
        last[at->plan->steps[i].branch] = at->plan->steps[i].event;
    }
    enum cdp_status status = CDP_OK;
    for (unsigned i = 1; i < at->plan->branches && status == CDP_OK; i++) {
        status = cdp_stream_wait_event(at->runtime->streams, at->stream, last[i]);
    }
    return status;
}

enum cdp_status cdp_plan_launch(const struct cdp_plan_launch *at)
{
    enum cdp_status status = start(at);
    for (size_t i = 0; i < at->plan->count && status == CDP_OK; i++) {
        status = queue_step(at, &at->plan->steps[i]);
    }
    return status == CDP_OK ? join(at) : status;
}

enum cdp_status cdp_plan_gather(const struct cdp_plan_launch *at)
{
    struct cdp_streams *streams = at->runtime->streams;
    enum cdp_status status = CDP_OK;
    for (unsigned i = 1; i < at->plan->branches && status == CDP_OK; i++) {
        status = cdp_event_record(streams, at->plan->begin, at->plan->streams[i]);
        status =
            status == CDP_OK ? cdp_stream_wait_event(streams, at->stream, at->plan->begin) : status;
    }
    return status;
}
