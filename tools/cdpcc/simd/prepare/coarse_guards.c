/* Versions of coarse loops without the guard of each element.
 *
 *     int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
 *     for (int k = 0; k < 4; k++)             if (first + 3 < n)
 *         if (first + k < n)                      for (int k = 0; k < 4; k++)      unrolled
 *             out[first + k] = ...;     ->            out[first + k] = ...;
 *                                             else
 *                                                 the loop as it was
 *
 * Only the last thread with elements has too few of them. The other threads' loops become
 * interleave groups (coarse_loops.c). The test is marked as likely, so that the all-active version
 * leaves the other loop out (plan/all_active.c). Compilers call this loop versioning.
 *
 * A loop from `first` to min(first + 4, n) is the same in another form: LLVM makes one comparison
 * of both limits. It is versioned by first + 4 <= n.
 *
 * What always holds: the test is true only if all guards of the loop are, for each lane by itself.
 * So it may be evaluated before the loop, and a lane takes the copy or the loop as its test says.
 */
#include "simd/prepare/coarse_guards.h"

#include "ir/context.h"
#include "ir/value.h"
#include "simd/ir/branch_weights.h"
#include "simd/ir/calls.h"
#include "simd/ir/clone.h"
#include "simd/ir/predicates.h"
#include "simd/prepare/coarse_loops.h"
#include "simd/prepare/counted_loops.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

enum { MOST_BLOCKS = 3 };

/* A loop that is versioned.
 *
 * Guarded: header, guarded block, latch. The header's branch is the guard.
 * Limited: one block, which is header and latch.
 * Life: one call of simd_version_guarded_loops(). */
struct guarded_loop {
    LLVMBasicBlockRef blocks[MOST_BLOCKS]; /* the header first, the latch last */
    unsigned block_count;
    LLVMBasicBlockRef before, after; /* the only ways into it and out of it */
    LLVMValueRef counter;            /* guarded: counts up from 0; limited: NULL */
    uint64_t iterations;             /* if no guard fails */
    LLVMValueRef all;                /* no guard fails */
};

static LLVMBasicBlockRef latch_of(const struct guarded_loop *loop)
{
    return loop->blocks[loop->block_count - 1];
}

static bool is_inside(const struct guarded_loop *loop, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < loop->block_count; i++) {
        if (loop->blocks[i] == block) {
            return true;
        }
    }
    return false;
}

static bool is_invariant(const struct guarded_loop *loop, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) == NULL || !is_inside(loop, LLVMGetInstructionParent(value));
}

/* ---- the loop's form ---- */

/* The value is used in the loop, or by a phi behind it. */
static bool is_closed(const struct guarded_loop *loop, LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMBasicBlockRef at = LLVMGetInstructionParent(user);
        if (!is_inside(loop, at) && (at != loop->after || LLVMIsAPHINode(user) == NULL)) {
            return false;
        }
    }
    return true;
}

/* A copy of a call must not change which threads call together. */
static bool may_copy(const struct guarded_loop *loop)
{
    unsigned count = 0;
    for (unsigned i = 0; i < loop->block_count; i++) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(loop->blocks[i]); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            count++;
            if ((LLVMIsACallInst(at) != NULL && !simd_is_pure_call(at)) || !is_closed(loop, at)) {
                return false;
            }
        }
    }
    return count <= SIMD_MOST_COARSE_INSTRUCTIONS;
}

static unsigned count_predecessors(LLVMBasicBlockRef block)
{
    unsigned count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use != NULL;
         use = LLVMGetNextUse(use)) {
        count += LLVMIsATerminatorInst(LLVMGetUser(use)) != NULL;
    }
    return count;
}

/* Finds the blocks before and after the loop. The phi is in its header. */
static bool find_ends(struct guarded_loop *loop, LLVMValueRef phi)
{
    LLVMBasicBlockRef latch = latch_of(loop), header = loop->blocks[0];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(latch);
    if (LLVMCountIncoming(phi) != 2 || LLVMIsABranchInst(end) == NULL || !LLVMIsConditional(end)) {
        return false;
    }
    loop->before = LLVMGetIncomingBlock(phi, LLVMGetIncomingBlock(phi, 0) == latch);
    loop->after = LLVMGetSuccessor(end, LLVMGetSuccessor(end, 0) == header);
    LLVMValueRef enter = LLVMGetBasicBlockTerminator(loop->before);
    return !is_inside(loop, loop->before) && !is_inside(loop, loop->after) &&
           LLVMIsABranchInst(enter) != NULL && !LLVMIsConditional(enter) &&
           count_predecessors(header) == 2 && may_copy(loop);
}

/* ---- the test ---- */

static LLVMValueRef without_extension(LLVMValueRef value)
{
    return LLVMIsASExtInst(value) != NULL || LLVMIsAZExtInst(value) != NULL
               ? LLVMGetOperand(value, 0)
               : value;
}

/* The sum of the counter and an invariant value. */
static bool is_sum(const struct guarded_loop *loop, LLVMValueRef value)
{
    if (LLVMIsABinaryOperator(value) == NULL) {
        return false;
    }
    LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
    return (a == loop->counter && is_invariant(loop, b)) ||
           (b == loop->counter && is_invariant(loop, a));
}

/* A comparison `value` < `limit`, or <=. */
struct comparison {
    LLVMValueRef value, limit;
    LLVMIntPredicate predicate;
};

/* The comparison that holds where the branch goes to the target. */
static bool find_comparison(LLVMValueRef branch, LLVMBasicBlockRef target,
                            struct comparison *comparison)
{
    LLVMValueRef test = LLVMGetCondition(branch);
    if (LLVMIsAICmpInst(test) == NULL) {
        return false;
    }
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(test);
    if (LLVMGetSuccessor(branch, 0) != target) {
        predicate = simd_order_of(predicate)->inverse;
    }
    const struct simd_order *order = simd_order_of(predicate);
    bool is_first = order->is_less;
    *comparison = (struct comparison){
        .value = LLVMGetOperand(test, !is_first),
        .limit = LLVMGetOperand(test, is_first),
        .predicate = is_first ? predicate : order->swapped,
    };
    return simd_order_of(comparison->predicate)->is_less;
}

/* The value in the last iteration, before the loop: the sum or its extension. */
static LLVMValueRef in_last_iteration(const struct guarded_loop *loop, LLVMBuilderRef builder,
                                      LLVMValueRef value)
{
    LLVMValueRef copy = LLVMInstructionClone(value);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        LLVMValueRef operand = LLVMGetOperand(value, i);
        if (operand == loop->counter) {
            LLVMSetOperand(copy, i, LLVMConstInt(LLVMTypeOf(operand), loop->iterations - 1, 0));
        } else if (!is_invariant(loop, operand)) {
            LLVMSetOperand(copy, i, in_last_iteration(loop, builder, operand));
        }
    }
    LLVMInsertIntoBuilder(builder, copy);
    return copy;
}

/* The compared value increases from iteration to iteration, in the order of the comparison. It is
 * the sum or its extension.
 * A disjoint sum changes neither the sign nor any bit of the invariant value. Other sums must not
 * wrap around. With sign extension and an unsigned order, a sum that changes from -1 to 0 would
 * decrease. */
static bool increases(const struct guarded_loop *loop, const struct comparison *guard)
{
    LLVMValueRef sum = without_extension(guard->value);
    if (!is_sum(loop, sum)) {
        return false;
    }
    if (LLVMGetInstructionOpcode(sum) != LLVMAdd) {
        return LLVMGetInstructionOpcode(sum) == LLVMOr && LLVMGetIsDisjoint(sum);
    }
    bool is_signed = simd_order_of(guard->predicate)->is_signed;
    return LLVMIsAZExtInst(guard->value) != NULL   ? LLVMGetNUW(sum)
           : LLVMIsASExtInst(guard->value) != NULL ? is_signed && LLVMGetNSW(sum)
           : is_signed                             ? LLVMGetNSW(sum)
                                                   : LLVMGetNUW(sum);
}

/* Whether the header's branch guards the loop's work by an element's number. */
static bool find_guard(const struct guarded_loop *loop, struct comparison *guard)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(loop->blocks[0]);
    return find_comparison(branch, loop->blocks[1], guard) && is_invariant(loop, guard->limit) &&
           increases(loop, guard);
}

/* The blocks of a loop with a guard, whose counter the phi is. */
static bool find_guarded(struct lower_context *lower, struct guarded_loop *loop, LLVMValueRef phi)
{
    LLVMBasicBlockRef header = LLVMGetInstructionParent(phi);
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(header);
    loop->counter = phi;
    loop->iterations = simd_coarse_iterations(phi, &loop->blocks[2]);
    if (loop->iterations == 0 || loop->blocks[2] == header || LLVMIsABranchInst(branch) == NULL ||
        !LLVMIsConditional(branch)) {
        return false;
    }
    bool is_first = LLVMGetSuccessor(branch, 0) != loop->blocks[2];
    loop->blocks[0] = header;
    loop->blocks[1] = LLVMGetSuccessor(branch, !is_first);
    loop->block_count = 3;
    LLVMValueRef next = LLVMGetBasicBlockTerminator(loop->blocks[1]);
    return LLVMGetSuccessor(branch, is_first) == loop->blocks[2] && loop->blocks[1] != header &&
           LLVMIsABranchInst(next) != NULL && !LLVMIsConditional(next) &&
           LLVMGetSuccessor(next, 0) == loop->blocks[2] &&
           count_predecessors(loop->blocks[1]) == 1 && count_predecessors(loop->blocks[2]) == 2 &&
           simd_counts_elements(lower, phi, loop->iterations) && find_ends(loop, phi);
}

static bool match_guarded(struct lower_context *lower, struct guarded_loop *loop,
                          LLVMBuilderRef builder, LLVMValueRef phi)
{
    struct comparison guard;
    if (!find_guarded(lower, loop, phi) || !find_guard(loop, &guard)) {
        return false;
    }
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(loop->before));
    loop->all = LLVMBuildICmp(builder, guard.predicate,
                              in_last_iteration(loop, builder, guard.value), guard.limit, "");
    return true;
}

/* The first value and a constant; 0: it is another value. */
static uint64_t distance_from(LLVMValueRef first, LLVMValueRef value)
{
    bool is_sum = LLVMIsABinaryOperator(value) != NULL &&
                  LLVMGetInstructionOpcode(value) == LLVMAdd && LLVMGetOperand(value, 0) == first &&
                  LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL;
    return is_sum ? LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1)) : 0;
}

/* The loop's index counts up from `first` to the smaller one of first + iterations and a limit. */
static bool find_limits(struct guarded_loop *loop, LLVMValueRef first,
                        const struct comparison *comparison, LLVMValueRef *end, LLVMValueRef *limit)
{
    const char *name =
        simd_order_of(comparison->predicate)->is_signed ? "llvm.smin." : "llvm.umin.";
    LLVMValueRef call = comparison->limit;
    if (LLVMIsACallInst(call) == NULL || !str_starts(simd_callee_name(call), name)) {
        return false;
    }
    for (unsigned i = 0; i < 2; i++) {
        uint64_t distance = distance_from(first, LLVMGetArgOperand(call, i));
        if (distance >= 2 && distance <= SIMD_MOST_COARSE_ITERATIONS) {
            *end = LLVMGetArgOperand(call, i);
            *limit = LLVMGetArgOperand(call, 1 - i);
            loop->iterations = distance;
            return true;
        }
    }
    return false;
}

/* first + iterations does not exceed the limit, and does not wrap around. */
static void build_test(struct guarded_loop *loop, LLVMBuilderRef builder, LLVMValueRef first,
                       LLVMValueRef end, LLVMValueRef limit, bool sign)
{
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(loop->before));
    loop->all = LLVMBuildICmp(builder, sign ? LLVMIntSLE : LLVMIntULE, end, limit, "");
    if (!(sign ? LLVMGetNSW(end) : LLVMGetNUW(end))) {
        LLVMValueRef rises = LLVMBuildICmp(builder, sign ? LLVMIntSLT : LLVMIntULT, first, end, "");
        loop->all = LLVMBuildAnd(builder, rises, loop->all, "");
    }
}

/* `phi` is the index of a loop of one block. */
static bool match_limited(struct guarded_loop *loop, LLVMBuilderRef builder, LLVMValueRef phi)
{
    LLVMValueRef end, limit;
    struct comparison comparison;
    *loop = (struct guarded_loop){.blocks = {LLVMGetInstructionParent(phi)}, .block_count = 1};
    LLVMBasicBlockRef block = loop->blocks[0];
    if (!find_ends(loop, phi)) {
        return false;
    }
    unsigned back = LLVMGetIncomingBlock(phi, 1) == block;
    LLVMValueRef next = LLVMGetIncomingValue(phi, back);
    LLVMValueRef first = LLVMGetIncomingValue(phi, 1 - back);
    bool is_index = distance_from(phi, next) == 1 &&
                    find_comparison(LLVMGetBasicBlockTerminator(block), block, &comparison) &&
                    (comparison.predicate == LLVMIntSLT || comparison.predicate == LLVMIntULT) &&
                    comparison.value == next;
    if (!is_index || !find_limits(loop, first, &comparison, &end, &limit) ||
        !simd_is_coarse_index(phi, first, loop->iterations)) {
        return false;
    }
    build_test(loop, builder, first, end, limit, simd_order_of(comparison.predicate)->is_signed);
    return true;
}

/* ---- versioning ---- */

/* Replaces the condition of the copy's latch by one of a counter. Returns the counter. */
static LLVMValueRef count_iterations(struct lower_context *lower, const struct guarded_loop *loop,
                                     LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    LLVMTypeRef i32 = lower->types.i32;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), zero = LLVMConstNull(i32);
    LLVMBasicBlockRef before = loop->before;
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(block));
    LLVMValueRef counter = LLVMBuildPhi(builder, i32, "");
    LLVMPositionBuilderBefore(builder, end);
    LLVMValueRef next = LLVMBuildNUWAdd(builder, counter, LLVMConstInt(i32, 1, 0), "");
    LLVMIntPredicate is = LLVMGetSuccessor(end, 0) == block ? LLVMIntULT : LLVMIntUGE;
    LLVMValueRef limit = LLVMConstInt(i32, loop->iterations, 0);
    LLVMSetCondition(end, LLVMBuildICmp(builder, is, next, limit, ""));
    LLVMAddIncoming(counter, &zero, &before, 1);
    LLVMAddIncoming(counter, &next, &block, 1);
    return counter;
}

/* The values behind the loop also come from the copy. */
static void add_exit(const struct guarded_loop *loop, const struct simd_copies *copies)
{
    LLVMBasicBlockRef latch = latch_of(loop);
    LLVMBasicBlockRef from =
        LLVMValueAsBasicBlock(simd_copy_of(copies, LLVMBasicBlockAsValue(latch)));
    for (LLVMValueRef phi = LLVMGetFirstInstruction(loop->after); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            if (LLVMGetIncomingBlock(phi, i) == latch) {
                LLVMValueRef value = simd_copy_of(copies, LLVMGetIncomingValue(phi, i));
                LLVMAddIncoming(phi, &value, &from, 1);
                break;
            }
        }
    }
}

/* Returns the counter of the copy. */
static LLVMValueRef version(struct lower_context *lower, LLVMBuilderRef builder,
                            const struct guarded_loop *loop)
{
    const struct simd_copies *copies = simd_copy_blocks(lower, loop->blocks, loop->block_count);
    LLVMBasicBlockRef header = loop->blocks[0];
    LLVMBasicBlockRef copy =
        LLVMValueAsBasicBlock(simd_copy_of(copies, LLVMBasicBlockAsValue(header)));
    LLVMValueRef enter = LLVMGetBasicBlockTerminator(loop->before), counter;
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(enter);
    add_exit(loop, copies);
    LLVMInstructionEraseFromParent(enter);
    LLVMPositionBuilderAtEnd(builder, loop->before);
    LLVMValueRef branch = LLVMBuildCondBr(builder, loop->all, copy, header);
    LLVMInstructionSetDebugLoc(branch, location);
    simd_mark_likely(lower, branch);
    if (loop->counter == NULL) {
        counter = count_iterations(lower, loop, builder, copy);
    } else {
        LLVMValueRef guard = LLVMGetBasicBlockTerminator(copy);
        bool is_first =
            LLVMGetSuccessor(guard, 0) ==
            LLVMValueAsBasicBlock(simd_copy_of(copies, LLVMBasicBlockAsValue(loop->blocks[1])));
        LLVMSetCondition(guard, LLVMConstInt(LLVMInt1TypeInContext(lower->llvm), is_first, 0));
        counter = simd_copy_of(copies, loop->counter);
    }
    return counter;
}

void simd_version_guarded_loops(struct lower_context *lower, LLVMValueRef function,
                                struct simd_counters *counters)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(lower->llvm);
    LLVMBasicBlockRef last = LLVMGetLastBasicBlock(function);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = block == last ? NULL : LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef phi = LLVMGetFirstInstruction(block);
             phi != NULL && LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi)) {
            struct guarded_loop loop = {.counter = NULL};
            if (match_guarded(lower, &loop, builder, phi) || match_limited(&loop, builder, phi)) {
                LLVMValueRef counter = version(lower, builder, &loop);
                LOWER_PUSH(counters->phis, counters->count, counter);
                break;
            }
        }
    }
    LLVMDisposeBuilder(builder);
}
