/* The minimum and the maximum of two numbers on x86, where a NaN is ignored and -0 is less than +0.
 *
 * The processor's minimum has neither rule: it returns its second operand unless the first is less.
 * So LLVM 22 first exchanges the operands, depending on the sign of one of them. That takes six
 * vector instructions; for scalars it is a branch, which is often mispredicted. Here the minimum's
 * result is corrected if both operands are equal or one is a NaN. That takes five instructions; the
 * minimum and the two comparisons do not depend on each other.
 *
 * For fminf(x, y), in pseudocode:
 *
 *     chosen = y < x ? y : x              one minimum of the processor
 *     number = x == y ? chosen | y : chosen        -0 if one of two zeros is -0
 *     result = x is NaN ? y : number */
#include "backend/minmax.h"

#include "support/str.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

/* A scalar is computed in a vector register, so that its bits are not moved to an integer
 * register. */
struct bits {
    LLVMTypeRef numbers, integers;
    bool is_vector; /* of the program */
};

/* False for types other than float and double, for example half. */
static bool find_bits(LLVMTypeRef type, struct bits *bits)
{
    bits->is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef element = bits->is_vector ? LLVMGetElementType(type) : type;
    bool is_double = LLVMGetTypeKind(element) == LLVMDoubleTypeKind;
    if (!is_double && LLVMGetTypeKind(element) != LLVMFloatTypeKind) {
        return false;
    }
    LLVMContextRef llvm = LLVMGetTypeContext(type);
    unsigned count = bits->is_vector ? LLVMGetVectorSize(type) : is_double ? 2 : 4;
    LLVMTypeRef integer = is_double ? LLVMInt64TypeInContext(llvm) : LLVMInt32TypeInContext(llvm);
    bits->numbers = LLVMVectorType(element, count);
    bits->integers = LLVMVectorType(integer, count);
    return true;
}

static LLVMValueRef first_index(LLVMTypeRef vector)
{
    return LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(vector)), 0, 0);
}

static LLVMValueRef vector_of(LLVMBuilderRef b, const struct bits *bits, LLVMValueRef value)
{
    return bits->is_vector ? value
                           : LLVMBuildInsertElement(b, LLVMGetPoison(bits->numbers), value,
                                                    first_index(bits->numbers), "");
}

/* Equal numbers have equal bits, except zeros: for these "or" gives -0, "and" +0. With a NaN the
 * comparison selects the first operand, so only a NaN there needs the second. */
static LLVMValueRef ordered(LLVMBuilderRef b, const struct bits *bits, LLVMValueRef call,
                            bool is_least)
{
    LLVMValueRef x = vector_of(b, bits, LLVMGetOperand(call, 0));
    LLVMValueRef y = vector_of(b, bits, LLVMGetOperand(call, 1));
    LLVMValueRef beyond = LLVMBuildFCmp(b, is_least ? LLVMRealOLT : LLVMRealOGT, y, x, "");
    LLVMValueRef chosen =
        LLVMBuildBitCast(b, LLVMBuildSelect(b, beyond, y, x, ""), bits->integers, "");
    LLVMValueRef other = LLVMBuildBitCast(b, y, bits->integers, "");
    LLVMValueRef zero =
        is_least ? LLVMBuildOr(b, chosen, other, "") : LLVMBuildAnd(b, chosen, other, "");
    LLVMValueRef is_same = LLVMBuildFCmp(b, LLVMRealOEQ, x, y, "");
    LLVMValueRef number =
        LLVMBuildBitCast(b, LLVMBuildSelect(b, is_same, zero, chosen, ""), bits->numbers, "");
    LLVMValueRef is_nan = LLVMBuildFCmp(b, LLVMRealUNO, x, x, "");
    LLVMValueRef result = LLVMBuildSelect(b, is_nan, y, number, "");
    return bits->is_vector ? result
                           : LLVMBuildExtractElement(b, result, first_index(bits->numbers), "");
}

/* With a constant operand, or if the signs of zeros do not matter, LLVM's own code is shorter. */
static bool is_general(LLVMValueRef call)
{
    return (LLVMGetFastMathFlags(call) & LLVMFastMathNoSignedZeros) == 0 &&
           !LLVMIsConstant(LLVMGetOperand(call, 0)) && !LLVMIsConstant(LLVMGetOperand(call, 1));
}

bool lower_minmax(LLVMBuilderRef builder, LLVMValueRef instruction)
{
    LLVMValueRef callee =
        LLVMIsACallInst(instruction) != NULL ? LLVMGetCalledValue(instruction) : NULL;
    size_t length;
    const char *name =
        callee != NULL && LLVMIsAFunction(callee) != NULL ? LLVMGetValueName2(callee, &length) : "";
    bool is_least = str_starts(name, "llvm.minimumnum.");
    struct bits bits;
    if ((!is_least && !str_starts(name, "llvm.maximumnum.")) || !is_general(instruction) ||
        !find_bits(LLVMTypeOf(instruction), &bits)) {
        return false;
    }
    LLVMPositionBuilderBefore(builder, instruction);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(instruction));
    LLVMReplaceAllUsesWith(instruction, ordered(builder, &bits, instruction, is_least));
    LLVMInstructionEraseFromParent(instruction);
    return true;
}
