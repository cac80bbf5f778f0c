/* The high half of a product of two 64-bit numbers, for vectors.
 *
 * Processors have no such instruction for vectors, but one that multiplies 32-bit numbers to 64
 * bits. So both factors are cut into halves, as in multiplication on paper:
 *
 *     ll = a.low * b.low      hl = a.high * b.low      lh = a.low * b.high     hh = a.high * b.high
 *     middle = hl + ll.high
 *     carry  = lh + middle.low
 *     result = hh + middle.high + carry.high
 *
 * No sum wraps: a product of halves is at most 2^64 - 2^33 + 1. */
#include "simd/emit/high_product.h"

#include "ir/context.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"

enum { HALF = 32 };

static LLVMValueRef high_of(struct simd_emit *emit, LLVMValueRef value)
{
    LLVMValueRef by = simd_splat_constant(emit, simd_int(emit->lower->types.i64, HALF));
    return LLVMBuildLShr(emit->builder, value, by, "");
}

static LLVMValueRef low_of(struct simd_emit *emit, LLVMValueRef value)
{
    LLVMValueRef mask = simd_splat_constant(emit, simd_int(emit->lower->types.i64, UINT32_MAX));
    return LLVMBuildAnd(emit->builder, value, mask, "");
}

static LLVMValueRef multiply(struct simd_emit *emit, LLVMValueRef a, LLVMValueRef b)
{
    LLVMBuilderRef builder = emit->builder;
    LLVMValueRef al = low_of(emit, a), ah = high_of(emit, a);
    LLVMValueRef bl = low_of(emit, b), bh = high_of(emit, b);
    LLVMValueRef ll = LLVMBuildMul(builder, al, bl, ""), hl = LLVMBuildMul(builder, ah, bl, "");
    LLVMValueRef lh = LLVMBuildMul(builder, al, bh, ""), hh = LLVMBuildMul(builder, ah, bh, "");
    LLVMValueRef middle = LLVMBuildAdd(builder, hl, high_of(emit, ll), "");
    LLVMValueRef carry = LLVMBuildAdd(builder, lh, low_of(emit, middle), "");
    LLVMValueRef result = LLVMBuildAdd(builder, hh, high_of(emit, middle), "");
    return LLVMBuildAdd(builder, result, high_of(emit, carry), "");
}

void simd_emit_high_product(struct simd_emit *emit, LLVMValueRef call)
{
    struct simd_value a = simd_get(emit, LLVMGetOperand(call, 0));
    struct simd_value b = simd_get(emit, LLVMGetOperand(call, 1));
    struct simd_value result = simd_varying();
    for (unsigned u = 0; u < emit->vectors; u++) {
        result.vector[u] = multiply(emit, simd_vector(emit, &a, u), simd_vector(emit, &b, u));
    }
    simd_set(emit, call, result);
}
