/* Grid-stride loops: for (i = thread; i < n; i += threads of the grid).
 *
 * The step is recognized by what it is computed from: it depends on gridDim, is uniform, and is
 * added to an affine phi in each iteration. Whether it is exactly the number of the grid's threads
 * does not matter: only hints and choices of widths depend on it. */
#include "simd/analysis/grid_stride.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "simd/analysis/add_recurrence.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/origin.h"
#include "simd/ir/thread_fields.h"

enum { MOST_DEPTH = 8 };

static bool depends_within_field(LLVMValueRef value, int field, unsigned depth)
{
    int dimension = simd_field(value) - field;
    if (LLVMIsAInstruction(value) == NULL || LLVMIsAPHINode(value) != NULL || depth == 0) {
        return false;
    }
    if (LLVMIsALoadInst(value) != NULL) {
        return dimension >= 0 && dimension < 12;
    }
    bool found = false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value) && !found; i++) {
        found = depends_within_field(LLVMGetOperand(value, i), field, depth - 1);
    }
    return found;
}

bool simd_depends_on_field(LLVMValueRef value, size_t field, unsigned depth)
{
    return depends_within_field(value, (int)field, depth);
}

/* What is added to the phi in each iteration; NULL if it is not the grid's stride.
 * The phi must be affine in the lanes: i, or i times a constant. */
static LLVMValueRef grid_step_of(const struct simd_graph *graph, int loop, LLVMValueRef phi)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    LLVMValueRef step = simd_step_of(graph, loop, phi);
    bool is_stride =
        step != NULL && simd_shape_of(kernel, phi)->kind == SHAPE_LINEAR &&
        simd_is_uniform(kernel, step) &&
        simd_depends_on_field(step, offsetof(struct cdp_abi_block, grid_dim), MOST_DEPTH);
    return is_stride ? step : NULL;
}

struct simd_grid_stride simd_find_stride(const struct simd_graph *graph, int loop)
{
    struct simd_grid_stride found = {.step = NULL};
    found.index = simd_node(simd_kernel_of(graph), graph->loops[loop].header)->first;
    while (found.index != NULL && LLVMIsAPHINode(found.index) != NULL) {
        found.step = grid_step_of(graph, loop, found.index);
        if (found.step != NULL) {
            return found;
        }
        found.index = LLVMGetNextInstruction(found.index);
    }
    return found;
}

/* Ends at phis and loads, which start other computations. */
static bool depends_within(LLVMValueRef value, LLVMValueRef index, unsigned depth)
{
    if (value == index) {
        return true;
    }
    if (depth == 0 || LLVMIsAInstruction(value) == NULL || LLVMIsAPHINode(value) != NULL ||
        LLVMIsALoadInst(value) != NULL) {
        return false;
    }
    bool found = false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value) && !found; i++) {
        found = depends_within(LLVMGetOperand(value, i), index, depth - 1);
    }
    return found;
}

bool simd_depends_on(LLVMValueRef value, LLVMValueRef phi)
{
    return depends_within(value, phi, MOST_DEPTH);
}

int64_t simd_strides_by(const struct simd_graph *graph, const struct simd_grid_stride *stride,
                        LLVMValueRef at)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    if (LLVMIsALoadInst(at) == NULL || !simd_depends_on(LLVMGetOperand(at, 0), stride->index)) {
        return 0;
    }
    struct simd_shape shape = *simd_shape_of(kernel, LLVMGetOperand(at, 0));
    int64_t size = (int64_t)LLVMABISizeOfType(simd_context_of(kernel)->layout, LLVMTypeOf(at));
    return shape.kind == SHAPE_LINEAR && shape.stride == size ? size : 0;
}
