/* Emission of values that are needed before the chunks of a region (plan/early_values.h). */
#include "simd/emit/early_values.h"

#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/instruction.h"
#include "simd/emit/slots.h"
#include "simd/plan/early_values.h"
#include "support/arena.h"

#include <llvm-c/Core.h>

static LLVMValueRef clone(struct simd_emit *emit, const struct simd_early_value *early)
{
    unsigned count = (unsigned)LLVMGetNumOperands(early->value);
    LLVMValueRef *operands = arena_alloc((count + 1) * sizeof *operands);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = simd_compute_early(emit, early->operands[i]);
    }
    return simd_clone_scalar(emit, early->value, operands);
}

LLVMValueRef simd_compute_early(struct simd_emit *emit, const struct simd_early_value *early)
{
    switch (early->kind) {
    case EARLY_GIVEN:
        return early->value;
    case EARLY_CLONED:
        return clone(emit, early);
    case EARLY_RECOMPUTED:
        simd_recompute(emit, early->value);
        break;
    case EARLY_AVAILABLE:
        break;
    }
    return simd_get(emit, early->value).scalar[0];
}
