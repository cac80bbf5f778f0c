/* Emission of a versioned loop's test, and what holds in the version for which it is true.
 *
 * The first version runs if, for each tested value, the test of each vector holds, and flat values
 * (of stride 0) are the same in all vectors. In this version their tests are dropped, so accesses
 * that depend on them have one form:
 *
 *     row = i / w            before: flat in each vector, if a test holds
 *                            in the first version: one value for the chunk
 *
 * The values are changed in the scope and restored for the second version. */
#include "simd/emit/versioning.h"

#include "ir/context.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/counts.h"
#include "support/arena.h"

#include <string.h>

/* The test is poison where the value is.  No access needs the value then, but the other values'
 * tests still count, so it is frozen. */
static LLVMValueRef test_value(struct simd_emit *emit, const struct simd_value *value)
{
    LLVMValueRef all = simd_int(emit->lower->types.i1, 1);
    for (unsigned u = 0; u < emit->vectors; u++) {
        all = simd_both(emit, all, value->holds_for_all[u]);
        if (u != 0 && simd_value_stride(value) == 0) {
            LLVMValueRef same =
                LLVMBuildICmp(emit->builder, LLVMIntEQ, value->scalar[u], value->scalar[0], "");
            all = simd_both(emit, all, same);
        }
    }
    return LLVMBuildFreeze(emit->builder, all, "");
}

LLVMValueRef simd_test_all(struct simd_emit *emit, const bool *tested)
{
    LLVMValueRef all = simd_int(emit->lower->types.i1, 1);
    for (size_t v = 0; v < simd_value_count(emit->kernel); v++) {
        if (tested[v]) {
            all = LLVMBuildAnd(emit->builder, all, test_value(emit, &emit->scope.values[v]), "");
        }
    }
    return all;
}

/* The tests for masked accesses stay: promises of flags must be tested there all the same.
 * Returns the values as they were, for the other version. */
struct simd_value *simd_assume_affine(struct simd_emit *emit, const bool *tested)
{
    size_t count = simd_value_count(emit->kernel);
    struct simd_value *kept = arena_alloc((count + 1) * sizeof *kept);
    memcpy(kept, emit->scope.values, count * sizeof *kept);
    for (size_t v = 0; v < count; v++) {
        struct simd_value *value = &emit->scope.values[v];
        for (unsigned u = 0; tested[v] && u < emit->vectors; u++) {
            value->holds_for_all[u] = NULL;
            value->scalar[u] = simd_value_stride(value) == 0 ? value->scalar[0] : value->scalar[u];
        }
    }
    return kept;
}
