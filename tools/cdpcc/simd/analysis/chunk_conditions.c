/* Whether all lanes of a chunk go one way, told by scalars where that can be.
 *
 * Guards such as if (x < width && y < height) compare indices that are linear in the lane: the
 * first and the last lane speak for those between.  This is for chunks whose lanes are all at
 * work, as an instruction's promises (no wrap) are then kept in every lane. */
#include "simd/analysis/chunk_conditions.h"

#include "simd/analysis/facts.h"
#include "simd/ir/instructions.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/instruction.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"

/* What a comparison is turned round, with its sides exchanged, and what it compares by. */
static const struct order {
    LLVMIntPredicate inverse, swapped;
    bool is_signed, is_less;
} orders[] = {
    [LLVMIntEQ - LLVMIntEQ] = {LLVMIntNE, LLVMIntEQ, false, false},
    [LLVMIntNE - LLVMIntEQ] = {LLVMIntEQ, LLVMIntNE, false, false},
    [LLVMIntUGT - LLVMIntEQ] = {LLVMIntULE, LLVMIntULT, false, false},
    [LLVMIntUGE - LLVMIntEQ] = {LLVMIntULT, LLVMIntULE, false, false},
    [LLVMIntULT - LLVMIntEQ] = {LLVMIntUGE, LLVMIntUGT, false, true},
    [LLVMIntULE - LLVMIntEQ] = {LLVMIntUGT, LLVMIntUGE, false, true},
    [LLVMIntSGT - LLVMIntEQ] = {LLVMIntSLE, LLVMIntSLT, true, false},
    [LLVMIntSGE - LLVMIntEQ] = {LLVMIntSLT, LLVMIntSLE, true, false},
    [LLVMIntSLT - LLVMIntEQ] = {LLVMIntSGE, LLVMIntSGT, true, true},
    [LLVMIntSLE - LLVMIntEQ] = {LLVMIntSGT, LLVMIntSGE, true, true},
};

static const struct order *order_of(LLVMIntPredicate predicate)
{
    return &orders[predicate - LLVMIntEQ];
}

/* Lane 0 and the stride say enough. */
static bool is_comparable(const struct simd_shape *shape, LLVMIntPredicate predicate)
{
    if (shape->kind != SHAPE_LINEAR || shape->check == CHECK_ALWAYS) {
        return false;
    }
    return predicate == LLVMIntNE ? shape->stride == 1 || shape->stride == -1
                                  : predicate != LLVMIntEQ;
}

/* The last lane's value may be less than the first one's though the stride is not: that is no
 * agreement. */
static LLVMValueRef with_order(struct simd_emit *emit, LLVMIntPredicate predicate,
                               const struct simd_value *value, unsigned vector, LLVMValueRef all)
{
    bool is_signed = order_of(predicate)->is_signed;
    if (is_signed ? value->shape.is_signed_exact : value->shape.is_unsigned_exact) {
        return all;
    }
    LLVMValueRef holds =
        simd_test(emit, NULL, is_signed ? TEST_SIGNED : TEST_UNSIGNED, value, vector);
    return LLVMBuildAnd(emit->builder, all, holds, "");
}

static LLVMValueRef compare_lanes(struct simd_emit *emit, LLVMIntPredicate predicate,
                                  const struct simd_value *value, unsigned vector,
                                  LLVMValueRef other)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef first = simd_scalar(value, vector);
    int64_t stride = value->shape.stride;
    LLVMTypeRef type = LLVMTypeOf(first);
    if (predicate == LLVMIntNE) { /* the other is as many steps away as there are lanes, or more */
        LLVMValueRef steps =
            stride > 0 ? LLVMBuildSub(b, other, first, "") : LLVMBuildSub(b, first, other, "");
        return LLVMBuildICmp(b, LLVMIntUGE, steps, simd_int(type, emit->lanes), "");
    }
    LLVMValueRef nearest = first;
    if (order_of(predicate)->is_less == (stride > 0)) {
        int64_t span = stride * (int64_t)(emit->lanes - 1);
        nearest = LLVMBuildAdd(b, first, simd_int(type, span), "");
    }
    LLVMValueRef all = LLVMBuildICmp(b, predicate, nearest, other, "");
    return with_order(emit, predicate, value, vector, all);
}

enum { MOST_STEPS = 8 };

static bool is_uniform(const struct simd_kernel *kernel, LLVMValueRef value)
{
    return simd_shape_of(kernel, value).kind == SHAPE_UNIFORM;
}

/* As long as all lanes go the same turns, they differ by what they differed by at first. */
LLVMValueRef simd_start_of_stride(const struct simd_kernel *kernel, LLVMValueRef phi)
{
    unsigned count = LLVMCountIncoming(phi);
    for (unsigned i = 0; count == 2 && i < count; i++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        bool is_sum =
            LLVMIsABinaryOperator(next) != NULL && LLVMGetInstructionOpcode(next) == LLVMAdd;
        if (is_sum && LLVMGetOperand(next, 0) == phi &&
            is_uniform(kernel, LLVMGetOperand(next, 1))) {
            return LLVMGetIncomingValue(phi, 1 - i);
        }
    }
    return NULL;
}

/* The thread's number, times and plus what is the same for all: linear not only within a vector,
 * as tid % 32 may be, but over the whole chunk. */
static bool is_line(const struct simd_emit *emit, LLVMValueRef value, unsigned steps)
{
    if (is_uniform(emit->kernel, value)) {
        return true;
    }
    if (LLVMIsAInstruction(value) == NULL || steps == MOST_STEPS) {
        return false;
    }
    if (LLVMIsAPHINode(value) != NULL) {
        LLVMValueRef start = simd_start_of_stride(emit->kernel, value);
        return start != NULL && is_line(emit, start, steps + 1);
    }
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMLoad:
        return simd_self_field(value) >= 0;
    case LLVMSExt:
    case LLVMZExt:
        return is_line(emit, LLVMGetOperand(value, 0), steps + 1);
    case LLVMOr:
        if (!LLVMGetIsDisjoint(value)) {
            return false;
        }
        break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        break;
    default:
        return false;
    }
    return is_line(emit, LLVMGetOperand(value, 0), steps + 1) &&
           is_line(emit, LLVMGetOperand(value, 1), steps + 1);
}

/* From the chunk's first lane to its last. */
static int64_t span_of_chunk(const struct simd_emit *emit, const struct simd_shape *shape)
{
    return shape->stride * ((int64_t)emit->lanes * emit->vectors - 1);
}

/* The one vector that speaks for all of the chunk, if nothing wraps in it; -1 where each speaks for
 * itself. */
static int spokesman(const struct simd_emit *emit, LLVMIntPredicate predicate, LLVMValueRef source,
                     const struct simd_shape *shape, const struct simd_shape *other)
{
    int64_t span = span_of_chunk(emit, shape);
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(source));
    bool is_wide = width > 32 || (width == 32 && span <= INT16_MAX && span >= -INT16_MAX);
    if (predicate == LLVMIntNE || other->kind > SHAPE_UNIFORM || !is_wide ||
        emit->kernel->variant.layout != LAYOUT_LINE || !is_line(emit, source, 0)) {
        return -1;
    }
    return order_of(predicate)->is_less == (shape->stride > 0) ? (int)emit->vectors - 1 : 0;
}

static LLVMValueRef compare_by(struct simd_emit *emit, LLVMIntPredicate predicate,
                               const struct simd_value *value, unsigned vector, LLVMValueRef other)
{
    bool is_signed = order_of(predicate)->is_signed;
    if (is_signed ? value->shape.is_signed_exact : value->shape.is_unsigned_exact) {
        return compare_lanes(emit, predicate, value, vector, other);
    }
    struct simd_value granted = *value;
    granted.shape.is_signed_exact = granted.shape.is_unsigned_exact = true;
    LLVMValueRef all = compare_lanes(emit, predicate, &granted, vector, other);
    LLVMValueRef holds = simd_test_span(emit, is_signed ? TEST_SIGNED : TEST_UNSIGNED,
                                        value->scalar[0], span_of_chunk(emit, &value->shape));
    return LLVMBuildAnd(emit->builder, all, holds, "");
}

/* A comparison of what is linear with what is not even that: NULL if it is another. */
static LLVMValueRef agree_compared(struct simd_emit *emit, LLVMValueRef compare, bool wanted)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(compare);
    LLVMValueRef source = LLVMGetOperand(compare, 0);
    struct simd_value value = simd_get(emit, source);
    struct simd_value other = simd_get(emit, LLVMGetOperand(compare, 1));
    predicate = wanted ? predicate : order_of(predicate)->inverse;
    if (value.shape.kind <= SHAPE_VECTOR) {
        struct simd_value first = value;
        value = other;
        other = first;
        source = LLVMGetOperand(compare, 1);
        predicate = order_of(predicate)->swapped;
    }
    if (other.shape.kind > SHAPE_VECTOR || !is_comparable(&value.shape, predicate) ||
        LLVMGetTypeKind(LLVMTypeOf(value.scalar[0])) != LLVMIntegerTypeKind) {
        return NULL;
    }
    LLVMValueRef all = NULL;
    int only = spokesman(emit, predicate, source, &value.shape, &other.shape);
    if (only >= 0) {
        return compare_by(emit, predicate, &value, (unsigned)only, simd_scalar(&other, 0));
    }
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef here = compare_lanes(emit, predicate, &value, u, simd_scalar(&other, u));
        all = all == NULL ? here : LLVMBuildAnd(emit->builder, all, here, "");
    }
    return all;
}

static LLVMValueRef agree_scalar(struct simd_emit *emit, LLVMValueRef condition, bool wanted)
{
    struct simd_value value = simd_get(emit, condition);
    LLVMValueRef all = NULL;
    for (unsigned u = 0; u < simd_parts(emit, value.shape); u++) {
        LLVMValueRef here = simd_scalar(&value, u);
        here = wanted ? here : LLVMBuildNot(emit->builder, here, "");
        all = all == NULL ? here : LLVMBuildAnd(emit->builder, all, here, "");
    }
    return all;
}

static LLVMValueRef agree_vector(struct simd_emit *emit, LLVMValueRef condition, bool wanted)
{
    struct simd_value value = simd_get(emit, condition);
    LLVMValueRef have[SIMD_MOST_VECTORS];
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef here = simd_vector(emit, &value, u);
        have[u] = wanted ? here : LLVMBuildNot(emit->builder, here, "");
    }
    return simd_all(emit, have);
}

/* Both parts are wanted of "both", none of "one of two". */
static bool find_parts(LLVMValueRef condition, bool wanted, LLVMValueRef parts[2])
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(condition);
    parts[0] = LLVMGetOperand(condition, 0);
    if (opcode == (wanted ? LLVMAnd : LLVMOr)) {
        parts[1] = LLVMGetOperand(condition, 1);
        return true;
    }
    if (opcode != LLVMSelect) {
        return false;
    }
    LLVMValueRef fixed = LLVMGetOperand(condition, wanted ? 2 : 1);
    parts[1] = LLVMGetOperand(condition, wanted ? 1 : 2);
    return LLVMIsAConstantInt(fixed) != NULL && LLVMConstIntGetZExtValue(fixed) == (wanted ? 0 : 1);
}

/* Its operands are what they were where it was computed. */
static bool is_open(const struct simd_emit *emit, LLVMValueRef condition)
{
    int number = simd_number(emit->kernel, condition);
    if (number < 0 || LLVMIsAInstruction(condition) == NULL || LLVMIsAPHINode(condition) != NULL) {
        return false;
    }
    unsigned count = (unsigned)LLVMGetNumOperands(condition);
    for (unsigned i = 0; i < count; i++) {
        int operand = simd_number(emit->kernel, LLVMGetOperand(condition, i));
        if (operand >= 0 && (!emit->values[operand].is_set || emit->is_mixed[operand])) {
            return false;
        }
    }
    return true;
}

LLVMValueRef simd_all_lanes(struct simd_emit *emit, LLVMValueRef condition, bool wanted)
{
    LLVMValueRef parts[2], told = NULL;
    if (simd_get(emit, condition).shape.kind <= SHAPE_VECTOR) {
        return agree_scalar(emit, condition, wanted);
    }
    if (is_open(emit, condition)) {
        if (LLVMIsAICmpInst(condition) != NULL) {
            told = agree_compared(emit, condition, wanted);
        } else if (find_parts(condition, wanted, parts)) {
            LLVMValueRef first = simd_all_lanes(emit, parts[0], wanted);
            LLVMValueRef second = simd_all_lanes(emit, parts[1], wanted);
            LLVMValueRef no = LLVMConstNull(emit->lower->i1);
            /* where the first does not hold, nobody need have computed the second */
            told = LLVMBuildSelect(emit->builder, first, second, no, "");
        }
    }
    return told != NULL ? told : agree_vector(emit, condition, wanted);
}

enum simd_test simd_stays_affine(const struct simd_emit *emit, LLVMValueRef condition,
                                 LLVMValueRef phi)
{
    const struct simd_kernel *kernel = emit->kernel;
    LLVMValueRef start = simd_start_of_stride(kernel, phi);
    if (LLVMIsAICmpInst(condition) == NULL || start == NULL) {
        return TEST_NONE;
    }
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
    unsigned side = is_uniform(kernel, LLVMGetOperand(condition, 0));
    LLVMValueRef next = LLVMGetOperand(condition, side);
    struct simd_shape shape = simd_shape_of(kernel, next), first = simd_shape_of(kernel, start);
    struct simd_shape limit = simd_shape_of(kernel, LLVMGetOperand(condition, 1 - side));
    bool is_next = LLVMGetIncomingValue(phi, 0) == next || LLVMGetIncomingValue(phi, 1) == next;
    predicate = side == 0 ? predicate : order_of(predicate)->swapped;
    if (!is_next || first.kind != SHAPE_LINEAR || first.check != CHECK_NONE ||
        predicate == LLVMIntEQ || !is_comparable(&shape, predicate) ||
        spokesman(emit, predicate, next, &shape, &limit) < 0) {
        return TEST_NONE;
    }
    bool is_signed = order_of(predicate)->is_signed;
    bool is_exact = is_signed ? first.is_signed_exact : first.is_unsigned_exact;
    return !is_exact ? TEST_NONE : is_signed ? TEST_SIGNED : TEST_UNSIGNED;
}
