/* Computes the expressions of plan/strides.h.
 *
 * Numbers are computed with 64 bits, where the builder is; LLVM folds what is constant. Values of
 * the kernel are uniform and are extended as signed numbers. */
#include "simd/emit/strides.h"

#include "ir/context.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/variant.h"
#include "simd/plan/strides.h"

LLVMValueRef simd_compute(struct simd_emit *emit, const struct simd_expression *expression)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i64 = emit->lower->types.i64;
    LLVMValueRef operands[2] = {NULL, NULL};
    for (unsigned i = 0; i < 2 && expression->operands[i] != NULL; i++) {
        operands[i] = simd_compute(emit, expression->operands[i]);
    }
    switch (expression->term) {
    case TERM_NUMBER:
        return simd_int(i64, expression->number);
    case TERM_DIMENSION:
        return LLVMBuildZExt(
            b,
            emit->launch
                .dimension[simd_launched_dimension(emit->kernel, (unsigned)expression->number)],
            i64, "");
    case TERM_VALUE: {
        struct simd_value value = simd_get(emit, expression->value);
        return LLVMBuildIntCast2(b, value.scalar[0], i64, 1, "");
    }
    case TERM_SUM:
        return LLVMBuildAdd(b, operands[0], operands[1], "");
    case TERM_DIFFERENCE:
        return LLVMBuildSub(b, operands[0], operands[1], "");
    case TERM_PRODUCT:
        return LLVMBuildMul(b, operands[0], operands[1], "");
    }
    return NULL;
}
