/* Checks what always holds of a kernel and of its graphs, so that passes need not test it.
 *
 * A defect is one of cdpcc, never of the program.  Debug builds call these checks for each version.
 */
#include "simd/ir/valid.h"

#include "lower/kernel.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph.h"
#include "simd/ir/kernel.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"

#include <llvm-c/Core.h>
#include <stdio.h>

static bool expect(const struct simd_kernel *kernel, bool holds, const char *what, size_t at)
{
    if (!holds) {
        fprintf(stderr, "cdpcc: kernel %s: %s (number %zu)\n", kernel->source->name, what, at);
    }
    return holds;
}

/* ---- the kernel ---- */

static bool value_is_valid(const struct simd_kernel *kernel, size_t v)
{
    LLVMValueRef value = kernel->values[v];
    int node = kernel->node_of[v];
    bool is_argument = LLVMIsAArgument(value) != NULL;
    return expect(kernel, simd_number(kernel, value) == (int)v, "a value has another number", v) &&
           expect(kernel, is_argument == (node < 0), "an argument has a node", v) &&
           expect(kernel, node < (int)kernel->node_count, "a value has an unknown node", v) &&
           expect(kernel,
                  kernel->nontemporal == NULL || kernel->nontemporal[v] == NULL ||
                      LLVMIsAStoreInst(value) != NULL,
                  "a nontemporal store is no store", v) &&
           expect(kernel,
                  is_argument || LLVMGetInstructionParent(value) == kernel->nodes[node].block,
                  "a value is in another block than its node", v);
}

/* How many edges leave a node that ends like this; -1: one or none. */
static int edges_of(const struct simd_node *node)
{
    switch (node->end) {
    case END_CONDITION:
        return 2;
    case END_BRANCH:
    case END_BARRIER:
        return 1;
    case END_RETURN:
    case END_UNREACHABLE:
        return 0;
    }
    return -1;
}

static bool node_is_valid(const struct simd_kernel *kernel, size_t n)
{
    const struct simd_node *node = &kernel->nodes[n];
    bool is_valid =
        expect(kernel, (int)node->next_count == edges_of(node), "a node has too many edges", n) &&
        expect(kernel, node->end != END_CONDITION || node->condition != NULL,
               "a node has no condition", n) &&
        expect(kernel, node->match == NULL || node->end == END_CONDITION,
               "a node without a condition has a match", n);
    for (unsigned i = 0; i < node->next_count && is_valid; i++) {
        is_valid = expect(kernel, node->next[i] < kernel->node_count, "an edge leads nowhere", n);
    }
    return is_valid;
}

bool simd_kernel_is_valid(const struct simd_kernel *kernel)
{
    bool is_valid = true;
    for (size_t v = 0; v < kernel->value_count && is_valid; v++) {
        is_valid = value_is_valid(kernel, v);
    }
    for (size_t n = 0; n < kernel->node_count && is_valid; n++) {
        is_valid = node_is_valid(kernel, n);
    }
    return is_valid;
}

/* ---- graphs ---- */

/* In a reducible graph, an edge to a node that does not come later is the back edge of a loop. */
static bool edges_are_valid(const struct simd_graph *graph, size_t index)
{
    unsigned next[SIMD_NEXT], which[SIMD_NEXT], at = graph->order[index];
    unsigned count = simd_graph_next(graph, at, next, which);
    bool is_valid = true;
    for (unsigned i = 0; i < count && is_valid; i++) {
        int to = graph->position[next[i]];
        is_valid =
            expect(graph->kernel, to >= 0, "an edge leaves the graph", at) &&
            expect(graph->kernel,
                   to > (int)index || graph->is_irreducible || simd_dominates(graph, next[i], at),
                   "an edge back leads to no header", at);
    }
    return is_valid;
}

static bool node_of_graph_is_valid(const struct simd_graph *graph, size_t index)
{
    unsigned at = graph->order[index];
    int above = graph->idom[at], loop = graph->loop_of[at];
    return expect(graph->kernel, graph->position[at] == (int)index, "a node has another position",
                  at) &&
           expect(graph->kernel, (above < 0) == (at == graph->entry),
                  "a node has no immediate dominator", at) &&
           expect(graph->kernel, above < 0 || simd_dominates(graph, (unsigned)above, at),
                  "an immediate dominator does not dominate", at) &&
           expect(graph->kernel, loop < 0 || graph->loops[loop].inside[at],
                  "a node is not in its loop", at) &&
           edges_are_valid(graph, index);
}

static bool loop_is_valid(const struct simd_graph *graph, size_t l)
{
    const struct simd_loop *loop = &graph->loops[l];
    return expect(graph->kernel, loop->inside[loop->header], "a header is not in its loop", l) &&
           expect(graph->kernel,
                  loop->parent < 0 || (graph->loops[loop->parent].inside[loop->header] &&
                                       graph->loops[loop->parent].depth < loop->depth),
                  "a loop is not in its parent", l);
}

bool simd_graph_is_valid(const struct simd_graph *graph)
{
    bool is_valid = expect(graph->kernel, graph->count > 0 && graph->order[0] == graph->entry,
                           "the order does not begin with the entry", graph->entry);
    for (size_t i = 0; i < graph->count && is_valid; i++) {
        is_valid = node_of_graph_is_valid(graph, i);
    }
    for (size_t l = 0; l < graph->loop_count && is_valid; l++) {
        is_valid = loop_is_valid(graph, l);
    }
    return is_valid;
}
