/* The shapes of results: a transfer function for each kind of instruction.
 *
 * A transfer function computes the shape of a result, for example how arithmetic preserves an
 * affine value.  Where the instruction alone does not preserve it, the function names the test that
 * does. Phis are in analysis/shape_analysis.c.
 *
 * Some rules, with s for the stride of a:
 *
 *     a + uniform        s
 *     a * 4, a << 2      4 * s
 *     sext(a), zext(a)   s, if no lane wraps: TEST_SIGNED, TEST_UNSIGNED, or the flags promise it
 *     a & 255            s, if the low bits do not wrap around: TEST_MASK
 *     threadIdx.x & 31   1
 *     a & (n - 1)        1, if s is 1 and n a multiple of the lanes: TEST_LOW_BITS
 *     a & -n             0, likewise: TEST_HIGH_BITS
 *     min(a, n)          s, if no lane is beyond n: TEST_CLAMP
 *     a % n, a / n       s, or 0, if no remainder wraps around: TEST_REMAINDER, TEST_QUOTIENT
 *     c ? a : uniform    s, if the uniform c takes a: TEST_CHOICE
 *     getelementptr      the sum of the strides of its indices, times their elements' sizes
 *
 * Two properties go with an affine value: it is exact as a signed or as an unsigned number if the
 * numbers of the lanes do not wrap. An extension of an exact value needs no test.
 *
 * The check of a result is the strongest of its operands' checks and its own: CHECK_FLAGS if flags
 * promise the shape in active lanes, CHECK_ALWAYS if a test must show it at run time.
 *
 * What holds: a result is never stronger than its operands allow. That makes the fixed point in
 * analysis/shape_analysis.c end. */
#include "simd/analysis/transfer.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "ir/indices.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/layout.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/thread_number.h"
#include "simd/analysis/warp_shape.h"
#include "simd/ir/calls.h"
#include "simd/ir/lanes.h"
#include "simd/ir/numbers.h"
#include "simd/ir/opcodes.h"
#include "simd/ir/origin.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/traits.h"
#include "simd/ir/variant.h"

static struct simd_shape of_kind(enum simd_shape_kind kind)
{
    return (struct simd_shape){.kind = kind, .is_signed_exact = true, .is_unsigned_exact = true};
}

static struct simd_shape linear(int64_t stride)
{
    return (struct simd_shape){
        .kind = SHAPE_LINEAR, .stride = stride, .is_signed_exact = true, .is_unsigned_exact = true};
}

/* The thread's own number is affine in each layout. threadIdx is so only if a vector lies in one
 * row; then .y and .z are the same for the vector, and for the warp if that lies in one row. */
static struct simd_shape id_shape(const struct simd_kernel *kernel, int field)
{
    enum simd_shape_kind of_row = simd_has_rows_of_warps(kernel) ? SHAPE_WARP : SHAPE_VECTOR;
    bool rows = simd_has_rows(kernel), any = simd_variant_of(kernel)->layout == LAYOUT_ANY;
    switch (field) {
    case offsetof(struct cdp_abi_thread, linear):
        return linear(1);
    case offsetof(struct cdp_abi_thread, thread_idx):
        return any ? simd_varying_shape : linear(1);
    case offsetof(struct cdp_abi_thread, thread_idx) + 4:
    case offsetof(struct cdp_abi_thread, thread_idx) + 8:
        return any ? simd_varying_shape : of_kind(rows ? of_row : SHAPE_UNIFORM);
    default:
        return simd_uniform_shape;
    }
}

/* The field is one of the three numbers that start at that offset. */
static bool is_in(int field, size_t start)
{
    return field >= (int)start && field < (int)start + 12;
}

/* The size of the dimension that the field of blockIdx belongs to; 0: unknown. */
static unsigned known_size(const struct simd_kernel *kernel, int field)
{
    int dimension = (field - (int)offsetof(struct cdp_abi_block, block_idx)) / 4;
    struct simd_size size = simd_launched_size(kernel);
    return dimension == 0 ? size.x : dimension == 1 ? size.y : size.z;
}

/* blockIdx times a size that is known and a power of two. */
static bool is_shifted_start(const struct simd_kernel *kernel, LLVMValueRef shift)
{
    int field = simd_field(LLVMGetOperand(shift, 0));
    LLVMValueRef by = LLVMGetOperand(shift, 1);
    if (!is_in(field, offsetof(struct cdp_abi_block, block_idx)) ||
        LLVMIsAConstantInt(by) == NULL || LLVMConstIntGetZExtValue(by) >= 32) {
        return false;
    }
    return UINT64_C(1) << LLVMConstIntGetZExtValue(by) == known_size(kernel, field);
}

/* blockIdx.x * blockDim.x, and the same for y and z. In a version of known size, blockDim is a
 * constant, and LLVM may have made the product a shift. */
static bool is_block_start(const struct simd_kernel *kernel, LLVMValueRef value)
{
    if (LLVMIsABinaryOperator(value) == NULL || LLVMGetInstructionOpcode(value) != LLVMMul) {
        return LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMShl &&
               is_shifted_start(kernel, value);
    }
    LLVMValueRef index = LLVMGetOperand(value, 0), size = LLVMGetOperand(value, 1);
    if (!is_in(simd_field(index), offsetof(struct cdp_abi_block, block_idx))) {
        index = LLVMGetOperand(value, 1);
        size = LLVMGetOperand(value, 0);
    }
    int from = simd_field(index) - (int)offsetof(struct cdp_abi_block, block_idx);
    if (!is_in(simd_field(index), offsetof(struct cdp_abi_block, block_idx))) {
        return false;
    }
    if (simd_variant_of(kernel)->size != NULL && LLVMIsAConstantInt(size) != NULL) {
        return LLVMConstIntGetZExtValue(size) == known_size(kernel, simd_field(index));
    }
    int field = simd_field(size);
    return is_in(field, offsetof(struct cdp_abi_block, block_dim)) &&
           field - (int)offsetof(struct cdp_abi_block, block_dim) == from;
}

/* blockIdx * blockDim + threadIdx.  The entry's test at launch ensures that it does not reach
 * 2^31. */
static bool is_global_index(const struct simd_kernel *kernel, LLVMValueRef sum)
{
    LLVMValueRef a = LLVMGetOperand(sum, 0), b = LLVMGetOperand(sum, 1);
    return (is_block_start(kernel, a) && is_in(simd_self_field(b), 0)) ||
           (is_block_start(kernel, b) && is_in(simd_self_field(a), 0));
}

bool simd_is_below_limit(const struct simd_kernel *kernel, LLVMValueRef value)
{
    return is_block_start(kernel, value) ||
           (LLVMIsAInstruction(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMAdd &&
            is_global_index(kernel, value));
}

/* ---- one instruction ---- */

/* UNKNOWN is the neutral element. Affine values must have the same stride. */
struct simd_shape simd_meet_shapes(struct simd_shape a, struct simd_shape b)
{
    if (a.kind == SHAPE_UNKNOWN || b.kind == SHAPE_UNKNOWN) {
        return a.kind == SHAPE_UNKNOWN ? b : a;
    }
    if (a.check != CHECK_NONE || b.check != CHECK_NONE) {
        return simd_varying_shape;
    }
    bool both_linear = a.kind == SHAPE_LINEAR && b.kind == SHAPE_LINEAR && a.stride == b.stride;
    if (!both_linear && (a.kind > SHAPE_VECTOR || b.kind > SHAPE_VECTOR)) {
        return simd_varying_shape;
    }
    a.kind = a.kind > b.kind ? a.kind : b.kind;
    a.is_signed_exact &= b.is_signed_exact;
    a.is_unsigned_exact &= b.is_unsigned_exact;
    return a;
}

static struct simd_shape operand(const struct simd_kernel *kernel, LLVMValueRef instruction,
                                 unsigned index)
{
    return *simd_shape_of(kernel, LLVMGetOperand(instruction, index));
}

/* a plus or minus b.  It is exact if the instruction's flags promise it and the affine operands are
 * exact. The operands that are not affine have stride 0. */
static struct simd_shape sum(LLVMValueRef instruction, struct simd_shape a, struct simd_shape b,
                             int64_t sign)
{
    struct simd_shape result = linear(a.stride + sign * b.stride);
    bool disjoint = LLVMGetInstructionOpcode(instruction) == LLVMOr;
    result.is_signed_exact =
        (disjoint || LLVMGetNSW(instruction)) && a.is_signed_exact && b.is_signed_exact;
    result.is_unsigned_exact =
        (disjoint || LLVMGetNUW(instruction)) && a.is_unsigned_exact && b.is_unsigned_exact;
    return result;
}

/* A product with a factor of at least 2 that wraps in no lane proves that its operand does not wrap
 * between lanes.  The operand is then in a range of half of all numbers.  Within that range two
 * operands that differ by the stride modulo 2^width differ by exactly the stride, because the
 * stride is small.  Grid-stride loops have such operands: their counter is the sum of a thread's
 * number and steps that may wrap. */
static bool product_proves_exact(unsigned width, struct simd_shape a, int64_t factor)
{
    int64_t most = INT64_C(1) << (width < 32 ? width / 2 : 16);
    return a.kind == SHAPE_LINEAR && a.check == CHECK_NONE && (factor >= 2 || factor <= -2) &&
           width >= 16 && a.stride <= most && a.stride >= -most;
}

/* The factor must be a constant, since strides are. A shift counts as a product. */
static struct simd_shape scaled(const struct simd_kernel *kernel, LLVMValueRef instruction)
{
    unsigned variable_operand = 1;
    if (LLVMGetInstructionOpcode(instruction) == LLVMMul &&
        LLVMIsAConstantInt(LLVMGetOperand(instruction, 0)) != NULL) {
        variable_operand = 0; /* a size that was made a constant */
    }
    LLVMValueRef by = LLVMGetOperand(instruction, variable_operand);
    if (LLVMIsAConstantInt(by) == NULL || LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64) {
        return simd_varying_shape;
    }
    struct simd_shape a = operand(kernel, instruction, 1 - variable_operand);
    int64_t factor = LLVMConstIntGetSExtValue(by);
    if (LLVMGetInstructionOpcode(instruction) == LLVMShl) {
        factor = factor >= 0 && factor < 62 ? INT64_C(1) << factor : 0;
    }
    int64_t stride;
    if (factor == 0 || __builtin_mul_overflow(a.stride, factor, &stride) || stride > INT32_MAX ||
        stride < -INT32_MAX) {
        return simd_varying_shape;
    }
    struct simd_shape result = linear(stride);
    bool proves = product_proves_exact(LLVMGetIntTypeWidth(LLVMTypeOf(by)), a, factor);
    result.is_signed_exact = LLVMGetNSW(instruction) && (a.is_signed_exact || proves);
    result.is_unsigned_exact =
        LLVMGetNUW(instruction) && (a.is_unsigned_exact || proves) && factor > 0;
    return result;
}

/* The value is not negative in any lane that uses it, and it grows with the lane.  Then lane 0's
 * number is the same as theirs less some strides, though it may be below zero.  So its sign
 * extension is the start of all lanes' extensions, whether or not lane 0 itself is active. */
bool simd_extends_signed(LLVMValueRef instruction, struct simd_shape operand)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
    if (LLVMGetInstructionOpcode(instruction) != LLVMZExt || !LLVMGetNNeg(instruction) ||
        LLVMGetIntTypeWidth(type) > 64 || operand.kind != SHAPE_LINEAR) {
        return false;
    }
    int64_t most = INT64_MAX >> (64 - LLVMGetIntTypeWidth(type));
    return operand.stride > 0 && operand.stride <= most / SIMD_MOST_LANES;
}

bool simd_is_flagged(const struct simd_kernel *kernel, LLVMValueRef instruction,
                     enum simd_test test)
{
    struct simd_shape a = operand(kernel, instruction, 0);
    return (test == TEST_SIGNED && a.is_signed_exact) ||
           (test == TEST_UNSIGNED &&
            (a.is_unsigned_exact || (a.is_signed_exact && LLVMGetNNeg(instruction))));
}

/* The test is always named. The check determines whether it must run: flags make it needless where
 * all lanes are active. */
static struct simd_shape extended(const struct simd_kernel *kernel, LLVMValueRef instruction,
                                  enum simd_test *test)
{
    struct simd_shape a = operand(kernel, instruction, 0), result = linear(a.stride);
    bool is_zext = LLVMGetInstructionOpcode(instruction) == LLVMZExt;
    if (simd_extends_signed(instruction, a)) {
        result.is_unsigned_exact = false; /* lane 0 may be below zero */
        return result;
    }
    *test = is_zext ? TEST_UNSIGNED : TEST_SIGNED;
    result.check = simd_is_flagged(kernel, instruction, *test) ? CHECK_FLAGS : CHECK_ALWAYS;
    result.is_unsigned_exact = is_zext; /* from -1 to 0 it wraps around */
    return result;
}

/* The first thread of each vector has a multiple of the lanes as its number.  So the number's low
 * bits do not wrap around within a vector, as in threadIdx.x % 32. */
static bool is_number_in_group(const struct simd_kernel *kernel, LLVMValueRef value, uint64_t mask)
{
    unsigned lanes = simd_variant_of(kernel)->lanes;
    bool is_x_of_row = simd_self_field(value) == (int)offsetof(struct cdp_abi_thread, thread_idx) &&
                       simd_variant_of(kernel)->layout == LAYOUT_ROWS;
    return (mask + 1) % lanes == 0 &&
           (is_x_of_row || simd_counts_from_multiple(kernel, value, lanes));
}

/* The low bits of a thread's number, shifted to the left: LLVM writes (threadIdx.x % 32) * 4 as
 * (threadIdx.x << 2) & 124. 0: the value is another one; otherwise the stride. */
static int64_t stride_in_group(const struct simd_kernel *kernel, LLVMValueRef value, uint64_t mask)
{
    enum { MOST_SHIFT = 12 };
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    uint64_t shift = 0;
    if (LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMShl &&
        LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL) {
        shift = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
        value = LLVMGetOperand(value, 0);
    }
    if (shift > MOST_SHIFT || mask >> (width - 1) != 0) {
        return 0;
    }
    mask >>= shift;
    bool is_group = (mask & (mask + 1)) == 0 && simd_shape_of(kernel, value)->stride == 1 &&
                    is_number_in_group(kernel, value, mask);
    return is_group ? INT64_C(1) << shift : 0;
}

static LLVMOpcode opcode_of(LLVMValueRef value)
{
    return LLVMIsAInstruction(value) != NULL ? LLVMGetInstructionOpcode(value) : LLVMRet;
}

static bool is_number(LLVMValueRef value, int64_t number)
{
    return LLVMIsAConstantInt(value) != NULL && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64 &&
           LLVMConstIntGetSExtValue(value) == number;
}

/* n - 1. */
static bool is_low_mask(LLVMValueRef mask)
{
    return opcode_of(mask) == LLVMAdd && is_number(LLVMGetOperand(mask, 1), -1);
}

/* -n, -1 << n or ~(n - 1). */
static bool is_high_mask(LLVMValueRef mask)
{
    LLVMOpcode opcode = opcode_of(mask);
    return (opcode == LLVMSub && is_number(LLVMGetOperand(mask, 0), 0)) ||
           (opcode == LLVMShl && is_number(LLVMGetOperand(mask, 0), -1)) ||
           (opcode == LLVMXor && is_low_mask(LLVMGetOperand(mask, 0)) &&
            is_number(LLVMGetOperand(mask, 1), -1));
}

/* The parts of an index that exchanges and transforms over a distance n use, which is a power of
 * two: i & (n - 1), i & -n. */
static struct simd_shape masked_by_uniform(const struct simd_kernel *kernel,
                                           LLVMValueRef instruction, enum simd_test *test)
{
    unsigned affine = operand(kernel, instruction, 0).kind == SHAPE_LINEAR ? 0 : 1;
    struct simd_shape a = operand(kernel, instruction, affine);
    LLVMValueRef mask = LLVMGetOperand(instruction, 1 - affine);
    bool is_high = is_high_mask(mask);
    if (a.kind != SHAPE_LINEAR || a.stride != 1 || (!is_high && !is_low_mask(mask)) ||
        operand(kernel, instruction, 1 - affine).kind > SHAPE_UNIFORM) {
        return simd_varying_shape;
    }
    struct simd_shape result = linear(is_high ? 0 : 1);
    result.check = CHECK_ALWAYS;
    *test = is_high ? TEST_HIGH_BITS : TEST_LOW_BITS;
    return result;
}

/* The mask must be 2^n - 1 and wide enough for one vector, as in i & 255. */
static struct simd_shape masked(const struct simd_kernel *kernel, LLVMValueRef instruction,
                                enum simd_test *test)
{
    LLVMValueRef by = LLVMGetOperand(instruction, 1);
    struct simd_shape a = operand(kernel, instruction, 0);
    if (LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64) {
        return simd_varying_shape;
    }
    if (LLVMIsAConstantInt(by) == NULL) {
        return masked_by_uniform(kernel, instruction, test);
    }
    uint64_t mask = LLVMConstIntGetZExtValue(by);
    int64_t stride = stride_in_group(kernel, LLVMGetOperand(instruction, 0), mask);
    if (stride != 0) {
        return linear(stride);
    }
    if ((mask & (mask + 1)) != 0 || mask >> 62 != 0) {
        return simd_varying_shape;
    }
    if (a.stride <= 0 || mask < (uint64_t)a.stride * simd_variant_of(kernel)->lanes) {
        return simd_varying_shape;
    }
    struct simd_shape result = linear(a.stride);
    result.check = CHECK_ALWAYS;
    *test = TEST_MASK;
    return result;
}

/* Tests add the stride times the lanes to numbers, which must not overflow narrow types. */
static bool is_steep(struct simd_shape shape)
{
    int64_t most = INT8_MAX;
    return shape.stride == 0 || shape.stride > most || shape.stride < -most;
}

/* Clamped indices, as at the borders of images: within the limits the result is the clamped operand
 * itself. */
static struct simd_shape clamped(const struct simd_kernel *kernel, LLVMValueRef instruction,
                                 enum simd_test *test)
{
    LLVMIntPredicate predicate = simd_clamp_of(instruction);
    struct simd_shape a = operand(kernel, instruction, 0), b = operand(kernel, instruction, 1);
    if (a.kind != SHAPE_LINEAR) {
        struct simd_shape other = a;
        a = b;
        b = other;
    }
    bool is_signed = predicate == LLVMIntSLE || predicate == LLVMIntSGE;
    if (predicate == 0 || a.kind != SHAPE_LINEAR || b.kind > SHAPE_UNIFORM ||
        !(is_signed ? a.is_signed_exact : a.is_unsigned_exact) || is_steep(a)) {
        return simd_varying_shape;
    }
    a.check = CHECK_ALWAYS;
    *test = TEST_CLAMP;
    return a;
}

/* An affine value divided by a uniform one.  The remainder is affine where it does not start at
 * zero again, as at the periodic border of a field.  The quotient is the same for all lanes, as the
 * row number of a matrix is.  The test also ensures that nothing wraps around. */
static struct simd_shape divided(const struct simd_kernel *kernel, LLVMValueRef instruction,
                                 enum simd_test *test)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    bool is_signed = simd_is_signed_division(opcode);
    bool is_quotient = simd_is_quotient(opcode);
    struct simd_shape a = operand(kernel, instruction, 0), b = operand(kernel, instruction, 1);
    LLVMValueRef by = LLVMGetOperand(instruction, 1);
    if (a.kind != SHAPE_LINEAR || b.kind > SHAPE_UNIFORM ||
        LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64 || a.stride < 0 ||
        (!simd_is_flat(a) && is_steep(a))) {
        return simd_varying_shape;
    }
    if (LLVMIsAConstantInt(by) != NULL &&
        LLVMConstIntGetZExtValue(by) < (uint64_t)a.stride * simd_variant_of(kernel)->lanes) {
        return simd_varying_shape; /* the remainder wraps around within each vector */
    }
    struct simd_shape result = linear(is_quotient ? 0 : a.stride);
    result.is_signed_exact = is_signed || simd_is_flat(result);
    result.check = CHECK_ALWAYS;
    *test = is_quotient ? TEST_QUOTIENT : TEST_REMAINDER;
    return result;
}

/* The same for a shift to the right, which divides by a power of two. */
static struct simd_shape shifted(const struct simd_kernel *kernel, LLVMValueRef instruction,
                                 enum simd_test *test)
{
    LLVMValueRef by = LLVMGetOperand(instruction, 1);
    struct simd_shape a = operand(kernel, instruction, 0);
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(by));
    if (LLVMIsAConstantInt(by) == NULL || width > 64 || a.kind != SHAPE_LINEAR || a.stride <= 0 ||
        is_steep(a) || LLVMConstIntGetZExtValue(by) >= width - 1 ||
        UINT64_C(1) << LLVMConstIntGetZExtValue(by) <
            (uint64_t)a.stride * simd_variant_of(kernel)->lanes) {
        return simd_varying_shape;
    }
    struct simd_shape result = linear(0);
    result.check = CHECK_ALWAYS;
    *test = TEST_SHIFT;
    return result;
}

/* An index of less than 64 bits is extended by the instruction itself, which may wrap. */
static struct simd_shape address(const struct simd_kernel *kernel, LLVMValueRef instruction)
{
    LLVMTargetDataRef layout = simd_context_of(kernel)->layout;
    LLVMTypeRef type = NULL;
    int64_t stride = operand(kernel, instruction, 0).stride;
    unsigned count = (unsigned)LLVMGetNumOperands(instruction);
    for (unsigned i = 1; i < count; i++) {
        struct lower_index index = lower_index_of(layout, instruction, i, &type);
        struct simd_shape shape = operand(kernel, instruction, i);
        if (index.number == NULL || shape.kind != SHAPE_LINEAR) {
            continue;
        }
        if (LLVMGetIntTypeWidth(LLVMTypeOf(index.number)) != 64) {
            return simd_varying_shape;
        }
        stride += shape.stride * (int64_t)index.bytes;
    }
    return linear(stride);
}

unsigned simd_choice_of(const struct simd_kernel *kernel, LLVMValueRef select)
{
    struct simd_shape by = operand(kernel, select, 0);
    struct simd_shape a = operand(kernel, select, 1), b = operand(kernel, select, 2);
    bool are_alike =
        a.kind == b.kind && a.stride == b.stride && a.check == CHECK_NONE && b.check == CHECK_NONE;
    if (by.kind != SHAPE_UNIFORM || (a.kind != SHAPE_LINEAR && b.kind != SHAPE_LINEAR) ||
        are_alike) {
        return 0;
    }
    return b.kind == SHAPE_LINEAR ? 2 : 1;
}

/* An affine and a uniform operand, as in flag ? i : 0, of which a uniform condition takes one.
 */
static struct simd_shape chosen(const struct simd_kernel *kernel, LLVMValueRef instruction,
                                enum simd_test *test)
{
    struct simd_shape by = operand(kernel, instruction, 0);
    if (by.kind > SHAPE_VECTOR || by.check != CHECK_NONE) {
        return simd_varying_shape;
    }
    unsigned which = simd_choice_of(kernel, instruction);
    if (which != 0) {
        struct simd_shape result = operand(kernel, instruction, which);
        result.check = CHECK_ALWAYS;
        *test = TEST_CHOICE;
        return result;
    }
    struct simd_shape a = operand(kernel, instruction, 1), b = operand(kernel, instruction, 2);
    struct simd_shape result = simd_meet_shapes(a, b);
    if (result.kind == SHAPE_UNIFORM) {
        result.kind = by.kind;
    }
    return result;
}

/* Inverted bits are -1 - x, which does not wrap around where x does not.  LLVM writes n - 1 - x so.
 */
static struct simd_shape inverted(const struct simd_kernel *kernel, LLVMValueRef instruction)
{
    struct simd_shape a = operand(kernel, instruction, 0);
    if (!simd_is_inversion(instruction)) {
        return simd_varying_shape;
    }
    a.stride = -a.stride;
    return a;
}

/* It is computed only from values that are the same for all lanes.
 * Values of stride 0 with a check, as i / 32, keep stride 0 in arithmetic. */
static bool has_flat_operands(const struct simd_kernel *kernel, LLVMValueRef instruction)
{
    if (!simd_is_index_arithmetic(LLVMGetInstructionOpcode(instruction))) {
        return false;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
        struct simd_shape shape = operand(kernel, instruction, i);
        if (shape.kind > SHAPE_VECTOR && !simd_is_flat(shape)) {
            return false;
        }
    }
    return true;
}

/* At least one operand is affine, and none is varying. */
static struct simd_shape with_linear(const struct simd_kernel *kernel, LLVMValueRef instruction,
                                     enum simd_test *test)
{
    struct simd_shape a = operand(kernel, instruction, 0), result = simd_varying_shape;
    if (has_flat_operands(kernel, instruction)) {
        return linear(0);
    }
    switch ((int)LLVMGetInstructionOpcode(instruction)) {
    case LLVMAdd:
        result = sum(instruction, a, operand(kernel, instruction, 1), 1);
        if (is_global_index(kernel, instruction)) {
            result.is_signed_exact = result.is_unsigned_exact = true;
            result.check = CHECK_NONE;
        }
        return result;
    case LLVMOr:
        return LLVMGetIsDisjoint(instruction)
                   ? sum(instruction, a, operand(kernel, instruction, 1), 1)
                   : simd_varying_shape;
    case LLVMSub:
        return sum(instruction, a, operand(kernel, instruction, 1), -1);
    case LLVMXor:
        return inverted(kernel, instruction);
    case LLVMMul:
    case LLVMShl:
        return scaled(kernel, instruction);
    case LLVMZExt:
    case LLVMSExt:
        return extended(kernel, instruction, test);
    case LLVMTrunc:
        result = linear(a.stride);
        result.is_signed_exact = result.is_unsigned_exact = false;
        return result;
    case LLVMFreeze: /* after a freeze, an overflow is not an error of the program */
        a.is_signed_exact = a.is_unsigned_exact = false;
        return a.check == CHECK_NONE ? a : simd_varying_shape;
    case LLVMAnd:
        return masked(kernel, instruction, test);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return divided(kernel, instruction, test);
    case LLVMLShr:
    case LLVMAShr:
        return shifted(kernel, instruction, test);
    case LLVMCall:
        return clamped(kernel, instruction, test);
    case LLVMGetElementPtr:
        return address(kernel, instruction);
    case LLVMSelect:
        return chosen(kernel, instruction, test);
    default:
        return simd_varying_shape;
    }
}

/* threadIdx and values that are computed from it and from launch sizes are exact for every lane. */
static bool is_exact_for_all(const struct simd_kernel *kernel, LLVMValueRef value)
{
    return is_in(simd_self_field(value), 0) || simd_self_field(value) == 12 ||
           simd_is_sum_to_thread_number(kernel, value) ||
           (LLVMIsAInstruction(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMAdd &&
            is_global_index(kernel, value));
}

/* Loads of the context are indices. A plain load from one address has one value for the lanes that
 * share the address, unless stores of the block may come between (analysis/clobber.c). */
static struct simd_shape memory_shape(const struct simd_kernel *kernel, LLVMValueRef load)
{
    int field = simd_self_field(load);
    if (field >= 0) {
        return id_shape(kernel, field);
    }
    bool is_plain = simd_is_plain_load(load);
    struct simd_shape at = operand(kernel, load, 0);
    if (at.kind == SHAPE_UNIFORM &&
        simd_facts_of(kernel)->is_clobbered[simd_number(kernel, load)]) {
        at.kind = simd_traits_of(kernel)->has_warps ? SHAPE_WARP : SHAPE_VECTOR;
    }
    return is_plain && at.kind <= SHAPE_VECTOR && at.check == CHECK_NONE ? of_kind(at.kind)
                                                                         : simd_varying_shape;
}

/* While an operand is UNKNOWN, so is the result; a later pass of the fixed point returns here. */
struct simd_shape simd_transfer(const struct simd_kernel *kernel, LLVMValueRef instruction,
                                enum simd_test *test)
{
    enum simd_shape_kind most = SHAPE_UNIFORM;
    enum simd_check check = CHECK_NONE;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    *test = TEST_NONE;
    unsigned count = (unsigned)LLVMGetNumOperands(instruction);
    for (unsigned i = 0; i < count; i++) {
        struct simd_shape shape = operand(kernel, instruction, i);
        if (shape.kind == SHAPE_UNKNOWN) {
            return shape;
        }
        most = shape.kind > most ? shape.kind : most;
        check = shape.check > check ? shape.check : check;
    }
    if (opcode == LLVMLoad) {
        return memory_shape(kernel, instruction);
    }
    if (opcode == LLVMAlloca) {
        return linear((int64_t)simd_local_stride(kernel, instruction));
    }
    if (simd_is_sum_to_thread_number(kernel, instruction)) {
        return linear(1);
    }
    struct simd_shape of_warps;
    if (simd_warp_shape(kernel, instruction, &of_warps)) {
        return of_warps;
    }
    bool is_call = opcode == LLVMCall;
    bool is_atomic = opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg;
    bool is_clamp = is_call && simd_clamp_of(instruction) != 0;
    if (is_atomic ||
        (is_call && !is_clamp && (most > SHAPE_VECTOR || !simd_is_pure_call(instruction)))) {
        return simd_varying_shape;
    }
    if (most <= SHAPE_VECTOR) {
        return of_kind(most);
    }
    if (most == SHAPE_VARYING) {
        return simd_varying_shape;
    }
    struct simd_shape result = with_linear(kernel, instruction, test);
    if (result.kind != SHAPE_LINEAR) {
        *test = TEST_NONE;
        return result.kind == SHAPE_UNKNOWN ? simd_varying_shape : result;
    }
    bool is_extension = opcode == LLVMZExt || opcode == LLVMSExt;
    if (is_extension && is_exact_for_all(kernel, LLVMGetOperand(instruction, 0))) {
        result.check = CHECK_NONE;
        *test = TEST_NONE;
    }
    if (check > result.check && !(opcode == LLVMAdd && is_global_index(kernel, instruction))) {
        result.check = check;
    }
    if (result.stride == 0 && result.check == CHECK_NONE) {
        result.kind = SHAPE_VECTOR;
    }
    return result;
}
