/* Floating point to integer, which on a GPU is defined for every value.
 *
 * LLVM takes it that the value fits, and what a processor gives where it does not hangs on
 * the instruction.  Hardware gives the nearest integer of 32 or 64 bits; of a NaN it gives 0,
 * or the top bit alone where either side has 64.  Narrower integers are cut from 32 bits.
 * LLVM's saturating conversions do all that but for the top bit; block entries have their own
 * vector form of them (block/convert.c). */
#include "lower_pass.h"

/* A conversion being guarded. */
struct conversion {
    LLVMBuilderRef builder; /* before it */
    LLVMTypeRef from, to;   /* to: of 32 or 64 bits */
    LLVMValueRef value;
    bool is_signed;
};

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

static void guard(struct lower_context *lower, LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode != LLVMFPToSI && opcode != LLVMFPToUI) {
        return;
    }
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
    LLVMValueRef value = LLVMGetOperand(instruction, 0);
    LLVMTypeRef type = LLVMTypeOf(instruction);
    if (!is_float(LLVMTypeOf(value)) || LLVMGetIntTypeWidth(type) > 64 ||
        lower_math_is_own(function)) {
        return;
    }
    struct conversion c = {
        .builder = lower_builder_before(lower, instruction),
        .from = LLVMTypeOf(value),
        .to = LLVMGetIntTypeWidth(type) > 32 ? lower->i64 : lower->i32,
        .value = value,
        .is_signed = opcode == LLVMFPToSI,
    };
    LLVMValueRef result = LLVMBuildIntCast2(c.builder, saturate(lower, &c), type, c.is_signed, "");
    LLVMReplaceAllUsesWith(instruction, result);
    LLVMInstructionEraseFromParent(instruction);
    LLVMDisposeBuilder(c.builder);
}

void lower_convert(struct lower_context *lower)
{
    lower_each_instruction(lower, guard);
}
