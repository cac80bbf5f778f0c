/* Emission of replicated contiguous loads (plan/permuted.c): 1 << shift neighbouring lanes have one
 * element.
 *
 * A contiguous load of as many elements as the lanes have, and a shuffle.  Under masks, an element
 * is loaded if one of its lanes is active. */
#include "simd/emit/replicated.h"

#include "ir/context.h"
#include "simd/emit/builder.h"
#include "simd/emit/contiguous.h"
#include "simd/emit/emit.h"
#include "simd/emit/metadata.h"
#include "simd/ir/lanes.h"
#include "simd/plan/permuted.h"

/* Every (1 << shift)-th lane's bit, from that lane on. */
static LLVMValueRef some_lanes(struct simd_emit *emit, LLVMValueRef mask, unsigned first,
                               unsigned shift)
{
    LLVMValueRef indices[SIMD_MOST_LANES];
    unsigned count = emit->lanes >> shift;
    for (unsigned i = 0; i < count; i++) {
        indices[i] = simd_int(emit->lower->types.i32, (i << shift) + first);
    }
    return LLVMBuildShuffleVector(emit->builder, mask, LLVMGetPoison(LLVMTypeOf(mask)),
                                  LLVMConstVector(indices, count), "");
}

/* The elements that active lanes have. */
static LLVMValueRef mask_of_elements(struct simd_emit *emit, LLVMValueRef mask, unsigned shift)
{
    LLVMValueRef result = some_lanes(emit, mask, 0, shift);
    for (unsigned first = 1; first < 1u << shift; first++) {
        LLVMValueRef more = some_lanes(emit, mask, first, shift);
        result = LLVMBuildOr(emit->builder, result, more, "");
    }
    return result;
}

static LLVMValueRef load_elements(struct simd_emit *emit, const struct simd_element *element,
                                  LLVMValueRef at, LLVMValueRef mask, unsigned count)
{
    LLVMTypeRef types[] = {LLVMVectorType(element->type, count), emit->lower->types.ptr};
    LLVMValueRef result;
    if (mask == NULL) {
        result = LLVMBuildLoad2(emit->builder, types[0], at, "");
        LLVMSetAlignment(result, element->align);
        simd_keep_volatile(element->instruction, result);
    } else {
        LLVMValueRef arguments[] = {at, mask, LLVMGetPoison(types[0])};
        result = simd_intrinsic(emit, "llvm.masked.load", types, 2, arguments, 3);
    }
    simd_alias_mark(emit, element->instruction, result);
    return result;
}

LLVMValueRef simd_load_replicated(struct simd_emit *emit, const struct simd_element *element,
                                  const struct simd_permutation *plan, LLVMValueRef at,
                                  unsigned vector)
{
    LLVMValueRef mask = emit->mask == NULL || emit->mask[vector] == emit->full
                            ? NULL
                            : mask_of_elements(emit, emit->mask[vector], plan->shift);
    LLVMValueRef elements = load_elements(emit, element, at, mask, emit->lanes >> plan->shift);
    LLVMValueRef indices[SIMD_MOST_LANES];
    for (unsigned i = 0; i < emit->lanes; i++) {
        indices[i] = simd_int(emit->lower->types.i32, i >> plan->shift);
    }
    return LLVMBuildShuffleVector(emit->builder, elements, LLVMGetPoison(LLVMTypeOf(elements)),
                                  LLVMConstVector(indices, emit->lanes), "");
}
