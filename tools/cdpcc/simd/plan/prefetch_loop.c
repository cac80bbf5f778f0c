/* Prefetches of memory that later iterations of a grid-stride loop read.
 *
 * In for (i = thread; i < n; i += threads of the grid) the contiguous accesses of two iterations
 * are far apart: the hardware prefetcher sees no pattern, and loads wait.  So each iteration
 * prefetches what some iterations later read, as long as the loop will reach them.  A prefetch is a
 * hint and may name any address, but a line that is not read evicts other data.
 *
 * The distance is chosen by bytes: about BYTES_AHEAD bytes are in flight for all loads of the loop
 * together.  It is at least FEWEST_ITERATIONS and at most MOST_ITERATIONS. */
#include "simd/plan/prefetch_loop.h"

#include "ir/value.h"
#include "simd/analysis/chunk_conditions.h"
#include "simd/analysis/grid_stride.h"
#include "simd/analysis/shape.h"
#include "simd/ir/counts.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/node.h"
#include "simd/ir/placement.h"
#include "simd/ir/values.h"

enum {
    BYTES_AHEAD = 1024, /* that memory delivers while they are processed */
    FEWEST_ITERATIONS = 2,
    MOST_ITERATIONS = 8,
};

/* Bytes of each lane if the value is a load of every iteration at the stride's index; else 0. */
static int64_t bytes_of(const struct simd_graph *graph, int loop, unsigned last,
                        const struct simd_grid_stride *stride, size_t value)
{
    int node = simd_node_of_number(simd_kernel_of(graph), value);
    if (!simd_has_node(graph, node) || simd_loop_of(graph, node) != loop ||
        !simd_dominates(graph, (unsigned)node, last)) {
        return 0;
    }
    return simd_strides_by(graph, stride, simd_value_at(simd_kernel_of(graph), value));
}

/* The address must grow by a whole number of bytes for each 1 of the index. */
static void add_load(const struct simd_graph *graph, struct simd_loop_prefetch *result,
                     LLVMValueRef load, int64_t size)
{
    int64_t each = simd_shape_of(simd_kernel_of(graph), result->stride.index)->stride;
    if (each != 0 && size % each == 0) {
        struct simd_streamed streamed = {.load = load, .size = size, .factor = size / each};
        LOWER_PUSH(result->loads, result->count, streamed);
    }
}

/* The loop ends by a comparison of integers, and its affine operand shows the result of the
 * comparison some iterations later. */
static bool is_predictable(const struct simd_graph *graph, unsigned last)
{
    LLVMValueRef condition = simd_node(simd_kernel_of(graph), last)->condition;
    bool is_affine = false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef side = LLVMGetOperand(condition, i);
        if (LLVMGetTypeKind(LLVMTypeOf(side)) != LLVMIntegerTypeKind) {
            return false;
        }
        is_affine |= simd_shape_of(simd_kernel_of(graph), side)->kind == SHAPE_LINEAR;
    }
    return is_affine;
}

struct simd_loop_prefetch simd_find_loop_prefetch(const struct simd_graph *graph, int loop,
                                                  unsigned last, const struct simd_chunk *chunk)
{
    struct simd_loop_prefetch result = {.stride = simd_find_stride(graph, loop)};
    int64_t bytes = 0;
    for (size_t v = 0; result.stride.step != NULL && v < simd_value_count(simd_kernel_of(graph));
         v++) {
        int64_t size = bytes_of(graph, loop, last, &result.stride, v);
        if (size != 0) {
            bytes += size * chunk->lanes * chunk->vectors;
            add_load(graph, &result, simd_value_at(simd_kernel_of(graph), v), size);
        }
    }
    if (bytes != 0 && is_predictable(graph, last)) {
        int64_t iterations = BYTES_AHEAD / bytes;
        result.ahead = iterations < FEWEST_ITERATIONS ? FEWEST_ITERATIONS
                       : iterations > MOST_ITERATIONS ? MOST_ITERATIONS
                                                      : iterations;
    }
    return result;
}
