/* Who is active, for reports of faults: before accesses that may fault, the threads of the chunk
 * are written to the context (cdp_abi_thread.at_work).
 *
 * That must cost next to nothing, so it is done once a chunk, in the first node that has such
 * accesses; only where loops come first, before all of them.  Behind the chunks of a region, nobody
 * in particular is active: the optimizer may move an access to the front of a later loop. */
#include "simd/plan/fault_context.h"

#include "simd/ir/instructions.h"
#include "ir/value.h"
#include "simd/analysis/alias.h"
#include "simd/emit/atomics.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/thread_context.h"
#include "simd/ir/dominators.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "support/arena.h"

#include "abi/cdp_abi.h"

#include <string.h>

/* The store is volatile, so that it stays, and stays before the accesses that it speaks of: code
 * generation moves no access across it.  Its scope lets the rest of the optimizer pass. */
static void tell(struct simd_emit *emit, LLVMValueRef first, LLVMValueRef count)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef shift = simd_int(emit->lower->i32, CDP_AT_WORK_COUNT_SHIFT);
    LLVMValueRef counted = LLVMBuildShl(b, count, shift, "");
    LLVMValueRef at =
        lower_field(emit->lower, b, emit->self, offsetof(struct cdp_abi_thread, at_work), "");
    LLVMValueRef store = LLVMBuildStore(b, LLVMBuildNUWAdd(b, first, counted, ""), at);
    LLVMSetVolatile(store, 1);
    simd_alias_mark_context(emit, store);
}

void simd_publish_chunk(struct simd_emit *emit)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef count = simd_int(emit->lower->i32, (int64_t)emit->lanes * emit->vectors);
    LLVMValueRef first = simd_thread_of(emit, emit->first32[0]);
    if (emit->kernel->variant.layout == LAYOUT_FILLED) {
        LLVMValueRef next = LLVMBuildAdd(b, emit->first32[0], count, "");
        count = LLVMBuildSub(b, simd_thread_of(emit, next), first, "");
    }
    tell(emit, first, count);
}

void simd_publish_thread(struct simd_emit *emit, LLVMValueRef thread)
{
    tell(emit, thread, simd_int(emit->lower->i32, 1));
}

void simd_publish_nobody(struct simd_emit *emit)
{
    LLVMValueRef zero = simd_int(emit->lower->i32, 0);
    tell(emit, zero, zero);
}

/* ---- where ---- */

static bool is_good(const struct simd_emit *emit, LLVMValueRef address)
{
    int64_t offset;
    LLVMValueRef base = simd_address_base(address, &offset);
    bool is_block = base != NULL && simd_self_field(base) == offsetof(struct cdp_abi_thread, block);
    return is_block || simd_is_shared(address) ||
           (base != NULL &&
            (simd_is_self(base) || base == LLVMGetParam(emit->kernel->function, 0) ||
             LLVMIsAAllocaInst(base) != NULL || LLVMIsAGlobalVariable(base) != NULL));
}

/* An index that is far too large takes an access to shared memory into a fault, too; that is
 * rare, and such kernels are those whose every cycle counts. */
static bool may_fault(const struct simd_emit *emit, LLVMValueRef at)
{
    if (LLVMIsALoadInst(at) != NULL) {
        return !simd_is_self(at) && !is_good(emit, LLVMGetOperand(at, 0));
    }
    if (LLVMIsAStoreInst(at) != NULL) {
        return !is_good(emit, LLVMGetOperand(at, 1));
    }
    if (LLVMIsAAtomicRMWInst(at) != NULL || LLVMIsAAtomicCmpXchgInst(at) != NULL) {
        return !simd_is_plain_atomic(at);
    }
    bool is_intrinsic = strncmp(simd_callee_name(at), "llvm.", 5) == 0;
    return LLVMIsACallInst(at) != NULL && !simd_is_barrier(at) &&
           (!is_intrinsic || LLVMIsAMemIntrinsic(at) != NULL);
}

static bool leads_to_barrier(const struct simd_graph *graph, unsigned node, bool *seen)
{
    const struct simd_node *at = &graph->kernel->nodes[node];
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

/* Some node that tells comes before it in each chunk. */
static bool is_told(const struct simd_graph *graph, const bool *faults, unsigned node)
{
    for (size_t i = 0; i < graph->count; i++) {
        unsigned other = graph->order[i];
        if (other != node && faults[other] && graph->loop_of[other] < 0 &&
            simd_dominates(graph, other, node)) {
            return true;
        }
    }
    return false;
}

struct simd_publishing simd_find_publishing(const struct simd_emit *emit,
                                            const struct simd_graph *graph)
{
    const struct simd_kernel *kernel = emit->kernel;
    struct simd_publishing made = {.nodes = arena_alloc(kernel->node_count + 1)};
    bool *faults = arena_alloc(kernel->node_count + 1);
    for (size_t v = 0; v < kernel->value_count; v++) {
        int node = kernel->node_of[v];
        if (node >= 0 && graph->position[node] >= 0 && may_fault(emit, kernel->values[v])) {
            faults[node] = true;
        }
    }
    bool *seen = arena_alloc(kernel->node_count + 1);
    for (size_t i = 0; i < graph->count; i++) {
        unsigned node = graph->order[i];
        if (!faults[node]) {
            continue;
        }
        made.any = true;
        made.lasts |= leads_to_barrier(graph, node, seen);
        if (!is_told(graph, faults, node)) {
            made.nodes[node] = graph->loop_of[node] < 0;
            made.first |= graph->loop_of[node] >= 0;
        }
    }
    return made;
}
