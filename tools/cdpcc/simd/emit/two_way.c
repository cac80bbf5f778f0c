/* Emission of selects of two contiguous accesses (plan/two_way.c).
 *
 * Both loads are masked, by the condition and by its inverse, and a select joins them. The
 * condition is frozen first: an inactive lane's poison must not reach both masks in different ways.
 */
#include "simd/emit/two_way.h"

#include "ir/context.h"
#include "simd/analysis/facts.h"
#include "simd/emit/builder.h"
#include "simd/emit/contiguous.h"
#include "simd/emit/emit.h"
#include "simd/emit/instruction.h"
#include "simd/emit/permuted.h"
#include "simd/ir/vectors.h"
#include "simd/plan/two_way.h"

/* The start address from lane 0's number.  The number may be below zero where lane 0 takes the
 * other access. */
static LLVMValueRef start_of(struct simd_emit *emit, const struct simd_two_way *plan,
                             unsigned which, unsigned vector, LLVMValueRef *holds)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef extended = plan->extended;
    struct simd_value affine = simd_get(emit, plan->affine[which]);
    LLVMValueRef first = affine.scalar[vector];
    first = LLVMBuildAdd(b, first, simd_int(LLVMTypeOf(first), plan->more[which]), "");
    if (affine.holds[vector] != NULL) {
        *holds = simd_both(emit, *holds, affine.holds[vector]);
    }
    if (extended == NULL) {
        return first;
    }
    bool is_signed = LLVMIsASExtInst(extended) != NULL || LLVMGetNNeg(extended);
    LLVMValueRef test =
        simd_test_span(emit, is_signed ? TEST_SIGNED : TEST_UNSIGNED, first, emit->lanes - 1);
    *holds = simd_both(emit, *holds, test);
    return LLVMBuildIntCast2(b, first, LLVMTypeOf(extended), is_signed, "");
}

/* The conditions under which both accesses are contiguous are joined in `holds`. */
void simd_locate_two_way(struct simd_emit *emit, const struct simd_two_way *plan,
                         struct simd_two_starts *result)
{
    struct simd_value takes = simd_get(emit, plan->condition);
    for (unsigned u = 0; u < emit->vectors; u++) {
        result->takes_first[u] = simd_vector(emit, &takes, u);
        result->holds[u] = simd_int(emit->lower->types.i1, 1);
        for (unsigned i = 0; i < 2; i++) {
            LLVMValueRef first = start_of(emit, plan, i, u, &result->holds[u]);
            result->start[i][u] = simd_index_address(emit, &plan->index, first, u);
        }
    }
}

LLVMValueRef simd_load_two_way(struct simd_emit *emit, const struct simd_element *element,
                               const struct simd_two_starts *at, unsigned vector)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef mask[SIMD_MOST_VECTORS], *lanes = emit->mask, values[2];
    LLVMValueRef all = lanes == NULL ? emit->full : lanes[vector];
    LLVMValueRef first = LLVMBuildFreeze(b, at->takes_first[vector], "");
    emit->mask = mask;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef takes = i == 0 ? first : LLVMBuildNot(b, first, "");
        mask[vector] = LLVMBuildAnd(b, all, takes, "");
        values[i] = simd_load_contiguous(emit, element, at->start[i][vector], vector);
    }
    emit->mask = lanes;
    return LLVMBuildSelect(b, first, values[0], values[1], "");
}
