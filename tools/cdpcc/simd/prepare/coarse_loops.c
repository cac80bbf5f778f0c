/* Loops over the elements that one thread handles, where threads are coarsened:
 *
 *     int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
 *     for (int k = 0; k < 4; k++)          four accesses of one address plus 0, 4, 8 and 12 bytes
 *         out[first + k] = in[first + k];
 *
 * In one iteration the threads' elements are four elements apart. All iterations together access
 * each element, so unrolled they are an interleave group. Only loops of one block are unrolled,
 * whose number of iterations divides the number of elements from one thread to the next one. The
 * loop may be in a grid-stride loop, and may count by pointers: *q++ = *p++. Loops with
 * a guard for each element have a version without it (coarse_guards.c). */
#include "simd/prepare/coarse_loops.h"

#include "ir/context.h"
#include "ir/module.h"
#include "ir/value.h"
#include "simd/ir/memory.h"
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

enum { MOST_DEPTH = 6 };

static bool is_constant_multiple(LLVMValueRef value, uint64_t number)
{
    return LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64 &&
           LLVMConstIntGetZExtValue(value) % number == 0;
}

/* The value is computed from the counter of a loop with a constant step.  Then the inner loop is a
 * part of a walk along a row, which is read in tiles (plan/row_tiles.c) unless it is unrolled. */
static bool walks_along_row(LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAPHINode(value) != NULL) {
        for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
            LLVMValueRef from = LLVMGetIncomingValue(value, i);
            if (LLVMIsABinaryOperator(from) != NULL && LLVMGetOperand(from, 0) == value &&
                LLVMIsAConstantInt(LLVMGetOperand(from, 1)) != NULL) {
                return true;
            }
        }
        return false;
    }
    bool is_arithmetic = LLVMIsABinaryOperator(value) != NULL || LLVMIsACastInst(value) != NULL;
    for (unsigned i = 0; is_arithmetic && depth != 0 && i < (unsigned)LLVMGetNumOperands(value);
         i++) {
        if (walks_along_row(LLVMGetOperand(value, i), depth - 1)) {
            return true;
        }
    }
    return false;
}

/* The value is a multiple of the number: a product or shift, or a sum of such values.  A loop may
 * add a multiple in each iteration. */
static bool is_multiple(LLVMValueRef value, uint64_t number, unsigned depth)
{
    if (LLVMIsAConstantInt(value) != NULL) {
        return is_constant_multiple(value, number);
    }
    if (LLVMIsAInstruction(value) == NULL || depth == 0) {
        return false;
    }
    LLVMValueRef first = LLVMGetNumOperands(value) != 0 ? LLVMGetOperand(value, 0) : NULL, second;
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMSExt:
    case LLVMZExt:
        return is_multiple(first, number, depth - 1);
    case LLVMMul:
        second = LLVMGetOperand(value, 1);
        return is_multiple(first, number, depth - 1) || is_multiple(second, number, depth - 1);
    case LLVMShl:
        second = LLVMGetOperand(value, 1);
        return (LLVMIsAConstantInt(second) != NULL && LLVMConstIntGetZExtValue(second) < 16 &&
                (UINT64_C(1) << LLVMConstIntGetZExtValue(second)) % number == 0) ||
               is_multiple(first, number, depth - 1);
    case LLVMAdd:
    case LLVMSub:
        second = LLVMGetOperand(value, 1);
        return is_multiple(first, number, depth - 1) && is_multiple(second, number, depth - 1);
    case LLVMPHI:
        for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
            LLVMValueRef from = LLVMGetIncomingValue(value, i);
            bool is_step = LLVMIsABinaryOperator(from) != NULL &&
                           LLVMGetInstructionOpcode(from) == LLVMAdd &&
                           LLVMGetOperand(from, 0) == value;
            if (!is_multiple(is_step ? LLVMGetOperand(from, 1) : from, number, depth - 1)) {
                return false;
            }
        }
        return true;
    default:
        return false;
    }
}

/* The address is base[index], and the index is a multiple of the number. */
static bool is_at_multiple(LLVMValueRef address, uint64_t number, uint64_t *size,
                           struct lower_context *lower)
{
    if (LLVMIsAGetElementPtrInst(address) == NULL || LLVMGetNumOperands(address) != 2) {
        return false;
    }
    *size = LLVMABISizeOfType(lower->layout, LLVMGetGEPSourceElementType(address));
    LLVMValueRef index = LLVMGetOperand(address, 1);
    return is_multiple(index, number, MOST_DEPTH) && !walks_along_row(index, MOST_DEPTH);
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
    return is_multiple(first, iterations, MOST_DEPTH) && is_index(phi);
}

/* The sum of the counter, or its extension, and a multiple is an index. */
static bool is_element(LLVMValueRef counter, LLVMValueRef user, uint64_t iterations)
{
    bool is_sum = LLVMIsABinaryOperator(user) != NULL &&
                  (LLVMGetInstructionOpcode(user) == LLVMAdd ||
                   (LLVMGetInstructionOpcode(user) == LLVMOr && LLVMGetIsDisjoint(user)));
    LLVMValueRef other = LLVMGetOperand(user, LLVMGetOperand(user, 0) == counter);
    return is_sum && is_index(user) && is_multiple(other, iterations, MOST_DEPTH) &&
           !walks_along_row(other, MOST_DEPTH);
}

/* The counter, or its extension, indexes elements from a multiple on. */
static bool is_indexed_from_multiple(LLVMValueRef counter, LLVMValueRef user, uint64_t iterations,
                                     struct lower_context *lower)
{
    uint64_t size;
    return LLVMIsAGetElementPtrInst(user) != NULL && LLVMGetNumOperands(user) == 2 &&
           LLVMGetOperand(user, 1) == counter &&
           is_at_multiple(LLVMGetOperand(user, 0), iterations, &size, lower) &&
           size == LLVMABISizeOfType(lower->layout, LLVMGetGEPSourceElementType(user));
}

bool simd_counts_elements(struct lower_context *lower, LLVMValueRef phi, uint64_t iterations)
{
    for (LLVMUseRef use = LLVMGetFirstUse(phi); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_extension = LLVMIsASExtInst(user) != NULL || LLVMIsAZExtInst(user) != NULL;
        if (is_element(phi, user, iterations) ||
            is_indexed_from_multiple(phi, user, iterations, lower)) {
            return true;
        }
        for (LLVMUseRef next = is_extension ? LLVMGetFirstUse(user) : NULL; next != NULL;
             next = LLVMGetNextUse(next)) {
            if (is_element(user, LLVMGetUser(next), iterations) ||
                is_indexed_from_multiple(user, LLVMGetUser(next), iterations, lower)) {
                return true;
            }
        }
    }
    return false;
}

/* The phi is the address of an element, starts at a multiple of the iterations, and goes to the
 * next element in each iteration. */
static bool walks_over_elements(struct lower_context *lower, LLVMValueRef phi,
                                LLVMBasicBlockRef block, uint64_t iterations)
{
    uint64_t size;
    int64_t step;
    if (LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMPointerTypeKind || LLVMCountIncoming(phi) != 2) {
        return false;
    }
    unsigned back = LLVMGetIncomingBlock(phi, 0) != block;
    LLVMValueRef start = LLVMGetIncomingValue(phi, 1 - back);
    return simd_without_constants(LLVMGetIncomingValue(phi, back), &step) == phi &&
           is_at_multiple(start, iterations, &size, lower) && step == (int64_t)size;
}

/* Some pointer of the loop does so. */
static bool has_walk(struct lower_context *lower, LLVMBasicBlockRef block, uint64_t iterations)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        if (walks_over_elements(lower, phi, block, iterations)) {
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
                (simd_counts_elements(lower, phi, iterations) ||
                 has_walk(lower, block, iterations))) {
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
