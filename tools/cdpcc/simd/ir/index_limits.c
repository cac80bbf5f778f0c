/* The test at the start of a kernel by which threads beyond the end of the data return at once.
 *
 * Most kernels begin with it, because a grid has whole blocks:
 *
 *     int i = blockIdx.x * blockDim.x + threadIdx.x;
 *     if (i >= n) return;
 *
 * If a thread returns there, so do all threads after it: i grows from thread to thread, and n is
 * the same for all.  It may be loaded from memory: all threads could load it at the same time. */
#include "simd/ir/index_limits.h"

#include "abi/cdp_abi.h"
#include "simd/ir/calls.h"
#include "simd/ir/memory.h"
#include "simd/ir/thread_fields.h"

#include <stddef.h>

/* Operands and empty blocks to look through; fewer where an operand may be emitted again. */
enum { MOST_STEPS = 16, MOST_COMPUTED = 6 };

static bool is_binary(LLVMValueRef value, LLVMOpcode opcode)
{
    return LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == opcode;
}

/* ---- values ---- */

/* blockIdx.x * blockDim.x */
static bool is_first_of_block(const struct simd_indices *indices, LLVMValueRef value)
{
    if (indices->block == NULL || indices->block_dim == NULL || !is_binary(value, LLVMMul)) {
        return false;
    }
    LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
    return (a == indices->block && b == indices->block_dim) ||
           (b == indices->block && a == indices->block_dim);
}

bool simd_is_grid_index(const struct simd_indices *indices, LLVMValueRef value)
{
    if (value == indices->in_grid) {
        return true;
    }
    if (!is_binary(value, LLVMAdd)) {
        return false;
    }
    LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
    return (a == indices->thread && is_first_of_block(indices, b)) ||
           (b == indices->thread && is_first_of_block(indices, a));
}

static bool is_index(const struct simd_indices *indices, LLVMValueRef value)
{
    return value == indices->thread || simd_is_grid_index(indices, value);
}

/* Of a thread's context, only the address of its block is the same for all threads. */
static bool is_of_thread(LLVMValueRef load)
{
    int64_t offset;
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    return base != NULL && simd_is_self(base) &&
           simd_self_field(load) != offsetof(struct cdp_abi_thread, block);
}

/* Whether the value is the same for all threads. */
static bool is_same(const struct simd_indices *indices, LLVMValueRef value, unsigned steps)
{
    if (is_index(indices, value) || (value == indices->block && !indices->is_one_block)) {
        return false;
    }
    if (LLVMIsAConstant(value) != NULL || LLVMIsAArgument(value) != NULL) {
        return true;
    }
    bool is_load = LLVMIsALoadInst(value) != NULL;
    bool is_known = is_load || LLVMIsABinaryOperator(value) != NULL ||
                    LLVMIsACastInst(value) != NULL || LLVMIsAGetElementPtrInst(value) != NULL;
    if (!is_known || steps == 0 || (is_load && is_of_thread(value))) {
        return false;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!is_same(indices, LLVMGetOperand(value, i), steps - 1)) {
            return false;
        }
    }
    return true;
}

static bool divides(LLVMOpcode opcode)
{
    return opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem;
}

static bool is_computed(const struct simd_indices *indices, LLVMValueRef value, unsigned steps)
{
    if (LLVMIsAConstant(value) != NULL || LLVMIsAArgument(value) != NULL ||
        value == indices->in_grid || value == indices->thread) {
        return true;
    }
    bool is_arithmetic = LLVMIsABinaryOperator(value) != NULL || LLVMIsACastInst(value) != NULL;
    if (!is_arithmetic || divides(LLVMGetInstructionOpcode(value)) || steps == 0) {
        return false;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!is_computed(indices, LLVMGetOperand(value, i), steps - 1)) {
            return false;
        }
    }
    return true;
}

/* ---- limits ---- */

/* An index, or an index plus a number. */
static bool split_index(const struct simd_indices *indices, LLVMValueRef value,
                        struct simd_limit *limit)
{
    bool is_wider = LLVMIsAZExtInst(value) != NULL || LLVMIsASExtInst(value) != NULL;
    LLVMValueRef index = is_wider ? LLVMGetOperand(value, 0) : value;
    limit->base = NULL;
    if (!is_index(indices, index) && is_binary(value, LLVMAdd)) {
        unsigned which = is_index(indices, LLVMGetOperand(value, 0)) ? 0 : 1;
        index = LLVMGetOperand(value, which);
        limit->base = LLVMGetOperand(value, 1 - which);
    }
    limit->is_in_grid = simd_is_grid_index(indices, index);
    return is_index(indices, index) &&
           (limit->base == NULL || is_same(indices, limit->base, MOST_STEPS));
}

/* Whether the value is a limit that an index exceeds if the value is is_high. */
static bool is_limit(const struct simd_indices *indices, LLVMValueRef value, bool is_high,
                     struct simd_limit *limit)
{
    if (LLVMIsAICmpInst(value) == NULL) {
        return false;
    }
    LLVMValueRef left = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 1);
    bool is_left = split_index(indices, left, limit) && is_same(indices, right, MOST_STEPS);
    if (!is_left && !(split_index(indices, right, limit) && is_same(indices, left, MOST_STEPS))) {
        return false;
    }
    limit->compare = value;
    limit->is_high = is_high;
    limit->is_computed =
        is_computed(indices, left, MOST_COMPUTED) && is_computed(indices, right, MOST_COMPUTED);
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

/* Adds the limits of a condition: threads that exceed one of them take the edge on which the
 * condition is is_high.
 *
 *     i < n && i < m      is false for those
 *     i >= n || i >= m    is true for those */
static void add_limits(const struct simd_indices *indices, LLVMValueRef condition, bool is_high,
                       struct simd_limits *limits)
{
    bool is_select = LLVMIsASelectInst(condition) != NULL &&
                     is_constant(LLVMGetOperand(condition, is_high ? 1 : 2), is_high);
    if (is_select || is_binary(condition, is_high ? LLVMOr : LLVMAnd)) {
        unsigned second = is_select && is_high ? 2 : 1;
        add_limits(indices, LLVMGetOperand(condition, 0), is_high, limits);
        add_limits(indices, LLVMGetOperand(condition, second), is_high, limits);
    } else if (limits->count < SIMD_MOST_LIMITS &&
               is_limit(indices, condition, is_high, &limits->items[limits->count])) {
        limits->count++;
    }
}

/* ---- the branch ---- */

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

static bool has_effect(LLVMValueRef at)
{
    if (LLVMIsALoadInst(at) != NULL) {
        return LLVMGetVolatile(at) || LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic;
    }
    if (LLVMIsACallInst(at) != NULL) {
        return !simd_is_hint(at) && !simd_is_pure_call(at);
    }
    return LLVMIsABinaryOperator(at) == NULL && LLVMIsACastInst(at) == NULL &&
           LLVMIsAGetElementPtrInst(at) == NULL && LLVMIsACmpInst(at) == NULL &&
           LLVMIsASelectInst(at) == NULL && LLVMIsAFreezeInst(at) == NULL &&
           LLVMIsAAllocaInst(at) == NULL;
}

static bool is_without_effects(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != end;
         at = LLVMGetNextInstruction(at)) {
        if (has_effect(at)) {
            return false;
        }
    }
    return true;
}

struct simd_limits simd_find_limits(const struct simd_indices *indices, LLVMBasicBlockRef first)
{
    struct simd_limits limits = {.branch = LLVMGetBasicBlockTerminator(first)};
    if (LLVMIsABranchInst(limits.branch) == NULL || !LLVMIsConditional(limits.branch) ||
        !is_without_effects(first)) {
        return limits;
    }
    limits.high = only_returns(LLVMGetSuccessor(limits.branch, 0)) ? 0 : 1;
    if (only_returns(LLVMGetSuccessor(limits.branch, limits.high)) &&
        !only_returns(LLVMGetSuccessor(limits.branch, 1 - limits.high))) {
        add_limits(indices, LLVMGetCondition(limits.branch), limits.high == 0, &limits);
    }
    return limits;
}
