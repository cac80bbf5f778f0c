/* Facts about the values of a kernel, for one version of it. */
#include "simd/analysis/facts.h"

#include "abi/cdp_abi.h"
#include "simd/analysis/shape.h"
#include "simd/ir/kernel.h"
#include "support/arena.h"

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
