/* Emission of field pairs: two neighbouring fields as one value of twice the size. */
#include "simd/emit/field_pairs.h"

#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/limits.h"
#include "simd/ir/memory.h"

LLVMTypeRef simd_pair_type(const struct simd_emit *emit, LLVMValueRef access)
{
    return LLVMIntTypeInContext(emit->lower->llvm, simd_member_of(access).size * 16);
}

static LLVMTypeRef integers(const struct simd_emit *emit, LLVMValueRef access, unsigned count)
{
    LLVMTypeRef type = LLVMIntTypeInContext(emit->lower->llvm, simd_member_of(access).size * 8);
    return LLVMVectorType(type, count);
}

LLVMValueRef simd_join_pair(struct simd_emit *emit, LLVMValueRef access, LLVMValueRef low,
                            LLVMValueRef high)
{
    LLVMTypeRef type = integers(emit, access, emit->lanes);
    LLVMValueRef indices[2 * SIMD_MOST_LANES];
    for (unsigned i = 0; i < 2 * emit->lanes; i++) {
        indices[i] = LLVMConstInt(emit->lower->types.i32, i / 2 + i % 2 * emit->lanes, 0);
    }
    low = LLVMBuildBitCast(emit->builder, low, type, "");
    high = LLVMBuildBitCast(emit->builder, high, type, "");
    LLVMValueRef both = LLVMBuildShuffleVector(emit->builder, low, high,
                                               LLVMConstVector(indices, 2 * emit->lanes), "");
    return LLVMBuildBitCast(emit->builder, both,
                            simd_vector_type(emit, simd_pair_type(emit, access)), "");
}

LLVMValueRef simd_field_of_pair(struct simd_emit *emit, LLVMValueRef access, LLVMValueRef pair,
                                unsigned which)
{
    LLVMTypeRef type = integers(emit, access, 2 * emit->lanes);
    LLVMValueRef indices[SIMD_MOST_LANES];
    for (unsigned i = 0; i < emit->lanes; i++) {
        indices[i] = LLVMConstInt(emit->lower->types.i32, 2 * i + which, 0);
    }
    pair = LLVMBuildBitCast(emit->builder, pair, type, "");
    LLVMValueRef field_bits = LLVMBuildShuffleVector(emit->builder, pair, LLVMGetPoison(type),
                                                     LLVMConstVector(indices, emit->lanes), "");
    return LLVMBuildBitCast(emit->builder, field_bits,
                            simd_vector_type(emit, simd_accessed_type(access)), "");
}
