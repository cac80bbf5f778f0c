/* Facts about the values of a kernel, for one version of it. */
#include "simd/analysis/facts.h"

#include "abi/cdp_abi.h"
#include "lower/kernel.h"
#include "simd/analysis/shape.h"
#include "simd/ir/kernel.h"
#include "support/arena.h"

#include <llvm-c/Core.h>
#include <stdio.h>

struct simd_facts *simd_facts_new(const struct simd_kernel *kernel)
{
    struct simd_facts *facts = arena_alloc(sizeof *facts);
    facts->shapes = arena_alloc((kernel->value_count + 1) * sizeof *facts->shapes);
    facts->tests = arena_alloc((kernel->value_count + 1) * sizeof *facts->tests);
    facts->needs_test = arena_alloc(kernel->value_count + 1);
    facts->is_forced = arena_alloc(kernel->value_count + 1);
    facts->is_clobbered = arena_alloc(kernel->value_count + 1);
    return facts;
}

const struct simd_facts *simd_facts_of(const struct simd_kernel *kernel)
{
    return kernel->facts;
}

/* What always holds of a value's shape; NULL, or what does not. */
static const char *defect_of(const struct simd_facts *facts, size_t v)
{
    struct simd_shape shape = facts->shapes[v];
    if (shape.kind != SHAPE_LINEAR && shape.check != CHECK_NONE) {
        return "a shape that is not affine has a check";
    }
    if (facts->needs_test[v] && shape.check == CHECK_NONE) {
        return "a shape without a check needs a test";
    }
    if (facts->is_forced[v] && shape.kind != SHAPE_VARYING && shape.kind != SHAPE_UNKNOWN) {
        return "a value that must be varying has a stronger shape";
    }
    return NULL;
}

bool simd_facts_are_valid(const struct simd_kernel *kernel)
{
    for (size_t v = 0; v < kernel->value_count; v++) {
        const char *defect = defect_of(kernel->facts, v);
        if (defect != NULL) {
            char *text = LLVMPrintValueToString(kernel->values[v]);
            fprintf(stderr, "cdpcc: kernel %s: %s:%s\n", kernel->source->name, defect, text);
            LLVMDisposeMessage(text);
            return false;
        }
    }
    return true;
}
