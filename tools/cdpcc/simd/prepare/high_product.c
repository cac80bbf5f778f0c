/* The high half of a product of two 64-bit numbers without signs.
 *
 * Processors have an instruction for scalars and none for vectors. So it is a call of a function
 * without a body between this pass and the end of the vectorizer: vectors multiply halves
 * (emit/high_product.c), and the calls that are left are replaced by
 *
 *     trunc(lshr(mul(zext a to i128, zext b to i128), 64))
 *
 * With signs it is the same, minus b if a is negative, and minus a if b is. */
#include "simd/prepare/high_product.h"

#include "ir/value.h"
#include "simd/ir/wide_calls.h"

enum { BITS = 64 };

static LLVMValueRef declare(struct lower_context *lower, LLVMTypeRef type)
{
    static const char *const attributes[] = {"nounwind", "willreturn", "speculatable", "nosync",
                                             "nofree"};
    LLVMValueRef function = LLVMGetNamedFunction(lower->module, SIMD_HIGH_PRODUCT);
    if (function == NULL) {
        function = LLVMAddFunction(lower->module, SIMD_HIGH_PRODUCT, type);
        for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
            lower_add_attribute(lower, function, attributes[i]);
        }
        lower_add_memory_attribute(lower, function, LOWER_NO_MEMORY);
    }
    return function;
}

LLVMValueRef simd_high_product(struct lower_context *lower, LLVMBuilderRef builder, LLVMValueRef a,
                               LLVMValueRef b)
{
    LLVMTypeRef i64 = lower->types.i64, types[] = {i64, i64};
    if (LLVMIsNull(a) || LLVMIsNull(b)) {
        return LLVMConstNull(i64);
    }
    LLVMTypeRef type = LLVMFunctionType(i64, types, 2, 0);
    LLVMValueRef operands[] = {a, b};
    return LLVMBuildCall2(builder, type, declare(lower, type), operands, 2, "");
}

LLVMValueRef simd_times_sign(LLVMBuilderRef builder, LLVMValueRef factor, LLVMValueRef sign)
{
    return LLVMBuildNeg(builder, LLVMBuildAnd(builder, factor, sign, ""), "");
}

LLVMValueRef simd_high_product_signed(struct lower_context *lower, LLVMBuilderRef builder,
                                      LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef by = LLVMConstInt(lower->types.i64, BITS - 1, 0);
    LLVMValueRef sign_a = LLVMBuildAShr(builder, a, by, ""),
                 sign_b = LLVMBuildAShr(builder, b, by, "");
    LLVMValueRef high = simd_high_product(lower, builder, a, b);
    high = LLVMBuildAdd(builder, high, simd_times_sign(builder, b, sign_a), "");
    return LLVMBuildAdd(builder, high, simd_times_sign(builder, a, sign_b), "");
}

static void expand(struct lower_context *lower, LLVMValueRef call)
{
    LLVMBuilderRef builder = lower_builder_before(lower, call);
    LLVMTypeRef wide = LLVMIntTypeInContext(lower->llvm, 2 * BITS);
    LLVMValueRef a = LLVMBuildZExt(builder, LLVMGetArgOperand(call, 0), wide, "");
    LLVMValueRef b = LLVMBuildZExt(builder, LLVMGetArgOperand(call, 1), wide, "");
    LLVMValueRef high =
        LLVMBuildLShr(builder, LLVMBuildMul(builder, a, b, ""), LLVMConstInt(wide, BITS, 0), "");
    LLVMReplaceAllUsesWith(call, LLVMBuildTrunc(builder, high, lower->types.i64, ""));
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(builder);
}

void simd_expand_high_products(struct lower_context *lower)
{
    LLVMValueRef function = LLVMGetNamedFunction(lower->module, SIMD_HIGH_PRODUCT);
    if (function == NULL) {
        return;
    }
    size_t count;
    struct lower_use *uses = lower_uses(function, &count);
    for (size_t i = 0; i < count; i++) {
        expand(lower, uses[i].user);
    }
    LLVMDeleteFunction(function);
}
