/* What each loop of a path becomes.
 *
 * A loop of the kernel runs for all lanes of a chunk together. Its kind determines how lanes that
 * leave early are separated from those that stay. In the literature the masked form is the standard
 * one of whole-function vectorization: a loop mask that only loses lanes, and a test for "any lane
 * left".
 *
 *     for (k = 0; k < n; k++)              UNIFORM: no masks, a scalar counter
 *     for (k = t / 32; k < n; k += 4)          the same, if a chunk is one warp
 *     for (; x > eps; x = f(x))            DIVERGENT: active &= x > eps; until active == 0
 *     for (i = t; i < n; i += threads)     ALL_ACTIVE_THEN_MASKED:
 *                                              while (all lanes stay)  code without masks
 *                                              while (any lane stays)  code under masks
 *     for (k ...) a[i / w * n + k]         VERSIONED: if (i / w is one value for the chunk)
 *                                              the uniform loop with scalar loads
 *                                          else the uniform loop; each load tests for itself
 *
 * Takes: a path with its graphs, and the chunk's width. Gives: for each loop of the graph its
 * edges, its kind, and what the kind needs. Loops of the masked graph and of the all-active graph
 * are planned separately, since edges that are left out may change the exits. */
#include "simd/plan/loops.h"

#include "ir/value.h"
#include "simd/analysis/chunk_conditions.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/counts.h"
#include "simd/ir/dominators.h"
#include "simd/ir/edges.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/phis.h"
#include "simd/ir/placement.h"
#include "simd/plan/plan.h"
#include "simd/plan/prefetch_far.h"
#include "simd/plan/row_tiles.h"
#include "simd/plan/prefetch_loop.h"
#include "simd/plan/versioning.h"
#include "simd/plan/width.h"
#include "support/arena.h"

#include <llvm-c/Core.h>

/* The planning of one version's loops.
 * Life: one call of simd_plan_loops(). */
struct looping {
    const struct simd_path *path;
    const struct simd_graph *graph;
    const struct simd_chunk *chunk;
};

/* One of the branch's edges is left out of the all-active graph: all lanes are assumed to take the
 * other one, so the branch is no exit. */
static bool is_cut(const struct simd_graph *graph, unsigned node)
{
    return graph->cut != NULL && graph->cut[node] >= 0;
}

/* The node of the only exit, if all lanes take it together and each lane reaches the node in every
 * iteration; -1: there is no such node.
 * A node that dominates all back edges runs in every iteration. Only then is its condition the one
 * that decides about the next iteration; an exit that some iterations jump over makes the loop
 * divergent.
 */
static int find_exiting(const struct looping *looping, int loop, const struct simd_loop_plan *plan)
{
    const struct simd_graph *graph = looping->graph;
    if (plan->exits.count != 1) {
        return -1;
    }
    unsigned node = plan->exits.items[0].node;
    const struct simd_node *at = simd_node(simd_kernel_of(graph), node);
    if (simd_loop_of(graph, node) != loop || is_cut(graph, node) ||
        !simd_is_one_for_chunk(simd_kernel_of(graph), looping->chunk, at->condition)) {
        return -1;
    }
    for (size_t i = 0; i < plan->back.count; i++) {
        if (!simd_dominates(graph, node, plan->back.items[i].node)) {
            return -1;
        }
    }
    return (int)node;
}

/* All lanes that reach the loop reach its end in every iteration.  Lanes may leave it there in
 * different iterations, but most leave in the same one.
 * The form is that of a rotated loop, with one latch that is also the only exit. A bound compares
 * affine values, so lanes most likely leave in nearly the same iteration. */
static bool exits_nearly_together(const struct simd_graph *graph, int loop,
                                  const struct simd_loop_plan *plan)
{
    if (plan->exits.count != 1 || plan->back.count != 1 ||
        plan->back.items[0].node != plan->exits.items[0].node) {
        return false;
    }
    unsigned node = plan->back.items[0].node;
    const struct simd_node *at = simd_node(simd_kernel_of(graph), node);
    return simd_loop_of(graph, node) == loop && at->match == NULL && !is_cut(graph, node) &&
           simd_is_bound(simd_kernel_of(graph), at->condition);
}

/* A phi such as i in for (i = t; i < n; i += step) is affine in the first iteration. It stays so
 * while it does not wrap, and the loop's condition often proves this. The result has one entry for
 * each phi, in their order. */
static const enum simd_test *find_affine_phis(const struct looping *looping, unsigned header,
                                              unsigned last)
{
    const struct simd_kernel *kernel = simd_kernel_of(looping->graph);
    LLVMValueRef condition = simd_node(kernel, last)->condition;
    size_t count = simd_count_phis(kernel, header), index = 0;
    enum simd_test *result = arena_alloc((count + 1) * sizeof *result);
    for (LLVMValueRef phi = simd_first_phi(kernel, header); phi != NULL; phi = simd_next_phi(phi)) {
        result[index++] = simd_stays_affine(kernel, looping->chunk, condition, phi);
    }
    return result;
}

int simd_loop_below(const struct simd_graph *graph, unsigned node, int level)
{
    int loop = simd_loop_of(graph, node);
    while (loop >= 0 && graph->loops[loop].parent != level) {
        loop = graph->loops[loop].parent;
    }
    return loop;
}

/* The loop's nodes up to the exiting node, or those after it.
 * The exit may stand in the middle of the loop: what comes before it runs once more than what comes
 * after. */
static const bool *nodes_up_to_exit(const struct simd_graph *graph, int loop, int exiting,
                                    bool after)
{
    bool *set = arena_alloc(simd_node_count(simd_kernel_of(graph)) * sizeof *set);
    int limit = graph->position[exiting];
    for (size_t i = 0; i < graph->count; i++) {
        unsigned at = graph->order[i];
        if (!graph->loops[loop].inside[at]) {
            continue;
        }
        int inner = simd_loop_below(graph, at, loop);
        unsigned first = inner >= 0 ? graph->loops[inner].header : at;
        set[at] = (graph->position[first] <= limit) != after;
    }
    return set;
}

/* The constant by which the header's uniform phi grows to `next` in each iteration; NULL: it does
 * not. */
static LLVMValueRef step_of(const struct simd_kernel *kernel, LLVMValueRef phi, LLVMValueRef next)
{
    bool is_counter =
        LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMIntegerTypeKind && simd_is_uniform(kernel, phi);
    bool is_sum = is_counter && LLVMIsABinaryOperator(next) != NULL &&
                  LLVMGetInstructionOpcode(next) == LLVMAdd && LLVMGetOperand(next, 0) == phi;
    LLVMValueRef step = is_sum ? LLVMGetOperand(next, 1) : NULL;
    return step != NULL && LLVMIsAConstantInt(step) != NULL ? step : NULL;
}

/* A loop with several back edges has no counters: each may bring another number. */
static void find_counters(const struct simd_kernel *kernel, unsigned header,
                          struct simd_loop_plan *plan)
{
    size_t index = 0;
    for (LLVMValueRef phi = simd_first_phi(kernel, header); phi != NULL && plan->back.count == 1;
         phi = simd_next_phi(phi)) {
        struct simd_counter counter = {.index = index++, .phi = phi};
        counter.next = simd_phi_value(kernel, phi, plan->back.items[0].node);
        counter.step = step_of(kernel, phi, counter.next);
        if (counter.step != NULL) {
            LOWER_PUSH(plan->counters, plan->counter_count, counter);
        }
    }
}

/* An entry that runs rarely gets neither versions nor prefetches: its code should be short. Both
 * are also for loops that end for the whole block at once. */
static void plan_uniform(const struct looping *looping, int loop, struct simd_loop_plan *result)
{
    const struct simd_graph *graph = looping->graph;
    unsigned node = (unsigned)result->exiting;
    bool is_short =
        looping->path->region->plan->options.is_cold ||
        !simd_is_uniform(simd_kernel_of(graph), simd_node(simd_kernel_of(graph), node)->condition);
    result->kind = LOOP_UNIFORM;
    result->up_to_exit = nodes_up_to_exit(graph, loop, result->exiting, false);
    result->after_exit = nodes_up_to_exit(graph, loop, result->exiting, true);
    result->tested = is_short ? NULL
                              : simd_find_tested(looping->path, graph, graph->loops[loop].inside,
                                                 graph->loops[loop].header);
    if (result->tested != NULL) {
        result->kind = LOOP_VERSIONED;
    }
    if (!is_short && simd_node(simd_kernel_of(graph), node)->match == NULL) {
        result->far = simd_find_far_prefetch(looping->path, graph, loop, node, looping->chunk);
        result->tiles =
            simd_find_row_tiles(graph, loop, &result->exits.items[0], looping->chunk->vectors);
    }
}

/* Tries the kinds from the cheapest to the most general one. */
static void plan_loop(const struct looping *looping, int loop, struct simd_loop_plan *result)
{
    const struct simd_graph *graph = looping->graph;
    unsigned header = graph->loops[loop].header;
    const bool *inside = graph->loops[loop].inside;
    result->entering = simd_edges_into(graph, header, inside, false);
    result->back = simd_edges_into(graph, header, inside, true);
    result->exits = simd_edges_leaving(graph, inside);
    result->exiting = find_exiting(looping, loop, result);
    result->kind = LOOP_DIVERGENT;
    if (result->exiting >= 0) {
        plan_uniform(looping, loop, result);
        return;
    }
    find_counters(simd_kernel_of(graph), header, result);
    if (exits_nearly_together(graph, loop, result)) {
        unsigned last = result->back.items[0].node;
        result->kind = LOOP_ALL_ACTIVE_THEN_MASKED;
        result->affine_phis = find_affine_phis(looping, header, last);
        result->ahead = simd_find_loop_prefetch(graph, loop, last, looping->chunk);
    }
}

bool simd_reads_in_tiles(const struct simd_loop_plan *loops, const struct simd_graph *graph,
                         LLVMValueRef load)
{
    int loop = simd_loop_of(graph, simd_node_of(simd_kernel_of(graph), load));
    for (size_t i = 0; loop >= 0 && i < loops[loop].tiles.count; i++) {
        if (loops[loop].tiles.items[i].load == load) {
            return true;
        }
    }
    return false;
}

struct simd_loop_plan *simd_plan_loops(const struct simd_path *path, const struct simd_graph *graph,
                                       const struct simd_chunk *chunk)
{
    struct looping looping = {.path = path, .graph = graph, .chunk = chunk};
    struct simd_loop_plan *result = arena_alloc((graph->loop_count + 1) * sizeof *result);
    for (size_t i = 0; i < graph->loop_count; i++) {
        plan_loop(&looping, (int)i, &result[i]);
    }
    return result;
}
