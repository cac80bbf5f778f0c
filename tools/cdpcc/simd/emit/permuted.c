/* Emission of permuted contiguous accesses (plan/permuted.c), and the place of replicated ones.
 *
 * Per vector: the group's first number is (first ^ distance) without the low bits, and lane i takes
 * element i ^ (distance & low). Each of the plan's steps is then applied to the group's first
 * number. All conditions under which this is right are joined in `holds`; where it fails, a gather
 * or scatter runs. */
#include "simd/emit/permuted.h"

#include "ir/context.h"
#include "ir/options.h"
#include "simd/analysis/facts.h"
#include "simd/emit/builder.h"
#include "simd/emit/contiguous.h"
#include "simd/emit/emit.h"
#include "simd/emit/instruction.h"
#include "simd/ir/lanes.h"
#include "simd/ir/vectors.h"
#include "simd/plan/permuted.h"
#include "simd/plan/plan.h"
#include "target/processor.h"
#include "target/target.h"

/* ---- where the elements are ---- */

/* Adds a condition on the vector's group. */
static void add_condition(struct simd_emit *emit, struct simd_permuted *result, unsigned vector,
                          LLVMValueRef test)
{
    result->holds[vector] = simd_both(emit, result->holds[vector], test);
}

/* Which elements the lanes take. */
static void locate_lanes(struct simd_emit *emit, const struct simd_permutation *plan,
                         unsigned vector, struct simd_permuted *result, LLVMValueRef first,
                         LLVMValueRef *number)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef type = LLVMTypeOf(first);
    LLVMValueRef low = simd_int(type, emit->lanes - 1);
    if (plan->distance == NULL) {
        if (plan->must_be_non_negative) {
            LLVMValueRef zero = LLVMConstNull(type);
            add_condition(emit, result, vector, LLVMBuildICmp(b, LLVMIntSGE, first, zero, ""));
        }
        *number = plan->is_signed ? LLVMBuildAShr(b, first, simd_int(type, plan->shift), "")
                                  : LLVMBuildLShr(b, first, simd_int(type, plan->shift), "");
        return;
    }
    struct simd_value distances = simd_get(emit, plan->distance);
    LLVMValueRef distance = simd_scalar(&distances, vector);
    LLVMValueRef group = LLVMBuildXor(b, first, distance, "");
    *number = LLVMBuildAnd(b, group, LLVMBuildNot(b, low, ""), "");
    LLVMValueRef lane = LLVMBuildAnd(b, distance, low, "");
    result->by[vector] = LLVMBuildIntCast2(b, lane, emit->lower->types.i32, false, "");
}

/* The first affine number must be a multiple of the lanes.  If its shape has a check, the check
 * must hold, too. */
static void locate_group(struct simd_emit *emit, const struct simd_permutation *plan,
                         unsigned vector, struct simd_permuted *result, LLVMValueRef *number)
{
    LLVMBuilderRef b = emit->builder;
    struct simd_value affine = simd_get(emit, plan->affine);
    LLVMValueRef first = affine.scalar[vector];
    LLVMTypeRef type = LLVMTypeOf(first);
    LLVMValueRef rest = LLVMBuildAnd(b, first, simd_int(type, emit->lanes - 1), "");
    bool is_sure = affine.holds[vector] == NULL;
    result->holds[vector] = is_sure ? simd_int(emit->lower->types.i1, 1) : affine.holds[vector];
    add_condition(emit, result, vector, LLVMBuildICmp(b, LLVMIntEQ, rest, LLVMConstNull(type), ""));
    locate_lanes(emit, plan, vector, result, first, number);
}

static void add(struct simd_emit *emit, const struct simd_permuted_step *step, unsigned vector,
                struct simd_permuted *result, LLVMValueRef *number)
{
    struct simd_value added = simd_get(emit, step->operand);
    *number = LLVMBuildAdd(emit->builder, *number, simd_scalar(&added, vector), "");
    if (step->is_tested) {
        enum simd_test test = step->is_signed_test ? TEST_SIGNED : TEST_UNSIGNED;
        add_condition(emit, result, vector, simd_test_span(emit, test, *number, emit->lanes - 1));
    }
}

static void mask_bits(struct simd_emit *emit, const struct simd_permuted_step *step,
                      unsigned vector, struct simd_permuted *result, LLVMValueRef *number)
{
    LLVMBuilderRef b = emit->builder;
    struct simd_value bits = simd_get(emit, step->operand);
    bool is_and = step->what == PERMUTED_AND;
    LLVMValueRef mask = simd_scalar(&bits, vector);
    LLVMValueRef lanes = simd_int(LLVMTypeOf(mask), emit->lanes - 1);
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(mask));
    LLVMValueRef low = LLVMBuildAnd(b, mask, lanes, "");
    add_condition(emit, result, vector,
                  LLVMBuildICmp(b, LLVMIntEQ, low, is_and ? lanes : none, ""));
    LLVMValueRef rest = LLVMBuildAnd(b, *number, lanes, "");
    add_condition(emit, result, vector, LLVMBuildICmp(b, LLVMIntEQ, rest, none, ""));
    *number = is_and ? LLVMBuildAnd(b, *number, mask, "") : LLVMBuildOr(b, *number, mask, "");
}

static void take_step(struct simd_emit *emit, const struct simd_permuted_step *step,
                      struct simd_permuted *result, LLVMValueRef *numbers)
{
    for (unsigned u = 0; u < emit->vectors; u++) {
        switch (step->what) {
        case PERMUTED_ADD:
            add(emit, step, u, result, &numbers[u]);
            break;
        case PERMUTED_AND:
        case PERMUTED_OR:
            mask_bits(emit, step, u, result, &numbers[u]);
            break;
        case PERMUTED_EXTEND:
            numbers[u] = LLVMBuildIntCast2(emit->builder, numbers[u], LLVMTypeOf(step->operand),
                                           step->is_signed, "");
            break;
        }
    }
}

void simd_locate_permuted(struct simd_emit *emit, const struct simd_permutation *plan,
                          struct simd_permuted *result)
{
    LLVMValueRef numbers[SIMD_MOST_VECTORS];
    for (unsigned u = 0; u < emit->vectors; u++) {
        locate_group(emit, plan, u, result, &numbers[u]);
    }
    for (unsigned i = 0; i < plan->step_count; i++) {
        take_step(emit, &plan->steps[i], result, numbers);
    }
    for (unsigned u = 0; u < emit->vectors; u++) {
        result->start[u] = simd_index_address(emit, &plan->index, numbers[u], u);
    }
}

/* ---- permutations ---- */

/* The processor's own permutation of 32-bit elements; NULL: it has none that is known, or a vector
 * is two registers.
 * With permvar, the indices are a vector, and any permutation takes one instruction. */
static const char *permutation(const struct simd_emit *emit)
{
    const struct lower_options *options = emit->lower->options;
    if (target_is_arm(options->target.triple) || target_lanes(&options->target) < emit->lanes ||
        emit->plan->options.in_halves) {
        return NULL;
    }
    return emit->lanes == 16  ? "llvm.x86.avx512.permvar.si.512"
           : emit->lanes == 8 ? "llvm.x86.avx2.permd"
                              : NULL;
}

static LLVMValueRef permute_words(struct simd_emit *emit, const char *name, LLVMValueRef value,
                                  LLVMValueRef by)
{
    LLVMValueRef lanes = simd_steps(emit, emit->lower->types.i32, 1);
    LLVMValueRef from = LLVMBuildXor(emit->builder, lanes, simd_splat(emit, by), "");
    LLVMValueRef arguments[] = {value, from};
    return simd_intrinsic(emit, name, NULL, 0, arguments, 2);
}

/* Exchanges lanes for one bit of the distance after the other.
 * log2(lanes) steps, each a shuffle and a select. */
static LLVMValueRef exchange(struct simd_emit *emit, LLVMValueRef value, LLVMValueRef by)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32;
    for (unsigned bit = 1; bit < emit->lanes; bit *= 2) {
        LLVMValueRef indices[SIMD_MOST_LANES];
        for (unsigned i = 0; i < emit->lanes; i++) {
            indices[i] = simd_int(i32, i ^ bit);
        }
        LLVMValueRef there = LLVMBuildShuffleVector(b, value, LLVMGetPoison(LLVMTypeOf(value)),
                                                    LLVMConstVector(indices, emit->lanes), "");
        LLVMValueRef set = LLVMBuildAnd(b, by, simd_int(i32, bit), "");
        set = LLVMBuildICmp(b, LLVMIntNE, set, LLVMConstNull(i32), "");
        value = LLVMBuildSelect(b, set, there, value, "");
    }
    return value;
}

/* Exchanges the lanes' values, or a mask. */
static LLVMValueRef permute_lanes(struct simd_emit *emit, LLVMValueRef value, LLVMValueRef by)
{
    enum { WORD = 32 };
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef type = LLVMTypeOf(value), i32s = simd_vector_type(emit, emit->lower->types.i32);
    const char *name = LLVMIsConstant(by) ? NULL : permutation(emit);
    uint64_t bits = LLVMSizeOfTypeInBits(emit->lower->layout, LLVMGetElementType(type));
    if (value == emit->full) {
        return value;
    }
    if (type == emit->types.mask) {
        LLVMValueRef wide = LLVMBuildSExt(b, value, i32s, "");
        wide = permute_lanes(emit, wide, by);
        return LLVMBuildICmp(b, LLVMIntSLT, wide, LLVMConstNull(i32s), "");
    }
    if (name == NULL || bits > WORD) {
        return exchange(emit, value, by);
    }
    if (bits < WORD) {
        LLVMValueRef wide = permute_words(emit, name, LLVMBuildZExt(b, value, i32s, ""), by);
        return LLVMBuildTrunc(b, wide, type, "");
    }
    LLVMValueRef words = permute_words(emit, name, LLVMBuildBitCast(b, value, i32s, ""), by);
    return LLVMBuildBitCast(b, words, type, "");
}

/* Switches to the mask of the group's elements, until the lanes' own mask is restored. */
static LLVMValueRef *permute_mask(struct simd_emit *emit, const struct simd_permuted *at,
                                  unsigned vector, LLVMValueRef *permuted)
{
    LLVMValueRef *lanes = emit->mask;
    if (lanes != NULL) {
        permuted[vector] = permute_lanes(emit, lanes[vector], at->by[vector]);
        emit->mask = permuted;
    }
    return lanes;
}

LLVMValueRef simd_load_permuted(struct simd_emit *emit, const struct simd_element *element,
                                const struct simd_permuted *at, unsigned vector)
{
    LLVMValueRef mask[SIMD_MOST_VECTORS], *lanes = permute_mask(emit, at, vector, mask);
    LLVMValueRef group = simd_load_contiguous(emit, element, at->start[vector], vector);
    emit->mask = lanes;
    return permute_lanes(emit, group, at->by[vector]);
}

void simd_store_permuted(struct simd_emit *emit, const struct simd_element *element,
                         const struct simd_permuted *at, LLVMValueRef value, unsigned vector)
{
    LLVMValueRef mask[SIMD_MOST_VECTORS], *lanes = permute_mask(emit, at, vector, mask);
    LLVMValueRef group = permute_lanes(emit, value, at->by[vector]);
    simd_store_contiguous(emit, element, group, at->start[vector], vector);
    emit->mask = lanes;
}
