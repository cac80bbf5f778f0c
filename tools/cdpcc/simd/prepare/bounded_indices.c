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
 * The counter of a grid-stride loop may also wrap around, but in the loop it is below the bound
 * that the loop tests:
 *
 *     for (unsigned i = ...; i < n; i += gridDim.x * blockDim.x)
 *         x[3 * i], x[3 * i + 1], x[3 * i + 2]
 *
 * So may rows of a matrix, (y * width + x) * 3, whose bound follows from the grid and the width.
 *
 * A block may also have more elements than threads, or a thread several elements:
 *
 *     x[blockIdx.x * 512 + threadIdx.x], x[blockIdx.x * 512 + threadIdx.x + 128]
 *
 * The shapes of these sums are not known without flags.
 *
 * Nearly no grid, and no bound, is so large.  So the operations get the flags nuw or nsw in block
 * entries, and the dispatcher leaves larger ones to thread entries (dispatch.c), which have no such
 * flags.  An index whose bound is below 2^27 threads gets none. */
#include "simd/prepare/bounded_indices.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "ir/module.h"
#include "ir/value.h"
#include "simd/ir/thread_fields.h"
#include "simd/prepare/launch_values.h"
#include "simd/prepare/offsets.h"

#include <llvm-c/Core.h>
#include <stddef.h>

/* MOST_FACTOR: the most threads of a block. */
enum { MOST_STEPS = 8, MOST_FACTOR = 1024, MOST_CONSTANT = 1 << 14 };
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

/* A constant instead of blockDim is `factor`. */
static bool is_product_of_block(LLVMValueRef value, unsigned dimension, uint64_t *factor)
{
    size_t before = dimension * sizeof(uint32_t);
    bool is_shift = is_binary(value, LLVMShl);
    if (!is_shift && !is_binary(value, LLVMMul)) {
        return false;
    }
    for (unsigned i = 0; i < (is_shift ? 1 : 2); i++) {
        LLVMValueRef block = LLVMGetOperand(value, i), by = LLVMGetOperand(value, 1 - i);
        if (!is_block_field(block, offsetof(struct cdp_abi_block, block_idx) + before)) {
            continue;
        }
        if (!is_shift && is_block_field(by, offsetof(struct cdp_abi_block, block_dim) + before)) {
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

static bool is_thread(LLVMValueRef value, unsigned dimension)
{
    size_t field = offsetof(struct cdp_abi_thread, thread_idx) + dimension * sizeof(uint32_t);
    return LLVMIsALoadInst(value) != NULL && is_word(value) && simd_self_field(value) == (int)field;
}

/* The sum of threadIdx and a constant that is not negative, *constant. */
static bool is_thread_and_constant(LLVMValueRef value, unsigned dimension, int64_t *constant)
{
    *constant = 0;
    if (is_binary(value, LLVMAdd) && is_word(value) &&
        LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL) {
        *constant = LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));
        value = LLVMGetOperand(value, 0);
    }
    return is_thread(value, dimension) && *constant >= 0 && *constant <= MOST_CONSTANT;
}

/* The index of the thread in the grid, where all indices start. */
struct base {
    LLVMValueRef sum, product;
    uint64_t factor;  /* in place of blockDim; 0: it is blockDim */
    int64_t constant; /* that the sum contains, too */
};

static bool is_index_in(LLVMValueRef value, unsigned dimension, struct base *base)
{
    bool is_sum =
        is_binary(value, LLVMAdd) || (is_binary(value, LLVMOr) && LLVMGetIsDisjoint(value));
    if (!is_sum || !is_word(value)) {
        return false;
    }
    for (unsigned i = 0; i < 2; i++) {
        *base = (struct base){.sum = value, .product = LLVMGetOperand(value, 1 - i)};
        if (is_thread_and_constant(LLVMGetOperand(value, i), dimension, &base->constant) &&
            is_product_of_block(base->product, dimension, &base->factor)) {
            return true;
        }
    }
    return false;
}

/* The shape of blockIdx.x * blockDim.x + threadIdx.x is known without flags. */
static bool base_needs_flags(const struct base *base)
{
    bool is_usual = base->factor == 0 && base->constant == 0;
    return !is_usual && is_binary(base->sum, LLVMAdd) &&
           !(LLVMGetNUW(base->sum) && LLVMGetNSW(base->sum));
}

/* ---- counters of loops ---- */

/* What an unsigned value is below if the condition is as given, or NULL. */
static LLVMValueRef limit_by(LLVMValueRef condition, bool is_true, LLVMValueRef value,
                             unsigned depth)
{
    if (is_binary(condition, LLVMAnd) && is_true && depth != 0) {
        LLVMValueRef first = limit_by(LLVMGetOperand(condition, 0), true, value, depth - 1);
        return first != NULL ? first
                             : limit_by(LLVMGetOperand(condition, 1), true, value, depth - 1);
    }
    if (LLVMIsAICmpInst(condition) == NULL) {
        return NULL;
    }
    LLVMValueRef a = LLVMGetOperand(condition, 0), b = LLVMGetOperand(condition, 1);
    switch ((int)LLVMGetICmpPredicate(condition)) {
    case LLVMIntULT:
        return is_true && a == value ? b : NULL;
    case LLVMIntUGE:
        return !is_true && a == value ? b : NULL;
    case LLVMIntUGT:
        return is_true && b == value ? a : NULL;
    case LLVMIntULE:
        return !is_true && b == value ? a : NULL;
    default:
        return NULL;
    }
}

/* The counter of a loop, which is below `bound` in each iteration.  It is the value of a phi, and
 * the loop tests what comes into it. */
static const struct simd_launch_value *bound_of_counter(LLVMValueRef phi)
{
    const struct simd_launch_value *bound = NULL;
    if (LLVMIsAPHINode(phi) == NULL || !is_word(phi)) {
        return NULL;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        bool is_true;
        LLVMValueRef condition = lower_condition_before(LLVMGetIncomingBlock(phi, i),
                                                        LLVMGetInstructionParent(phi), &is_true);
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMValueRef limit = condition == NULL ? NULL : limit_by(condition, is_true, value, 2);
        const struct simd_launch_value *here = limit == NULL ? NULL : simd_find_launch_value(limit);
        if (here == NULL || (bound != NULL && !simd_are_launch_values_same(bound, here))) {
            return NULL;
        }
        bound = here;
    }
    return bound;
}

/* ---- rows of a matrix ---- */

enum { MOST_OPERATIONS = 8, MOST_DEPTH = 6, DIMENSIONS = 3 };

/* (y * width + x): sums and products of global indices of threads, with parameters as factors, and
 * a bound of each operation.  A constant instead of blockDim makes an index of up to 2^41, whose
 * product with a parameter needs more than 64 bits.  So that index has a bound without an
 * operation, which is tested first. */
struct area {
    LLVMValueRef operations[MOST_OPERATIONS]; /* NULL: an index */
    const struct simd_launch_value *bounds[MOST_OPERATIONS];
    unsigned count;
    bool has_product;
};

/* NULL: there are too many bounds. */
static const struct simd_launch_value *add_to_area(struct area *area, LLVMValueRef operation,
                                                   struct simd_launch_value bound)
{
    if (area->count == MOST_OPERATIONS) {
        return NULL;
    }
    area->operations[area->count] = operation;
    area->bounds[area->count] = simd_copy_launch_value(bound);
    return area->bounds[area->count++];
}

static const struct simd_launch_value *combine(LLVMValueRef value, LLVMOpcode opcode,
                                               const struct simd_launch_value *a,
                                               const struct simd_launch_value *b, struct area *area)
{
    if (a == NULL || b == NULL) {
        return NULL;
    }
    struct simd_launch_value result = {
        .kind = VALUE_OPERATION, .type = a->type, .opcode = opcode, .operands = {a, b}};
    return add_to_area(area, value, result);
}

/* A parameter's value, or one that is computed from parameters, as i64. */
static const struct simd_launch_value *factor_of(LLVMValueRef value, LLVMTypeRef i64)
{
    const struct simd_launch_value *word =
        LLVMIsAConstantInt(value) == NULL ? simd_find_launch_value(value) : NULL;
    struct simd_launch_value result = {
        .kind = VALUE_OPERATION, .type = i64, .opcode = LLVMZExt, .operands = {word}};
    return word == NULL ? NULL : simd_copy_launch_value(result);
}

/* What the value does not exceed, i64; NULL: unknown. */
static const struct simd_launch_value *bound_of(LLVMValueRef value, LLVMTypeRef i64,
                                                struct area *area, unsigned depth)
{
    struct simd_launch_value extent = {.kind = VALUE_EXTENT, .type = i64, .opcode = LLVMRet};
    struct base base;
    for (unsigned i = 0; i < DIMENSIONS; i++) {
        if (is_index_in(value, i, &base) && base.constant == 0) {
            extent.number = i;
            extent.block_factor = base.factor;
            return base.factor == 0 ? simd_copy_launch_value(extent)
                                    : add_to_area(area, NULL, extent);
        }
    }
    if (depth == 0 || LLVMIsABinaryOperator(value) == NULL || !is_word(value)) {
        return NULL;
    }
    LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
    if (is_binary(value, LLVMMul)) {
        const struct simd_launch_value *factor = factor_of(b, i64);
        if (factor == NULL) {
            factor = factor_of(a, i64);
            a = b;
        }
        area->has_product = true;
        return factor == NULL
                   ? NULL
                   : combine(value, LLVMMul, bound_of(a, i64, area, depth - 1), factor, area);
    }
    if (!is_binary(value, LLVMAdd) || LLVMIsAConstant(b) != NULL) {
        return NULL;
    }
    const struct simd_launch_value *first = bound_of(a, i64, area, depth - 1);
    return first == NULL ? NULL
                         : combine(value, LLVMAdd, first, bound_of(b, i64, area, depth - 1), area);
}

static bool find_area(LLVMValueRef value, struct area *area)
{
    *area = (struct area){.count = 0};
    if (!is_word(value) || !is_binary(value, LLVMAdd) ||
        LLVMIsAConstant(LLVMGetOperand(value, 1)) != NULL) {
        return false;
    }
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(value)));
    return bound_of(value, i64, area, MOST_DEPTH) != NULL && area->has_product;
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

/* An index, and the operations that compute it from the global thread index, from a counter or from
 * an area, the last one first. */
struct index {
    LLVMValueRef steps[MOST_STEPS];
    unsigned count;
    bool is_signed;
    uint64_t threads; /* as in struct simd_index_bound; it limits start_bound, too */
    /* Its start. */
    const struct simd_launch_value *start_bound; /* NULL: the index of the thread in the grid */
    struct base base;                            /* that index; else all zero */
    struct area area;                            /* empty: another start */
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
    index->start_bound = NULL;
    index->area.count = 0;
    for (; !is_index_in(value, 0, &index->base); value = LLVMGetOperand(value, 0)) {
        index->base = (struct base){.sum = NULL};
        index->start_bound = bound_of_counter(value);
        if (index->start_bound != NULL) {
            return true;
        }
        if (find_area(value, &index->area)) {
            index->start_bound = index->area.bounds[index->area.count - 1];
            return true;
        }
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
    struct linear linear = {.factor = 1, .constant = index->base.constant};
    linear.needs_flags = index->base.sum != NULL && base_needs_flags(&index->base);
    index->threads = index->base.sum != NULL ? threads_of(&linear, true) : UINT32_MAX;
    for (unsigned i = index->count; i > 0; i--) {
        if (!apply(index->steps[i - 1], index->is_signed, &linear)) {
            return false;
        }
        uint64_t threads = threads_of(&linear, index->is_signed);
        if (threads < least_threads) {
            return false;
        }
        index->threads = threads < index->threads ? threads : index->threads;
    }
    for (unsigned i = 0; i < index->area.count; i++) {
        LLVMValueRef operation = index->area.operations[i];
        linear.needs_flags |= operation != NULL && wraps(operation, false);
    }
    bool is_plain = index->area.count != 0 && (index->is_signed || linear.factor == 1);
    return linear.needs_flags && !is_plain;
}

static void add_limit(struct simd_index_bound *all, const struct simd_launch_value *bound,
                      uint64_t most)
{
    for (size_t i = 0; i < all->limit_count; i++) {
        struct simd_index_limit *limit = &all->limits[i];
        if (simd_are_launch_values_same(limit->bound, bound)) {
            limit->most = most < limit->most ? most : limit->most;
            return;
        }
    }
    struct simd_index_limit limit = {.bound = bound, .most = most};
    LOWER_PUSH(all->limits, all->limit_count, limit);
}

static void add_bound(struct simd_index_bound *all, const struct index *index)
{
    for (unsigned i = 0; i < index->area.count; i++) {
        add_limit(all, index->area.bounds[i], UINT32_MAX);
    }
    if (index->start_bound != NULL) {
        add_limit(all, index->start_bound, index->threads);
        return;
    }
    bool is_least = all->threads == 0 || index->threads < all->threads;
    bool is_most = index->base.factor > all->block_factor;
    all->threads = is_least ? index->threads : all->threads;
    all->block_factor = is_most ? index->base.factor : all->block_factor;
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

static void set_base_flags(const struct base *base)
{
    if (base->sum != NULL && base_needs_flags(base)) {
        LLVMSetNUW(base->product, true);
        LLVMSetNSW(base->product, true);
        LLVMSetNUW(base->sum, true);
        LLVMSetNSW(base->sum, true);
    }
}

static void set_flags(const struct index *index)
{
    set_base_flags(&index->base);
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
    for (unsigned i = 0; i < index->area.count; i++) {
        if (index->area.operations[i] != NULL) {
            LLVMSetNUW(index->area.operations[i], true);
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
            add_bound(&result, &index);
            set_flags(&index);
        }
    }
    if (result.threads != 0 || result.limit_count != 0) {
        simd_split_offsets(lower, function);
        module_run_passes_on(function, "early-cse,loop-simplify,lcssa", lower->machine);
    }
    return result;
}
