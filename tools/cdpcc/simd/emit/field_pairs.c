/* Emission of field pairs: two neighbouring fields as one value of twice the size.
 *
 * For 4 lanes and two fields of 32 bits:
 *
 *     pair      <4 x i64>   { x0 y0 } { x1 y1 } { x2 y2 } { x3 y3 }
 *     as words  <8 x i32>   x0 y0 x1 y1 x2 y2 x3 y3
 *     field 0   <4 x i32>   x0 x1 x2 x3          field 1   y0 y1 y2 y3
 *
 * The lower field is in the lower half, since the machines are little-endian. */
#include "simd/emit/field_pairs.h"

#include "ir/context.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/lanes.h"
#include "simd/ir/memory.h"

LLVMTypeRef simd_pair_type(const struct simd_emit *emit, LLVMValueRef access)
{
    return LLVMIntTypeInContext(emit->lower->llvm, simd_member_of(access).size * 16);
}

/* Vectors of integers of one field's size. */
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
