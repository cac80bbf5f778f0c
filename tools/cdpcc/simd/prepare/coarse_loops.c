/* Loops over the elements that one thread handles, where threads are coarsened:
 *
 *     int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
 *     for (int k = 0; k < 4; k++)          four accesses of one address plus 0, 4, 8 and 12 bytes
 *         out[first + k] = in[first + k];
 *
 * In one iteration the threads' elements are four elements apart. All iterations together access
 * each element, so unrolled they are an interleave group. Only loops of one block are unrolled,
 * whose number of iterations is the number of elements from one thread to the next one. */
#include "simd/prepare/coarse_loops.h"

#include "ir/context.h"
#include "ir/module.h"
#include "ir/value.h"
#include "simd/prepare/counted_loops.h"
#include "simd/prepare/offsets.h"

#include <llvm-c/Core.h>

enum {
    MOST_INSTRUCTIONS = 60, /* of one iteration */
    MOST_ITERATIONS = 8,    /* as many as an interleave group has fields */
};

/* The number of iterations of a loop of one block, in which the phi counts up from 0 by 1; 0: it is
 * no such loop. */
static uint64_t iterations_of(LLVMValueRef phi)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!simd_is_counter(phi) || LLVMCountIncoming(phi) != 2 || LLVMIsABranchInst(end) == NULL ||
        !LLVMIsConditional(end) || LLVMIsAICmpInst(LLVMGetCondition(end)) == NULL) {
        return 0;
    }
    unsigned back = LLVMGetIncomingBlock(phi, 1) == block;
    LLVMValueRef test = LLVMGetCondition(end), next = LLVMGetIncomingValue(phi, back);
    LLVMValueRef start = LLVMGetIncomingValue(phi, 1 - back), limit = LLVMGetOperand(test, 1);
    bool is_counted = LLVMGetIncomingBlock(phi, back) == block && LLVMIsNull(start) &&
                      LLVMIsABinaryOperator(next) != NULL &&
                      LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1)) == 1 &&
                      LLVMIsAConstantInt(limit) != NULL;
    /* LLVM may compare the counter itself with the last number. */
    bool is_last = LLVMGetOperand(test, 0) == phi;
    is_counted = is_counted && (is_last || LLVMGetOperand(test, 0) == next);
    LLVMIntPredicate is = LLVMGetICmpPredicate(test);
    bool is_limit = is == LLVMIntEQ || is == LLVMIntNE || is == LLVMIntULT || is == LLVMIntSLT;
    uint64_t count = is_counted && is_limit ? LLVMConstIntGetZExtValue(limit) + is_last : 0;
    return count >= 2 && count <= MOST_ITERATIONS ? count : 0;
}

/* The value is a multiple of the number: a product or a shift. */
static bool is_multiple(LLVMValueRef value, uint64_t number)
{
    if (LLVMIsABinaryOperator(value) == NULL ||
        LLVMIsAConstantInt(LLVMGetOperand(value, 1)) == NULL) {
        return false;
    }
    uint64_t by = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    return (opcode == LLVMMul && by == number) ||
           (opcode == LLVMShl && by < 4 && UINT64_C(1) << by == number);
}

/* Some address is computed from the value. */
static bool is_index(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) != NULL ||
            ((LLVMIsASExtInst(user) != NULL || LLVMIsAZExtInst(user) != NULL) && is_index(user))) {
            return true;
        }
    }
    return false;
}

/* The counter is added to a multiple of the number, and the sum is an index. */
static bool counts_elements(LLVMValueRef phi, uint64_t number)
{
    for (LLVMUseRef use = LLVMGetFirstUse(phi); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_sum = LLVMIsABinaryOperator(user) != NULL &&
                      (LLVMGetInstructionOpcode(user) == LLVMAdd ||
                       (LLVMGetInstructionOpcode(user) == LLVMOr && LLVMGetIsDisjoint(user)));
        if (is_sum && is_index(user) &&
            (is_multiple(LLVMGetOperand(user, 0), number) ||
             is_multiple(LLVMGetOperand(user, 1), number))) {
            return true;
        }
    }
    return false;
}

static bool is_short(LLVMBasicBlockRef block)
{
    unsigned count = 0;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        count++;
    }
    return count <= MOST_INSTRUCTIONS;
}

void simd_unroll_coarse_loops(struct lower_context *lower, LLVMValueRef function)
{
    struct simd_counters counters = {.phis = NULL};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef phi = LLVMGetFirstInstruction(block);
             phi != NULL && LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi)) {
            uint64_t iterations = iterations_of(phi);
            if (iterations != 0 && is_short(block) && counts_elements(phi, iterations)) {
                LOWER_PUSH(counters.phis, counters.count, phi);
            }
        }
    }
    if (counters.count != 0) {
        simd_unroll_counted(lower, function, &counters);
        simd_split_offsets(lower, function);
        module_run_passes_on(function, "early-cse<memssa>", lower->machine);
    }
}
