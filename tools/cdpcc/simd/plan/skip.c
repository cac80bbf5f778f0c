/* The costs of nodes, for branches around code that no lane may run.
 *
 * A branch that is predicted wrongly costs as much as a dozen instructions, so short sides of a
 * divergent branch run with an empty mask instead:
 *
 *     if (x > 0) y = 1;            a select
 *     if (x > 0) y = f(a, b, c);   br any(x > 0), side, join */
#include "simd/plan/skip.h"

#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/plan/access.h"
#include "simd/plan/gathers.h"
#include "support/arena.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* A gather or scatter that is an access for each lane, also for those that are not active
 * (post/lane_accesses.h). */
static bool has_lane_accesses(const struct simd_kernel *kernel, LLVMValueRef at,
                              const struct simd_access *accesses)
{
    bool is_access = LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL;
    int number = is_access ? simd_number(kernel, at) : -1;
    return number >= 0 && accesses[number].kind == ACCESS_GATHER_SCATTER &&
           !simd_has_gather_instruction(kernel, at);
}

/* A call or an atomic operation counts as eight instructions. */
static unsigned cost_of(const struct simd_kernel *kernel, const struct simd_node *node,
                        const struct simd_access *accesses)
{
    unsigned cost = 0;
    for (LLVMValueRef i = node->first; i != NULL && i != node->last;
         i = LLVMGetNextInstruction(i)) {
        bool is_long = LLVMIsACallInst(i) != NULL || LLVMIsAAtomicRMWInst(i) != NULL;
        cost += has_lane_accesses(kernel, i, accesses) ? SIMD_COST_TO_SKIP : is_long ? 8 : 1;
    }
    return cost;
}

/* A loop is always worth a branch. */
const unsigned *simd_plan_costs(const struct simd_graph *graph, const struct simd_access *accesses)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    unsigned *costs = arena_alloc((simd_node_count(kernel) + 1) * sizeof *costs);
    for (size_t i = 0; i < graph->count; i++) {
        unsigned node = graph->order[i];
        int loop = simd_loop_of(graph, node);
        bool is_header = loop >= 0 && graph->loops[loop].header == node;
        costs[node] =
            is_header ? SIMD_COST_TO_SKIP + 1 : cost_of(kernel, simd_node(kernel, node), accesses);
    }
    return costs;
}
