/* Restores the program order of loads, which is that of their addresses.
 *
 * If an operation uses two loads, the code generator folds the second one into the operation, so it
 * runs later than the first.  Hardware prefetchers predict data that are read upwards.  A block
 * whose upper half is read first, as in a sum of both halves, takes four times as long. */
#include "ir/value.h"
#include "simd/post/shared_memory.h"

static bool is_commutative(LLVMValueRef instruction)
{
    switch ((int)LLVMGetInstructionOpcode(instruction)) {
    case LLVMAdd:
    case LLVMFAdd:
    case LLVMMul:
    case LLVMFMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return true;
    default:
        return false;
    }
}

/* The position of a vector load among the block's instructions. */
static bool position_of(const struct lower_map *positions, LLVMValueRef value, unsigned *position)
{
    return LLVMIsALoadInst(value) != NULL &&
           LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind &&
           lower_map_find(positions, value, position);
}

static void order_block(LLVMBasicBlockRef block)
{
    struct lower_map positions = {0};
    unsigned count = 0;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        unsigned first, second;
        if (LLVMIsALoadInst(at) != NULL) {
            lower_map_put(&positions, at, count++);
        } else if (is_commutative(at) && position_of(&positions, LLVMGetOperand(at, 0), &first) &&
                   position_of(&positions, LLVMGetOperand(at, 1), &second) && second < first) {
            LLVMValueRef operand = LLVMGetOperand(at, 0);
            LLVMSetOperand(at, 0, LLVMGetOperand(at, 1));
            LLVMSetOperand(at, 1, operand);
        }
    }
}

void shared_order(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        order_block(block);
    }
}
