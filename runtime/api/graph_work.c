/* What the nodes of graphs do: from CUDA's parameters, and into a stream. */
#include <stdatomic.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/cluster.h"
#include "api/copy.h"
#include "api/error.h"
#include "api/graph.h"
#include "api/graph_condition.h"
#include "api/graph_memory.h"
#include "api/graph_updatable.h"
#include "api/handle.h"
#include "api/host_call.h"
#include "api/launch.h"
#include "api/library_work.h"
#include "api/memory_ops.h"
#include "api/register.h"
#include "api/runtime.h"
#include "base/alloc.h"

/* ---- Kernels ---- */

/* Memory for the parameters and the pointers to them, in one piece. */
static bool make_params(struct cdp_work_launch *launch)
{
    const struct cdp_abi_kernel *kernel = launch->order.kernel;
    size_t pointers = kernel->param_count * sizeof(void *);
    char *memory = cdp_alloc(pointers + kernel->param_size + 1);
    if (memory == NULL) {
        return false;
    }
    launch->args = (void **)(void *)memory;
    launch->order.params = memory + pointers;
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        launch->args[i] = memory + pointers + kernel->params[i].offset;
    }
    return true;
}

cudaError_t cdp_work_of_launch(const void *func, const struct cdp_launch *launch,
                               struct cdp_work *out)
{
    const struct cdp_abi_kernel *kernel = launch->kernel;
    *out = (struct cdp_work){.type = cudaGraphNodeTypeKernel,
                             .launch = {.order = *launch, .func = func}};
    if (!make_params(&out->launch)) {
        return cudaErrorMemoryAllocation;
    }
    out->launch.order.args = NULL;
    out->launch.order.is_of_graph = true;
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        memcpy(out->launch.args[i], launch->args[i], kernel->params[i].size);
    }
    return cudaSuccess;
}

/* A cluster's size that a launch or an attribute gave, and not the kernel. */
static dim3 cluster_asked(const struct cdp_work *like, const struct cdp_abi_kernel *kernel)
{
    if (like == NULL || cdp_cluster_is_given(kernel) ||
        cdp_cluster_is_given(like->launch.order.kernel)) {
        return (dim3){0, 0, 0};
    }
    const uint32_t *dim = like->launch.order.cluster_dim;
    return (dim3){dim[0], dim[1], dim[2]};
}

cudaError_t cdp_work_of_kernel(const struct cudaKernelNodeParams *params,
                               const struct cdp_work *like, const void *site, struct cdp_work *out)
{
    if (params == NULL || params->extra != NULL) {
        return params != NULL ? cudaErrorNotSupported : cudaErrorInvalidValue;
    }
    struct cdp_shape shape = {.grid = params->gridDim,
                              .block = params->blockDim,
                              .dynamic_shared = params->sharedMemBytes};
    const struct cdp_abi_kernel *kernel = cdp_registry_find_kernel(params->func);
    if (kernel == NULL) {
        return cdp_launch_error_of_unknown(params->func);
    }
    cudaError_t error = cdp_check_launch(kernel, &shape, true);
    if (error == cudaErrorInvalidConfiguration) { /* as an H100 showed */
        error = cudaErrorInvalidValue;
    }
    if (error == cudaSuccess && kernel->param_count > 0 && params->kernelParams == NULL) {
        error = cudaErrorInvalidValue;
    }
    if (error != cudaSuccess) {
        return error;
    }
    struct cdp_launch launch = cdp_launch_of(kernel, &shape, site);
    launch.args = params->kernelParams;
    error =
        cdp_cluster_of_launch(kernel, cluster_asked(like, kernel), shape.grid, launch.cluster_dim);
    if (error != cudaSuccess) {
        return error;
    }
    launch.is_cooperative = like != NULL && like->launch.order.is_cooperative;
    error = cdp_work_of_launch(params->func, &launch, out);
    if (error == cudaSuccess && like != NULL) {
        out->launch.hints = like->launch.hints;
    }
    return error;
}

/* ---- Copies and fills ---- */

cudaError_t cdp_work_of_copy(const struct cudaMemcpy3DParms *params, struct cdp_work *out)
{
    *out = (struct cdp_work){.type = cudaGraphNodeTypeMemcpy};
    if (params == NULL) {
        return cudaErrorInvalidValue;
    }
    out->transfer.params.copy = *params;
    cudaError_t error = cdp_copy_of_3d(params, &out->transfer.transfer.copy);
    enum cdp_status status =
        error == cudaSuccess ? cdp_copy_check(&out->transfer.transfer.copy) : CDP_OK;
    return status != CDP_OK ? cdp_error_of(status) : error;
}

cudaError_t cdp_work_of_set(const struct cudaMemsetParams *params, struct cdp_work *out)
{
    *out = (struct cdp_work){.type = cudaGraphNodeTypeMemset};
    if (params == NULL || params->dst == NULL ||
        (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4)) {
        return cudaErrorInvalidValue;
    }
    size_t width = params->width * params->elementSize;
    out->transfer.params.set = *params;
    out->transfer.transfer = (struct cdp_transfer){
        .is_set = true,
        .set = {.to = {.base = params->dst, .pitch = params->height > 1 ? params->pitch : width},
                .width = width,
                .height = params->height,
                .depth = 1,
                .value = params->value,
                .value_size = params->elementSize}};
    bool is_aligned = (uintptr_t)params->dst % params->elementSize == 0;
    enum cdp_status status =
        is_aligned ? cdp_set_check(&out->transfer.transfer.set) : CDP_INVALID_VALUE;
    return cdp_error_of(status);
}

/* The description of a captured copy of rows. */
static struct cudaMemcpy3DParms describe_copy(const struct cdp_copy *copy)
{
    struct cudaMemcpy3DParms params = {
        .srcPtr = {copy->from.base, copy->from.pitch, copy->width, copy->height},
        .dstPtr = {copy->to.base, copy->to.pitch, copy->width, copy->height},
        .extent = {copy->width, copy->height, copy->depth},
        .kind = (enum cudaMemcpyKind)copy->direction,
    };
    return params;
}

void cdp_work_of_transfer(const struct cdp_transfer *transfer, struct cdp_work *out)
{
    *out = (struct cdp_work){.type = transfer->is_set ? cudaGraphNodeTypeMemset
                                                      : cudaGraphNodeTypeMemcpy};
    out->transfer.transfer = *transfer;
    if (transfer->is_set) {
        const struct cdp_set *set = &transfer->set;
        out->transfer.params.set = (struct cudaMemsetParams){.dst = set->to.base,
                                                             .pitch = set->to.pitch,
                                                             .value = (unsigned)set->value,
                                                             .elementSize = 1,
                                                             .width = set->width,
                                                             .height = set->height * set->depth};
    } else {
        out->transfer.params.copy = describe_copy(&transfer->copy);
    }
}

struct cudaMemcpy3DParms cdp_flat_copy_params(void *dst, const void *src, size_t size,
                                              enum cudaMemcpyKind kind)
{
    return (struct cudaMemcpy3DParms){.srcPtr = {(void *)(uintptr_t)src, size, size, 1},
                                      .dstPtr = {dst, size, size, 1},
                                      .extent = {size, 1, 1},
                                      .kind = kind};
}

/* ---- Host functions and events ---- */

cudaError_t cdp_work_of_host(const struct cudaHostNodeParams *params, struct cdp_work *out)
{
    if (params == NULL || params->fn == NULL) {
        return cudaErrorInvalidValue;
    }
    *out = (struct cdp_work){.type = cudaGraphNodeTypeHost, .host = *params};
    return cudaSuccess;
}

cudaError_t cdp_work_of_event(enum cudaGraphNodeType type, cudaEvent_t event, struct cdp_work *out)
{
    uint64_t handle = cdp_handle_of_event(event);
    *out = (struct cdp_work){.type = type, .event = handle};
    return cdp_event_state(cdp_runtime_running()->streams, handle) != CDP_EVENT_INVALID
               ? cudaSuccess
               : cudaErrorInvalidResourceHandle;
}

/* ---- All kinds ---- */

bool cdp_work_is_of_memory(const struct cdp_work *work)
{
    return work->type == cudaGraphNodeTypeMemAlloc || work->type == cudaGraphNodeTypeMemFree;
}

static void release_library(struct cdp_library_work *library)
{
    if (atomic_fetch_sub(&library->references, 1) == 1) {
        library->free(library);
    }
}

void cdp_work_free(struct cdp_work *work)
{
    if (work->type == cudaGraphNodeTypeKernel) {
        cdp_updatable_release(work);
        cdp_free(work->launch.args);
    } else if (work->type == cudaGraphNodeTypeGraph && work->child != NULL) {
        cdp_graph_free(work->child);
    } else if (work->type == cudaGraphNodeTypeConditional) {
        cdp_conditional_free(work->conditional);
    } else if (cdp_work_is_of_memory(work)) {
        cdp_graph_memory_release(work->memory);
    } else if (work->type == CDP_NODE_MEMORY_OPS) {
        cdp_memory_ops_release(work->memory_ops);
    } else if (work->type == CDP_NODE_LIBRARY) {
        release_library(work->library);
    }
    *work = (struct cdp_work){.type = cudaGraphNodeTypeEmpty};
}

bool cdp_work_copy(const struct cdp_work *work, struct cdp_work *out)
{
    *out = *work;
    if (work->type == cudaGraphNodeTypeKernel) {
        if (!make_params(&out->launch)) {
            return false;
        }
        for (uint32_t i = 0; i < work->launch.order.kernel->param_count; i++) {
            memcpy(out->launch.args[i], work->launch.args[i],
                   work->launch.order.kernel->params[i].size);
        }
        out->launch.updatable = cdp_updatable_retain(work->launch.updatable);
    } else if (work->type == cudaGraphNodeTypeGraph) {
        out->child = cdp_graph_copy(work->child);
        if (out->child == NULL) {
            return false;
        }
        out->child->is_owned = true;
    } else if (work->type == cudaGraphNodeTypeConditional) {
        out->conditional = cdp_conditional_copy(work->conditional);
        return out->conditional != NULL;
    } else if (cdp_work_is_of_memory(work)) {
        cdp_graph_memory_retain(work->memory);
    } else if (work->type == CDP_NODE_MEMORY_OPS) {
        cdp_memory_ops_retain(work->memory_ops);
    } else if (work->type == CDP_NODE_LIBRARY) {
        atomic_fetch_add(&work->library->references, 1);
    }
    return true;
}

void cdp_node_set_work(struct cdp_node *node, struct cdp_work *work)
{
    if (work->type == cudaGraphNodeTypeKernel) { /* the call that made the node, for reports */
        work->launch.order.site = node->work.launch.order.site;
    }
    work->is_disabled = node->work.is_disabled;
    if (work->type == cudaGraphNodeTypeKernel && node->work.launch.updatable != NULL) {
        cdp_updatable_replace(&node->work, work);
        return;
    }
    cdp_work_free(&node->work);
    node->work = *work;
}

enum cdp_status cdp_work_submit(struct cdp_runtime *runtime, uint64_t stream,
                                const struct cdp_work *work)
{
    if (work->is_disabled) {
        return CDP_OK;
    }
    switch ((int)work->type) {
    case cudaGraphNodeTypeKernel:
        return cdp_launch_queue(runtime, stream, &work->launch.order);
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
        return cdp_copy_queue(runtime, stream, &work->transfer.transfer);
    case cudaGraphNodeTypeHost:
        return cdp_host_call_queue(runtime, stream, &work->host);
    case cudaGraphNodeTypeConditional:
        return cdp_conditional_queue(work->conditional, stream);
    case cudaGraphNodeTypeEventRecord:
        return cdp_event_record(runtime->streams, work->event, stream);
    case cudaGraphNodeTypeWaitEvent:
        return cdp_stream_wait_event(runtime->streams, stream, work->event);
    case CDP_NODE_MEMORY_OPS:
        return cdp_memory_ops_queue(runtime, stream, work->memory_ops);
    case CDP_NODE_LIBRARY:
        return work->library->queue(work->library, stream);
    default: /* empty; memory; or a child graph, whose nodes are submitted by themselves */
        return CDP_OK;
    }
}
