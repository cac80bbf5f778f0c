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
#include "simd/analysis/shape.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/memory.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/traits.h"
#include "simd/ir/values.h"

#include <llvm-c/Core.h>
#include <stddef.h>

enum { CONTIGUOUS = 1, INTERLEAVED = 2, GATHER = 8, MOST_INTERLEAVED = 4 };
enum { OF_A_LOOP = 8, MOST_DEPTH = 4 };

/* It reads its number in the block, or several fields at once. */
static bool reads_number(LLVMValueRef at)
{
    int field = simd_self_field(at);
    return field == offsetof(struct cdp_abi_thread, linear) ||
           (field >= 0 && field < (int)offsetof(struct cdp_abi_thread, linear) &&
            LLVMTypeOf(at) != LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(at))));
}

bool simd_may_be_transposed(const struct simd_kernel *kernel)
{
    const struct simd_traits *traits = simd_traits_of(kernel);
    if (!traits->has_ranges || !traits->uses_rows || traits->has_warps) {
        return false;
    }
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        if (reads_number(simd_value_at(kernel, i))) {
            return false;
        }
    }
    return true;
}

static bool has_own_effect(LLVMValueRef at)
{
    return LLVMIsAAtomicRMWInst(at) != NULL || LLVMIsAAtomicCmpXchgInst(at) != NULL ||
           (LLVMIsALoadInst(at) != NULL && LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic) ||
           (LLVMIsAStoreInst(at) != NULL && LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic) ||
           reads_number(at);
}

bool simd_rows_are_copies(const struct simd_kernel *kernel)
{
    const struct simd_traits *traits = simd_traits_of(kernel);
    if (!traits->has_ranges || traits->uses_rows || traits->has_warps ||
        traits->barrier_count != 0) {
        return false;
    }
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        if (has_own_effect(simd_value_at(kernel, i))) {
            return false;
        }
    }
    return true;
}

static uint64_t cost_of(const struct simd_kernel *kernel, LLVMValueRef access)
{
    const struct simd_shape *shape = simd_shape_of(kernel, simd_accessed(access));
    uint64_t size = LLVMABISizeOfType(simd_context_of(kernel)->layout, simd_accessed_type(access));
    uint64_t stride = shape->kind == SHAPE_LINEAR ? (uint64_t)shape->stride : UINT64_MAX;
    return shape->kind <= SHAPE_VECTOR || stride == 0 || stride == size ? CONTIGUOUS
           : stride <= MOST_INTERLEAVED * size                          ? INTERLEAVED
                                                                        : GATHER;
}

static uint64_t executions_at(const struct simd_graph *graph, int node)
{
    uint64_t executions = 1;
    int loop = graph->loop_of[node];
    for (int depth = 0; loop >= 0 && depth < MOST_DEPTH; depth++) {
        executions *= OF_A_LOOP;
        loop = graph->loops[loop].parent;
    }
    return executions;
}

uint64_t simd_access_cost(const struct simd_kernel *kernel)
{
    const struct simd_graph *graph = simd_graph_build(kernel, 0, true, NULL);
    uint64_t cost = 0;
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        LLVMValueRef at = simd_value_at(kernel, i);
        if (LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL) {
            cost += cost_of(kernel, at) * executions_at(graph, simd_node_of(kernel, at));
        }
    }
    return cost;
}
