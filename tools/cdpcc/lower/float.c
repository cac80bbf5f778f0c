/* Gives floating-point operations the results of a GPU, where the front end's intrinsics guarantee
 * less or its flags allow more.
 *
 * - -0 is less than +0, in either order of the operands. If one operand is a NaN, the result is the
 *   other one: "minimumnum". "minnum" does not define the order of the zeros.
 * - Only a product and a sum may be contracted. With the flag on two conversions LLVM may combine
 *   them to one, which rounds once where the program rounds twice.
 * - lrint, lround and the like round and convert. A value that does not fit saturates, as in any
 *   other conversion (lower/convert.c).
 *
 * Examples:
 *
 *     fminf(0.0f, -0.0f)     llvm.minnum.f32 may give either zero; llvm.minimumnum.f32 gives -0
 *     (half)(float)d         two fptrunc with "contract" could become one fptrunc to half
 *     lrintf(x)              llvm.lrint.i64.f32 becomes llvm.rint.f32 and fptosi
 *
 * The pass runs after math, so the functions of math/ are checked like the program's code, and
 * before convert, which guards the fptosi that is created here. */
#include "lower/float.h"

#include "ir/value.h"
#include "lower/passes.h"
#include "support/str.h"

static void replace(LLVMValueRef at, LLVMBuilderRef builder, LLVMValueRef value)
{
    LLVMDisposeBuilder(builder);
    LLVMReplaceAllUsesWith(at, value);
    LLVMInstructionEraseFromParent(at);
}

/* ---- minimum and maximum ---- */

/* Replaces the call by the intrinsic called name, with the same operands and flags. */
static void order_zeros(struct lower_context *lower, LLVMValueRef call, const char *name)
{
    LLVMBuilderRef builder = lower_builder_before(lower, call);
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef arguments[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1)};
    LLVMValueRef ordered = lower_intrinsic(lower, builder, name, &type, 1, arguments, 2);
    LLVMSetFastMathFlags(ordered, LLVMGetFastMathFlags(call));
    replace(call, builder, ordered);
}

/* ---- rounding to an integer ---- */

/* Replaces the call by the intrinsic called rounding and a conversion. rint rounds to even; round
 * rounds halves away from zero, as lround does. */
static void round_and_convert(struct lower_context *lower, LLVMValueRef call, const char *rounding)
{
    LLVMBuilderRef builder = lower_builder_before(lower, call);
    LLVMValueRef x = LLVMGetOperand(call, 0);
    LLVMTypeRef from = LLVMTypeOf(x);
    LLVMValueRef whole = lower_intrinsic(lower, builder, rounding, &from, 1, &x, 1);
    replace(call, builder, LLVMBuildFPToSI(builder, whole, LLVMTypeOf(call), ""));
}

/* ---- calls of LLVM's functions ---- */

/* Tested by the start of the name, because the rest is the type: "llvm.lrint.i64.f32". */
static void mend_call(struct lower_context *lower, LLVMValueRef at)
{
    static const struct mended {
        const char *name, *instead;
        void (*mend)(struct lower_context *, LLVMValueRef, const char *);
    } table[] = {
        {"llvm.minnum.", "llvm.minimumnum", order_zeros},
        {"llvm.maxnum.", "llvm.maximumnum", order_zeros},
        {"llvm.lrint.", "llvm.rint", round_and_convert},
        {"llvm.llrint.", "llvm.rint", round_and_convert},
        {"llvm.lround.", "llvm.round", round_and_convert},
        {"llvm.llround.", "llvm.round", round_and_convert},
    };
    LLVMValueRef callee = lower_callee(at);
    for (size_t i = 0; callee != NULL && i < sizeof table / sizeof *table; i++) {
        if (str_starts(lower_name(callee), table[i].name)) {
            table[i].mend(lower, at, table[i].instead);
            return;
        }
    }
}

/* ---- contraction ---- */

/* Only casts and binary operators are replaced. Calls, selects and the like keep the flag. */
void lower_forbid_contraction(struct lower_context *lower, LLVMValueRef at)
{
    LLVMFastMathFlags contract = LLVMFastMathAllowContract;
    if (!LLVMCanValueUseFastMathFlags(at) || (LLVMGetFastMathFlags(at) & contract) == 0) {
        return;
    }
    bool is_cast = LLVMIsACastInst(at) != NULL, is_binary = LLVMIsABinaryOperator(at) != NULL;
    if (!is_cast && !is_binary) {
        return;
    }
    /* LLVM's C interface can add flags, but not remove any, so a new instruction is created. */
    LLVMBuilderRef builder = lower_builder_before(lower, at);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    LLVMValueRef first = LLVMGetOperand(at, 0);
    LLVMValueRef made = is_cast ? LLVMBuildCast(builder, opcode, first, LLVMTypeOf(at), "")
                                : LLVMBuildBinOp(builder, opcode, first, LLVMGetOperand(at, 1), "");
    if (LLVMIsAInstruction(made) != NULL) {
        LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(at) & ~contract);
    }
    replace(at, builder, made);
}

static void limit_contraction(struct lower_context *lower, LLVMValueRef at)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    if (opcode != LLVMFAdd && opcode != LLVMFSub && opcode != LLVMFMul) {
        lower_forbid_contraction(lower, at);
    }
}

void lower_float(struct lower_context *lower)
{
    lower_each_instruction(lower, limit_contraction);
    lower_each_instruction(lower, mend_call);
}
