/* Emission of replicated contiguous loads (plan/permuted.c): 1 << shift neighbouring lanes have one
 * element.
 *
 * A contiguous load of lanes >> shift elements, and a shuffle.  All lanes are active, so the
 * program reads each of the elements. */
#include "simd/emit/replicated.h"

#include "ir/context.h"
#include "simd/emit/builder.h"
#include "simd/emit/contiguous.h"
#include "simd/emit/emit.h"
#include "simd/emit/metadata.h"
#include "simd/ir/lanes.h"
#include "simd/plan/permuted.h"

LLVMValueRef simd_load_replicated(struct simd_emit *emit, const struct simd_element *element,
                                  const struct simd_permutation *plan, LLVMValueRef at)
{
    LLVMValueRef indices[SIMD_MOST_LANES];
    LLVMTypeRef type = LLVMVectorType(element->type, emit->lanes >> plan->shift);
    LLVMValueRef elements = LLVMBuildLoad2(emit->builder, type, at, "");
    unsigned size = (unsigned)LLVMABISizeOfType(emit->lower->layout, element->type);
    LLVMSetAlignment(elements, element->align < size ? element->align : size);
    simd_keep_volatile(element->instruction, elements);
    simd_alias_mark(emit, element->instruction, elements);
    for (unsigned i = 0; i < emit->lanes; i++) {
        indices[i] = simd_int(emit->lower->types.i32, i >> plan->shift);
    }
    return LLVMBuildShuffleVector(emit->builder, elements, LLVMGetPoison(type),
                                  LLVMConstVector(indices, emit->lanes), "");
}
