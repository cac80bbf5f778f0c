/* The test by which threads beyond the end of the data return at once.
 *
 *     int i = blockIdx.x * blockDim.x + threadIdx.x;
 *     if (i >= n) return;
 *
 * If a thread returns there, so do all threads after it: i grows from thread to thread, and n is
 * the same for all.  It may be loaded from memory: all threads could load it at the same time.
 *
 * backend/early_return.c is the same for thread entries, on optimized code. */
#include "simd/prepare/serial_limits.h"

#include "ir/value.h"
#include "simd/ir/calls.h"
#include "simd/prepare/serial_form.h"

#include <llvm-c/Core.h>

/* Operands and empty blocks to look through. */
enum { MOST_STEPS = 16 };

/* blockIdx.x * blockDim.x */
static bool is_first_of_block(const struct simd_serial_thread *thread, LLVMValueRef value)
{
    if (LLVMIsABinaryOperator(value) == NULL || LLVMGetInstructionOpcode(value) != LLVMMul) {
        return false;
    }
    LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
    return (a == thread->block && b == thread->block_dim) ||
           (b == thread->block && a == thread->block_dim);
}

bool simd_is_grid_index(const struct simd_serial_thread *thread, LLVMValueRef value)
{
    if (LLVMIsABinaryOperator(value) == NULL || LLVMGetInstructionOpcode(value) != LLVMAdd) {
        return false;
    }
    LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
    return (a == thread->index && is_first_of_block(thread, b)) ||
           (b == thread->index && is_first_of_block(thread, a));
}

/* Whether the value is the same for all threads of the grid. */
static bool is_same(const struct simd_serial_thread *thread, LLVMValueRef value, unsigned steps)
{
    if (value == thread->i || value == thread->index || value == thread->block) {
        return false;
    }
    if (LLVMIsAConstant(value) != NULL || LLVMIsAArgument(value) != NULL) {
        return true;
    }
    bool is_known = LLVMIsALoadInst(value) != NULL || LLVMIsABinaryOperator(value) != NULL ||
                    LLVMIsACastInst(value) != NULL || LLVMIsAGetElementPtrInst(value) != NULL;
    if (!is_known || steps == 0) {
        return false;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!is_same(thread, LLVMGetOperand(value, i), steps - 1)) {
            return false;
        }
    }
    return true;
}

static bool is_one_index(const struct simd_serial_thread *thread, LLVMValueRef value)
{
    return value == thread->i || value == thread->index;
}

/* i, or i + a number that is the same for all threads. */
static bool split_index(const struct simd_serial_thread *thread, LLVMValueRef value,
                        struct simd_limit *limit)
{
    if (LLVMIsAZExtInst(value) != NULL || LLVMIsASExtInst(value) != NULL) {
        value = LLVMGetOperand(value, 0);
        limit->index = value;
        limit->base = NULL;
        return is_one_index(thread, value);
    }
    limit->index = value;
    limit->base = NULL;
    if (is_one_index(thread, value)) {
        return true;
    }
    if (LLVMIsABinaryOperator(value) == NULL || LLVMGetInstructionOpcode(value) != LLVMAdd) {
        return false;
    }
    unsigned which = is_one_index(thread, LLVMGetOperand(value, 0)) ? 0 : 1;
    limit->index = LLVMGetOperand(value, which);
    limit->base = LLVMGetOperand(value, 1 - which);
    return is_one_index(thread, limit->index) && is_same(thread, limit->base, MOST_STEPS);
}

/* Whether the value follows from arguments by arithmetic that cannot fail. */
static bool is_computed(LLVMValueRef value, unsigned steps)
{
    if (LLVMIsAConstant(value) != NULL || LLVMIsAArgument(value) != NULL) {
        return true;
    }
    LLVMOpcode opcode = LLVMIsAInstruction(value) != NULL ? LLVMGetInstructionOpcode(value) : 0;
    bool divides =
        opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem;
    bool is_arithmetic = LLVMIsABinaryOperator(value) != NULL || LLVMIsACastInst(value) != NULL ||
                         LLVMIsAFreezeInst(value) != NULL;
    if (!is_arithmetic || divides || steps == 0) {
        return false;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!is_computed(LLVMGetOperand(value, i), steps - 1)) {
            return false;
        }
    }
    return true;
}

/* Whether the value is a limit that is exceeded if the value is is_high. */
static bool is_limit(const struct simd_serial_thread *thread, LLVMValueRef value, bool is_high,
                     struct simd_limit *limit)
{
    if (LLVMIsAICmpInst(value) == NULL) {
        return false;
    }
    LLVMValueRef left = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 1);
    bool is_left = split_index(thread, left, limit) && is_same(thread, right, MOST_STEPS);
    if (!is_left && !(split_index(thread, right, limit) && is_same(thread, left, MOST_STEPS))) {
        return false;
    }
    limit->compare = value;
    limit->is_high = is_high;
    limit->has_loads = !is_computed(left, MOST_STEPS) || !is_computed(right, MOST_STEPS);
    switch ((int)LLVMGetICmpPredicate(value)) {
    case LLVMIntUGE:
    case LLVMIntUGT:
    case LLVMIntSGE:
    case LLVMIntSGT:
        return is_high == is_left;
    case LLVMIntULT:
    case LLVMIntULE:
    case LLVMIntSLT:
    case LLVMIntSLE:
        return is_high != is_left;
    default:
        return false;
    }
}

static bool is_constant(LLVMValueRef value, uint64_t number)
{
    return LLVMIsAConstantInt(value) != NULL && LLVMConstIntGetZExtValue(value) == number;
}

/* Adds the limits of a condition: threads that exceed one of them take the edge `high`, on which
 * the condition is is_high.
 *
 *     i < n && i < m      is false for those
 *     i >= n || i >= m    is true for those */
static void add_limits(const struct simd_serial_thread *thread, LLVMValueRef condition,
                       bool is_high, struct simd_limits *limits)
{
    bool is_binary = LLVMIsABinaryOperator(condition) != NULL &&
                     LLVMGetInstructionOpcode(condition) == (is_high ? LLVMOr : LLVMAnd);
    bool is_select = LLVMIsASelectInst(condition) != NULL &&
                     is_constant(LLVMGetOperand(condition, is_high ? 1 : 2), is_high);
    if (is_binary || is_select) {
        unsigned second = is_select && !is_high ? 1 : is_select ? 2 : 1;
        add_limits(thread, LLVMGetOperand(condition, 0), is_high, limits);
        add_limits(thread, LLVMGetOperand(condition, second), is_high, limits);
    } else if (limits->count < SIMD_MOST_LIMITS &&
               is_limit(thread, condition, is_high, &limits->items[limits->count])) {
        limits->count++;
    }
}

/* Directly or through empty blocks. */
static bool only_returns(LLVMBasicBlockRef block)
{
    LLVMValueRef at = LLVMGetFirstInstruction(block);
    for (unsigned i = 0; i < MOST_STEPS && LLVMIsABranchInst(at) != NULL && !LLVMIsConditional(at);
         i++) {
        at = LLVMGetFirstInstruction(LLVMGetSuccessor(at, 0));
    }
    return LLVMIsAReturnInst(at) != NULL;
}

/* Nothing happens before the block's end. */
static bool is_without_effects(LLVMBasicBlockRef block)
{
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        bool is_call = LLVMIsACallInst(at) != NULL && !simd_is_hint(at) && !simd_is_pure_call(at);
        if (is_call || LLVMIsAStoreInst(at) != NULL || LLVMIsAAtomicRMWInst(at) != NULL ||
            LLVMIsAAtomicCmpXchgInst(at) != NULL) {
            return false;
        }
    }
    return true;
}

/* The test at the end of the kernel's first block.  False: there is none. */
bool simd_find_limits(const struct simd_serial_thread *thread, LLVMBasicBlockRef first,
                      struct simd_limits *limits)
{
    *limits = (struct simd_limits){.branch = LLVMGetBasicBlockTerminator(first)};
    if (LLVMIsABranchInst(limits->branch) == NULL || !LLVMIsConditional(limits->branch) ||
        !is_without_effects(first)) {
        return false;
    }
    limits->high = only_returns(LLVMGetSuccessor(limits->branch, 0)) ? 0 : 1;
    if (!only_returns(LLVMGetSuccessor(limits->branch, limits->high)) ||
        only_returns(LLVMGetSuccessor(limits->branch, 1 - limits->high))) {
        return false;
    }
    add_limits(thread, LLVMGetCondition(limits->branch), limits->high == 0, limits);
    return limits->count != 0;
}

/* Whether the thread, and all after it in the grid, exceed the limit.  The index must not wrap
 * around in the grid.  A grid that is serialized has at most 1024 threads, so i itself does not.
 * threadIdx.x is an index of the grid only if it has one block. */
static LLVMValueRef exceeds(LLVMBuilderRef b, const struct simd_serial_thread *thread,
                            const struct simd_limit *limit)
{
    LLVMValueRef result = limit->is_high ? limit->compare : LLVMBuildNot(b, limit->compare, "");
    if (limit->base != NULL) {
        bool is_signed = LLVMGetICmpPredicate(limit->compare) >= LLVMIntSGT;
        LLVMValueRef last = LLVMBuildAdd(b, limit->base, thread->threads, "");
        LLVMIntPredicate predicate = is_signed ? LLVMIntSGE : LLVMIntUGE;
        result = LLVMBuildAnd(b, result, LLVMBuildICmp(b, predicate, last, limit->base, ""), "");
    }
    if (limit->index == thread->i) {
        return result;
    }
    LLVMValueRef is_one_block = LLVMBuildICmp(b, LLVMIntEQ, thread->threads, thread->block_dim, "");
    return LLVMBuildAnd(b, result, is_one_block, "");
}

LLVMValueRef simd_all_return(LLVMBuilderRef builder, const struct simd_serial_thread *thread,
                             const struct simd_limits *limits, bool computed)
{
    LLVMValueRef result = NULL;
    LLVMPositionBuilderBefore(builder, limits->branch);
    for (unsigned i = 0; i < limits->count; i++) {
        if (!computed || !limits->items[i].has_loads) {
            LLVMValueRef here = exceeds(builder, thread, &limits->items[i]);
            result = result == NULL ? here : LLVMBuildOr(builder, result, here, "");
        }
    }
    return result;
}
