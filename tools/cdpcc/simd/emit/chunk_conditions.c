/* Tests whether all lanes of a chunk, which are all active, agree on a condition.  Scalars decide
 * where analysis/chunk_conditions.c shows that lane 0 and the stride do.
 *
 * The three forms of the test, from cheap to expensive:
 *
 *     one scalar comparison for the chunk       an index that is affine over the whole chunk
 *     one scalar comparison for each vector     an index that is affine in each vector
 *     masks of all vectors, combined            any other condition
 *
 * For a conjunction, both conditions are tested: all lanes satisfy a && b if all satisfy a and all
 * satisfy b. */
#include "simd/emit/chunk_conditions.h"

#include "ir/context.h"
#include "simd/analysis/chunk_conditions.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/instruction.h"
#include "simd/ir/numbers.h"
#include "simd/ir/predicates.h"
#include "simd/ir/vectors.h"

#include <llvm-c/Core.h>

/* The last lane's value may be less than the first one's although the stride is not negative, if it
 * wraps.  Then the lanes do not agree. */
static LLVMValueRef with_order(struct simd_emit *emit, LLVMIntPredicate predicate,
                               const struct simd_value *value, unsigned vector, LLVMValueRef all)
{
    bool is_signed = simd_order_of(predicate)->is_signed;
    if (is_signed ? value->shape->is_signed_exact : value->shape->is_unsigned_exact) {
        return all;
    }
    LLVMValueRef holds =
        simd_test(emit, NULL, is_signed ? TEST_SIGNED : TEST_UNSIGNED, value, vector);
    return LLVMBuildAnd(emit->builder, all, holds, "");
}

/* One vector: the lane nearest to the other value decides. */
static LLVMValueRef compare_lanes(struct simd_emit *emit, LLVMIntPredicate predicate,
                                  const struct simd_value *value, unsigned vector,
                                  LLVMValueRef other)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef first = simd_scalar(value, vector);
    int64_t stride = value->shape->stride;
    LLVMTypeRef type = LLVMTypeOf(first);
    if (predicate ==
        LLVMIntNE) { /* the other value is at least as many strides away as there are lanes */
        LLVMValueRef steps =
            stride > 0 ? LLVMBuildSub(b, other, first, "") : LLVMBuildSub(b, first, other, "");
        return LLVMBuildICmp(b, LLVMIntUGE, steps, simd_int(type, emit->lanes), "");
    }
    LLVMValueRef nearest = first;
    if (simd_order_of(predicate)->is_less == (stride > 0)) {
        int64_t span = stride * (int64_t)(emit->lanes - 1);
        nearest = LLVMBuildAdd(b, first, simd_int(type, span), "");
    }
    LLVMValueRef all = LLVMBuildICmp(b, predicate, nearest, other, "");
    return with_order(emit, predicate, value, vector, all);
}

static struct simd_chunk chunk_of(const struct simd_emit *emit)
{
    return (struct simd_chunk){.lanes = emit->lanes, .vectors = emit->vectors};
}

/* The chunk: one vector decides, and a test of the whole span shows that nothing wraps. */
static LLVMValueRef compare_by(struct simd_emit *emit, LLVMIntPredicate predicate,
                               const struct simd_value *value, unsigned vector, LLVMValueRef other)
{
    bool is_signed = simd_order_of(predicate)->is_signed;
    if (is_signed ? value->shape->is_signed_exact : value->shape->is_unsigned_exact) {
        return compare_lanes(emit, predicate, value, vector, other);
    }
    struct simd_chunk chunk = chunk_of(emit);
    struct simd_shape exact_shape = *value->shape;
    exact_shape.is_signed_exact = exact_shape.is_unsigned_exact = true;
    struct simd_value exact = *value;
    exact.shape = &exact_shape;
    LLVMValueRef all = compare_lanes(emit, predicate, &exact, vector, other);
    LLVMValueRef holds = simd_test_span(emit, is_signed ? TEST_SIGNED : TEST_UNSIGNED,
                                        value->scalar[0], simd_span_of_chunk(&chunk, value->shape));
    return LLVMBuildAnd(emit->builder, all, holds, "");
}

/* A comparison of an affine value with a uniform one; NULL if it is another. */
static LLVMValueRef agree_compared(struct simd_emit *emit, LLVMValueRef compare, bool wanted)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(compare);
    LLVMValueRef source = LLVMGetOperand(compare, 0);
    struct simd_value value = simd_get(emit, source);
    struct simd_value other = simd_get(emit, LLVMGetOperand(compare, 1));
    predicate = wanted ? predicate : simd_order_of(predicate)->inverse;
    if (simd_value_is_scalar(&value)) {
        struct simd_value first = value;
        value = other;
        other = first;
        source = LLVMGetOperand(compare, 1);
        predicate = simd_order_of(predicate)->swapped;
    }
    if (!simd_value_is_scalar(&other) || !simd_is_comparable(value.shape, predicate) ||
        LLVMGetTypeKind(LLVMTypeOf(value.scalar[0])) != LLVMIntegerTypeKind) {
        return NULL;
    }
    LLVMValueRef all = NULL;
    struct simd_chunk chunk = chunk_of(emit);
    int only =
        simd_deciding_vector(emit->kernel, &chunk, predicate, source, value.shape, other.shape);
    if (only >= 0) {
        return compare_by(emit, predicate, &value, (unsigned)only, simd_scalar(&other, 0));
    }
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef here = compare_lanes(emit, predicate, &value, u, simd_scalar(&other, u));
        all = all == NULL ? here : LLVMBuildAnd(emit->builder, all, here, "");
    }
    return all;
}

/* The condition is the same for each vector's lanes. */
static LLVMValueRef agree_scalar(struct simd_emit *emit, LLVMValueRef condition, bool wanted)
{
    struct simd_value value = simd_get(emit, condition);
    LLVMValueRef all = NULL;
    for (unsigned u = 0; u < simd_distinct_vectors(emit, value.shape); u++) {
        LLVMValueRef here = simd_scalar(&value, u);
        here = wanted ? here : LLVMBuildNot(emit->builder, here, "");
        all = all == NULL ? here : LLVMBuildAnd(emit->builder, all, here, "");
    }
    return all;
}

/* The general case: masks of all vectors. */
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

/* A conjunction that must be true, or a disjunction that must be false: both of its operands must
 * then be so. */
static bool find_operands(LLVMValueRef condition, bool wanted, LLVMValueRef operands[2])
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(condition);
    operands[0] = LLVMGetOperand(condition, 0);
    if (opcode == (wanted ? LLVMAnd : LLVMOr)) {
        operands[1] = LLVMGetOperand(condition, 1);
        return true;
    }
    if (opcode != LLVMSelect) {
        return false;
    }
    LLVMValueRef fixed = LLVMGetOperand(condition, wanted ? 2 : 1);
    operands[1] = LLVMGetOperand(condition, wanted ? 1 : 2);
    return LLVMIsAConstantInt(fixed) != NULL && LLVMConstIntGetZExtValue(fixed) == (wanted ? 0 : 1);
}

/* The condition's operands still have the values that they had where it was computed. */
static bool is_open(const struct simd_emit *emit, LLVMValueRef condition)
{
    int number = simd_number(emit->kernel, condition);
    if (number < 0 || LLVMIsAInstruction(condition) == NULL || LLVMIsAPHINode(condition) != NULL) {
        return false;
    }
    unsigned count = (unsigned)LLVMGetNumOperands(condition);
    for (unsigned i = 0; i < count; i++) {
        int operand = simd_number(emit->kernel, LLVMGetOperand(condition, i));
        if (operand >= 0 &&
            (!emit->scope.values[operand].is_set || simd_is_in_variable(emit, operand))) {
            return false;
        }
    }
    return true;
}

LLVMValueRef simd_all_lanes(struct simd_emit *emit, LLVMValueRef condition, bool wanted)
{
    LLVMValueRef operands[2], agrees = NULL;
    struct simd_value value = simd_get(emit, condition);
    if (simd_value_is_scalar(&value)) {
        return agree_scalar(emit, condition, wanted);
    }
    if (is_open(emit, condition)) {
        if (LLVMIsAICmpInst(condition) != NULL) {
            agrees = agree_compared(emit, condition, wanted);
        } else if (find_operands(condition, wanted, operands)) {
            LLVMValueRef first = simd_all_lanes(emit, operands[0], wanted);
            LLVMValueRef second = simd_all_lanes(emit, operands[1], wanted);
            LLVMValueRef no = LLVMConstNull(emit->lower->types.i1);
            /* if the first does not hold, the second may not have been computed */
            agrees = LLVMBuildSelect(emit->builder, first, second, no, "");
        }
    }
    return agrees != NULL ? agrees : agree_vector(emit, condition, wanted);
}
