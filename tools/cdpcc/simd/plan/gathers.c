/* Kernels with too much that runs lane by lane.
 *
 * Where the processor has no instruction for a gather or scatter, it becomes an access for each
 * lane (post/lane_accesses.h): a second of compile time for eight thousand lanes, and half a
 * megabyte of code. Unrolled products of small matrices in shared memory, and loops over bytes that
 * are unrolled, are such kernels.
 *
 * A division of wide integers is two calls for each lane, and each of them is a loop over the lanes
 * with memory for its operands. LLVM's time for these grows with the square of their number: three
 * seconds for eighty divisions, and they run no faster than in thread entries. */
#include "simd/plan/gathers.h"

#include "ir/context.h"
#include "simd/ir/calls.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/counts.h"
#include "simd/ir/memory.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/values.h"
#include "simd/ir/wide_calls.h"
#include "simd/plan/access.h"
#include "simd/plan/calls.h"
#include "simd/plan/plan.h"
#include "support/str.h"
#include "target/processor.h"

#include <llvm-c/Target.h>

enum { MOST_LANES = 2560, MOST_WIDE_CALLS = 100 };

bool simd_has_gather_instruction(const struct simd_kernel *kernel, LLVMValueRef access)
{
    const struct lower_context *context = simd_context_of(kernel);
    return target_has_gathers(&context->options->target,
                              LLVMABISizeOfType(context->layout, simd_accessed_type(access)));
}

/* The lanes of a path's gathers and scatters without an instruction, all-active or masked.  A
 * replicated load is a gather where its test fails. */
static size_t count(const struct simd_path *path, bool is_masked)
{
    const struct simd_plan *plan = path->region->plan;
    const struct simd_version_plan *version = &path->versions[is_masked];
    size_t found = 0;
    for (size_t v = 0; version->graph != NULL && v < simd_value_count(plan->kernel); v++) {
        int node = simd_node_of_number(plan->kernel, v);
        enum simd_access_kind kind = version->accesses[is_masked][v].kind;
        found += node >= 0 && simd_has_node(version->graph, node) &&
                 (kind == ACCESS_GATHER_SCATTER || kind == ACCESS_REPLICATED) &&
                 !simd_has_gather_instruction(plan->kernel, simd_value_at(plan->kernel, v));
    }
    return found * plan->options.lanes * (is_masked ? path->masked_vectors : path->vectors);
}

static size_t count_wide_calls(const struct simd_plan *plan)
{
    size_t found = 0;
    for (size_t v = 0; v < simd_value_count(plan->kernel); v++) {
        found += plan->calls[v] == CALL_SCALARIZED &&
                 str_starts(simd_callee_name(simd_value_at(plan->kernel, v)), SIMD_WIDE_ARITHMETIC);
    }
    return found;
}

const char *simd_lanes_refusal(const struct simd_plan *plan)
{
    size_t all = 0;
    for (size_t r = 0; r < plan->region_count; r++) {
        for (unsigned i = 0; i < plan->regions[r].path_count; i++) {
            all += count(&plan->regions[r].paths[i], false);
            all += count(&plan->regions[r].paths[i], true);
        }
    }
    return all > MOST_LANES                           ? "it has too many gathers and scatters"
           : count_wide_calls(plan) > MOST_WIDE_CALLS ? "it has too many divisions of wide integers"
                                                      : NULL;
}
