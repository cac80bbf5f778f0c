/* Emission of the loads that are hoisted out of the chunk loops (plan/hoist.c).
 *
 *     region:   if (guard) { x = load s[0]; slot of x = x; }
 *               x = phi of the load and zero
 *               for each chunk { if (guard) { use of x } }
 *
 * Operands that the region itself computes are cloned in front of the chunks, as far as the loads
 * and the guards need them. The zero is never used: chunks use x under the same guard. */
#include "simd/emit/hoist.h"

#include "simd/emit/access.h"
#include "simd/emit/builder.h"
#include "simd/emit/early_values.h"
#include "simd/emit/emit.h"
#include "simd/ir/numbers.h"
#include "simd/plan/hoist.h"
#include "simd/plan/plan.h"
#include "support/vec.h"

#include <llvm-c/Core.h>

/* i1, before the chunks; NULL: there are no guards. */
static LLVMValueRef test_guards(struct simd_emit *emit, const struct simd_guards *guards)
{
    LLVMValueRef test = NULL;
    for (unsigned i = guards->count; i-- > 0;) {
        const struct simd_guard *guard = &guards->items[i];
        LLVMValueRef holds = simd_compute_early(emit, guard->condition);
        holds = guard->edge == 0 ? holds : LLVMBuildNot(emit->builder, holds, "");
        test = test == NULL ? holds : simd_both(emit, test, holds);
    }
    return test;
}

/* If the guards do not hold, the load's slot is not changed. */
static void load_hoisted(struct simd_emit *emit, const struct simd_hoist *hoist)
{
    LLVMValueRef load = hoist->load;
    struct simd_diamond diamond = {0};
    LLVMValueRef test = test_guards(emit, &hoist->guards);
    LLVMValueRef at = simd_compute_early(emit, hoist->address);
    if (test != NULL) {
        diamond = simd_begin_if(emit, test, false);
    }
    LLVMValueRef result = simd_load_one(emit, load, at);
    simd_set(emit, load, simd_uniform(result));
    if (test != NULL) {
        simd_begin_else(emit, &diamond, result);
        result = simd_end_if(emit, &diamond, LLVMConstNull(LLVMTypeOf(load)));
        emit->scope.values[simd_number(emit->kernel, load)].scalar[0] = result;
    }
}

void simd_load_hoisted(struct simd_emit *emit)
{
    const struct simd_region *region = emit->scope.region;
    for (size_t i = 0; i < region->hoist_count; i++) {
        load_hoisted(emit, &region->hoists[i]);
    }
}
