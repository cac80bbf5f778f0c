/* Bounds that the conditions of loops give to their counters.
 *
 *     for (int i = thread; i < n; i += blockDim.x * gridDim.x) p[i] = ...;
 *
 * The step is unsigned, so the sum may wrap, and nothing but the condition bounds the counter.
 * After LLVM has rotated the loop, the condition is tested on both edges to the counter's phi:
 *
 *     before:  br (icmp slt %start, %n), %loop, %end
 *     loop:    %i = phi [ %start, %before ], [ %next, %loop ]
 *              br (icmp slt %next, %n), %loop, %end
 *
 * A number that is less than another one is not the greatest of its type, so the counter plus one
 * does not wrap. The counters of neighbouring threads differ by one, so they are affine without a
 * test. */
#include "simd/analysis/loop_bounds.h"

#include <llvm-c/Core.h>
#include <stddef.h>

enum { MOST_EDGES = 4 }; /* blocks without a condition between the test and the phi */

/* That result of the comparison proves that the value is less than another one. */
static bool bounds(LLVMValueRef test, LLVMValueRef value, bool result, bool is_signed)
{
    if (LLVMIsAICmpInst(test) == NULL) {
        return false;
    }
    bool is_left = LLVMGetOperand(test, 0) == value, is_right = LLVMGetOperand(test, 1) == value;
    LLVMIntPredicate is = LLVMGetICmpPredicate(test);
    /* Of two numbers with the same sign, both orders are the same. */
    bool as_signed = is_signed || LLVMGetICmpSameSign(test);
    bool as_unsigned = !is_signed || LLVMGetICmpSameSign(test);
    if (result) {
        bool less = (as_signed && is == LLVMIntSLT) || (as_unsigned && is == LLVMIntULT);
        bool greater = (as_signed && is == LLVMIntSGT) || (as_unsigned && is == LLVMIntUGT);
        return (less && is_left) || (greater && is_right);
    }
    bool not_less = (as_signed && is == LLVMIntSGE) || (as_unsigned && is == LLVMIntUGE);
    bool not_greater = (as_signed && is == LLVMIntSLE) || (as_unsigned && is == LLVMIntULE);
    return (not_less && is_left) || (not_greater && is_right);
}

static LLVMBasicBlockRef only_predecessor(LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef found = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use != NULL;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsATerminatorInst(user) == NULL || found != NULL) {
            return NULL;
        }
        found = LLVMGetInstructionParent(user);
    }
    return found;
}

/* On this edge the value is less than another one. */
static bool is_bounded_on(LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMValueRef value,
                          bool is_signed)
{
    for (unsigned i = 0; i < MOST_EDGES && from != NULL; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
        if (LLVMIsABranchInst(end) == NULL) {
            return false;
        }
        if (LLVMIsConditional(end)) {
            LLVMBasicBlockRef first = LLVMGetSuccessor(end, 0), second = LLVMGetSuccessor(end, 1);
            return first != second && bounds(LLVMGetCondition(end), value, to == first, is_signed);
        }
        to = from;
        from = only_predecessor(from);
    }
    return false;
}

bool simd_is_below_bound(LLVMValueRef phi, bool is_signed)
{
    if (LLVMIsAPHINode(phi) == NULL) {
        return false;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (!is_bounded_on(LLVMGetIncomingBlock(phi, i), LLVMGetInstructionParent(phi),
                           LLVMGetIncomingValue(phi, i), is_signed)) {
            return false;
        }
    }
    return LLVMCountIncoming(phi) != 0;
}
