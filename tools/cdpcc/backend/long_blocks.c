/* Cuts basic blocks of thousands of instructions into pieces of a thousand.
 *
 * The code generator's first step takes time that grows with the square of a basic block's length:
 * it numbers all instructions of the block for each operand that it may put next to its use. A
 * kernel with 400 lines of 128-bit arithmetic has vector code of fifty thousand instructions, which
 * took half a minute.
 *
 *     long:   1 2 ... 2500        ->      new:    1 2 ... 1000        br new2
 *                                         new2:   1001 ... 2000       br long
 *                                         long:   2001 ... 2500
 *
 * The last piece keeps the block, so that the phis of its successors remain valid. The generator
 * would join the pieces again before that step, but not a block whose address was taken. It joins
 * them after the step that selects instructions, so no jump is left.
 *
 * A function with debug information is left alone: records of variables are between the
 * instructions, and do not move with them. */
#include "backend/long_blocks.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stddef.h>

enum { LONGEST = 2000, PIECE = 1000 };

/* Branches to `from` become branches to `to`, but for the one at the end of `to`. */
static void redirect(LLVMValueRef function, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        unsigned count = end == NULL ? 0 : LLVMGetNumSuccessors(end);
        for (unsigned i = 0; i < count; i++) {
            if (block != to && LLVMGetSuccessor(end, i) == from) {
                LLVMSetSuccessor(end, i, to);
            }
        }
    }
}

/* Phis and variables stay in the first piece. */
static LLVMValueRef first_to_count(LLVMBasicBlockRef block)
{
    LLVMValueRef result = LLVMGetFirstInstruction(block);
    for (LLVMValueRef at = result; at != NULL; at = LLVMGetNextInstruction(at)) {
        if (LLVMIsAPHINode(at) != NULL || LLVMIsAAllocaInst(at) != NULL) {
            result = LLVMGetNextInstruction(at);
        }
    }
    return result;
}

static unsigned count_from(LLVMValueRef at)
{
    unsigned count = 0;
    for (; at != NULL; at = LLVMGetNextInstruction(at)) {
        count++;
    }
    return count;
}

/* The instruction so many places later. */
static LLVMValueRef skip(LLVMValueRef at, unsigned count)
{
    while (count-- > 0) {
        at = LLVMGetNextInstruction(at);
    }
    return at;
}

/* Moves the instructions before `end` to a new block, whose next one is the block. */
static LLVMBasicBlockRef cut_before(LLVMValueRef end, LLVMBuilderRef builder)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(end);
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(block)));
    LLVMBasicBlockRef piece = LLVMInsertBasicBlockInContext(llvm, block, "piece");
    LLVMPositionBuilderAtEnd(builder, piece);
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at != end; at = next) {
        next = LLVMGetNextInstruction(at);
        LLVMInstructionRemoveFromParent(at);
        LLVMInsertIntoBuilder(builder, at);
    }
    LLVMBuildBr(builder, block);
    return piece;
}

static void cut_block(LLVMValueRef function, LLVMBasicBlockRef block, LLVMBuilderRef builder)
{
    LLVMValueRef at = first_to_count(block);
    unsigned count = count_from(at);
    LLVMBasicBlockRef before = NULL;
    if (count <= LONGEST) {
        return;
    }
    for (; count >= 2 * PIECE; count -= PIECE) {
        at = skip(at, PIECE);
        LLVMBasicBlockRef piece = cut_before(at, builder);
        if (before == NULL) {
            redirect(function, block, piece);
        } else {
            LLVMSetSuccessor(LLVMGetBasicBlockTerminator(before), 0, piece);
            LLVMBlockAddress(function, piece);
        }
        before = piece;
    }
    LLVMBlockAddress(function, block);
}

void lower_long_blocks(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        LLVMBasicBlockRef next;
        for (LLVMBasicBlockRef block = LLVMGetSubprogram(f) != NULL ? NULL
                                                                    : LLVMGetFirstBasicBlock(f);
             block != NULL; block = next) {
            next = LLVMGetNextBasicBlock(block);
            cut_block(f, block, builder);
        }
    }
    LLVMDisposeBuilder(builder);
}
