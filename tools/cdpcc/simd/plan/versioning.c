/* Loop versioning by a run-time test.
 *
 * If the lanes' addresses are contiguous or uniform only if a test holds, each access has two
 * forms.  In for (k = 0; k < n; k++) sum += a[i / w * n + k] * b[k * w + i % w] the results of the
 * tests are available when the loop begins.  So the loop is emitted twice.  In the first version
 * all tests hold, and a value that is the same for all lanes of a vector is also the same for the
 * chunk. The second version tests each access as before.
 *
 * In LLVM, loop versioning is for runtime checks of aliases. Here the checks are those of shapes:
 *
 *     row = i / w; column = i % w;            // affine only if a test holds
 *     if (all lanes have one row, and columns do not wrap around) {
 *         for (k ...) uniform load * contiguous load
 *     } else {
 *         for (k ...) each load tests for itself whether it is a gather
 *     }
 *
 * Takes: a uniform loop. Gives: the set of values whose tests decide, all of them computed before
 * the loop; NULL if no address depends on such a value. Loops of more than MOST_INSTRUCTIONS
 * instructions are not copied. */
#include "simd/plan/versioning.h"

#include "simd/analysis/facts.h"
#include "simd/analysis/shape.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/placement.h"
#include "simd/plan/available.h"
#include "support/arena.h"

#include <llvm-c/Core.h>
#include <string.h>

enum { MOST_INSTRUCTIONS = 200 };

/* The search for tested values in one loop. */
struct search {
    const struct simd_path *path;
    const struct simd_graph *graph;
    const bool *inside; /* by node */
    unsigned header;
    bool *seen, *found; /* by value number */
    bool is_any;
};

/* The value is computed before the loop, and is affine only if a test holds, even where all lanes
 * are active.
 * A flag of the instruction needs no test where all lanes are active, so it does not count. */
static bool is_tested(const struct search *search, LLVMValueRef value)
{
    const struct simd_kernel *kernel = simd_kernel_of(search->graph);
    struct simd_shape shape = *simd_shape_of(kernel, value);
    return shape.kind == SHAPE_LINEAR && shape.check == CHECK_ALWAYS &&
           simd_facts_of(kernel)->needs_test[simd_number(kernel, value)] &&
           simd_is_available(search->path, search->graph, search->header, value);
}

/* Finds the values computed outside of the loop on which the address depends. Inside of the loop,
 * the search continues through operands whose shape needs a test. It ends at phis and loads, and at
 * values that need no test. */
static void find_tested(struct search *search, LLVMValueRef value)
{
    const struct simd_kernel *kernel = simd_kernel_of(search->graph);
    int number = simd_number(kernel, value);
    if (number < 0 || search->seen[number]) {
        return;
    }
    search->seen[number] = true;
    int node = simd_node_of(kernel, value);
    if (node < 0 || !search->inside[node]) {
        search->found[number] = is_tested(search, value);
        search->is_any |= search->found[number];
        return;
    }
    bool is_end = LLVMIsAPHINode(value) != NULL || LLVMIsALoadInst(value) != NULL ||
                  simd_facts_of(kernel)->shapes[number].check != CHECK_ALWAYS;
    for (unsigned i = 0; !is_end && i < (unsigned)LLVMGetNumOperands(value); i++) {
        find_tested(search, LLVMGetOperand(value, i));
    }
}

/* False: the node is too long, or all nodes up to it together are. */
static bool search_node(struct search *search, const struct simd_node *node, unsigned *count)
{
    for (LLVMValueRef i = node->first; i != NULL && i != node->last;
         i = LLVMGetNextInstruction(i)) {
        if (LLVMIsALoadInst(i) != NULL || LLVMIsAStoreInst(i) != NULL) {
            find_tested(search, simd_accessed(i));
        }
        ++*count;
    }
    return *count <= MOST_INSTRUCTIONS;
}

bool *simd_find_tested(const struct simd_path *path, const struct simd_graph *graph,
                       const bool *inside, unsigned header)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    struct search search = {.path = path, .graph = graph, .inside = inside, .header = header};
    unsigned count = 0;
    search.seen = arena_alloc(simd_value_count(kernel) + 1);
    search.found = arena_alloc(simd_value_count(kernel) + 1);
    for (size_t i = 0; i < simd_node_count(kernel); i++) {
        if (inside[i] && !search_node(&search, simd_node(kernel, i), &count)) {
            return NULL;
        }
    }
    return search.is_any ? search.found : NULL;
}
