/* Saturating conversions of floating point to integers, for vectors.
 *
 * LLVM would convert lane by lane.  Here a select replaces each value that does not fit by one that
 * does, and another select chooses the result for it.
 *
 * For float to int, where x is below, within or above the range, or a NaN:
 *
 *     low    = x < -2^31 ? -2^31 : x
 *     fits   = low < 2^31                  false for a NaN
 *     result = fptosi(fits ? low : 0)      0 for a NaN
 *     result = x >= 2^31 ? 2^31 - 1 : result
 *
 * All four are vector instructions, and no lane's conversion is out of range. */
#include "simd/emit/convert.h"

#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/calls.h"

static LLVMValueRef saturate(struct simd_emit *emit, LLVMValueRef call, LLVMValueRef value)
{
    LLVMBuilderRef b = emit->builder;
    bool is_signed = simd_callee_name(call)[9] == 's';
    LLVMTypeRef from = LLVMTypeOf(LLVMGetArgOperand(call, 0)), to = LLVMTypeOf(call);
    unsigned width = LLVMGetIntTypeWidth(to);
    double half = width == 64 ? 0x1p63 : 0x1p31;
    LLVMValueRef limit =
        simd_splat_constant(emit, LLVMConstReal(from, is_signed ? half : 2 * half));
    LLVMValueRef lowest = simd_splat_constant(emit, LLVMConstReal(from, is_signed ? -half : 0));
    LLVMValueRef zero = simd_splat_constant(emit, LLVMConstReal(from, 0));
    LLVMValueRef most =
        simd_splat_constant(emit, LLVMConstInt(to, ~0ull >> (64 - width + (is_signed ? 1 : 0)), 0));
    LLVMValueRef below = LLVMBuildFCmp(b, LLVMRealOLT, value, lowest, "");
    LLVMValueRef low = LLVMBuildSelect(b, below, lowest, value, "");
    LLVMValueRef fits = LLVMBuildFCmp(b, LLVMRealOLT, low, limit, "fits"); /* false for a NaN */
    LLVMValueRef safe = LLVMBuildSelect(b, fits, low, zero, "");
    LLVMTypeRef type = simd_vector_type(emit, to);
    LLVMValueRef result =
        is_signed ? LLVMBuildFPToSI(b, safe, type, "") : LLVMBuildFPToUI(b, safe, type, "");
    LLVMValueRef above = LLVMBuildFCmp(b, LLVMRealOGE, value, limit, "above");
    return LLVMBuildSelect(b, above, most, result, "");
}

void simd_saturate(struct simd_emit *emit, LLVMValueRef call)
{
    struct simd_value value = simd_get(emit, LLVMGetArgOperand(call, 0));
    struct simd_value result = simd_varying();
    for (unsigned u = 0; u < emit->vectors; u++) {
        result.vector[u] = saturate(emit, call, simd_vector(emit, &value, u));
    }
    simd_set(emit, call, result);
}
