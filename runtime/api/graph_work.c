/* What the nodes of graphs do: from CUDA's parameters, and into a stream. */
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/copy.h"
#include "api/error.h"
#include "api/graph.h"
#include "api/graph_memory.h"
#include "api/handle.h"
#include "api/host_call.h"
#include "api/register.h"
#include "api/runtime.h"
#include "base/alloc.h"

/* ---- Kernels ---- */

/* Memory for the parameters and the pointers to them, in one piece. */
static bool make_params(struct cdp_work_launch *launch)
{
    const struct cdp_abi_kernel *kernel = launch->kernel;
    size_t pointers = kernel->param_count * sizeof(void *);
    char *memory = cdp_alloc(pointers + kernel->param_size + 1);
    if (memory == NULL) {
        return false;
    }
    launch->args = (void **)(void *)memory;
    launch->params = memory + pointers;
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        launch->args[i] = launch->params + kernel->params[i].offset;
    }
    return true;
}

cudaError_t cdp_work_of_launch(const struct cdp_work_launch *launch, void *const *args,
                               struct cdp_work *out)
{
    const struct cdp_abi_kernel *kernel = launch->kernel;
    *out = (struct cdp_work){.type = cudaGraphNodeTypeKernel, .launch = *launch};
    if (!make_params(&out->launch)) {
        return cudaErrorMemoryAllocation;
    }
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        memcpy(out->launch.args[i], args[i], kernel->params[i].size);
    }
    return cudaSuccess;
}

cudaError_t cdp_work_of_kernel(const struct cudaKernelNodeParams *params, struct cdp_work *out)
{
    if (params == NULL || params->extra != NULL) {
        return params != NULL ? cudaErrorNotSupported : cudaErrorInvalidValue;
    }
    struct cdp_work_launch launch = {.func = params->func,
                                     .shape = {.grid = params->gridDim,
                                               .block = params->blockDim,
                                               .dynamic_shared = params->sharedMemBytes}};
    launch.kernel = cdp_registry_find_kernel(params->func);
    if (launch.kernel == NULL) {
        return params->func == NULL || cdp_registry_names(params->func)
                   ? cudaErrorInvalidDeviceFunction
                   : cudaErrorInvalidResourceHandle;
    }
    cudaError_t error = cdp_check_launch(launch.kernel, &launch.shape, true);
    if (error == cudaErrorInvalidConfiguration) { /* as an H100 showed */
        error = cudaErrorInvalidValue;
    }
    if (error == cudaSuccess && launch.kernel->param_count > 0 && params->kernelParams == NULL) {
        error = cudaErrorInvalidValue;
    }
    return error != cudaSuccess ? error : cdp_work_of_launch(&launch, params->kernelParams, out);
}

/* ---- Copies and fills ---- */

cudaError_t cdp_work_of_copy(const struct cudaMemcpy3DParms *params, struct cdp_work *out)
{
    *out = (struct cdp_work){.type = cudaGraphNodeTypeMemcpy};
    if (params == NULL) {
        return cudaErrorInvalidValue;
    }
    out->transfer.asked.copy = *params;
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
    out->transfer.asked.set = *params;
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
        out->transfer.asked.set = (struct cudaMemsetParams){.dst = set->to.base,
                                                            .pitch = set->to.pitch,
                                                            .value = (unsigned)set->value,
                                                            .elementSize = 1,
                                                            .width = set->width,
                                                            .height = set->height * set->depth};
    } else {
        out->transfer.asked.copy = describe_copy(&transfer->copy);
    }
}

/* ---- All kinds ---- */

static bool is_of_memory(const struct cdp_work *work)
{
    return work->type == cudaGraphNodeTypeMemAlloc || work->type == cudaGraphNodeTypeMemFree;
}

void cdp_work_free(struct cdp_work *work)
{
    if (work->type == cudaGraphNodeTypeKernel) {
        cdp_free(work->launch.args);
    } else if (work->type == cudaGraphNodeTypeGraph && work->child != NULL) {
        cdp_graph_free(work->child);
    } else if (is_of_memory(work)) {
        cdp_graph_memory_release(work->memory);
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
        memcpy(out->launch.params, work->launch.params, work->launch.kernel->param_size);
    } else if (work->type == cudaGraphNodeTypeGraph) {
        out->child = cdp_graph_copy(work->child);
        if (out->child == NULL) {
            return false;
        }
        out->child->is_owned = true;
    } else if (is_of_memory(work)) {
        cdp_graph_memory_retain(work->memory);
    }
    return true;
}

static enum cdp_status submit_launch(struct cdp_runtime *runtime, uint64_t stream,
                                     const struct cdp_work *work)
{
    const struct cdp_work_launch *launch = &work->launch;
    const struct cdp_shape *shape = &launch->shape;
    struct cdp_launch order = {
        .kernel = launch->kernel,
        .grid_dim = {shape->grid.x, shape->grid.y, shape->grid.z},
        .block_dim = {shape->block.x, shape->block.y, shape->block.z},
        .dynamic_shared = (uint32_t)shape->dynamic_shared,
        .params = launch->params,
        .site = work->site,
        .is_cooperative = launch->is_cooperative,
    };
    return cdp_stream_launch(runtime->streams, stream, &order);
}

enum cdp_status cdp_work_submit(struct cdp_runtime *runtime, uint64_t stream,
                                const struct cdp_work *work)
{
    if (work->is_disabled) {
        return CDP_OK;
    }
    switch ((int)work->type) {
    case cudaGraphNodeTypeKernel:
        return submit_launch(runtime, stream, work);
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
        return cdp_copy_queue(runtime, stream, &work->transfer.transfer);
    case cudaGraphNodeTypeHost:
        return cdp_host_call_queue(runtime, stream, &work->host);
    case cudaGraphNodeTypeEventRecord:
        return cdp_event_record(runtime->streams, work->event, stream);
    case cudaGraphNodeTypeWaitEvent:
        return cdp_stream_wait_event(runtime->streams, stream, work->event);
    default: /* empty; memory; or a child graph, whose nodes are submitted by themselves */
        return CDP_OK;
    }
}
