/* Emission of the loads that are hoisted out of the chunk loops (plan/hoist.c).
 *
 *     region:   if (guard) { x = load s[0]; slot of x = x; }
 *               x = phi of the load and zero
 *               for each chunk { if (guard) { use of x } }
 *
 * Operands that the region itself computes are cloned in front of the chunks, as far as the loads
 * and the guards need them. The zero is never used: chunks use x under the same guard. */
#include "simd/emit/hoist.h"

#include "simd/emit/access.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/instruction.h"
#include "simd/emit/slots.h"
#include "simd/ir/kernel.h"
#include "simd/ir/phis.h"
#include "simd/plan/hoist.h"
#include "simd/plan/plan.h"
#include "simd/plan/slots.h"
#include "support/arena.h"

/* A value that is available before the chunks, as the node uses it. */
static LLVMValueRef compute(struct simd_emit *emit, LLVMValueRef value, unsigned user)
{
    const struct simd_region *region = emit->scope.region;
    const struct simd_kernel *kernel = emit->kernel;
    int number = simd_number(kernel, value);
    if (number < 0) {
        return value;
    }
    if (kernel->node_of[number] >= 0 && simd_can_recompute(kernel, value)) {
        simd_recompute(emit, value);
    }
    if (kernel->node_of[number] < 0 || simd_can_recompute(kernel, value) ||
        region->hoisted[number] || simd_is_old(region->graph, number, user)) {
        return simd_get(emit, value).scalar[0];
    }
    unsigned node = (unsigned)kernel->node_of[number];
    if (LLVMIsAPHINode(value) != NULL) {
        unsigned from = (unsigned)simd_only_predecessor(region->graph, node);
        return compute(emit, simd_phi_value(kernel, value, from), from);
    }
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    LLVMValueRef *operands = arena_alloc((count + 1) * sizeof *operands);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = compute(emit, LLVMGetOperand(value, i), node);
    }
    return simd_clone_scalar(emit, value, operands);
}

/* i1, before the chunks; NULL: there are no guards. */
static LLVMValueRef test_guards(struct simd_emit *emit, const struct simd_guards *guards)
{
    LLVMValueRef test = NULL;
    for (unsigned i = guards->count; i-- > 0;) {
        const struct simd_guard *guard = &guards->items[i];
        LLVMValueRef condition = emit->kernel->nodes[guard->node].condition;
        LLVMValueRef holds = compute(emit, condition, guard->node);
        holds = guard->edge == 0 ? holds : LLVMBuildNot(emit->builder, holds, "");
        test = test == NULL ? holds : simd_both(emit, test, holds);
    }
    return test;
}

/* If the guards do not hold, the load's slot keeps its value. */
static void load_hoisted(struct simd_emit *emit, const struct simd_hoist *hoist)
{
    LLVMValueRef load = hoist->load;
    struct simd_diamond diamond = {0};
    LLVMValueRef test = test_guards(emit, &hoist->guards);
    LLVMValueRef at = compute(emit, LLVMGetOperand(load, 0), hoist->node);
    if (test != NULL) {
        diamond = simd_begin_if(emit, test, false);
    }
    LLVMValueRef result = simd_load_one(emit, load, at);
    simd_set(emit, load, simd_uniform(result));
    if (test != NULL) {
        simd_begin_else(emit, &diamond, result);
        result = simd_end_if(emit, &diamond, LLVMConstNull(LLVMTypeOf(load)));
        emit->scope.values[simd_number(emit->kernel, load)].scalar[0] = result;
    }
}

void simd_load_hoisted(struct simd_emit *emit)
{
    const struct simd_region *region = emit->scope.region;
    for (size_t i = 0; i < region->hoist_count; i++) {
        load_hoisted(emit, &region->hoists[i]);
    }
}
