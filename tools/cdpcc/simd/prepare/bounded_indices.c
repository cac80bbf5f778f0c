/* Indices that are computed from the global thread index do not wrap around in grids that are small
 * enough.
 *
 *     unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
 *     x[3 * i], x[3 * i + 1], x[3 * i + 2]
 *
 * In 32 bits these indices wrap around if the grid has more than 2^32 / 3 threads.  Then
 * neighbouring threads do not access neighbouring elements, so each access would need a test, and
 * the three would be no interleave group.  Indices of type int must not wrap around in C++.  But
 * LLVM loses that for x[3 * (i + 1) + 1]: it makes the index 3 * i + 4, whose product may wrap
 * around where 3 * (i + 1) does not.
 *
 * Nearly no grid is so large.  So the operations get the flags nuw or nsw in block entries, and the
 * dispatcher leaves larger grids to thread entries (dispatch.c), which have no such flags.  An
 * index whose bound is below 2^27 threads gets none. */
#include "simd/prepare/bounded_indices.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "ir/module.h"
#include "ir/value.h"
#include "simd/ir/thread_fields.h"
#include "simd/prepare/offsets.h"

#include <llvm-c/Core.h>
#include <stddef.h>

enum { MOST_STEPS = 8, MOST_FACTOR = 1024 /* the most threads of a block */ };
static const uint64_t least_threads = UINT64_C(1) << 27;

/* factor * (the global thread index) + constant */
struct linear {
    int64_t factor, constant;
    bool needs_flags; /* some operation may wrap around */
};

static bool is_binary(LLVMValueRef value, LLVMOpcode opcode)
{
    return LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == opcode;
}

static bool is_word(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32;
}

/* ---- blockIdx.x * blockDim.x + threadIdx.x ---- */

static bool is_block_field(LLVMValueRef value, size_t field)
{
    return LLVMIsALoadInst(value) != NULL && is_word(value) && simd_field(value) == (int)field;
}

/* A constant instead of blockDim.x is `factor`. */
static bool is_product_of_block(LLVMValueRef value, uint64_t *factor)
{
    bool is_shift = is_binary(value, LLVMShl);
    if (!is_shift && !is_binary(value, LLVMMul)) {
        return false;
    }
    for (unsigned i = 0; i < (is_shift ? 1 : 2); i++) {
        LLVMValueRef block = LLVMGetOperand(value, i), by = LLVMGetOperand(value, 1 - i);
        if (!is_block_field(block, offsetof(struct cdp_abi_block, block_idx))) {
            continue;
        }
        if (!is_shift && is_block_field(by, offsetof(struct cdp_abi_block, block_dim))) {
            return true;
        }
        if (LLVMIsAConstantInt(by) == NULL) {
            return false;
        }
        uint64_t number = LLVMConstIntGetZExtValue(by);
        *factor = !is_shift ? number : number < 32 ? UINT64_C(1) << number : 0;
        return *factor != 0 && *factor <= MOST_FACTOR;
    }
    return false;
}

static bool is_thread(LLVMValueRef value)
{
    return LLVMIsALoadInst(value) != NULL && is_word(value) &&
           simd_self_field(value) == (int)offsetof(struct cdp_abi_thread, thread_idx);
}

static bool is_global_index(LLVMValueRef value, uint64_t *factor)
{
    bool is_sum =
        is_binary(value, LLVMAdd) || (is_binary(value, LLVMOr) && LLVMGetIsDisjoint(value));
    if (!is_sum || !is_word(value)) {
        return false;
    }
    LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
    *factor = 0;
    return (is_thread(a) && is_product_of_block(b, factor)) ||
           (is_thread(b) && is_product_of_block(a, factor));
}

/* ---- what is computed of it ---- */

static bool wraps(LLVMValueRef value, bool is_signed)
{
    return is_signed ? !LLVMGetNSW(value) : !LLVMGetNUW(value);
}

/* Applies the operation to the linear function that is its first operand.  False: it is none of
 * these.  An unsigned sum with a number below zero wraps around. */
static bool apply(LLVMValueRef value, bool is_signed, struct linear *linear)
{
    LLVMValueRef by = LLVMGetOperand(value, 1);
    if (LLVMIsAConstantInt(by) == NULL) {
        return false;
    }
    int64_t number = LLVMConstIntGetSExtValue(by);
    if (is_binary(value, LLVMOr)) {
        linear->constant += number;
        return LLVMGetIsDisjoint(value) && number >= 0;
    }
    linear->needs_flags |= wraps(value, is_signed);
    if (is_binary(value, LLVMAdd)) {
        linear->constant += number;
        return is_signed || number >= 0;
    }
    if (is_binary(value, LLVMShl)) {
        number = number >= 0 && number < 31 ? INT64_C(1) << number : 0;
    }
    linear->factor *= number;
    linear->constant *= number;
    return number > 0;
}

static bool is_step(LLVMValueRef value)
{
    return is_word(value) && (is_binary(value, LLVMAdd) || is_binary(value, LLVMMul) ||
                              is_binary(value, LLVMShl) || is_binary(value, LLVMOr));
}

/* An index, and the operations that compute it from the global thread index, the last one first. */
struct index {
    LLVMValueRef steps[MOST_STEPS];
    unsigned count;
    bool is_signed;
    struct simd_index_bound bound;
};

/* No operation leaves the range of its type if that index is below `threads`. */
static uint64_t threads_of(const struct linear *linear, bool is_signed)
{
    int64_t most = is_signed ? INT32_MAX : UINT32_MAX;
    int64_t positive = linear->constant > 0 ? linear->constant : 0;
    bool is_small = linear->factor <= UINT32_MAX && positive < most &&
                    linear->constant >= (is_signed ? INT32_MIN : 0);
    return is_small ? (uint64_t)((most - positive) / linear->factor) : 0;
}

static bool find_steps(LLVMValueRef value, struct index *index)
{
    index->count = 0;
    for (; !is_global_index(value, &index->bound.block_factor); value = LLVMGetOperand(value, 0)) {
        if (index->count == MOST_STEPS || !is_step(value)) {
            return false;
        }
        index->steps[index->count++] = value;
    }
    return true;
}

/* False: the index is not computed so, does not wrap around in any case, or may wrap around in
 * grids that are not large. */
static bool find_index(LLVMValueRef address, struct index *index)
{
    LLVMValueRef value = LLVMGetOperand(address, (unsigned)LLVMGetNumOperands(address) - 1);
    index->is_signed = LLVMIsASExtInst(value) != NULL;
    if ((!index->is_signed && LLVMIsAZExtInst(value) == NULL) ||
        !find_steps(LLVMGetOperand(value, 0), index)) {
        return false;
    }
    struct linear linear = {.factor = 1};
    index->bound.threads = UINT32_MAX;
    for (unsigned i = index->count; i > 0; i--) {
        if (!apply(index->steps[i - 1], index->is_signed, &linear)) {
            return false;
        }
        uint64_t threads = threads_of(&linear, index->is_signed);
        if (threads < least_threads) {
            return false;
        }
        bool is_least = threads < index->bound.threads;
        index->bound.threads = is_least ? threads : index->bound.threads;
    }
    return linear.needs_flags;
}

static void add_bound(struct simd_index_bound *all, const struct simd_index_bound *bound)
{
    bool is_least = all->threads == 0 || bound->threads < all->threads;
    bool is_most = bound->block_factor > all->block_factor;
    all->threads = is_least ? bound->threads : all->threads;
    all->block_factor = is_most ? bound->block_factor : all->block_factor;
}

static bool is_bounded(LLVMValueRef at)
{
    struct index index;
    return LLVMIsAGetElementPtrInst(at) != NULL && find_index(at, &index);
}

bool simd_has_bounded_indices(LLVMValueRef function)
{
    return lower_any_instruction(function, is_bounded);
}

static void set_flags(const struct index *index)
{
    for (unsigned i = 0; i < index->count; i++) {
        LLVMValueRef step = index->steps[i];
        if (is_binary(step, LLVMOr)) {
            continue;
        }
        if (index->is_signed) {
            LLVMSetNSW(step, true);
        } else {
            LLVMSetNUW(step, true);
        }
    }
}

/* The bound is that of the indices that get flags here: earlier passes may have made others.
 * Fields of a structure then have one base, which early-cse makes one value. */
struct simd_index_bound simd_mark_bounded_indices(struct lower_context *lower,
                                                  LLVMValueRef function)
{
    struct simd_index_bound result = {.threads = 0};
    struct lower_list addresses = lower_instructions(function, is_bounded);
    for (size_t i = 0; i < addresses.count; i++) {
        struct index index;
        /* False: it shares its operations with an index that already has the flags. */
        if (find_index(addresses.items[i], &index)) {
            add_bound(&result, &index.bound);
            set_flags(&index);
        }
    }
    if (result.threads != 0) {
        simd_split_offsets(lower, function);
        module_run_passes_on(function, "early-cse,loop-simplify,lcssa", lower->machine);
    }
    return result;
}
