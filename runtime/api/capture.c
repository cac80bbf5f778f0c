/* Stream capture: the captures, and what calls of the API do while there are any. */
#include "api/capture.h"

#include <string.h>

#include "cuda_runtime_api.h"

#include "api/capture_state.h"
#include "api/copy.h"
#include "api/error.h"
#include "api/graph.h"
#include "api/graph_memory.h"
#include "api/handle.h"
#include "api/launch.h"
#include "api/library_work.h"
#include "api/memory_ops.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "exec/launch/chain.h"

struct cdp_captures cdp_captures = {.lock = CDP_LOCK_INITIAL(CDP_RANK_CAPTURE)};
_Atomic uint32_t cdp_capture_count;
__thread enum cudaStreamCaptureMode cdp_capture_thread_mode = cudaStreamCaptureModeGlobal;

/* ---- Sets of nodes ---- */

/* Room for more nodes, and for one. False: no memory. */
static bool grow(struct cdp_node_set *set, size_t more)
{
    size_t room = set->count + more + 1;
    struct cdp_node **items = cdp_realloc(set->items, room * sizeof(struct cdp_node *));
    set->items = items != NULL ? items : set->items;
    cudaGraphEdgeData *edges = items != NULL ? cdp_realloc(set->edges, room * sizeof *edges) : NULL;
    set->edges = edges != NULL ? edges : set->edges;
    return edges != NULL;
}

/* An edge is there once: two different ones to the same node become an ordinary one, which no other
 * comes before. */
static void put(struct cdp_node_set *set, struct cdp_node *node, cudaGraphEdgeData edge)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i] == node) {
            bool is_same = memcmp(&set->edges[i], &edge, sizeof edge) == 0;
            set->edges[i] = is_same ? edge : (cudaGraphEdgeData){.type = 0};
            return;
        }
    }
    set->items[set->count] = node;
    set->edges[set->count++] = edge;
}

bool cdp_node_set_add(struct cdp_node_set *set, const struct cdp_node_set *more)
{
    if (!grow(set, more->count)) {
        return false;
    }
    for (size_t i = 0; i < more->count; i++) {
        put(set, more->items[i],
            more->edges != NULL ? more->edges[i] : (cudaGraphEdgeData){.type = 0});
    }
    return true;
}

bool cdp_node_set_replace(struct cdp_node_set *set, const struct cdp_node_set *by)
{
    set->count = 0;
    return cdp_node_set_add(set, by);
}

/* ---- Streams and events of captures ---- */

uint64_t cdp_capture_key(cudaStream_t stream)
{
    static __thread char own[CDP_MOST_DEVICES];
    uint64_t handle = cdp_handle_of_stream(stream);
    return cdp_stream_is_per_thread(handle) ? (uintptr_t)&own[cdp_device_number] : handle;
}

bool cdp_capture_is_legacy(cudaStream_t stream)
{
    return cdp_stream_is_null(cdp_handle_of_stream(stream));
}

void cdp_capture_member_free(struct cdp_capture_member *member)
{
    cdp_free(member->deps.items);
    cdp_free(member->deps.edges);
    cdp_free(member->handles);
    cdp_free(member);
}

static struct cdp_capture_member *find(struct cdp_capture_member *list, uint64_t key)
{
    while (list != NULL && list->key != key) {
        list = list->next;
    }
    return list;
}

struct cdp_capture_member *cdp_capture_member(struct cdp_capture_member **list, uint64_t key)
{
    struct cdp_capture_member *member = find(*list, key);
    if (member == NULL && (member = cdp_alloc_zero(sizeof *member)) != NULL) {
        member->key = key;
        member->next = *list;
        *list = member;
    }
    return member;
}

struct cdp_capture *cdp_capture_of(uint64_t key, struct cdp_capture_member **member)
{
    *member = NULL;
    struct cdp_capture *at = cdp_captures.first;
    while (at != NULL && (*member = find(at->streams, key)) == NULL) {
        at = at->next;
    }
    return at;
}

/* The capture in which the event was recorded last; NULL: none. */
static struct cdp_capture *capture_of_event(uint64_t event, struct cdp_capture_member **member)
    CDP_NEEDS(&cdp_captures.lock)
{
    *member = NULL;
    struct cdp_capture *at = cdp_captures.first;
    while (at != NULL && (*member = find(at->events, event)) == NULL) {
        at = at->next;
    }
    return at;
}

static bool is_capturing(cudaStream_t stream)
{
    struct cdp_capture_member *member;
    cdp_lock_acquire(&cdp_captures.lock);
    bool is = cdp_capture_of(cdp_capture_key(stream), &member) != NULL;
    cdp_lock_release(&cdp_captures.lock);
    return is;
}

/* The end of a call that concerns a capture. */
static bool ends_with(cudaError_t result, cudaError_t *error)
{
    *error = result != cudaSuccess ? cdp_api_fail(result) : cudaSuccess;
    return true;
}

/* ---- Calls that invalidate captures ---- */

/* Whether calls of this thread that may wait for other work are refused for the capture's sake. */
static bool forbids_unsafe(const struct cdp_capture *capture)
{
    bool is_own = pthread_equal(capture->thread, pthread_self()) != 0;
    bool is_relaxed = cdp_capture_thread_mode == cudaStreamCaptureModeRelaxed ||
                      capture->mode == cudaStreamCaptureModeRelaxed;
    bool is_global = cdp_capture_thread_mode == cudaStreamCaptureModeGlobal &&
                     capture->mode == cudaStreamCaptureModeGlobal;
    return !is_relaxed && (is_own || is_global);
}

uint32_t cdp_capture_device_bit(cudaStream_t stream)
{
    struct cdp_stream_traits traits;
    struct cdp_streams *streams = cdp_runtime_running()->streams;
    bool is_known = cdp_stream_traits(streams, cdp_handle_of_stream(stream), &traits) == CDP_OK;
    return UINT32_C(1) << (is_known ? traits.device : cdp_device_number);
}

/* A wait for the current device, and its legacy stream, have nothing to do with other devices. */
static bool is_on_device(const struct cdp_capture *capture)
{
    return (capture->devices >> cdp_device_number & 1) != 0;
}

static bool is_blocking(const struct cdp_capture *capture)
{
    return capture->is_blocking && is_on_device(capture);
}

/* Invalidates the captures for which the test holds. False: there is none. */
static bool invalidate_if(bool (*is_hurt)(const struct cdp_capture *))
{
    bool found = false;
    cdp_lock_acquire(&cdp_captures.lock);
    for (struct cdp_capture *at = cdp_captures.first; at != NULL; at = at->next) {
        if (is_hurt(at)) {
            at->is_invalid = true;
            found = true;
        }
    }
    cdp_lock_release(&cdp_captures.lock);
    return found;
}

bool cdp_capture_refuses_unsafe(cudaError_t *error)
{
    return invalidate_if(forbids_unsafe) && ends_with(cudaErrorStreamCaptureUnsupported, error);
}

cudaError_t cdp_capture_enter_unsafe(struct cdp_runtime **out)
{
    cudaError_t error = cdp_api_enter(out);
    if (error == cudaSuccess && CDP_UNLIKELY(cdp_capture_is_on())) {
        (void)!cdp_capture_refuses_unsafe(&error);
    }
    return error;
}

bool cdp_capture_refuses_device(cudaError_t *error)
{
    return invalidate_if(is_on_device) && ends_with(cudaErrorStreamCaptureUnsupported, error);
}

bool cdp_capture_refuses_legacy(cudaError_t *error)
{
    return invalidate_if(is_blocking) && ends_with(cudaErrorStreamCaptureImplicit, error);
}

bool cdp_capture_refuses_stream(cudaStream_t stream, cudaError_t *error)
{
    if (cdp_capture_is_legacy(stream)) {
        return cdp_capture_refuses_legacy(error);
    }
    struct cdp_capture_member *member;
    cdp_lock_acquire(&cdp_captures.lock);
    struct cdp_capture *capture = cdp_capture_of(cdp_capture_key(stream), &member);
    if (capture != NULL) {
        capture->is_invalid = true;
    }
    cdp_lock_release(&cdp_captures.lock);
    return capture != NULL && ends_with(cudaErrorStreamCaptureUnsupported, error);
}

bool cdp_capture_contains(cudaStream_t stream)
{
    return !cdp_capture_is_legacy(stream) && is_capturing(stream);
}

void cdp_capture_invalidate(cudaStream_t stream)
{
    struct cdp_capture_member *member;
    cdp_lock_acquire(&cdp_captures.lock);
    struct cdp_capture *capture =
        cdp_capture_is_legacy(stream) ? NULL : cdp_capture_of(cdp_capture_key(stream), &member);
    if (capture != NULL) {
        capture->is_invalid = true;
    }
    cdp_lock_release(&cdp_captures.lock);
}

bool cdp_capture_refuses_wait(cudaStream_t stream, cudaError_t *error)
{
    return cdp_capture_refuses_stream(stream, error) || cdp_capture_refuses_unsafe(error);
}

bool cdp_capture_refuses_event(cudaEvent_t event, cudaError_t *error)
{
    struct cdp_capture_member *member;
    cdp_lock_acquire(&cdp_captures.lock);
    struct cdp_capture *capture = capture_of_event(cdp_handle_of_event(event), &member);
    if (capture != NULL) {
        capture->is_invalid = true;
    }
    cdp_lock_release(&cdp_captures.lock);
    return capture != NULL ? ends_with(cudaErrorCapturedEvent, error)
                           : cdp_capture_refuses_unsafe(error);
}

/* ---- Calls that become nodes ---- */

/* Work in a stream that is not captured: only the legacy stream may be refused. */
static bool refuses_uncaptured(cudaStream_t stream, cudaError_t *error)
{
    return cdp_capture_is_legacy(stream) && cdp_capture_refuses_legacy(error);
}

/* Adds a node after the stream's dependencies. Takes over what the work owns, on success. */
static cudaError_t add_node(cudaStream_t stream, const struct cdp_work *work)
    CDP_NEEDS(&cdp_captures.lock)
{
    struct cdp_capture_member *member;
    struct cdp_node *node;
    struct cdp_capture *capture = cdp_capture_of(cdp_capture_key(stream), &member);
    if (capture == NULL || capture->is_invalid) { /* another thread may have ended it */
        return capture == NULL ? cudaErrorIllegalState : cudaErrorStreamCaptureInvalidated;
    }
    struct cdp_node_set *deps = &member->deps;
    cudaError_t error = cudaErrorMemoryAllocation;
    if (grow(deps, 0)) {
        error = cdp_graph_add(capture->graph, deps->items, deps->count, work, &node);
    }
    if (error != cudaSuccess) {
        capture->is_invalid = true;
        return error;
    }
    for (size_t i = 0; i < deps->count; i++) {
        cdp_node_fit_edge(node, i, &deps->edges[i]);
    }
    deps->count = 0;
    put(deps, node, (cudaGraphEdgeData){.type = 0});
    return cudaSuccess;
}

/* result: that of making the work. Takes over what the work owns. */
static bool capture_work(cudaStream_t stream, cudaError_t result, struct cdp_work *work,
                         cudaError_t *error)
{
    if (result != cudaSuccess) {
        return ends_with(result, error);
    }
    cdp_lock_acquire(&cdp_captures.lock);
    result = add_node(stream, work);
    cdp_lock_release(&cdp_captures.lock);
    if (result != cudaSuccess) {
        cdp_work_free(work);
    }
    return ends_with(result, error);
}

/* A call that waits by itself takes its turn in the legacy stream. */
bool cdp_capture_transfer(const struct cdp_copy_order *order, const struct cdp_transfer *transfer,
                          cudaError_t *error)
{
    if (!order->is_async) {
        return cdp_capture_refuses_legacy(error);
    }
    if (!cdp_capture_contains(order->stream)) {
        return refuses_uncaptured(order->stream, error);
    }
    struct cdp_work work;
    cdp_work_of_transfer(transfer, &work);
    return capture_work(order->stream, cudaSuccess, &work, error);
}

bool cdp_capture_host_call(cudaStream_t stream, const struct cudaHostNodeParams *params,
                           cudaError_t *error)
{
    if (!cdp_capture_contains(stream)) {
        return refuses_uncaptured(stream, error);
    }
    struct cdp_work work;
    return capture_work(stream, cdp_work_of_host(params, &work), &work, error);
}

bool cdp_capture_memory_ops(cudaStream_t stream, const struct cdp_memory_ops_order *order,
                            cudaError_t *error)
{
    if (!cdp_capture_contains(stream)) {
        return refuses_uncaptured(stream, error);
    }
    struct cdp_work work;
    return capture_work(stream, cdp_work_of_memory_ops(order, &work), &work, error);
}

bool cdp_capture_library(cudaStream_t stream, struct cdp_library_work *library, cudaError_t *error)
{
    *error = cudaSuccess;
    if (!cdp_capture_contains(stream)) {
        (void)!refuses_uncaptured(stream, error);
        return false;
    }
    const struct cdp_work work = {.type = CDP_NODE_LIBRARY, .library = library};
    cdp_lock_acquire(&cdp_captures.lock);
    cudaError_t result = add_node(stream, &work);
    cdp_lock_release(&cdp_captures.lock);
    (void)ends_with(result, error);
    return result == cudaSuccess;
}

bool cdp_capture_alloc(cudaStream_t stream, size_t size, const void *site, void **ptr,
                       cudaError_t *error)
{
    if (!cdp_capture_contains(stream)) {
        return refuses_uncaptured(stream, error);
    }
    struct cdp_work work;
    cudaError_t result = ptr == NULL ? cudaErrorInvalidValue : cdp_work_of_alloc(size, site, &work);
    void *address = result == cudaSuccess ? cdp_graph_memory_address(work.memory) : NULL;
    bool is_done = capture_work(stream, result, &work, error);
    if (*error == cudaSuccess) {
        *ptr = address;
    }
    return is_done;
}

bool cdp_capture_free(cudaStream_t stream, const void *ptr, cudaError_t *error)
{
    if (!cdp_capture_contains(stream)) {
        return refuses_uncaptured(stream, error);
    }
    struct cdp_work work;
    return capture_work(stream, cdp_work_of_free(ptr, &work), &work, error);
}

/* ---- Events ---- */

/* The event is recorded anew, so it is no longer that of an earlier capture. */
static void forget_event(uint64_t event) CDP_NEEDS(&cdp_captures.lock)
{
    struct cdp_capture_member *member;
    struct cdp_capture *capture = capture_of_event(event, &member);
    if (capture == NULL) {
        return;
    }
    struct cdp_capture_member **at = &capture->events;
    while (*at != member) {
        at = &(*at)->next;
    }
    *at = member->next;
    cdp_capture_member_free(member);
}

static cudaError_t record(cudaStream_t stream, uint64_t event) CDP_NEEDS(&cdp_captures.lock)
{
    struct cdp_capture_member *member;
    struct cdp_capture *capture = cdp_capture_of(cdp_capture_key(stream), &member);
    if (capture == NULL || capture->is_invalid) {
        return capture == NULL ? cudaErrorIllegalState : cudaErrorStreamCaptureInvalidated;
    }
    struct cdp_capture_member *taken = cdp_capture_member(&capture->events, event);
    return taken != NULL && cdp_node_set_replace(&taken->deps, &member->deps)
               ? cudaSuccess
               : cudaErrorMemoryAllocation;
}

bool cdp_capture_record(cudaStream_t stream, cudaEvent_t event, bool is_external,
                        cudaError_t *error)
{
    uint64_t handle = cdp_handle_of_event(event);
    bool is_node = cdp_capture_contains(stream);
    if (!is_external) {
        cdp_lock_acquire(&cdp_captures.lock);
        forget_event(handle);
        cdp_lock_release(&cdp_captures.lock);
    }
    if (!is_node) {
        return refuses_uncaptured(stream, error);
    }
    if (is_external) {
        struct cdp_work work;
        cudaError_t result = cdp_work_of_event(cudaGraphNodeTypeEventRecord, event, &work);
        return capture_work(stream, result, &work, error);
    }
    cdp_lock_acquire(&cdp_captures.lock);
    cudaError_t result = record(stream, handle);
    cdp_lock_release(&cdp_captures.lock);
    return ends_with(result, error);
}

/* ---- Launches ---- */

/* The edges to a kernel that may begin before the kernels before it have ended. */
static void make_early(struct cdp_node *node)
{
    const cudaGraphEdgeData early = {.from_port = cudaGraphKernelNodePortProgrammatic,
                                     .type = cudaGraphDependencyTypeProgrammatic};
    for (size_t i = 0; i < node->dep_count; i++) {
        if (cdp_edge_is_ordinary(&node->edges[i])) {
            cdp_node_fit_edge(node, i, &early);
        }
    }
}

/* What waits for the event comes after the launch by the edge. */
static cudaError_t record_launch(struct cdp_capture *capture, struct cdp_node *node,
                                 const struct cdp_overlap *overlap) CDP_NEEDS(&cdp_captures.lock)
{
    uint64_t event = cdp_handle_of_event(overlap->event);
    cudaGraphEdgeData edge = overlap->edge;
    const struct cdp_node_set launch = {.items = &node, .edges = &edge, .count = 1};
    forget_event(event);
    struct cdp_capture_member *taken = cdp_capture_member(&capture->events, event);
    return taken != NULL && cdp_node_set_replace(&taken->deps, &launch) ? cudaSuccess
                                                                        : cudaErrorMemoryAllocation;
}

/* After the launch has become the only dependency of its stream. */
static cudaError_t note_overlap(const struct cdp_host_launch *ask) CDP_NEEDS(&cdp_captures.lock)
{
    struct cdp_capture_member *member;
    struct cdp_capture *capture = cdp_capture_of(cdp_capture_key(ask->stream), &member);
    struct cdp_node *node = member->deps.items[0];
    if (ask->overlap.is_early) {
        make_early(node);
    }
    return ask->overlap.has_event ? record_launch(capture, node, &ask->overlap) : cudaSuccess;
}

bool cdp_capture_launch(const struct cdp_host_launch *ask, const struct cdp_launch *launch,
                        cudaError_t *error)
{
    if (!cdp_capture_contains(ask->stream)) {
        return refuses_uncaptured(ask->stream, error);
    }
    struct cdp_work work;
    cudaError_t result = cdp_work_of_launch(ask->func, launch, &work);
    if (result != cudaSuccess) {
        return ends_with(result, error);
    }
    cdp_lock_acquire(&cdp_captures.lock);
    result = add_node(ask->stream, &work);
    bool is_added = result == cudaSuccess;
    if (is_added) {
        result = note_overlap(ask);
    }
    cdp_lock_release(&cdp_captures.lock);
    if (!is_added) {
        cdp_work_free(&work);
    }
    return ends_with(result, error);
}

/* ---- Waits ---- */

/* The stream waits for an event of a capture, and so is or becomes a part of it. */
static cudaError_t join(cudaStream_t stream, struct cdp_capture *from,
                        const struct cdp_capture_member *event) CDP_NEEDS(&cdp_captures.lock)
{
    struct cdp_capture_member *member;
    struct cdp_capture *own = cdp_capture_of(cdp_capture_key(stream), &member);
    if (from->is_invalid || (own != NULL && own->is_invalid)) {
        return cudaErrorStreamCaptureInvalidated;
    }
    if (own != NULL && own != from) {
        own->is_invalid = from->is_invalid = true;
        return cudaErrorStreamCaptureMerge;
    }
    member = cdp_capture_member(&from->streams, cdp_capture_key(stream));
    return member != NULL && cdp_node_set_add(&member->deps, &event->deps)
               ? cudaSuccess
               : cudaErrorMemoryAllocation;
}

/* A captured stream waits for work that is not captured. An event that was never recorded has no
 * effect. */
static cudaError_t wait_outside(cudaStream_t stream, bool was_recorded)
    CDP_NEEDS(&cdp_captures.lock)
{
    struct cdp_capture_member *member;
    struct cdp_capture *own = cdp_capture_of(cdp_capture_key(stream), &member);
    if (own == NULL || !was_recorded) {
        return own == NULL ? cudaErrorNotReady : cudaSuccess;
    }
    own->is_invalid = true;
    return cudaErrorStreamCaptureIsolation;
}

bool cdp_capture_wait(cudaStream_t stream, cudaEvent_t event, bool is_external, cudaError_t *error)
{
    if (cdp_capture_is_legacy(stream)) {
        return cdp_capture_refuses_legacy(error);
    }
    if (is_external) {
        struct cdp_work work;
        cudaError_t result = cdp_work_of_event(cudaGraphNodeTypeWaitEvent, event, &work);
        return cdp_capture_contains(stream) && capture_work(stream, result, &work, error);
    }
    uint64_t handle = cdp_handle_of_event(event);
    enum cdp_event_state state = cdp_event_state(cdp_runtime_running()->streams, handle);
    uint32_t device = cdp_capture_device_bit(stream);
    struct cdp_capture_member *source;
    cdp_lock_acquire(&cdp_captures.lock);
    struct cdp_capture *from = capture_of_event(handle, &source);
    cudaError_t result = from != NULL ? join(stream, from, source)
                                      : wait_outside(stream, state == CDP_EVENT_RECORDED);
    if (from != NULL && result == cudaSuccess) {
        from->devices |= device;
    }
    cdp_lock_release(&cdp_captures.lock);
    return result != cudaErrorNotReady && ends_with(result, error);
}
