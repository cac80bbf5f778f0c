/* Uniform exits hoisted out of the chunk loop.
 *
 * In for (half = n; half > 0; half /= 2) { __syncthreads(); ... } the region that runs one
 * iteration also decides whether there is another.  If each chunk tested this, LLVM would not see
 * the loop's trip count.  If the branch is uniform for the block, and its condition depends only on
 * what is known where the region begins, it is tested once there.  Each of its two ways has a chunk
 * loop of its own.  Then the iterations can become straight code. */
#include "simd/plan/uniform_exits.h"

#include "simd/analysis/facts.h"
#include "simd/analysis/shape.h"
#include "simd/emit/emit.h"
#include "simd/emit/instruction.h"
#include "simd/emit/region.h"
#include "simd/ir/dominators.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "simd/plan/slots.h"
#include "support/arena.h"

#include <string.h>

enum { MOST_STEPS = 8 };

struct beginning {
    struct simd_emit *emit;
    const struct simd_graph *graph;
    const struct simd_value *known; /* by value number: when the region begins */
};

/* What the node uses: the value that was known at the beginning, or one that is defined anew in any
 * case.  Neither, if that depends on the way there. */
enum age { AGE_OLD, AGE_NEW, AGE_EITHER };

static enum age age_of(const struct beginning *beginning, int number, unsigned node)
{
    const struct simd_graph *graph = beginning->graph;
    int from = graph->kernel->node_of[number];
    if (from < 0 || graph->position[from] < 0) {
        return beginning->known[number].is_set ? AGE_OLD : AGE_EITHER;
    }
    if (simd_dominates(graph, (unsigned)from, node)) {
        return AGE_NEW;
    }
    bool comes_there = simd_graph_reach(graph, (unsigned)from, -1)[node];
    return beginning->known[number].is_set && !comes_there ? AGE_OLD : AGE_EITHER;
}

/* The value as the node uses it, made where the builder is; NULL: it cannot be. */
static LLVMValueRef compute(const struct beginning *beginning, LLVMValueRef value, unsigned node,
                            unsigned steps)
{
    const struct simd_kernel *kernel = beginning->graph->kernel;
    int number = simd_number(kernel, value);
    if (number < 0) {
        return LLVMIsAConstant(value) != NULL ? value : NULL;
    }
    enum age age = age_of(beginning, number, node);
    if (age == AGE_OLD) {
        return beginning->known[number].scalar[0];
    }
    if (age == AGE_EITHER || steps == 0 || !simd_is_computable(value) ||
        simd_shape_of(kernel, value).kind > SHAPE_UNIFORM) {
        return NULL;
    }
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    LLVMValueRef *operands = arena_alloc((count + 1) * sizeof *operands);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = compute(beginning, LLVMGetOperand(value, i),
                              (unsigned)kernel->node_of[number], steps - 1);
        if (operands[i] == NULL) {
            return NULL;
        }
    }
    LLVMValueRef made = LLVMInstructionClone(value);
    for (unsigned i = 0; i < count; i++) {
        LLVMSetOperand(made, i, operands[i]);
    }
    simd_drop_metadata(beginning->emit, value, made);
    LLVMInsertIntoBuilder(beginning->emit->builder, made);
    return made;
}

/* Where all ways from the node lead: the number of a region, or SIMD_DONE; false: to several. */
static bool leads_to(const struct simd_emit *emit, const struct simd_graph *graph, unsigned node,
                     int *target)
{
    const bool *behind = simd_graph_reach(graph, node, -1);
    bool is_found = false, is_one = true;
    for (size_t i = 0; i < graph->count; i++) {
        const struct simd_node *at = &graph->kernel->nodes[graph->order[i]];
        bool is_barrier = at->end == END_BARRIER;
        if (!behind[graph->order[i]] ||
            (!is_barrier && at->end != END_RETURN && at->end != END_UNREACHABLE)) {
            continue;
        }
        int to = is_barrier ? emit->region_of[at->next[0]] : SIMD_DONE;
        is_one &= !is_found || to == *target;
        is_found = true;
        *target = to;
    }
    return is_found && is_one;
}

static const struct simd_graph *without(const struct simd_graph *graph, unsigned node,
                                        signed char way)
{
    size_t nodes = graph->kernel->node_count;
    signed char *cut = arena_alloc(nodes + 1);
    memset(cut, -1, nodes);
    cut[node] = way;
    return simd_graph_build(graph->kernel, graph->entry, false, cut);
}

bool simd_find_uniform_exit(const struct simd_making *entry, const struct simd_region *region,
                            struct simd_uniform_exit *made)
{
    const struct simd_emit *emit = &entry->emit;
    const struct simd_graph *graph = region->graph;
    const struct simd_kernel *kernel = graph->kernel;
    for (size_t i = 0; i < graph->count && !entry->needs_alive; i++) {
        unsigned node = graph->order[i];
        const struct simd_node *at = &kernel->nodes[node];
        if (at->end == END_CONDITION && at->match == NULL && graph->loop_of[node] < 0 &&
            simd_shape_of(kernel, at->condition).kind <= SHAPE_UNIFORM &&
            simd_postdominates(graph, node, graph->entry) &&
            leads_to(emit, graph, at->next[0], &made->targets[0]) &&
            leads_to(emit, graph, at->next[1], &made->targets[1]) &&
            made->targets[0] != made->targets[1]) {
            made->node = node;
            made->graphs[0] = without(graph, node, 1);
            made->graphs[1] = without(graph, node, 0);
            return true;
        }
    }
    return false;
}

LLVMValueRef simd_compute_uniform_exit(struct simd_emit *emit, const struct simd_region *region,
                                       const struct simd_uniform_exit *decision)
{
    struct beginning beginning = {.emit = emit, .graph = region->graph, .known = emit->values};
    LLVMValueRef condition = emit->kernel->nodes[decision->node].condition;
    return compute(&beginning, condition, decision->node, MOST_STEPS);
}
