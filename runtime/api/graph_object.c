/* Objects of the program that graphs keep alive. */
#include "cuda_runtime_api.h"

#include <stdatomic.h>
#include <string.h>

#include "api/error.h"
#include "api/graph.h"
#include "base/alloc.h"
#include "exec/report/profile.h"

/* Life: until its last reference is released; then the program's function is called. */
struct cdp_user_object {
    void *pointer;
    cudaHostFn_t destroy;
    _Atomic unsigned refs;
};

static struct cdp_user_object *object_of(cudaUserObject_t object)
{
    return (struct cdp_user_object *)(void *)object;
}

static void release(struct cdp_user_object *object, unsigned count)
{
    /* Acquire and release: the function sees all that was done to the object. */
    if (atomic_fetch_sub_explicit(&object->refs, count, memory_order_acq_rel) == count) {
        object->destroy(object->pointer);
        cdp_free(object);
    }
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *pointer, cudaHostFn_t destroy,
                                 unsigned int count, unsigned int flags)
{
    CDP_PROFILE_CALL();
    if (object == NULL || destroy == NULL || count == 0 || count > INT32_MAX ||
        flags != cudaUserObjectNoDestructorSync) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    struct cdp_user_object *made = cdp_alloc(sizeof *made);
    if (made == NULL) {
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    made->pointer = pointer;
    made->destroy = destroy;
    atomic_init(&made->refs, count);
    *object = (cudaUserObject_t)(void *)made;
    return cudaSuccess;
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count)
{
    CDP_PROFILE_CALL();
    if (object == NULL || count == 0 || count > INT32_MAX) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    atomic_fetch_add_explicit(&object_of(object)->refs, count, memory_order_relaxed);
    return cudaSuccess;
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count)
{
    CDP_PROFILE_CALL();
    if (object == NULL || count == 0 || count > INT32_MAX) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    release(object_of(object), count);
    return cudaSuccess;
}

static struct cdp_graph_object *find(const struct cdp_graph *graph,
                                     const struct cdp_user_object *object)
{
    for (size_t i = 0; i < graph->object_count; i++) {
        if (graph->objects[i].object == object) {
            return &graph->objects[i];
        }
    }
    return NULL;
}

/* The graph's references are counted in the object already. */
static bool hold(struct cdp_graph *graph, struct cdp_user_object *object, unsigned count)
{
    struct cdp_graph_object *known = find(graph, object);
    if (known != NULL) {
        known->count += count;
        return true;
    }
    struct cdp_graph_object *larger =
        cdp_realloc(graph->objects, (graph->object_count + 1) * sizeof *larger);
    if (larger == NULL) {
        return false;
    }
    graph->objects = larger;
    graph->objects[graph->object_count++] =
        (struct cdp_graph_object){.object = object, .count = count};
    return true;
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object,
                                      unsigned int count, unsigned int flags)
{
    CDP_PROFILE_CALL();
    struct cdp_graph *graph = cdp_graph_find(handle);
    if (graph == NULL || object == NULL || count == 0 || count > INT32_MAX ||
        (flags & ~(unsigned)cudaGraphUserObjectMove) != 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    if (!hold(graph, object_of(object), count)) {
        return cdp_api_fail(cudaErrorMemoryAllocation);
    }
    if (flags != cudaGraphUserObjectMove) { /* else the caller's references become the graph's */
        atomic_fetch_add_explicit(&object_of(object)->refs, count, memory_order_relaxed);
    }
    return cudaSuccess;
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object,
                                       unsigned int count)
{
    CDP_PROFILE_CALL();
    struct cdp_graph *graph = cdp_graph_find(handle);
    struct cdp_graph_object *known = graph == NULL ? NULL : find(graph, object_of(object));
    if (known == NULL || count == 0 || count > known->count) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    known->count -= count;
    release(object_of(object), count);
    return cudaSuccess;
}

bool cdp_graph_share_objects(struct cdp_graph *graph, const struct cdp_graph *from)
{
    for (size_t i = 0; i < from->object_count; i++) {
        const struct cdp_graph_object *shared = &from->objects[i];
        if (shared->count == 0) {
            continue;
        }
        if (!hold(graph, shared->object, 1)) {
            return false;
        }
        atomic_fetch_add_explicit(&shared->object->refs, 1, memory_order_relaxed);
    }
    return true;
}

void cdp_graph_drop_objects(struct cdp_graph *graph)
{
    for (size_t i = 0; i < graph->object_count; i++) {
        if (graph->objects[i].count > 0) {
            release(graph->objects[i].object, graph->objects[i].count);
        }
    }
    cdp_free(graph->objects);
    graph->objects = NULL;
    graph->object_count = 0;
}
