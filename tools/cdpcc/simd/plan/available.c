/* Which values are available at a point of a region.
 *
 * Code that the plan adds, such as a test before a loop or a prefetch, may only use values that
 * exist at that point. Three places hold values: the code before the chunks, the start of a chunk
 * (slots and recomputed values), and the nodes of the region that dominate the point. Constants
 * are available everywhere. */
#include "simd/plan/available.h"

#include "simd/ir/dominators.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/placement.h"
#include "simd/plan/plan.h"

#include <llvm-c/Core.h>

/* An alloca stands in the kernel's first node, but each chunk has its address from its start on. */
bool simd_is_available(const struct simd_path *path, const struct simd_graph *graph, unsigned node,
                       LLVMValueRef value)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    int number = simd_number(kernel, value);
    if (number < 0) {
        return LLVMIsAConstant(value) != NULL;
    }
    if (path->region->promoted[number]) {
        return false;
    }
    int from = simd_node_of(kernel, value);
    return simd_has_node(graph, from) && LLVMIsAAllocaInst(value) == NULL
               ? simd_dominates(graph, (unsigned)from, node)
               : path->region->in_chunk[number];
}

bool simd_is_available_or_promoted(const struct simd_path *path, const struct simd_graph *graph,
                                   unsigned node, LLVMValueRef value)
{
    int number = simd_number(simd_kernel_of(graph), value);
    bool is_promoted = number >= 0 && path->region->promoted[number];
    return is_promoted || simd_is_available(path, graph, node, value);
}
