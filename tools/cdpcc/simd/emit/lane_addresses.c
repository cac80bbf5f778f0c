/* Addresses of the lanes of several vectors. */
#include "simd/emit/lane_addresses.h"

#include "ir/value.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"

#include <llvm-c/Core.h>

LLVMValueRef simd_are_consecutive(struct simd_emit *emit, const struct simd_value *address,
                                  struct simd_vectors vectors)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i8 = emit->lower->types.i8, i64 = emit->lower->types.i64;
    LLVMValueRef all = simd_int(emit->lower->types.i1, 1);
    LLVMValueRef start = simd_scalar(address, vectors.first);
    bool is_affine = simd_value_is_affine(address);
    int64_t stride = is_affine ? simd_value_stride(address) : 0;
    for (unsigned u = 1; u < vectors.count; u++) {
        LLVMValueRef distance = simd_int(i64, stride * (int64_t)u * emit->lanes);
        LLVMValueRef next = is_affine ? LLVMBuildGEP2(b, i8, start, &distance, 1, "") : start;
        LLVMValueRef own = simd_scalar(address, vectors.first + u);
        if (own != next) {
            all = LLVMBuildAnd(b, all, LLVMBuildICmp(b, LLVMIntEQ, next, own, ""), "");
        }
    }
    return all;
}

LLVMValueRef simd_are_affine(struct simd_emit *emit, const struct simd_value *address,
                             struct simd_vectors vectors)
{
    LLVMValueRef all = NULL;
    for (unsigned u = 0; simd_value_is_affine(address) && u < vectors.count; u++) {
        LLVMValueRef holds = address->holds[vectors.first + u];
        if (holds != NULL) {
            all = all == NULL ? holds : LLVMBuildAnd(emit->builder, all, holds, "");
        }
    }
    return all;
}
