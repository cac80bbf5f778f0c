/* Loops over the elements that one thread handles, where threads are coarsened:
 *
 *     int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
 *     for (int k = 0; k < 4; k++)          four accesses of one address plus 0, 4, 8 and 12 bytes
 *         out[first + k] = in[first + k];
 *
 * In one iteration the threads' elements are four elements apart. All iterations together access
 * each element, so unrolled they are an interleave group. Only loops of one block are unrolled,
 * whose number of iterations is the number of elements from one thread to the next one. Loops with
 * a guard for each element have a version without it (coarse_guards.c). */
#include "simd/prepare/coarse_loops.h"

#include "ir/context.h"
#include "ir/module.h"
#include "ir/value.h"
#include "simd/prepare/coarse_guards.h"
#include "simd/prepare/counted_loops.h"
#include "simd/prepare/offsets.h"

#include <llvm-c/Core.h>

uint64_t simd_coarse_iterations(LLVMValueRef phi, LLVMBasicBlockRef *latch)
{
    if (!simd_is_counter(phi) || LLVMCountIncoming(phi) != 2) {
        return 0;
    }
    unsigned back = LLVMIsAConstantInt(LLVMGetIncomingValue(phi, 0)) != NULL;
    *latch = LLVMGetIncomingBlock(phi, back);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(*latch);
    if (LLVMIsABranchInst(end) == NULL || !LLVMIsConditional(end) ||
        LLVMIsAICmpInst(LLVMGetCondition(end)) == NULL) {
        return 0;
    }
    LLVMValueRef test = LLVMGetCondition(end), next = LLVMGetIncomingValue(phi, back);
    LLVMValueRef start = LLVMGetIncomingValue(phi, 1 - back), limit = LLVMGetOperand(test, 1);
    bool is_counted = LLVMIsNull(start) && LLVMIsABinaryOperator(next) != NULL &&
                      LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1)) == 1 &&
                      LLVMIsAConstantInt(limit) != NULL;
    /* LLVM may compare the counter itself with the last number. */
    bool is_last = LLVMGetOperand(test, 0) == phi;
    is_counted = is_counted && (is_last || LLVMGetOperand(test, 0) == next);
    LLVMIntPredicate is = LLVMGetICmpPredicate(test);
    bool is_limit = is == LLVMIntEQ || is == LLVMIntNE || is == LLVMIntULT || is == LLVMIntSLT;
    uint64_t count = is_counted && is_limit ? LLVMConstIntGetZExtValue(limit) + is_last : 0;
    return count >= 2 && count <= SIMD_MOST_COARSE_ITERATIONS ? count : 0;
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
           (opcode == LLVMShl && by < 5 && UINT64_C(1) << by == number);
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

bool simd_is_coarse_index(LLVMValueRef phi, LLVMValueRef first, uint64_t iterations)
{
    return is_multiple(first, iterations) && is_index(phi);
}

bool simd_counts_elements(LLVMValueRef phi, uint64_t iterations)
{
    for (LLVMUseRef use = LLVMGetFirstUse(phi); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_sum = LLVMIsABinaryOperator(user) != NULL &&
                      (LLVMGetInstructionOpcode(user) == LLVMAdd ||
                       (LLVMGetInstructionOpcode(user) == LLVMOr && LLVMGetIsDisjoint(user)));
        if (is_sum && is_index(user) &&
            (is_multiple(LLVMGetOperand(user, 0), iterations) ||
             is_multiple(LLVMGetOperand(user, 1), iterations))) {
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
    return count <= SIMD_MOST_COARSE_INSTRUCTIONS;
}

void simd_unroll_coarse_loops(struct lower_context *lower, LLVMValueRef function)
{
    struct simd_counters counters = {.phis = NULL};
    simd_version_guarded_loops(lower, function, &counters);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef phi = LLVMGetFirstInstruction(block);
             phi != NULL && LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi)) {
            LLVMBasicBlockRef latch;
            uint64_t iterations = simd_coarse_iterations(phi, &latch);
            if (iterations != 0 && latch == block && is_short(block) &&
                simd_counts_elements(phi, iterations)) {
                LOWER_PUSH(counters.phis, counters.count, phi);
            }
        }
    }
    if (counters.count != 0) {
        simd_unroll_counted(lower, function, &counters);
        simd_split_offsets(lower, function);
        module_run_passes_on(function, "early-cse<memssa>,loop-simplify,lcssa", lower->machine);
    }
}
