/* Whether a block may wait as a whole where one of its threads waits for child grids.
 *
 *     __syncthreads();
 *     if (threadIdx.x == 0) {
 *         child<<<1, 256>>>(data);
 *         cudaDeviceSynchronize();
 *     }
 *     __syncthreads();
 *
 * The scheduler treats a block entry as one thread.  If it waits, no other thread of the block
 * runs, and a child may wait for what one of them would do.  So the region between two barriers may
 * contain a wait only if one thread alone has something to do in it: all that has effects is below
 * a branch on that thread's number.  The threads that wait at the barrier have nothing to do
 * anyway. */
#include "simd/analysis/waits.h"

#include "simd/ir/calls.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/node.h"
#include "simd/ir/placement.h"
#include "simd/ir/one_thread.h"
#include "simd/ir/variant.h"
#include <stddef.h>

/* The outgoing edge of the branch that one thread takes, at most; -1: none is known. */
static int edge_of_one_thread(const struct simd_kernel *kernel, const struct simd_node *at)
{
    bool is_one_row = simd_variant_of(kernel)->layout == LAYOUT_ONE_ROW;
    int value = at->end != END_CONDITION || at->match != NULL
                    ? -1
                    : simd_value_of_one_thread(at->condition, is_one_row);
    return value < 0 ? -1 : !value;
}

static bool has_effect(LLVMValueRef at)
{
    return LLVMIsAStoreInst(at) != NULL || simd_is_order(at) || simd_is_volatile(at) ||
           (LLVMIsACallInst(at) != NULL && simd_has_effects(at));
}

typedef bool is_kind(LLVMValueRef at);

/* The first instruction of the node of that kind, or NULL. */
static LLVMValueRef find(const struct simd_node *node, is_kind *is)
{
    LLVMValueRef at = node->first;
    while (at != NULL && at != node->last && !is(at)) {
        at = LLVMGetNextInstruction(at);
    }
    return at == node->last ? NULL : at;
}

/* All effects of the region are of the thread that takes the edge. */
static bool is_only_active(const struct simd_graph *region, unsigned target)
{
    const struct simd_kernel *kernel = simd_kernel_of(region);
    for (size_t i = 0; i < region->count; i++) {
        unsigned node = region->order[i];
        if (!simd_dominates(region, target, node) &&
            find(simd_node(kernel, node), has_effect) != NULL) {
            return false;
        }
    }
    return true;
}

/* Only one thread of the block reaches the node, and no other thread has effects in the region. */
static bool is_of_one_thread(const struct simd_graph *region, unsigned node)
{
    const struct simd_kernel *kernel = simd_kernel_of(region);
    for (size_t i = 0; i < region->count; i++) {
        const struct simd_node *branch = simd_node(kernel, region->order[i]);
        int edge = edge_of_one_thread(kernel, branch);
        if (edge < 0 || branch->next[0] == branch->next[1]) {
            continue;
        }
        unsigned target = branch->next[edge];
        /* Else other threads may come to it. */
        bool has_one_edge = simd_has_node(region, (int)target) &&
                            !simd_dominates(region, target, region->order[i]) &&
                            simd_edges_to(region, target) == 1;
        if (has_one_edge && simd_dominates(region, target, node) &&
            is_only_active(region, target)) {
            return true;
        }
    }
    return false;
}

const char *simd_wait_refusal(const struct simd_graph *region, LLVMValueRef *blamed)
{
    for (size_t i = 0; i < region->count; i++) {
        unsigned node = region->order[i];
        LLVMValueRef wait = find(simd_node(simd_kernel_of(region), node), simd_waits_for_children);
        if (wait != NULL && !is_of_one_thread(region, node)) {
            *blamed = wait;
            return "other threads have something to do where one waits for its child grids";
        }
    }
    return NULL;
}
