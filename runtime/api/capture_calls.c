/* The calls that begin and end captures, and look at them. */
#include <stdatomic.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/capture.h"
#include "api/capture_state.h"
#include "api/devices.h"
#include "api/error.h"
#include "api/graph.h"
#include "api/leak.h"
#include "base/alloc.h"
#include "exec/report/profile.h"

/* ---- Begin ---- */

/* Makes the capture, with the nodes that its first node comes after. */
static cudaError_t begin(struct cdp_capture *capture, const struct cdp_node_set *deps)
{
    struct cdp_capture_member *member;
    cdp_lock_acquire(&cdp_captures.lock);
    bool is_free = cdp_capture_of(capture->origin, &member) == NULL;
    member = is_free ? cdp_capture_member(&capture->streams, capture->origin) : NULL;
    bool is_made = member != NULL && cdp_node_set_add(&member->deps, deps);
    if (is_made) {
        capture->id = ++cdp_captures.last_id;
        capture->next = cdp_captures.first;
        cdp_captures.first = capture;
        atomic_fetch_add_explicit(&cdp_capture_count, 1, memory_order_relaxed);
    }
    cdp_lock_release(&cdp_captures.lock);
    return is_made ? cudaSuccess : is_free ? cudaErrorMemoryAllocation : cudaErrorIllegalState;
}

static void free_members(struct cdp_capture_member *list)
{
    while (list != NULL) {
        struct cdp_capture_member *next = list->next;
        cdp_capture_member_free(list);
        list = next;
    }
}

/* keeps_graph: the program gets it, or has it already. */
static void free_capture(struct cdp_capture *capture, bool keeps_graph)
{
    if (capture->graph != NULL) {
        capture->graph->is_captured = false;
        if (!keeps_graph && !capture->is_given) {
            cdp_graph_free(capture->graph);
        }
    }
    free_members(capture->streams);
    free_members(capture->events);
    cdp_free(capture);
}

/* graph: the program's; NULL: a new one. */
static cudaError_t begin_in(cudaStream_t stream, struct cdp_graph *graph,
                            const struct cdp_node_set *deps, enum cudaStreamCaptureMode mode)
{
    unsigned flags;
    cudaError_t error = cudaStreamGetFlags(stream, &flags);
    if (error != cudaSuccess) {
        return error;
    }
    if (cdp_capture_is_legacy(stream)) {
        return cdp_api_fail(cudaErrorStreamCaptureUnsupported);
    }
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_capture *capture = cdp_alloc_zero(sizeof *capture);
    if (capture == NULL) {
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    *capture = (struct cdp_capture){.graph = graph != NULL ? graph : cdp_graph_new(),
                                    .is_given = graph != NULL,
                                    .device = cdp_device_number,
                                    .devices = cdp_capture_device_bit(stream),
                                    .first_node = graph != NULL ? graph->count : 0,
                                    .mode = mode,
                                    .thread = pthread_self(),
                                    .is_blocking = (flags & cudaStreamNonBlocking) == 0,
                                    .origin = cdp_capture_key(stream)};
    error = cudaErrorMemoryAllocation;
    if (capture->graph != NULL) {
        capture->graph->is_captured = true;
        error = begin(capture, deps);
    }
    if (error != cudaSuccess) {
        free_capture(capture, false);
        return cdp_api_fail(error);
    }
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    CDP_PROFILE_CALL();
    return begin_in(stream, NULL, &(struct cdp_node_set){.count = 0}, mode);
}

/* Dependencies as a program names them. */
struct named {
    const cudaGraphNode_t *nodes;
    const cudaGraphEdgeData *edges; /* NULL: ordinary ones */
    size_t count;
};

/* out: the nodes, which are of the graph; it borrows the edges, and the caller frees the items.
 * Whether a kernel can have such edges. False: some nodes or edges are wrong, or no memory. */
static bool find_named(const struct cdp_graph *graph, const struct named *named,
                       struct cdp_node_set *out)
{
    bool are_edges = named->count == 0 || (named->nodes != NULL &&
                                           cdp_edges_check(named->edges, named->nodes, named->count,
                                                           cudaGraphNodeTypeKernel) == cudaSuccess);
    struct cdp_node **nodes =
        are_edges ? cdp_alloc((named->count + 1) * sizeof(struct cdp_node *)) : NULL;
    for (size_t i = 0; i < named->count && nodes != NULL; i++) {
        nodes[i] = cdp_node_find(named->nodes[i]);
        if (nodes[i] == NULL || nodes[i]->graph != graph) {
            cdp_free(nodes);
            nodes = NULL;
        }
    }
    *out = (struct cdp_node_set){.items = nodes,
                                 .edges = (cudaGraphEdgeData *)(uintptr_t)named->edges,
                                 .count = named->count};
    return nodes != NULL;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *deps,
                                          const cudaGraphEdgeData *edges, size_t dep_count,
                                          enum cudaStreamCaptureMode mode)
{
    CDP_PROFILE_CALL();
    struct cdp_graph *found = cdp_graph_find(graph);
    const struct named named = {.nodes = deps, .edges = edges, .count = dep_count};
    struct cdp_node_set set;
    if (found != NULL && found->is_captured) {
        return cdp_api_fail(cudaErrorIllegalState);
    }
    if (found == NULL || !find_named(found, &named, &set)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    cudaError_t error = begin_in(stream, found, &set, mode);
    cdp_free(set.items);
    return error;
}

/* ---- End ---- */

/* Whether all captured work comes before what the first stream would do next. A captured node
 * depends only on nodes with lower numbers. */
static bool is_joined(const struct cdp_capture *capture, const struct cdp_node_set *end)
{
    const struct cdp_graph *graph = capture->graph;
    bool *comes_before = cdp_alloc_zero(graph->count + 1);
    bool is = comes_before != NULL;
    for (size_t i = 0; i < end->count && is; i++) {
        comes_before[end->items[i]->index] = true;
    }
    for (size_t i = graph->count; i > capture->first_node && is; i--) {
        const struct cdp_node *node = graph->nodes[i - 1];
        is = comes_before[i - 1];
        for (size_t k = 0; k < node->dep_count; k++) {
            comes_before[node->deps[k]->index] = true;
        }
    }
    cdp_free(comes_before);
    return is;
}

/* The error with which the capture ends. */
static cudaError_t verdict(const struct cdp_capture *capture,
                           const struct cdp_capture_member *member)
{
    bool is_own = pthread_equal(capture->thread, pthread_self()) != 0;
    if (capture->mode != cudaStreamCaptureModeRelaxed && !is_own) {
        return cudaErrorStreamCaptureWrongThread;
    }
    if (capture->is_invalid) {
        return cudaErrorStreamCaptureInvalidated;
    }
    return is_joined(capture, &member->deps) ? cudaSuccess : cudaErrorStreamCaptureUnjoined;
}

static void unlink_capture(const struct cdp_capture *capture) CDP_NEEDS(&cdp_captures.lock)
{
    struct cdp_capture **at = &cdp_captures.first;
    while (*at != capture) {
        at = &(*at)->next;
    }
    *at = capture->next;
    atomic_fetch_sub_explicit(&cdp_capture_count, 1, memory_order_relaxed);
}

/* Streams that have joined may be destroyed: their work is in the graph. */
void cdp_capture_forget(cudaStream_t stream)
{
    struct cdp_capture_member *member;
    cdp_lock_acquire(&cdp_captures.lock);
    struct cdp_capture *capture = cdp_capture_of(cdp_capture_key(stream), &member);
    bool is_over = capture != NULL && capture->origin == member->key;
    if (is_over) {
        unlink_capture(capture);
    }
    cdp_lock_release(&cdp_captures.lock);
    if (is_over) {
        free_capture(capture, false);
    }
}

void cdp_captures_reset(unsigned device)
{
    struct cdp_capture *list = NULL, *next;
    cdp_lock_acquire(&cdp_captures.lock);
    for (struct cdp_capture *capture = cdp_captures.first; capture != NULL; capture = next) {
        next = capture->next;
        if (capture->device == device) {
            unlink_capture(capture);
            capture->next = list;
            list = capture;
        }
    }
    cdp_lock_release(&cdp_captures.lock);
    while (list != NULL) {
        next = list->next;
        free_capture(list, false);
        list = next;
    }
}

/* *ended: the capture that has ended, if any. One that another thread must not end ends, too. */
static cudaError_t end(cudaStream_t stream, struct cdp_capture **ended)
    CDP_NEEDS(&cdp_captures.lock)
{
    struct cdp_capture_member *member;
    struct cdp_capture *capture = cdp_capture_of(cdp_capture_key(stream), &member);
    *ended = NULL;
    if (capture == NULL) {
        return cudaErrorIllegalState;
    }
    if (capture->origin != member->key) {
        capture->is_invalid = true;
        return cudaErrorStreamCaptureUnmatched;
    }
    unlink_capture(capture);
    *ended = capture;
    return verdict(capture, member);
}

/* The program's graph is gone with an invalid capture, as on an H100. A body stays its node's.
 */
static void finish(struct cdp_capture *ended, cudaError_t error, bool keeps_graph)
{
    bool is_lost =
        error == cudaErrorStreamCaptureInvalidated && ended->is_given && !ended->graph->is_owned;
    struct cdp_graph *lost = is_lost ? ended->graph : NULL;
    free_capture(ended, keeps_graph);
    if (lost != NULL) {
        cdp_leak_freed(lost->handle);
        cdp_graph_free(lost);
    }
}

/* Without a place for the graph, a graph that the capture made is gone. An H100 does so, too. */
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    CDP_PROFILE_CALL();
    unsigned flags;
    cudaError_t error = cudaStreamGetFlags(stream, &flags);
    if (error != cudaSuccess) {
        return error;
    }
    struct cdp_capture *ended;
    cdp_lock_acquire(&cdp_captures.lock);
    error = end(stream, &ended);
    cdp_lock_release(&cdp_captures.lock);
    bool is_kept = error == cudaSuccess && graph != NULL;
    if (graph != NULL) {
        *graph = is_kept ? cdp_graph_handle(ended->graph) : NULL;
    }
    if (is_kept && !ended->is_given) {
        cdp_leak_made(CDP_LEAK_GRAPH, ended->graph->handle, __builtin_return_address(0));
    }
    if (ended != NULL) {
        finish(ended, error, is_kept);
    }
    return error != cudaSuccess ? cdp_api_fail(error) : cudaSuccess;
}

/* ---- Queries ---- */

/* What the queries return, copied under the lock. */
struct info {
    enum cudaStreamCaptureStatus status;
    unsigned long long id;
    cudaGraph_t graph;
    const cudaGraphNode_t *deps;
    const cudaGraphEdgeData *edges; /* NULL: all are ordinary */
    size_t count;
};

/* The handles of the stream's dependencies. They live until the next call for the stream, or until
 * the capture ends. */
static const cudaGraphNode_t *handles_of(struct cdp_capture_member *member)
{
    cudaGraphNode_t *larger =
        cdp_realloc(member->handles, (member->deps.count + 1) * sizeof *larger);
    if (larger == NULL) {
        return NULL;
    }
    member->handles = larger;
    for (size_t i = 0; i < member->deps.count; i++) {
        member->handles[i] = cdp_node_handle(member->deps.items[i]);
    }
    return member->handles;
}

static cudaError_t look(cudaStream_t stream, struct info *info, bool wants_deps)
{
    unsigned flags;
    cudaError_t error = cudaStreamGetFlags(stream, &flags);
    *info = (struct info){.status = cudaStreamCaptureStatusNone};
    if (error != cudaSuccess || !cdp_capture_is_on()) {
        return error;
    }
    if (cdp_capture_is_legacy(stream)) {
        return cdp_capture_refuses_legacy(&error) ? error : cudaSuccess;
    }
    struct cdp_capture_member *member;
    cdp_lock_acquire(&cdp_captures.lock);
    const struct cdp_capture *capture = cdp_capture_of(cdp_capture_key(stream), &member);
    if (capture != NULL) {
        info->status = capture->is_invalid ? cudaStreamCaptureStatusInvalidated
                                           : cudaStreamCaptureStatusActive;
        info->id = capture->id;
        info->graph = cdp_graph_handle(capture->graph);
        info->count = member->deps.count;
        info->deps = wants_deps ? handles_of(member) : NULL;
        bool are_ordinary = cdp_edges_are_ordinary(member->deps.edges, member->deps.count);
        info->edges = are_ordinary ? NULL : member->deps.edges;
    }
    cdp_lock_release(&cdp_captures.lock);
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    CDP_PROFILE_CALL();
    struct info info;
    cudaError_t error = look(stream, &info, false);
    if (error == cudaSuccess && status == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (error == cudaSuccess) {
        *status = info.status;
    }
    return error;
}

/* Edges that the program has not asked for have no data: it would take them for ordinary ones. */
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **deps,
                                        const cudaGraphEdgeData **edges, size_t *dep_count)
{
    CDP_PROFILE_CALL();
    struct info info;
    cudaError_t error = look(stream, &info, deps != NULL);
    if (error != cudaSuccess || status == NULL) {
        return error != cudaSuccess ? error : cdp_api_fail(cudaErrorInvalidValue);
    }
    *status = info.status;
    if (edges != NULL) {
        *edges = info.edges;
    }
    if (info.status != cudaStreamCaptureStatusActive) {
        return cudaSuccess;
    }
    if (deps != NULL && edges == NULL && info.edges != NULL) {
        return cdp_api_fail(cudaErrorLossyQuery);
    }
    if (id != NULL) {
        *id = info.id;
    }
    if (graph != NULL) {
        *graph = info.graph;
    }
    if (deps != NULL) {
        *deps = info.deps;
    }
    if (dep_count != NULL) {
        *dep_count = info.count;
    }
    return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **deps, size_t *dep_count)
{
    CDP_PROFILE_CALL();
    return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, deps, NULL, dep_count);
}

static cudaError_t update(cudaStream_t stream, const struct named *deps, bool replaces)
    CDP_NEEDS(&cdp_captures.lock)
{
    struct cdp_capture_member *member;
    struct cdp_capture *capture = cdp_capture_of(cdp_capture_key(stream), &member);
    if (capture == NULL) {
        return cudaErrorIllegalState;
    }
    if (capture->is_invalid) {
        return cudaErrorStreamCaptureInvalidated;
    }
    struct cdp_node_set set;
    if (!find_named(capture->graph, deps, &set)) {
        return cudaErrorInvalidValue;
    }
    bool is_done = replaces ? cdp_node_set_replace(&member->deps, &set)
                            : cdp_node_set_add(&member->deps, &set);
    cdp_free(set.items);
    return is_done ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *deps,
                                                   const cudaGraphEdgeData *edges, size_t dep_count,
                                                   unsigned int flags)
{
    CDP_PROFILE_CALL();
    unsigned stream_flags;
    cudaError_t error = cudaStreamGetFlags(stream, &stream_flags);
    if (error != cudaSuccess) {
        return error;
    }
    if (flags > cudaStreamSetCaptureDependencies || (dep_count > 0 && deps == NULL)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    const struct named named = {.nodes = deps, .edges = edges, .count = dep_count};
    cdp_lock_acquire(&cdp_captures.lock);
    error = update(stream, &named, flags == cudaStreamSetCaptureDependencies);
    cdp_lock_release(&cdp_captures.lock);
    return error != cudaSuccess ? cdp_api_fail(error) : cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *deps,
                                                size_t dep_count, unsigned int flags)
{
    CDP_PROFILE_CALL();
    return cudaStreamUpdateCaptureDependencies_v2(stream, deps, NULL, dep_count, flags);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    CDP_PROFILE_CALL();
    if (mode == NULL) { /* a value that is no mode is stored as it is */
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    enum cudaStreamCaptureMode old = cdp_capture_thread_mode;
    cdp_capture_thread_mode = *mode;
    *mode = old;
    return cudaSuccess;
}
