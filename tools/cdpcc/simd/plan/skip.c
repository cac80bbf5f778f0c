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
#include "support/arena.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* A call or an atomic operation counts as eight instructions. */
static unsigned cost_of(const struct simd_node *node)
{
    unsigned cost = 0;
    for (LLVMValueRef i = node->first; i != NULL && i != node->last;
         i = LLVMGetNextInstruction(i)) {
        bool is_long = LLVMIsACallInst(i) != NULL || LLVMIsAAtomicRMWInst(i) != NULL;
        cost += is_long ? 8 : 1;
    }
    return cost;
}

/* A loop is always worth a branch. */
const unsigned *simd_plan_costs(const struct simd_graph *graph)
{
    unsigned *costs = arena_alloc((simd_node_count(simd_kernel_of(graph)) + 1) * sizeof *costs);
    for (size_t i = 0; i < graph->count; i++) {
        unsigned node = graph->order[i];
        int loop = simd_loop_of(graph, node);
        bool is_header = loop >= 0 && graph->loops[loop].header == node;
        costs[node] =
            is_header ? SIMD_COST_TO_SKIP + 1 : cost_of(simd_node(simd_kernel_of(graph), node));
    }
    return costs;
}
