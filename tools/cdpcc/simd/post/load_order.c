/* Loads in the order of the program, which is that of their addresses.
 *
 * Of two loads that an operation takes, the code generator makes the second a part of the
 * operation, which comes later.  Processors foresee rows that are read upwards: a block whose
 * upper half is read first, as by a sum of both halves, takes four times as long. */
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

/* The place of a vector load among the block's instructions. */
static bool place_of(const struct lower_map *places, LLVMValueRef value, unsigned *place)
{
    return LLVMIsALoadInst(value) != NULL &&
           LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind &&
           lower_map_find(places, value, place);
}

static void order_block(LLVMBasicBlockRef block)
{
    struct lower_map places = {0};
    unsigned count = 0;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        unsigned first, second;
        if (LLVMIsALoadInst(at) != NULL) {
            lower_map_put(&places, at, count++);
        } else if (is_commutative(at) && place_of(&places, LLVMGetOperand(at, 0), &first) &&
                   place_of(&places, LLVMGetOperand(at, 1), &second) && second < first) {
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
