/* Integer division by zero, which is no fault on a GPU.
 *
 * A processor traps, and LLVM assumes that it never happens. Hardware gives all ones, for quotient
 * and remainder. If 64-bit operands both fit into 32 bits, it divides these and gives 32 ones. The
 * least number divided by -1 is itself. So each division gets a valid divisor, and its result is
 * selected after it. If the divisor is known, the optimizer removes all of this.
 *
 * Examples, for the GPU's rules:
 *
 *     7 / 0          -1                    7u % 0u               0xffffffff
 *     7ull / 0ull    0xffffffff            (1ull << 40) / 0ull   0xffffffffffffffff
 *     INT_MIN / -1   INT_MIN               INT_MIN % -1          0
 *
 * Before and after, without a sign:
 *
 *     %q = udiv i32 %a, %b                 %by.zero = icmp eq i32 %b, 0
 *                                          %d = select i1 %by.zero, i32 1, i32 %b
 *                                          %r = udiv i32 %a, %d
 *                                          %q = select i1 %by.zero, i32 -1, i32 %r
 *
 * The pass adds no branches, so loops with divisions remain simple. Each division of the unit is
 * guarded, also those that ptx emitted. After it no division of scalars of at most 64 bits can
 * trap. */
#include "ir/value.h"
#include "lower/passes.h"

/* A division being guarded. */
struct division {
    LLVMBuilderRef builder; /* before it */
    LLVMTypeRef type;
    LLVMValueRef dividend, divisor;
    LLVMOpcode opcode;
    bool is_signed, is_quotient;
};

static LLVMValueRef number(const struct division *d, long long value)
{
    return LLVMConstInt(d->type, (unsigned long long)value, 1);
}

static LLVMValueRef is_zero(const struct division *d)
{
    return LLVMBuildICmp(d->builder, LLVMIntEQ, d->divisor, number(d, 0), "by.zero");
}

/* The hardware's result of a division by zero. */
static LLVMValueRef ones(const struct division *d)
{
    if (LLVMGetIntTypeWidth(d->type) != 64) {
        return number(d, -1);
    }
    LLVMValueRef short_ones = number(d, 0xffffffff);
    LLVMValueRef is_short =
        LLVMBuildICmp(d->builder, LLVMIntULE, d->dividend, short_ones, "is.short");
    return LLVMBuildSelect(d->builder, is_short, short_ones, number(d, -1), "");
}

/* A select before and one after the division. */
static LLVMValueRef guard_unsigned(const struct division *d)
{
    LLVMValueRef zero = is_zero(d);
    LLVMValueRef divisor = LLVMBuildSelect(d->builder, zero, number(d, 1), d->divisor, "");
    LLVMValueRef result = LLVMBuildBinOp(d->builder, d->opcode, d->dividend, divisor, "");
    return LLVMBuildSelect(d->builder, zero, ones(d), result, "");
}

/* For the divisors 0 and -1 it divides by 1 instead, which is correct for remainders by -1.
 *
 * One comparison finds both special divisors: divisor + 1 is 0 or 1 without sign exactly for -1
 * and 0. The quotient by -1 is the negated dividend, which wraps for the least number. */
static LLVMValueRef guard_signed(const struct division *d)
{
    LLVMValueRef above = LLVMBuildAdd(d->builder, d->divisor, number(d, 1), "");
    LLVMValueRef special = LLVMBuildICmp(d->builder, LLVMIntULT, above, number(d, 2), "special");
    LLVMValueRef divisor = LLVMBuildSelect(d->builder, special, number(d, 1), d->divisor, "");
    LLVMValueRef result = LLVMBuildBinOp(d->builder, d->opcode, d->dividend, divisor, "");
    LLVMValueRef by_one = d->is_quotient ? LLVMBuildNeg(d->builder, d->dividend, "") : result;
    LLVMValueRef other = LLVMBuildSelect(d->builder, is_zero(d), ones(d), by_one, "");
    return LLVMBuildSelect(d->builder, special, other, result, "");
}

/* Neither 0 nor -1. */
static bool is_harmless(LLVMValueRef divisor)
{
    return LLVMIsAConstantInt(divisor) != NULL && LLVMConstIntGetZExtValue(divisor) + 1 >= 2 &&
           LLVMConstIntGetSExtValue(divisor) != -1;
}

static void guard(struct lower_context *lower, LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode != LLVMSDiv && opcode != LLVMUDiv && opcode != LLVMSRem && opcode != LLVMURem) {
        return;
    }
    struct division d = {
        .type = LLVMTypeOf(instruction),
        .dividend = LLVMGetOperand(instruction, 0),
        .divisor = LLVMGetOperand(instruction, 1),
        .opcode = opcode,
        .is_signed = opcode == LLVMSDiv || opcode == LLVMSRem,
        .is_quotient = opcode == LLVMSDiv || opcode == LLVMUDiv,
    };
    bool is_scalar = LLVMGetTypeKind(d.type) == LLVMIntegerTypeKind;
    if (!is_scalar || LLVMGetIntTypeWidth(d.type) > 64 || is_harmless(d.divisor)) {
        return;
    }
    d.builder = lower_builder_before(lower, instruction);
    LLVMValueRef result = d.is_signed ? guard_signed(&d) : guard_unsigned(&d);
    LLVMReplaceAllUsesWith(instruction, result);
    LLVMInstructionEraseFromParent(instruction);
    LLVMDisposeBuilder(d.builder);
}

void lower_divide(struct lower_context *lower)
{
    lower_each_instruction(lower, guard);
}
