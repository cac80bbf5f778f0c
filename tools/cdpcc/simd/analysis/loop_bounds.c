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
 * A number that is less than another one is not the greatest of its type, and one that is greater
 * is not the least.  Neighbouring threads' counters differ by one.  If they wrapped around between
 * two threads, these would have the greatest and the least number.  So the counters are affine as
 * unbounded integers, and indices computed from them need no test. */
#include "simd/analysis/loop_bounds.h"

#include "ir/value.h"

#include <llvm-c/Core.h>
#include <stddef.h>

/* That result of the comparison proves that the value is less, or greater, than another one. */
static bool bounds(LLVMValueRef test, LLVMValueRef value, bool result, bool is_signed)
{
    if (LLVMIsAICmpInst(test) == NULL) {
        return false;
    }
    LLVMIntPredicate is = LLVMGetICmpPredicate(test);
    bool is_operand = LLVMGetOperand(test, 0) == value || LLVMGetOperand(test, 1) == value;
    bool is_strict = is == LLVMIntSLT || is == LLVMIntULT || is == LLVMIntSGT || is == LLVMIntUGT;
    bool is_reflexive =
        is == LLVMIntSGE || is == LLVMIntUGE || is == LLVMIntSLE || is == LLVMIntULE;
    bool orders_signed =
        is == LLVMIntSLT || is == LLVMIntSGT || is == LLVMIntSGE || is == LLVMIntSLE;
    /* Of two numbers with the same sign, both orders are the same. */
    bool is_order = orders_signed == is_signed || LLVMGetICmpSameSign(test);
    return is_operand && is_order && (result ? is_strict : is_reflexive);
}

/* On this edge the value is less or greater than another one. */
static bool is_bounded_on(LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMValueRef value,
                          bool is_signed)
{
    bool is_true;
    LLVMValueRef condition = lower_condition_before(from, to, &is_true);
    return condition != NULL && bounds(condition, value, is_true, is_signed);
}

bool simd_is_bounded(LLVMValueRef phi, bool is_signed)
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
