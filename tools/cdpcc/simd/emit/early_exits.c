/* Early exits of chunk loops.
 *
 * While a chunk runs, it is noted whether its last lane takes the first edge of the branch. If not,
 * `is_last` is set, and the chunk loop ends after this chunk (plan/early_exits.c). */
#include "simd/emit/early_exits.h"

#include "ir/context.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"

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
