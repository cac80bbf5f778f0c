/* Uniform exits hoisted out of the chunk loop.
 *
 * In for (half = n; half > 0; half /= 2) { __syncthreads(); ... } the region that runs one
 * iteration also decides whether there is another.  If each chunk tested this, LLVM would not see
 * the loop's trip count.  If the branch is uniform for the block, and its condition depends only on
 * values that are available where the region begins, it is tested once there.  Each of its two
 * edges has a chunk loop of its own. Then the iterations can become straight code.
 *
 * Before and after, for one region of the loop:
 *
 *     for each chunk {                       if (half / 2 > 0)
 *         work;                                  for each chunk { work; } -> region of the loop
 *         next = half / 2 > 0;               else
 *     }                                          for each chunk { work; } -> end
 *     if (next) region of the loop, else end
 *
 * This is loop unswitching, with the chunk loop as the loop and the region's exit as the condition.
 *
 * Takes: a region of a tree, whose available values are known. Gives: the node of the exit, and
 * two paths, each with a graph from which the other edge is cut. Not done where threads end early.
 */
#include "simd/plan/uniform_exits.h"

#include "simd/analysis/uniformity.h"
#include "simd/ir/counts.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/placement.h"
#include "simd/ir/reconvergence.h"
#include "simd/plan/early_values.h"
#include "simd/plan/followers.h"
#include "simd/plan/plan.h"
#include "simd/plan/slots.h"
#include "support/arena.h"

#include <llvm-c/Core.h>
#include <string.h>

enum { MOST_STEPS = 8 };

/* What is available at the beginning of a region. */
struct beginning {
    const struct simd_graph *graph;
    const bool *available; /* by value number: available when the region begins */
};

/* Which definition the node uses: the one that was available at the beginning, or one that is
 * always executed before. Neither, if that depends on the path taken.
 * A barrier in a loop means that one name has two definitions over time. A condition can only be
 * moved to the region's start if it is clear which of the two it uses. */
enum age { AGE_OLD, AGE_NEW, AGE_EITHER };

static enum age age_of(const struct beginning *beginning, LLVMValueRef value, unsigned node)
{
    const struct simd_graph *graph = beginning->graph;
    int number = simd_number(simd_kernel_of(graph), value),
        from = simd_node_of(simd_kernel_of(graph), value);
    if (!simd_has_node(graph, from)) {
        return beginning->available[number] ? AGE_OLD : AGE_EITHER;
    }
    if (simd_dominates(graph, (unsigned)from, node)) {
        return AGE_NEW;
    }
    bool is_reached = simd_graph_reach(graph, (unsigned)from, -1)[node];
    return beginning->available[number] && !is_reached ? AGE_OLD : AGE_EITHER;
}

/* The value, as the node uses it, for code where the region begins; NULL: it is not known there. */
static const struct simd_early_value *
early_value_of(const struct beginning *beginning, LLVMValueRef value, unsigned node, unsigned steps)
{
    const struct simd_kernel *kernel = simd_kernel_of(beginning->graph);
    int number = simd_number(kernel, value);
    if (number < 0) {
        return LLVMIsAConstant(value) != NULL ? simd_early_value(EARLY_GIVEN, value) : NULL;
    }
    enum age age = age_of(beginning, value, node);
    if (age == AGE_OLD) {
        return simd_early_value(EARLY_AVAILABLE, value);
    }
    if (age == AGE_EITHER || steps == 0 || !simd_is_computable(value) ||
        !simd_is_uniform(kernel, value)) {
        return NULL;
    }
    struct simd_early_value *result = simd_early_clone(value);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        result->operands[i] = early_value_of(beginning, LLVMGetOperand(value, i),
                                             (unsigned)simd_node_of(kernel, value), steps - 1);
        if (result->operands[i] == NULL) {
            return NULL;
        }
    }
    return result;
}

/* Finds where all paths from the node lead: the number of a region, or SIMD_DONE.  False: they lead
 * to several regions, or threads may also end. */
static bool leads_to(const struct simd_region *region, unsigned node, int *target)
{
    struct simd_followers found =
        simd_find_followers(region, simd_graph_reach(region->graph, node, -1));
    *target = found.count == 0 ? SIMD_DONE : (int)found.one;
    return found.count + (found.ends ? 1 : 0) == 1;
}

/* The graph is built again, since dominators and loops change with the edge. */
static const struct simd_graph *without_edge(const struct simd_graph *graph, unsigned node,
                                             signed char edge)
{
    size_t nodes = simd_node_count(simd_kernel_of(graph));
    signed char *cut = arena_alloc(nodes + 1);
    memset(cut, -1, nodes);
    cut[node] = edge;
    return simd_graph_build(simd_kernel_of(graph), graph->entry, false, cut);
}

/* All threads reach the node's branch, and its edges lead to two different regions. */
static bool is_exit(const struct simd_region *region, unsigned node, int targets[2])
{
    const struct simd_graph *graph = region->graph;
    const struct simd_node *at = simd_node(simd_kernel_of(graph), node);
    return at->end == END_CONDITION && at->match == NULL && simd_loop_of(graph, node) < 0 &&
           simd_is_uniform(simd_kernel_of(graph), at->condition) &&
           simd_postdominates(graph, node, graph->entry) &&
           leads_to(region, at->next[0], &targets[0]) &&
           leads_to(region, at->next[1], &targets[1]) && targets[0] != targets[1];
}

/* Only the first exit in the graph's order is considered. */
void simd_find_uniform_exit(struct simd_region *region)
{
    const struct simd_graph *graph = region->graph;
    struct beginning beginning = {.graph = graph, .available = region->at_start};
    for (size_t i = 0; i < graph->count && !region->plan->needs_alive; i++) {
        unsigned node = graph->order[i];
        int targets[2];
        if (!is_exit(region, node, targets)) {
            continue;
        }
        region->exit_condition = early_value_of(
            &beginning, simd_node(simd_kernel_of(graph), node)->condition, node, MOST_STEPS);
        if (region->exit_condition != NULL) {
            region->uniform_exit = (int)node;
            region->path_count = 2;
            for (unsigned edge = 0; edge < 2; edge++) {
                region->paths[edge].graph = without_edge(graph, node, (signed char)(1 - edge));
                region->paths[edge].target = targets[edge];
            }
        }
        return;
    }
}
