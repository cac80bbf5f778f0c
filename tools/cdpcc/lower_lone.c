/* Masked stores whose mask is a constant with one lane in it.
 *
 * LLVM 22's x86 back end makes a scalar store of them that forgets that the masked one
 * truncated (reduceMaskedStoreToScalarStore of a <4 x i8> store of truncated i32 writes four
 * bytes).  So that store is made here, where the type says what is stored. */
#include "lower_lone.h"

#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>

/* The one lane that is on in the constant mask, or -1. */
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

static bool is_masked_store(LLVMValueRef instruction)
{
    LLVMValueRef callee =
        LLVMIsACallInst(instruction) != NULL ? LLVMGetCalledValue(instruction) : NULL;
    size_t length;
    return callee != NULL && LLVMIsAFunction(callee) != NULL &&
           str_starts(LLVMGetValueName2(callee, &length), "llvm.masked.store.");
}

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
    LLVMSetAlignment(store, 1); /* elements of one byte or what x86 stores anywhere */
    LLVMInstructionEraseFromParent(call);
}

void lower_lone_stores(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
             b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef next, i = LLVMGetFirstInstruction(b); i != NULL; i = next) {
                next = LLVMGetNextInstruction(i);
                int lane = is_masked_store(i) ? lone_lane(LLVMGetOperand(i, 2)) : -1;
                if (lane >= 0) {
                    store_lone(builder, i, lane);
                }
            }
        }
    }
    LLVMDisposeBuilder(builder);
}
