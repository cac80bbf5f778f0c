/* Graphs in device code. */
#include <stdatomic.h>
#include <stdio.h>

#include "api/device.h"
#include "api/graph_condition.h"
#include "api/graph_run.h"
#include "exec/report/races.h"

enum { MOST_SAID = 5 }; /* messages: a program that makes a mistake usually repeats it */

static void say_no_condition(cudaGraphConditionalHandle handle)
{
    static _Atomic int said;
    if (atomic_fetch_add_explicit(&said, 1, memory_order_relaxed) < MOST_SAID) {
        fprintf(stderr,
                "cdp: cudaErrorInvalidValue: cudaGraphSetConditional: %#llx is not the handle of a "
                "condition, or its graph was destroyed\n",
                handle);
        cdp_fault_print_position(cdp_device_block(), cdp_abi_self);
    }
}

/* CUDA's call has no result. */
void cdp_abi_cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value)
{
    if (!cdp_condition_set(handle, value)) {
        say_no_condition(handle);
        (void)cdp_device_fail(cudaErrorInvalidValue);
    }
}

/* ---- Launches of graphs ---- */

static cudaError_t refuse(cudaGraphExec_t exec, const void *site, const char *reason)
{
    static _Atomic int said;
    if (atomic_fetch_add_explicit(&said, 1, memory_order_relaxed) < MOST_SAID) {
        const struct cdp_block *block = cdp_device_block();
        char text[300];
        snprintf(text, sizeof text, "cudaGraphLaunch of %#llx by a kernel: %s",
                 (unsigned long long)(uintptr_t)exec, reason);
        struct cdp_fault_position place = {
            .block = block, .thread = cdp_abi_self, .pc = (const char *)site - 1};
        cdp_fault_warn(block->executor->engine, CDP_INVALID_VALUE, &place, text);
    }
    return cdp_device_fail(cudaErrorInvalidValue);
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
    if (launch.by == NULL) {
        return refuse(exec, site,
                      "the kernel is no node of a graph that was instantiated with "
                      "cudaGraphInstantiateFlagDeviceLaunch");
    }
    if (CDP_UNLIKELY(block->races != NULL)) {
        launch.launcher = cdp_races_launch_graph(block, site);
    }
    cudaError_t error = cdp_exec_launch((uint64_t)(uintptr_t)exec, &launch);
    return error == cudaSuccess ? cudaSuccess : refuse(exec, site, launch.reason);
}

cudaGraphExec_t cdp_abi_cudaGetCurrentGraphExec(void)
{
    const struct cdp_graph_run *run = cdp_grid_environment(cdp_device_block()->grid);
    return run != NULL ? (cudaGraphExec_t)(void *)(uintptr_t)cdp_graph_run_exec(run) : NULL;
}
