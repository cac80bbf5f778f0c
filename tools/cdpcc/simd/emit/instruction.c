/* Emission of one instruction for all lanes of a chunk.
 *
 * By the shape of the result:
 *
 *     UNIFORM, WARP, VECTOR   the instruction itself, as a scalar, once for each distinct vector
 *     LINEAR                  the instruction for lane 0; other lanes follow by the stride
 *     LINEAR with a check     the scalar, the vector, and the test; users choose
 *     VARYING                 the vector form, or lane by lane
 *
 * LLVM deletes unused vectors. A scalar of lane 0 is computed even where lane 0 is inactive, so it
 * must not trap, and its flags are dropped.
 *
 * What always holds: for a value with a check, `holds` is poison only where the value is; both
 * forms give active lanes the same results. */
#include "simd/emit/instruction.h"

#include "ir/context.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/thread_number.h"
#include "simd/analysis/transfer.h"
#include "simd/analysis/uniformity.h"
#include "simd/emit/access.h"
#include "simd/emit/atomics.h"
#include "simd/emit/builder.h"
#include "simd/emit/debug_lines.h"
#include "simd/emit/divide.h"
#include "simd/emit/emit.h"
#include "simd/emit/metadata.h"
#include "simd/emit/scalarize.h"
#include "simd/ir/calls.h"
#include "simd/ir/numbers.h"
#include "simd/ir/opcodes.h"
#include "simd/ir/poison_flags.h"
#include "simd/ir/variant.h"
#include "simd/plan/plan.h"
#include "support/arena.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

static void drop_metadata(struct simd_emit *emit, LLVMValueRef source, LLVMValueRef clone)
{
    static const char *const names[] = {"range",   "noundef",     "nonnull",        "align",
                                        "noalias", "alias.scope", "dereferenceable"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unsigned kind =
            LLVMGetMDKindIDInContext(emit->lower->llvm, names[i], (unsigned)strlen(names[i]));
        LLVMSetMetadata(clone, kind, NULL);
    }
    simd_alias_mark(emit, source, clone);
}

/* Without debug information in the entry, a location would name another function's scope. */
void simd_insert_clone(struct simd_emit *emit, LLVMValueRef source, LLVMValueRef clone)
{
    drop_metadata(emit, source, clone);
    LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(emit->builder);
    LLVMInsertIntoBuilder(emit->builder, clone);
    LLVMInstructionSetDebugLoc(clone, emit->code.subprogram == NULL ? NULL : location);
}

LLVMValueRef simd_clone(struct simd_emit *emit, LLVMValueRef instruction,
                        const struct simd_value *operands, unsigned vector)
{
    LLVMValueRef clone = LLVMInstructionClone(instruction);
    unsigned count = (unsigned)LLVMGetNumOperands(instruction);
    for (unsigned i = 0; i < count; i++) {
        if (simd_number(emit->kernel, LLVMGetOperand(instruction, i)) >= 0) {
            LLVMSetOperand(clone, i, simd_scalar(&operands[i], vector));
        }
    }
    simd_insert_clone(emit, instruction, clone);
    return clone;
}

LLVMValueRef simd_clone_scalar(struct simd_emit *emit, LLVMValueRef instruction,
                               const LLVMValueRef *operands)
{
    LLVMValueRef clone = LLVMInstructionClone(instruction);
    unsigned count = (unsigned)LLVMGetNumOperands(instruction);
    for (unsigned i = 0; i < count; i++) {
        LLVMSetOperand(clone, i, operands[i]);
    }
    simd_insert_clone(emit, instruction, clone);
    return clone;
}

/* If all operands are scalars, LLVM's result is one, too. */
static LLVMValueRef vector_address(struct simd_emit *emit, LLVMValueRef instruction,
                                   const struct simd_value *operands, unsigned vector)
{
    unsigned count = (unsigned)LLVMGetNumOperands(instruction);
    LLVMValueRef *indices = arena_alloc(count * sizeof *indices);
    for (unsigned i = 0; i < count; i++) {
        const struct simd_value *operand = &operands[i];
        indices[i] = simd_value_is_scalar(operand) ? simd_scalar(operand, vector)
                                                   : simd_vector(emit, operand, vector);
    }
    LLVMTypeRef type = LLVMGetGEPSourceElementType(instruction);
    LLVMValueRef result =
        LLVMBuildGEP2(emit->builder, type, indices[0], indices + 1, count - 1, "");
    bool is_vector = LLVMGetTypeKind(LLVMTypeOf(result)) == LLVMVectorTypeKind;
    return is_vector ? result : simd_splat(emit, result);
}

static LLVMValueRef vector_select(struct simd_emit *emit, const struct simd_value *operands,
                                  unsigned vector)
{
    const struct simd_value *by = &operands[0];
    LLVMValueRef condition =
        simd_value_is_scalar(by) ? simd_scalar(by, vector) : simd_vector(emit, by, vector);
    return LLVMBuildSelect(emit->builder, condition, simd_vector(emit, &operands[1], vector),
                           simd_vector(emit, &operands[2], vector), "");
}

/* The vector form of an instruction; NULL: there is none. */
static LLVMValueRef vector_form(struct simd_emit *emit, LLVMValueRef instruction,
                                const struct simd_value *operands, unsigned vector)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    LLVMBuilderRef builder = emit->builder;
    if (opcode == LLVMGetElementPtr) {
        return vector_address(emit, instruction, operands, vector);
    }
    if (opcode == LLVMSelect) {
        return vector_select(emit, operands, vector);
    }
    if (opcode != LLVMCall && !simd_has_vector_form(instruction)) {
        return NULL;
    }
    if (simd_divides_by_vectors(instruction)) {
        return simd_divide(emit, instruction, operands, vector);
    }
    LLVMValueRef a = simd_vector(emit, &operands[0], vector);
    if (simd_is_cast(opcode)) {
        LLVMTypeRef type = simd_vector_type(emit, LLVMTypeOf(instruction));
        return LLVMBuildCast(builder, opcode, a, type, "");
    }
    if (opcode == LLVMFNeg || opcode == LLVMFreeze) {
        return opcode == LLVMFNeg ? LLVMBuildFNeg(builder, a, "") : LLVMBuildFreeze(builder, a, "");
    }
    LLVMValueRef b = simd_vector(emit, &operands[1], vector);
    if (opcode == LLVMICmp) {
        return LLVMBuildICmp(builder, LLVMGetICmpPredicate(instruction), a, b, "");
    }
    if (opcode == LLVMCall) { /* for two integers, one */
        LLVMValueRef holds = LLVMBuildICmp(builder, simd_clamp_of(instruction), a, b, "");
        return LLVMBuildSelect(builder, holds, a, b, "");
    }
    if (opcode == LLVMFCmp) {
        return LLVMBuildFCmp(builder, LLVMGetFCmpPredicate(instruction), a, b, "");
    }
    return LLVMBuildBinOp(builder, opcode, a, b, "");
}

/* Flags for wrapping are not copied to vectors; flags of floating-point arithmetic are. */
static LLVMValueRef vector_of(struct simd_emit *emit, LLVMValueRef instruction,
                              const struct simd_value *operands, unsigned vector)
{
    LLVMValueRef result = vector_form(emit, instruction, operands, vector);
    if (result != NULL && LLVMIsAInstruction(result) != NULL &&
        LLVMCanValueUseFastMathFlags(instruction) && LLVMCanValueUseFastMathFlags(result)) {
        LLVMSetFastMathFlags(result, LLVMGetFastMathFlags(instruction));
    }
    return result;
}

LLVMValueRef simd_test_span(struct simd_emit *emit, enum simd_test test, LLVMValueRef lane0,
                            int64_t span)
{
    LLVMBuilderRef builder = emit->builder;
    LLVMTypeRef type = LLVMTypeOf(lane0);
    unsigned width = LLVMGetIntTypeWidth(type);
    uint64_t most = width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    if ((uint64_t)(span < 0 ? -span : span) >= most / 2) {
        return simd_int(emit->lower->types.i1, 0);
    }
    if (test == TEST_UNSIGNED) {
        return span >= 0 ? LLVMBuildICmp(builder, LLVMIntULE, lane0,
                                         LLVMConstInt(type, most - (uint64_t)span, 0), "")
                         : LLVMBuildICmp(builder, LLVMIntUGE, lane0, simd_int(type, -span), "");
    }
    int64_t greatest = (int64_t)(most >> 1);
    return span >= 0
               ? LLVMBuildICmp(builder, LLVMIntSLE, lane0, simd_int(type, greatest - span), "")
               : LLVMBuildICmp(builder, LLVMIntSGE, lane0, simd_int(type, -greatest - 1 - span),
                               "");
}

LLVMValueRef simd_test(struct simd_emit *emit, LLVMValueRef instruction, enum simd_test test,
                       const struct simd_value *operand, unsigned vector)
{
    LLVMValueRef lane0 = operand->scalar[vector];
    int64_t span = operand->shape->stride * (int64_t)(emit->lanes - 1);
    if (test != TEST_MASK && test != TEST_SHIFT) {
        return simd_test_span(emit, test, lane0, span);
    }
    LLVMValueRef mask = LLVMGetOperand(instruction, 1);
    if (test == TEST_SHIFT) {
        uint64_t bits = (UINT64_C(1) << LLVMConstIntGetZExtValue(mask)) - 1;
        mask = LLVMConstInt(LLVMTypeOf(lane0), bits, 0);
    }
    uint64_t limit = LLVMConstIntGetZExtValue(mask) - (uint64_t)span;
    return LLVMBuildICmp(emit->builder, LLVMIntULE, LLVMBuildAnd(emit->builder, lane0, mask, ""),
                         LLVMConstInt(LLVMTypeOf(lane0), limit, 0), "");
}

/* i1: both checks hold.  It is poison only where the value is.  For the operand that a select does
 * not take, lane 0's number may be poison, and its test counts only where the operand is
 * selected. */
static LLVMValueRef both(struct simd_emit *emit, LLVMValueRef a, LLVMValueRef b)
{
    if (a == NULL || b == NULL) {
        return a == NULL ? b : a;
    }
    return simd_both(emit, a, b);
}

/* Tests that no lane's number wraps.  Of inactive lanes only this is known: their numbers follow
 * each other if none wraps.  The test is needed even if all lanes are active here, since some may
 * be inactive where the value is used: LLVM hoists sums out of loops, above the branches that guard
 * them. */
static LLVMValueRef test_order(struct simd_emit *emit, const struct simd_value *of, bool is_signed,
                               unsigned vector)
{
    int64_t span = of->shape->stride * (int64_t)(emit->lanes - 1);
    return simd_test_span(emit, is_signed ? TEST_SIGNED : TEST_UNSIGNED, of->scalar[vector], span);
}

/* Tests that the lane nearest to the limit is not beyond it. */
static LLVMValueRef test_clamp(struct simd_emit *emit, LLVMValueRef instruction,
                               const struct simd_value *operands, unsigned vector)
{
    LLVMBuilderRef b = emit->builder;
    LLVMIntPredicate predicate = simd_clamp_of(instruction);
    unsigned affine = simd_value_is_affine(&operands[0]) ? 0 : 1;
    const struct simd_value *of = &operands[affine];
    bool is_low = predicate == LLVMIntSLE || predicate == LLVMIntULE;
    bool is_signed = predicate == LLVMIntSLE || predicate == LLVMIntSGE;
    LLVMValueRef lane = of->scalar[vector];
    if ((of->shape->stride > 0) == is_low) {
        int64_t span = of->shape->stride * (int64_t)(emit->lanes - 1);
        lane = LLVMBuildAdd(b, lane, simd_int(LLVMTypeOf(lane), span), "");
    }
    LLVMValueRef holds =
        LLVMBuildICmp(b, predicate, lane, simd_scalar(&operands[1 - affine], vector), "");
    return both(emit, holds, test_order(emit, of, is_signed, vector));
}

static LLVMValueRef test_division(struct simd_emit *emit, LLVMValueRef instruction,
                                  const struct simd_value *operands, unsigned vector)
{
    LLVMBuilderRef b = emit->builder;
    bool is_signed = simd_is_signed_division(LLVMGetInstructionOpcode(instruction));
    LLVMValueRef lane0 = operands[0].scalar[vector], by = simd_scalar(&operands[1], vector);
    LLVMValueRef first =
        is_signed ? LLVMBuildSRem(b, lane0, by, "") : LLVMBuildURem(b, lane0, by, "");
    LLVMTypeRef type = LLVMTypeOf(first);
    LLVMValueRef span = simd_int(type, operands[0].shape->stride * (int64_t)(emit->lanes - 1));
    LLVMValueRef last = LLVMBuildAdd(b, first, span, ""), zero = simd_int(type, 0), ordered;
    LLVMValueRef holds = LLVMBuildICmp(b, is_signed ? LLVMIntSLT : LLVMIntULT, last, by, "");
    ordered = is_signed ? LLVMBuildICmp(b, LLVMIntSGE, lane0, zero, "")
                        : LLVMBuildICmp(b, LLVMIntUGE, last, first, "");
    if (is_signed) {
        ordered = LLVMBuildAnd(b, ordered, LLVMBuildICmp(b, LLVMIntSGE, last, zero, ""), "");
    }
    holds = LLVMBuildAnd(b, holds, ordered, "");
    return both(emit, holds, test_order(emit, &operands[0], is_signed, vector));
}

/* Tests that the vector's first number is a multiple of the lanes, and which of the bits in which
 * the lanes' numbers then differ the mask has. */
static LLVMValueRef test_bits(struct simd_emit *emit, enum simd_test test,
                              const struct simd_value *operands, unsigned vector)
{
    LLVMBuilderRef b = emit->builder;
    unsigned affine = simd_value_is_affine(&operands[0]) ? 0 : 1;
    LLVMValueRef lane0 = operands[affine].scalar[vector];
    LLVMValueRef mask = simd_scalar(&operands[1 - affine], vector);
    LLVMTypeRef type = LLVMTypeOf(lane0);
    LLVMValueRef low = simd_int(type, emit->lanes - 1), none = LLVMConstNull(type);
    LLVMValueRef first = LLVMBuildAnd(b, lane0, low, ""), bits = LLVMBuildAnd(b, mask, low, "");
    LLVMValueRef holds = LLVMBuildICmp(b, LLVMIntEQ, first, none, "");
    LLVMValueRef wanted = test == TEST_LOW_BITS ? low : none;
    return simd_both(emit, LLVMBuildICmp(b, LLVMIntEQ, bits, wanted, ""), holds);
}

/* The test is the select's condition, or its inverse. */
static LLVMValueRef test_choice(struct simd_emit *emit, LLVMValueRef select,
                                const struct simd_value *operands, unsigned vector)
{
    LLVMValueRef first = simd_scalar(&operands[0], vector);
    return simd_choice_of(emit->kernel, select) == 1 ? first
                                                     : LLVMBuildNot(emit->builder, first, "");
}

static LLVMValueRef test_of(struct simd_emit *emit, LLVMValueRef instruction, enum simd_test test,
                            const struct simd_value *operands, unsigned vector)
{
    if (test == TEST_CLAMP) {
        return test_clamp(emit, instruction, operands, vector);
    }
    if (test == TEST_REMAINDER || test == TEST_QUOTIENT) {
        return test_division(emit, instruction, operands, vector);
    }
    if (test == TEST_LOW_BITS || test == TEST_HIGH_BITS) {
        return test_bits(emit, test, operands, vector);
    }
    return test == TEST_CHOICE ? test_choice(emit, instruction, operands, vector)
                               : simd_test(emit, instruction, test, &operands[0], vector);
}

/* A check is the conjunction of the operands' checks and the instruction's own test. */
static void add_check(struct simd_emit *emit, LLVMValueRef instruction, enum simd_test test,
                      const struct simd_value *operands, struct simd_value *result)
{
    unsigned count = (unsigned)LLVMGetNumOperands(instruction);
    unsigned which = test == TEST_CHOICE ? simd_choice_of(emit->kernel, instruction) : count;
    bool is_flagged = simd_is_flagged(emit->kernel, instruction, test);
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef *holds = &result->holds[u], *for_all = &result->holds_for_all[u];
        result->vector[u] = vector_of(emit, instruction, operands, u);
        for (unsigned i = 0; i < count; i++) {
            if (operands[i].shape->check != CHECK_NONE && (which == count || i == which)) {
                *holds = both(emit, *holds, operands[i].holds[u]);
                *for_all = both(emit, *for_all, operands[i].holds_for_all[u]);
            }
        }
        if (test != TEST_NONE) {
            LLVMValueRef own = test_of(emit, instruction, test, operands, u);
            bool is_choice = test == TEST_CHOICE;
            *holds = is_choice ? both(emit, own, *holds) : both(emit, *holds, own);
            if (!is_flagged) {
                *for_all = is_choice ? both(emit, own, *for_all) : both(emit, *for_all, own);
            }
        }
    }
}

/* Makes the divisor of an affine quotient or remainder safe: it is what all lanes share, or 1 if no
 * lane is active.  If lane 0 is inactive, its number may be any value, even the least one, whose
 * quotient by -1 overflows.  lower/divide.c ensures that no active lane divides by -1, so the
 * divisor is 1 in place of -1. */
static void guard_shared_divisor(struct simd_emit *emit, LLVMValueRef instruction,
                                 struct simd_value *divisor)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef type = LLVMTypeOf(instruction);
    LLVMValueRef one = simd_int(type, 1), minus = simd_int(type, -1);
    bool is_signed = simd_is_signed_division(LLVMGetInstructionOpcode(instruction));
    for (unsigned u = 0; u < simd_distinct_vectors(emit, divisor->shape); u++) {
        LLVMValueRef by = divisor->scalar[u];
        LLVMValueRef any = simd_any_for(emit, emit->mask, divisor->shape, u);
        if (is_signed) {
            LLVMValueRef is_minus = LLVMBuildICmp(b, LLVMIntEQ, by, minus, "");
            by = LLVMBuildSelect(b, is_minus, one, by, "");
        }
        divisor->scalar[u] = LLVMBuildSelect(b, any, by, one, "");
    }
}

/* Inactive lanes must not trap: they divide by one. */
static void guard_divisor(struct simd_emit *emit, LLVMValueRef instruction,
                          struct simd_value *divisor)
{
    LLVMValueRef source = LLVMGetOperand(instruction, 1);
    bool harmless = LLVMIsAConstantInt(source) != NULL && !LLVMIsNull(source) &&
                    LLVMConstIntGetSExtValue(source) != -1;
    if (harmless || emit->mask == NULL) {
        return;
    }
    const struct simd_shape *shape = simd_shape_of(emit->kernel, instruction);
    if (shape->kind == SHAPE_LINEAR) {
        guard_shared_divisor(emit, instruction, divisor);
        return;
    }
    if (shape->kind == SHAPE_VARYING && simd_divides_by_vectors(instruction)) {
        return; /* simd_divide() guards the divisor itself */
    }
    struct simd_value one = simd_uniform(simd_int(LLVMTypeOf(source), 1));
    *divisor = simd_select(emit, emit->mask, divisor, &one, shape);
}

/* A global thread index, or that of the block's first thread.  In a block of one row the vectors of
 * a chunk follow each other.  So their accesses have one base and constant offsets. */
static LLVMValueRef limited_scalar(struct simd_emit *emit, LLVMValueRef instruction,
                                   const struct simd_value *operands,
                                   const struct simd_value *result, unsigned vector)
{
    if (vector > 0 && simd_variant_of(emit->kernel)->layout == LAYOUT_ONE_ROW) {
        LLVMValueRef step = simd_int(LLVMTypeOf(instruction), vector * emit->lanes);
        LLVMValueRef sum = LLVMBuildNUWAdd(emit->builder, result->scalar[0], step, "");
        LLVMSetNSW(sum, true);
        return sum;
    }
    LLVMValueRef clone = simd_clone(emit, instruction, operands, vector);
    LLVMSetNUW(clone, true);
    LLVMSetNSW(clone, true);
    return clone;
}

/* The scalar of an affine value is lane 0's number. */
static void compute_scalars(struct simd_emit *emit, LLVMValueRef instruction, enum simd_test test,
                            const struct simd_value *operands, struct simd_value *result)
{
    bool is_of_lane0 = simd_value_is_affine(result);
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
        is_of_lane0 |= simd_value_is_affine(&operands[i]);
    }
    for (unsigned u = 0; u < simd_distinct_vectors(emit, result->shape); u++) {
        if (test == TEST_CHOICE) {
            unsigned which = simd_choice_of(emit->kernel, instruction);
            result->scalar[u] = simd_scalar(&operands[which], u);
            continue;
        }
        if (simd_value_is_affine(result) && simd_extends_signed(instruction, *operands[0].shape)) {
            result->scalar[u] = LLVMBuildSExt(emit->builder, simd_scalar(&operands[0], u),
                                              LLVMTypeOf(instruction), "");
            continue;
        }
        /* LLVM writes a sum of disjoint bits as an "or", which holds for active lanes only.  Lane
         * 0's number, from which theirs are computed, must be a sum. */
        if (is_of_lane0 && LLVMGetInstructionOpcode(instruction) == LLVMOr) {
            result->scalar[u] = LLVMBuildAdd(emit->builder, simd_scalar(&operands[0], u),
                                             simd_scalar(&operands[1], u), "");
            continue;
        }
        if (simd_is_below_limit(emit->kernel, instruction)) {
            result->scalar[u] = limited_scalar(emit, instruction, operands, result, u);
            continue;
        }
        LLVMValueRef clone = simd_clone(emit, instruction, operands, u);
        if (is_of_lane0) { /* lane 0 may be inactive, or may not need the value */
            simd_drop_poison_flags(clone);
        }
        result->scalar[u] = clone;
    }
}

static bool compute_vectors(struct simd_emit *emit, LLVMValueRef instruction,
                            const struct simd_value *operands, struct simd_value *result)
{
    for (unsigned u = 0; u < emit->vectors; u++) {
        result->vector[u] = vector_of(emit, instruction, operands, u);
        if (result->vector[u] == NULL) {
            return false;
        }
    }
    return true;
}

/* The results of a compare-and-swap are extracted right away. */
static bool extract_results(struct simd_emit *emit, LLVMValueRef instruction)
{
    if (LLVMGetInstructionOpcode(instruction) != LLVMExtractValue ||
        !simd_is_pair(LLVMGetOperand(instruction, 0)) ||
        !simd_is_varying(emit->kernel, LLVMGetOperand(instruction, 0))) {
        return false;
    }
    struct simd_value pair = simd_get(emit, LLVMGetOperand(instruction, 0));
    struct simd_value result = simd_varying();
    bool second = *LLVMGetIndices(instruction) == 1;
    for (unsigned u = 0; u < emit->vectors; u++) {
        result.vector[u] = second ? pair.second[u] : pair.vector[u];
    }
    simd_set(emit, instruction, result);
    return true;
}

/* The chunk has the thread's number in registers.  The parts of a sum may be varying. */
static bool take_thread_number(struct simd_emit *emit, LLVMValueRef instruction)
{
    struct simd_value result = emit->chunk.ids[3];
    LLVMTypeRef type = LLVMTypeOf(instruction);
    if (simd_is_varying(emit->kernel, instruction) ||
        !simd_is_sum_to_thread_number(emit->kernel, instruction)) {
        return false;
    }
    for (unsigned u = 0; u < emit->vectors && type != emit->lower->types.i32; u++) {
        result.scalar[u] = LLVMBuildZExt(emit->builder, result.scalar[u], type, "");
    }
    simd_set(emit, instruction, result);
    return true;
}

/* Results are stored even if their lanes are inactive: those results are not used. */
void simd_compute_instruction(struct simd_emit *emit, LLVMValueRef instruction)
{
    const struct simd_facts *facts = simd_facts_of(emit->kernel);
    int number = simd_number(emit->kernel, instruction);
    unsigned count = (unsigned)LLVMGetNumOperands(instruction);
    struct simd_value *operands = arena_alloc((count + 1) * sizeof *operands);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = simd_get(emit, LLVMGetOperand(instruction, i));
    }
    const struct simd_shape *shape = &facts->shapes[number];
    struct simd_value result = {.shape = shape};
    if (simd_is_division(LLVMGetInstructionOpcode(instruction))) {
        guard_divisor(emit, instruction, &operands[1]);
    }
    if (shape->kind == SHAPE_VARYING) {
        if (!compute_vectors(emit, instruction, operands, &result)) {
            simd_each_lane(emit, instruction);
            return;
        }
    } else {
        compute_scalars(emit, instruction, facts->tests[number], operands, &result);
        if (shape->check != CHECK_NONE) {
            add_check(emit, instruction, facts->tests[number], operands, &result);
        }
    }
    simd_set(emit, instruction, result);
}

void simd_instruction(struct simd_emit *emit, LLVMValueRef instruction)
{
    simd_set_debug_location(emit, instruction);
    switch ((int)LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        if (!emit->scope.region->hoisted[simd_number(emit->kernel, instruction)]) {
            simd_load(emit, instruction);
        }
        return;
    case LLVMStore:
        simd_store(emit, instruction);
        return;
    /* computed when the chunk starts */
    case LLVMAlloca:
        return;
    case LLVMFence:
        simd_insert_clone(emit, instruction, LLVMInstructionClone(instruction));
        return;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        simd_atomic(emit, instruction);
        return;
    case LLVMCall:
        simd_call(emit, instruction);
        return;
    default:
        if (!extract_results(emit, instruction) && !take_thread_number(emit, instruction)) {
            simd_compute_instruction(emit, instruction);
        }
    }
}
