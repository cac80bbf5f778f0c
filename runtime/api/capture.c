/* Stream capture.
 *
 * A captured stream has a set of nodes: what the next node comes after. A new node comes after all
 * of them, and becomes the set. An event that is recorded takes the set; a stream that waits for it
 * adds the event's set to its own, and so joins the capture. */
#include "api/capture.h"

#include <pthread.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/copy.h"
#include "api/error.h"
#include "api/graph.h"
#include "api/graph_memory.h"
#include "api/handle.h"
#include "api/leak.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "base/lock.h"

/* Nodes, each once. */
struct node_set {
    struct cdp_node **items; /* owned */
    size_t count;
};

/* A stream or an event of a capture. */
struct member {
    struct member *next;
    uint64_t key; /* the stream's or event's handle */
    struct node_set after;
};

/* Life: from cudaStreamBeginCapture to cudaStreamEndCapture. */
struct capture {
    struct capture *next;
    unsigned long long id;
    struct cdp_graph *graph; /* owned, unless the program gave it */
    bool is_given;
    size_t first_node; /* of a given graph: nodes from this index on are captured */
    enum cudaStreamCaptureMode mode;
    pthread_t thread;
    bool is_blocking; /* the stream takes part in the NULL stream's barrier */
    bool is_invalid;
    uint64_t origin; /* the key of the stream where it began */
    struct member *streams, *events;
};

static struct {
    struct cdp_lock lock; /* guards the list, the captures and their graphs */
    struct capture *first;
    unsigned long long last_id;
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_CAPTURE)};
_Atomic uint32_t cdp_capture_count;

static __thread enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

/* ---- Sets ---- */

static bool has(const struct node_set *set, const struct cdp_node *node)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i] == node) {
            return true;
        }
    }
    return false;
}

static bool add_to(struct node_set *set, struct cdp_node *const *nodes, size_t count)
{
    struct cdp_node **items =
        cdp_realloc(set->items, (set->count + count + 1) * sizeof(struct cdp_node *));
    if (items == NULL) {
        return false;
    }
    set->items = items;
    for (size_t i = 0; i < count; i++) {
        if (!has(set, nodes[i])) {
            set->items[set->count++] = nodes[i];
        }
    }
    return true;
}

static bool replace(struct node_set *set, struct cdp_node *const *nodes, size_t count)
{
    set->count = 0;
    return add_to(set, nodes, count);
}

/* ---- Members ---- */

/* Each thread has its own stream under the same handle. */
static uint64_t key_of(cudaStream_t stream)
{
    static __thread char own;
    uint64_t handle = cdp_handle_of_stream(stream);
    return handle == CDP_STREAM_PER_THREAD ? (uintptr_t)&own : handle;
}

static bool is_legacy(cudaStream_t stream)
{
    return cdp_handle_of_stream(stream) <= CDP_STREAM_LEGACY;
}

static struct member *find(struct member *list, uint64_t key)
{
    while (list != NULL && list->key != key) {
        list = list->next;
    }
    return list;
}

static struct member *find_or_add(struct member **list, uint64_t key)
{
    struct member *member = find(*list, key);
    if (member == NULL && (member = cdp_alloc_zero(sizeof *member)) != NULL) {
        member->key = key;
        member->next = *list;
        *list = member;
    }
    return member;
}

/* The capture of which the stream is a part, and its member; NULL: none. */
static struct capture *capture_of(uint64_t key, struct member **member) CDP_NEEDS(&all.lock)
{
    for (struct capture *at = all.first; at != NULL; at = at->next) {
        *member = find(at->streams, key);
        if (*member != NULL) {
            return at;
        }
    }
    *member = NULL;
    return NULL;
}

static struct capture *capture_of_event(uint64_t key, struct member **member) CDP_NEEDS(&all.lock)
{
    for (struct capture *at = all.first; at != NULL; at = at->next) {
        *member = find(at->events, key);
        if (*member != NULL) {
            return at;
        }
    }
    *member = NULL;
    return NULL;
}

static void free_members(struct member *list)
{
    while (list != NULL) {
        struct member *next = list->next;
        cdp_free(list->after.items);
        cdp_free(list);
        list = next;
    }
}

/* ---- Calls that captures do not permit ---- */

/* Whether calls of this thread that may wait for other work are refused for the capture's sake. */
static bool forbids_unsafe(const struct capture *capture)
{
    if (thread_mode == cudaStreamCaptureModeRelaxed ||
        capture->mode == cudaStreamCaptureModeRelaxed) {
        return false;
    }
    bool is_own = pthread_equal(capture->thread, pthread_self()) != 0;
    return is_own || (capture->mode == cudaStreamCaptureModeGlobal &&
                      thread_mode == cudaStreamCaptureModeGlobal);
}

/* Invalidates the captures for which the test holds. False: there is none. */
static bool invalidate_if(bool (*is_hurt)(const struct capture *))
{
    bool found = false;
    cdp_lock_acquire(&all.lock);
    for (struct capture *at = all.first; at != NULL; at = at->next) {
        if (is_hurt(at)) {
            at->is_invalid = true;
            found = true;
        }
    }
    cdp_lock_release(&all.lock);
    return found;
}

static bool is_any(const struct capture *capture)
{
    (void)capture;
    return true;
}

static bool is_behind_legacy(const struct capture *capture)
{
    return capture->is_blocking;
}

cudaError_t cdp_capture_refuse_unsafe(void)
{
    return invalidate_if(forbids_unsafe) ? cdp_api_fail(cudaErrorStreamCaptureUnsupported)
                                         : cudaErrorNotReady;
}

cudaError_t cdp_capture_refuse_device(void)
{
    return invalidate_if(is_any) ? cdp_api_fail(cudaErrorStreamCaptureUnsupported)
                                 : cudaErrorNotReady;
}

/* Work in the legacy NULL stream would wait for captured streams. */
static cudaError_t refuse_legacy(void)
{
    return invalidate_if(is_behind_legacy) ? cdp_api_fail(cudaErrorStreamCaptureImplicit)
                                           : cudaErrorNotReady;
}

cudaError_t cdp_capture_refuse_stream(cudaStream_t stream)
{
    if (is_legacy(stream)) {
        return refuse_legacy();
    }
    struct member *member;
    cdp_lock_acquire(&all.lock);
    struct capture *capture = capture_of(key_of(stream), &member);
    if (capture != NULL) {
        capture->is_invalid = true;
    }
    cdp_lock_release(&all.lock);
    return capture != NULL ? cdp_api_fail(cudaErrorStreamCaptureUnsupported) : cudaErrorNotReady;
}

cudaError_t cdp_capture_refuse_event(cudaEvent_t event)
{
    struct member *member;
    cdp_lock_acquire(&all.lock);
    struct capture *capture = capture_of_event(cdp_handle_of_event(event), &member);
    if (capture != NULL) {
        capture->is_invalid = true;
    }
    cdp_lock_release(&all.lock);
    return capture != NULL ? cdp_api_fail(cudaErrorCapturedEvent) : cudaErrorNotReady;
}

/* ---- Calls that become nodes ---- */

/* Adds a node after what the stream's next work comes after. Takes over what the work owns. */
static cudaError_t add_node(cudaStream_t stream, struct cdp_work *work) CDP_NEEDS(&all.lock)
{
    struct member *member;
    struct cdp_node *node;
    struct capture *capture = capture_of(key_of(stream), &member);
    if (capture == NULL) {
        return cudaErrorNotReady;
    }
    if (capture->is_invalid) {
        return cudaErrorStreamCaptureInvalidated;
    }
    cudaError_t error =
        cdp_graph_add(capture->graph, member->after.items, member->after.count, work, &node);
    if (error == cudaSuccess && !replace(&member->after, &node, 1)) {
        error = cudaErrorMemoryAllocation;
    }
    capture->is_invalid |= error != cudaSuccess;
    return error;
}

/* The same with the lock, and with the last error; frees the work if it was not taken over. */
static cudaError_t capture_work(cudaStream_t stream, struct cdp_work *work)
{
    if (is_legacy(stream)) {
        cdp_work_free(work);
        return refuse_legacy();
    }
    cdp_lock_acquire(&all.lock);
    cudaError_t error = add_node(stream, work);
    cdp_lock_release(&all.lock);
    if (error != cudaSuccess) {
        cdp_work_free(work);
    }
    return error == cudaSuccess || error == cudaErrorNotReady ? error : cdp_api_fail(error);
}

static bool is_capturing(cudaStream_t stream)
{
    struct member *member;
    cdp_lock_acquire(&all.lock);
    bool is = capture_of(key_of(stream), &member) != NULL;
    cdp_lock_release(&all.lock);
    return is;
}

cudaError_t cdp_capture_launch(cudaStream_t stream, const struct cdp_work_launch *launch,
                               void *const *args, const void *site)
{
    struct cdp_work work = {.type = cudaGraphNodeTypeEmpty};
    if (is_legacy(stream) || !is_capturing(stream)) {
        return is_legacy(stream) ? refuse_legacy() : cudaErrorNotReady;
    }
    cudaError_t error = cdp_work_of_launch(launch, args, &work);
    work.site = site;
    return error != cudaSuccess ? cdp_api_fail(error) : capture_work(stream, &work);
}

/* A call that waits by itself takes its turn in the legacy stream. */
cudaError_t cdp_capture_transfer(const struct cdp_copy_order *order,
                                 const struct cdp_transfer *transfer)
{
    if (!order->is_async) {
        return refuse_legacy();
    }
    struct cdp_work work;
    cdp_work_of_transfer(transfer, &work);
    return capture_work(order->stream, &work);
}

cudaError_t cdp_capture_host_call(cudaStream_t stream, const struct cudaHostNodeParams *params)
{
    if (params == NULL) {
        return cdp_capture_refuse_stream(stream);
    }
    struct cdp_work work = {.type = cudaGraphNodeTypeHost, .host = *params};
    return capture_work(stream, &work);
}

cudaError_t cdp_capture_alloc(cudaStream_t stream, size_t size, const void *site, void **ptr)
{
    if (is_legacy(stream) || !is_capturing(stream)) {
        return is_legacy(stream) ? refuse_legacy() : cudaErrorNotReady;
    }
    struct cdp_work work;
    cudaError_t error = ptr == NULL ? cudaErrorInvalidValue : cdp_work_of_alloc(size, site, &work);
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    void *address = cdp_graph_memory_address(work.memory);
    error = capture_work(stream, &work);
    *ptr = error == cudaSuccess ? address : *ptr;
    return error;
}

cudaError_t cdp_capture_free(cudaStream_t stream, const void *ptr)
{
    if (is_legacy(stream) || !is_capturing(stream)) {
        return is_legacy(stream) ? refuse_legacy() : cudaErrorNotReady;
    }
    struct cdp_work work;
    cudaError_t error = cdp_work_of_free(ptr, &work);
    return error != cudaSuccess ? cdp_api_fail(error) : capture_work(stream, &work);
}

/* ---- Events ---- */

static cudaError_t record(cudaStream_t stream, uint64_t event) CDP_NEEDS(&all.lock)
{
    struct member *member, *old;
    struct capture *capture = capture_of(key_of(stream), &member);
    struct capture *former = capture_of_event(event, &old);
    if (former != NULL && former != capture) { /* a new record replaces the captured one */
        old->key = 0;
    }
    if (capture == NULL) {
        return cudaErrorNotReady;
    }
    if (capture->is_invalid) {
        return cudaErrorStreamCaptureInvalidated;
    }
    struct member *taken = find_or_add(&capture->events, event);
    return taken != NULL && replace(&taken->after, member->after.items, member->after.count)
               ? cudaSuccess
               : cudaErrorMemoryAllocation;
}

static cudaError_t failed(cudaError_t error)
{
    return error == cudaSuccess || error == cudaErrorNotReady ? error : cdp_api_fail(error);
}

cudaError_t cdp_capture_record(cudaStream_t stream, cudaEvent_t event, bool is_external)
{
    if (is_external) {
        struct cdp_work work = {.type = cudaGraphNodeTypeEventRecord,
                                .event = cdp_handle_of_event(event)};
        return capture_work(stream, &work);
    }
    if (is_legacy(stream)) {
        return refuse_legacy();
    }
    cdp_lock_acquire(&all.lock);
    cudaError_t error = record(stream, cdp_handle_of_event(event));
    cdp_lock_release(&all.lock);
    return failed(error);
}

/* was_recorded: the event, outside of captures. */
static cudaError_t wait(cudaStream_t stream, uint64_t event, bool was_recorded) CDP_NEEDS(&all.lock)
{
    struct member *member, *source;
    struct capture *capture = capture_of(key_of(stream), &member);
    struct capture *from = capture_of_event(event, &source);
    if (from == NULL) { /* captured work must not depend on other work */
        if (capture == NULL || !was_recorded) {
            return capture == NULL ? cudaErrorNotReady : cudaSuccess;
        }
        capture->is_invalid = true;
        return cudaErrorStreamCaptureIsolation;
    }
    if (from->is_invalid || (capture != NULL && capture->is_invalid)) {
        return cudaErrorStreamCaptureInvalidated;
    }
    if (capture != NULL && capture != from) {
        capture->is_invalid = from->is_invalid = true;
        return cudaErrorStreamCaptureMerge;
    }
    struct member *joined = find_or_add(&from->streams, key_of(stream));
    return joined != NULL && add_to(&joined->after, source->after.items, source->after.count)
               ? cudaSuccess
               : cudaErrorMemoryAllocation;
}

cudaError_t cdp_capture_wait(cudaStream_t stream, cudaEvent_t event, bool is_external)
{
    if (is_external) {
        struct cdp_work work = {.type = cudaGraphNodeTypeWaitEvent,
                                .event = cdp_handle_of_event(event)};
        return capture_work(stream, &work);
    }
    if (is_legacy(stream)) {
        return refuse_legacy();
    }
    struct cdp_streams *streams = cdp_runtime_running()->streams;
    bool was_recorded = cdp_event_was_recorded(streams, cdp_handle_of_event(event));
    cdp_lock_acquire(&all.lock);
    cudaError_t error = wait(stream, cdp_handle_of_event(event), was_recorded);
    cdp_lock_release(&all.lock);
    return failed(error);
}

/* ---- Begin ---- */

/* Makes the capture, with the nodes that its first node comes after. */
static cudaError_t begin(struct capture *capture, struct cdp_node *const *needs, size_t need_count)
{
    struct member *member;
    cdp_lock_acquire(&all.lock);
    bool is_free = capture_of(capture->origin, &member) == NULL;
    member = is_free ? find_or_add(&capture->streams, capture->origin) : NULL;
    bool is_made = member != NULL && add_to(&member->after, needs, need_count);
    if (is_made) {
        capture->id = ++all.last_id;
        capture->next = all.first;
        all.first = capture;
        atomic_fetch_add_explicit(&cdp_capture_count, 1, memory_order_relaxed);
    }
    cdp_lock_release(&all.lock);
    return is_made ? cudaSuccess : is_free ? cudaErrorMemoryAllocation : cudaErrorIllegalState;
}

static void free_capture(struct capture *capture)
{
    free_members(capture->streams);
    free_members(capture->events);
    cdp_free(capture);
}

/* graph: the program's; NULL: a new one. */
static cudaError_t begin_in(cudaStream_t stream, struct cdp_graph *graph,
                            struct cdp_node *const *needs, size_t need_count,
                            enum cudaStreamCaptureMode mode)
{
    unsigned flags;
    cudaError_t error = cudaStreamGetFlags(stream, &flags);
    if (error != cudaSuccess) {
        return error;
    }
    if (is_legacy(stream)) {
        return cdp_api_fail(cudaErrorStreamCaptureUnsupported);
    }
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct capture *capture = cdp_alloc_zero(sizeof *capture);
    if (capture == NULL) {
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    *capture = (struct capture){.graph = graph != NULL ? graph : cdp_graph_new(),
                                .is_given = graph != NULL,
                                .first_node = graph != NULL ? graph->count : 0,
                                .mode = mode,
                                .thread = pthread_self(),
                                .is_blocking = (flags & cudaStreamNonBlocking) == 0,
                                .origin = key_of(stream)};
    error = capture->graph == NULL ? cudaErrorMemoryAllocation : begin(capture, needs, need_count);
    if (error != cudaSuccess) {
        if (!capture->is_given && capture->graph != NULL) {
            cdp_graph_free(capture->graph);
        }
        free_capture(capture);
    }
    return error != cudaSuccess ? cdp_api_fail(error) : cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    return begin_in(stream, NULL, NULL, 0, mode);
}

/* The nodes of handles, which are of the graph; NULL: some are not, or there is no memory. */
static struct cdp_node **nodes_of(const struct cdp_graph *graph, const cudaGraphNode_t *handles,
                                  size_t count)
{
    struct cdp_node **nodes = cdp_alloc((count + 1) * sizeof(struct cdp_node *));
    for (size_t i = 0; i < count && nodes != NULL; i++) {
        nodes[i] = cdp_node_find(handles[i]);
        if (nodes[i] == NULL || nodes[i]->graph != graph) {
            cdp_free(nodes);
            nodes = NULL;
        }
    }
    return nodes;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *deps,
                                          const cudaGraphEdgeData *edges, size_t dep_count,
                                          enum cudaStreamCaptureMode mode)
{
    struct cdp_graph *found = cdp_graph_find(graph);
    if (found == NULL || edges != NULL || (dep_count > 0 && deps == NULL)) {
        return cdp_api_fail(edges != NULL ? cudaErrorNotSupported : cudaErrorInvalidValue);
    }
    struct cdp_node **needs = nodes_of(found, deps, dep_count);
    if (needs == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    cudaError_t error = begin_in(stream, found, needs, dep_count, mode);
    cdp_free(needs);
    return error;
}

/* ---- End ---- */

static void mark(const struct cdp_node *node, bool *reached)
{
    if (!reached[node->index]) {
        reached[node->index] = true;
        for (size_t i = 0; i < node->need_count; i++) {
            mark(node->needs[i], reached);
        }
    }
}

/* Whether all captured work comes before what the first stream would do next. */
static bool is_joined(const struct capture *capture, const struct node_set *end)
{
    bool *reached = cdp_alloc_zero(capture->graph->count + 1);
    for (size_t i = 0; i < end->count && reached != NULL; i++) {
        mark(end->items[i], reached);
    }
    bool is = reached != NULL;
    for (size_t i = capture->first_node; i < capture->graph->count && is; i++) {
        is = reached[i];
    }
    cdp_free(reached);
    return is;
}

/* The error with which the capture ends. */
static cudaError_t verdict(const struct capture *capture, const struct member *member)
{
    bool is_own = pthread_equal(capture->thread, pthread_self()) != 0;
    if (capture->mode != cudaStreamCaptureModeRelaxed && !is_own) {
        return cudaErrorStreamCaptureWrongThread;
    }
    if (capture->is_invalid) {
        return cudaErrorStreamCaptureInvalidated;
    }
    return is_joined(capture, &member->after) ? cudaSuccess : cudaErrorStreamCaptureUnjoined;
}

static void unlink_capture(const struct capture *capture) CDP_NEEDS(&all.lock)
{
    struct capture **at = &all.first;
    while (*at != capture) {
        at = &(*at)->next;
    }
    *at = capture->next;
    atomic_fetch_sub_explicit(&cdp_capture_count, 1, memory_order_relaxed);
}

/* Streams that have joined may be destroyed: their work is in the graph. */
void cdp_capture_forget(cudaStream_t stream)
{
    struct member *member;
    cdp_lock_acquire(&all.lock);
    struct capture *capture = capture_of(key_of(stream), &member);
    bool is_over = capture != NULL && capture->origin == member->key;
    if (is_over) {
        unlink_capture(capture);
    }
    cdp_lock_release(&all.lock);
    if (is_over) {
        if (!capture->is_given) {
            cdp_graph_free(capture->graph);
        }
        free_capture(capture);
    }
}

/* Their graphs are freed with all others. */
void cdp_captures_reset(void)
{
    cdp_lock_acquire(&all.lock);
    struct capture *list = all.first;
    all.first = NULL;
    atomic_store_explicit(&cdp_capture_count, 0, memory_order_relaxed);
    cdp_lock_release(&all.lock);
    while (list != NULL) {
        struct capture *next = list->next;
        free_capture(list);
        list = next;
    }
}

/* *capture: the one that has ended, if any. */
static cudaError_t end(cudaStream_t stream, struct capture **ended) CDP_NEEDS(&all.lock)
{
    struct member *member;
    struct capture *capture = capture_of(key_of(stream), &member);
    *ended = NULL;
    if (capture == NULL) {
        return cudaErrorIllegalState;
    }
    if (capture->origin != member->key) {
        capture->is_invalid = true;
        return cudaErrorStreamCaptureUnmatched;
    }
    cudaError_t error = verdict(capture, member);
    if (error != cudaErrorStreamCaptureWrongThread) {
        unlink_capture(capture);
        *ended = capture;
    }
    return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    unsigned flags;
    cudaError_t error = cudaStreamGetFlags(stream, &flags);
    if (error != cudaSuccess || graph == NULL) {
        return error != cudaSuccess ? error : cdp_api_fail(cudaErrorInvalidValue);
    }
    struct capture *ended;
    cdp_lock_acquire(&all.lock);
    error = end(stream, &ended);
    cdp_lock_release(&all.lock);
    *graph = NULL;
    if (ended != NULL) {
        if (error == cudaSuccess) {
            *graph = cdp_graph_handle(ended->graph);
            if (!ended->is_given) {
                cdp_leak_made(CDP_LEAK_GRAPH, ended->graph->handle, __builtin_return_address(0));
            }
        } else if (!ended->is_given) {
            cdp_graph_free(ended->graph);
        }
        free_capture(ended);
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
    size_t count;
};

/* The handles of the nodes that the stream's next work comes after. They live until the calling
 * thread asks again. */
static const cudaGraphNode_t *handles_of(const struct node_set *set)
{
    static __thread cudaGraphNode_t *handles;
    cudaGraphNode_t *larger = cdp_realloc(handles, (set->count + 1) * sizeof *handles);
    if (larger == NULL) {
        return NULL;
    }
    handles = larger;
    for (size_t i = 0; i < set->count; i++) {
        handles[i] = cdp_node_handle(set->items[i]);
    }
    return handles;
}

static cudaError_t look(cudaStream_t stream, struct info *info, bool wants_deps)
{
    unsigned flags;
    cudaError_t error = cudaStreamGetFlags(stream, &flags);
    *info = (struct info){.status = cudaStreamCaptureStatusNone};
    if (error != cudaSuccess || !cdp_capture_is_on()) {
        return error;
    }
    if (is_legacy(stream)) {
        error = refuse_legacy();
        return error == cudaErrorNotReady ? cudaSuccess : error;
    }
    struct member *member;
    cdp_lock_acquire(&all.lock);
    const struct capture *capture = capture_of(key_of(stream), &member);
    if (capture != NULL) {
        info->status = capture->is_invalid ? cudaStreamCaptureStatusInvalidated
                                           : cudaStreamCaptureStatusActive;
        info->id = capture->id;
        info->graph = cdp_graph_handle(capture->graph);
        info->count = member->after.count;
        info->deps = wants_deps ? handles_of(&member->after) : NULL;
    }
    cdp_lock_release(&all.lock);
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
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

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **deps, size_t *dep_count)
{
    struct info info;
    cudaError_t error = look(stream, &info, deps != NULL);
    if (error != cudaSuccess || status == NULL) {
        return error != cudaSuccess ? error : cdp_api_fail(cudaErrorInvalidValue);
    }
    *status = info.status;
    if (info.status != cudaStreamCaptureStatusActive) {
        return cudaSuccess;
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

static cudaError_t update(cudaStream_t stream, const cudaGraphNode_t *deps, size_t count,
                          bool replaces) CDP_NEEDS(&all.lock)
{
    struct member *member;
    struct capture *capture = capture_of(key_of(stream), &member);
    if (capture == NULL) {
        return cudaErrorIllegalState;
    }
    if (capture->is_invalid) {
        return cudaErrorStreamCaptureInvalidated;
    }
    struct cdp_node **nodes = nodes_of(capture->graph, deps, count);
    if (nodes == NULL) {
        return cudaErrorInvalidValue;
    }
    bool is_done =
        replaces ? replace(&member->after, nodes, count) : add_to(&member->after, nodes, count);
    cdp_free(nodes);
    return is_done ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *deps,
                                                size_t dep_count, unsigned int flags)
{
    unsigned stream_flags;
    cudaError_t error = cudaStreamGetFlags(stream, &stream_flags);
    if (error != cudaSuccess) {
        return error;
    }
    if (flags > cudaStreamSetCaptureDependencies || (dep_count > 0 && deps == NULL)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    cdp_lock_acquire(&all.lock);
    error = update(stream, deps, dep_count, flags == cudaStreamSetCaptureDependencies);
    cdp_lock_release(&all.lock);
    return error != cudaSuccess ? cdp_api_fail(error) : cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    if (mode == NULL || (unsigned)*mode > cudaStreamCaptureModeRelaxed) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    enum cudaStreamCaptureMode old = thread_mode;
    thread_mode = *mode;
    *mode = old;
    return cudaSuccess;
}
