/* Tests of uniform exits, before the chunk loops, and of early exits, inside them.
 *
 * A uniform exit is computed from values that are available before the chunks: its condition's
 * operands are cloned in front of the chunk loops (plan/uniform_exits.c). An early exit is noted
 * while a chunk runs: if the chunk's last lane does not take the branch's first edge, `is_last` is
 * set, and the chunk loop ends after this chunk (plan/early_exits.c). */
#include "simd/emit/exits.h"

#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/instruction.h"
#include "simd/ir/kernel.h"
#include "simd/plan/plan.h"
#include "simd/plan/uniform_exits.h"
#include "support/arena.h"

/* The value, as the node uses it. */
static LLVMValueRef compute(struct simd_emit *emit, LLVMValueRef value, unsigned node)
{
    const struct simd_kernel *kernel = emit->kernel;
    int number = simd_number(kernel, value);
    if (number < 0) {
        return value;
    }
    if (simd_is_computed_before(emit->scope.region, number, node)) {
        return emit->scope.values[number].scalar[0];
    }
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    LLVMValueRef *operands = arena_alloc((count + 1) * sizeof *operands);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = compute(emit, LLVMGetOperand(value, i), (unsigned)kernel->node_of[number]);
    }
    return simd_clone_scalar(emit, value, operands);
}

LLVMValueRef simd_compute_uniform_exit(struct simd_emit *emit)
{
    unsigned node = (unsigned)emit->scope.region->uniform_exit;
    return compute(emit, emit->kernel->nodes[node].condition, node);
}

/* The last lane's number is compared as the condition compares threadIdx.x. */
void simd_note_early_exit(struct simd_emit *emit, LLVMValueRef condition, const LLVMValueRef *mask)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMValueRef bound = LLVMGetOperand(condition, 1);
    LLVMValueRef last = LLVMBuildAdd(b, emit->chunk.first32[emit->vectors - 1],
                                     simd_int(i32, (int64_t)emit->lanes - 1), "");
    last = LLVMBuildIntCast2(b, last, LLVMTypeOf(bound), 0, "");
    struct simd_value result = simd_get(emit, bound);
    LLVMValueRef more =
        LLVMBuildICmp(b, LLVMGetICmpPredicate(condition), last, result.scalar[0], "");
    /* If no lane reaches the branch, the bound may be poison. */
    LLVMValueRef none = LLVMBuildNot(b, LLVMBuildFreeze(b, more, ""), "");
    LLVMBuildStore(b, LLVMBuildAnd(b, simd_any(emit, mask), none, ""), emit->memory.is_last);
}
