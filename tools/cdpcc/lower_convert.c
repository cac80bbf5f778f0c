/* Floating point to integer, which on a GPU is defined for every value.
 *
 * LLVM takes it that the value fits, and what a processor gives where it does not hangs on
 * the instruction.  Hardware gives the nearest integer of 32 or 64 bits; of a NaN it gives 0,
 * or the top bit alone where either side has 64.  Narrower integers are cut from 32 bits.
 * So each conversion gets a value that fits, by selects, which also vectorize; LLVM's own
 * saturating conversions come lane by lane. */
#include "lower_pass.h"

/* A conversion being guarded. */
struct conversion {
    LLVMBuilderRef builder; /* before it */
    LLVMTypeRef from, to;   /* to: of 32 or 64 bits */
    LLVMValueRef value;
    bool is_signed;
};

static unsigned width_of(const struct conversion *c)
{
    return LLVMGetIntTypeWidth(c->to);
}

static LLVMValueRef real(const struct conversion *c, double value)
{
    return LLVMConstReal(c->from, value);
}

/* The least power of two that is too large. */
static double limit_of(const struct conversion *c)
{
    double half = width_of(c) == 64 ? 0x1p63 : 0x1p31;
    return c->is_signed ? half : 2 * half;
}

/* What stands for a NaN: converts to what hardware makes of it. */
static double stands_for_nan(const struct conversion *c)
{
    if (width_of(c) == 32 && LLVMGetTypeKind(c->from) == LLVMFloatTypeKind) {
        return 0;
    }
    return c->is_signed ? -limit_of(c) : limit_of(c) / 2;
}

static LLVMValueRef saturate(const struct conversion *c)
{
    LLVMBuilderRef b = c->builder;
    LLVMValueRef lowest = real(c, c->is_signed ? -limit_of(c) : 0), limit = real(c, limit_of(c));
    LLVMValueRef below = LLVMBuildFCmp(b, LLVMRealOLT, c->value, lowest, "");
    LLVMValueRef low = LLVMBuildSelect(b, below, lowest, c->value, "");
    LLVMValueRef fits = LLVMBuildFCmp(b, LLVMRealOLT, low, limit, "fits");
    LLVMValueRef safe = LLVMBuildSelect(b, fits, low, real(c, stands_for_nan(c)), "");
    LLVMValueRef result =
        c->is_signed ? LLVMBuildFPToSI(b, safe, c->to, "") : LLVMBuildFPToUI(b, safe, c->to, "");
    LLVMValueRef above = LLVMBuildFCmp(b, LLVMRealOGE, c->value, limit, "above");
    unsigned long long ones = ~0ull >> (64 - width_of(c) + (c->is_signed ? 1 : 0));
    return LLVMBuildSelect(b, above, LLVMConstInt(c->to, ones, 0), result, "");
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
    LLVMValueRef result = LLVMBuildIntCast2(c.builder, saturate(&c), type, c.is_signed, "");
    LLVMReplaceAllUsesWith(instruction, result);
    LLVMInstructionEraseFromParent(instruction);
    LLVMDisposeBuilder(c.builder);
}

void lower_convert(struct lower_context *lower)
{
    lower_each_instruction(lower, guard);
}
