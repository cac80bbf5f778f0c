/* Shifts by the width of the number or more, which PTX defines and LLVM does not.
 *
 * In PTX a shift amount above the width counts as the width: shl and shr.u then give 0, shr.s
 * copies of the sign bit. In LLVM the result is poison, and the processors' own shifts use the
 * amount modulo the width. If the amount is known to be small, the optimizer removes the guard.
 * x86's shifts of vectors clamp, so there the select is part of the instruction.
 *
 * The amount is unsigned here as in PTX: a shift by -1 is a shift by 2^32 - 1.
 *
 * Before and after:
 *
 *     %y = shl i32 %x, %n        %is.within = icmp ult i32 %n, 32
 *                                %s = shl i32 %x, %n
 *                                %y = select i1 %is.within, i32 %s, i32 0
 *
 *     %y = ashr i32 %x, %n       %m = call i32 @llvm.umin.i32(i32 %n, i32 31)
 *                                %y = ashr i32 %x, %m
 *
 * The result of a shift by too much is poison, but the select does not take it then. Shifts of
 * vectors do not occur in the front end's code. The pass runs after ptx, whose shifts it guards as
 * well. */
#include "ir/value.h"
#include "lower/math.h"
#include "lower/passes.h"

static bool is_shift(LLVMOpcode opcode)
{
    return opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
}

/* Such a shift is the common case, and needs no guard. */
static bool is_small_constant(LLVMValueRef amount, unsigned width)
{
    return LLVMIsAConstantInt(amount) != NULL && width <= 64 &&
           LLVMConstIntGetZExtValue(amount) < width;
}

/* The sign bit in all positions is a shift by the width minus one. */
static void clamp_amount(struct lower_context *lower, LLVMBuilderRef builder, LLVMValueRef shift)
{
    LLVMTypeRef type = LLVMTypeOf(shift);
    LLVMValueRef operands[] = {LLVMGetOperand(shift, 1),
                               LLVMConstInt(type, LLVMGetIntTypeWidth(type) - 1, 0)};
    LLVMSetOperand(shift, 1, lower_intrinsic(lower, builder, "llvm.umin", &type, 1, operands, 2));
}

/* The shift is cloned so that its flags (nuw, nsw, exact) stay. */
static void select_zero(LLVMBuilderRef builder, LLVMValueRef shift)
{
    LLVMTypeRef type = LLVMTypeOf(shift);
    LLVMValueRef width = LLVMConstInt(type, LLVMGetIntTypeWidth(type), 0);
    LLVMValueRef is_within =
        LLVMBuildICmp(builder, LLVMIntULT, LLVMGetOperand(shift, 1), width, "is.within");
    LLVMValueRef clone = LLVMInstructionClone(shift);
    LLVMInsertIntoBuilder(builder, clone);
    LLVMValueRef result = LLVMBuildSelect(builder, is_within, clone, LLVMConstNull(type), "");
    LLVMReplaceAllUsesWith(shift, result);
    LLVMInstructionEraseFromParent(shift);
}

static void guard(struct lower_context *lower, LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (!is_shift(opcode) || lower_math_is_own(lower_function_of(instruction))) {
        return;
    }
    LLVMTypeRef type = LLVMTypeOf(instruction);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
        is_small_constant(LLVMGetOperand(instruction, 1), LLVMGetIntTypeWidth(type))) {
        return;
    }
    LLVMBuilderRef builder = lower_builder_before(lower, instruction);
    if (opcode == LLVMAShr) {
        clamp_amount(lower, builder, instruction);
    } else {
        select_zero(builder, instruction);
    }
    LLVMDisposeBuilder(builder);
}

void lower_shift(struct lower_context *lower)
{
    lower_each_instruction(lower, guard);
}
