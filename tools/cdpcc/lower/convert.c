/* Floating point to integer, which a GPU defines for every value.
 *
 * In LLVM the result is poison if the value does not fit, and processors differ. A GPU gives the
 * nearest integer of 32 or 64 bits. A NaN becomes 0, or only the top bit if either side has 64
 * bits. Narrower integers are truncated from 32 bits. LLVM's saturating conversions do all that
 * except the top bit. Block entries have their own vector form of them (simd/emit/convert.c).
 *
 * Examples, for the GPU's rules:
 *
 *     (int)1e20f         0x7fffffff           (unsigned)-1.0f       0
 *     (int)NAN           0                    (long long)NAN        0x8000000000000000
 *     (char)300.0f       44: 300 converted to 32 bits and truncated
 *
 * After the pass:
 *
 *     %x = call i32 @llvm.fptosi.sat.i32.f64(double %d)
 *     %is.nan = fcmp uno double %d, %d
 *     %y = select i1 %is.nan, i32 -2147483648, i32 %x
 *
 * The pass runs after float, which turns lrint and similar functions into fptosi. The functions of
 * math/ are left alone: they are written for LLVM's rules. */
#include "ir/value.h"
#include "lower/math.h"
#include "lower/passes.h"
#include "support/str.h"

/* A conversion being guarded. */
struct conversion {
    LLVMBuilderRef builder; /* before it */
    LLVMTypeRef from, to;   /* to: of 32 or 64 bits */
    LLVMValueRef value;
    bool is_signed;
};

/* LLVM's saturating intrinsics return 0 for a NaN. Only float to 32 bits keeps that. */
static LLVMValueRef saturate(struct lower_context *lower, const struct conversion *c)
{
    const char *name = c->is_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
    LLVMTypeRef types[] = {c->to, c->from};
    LLVMValueRef value = c->value;
    LLVMValueRef result = lower_intrinsic(lower, c->builder, name, types, 2, &value, 1);
    unsigned width = LLVMGetIntTypeWidth(c->to);
    if (width == 32 && LLVMGetTypeKind(c->from) == LLVMFloatTypeKind) {
        return result;
    }
    LLVMValueRef is_nan = LLVMBuildFCmp(c->builder, LLVMRealUNO, c->value, c->value, "is.nan");
    LLVMValueRef top = LLVMConstInt(c->to, 1ull << (width - 1), 0);
    return LLVMBuildSelect(c->builder, is_nan, top, result, "");
}

/* Half precision is converted by functions of the headers. */
static bool is_float(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* Whether the instruction is a conversion, and of which kind. With -fno-strict-float-cast-overflow
 * the front end calls the saturating intrinsics of the source's own types: an fptosi of a constant
 * that does not fit would be folded to poison before any pass sees it. */
static bool is_conversion(LLVMValueRef instruction, bool *is_signed)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    LLVMValueRef callee = lower_callee(instruction);
    const char *name = callee == NULL ? "" : lower_name(callee);
    *is_signed = opcode == LLVMFPToSI || str_starts(name, "llvm.fptosi.sat.");
    return *is_signed || opcode == LLVMFPToUI || str_starts(name, "llvm.fptoui.sat.");
}

/* Converts to 32 or 64 bits first and then to the width of the result. A direct saturating
 * conversion to 8 bits would give 127 for 300.0f, where a GPU gives 44. */
static void guard(struct lower_context *lower, LLVMValueRef instruction)
{
    bool is_signed;
    if (!is_conversion(instruction, &is_signed)) {
        return;
    }
    LLVMValueRef value = LLVMGetOperand(instruction, 0);
    LLVMTypeRef type = LLVMTypeOf(instruction);
    if (!is_float(LLVMTypeOf(value)) || LLVMGetIntTypeWidth(type) > 64 ||
        lower_math_is_own(lower_function_of(instruction))) {
        return;
    }
    struct conversion c = {
        .builder = lower_builder_before(lower, instruction),
        .from = LLVMTypeOf(value),
        .to = LLVMGetIntTypeWidth(type) > 32 ? lower->types.i64 : lower->types.i32,
        .value = value,
        .is_signed = is_signed,
    };
    LLVMValueRef result = LLVMBuildIntCast2(c.builder, saturate(lower, &c), type, c.is_signed, "");
    LLVMReplaceAllUsesWith(instruction, result);
    LLVMInstructionEraseFromParent(instruction);
    LLVMDisposeBuilder(c.builder);
}

/* Each conversion is visited once: the ones that the pass creates come before the visited
 * instruction. */
void lower_convert(struct lower_context *lower)
{
    lower_each_instruction(lower, guard);
}
