/* Rewrites code that LLVM 22's back ends compile wrongly. Vectors, on x86:
 *
 * - A masked store whose mask is a constant with one active lane becomes a scalar store, which
 *   forgets that the masked one truncated (reduceMaskedStoreToScalarStore): a store of the low
 *   bytes of i32 in a <4 x i8> wrote four bytes. Here the scalar store is created from the type of
 *   the stored value.
 * - trunc (lshr (mul a, b), 32) to i16, with a and b of at most 16 bits, becomes pmulhuw and a
 *   shift of i16 by 16 (combinePMULH): poison instead of zero. Here a shuffle extracts the high
 *   halves.
 *
 * backend/minmax.c rewrites code that the back ends compile to slow code. */
#include "backend/workarounds.h"

#include "backend/minmax.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MOST_ELEMENTS = 64 };

/* The only active lane of the constant mask, or -1. */
static int lone_lane(LLVMValueRef mask)
{
    int lane = -1;
    if (!LLVMIsConstant(mask) || LLVMGetTypeKind(LLVMTypeOf(mask)) != LLVMVectorTypeKind) {
        return -1;
    }
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(mask)); i++) {
        LLVMValueRef element = LLVMGetAggregateElement(mask, i);
        if (element == NULL || LLVMIsAConstantInt(element) == NULL) {
            return -1;
        }
        if (LLVMConstIntGetZExtValue(element) != 0) {
            if (lane >= 0) {
                return -1;
            }
            lane = (int)i;
        }
    }
    return lane;
}

/* A call of llvm.masked.store for any type. */
static bool is_masked_store(LLVMValueRef instruction)
{
    LLVMValueRef callee =
        LLVMIsACallInst(instruction) != NULL ? LLVMGetCalledValue(instruction) : NULL;
    size_t length;
    return callee != NULL && LLVMIsAFunction(callee) != NULL &&
           str_starts(LLVMGetValueName2(callee, &length), "llvm.masked.store.");
}

/* A store of one element, with the element's own type. */
static void store_lone(LLVMBuilderRef builder, LLVMValueRef call, int lane)
{
    LLVMValueRef value = LLVMGetOperand(call, 0), address = LLVMGetOperand(call, 1);
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(value));
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(value));
    LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(llvm), (unsigned)lane, 0);
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef at = LLVMBuildGEP2(builder, element, address, &index, 1, "");
    LLVMValueRef store =
        LLVMBuildStore(builder, LLVMBuildExtractElement(builder, value, index, ""), at);
    /* elements have one byte, or a size that x86 can store at any address */
    LLVMSetAlignment(store, 1);
    LLVMInstructionEraseFromParent(call);
}

/* A vector of integers with that many bits. */
static bool is_vector_of(LLVMTypeRef type, unsigned bits)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMGetElementType(type)) == bits;
}

/* The number of bits by which all elements are shifted to the right, or -1. */
static int common_shift(LLVMValueRef shift)
{
    if (LLVMIsAInstruction(shift) == NULL || LLVMGetInstructionOpcode(shift) != LLVMLShr) {
        return -1;
    }
    LLVMValueRef amounts = LLVMGetOperand(shift, 1);
    LLVMValueRef first = LLVMIsConstant(amounts) ? LLVMGetAggregateElement(amounts, 0) : NULL;
    for (unsigned i = 1; first != NULL && i < LLVMGetVectorSize(LLVMTypeOf(amounts)); i++) {
        first = LLVMGetAggregateElement(amounts, i) == first ? first : NULL;
    }
    return first == NULL || LLVMIsAConstantInt(first) == NULL
               ? -1
               : (int)LLVMConstIntGetZExtValue(first);
}

static bool is_high_half(LLVMValueRef instruction)
{
    if (LLVMIsATruncInst(instruction) == NULL || !is_vector_of(LLVMTypeOf(instruction), 16)) {
        return false;
    }
    LLVMValueRef from = LLVMGetOperand(instruction, 0);
    return is_vector_of(LLVMTypeOf(from), 64) && common_shift(from) >= 32 &&
           LLVMGetVectorSize(LLVMTypeOf(from)) <= MOST_ELEMENTS;
}

/* The bytes are little-endian: the odd halves are the high ones. */
static void take_high_half(LLVMBuilderRef builder, LLVMValueRef trunc)
{
    LLVMValueRef shift = LLVMGetOperand(trunc, 0), odd[MOST_ELEMENTS];
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(trunc)));
    unsigned count = LLVMGetVectorSize(LLVMTypeOf(trunc));
    uint64_t rest = (uint64_t)common_shift(shift) - 32;
    LLVMPositionBuilderBefore(builder, trunc);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(trunc));
    LLVMValueRef halves =
        LLVMBuildBitCast(builder, LLVMGetOperand(shift, 0), LLVMVectorType(i32, 2 * count), "");
    for (unsigned i = 0; i < count; i++) {
        odd[i] = LLVMConstInt(i32, 2 * i + 1, 0);
    }
    LLVMValueRef high = LLVMBuildShuffleVector(builder, halves, LLVMGetPoison(LLVMTypeOf(halves)),
                                               LLVMConstVector(odd, count), "");
    for (unsigned i = 0; i < count; i++) {
        odd[i] = LLVMConstInt(i32, rest, 0);
    }
    if (rest != 0) {
        high = LLVMBuildLShr(builder, high, LLVMConstVector(odd, count), "");
    }
    LLVMReplaceAllUsesWith(trunc, LLVMBuildTrunc(builder, high, LLVMTypeOf(trunc), ""));
    LLVMInstructionEraseFromParent(trunc);
}

static void rewrite(LLVMBuilderRef builder, LLVMValueRef instruction)
{
    int lane = is_masked_store(instruction) ? lone_lane(LLVMGetOperand(instruction, 2)) : -1;
    if (lane >= 0) {
        store_lone(builder, instruction, lane);
    } else if (is_high_half(instruction)) {
        take_high_half(builder, instruction);
    }
}

void lower_backend(LLVMModuleRef module)
{
    bool is_x86 = str_starts(LLVMGetTarget(module), "x86_64");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
             b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef next, i = LLVMGetFirstInstruction(b); i != NULL; i = next) {
                next = LLVMGetNextInstruction(i);
                if (is_x86 && lower_minmax(builder, i)) {
                    continue;
                }
                rewrite(builder, i);
            }
        }
    }
    LLVMDisposeBuilder(builder);
}
