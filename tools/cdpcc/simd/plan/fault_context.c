/* The plan of the fault context: where chunks publish which threads are active.  Before accesses
 * that may fault, the threads of the chunk are written to the context
 * (cdp_abi_thread.active_threads), for reports of faults.
 *
 * That must cost next to nothing, so it is done once for each chunk, in the first node that has
 * such accesses.  Where loops come first, it is done before all accesses.  After the chunks of a
 * region, no particular thread is active: the optimizer may hoist an access of a later loop to a
 * point before that loop.
 *
 * Takes: a region's graph. Gives: the nodes that publish, and whether the chunk's start must do
 * so. A node that a publishing node dominates need not publish again. */
#include "simd/plan/fault_context.h"

#include "abi/cdp_abi.h"
#include "simd/analysis/alias.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/node.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/values.h"
#include "support/arena.h"

#include <llvm-c/Core.h>
#include <string.h>

static bool is_always_mapped(const struct simd_kernel *kernel, LLVMValueRef address)
{
    int64_t offset;
    LLVMValueRef base = simd_address_base(address, &offset);
    bool is_block = base != NULL && simd_self_field(base) == offsetof(struct cdp_abi_thread, block);
    return is_block || simd_is_shared(address) ||
           (base != NULL &&
            (simd_is_self(base) || base == LLVMGetParam(simd_function_of(kernel), 0) ||
             LLVMIsAAllocaInst(base) != NULL || LLVMIsAGlobalVariable(base) != NULL));
}

/* An access to shared memory whose index is far too large may fault, too.  That is rare, and
 * kernels that use shared memory are those in which every cycle counts, so it is not counted
 * here.
 * Memory of the runtime, of the stack and of the module is always mapped. */
static bool may_fault(const struct simd_kernel *kernel, LLVMValueRef at)
{
    if (LLVMIsALoadInst(at) != NULL) {
        return !simd_is_self(at) && !is_always_mapped(kernel, LLVMGetOperand(at, 0));
    }
    if (LLVMIsAStoreInst(at) != NULL) {
        return !is_always_mapped(kernel, LLVMGetOperand(at, 1));
    }
    if (LLVMIsAAtomicRMWInst(at) != NULL || LLVMIsAAtomicCmpXchgInst(at) != NULL) {
        return !simd_is_plain_atomic(at);
    }
    bool is_intrinsic = strncmp(simd_callee_name(at), "llvm.", 5) == 0;
    return LLVMIsACallInst(at) != NULL && !simd_is_barrier(at) && simd_has_effects(at) &&
           (!is_intrinsic || LLVMIsAMemIntrinsic(at) != NULL);
}

static bool leads_to_barrier(const struct simd_graph *graph, unsigned node, bool *seen)
{
    const struct simd_node *at = simd_node(simd_kernel_of(graph), node);
    if (seen[node] || at->end == END_BARRIER) {
        return at->end == END_BARRIER;
    }
    seen[node] = true;
    for (unsigned i = 0; i < at->next_count; i++) {
        if (leads_to_barrier(graph, at->next[i], seen)) {
            return true;
        }
    }
    return false;
}

/* A node that publishes comes before the node in each chunk. */
static bool is_published(const struct simd_graph *graph, const bool *faults, unsigned node)
{
    for (size_t i = 0; i < graph->count; i++) {
        unsigned other = graph->order[i];
        if (other != node && faults[other] && simd_loop_of(graph, other) < 0 &&
            simd_dominates(graph, other, node)) {
            return true;
        }
    }
    return false;
}

struct simd_publishing simd_find_publishing(const struct simd_graph *graph)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    struct simd_publishing result = {.nodes = arena_alloc(simd_node_count(kernel) + 1)};
    bool *faults = arena_alloc(simd_node_count(kernel) + 1);
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        int node = simd_node_of_number(kernel, v);
        if (simd_has_node(graph, node) && may_fault(kernel, simd_value_at(kernel, v))) {
            faults[node] = true;
        }
    }
    bool *seen = arena_alloc(simd_node_count(kernel) + 1);
    for (size_t i = 0; i < graph->count; i++) {
        unsigned node = graph->order[i];
        if (!faults[node]) {
            continue;
        }
        result.any = true;
        result.lasts |= leads_to_barrier(graph, node, seen);
        if (!is_published(graph, faults, node)) {
            result.nodes[node] = simd_loop_of(graph, node) < 0;
            result.first |= simd_loop_of(graph, node) >= 0;
        }
    }
    return result;
}
