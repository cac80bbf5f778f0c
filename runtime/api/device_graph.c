/* Graphs in device code. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "api/check.h"
#include "api/device.h"
#include "api/graph_condition.h"
#include "api/graph_run.h"
#include "api/graph_updatable.h"
#include "base/alloc.h"
#include "exec/report/races.h"

enum { MOST_SAID = 5 }; /* messages: a program that makes a mistake usually repeats it */

/* CUDA's call has no result. A GPU that sets a wrong condition writes to a wrong address. */
void cdp_abi_cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value)
{
    if (!cdp_condition_set(handle, value)) {
        cdp_fault_raise(CDP_FAULT_ADDRESS, (const char *)__builtin_return_address(0) - 1,
                        "cudaGraphSetConditional: no executable graph has a condition with the "
                        "handle %#llx",
                        handle);
    }
}

/* ---- Launches of graphs ---- */

/* As an H100 showed, these calls do not change the thread's last error. */
static cudaError_t refuse_call(const char *call, const void *handle, const void *site,
                               const char *reason)
{
    static _Atomic int said;
    if (atomic_fetch_add_explicit(&said, 1, memory_order_relaxed) < MOST_SAID) {
        const struct cdp_block *block = cdp_device_block();
        char text[300];
        snprintf(text, sizeof text, "%s of %#llx by a kernel: %s", call,
                 (unsigned long long)(uintptr_t)handle, reason);
        struct cdp_fault_position place = {
            .block = block, .thread = cdp_abi_self, .pc = (const char *)site - 1};
        cdp_fault_warn(block->executor->engine, CDP_INVALID_VALUE, &place, text);
    }
    return cudaErrorInvalidValue;
}

static cudaError_t refuse(cudaGraphExec_t exec, const void *site, const char *reason)
{
    return refuse_call("cudaGraphLaunch", exec, site, reason);
}

static bool find_way(cudaStream_t stream, enum cdp_graph_way *way)
{
    bool is_tail = stream == cudaStreamGraphTailLaunch;
    bool is_sibling = stream == cudaStreamGraphFireAndForgetAsSibling;
    *way = is_tail ? CDP_GRAPH_TAIL : is_sibling ? CDP_GRAPH_SIBLING : CDP_GRAPH_FORGET;
    return is_tail || is_sibling || stream == cudaStreamGraphFireAndForget;
}

cudaError_t cdp_abi_cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    struct cdp_block *block = cdp_device_block();
    const void *site = __builtin_return_address(0);
    struct cdp_graph_launch launch = {.by = cdp_grid_environment(block->grid)};
    if (!find_way(stream, &launch.way)) {
        return refuse(exec, site,
                      "the stream must be cudaStreamGraphFireAndForget, "
                      "cudaStreamGraphFireAndForgetAsSibling or cudaStreamGraphTailLaunch");
    }
    if (CDP_UNLIKELY(block->races != NULL) && launch.by != NULL) {
        launch.launcher = cdp_races_launch_graph(block, site);
    }
    cudaError_t error = cdp_exec_launch((uint64_t)(uintptr_t)exec, &launch);
    if (error != cudaSuccess && launch.is_fault) {
        cdp_fault_raise(CDP_FAULT_ADDRESS, (const char *)site - 1, "cudaGraphLaunch of %#llx: %s",
                        (unsigned long long)(uintptr_t)exec, launch.reason);
    }
    return error == cudaSuccess ? cudaSuccess : refuse(exec, site, launch.reason);
}

cudaGraphExec_t cdp_abi_cudaGetCurrentGraphExec(void)
{
    const struct cdp_graph_run *run = cdp_grid_environment(cdp_device_block()->grid);
    uint64_t exec = run != NULL ? cdp_graph_run_exec(run) : 0;
    return (cudaGraphExec_t)(void *)(uintptr_t)exec;
}

/* ---- Changes of nodes ---- */

static cudaError_t change(const char *call, cudaGraphDeviceNode_t node,
                          const struct cdp_node_change *what, const void *site)
{
    unsigned device = cdp_grid_device(cdp_device_block()->grid);
    const char *reason = cdp_updatable_change((uint64_t)(uintptr_t)node, device, what);
    return reason == NULL ? cudaSuccess : refuse_call(call, node, site, reason);
}

/* The value is read before any lock is taken, as its address may be wrong. */
static cudaError_t change_param(const char *call, cudaGraphDeviceNode_t node,
                                struct cdp_node_change what, const void *site)
{
    char small[128];
    void *copy = what.size <= sizeof small ? small : NULL;
    if (copy == NULL && what.size <= CDP_MOST_PARAM_BYTES) {
        copy = cdp_alloc(what.size);
        if (copy == NULL) {
            return cudaErrorMemoryAllocation;
        }
    }
    if (copy != NULL && what.value != NULL) {
        memcpy(copy, what.value, what.size);
        what.value = copy;
    }
    cudaError_t error = change(call, node, &what, site);
    if (copy != small) {
        cdp_free(copy);
    }
    return error;
}

cudaError_t cdp_abi_cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t node, size_t offset,
                                                const void *value, size_t size)
{
    struct cdp_node_change what = {
        .field = cudaGraphKernelNodeFieldParam, .offset = offset, .value = value, .size = size};
    return change_param("cudaGraphKernelNodeSetParam", node, what, __builtin_return_address(0));
}

cudaError_t cdp_abi_cudaGraphKernelNodeSetEnabled(cudaGraphDeviceNode_t node, bool enable)
{
    struct cdp_node_change what = {.field = cudaGraphKernelNodeFieldEnabled, .is_enabled = enable};
    return change("cudaGraphKernelNodeSetEnabled", node, &what, __builtin_return_address(0));
}

cudaError_t cdp_abi_cudaGraphKernelNodeSetGridDim(cudaGraphDeviceNode_t node, struct dim3 grid)
{
    struct cdp_node_change what = {.field = cudaGraphKernelNodeFieldGridDim, .grid = grid};
    return change("cudaGraphKernelNodeSetGridDim", node, &what, __builtin_return_address(0));
}

cudaError_t cdp_abi_cudaGraphKernelNodeUpdatesApply(const struct cudaGraphKernelNodeUpdate *updates,
                                                    size_t count)
{
    const void *site = __builtin_return_address(0);
    const char *call = "cudaGraphKernelNodeUpdatesApply";
    if (updates == NULL || count == 0) {
        return refuse_call(call, NULL, site, "there are no updates");
    }
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < count && error == cudaSuccess; i++) {
        struct cudaGraphKernelNodeUpdate update = updates[i];
        struct cdp_node_change what = {.field = update.field};
        switch ((int)update.field) {
        case cudaGraphKernelNodeFieldParam:
            what.offset = update.updateData.param.offset;
            what.value = update.updateData.param.pValue;
            what.size = update.updateData.param.size;
            error = change_param(call, update.node, what, site);
            continue;
        case cudaGraphKernelNodeFieldGridDim:
            what.grid = update.updateData.gridDim;
            break;
        case cudaGraphKernelNodeFieldEnabled:
            what.is_enabled = update.updateData.isEnabled != 0;
            break;
        default:
            break;
        }
        error = change(call, update.node, &what, site);
    }
    return error;
}
