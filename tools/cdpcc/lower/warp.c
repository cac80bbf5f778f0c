/* Finds the kernels that certainly use no warp operation: their whole call graph is known and has
 * none. The runtime may then run a block's threads one after the other.
 *
 * A warp operation makes the lanes of a warp meet, so each lane needs a stack of its own. A kernel
 * without them, for which warp_ops stays false, can have its threads run to their ends one by one.
 *
 * Also finds the kernels that launch grids, as far as the unit shows: CUDA refuses them in graphs
 * that kernels launch. And those that launch graphs: CUDA refuses them outside of graphs.
 *
 * The analysis is a search through the call graph. It assumes the worst for a call through a
 * pointer, for inline assembly, and for a function of another unit. The pass runs after ptx, which
 * turns shuffle instructions into calls, and before entry and symbol: names and functions are
 * those of the headers. */
#include "ir/call_graph.h"
#include "ir/value.h"
#include "lower/check.h"
#include "lower/kernel.h"
#include "lower/passes.h"
#include "lower/symbol.h"
#include "support/arena.h"

#include <string.h>

/* The functions of the device headers that communicate between lanes, or wait for some threads of
 * the block. */
static const char *const warp_functions[] = {
    "__cdp_syncwarp",       "__cdp_shfl32",    "__cdp_shfl64",
    "__activemask",         "__ballot_sync",   "__match_any32",
    "__match_any64",        "__match_all32",   "__match_all64",
    "__cdp_reduce32",       "__cdp_barrier",   "__cdp_barrier_arrive",
    "__cdp_barrier_reduce", "__cdp_tile_sync", "__cluster_barrier_arrive",
};

/* Functions of the runtime and the C library call no device code. */
static bool is_known(LLVMValueRef function)
{
    return !LLVMIsDeclaration(function) || lower_symbol_is_kept(function);
}

static bool may_use_warp(LLVMValueRef function)
{
    for (size_t i = 0; i < sizeof warp_functions / sizeof *warp_functions; i++) {
        if (strcmp(lower_name(function), warp_functions[i]) == 0) {
            return true;
        }
    }
    return !is_known(function);
}

/* A kernel reaches the function. */
static void add_uses(struct lower_kernel_uses *uses, LLVMValueRef function, bool calls_unknown)
{
    const char *name = lower_name(function);
    uses->warp_ops |= calls_unknown || may_use_warp(function);
    uses->launches |= lower_is_launch(name);
    uses->launches_graphs |= strcmp(name, "cudaGraphLaunch") == 0;
}

void lower_warp(struct lower_context *lower)
{
    struct lower_graph graph;
    lower_graph_build(lower, &graph);
    for (size_t k = 0; k < lower->kernel_count; k++) {
        struct lower_kernel *kernel = &lower->kernels[k];
        unsigned number;
        if (!kernel->is_defined || !lower_map_find(&graph.numbers, kernel->function, &number)) {
            continue;
        }
        bool *reached = arena_alloc((graph.count + 1) * sizeof(bool));
        lower_graph_reach(&graph, number, reached);
        for (unsigned i = 0; i < graph.count; i++) {
            if (reached[i]) {
                add_uses(&kernel->uses, graph.functions[i], graph.calls_unknown[i]);
            }
        }
    }
}
