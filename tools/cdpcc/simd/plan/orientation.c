/* Whether lanes go along threadIdx.x or along threadIdx.y.
 *
 *     int i = blockIdx.x * blockDim.x + threadIdx.x;          the row
 *     int j = blockIdx.y * blockDim.y + threadIdx.y;
 *     out[i * n + j] = in[i * n + j];
 *
 * Along x both accesses are gathers, along y they are contiguous. A GPU has no choice, since its
 * warps go along x. Here lanes may be any threads of the block. */
#include "simd/plan/orientation.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/shape_analysis.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/kernel.h"
#include "simd/ir/memory.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/thread_fields.h"

#include <llvm-c/Core.h>
#include <stddef.h>

enum { CONTIGUOUS = 1, INTERLEAVED = 2, GATHER = 8, MOST_INTERLEAVED = 4 };
enum { OF_A_LOOP = 8, MOST_DEPTH = 4 };

/* It reads its number in the block, or several fields at once. */
static bool reads_number(const struct simd_kernel *kernel, LLVMValueRef at)
{
    int field = simd_self_field(at);
    return field >= 0 && field <= (int)offsetof(struct cdp_abi_thread, linear) &&
           (field == offsetof(struct cdp_abi_thread, linear) ||
            LLVMTypeOf(at) != kernel->lower->types.i32);
}

bool simd_may_be_transposed(const struct simd_kernel *kernel)
{
    const struct simd_traits *traits = &kernel->traits;
    if (!traits->has_ranges || !traits->uses_rows || traits->has_warps) {
        return false;
    }
    for (size_t i = 0; i < kernel->value_count; i++) {
        if (kernel->node_of[i] >= 0 && reads_number(kernel, kernel->values[i])) {
            return false;
        }
    }
    return true;
}

static uint64_t cost_of(const struct simd_kernel *kernel, LLVMValueRef at)
{
    const struct simd_shape *shape = simd_shape_of(kernel, simd_accessed(at));
    uint64_t size = LLVMABISizeOfType(kernel->lower->layout, simd_accessed_type(at));
    uint64_t stride = shape->kind == SHAPE_LINEAR ? (uint64_t)shape->stride : UINT64_MAX;
    return shape->kind <= SHAPE_VECTOR || stride == 0 || stride == size ? CONTIGUOUS
           : stride <= MOST_INTERLEAVED * size                          ? INTERLEAVED
                                                                        : GATHER;
}

static uint64_t executions_at(const struct simd_graph *graph, int node)
{
    uint64_t executions = 1;
    int loop = node >= 0 ? graph->loop_of[node] : -1;
    for (int depth = 0; loop >= 0 && depth < MOST_DEPTH; depth++) {
        executions *= OF_A_LOOP;
        loop = graph->loops[loop].parent;
    }
    return executions;
}

uint64_t simd_access_cost(const struct simd_kernel *given)
{
    struct simd_kernel kernel = *given;
    struct simd_facts *facts = simd_facts_new(&kernel);
    uint64_t cost = 0;
    kernel.facts = facts;
    simd_shapes(&kernel, facts);
    const struct simd_graph *graph = simd_graph_build(&kernel, 0, true, NULL);
    for (size_t i = 0; i < kernel.value_count; i++) {
        LLVMValueRef at = kernel.values[i];
        bool is_access =
            kernel.node_of[i] >= 0 && (LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL);
        if (is_access) {
            cost += cost_of(&kernel, at) * executions_at(graph, kernel.node_of[i]);
        }
    }
    return cost;
}
