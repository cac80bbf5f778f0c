/* Barriers before the branches of threads that wait.
 *
 *     data[threadIdx.x] = x;                      data[threadIdx.x] = x;
 *     if (threadIdx.x == 0) {               ->    __syncthreads();
 *         child<<<1, 256>>>(data);                if (threadIdx.x == 0) { ... }
 *         cudaDeviceSynchronize();                __syncthreads();
 *     }
 *     __syncthreads();
 *
 * A block entry may wait as a whole where no other thread has anything to do (analysis/waits.c).
 * So what the others do before the branch gets a region of its own.  They do it before the child
 * is launched, which is one of the orders that the program allows.  Whether all threads come to the
 * barrier together is tested later, as for any other one. */
#include "simd/prepare/separate_waits.h"

#include "ir/context.h"
#include "ir/value.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/origin.h"
#include "simd/ir/node.h"
#include "simd/ir/one_thread.h"
#include "simd/ir/placement.h"
#include "simd/ir/values.h"

/* The branch at the end of the node that one thread takes to the wait, or NULL. */
static LLVMValueRef branch_to(const struct simd_graph *graph, unsigned node, unsigned wait)
{
    const struct simd_node *at = simd_node(simd_kernel_of(graph), node);
    int value = at->end != END_CONDITION || at->match != NULL
                    ? -1
                    : simd_value_of_one_thread(at->condition, true);
    return value >= 0 && simd_dominates(graph, at->next[!value], wait) ? at->last : NULL;
}

/* The outermost such branch above the wait, or NULL. */
static LLVMValueRef outermost_branch(const struct simd_graph *graph, unsigned wait)
{
    LLVMValueRef branch = NULL;
    for (size_t i = 0; i < graph->count && branch == NULL; i++) {
        branch = branch_to(graph, graph->order[i], wait);
    }
    return branch;
}

static bool is_behind_barrier(LLVMValueRef branch)
{
    LLVMValueRef at = LLVMGetPreviousInstruction(branch);
    while (at != NULL && LLVMIsACallInst(at) == NULL && LLVMIsAStoreInst(at) == NULL) {
        at = LLVMGetPreviousInstruction(at);
    }
    return at != NULL && simd_is_barrier(at);
}

static void put_barrier(struct lower_context *lower, LLVMValueRef before)
{
    LLVMTypeRef type = LLVMFunctionType(lower->types.none, NULL, 0, 0);
    LLVMValueRef barrier = lower_runtime(lower, "cdp_abi_syncthreads", type);
    lower_add_attribute(lower, barrier, "convergent");
    LLVMBuilderRef builder = lower_builder_before(lower, before);
    LLVMBuildCall2(builder, type, barrier, NULL, 0, "");
    LLVMDisposeBuilder(builder);
}

bool simd_separate_waits(const struct simd_kernel *kernel)
{
    const struct simd_graph *graph = simd_graph_build(kernel, 0, true, NULL);
    bool has_changed = false;
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        int node = simd_node_of_number(kernel, i);
        if (!simd_has_node(graph, node) || !simd_waits_for_children(simd_value_at(kernel, i))) {
            continue;
        }
        LLVMValueRef branch = outermost_branch(graph, (unsigned)node);
        if (branch != NULL && !is_behind_barrier(branch)) {
            put_barrier(simd_context_of(kernel), branch);
            has_changed = true;
        }
    }
    return has_changed;
}
