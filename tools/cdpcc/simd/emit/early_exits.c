/* Early exits of chunk loops.
 *
 * While a chunk runs, it is noted whether its last lane is one of the first threads. If not,
 * `is_last` is set, and the chunk loop ends after this chunk (plan/early_exits.c). */
#include "simd/emit/early_exits.h"

#include "ir/context.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/thread_fields.h"
#include "simd/plan/early_exits.h"

#include <assert.h>

/* The index of the chunk's last lane.  Indices are below 2^31, so both extensions are the same. */
static LLVMValueRef last_index(struct simd_emit *emit, LLVMValueRef index)
{
    unsigned vector = emit->vectors - 1;
    LLVMValueRef start = emit->chunk.first32[vector];
    if (simd_self_field(index) < 0) {
        struct simd_value value = simd_get(emit, index);
        start = simd_scalar(&value, vector);
    }
    LLVMValueRef rest = simd_int(emit->lower->types.i32, (int64_t)emit->lanes - 1);
    return LLVMBuildAdd(emit->builder, start, rest, "");
}

void simd_note_early_exit(struct simd_emit *emit, LLVMValueRef condition, const LLVMValueRef *mask)
{
    LLVMBuilderRef b = emit->builder;
    struct simd_first_threads first;
    bool is_found = simd_find_first_threads(emit->kernel, condition, &first);
    assert(is_found);
    (void)is_found;
    LLVMValueRef last = last_index(emit, first.index);
    last = LLVMBuildIntCast2(b, last, LLVMTypeOf(first.bound), 0, "");
    struct simd_value bound = simd_get(emit, first.bound);
    LLVMValueRef more = LLVMBuildICmp(b, first.how, last, bound.scalar[0], "");
    /* If no lane reaches the branch, the bound may be poison. */
    LLVMValueRef none = LLVMBuildNot(b, LLVMBuildFreeze(b, more, ""), "");
    LLVMBuildStore(b, LLVMBuildAnd(b, simd_any(emit, mask), none, ""), emit->memory.is_last);
}
