/* Expands llvm.sadd.with.overflow and its five relatives, whose result is a pair of a number and a
 * bit. Vectors hold no pairs.
 *
 *     sum         r = a + b     unsigned: r < a       signed: ((a ^ r) & (b ^ r)) < 0
 *     difference  r = a - b     unsigned: a < b       signed: ((a ^ b) & (a ^ r)) < 0
 *     product     r = a * b     up to 32 bits: the product of twice the width is not r extended
 *                               64 bits: the high half is not 0, or not the sign of r */
#include "simd/prepare/overflow.h"

#include "ir/value.h"
#include "simd/ir/calls.h"
#include "simd/prepare/high_product.h"
#include "support/str.h"

enum { WORD = 32, WIDE = 64 };

/* One intrinsic being expanded. */
struct checked {
    struct lower_context *lower;
    LLVMBuilderRef builder; /* before it */
    LLVMTypeRef type;
    LLVMValueRef a, b;
    bool is_signed;
};

static LLVMValueRef is_negative(const struct checked *of, LLVMValueRef value)
{
    return LLVMBuildICmp(of->builder, LLVMIntSLT, value, LLVMConstNull(of->type), "");
}

static LLVMValueRef add_overflows(const struct checked *of, LLVMValueRef result)
{
    LLVMBuilderRef b = of->builder;
    if (!of->is_signed) {
        return LLVMBuildICmp(b, LLVMIntULT, result, of->a, "");
    }
    return is_negative(of, LLVMBuildAnd(b, LLVMBuildXor(b, of->a, result, ""),
                                        LLVMBuildXor(b, of->b, result, ""), ""));
}

static LLVMValueRef sub_overflows(const struct checked *of, LLVMValueRef result)
{
    LLVMBuilderRef b = of->builder;
    if (!of->is_signed) {
        return LLVMBuildICmp(b, LLVMIntULT, of->a, of->b, "");
    }
    return is_negative(of, LLVMBuildAnd(b, LLVMBuildXor(b, of->a, of->b, ""),
                                        LLVMBuildXor(b, of->a, result, ""), ""));
}

static LLVMValueRef extend(const struct checked *of, LLVMValueRef value, LLVMTypeRef to)
{
    return of->is_signed ? LLVMBuildSExt(of->builder, value, to, "")
                         : LLVMBuildZExt(of->builder, value, to, "");
}

static LLVMValueRef mul_overflows(const struct checked *of, LLVMValueRef result)
{
    LLVMBuilderRef b = of->builder;
    unsigned width = LLVMGetIntTypeWidth(of->type);
    if (width <= WORD) {
        LLVMTypeRef wide = LLVMIntTypeInContext(of->lower->llvm, 2 * width);
        LLVMValueRef product =
            LLVMBuildMul(b, extend(of, of->a, wide), extend(of, of->b, wide), "");
        return LLVMBuildICmp(b, LLVMIntNE, product, extend(of, result, wide), "");
    }
    LLVMValueRef high = of->is_signed ? simd_high_product_signed(of->lower, b, of->a, of->b)
                                      : simd_high_product(of->lower, b, of->a, of->b);
    LLVMValueRef sign = LLVMConstInt(of->type, WIDE - 1, 0);
    LLVMValueRef expected =
        of->is_signed ? LLVMBuildAShr(b, result, sign, "") : LLVMConstNull(of->type);
    return LLVMBuildICmp(b, LLVMIntNE, high, expected, "");
}

/* Examples: llvm.uadd.with.overflow.i64, llvm.smul.with.overflow.i32. */
static bool is_wanted(LLVMValueRef at)
{
    static const char *const names[] = {"llvm.uadd.with.overflow.i",
                                        "llvm.sadd.with.overflow.i",
                                        "llvm.usub.with.overflow.i",
                                        "llvm.ssub.with.overflow.i",
                                        "llvm.umul.with.overflow.i",
                                        "llvm.smul.with.overflow.i",
                                        NULL};
    if (LLVMIsACallInst(at) == NULL || !str_starts_any(simd_callee_name(at), names)) {
        return false;
    }
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetArgOperand(at, 0)));
    return width <= WORD || width == WIDE;
}

static void expand(struct lower_context *lower, LLVMValueRef call)
{
    enum { SIGN = 5, OPERATION = 6 }; /* letters of the name: "s", then "add" */
    const char *name = simd_callee_name(call);
    struct checked of = {
        .lower = lower,
        .builder = lower_builder_before(lower, call),
        .a = LLVMGetArgOperand(call, 0),
        .b = LLVMGetArgOperand(call, 1),
        .is_signed = name[SIGN] == 's',
    };
    of.type = LLVMTypeOf(of.a);
    bool is_sum = str_starts(name + OPERATION, "add"), is_product = name[OPERATION] == 'm';
    LLVMOpcode opcode = is_sum ? LLVMAdd : is_product ? LLVMMul : LLVMSub;
    LLVMValueRef result = LLVMBuildBinOp(of.builder, opcode, of.a, of.b, "");
    LLVMValueRef overflows = is_sum       ? add_overflows(&of, result)
                             : is_product ? mul_overflows(&of, result)
                                          : sub_overflows(&of, result);
    LLVMValueRef pair = LLVMGetPoison(LLVMTypeOf(call));
    pair = LLVMBuildInsertValue(of.builder, pair, result, 0, "");
    pair = LLVMBuildInsertValue(of.builder, pair, overflows, 1, "");
    LLVMReplaceAllUsesWith(call, pair);
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(of.builder);
}

bool simd_expand_overflow(struct lower_context *lower, LLVMValueRef function)
{
    struct lower_list found = lower_instructions(function, is_wanted);
    for (size_t i = 0; i < found.count; i++) {
        expand(lower, found.items[i]);
    }
    return found.count != 0;
}
