/* Prefetches of contiguous accesses whose rows are far apart in memory, as in a product of
 * matrices.
 *
 * The hardware prefetcher does not predict them.  If an iteration does little with a row of the
 * matrix, the processor soon reaches the loads of many later iterations, and no prefetch is needed.
 * If several rows of threads each use the row, the instructions that wait for one row fill the
 * processor's out-of-order window. So the iteration prefetches the row that some iterations later
 * load.
 *
 * In for (k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column], the load of b moves by a
 * whole row of n * 4 bytes in each iteration. Its address does not depend on threadIdx.y, so all
 * rows of threads in the chunk read the same elements.
 *
 * Takes: a loop that all lanes leave together, of a version whose size is known. Gives: up to
 * SIMD_MOST_FAR loads, each with its distance, the counter's step and the counter's end. With
 * these, emission tests whether the loop reads more than the caches keep (emit/prefetch.c). */
#include "simd/plan/prefetch_far.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/chunk_conditions.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/counts.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/node.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"
#include "simd/plan/available.h"
#include "simd/plan/strides.h"

#include <llvm-c/Core.h>

enum {
    MOST_DEPTH = 12,
    FEWEST_SHARING = 4, /* rows of threads that one row of memory serves */
    FAR = 1024,         /* bytes between rows; nearer rows are predicted by the hardware */
};

/* A loop that all lanes leave together. */
struct along {
    const struct simd_path *path;
    const struct simd_graph *graph;
    const struct simd_chunk *chunk;
    int loop;
    unsigned last; /* the node that decides whether there is another iteration */
};

/* A distance that is unknown here counts as far. */
static bool is_far(const struct simd_kernel *kernel, const struct simd_expression *distance)
{
    int64_t bytes;
    return !simd_expression_is_number(kernel, distance, &bytes) || bytes >= FAR || bytes <= -FAR;
}

/* The load is in the loop itself, and no branch jumps over it. */
static bool is_of_every_iteration(const struct along *along, size_t value)
{
    const struct simd_graph *graph = along->graph;
    int node = simd_node_of_number(simd_kernel_of(graph), value);
    return simd_has_node(graph, node) && simd_loop_of(graph, node) == along->loop &&
           simd_dominates(graph, (unsigned)node, along->last);
}

/* The value is computed from threadIdx.y or .z, or the search is too deep to tell. */
static bool depends_on_row(LLVMValueRef value, unsigned depth);

/* Through its start value, or through the value that is added in each iteration. */
static bool phi_depends_on_row(LLVMValueRef phi, unsigned depth)
{
    bool depends = depth == 0;
    for (unsigned i = 0; i < LLVMCountIncoming(phi) && !depends; i++) {
        LLVMValueRef from = LLVMGetIncomingValue(phi, i);
        for (unsigned j = 0; j < 2 && LLVMIsABinaryOperator(from) != NULL; j++) {
            from = LLVMGetOperand(from, j) == phi ? LLVMGetOperand(from, !j) : from;
        }
        depends = depends_on_row(from, depth - 1);
    }
    return depends;
}

static bool depends_on_row(LLVMValueRef value, unsigned depth)
{
    int field = simd_self_field(value) - (int)offsetof(struct cdp_abi_thread, thread_idx);
    if (LLVMIsAInstruction(value) == NULL) {
        return false;
    }
    if (LLVMIsAPHINode(value) != NULL) {
        return phi_depends_on_row(value, depth);
    }
    if (depth == 0 || field == 4 || field == 8) {
        return true;
    }
    bool depends = false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value) && !depends; i++) {
        depends = depends_on_row(LLVMGetOperand(value, i), depth - 1);
    }
    return depends;
}

/* The chunk has enough rows of threads that all read one row of memory. */
static bool is_shared_by_rows(const struct along *along, LLVMValueRef address)
{
    const struct simd_variant *variant = simd_variant_of(simd_kernel_of(along->graph));
    const struct simd_size *size = variant->size;
    unsigned threads = along->chunk->lanes * along->chunk->vectors;
    return variant->layout == LAYOUT_ROWS && size != NULL && threads % size->x == 0 &&
           threads / size->x >= FEWEST_SHARING && !depends_on_row(address, MOST_DEPTH);
}

/* Bytes to the row that the load reads in the next iteration; NULL: it is not prefetched.
 * The address must be contiguous in the lanes, and available where the loop decides about its end.
 */
static const struct simd_expression *distance_of(const struct along *along, size_t value)
{
    const struct simd_kernel *kernel = simd_kernel_of(along->graph);
    LLVMValueRef load = simd_value_at(kernel, value);
    if (LLVMIsALoadInst(load) == NULL || !is_of_every_iteration(along, value)) {
        return NULL;
    }
    LLVMValueRef address = LLVMGetOperand(load, 0);
    struct simd_shape shape = *simd_shape_of(kernel, address);
    int64_t size = (int64_t)LLVMABISizeOfType(simd_context_of(kernel)->layout, LLVMTypeOf(load));
    if (shape.kind != SHAPE_LINEAR || shape.stride != size || simd_is_shared(address) ||
        !is_shared_by_rows(along, address) ||
        !simd_is_available(along->path, along->graph, along->last, address)) {
        return NULL;
    }
    struct simd_stride stride =
        simd_stride_by_iteration(along->path, along->graph, along->loop, along->last, address);
    return stride.by != NULL && is_far(kernel, stride.by) ? stride.by : NULL;
}

/* An operand of the loop's condition that is available and the same in every iteration. */
static bool is_end(const struct along *along, LLVMValueRef side)
{
    return LLVMGetTypeKind(LLVMTypeOf(side)) == LLVMIntegerTypeKind &&
           simd_is_uniform(simd_kernel_of(along->graph), side) &&
           simd_is_available(along->path, along->graph, along->last, side);
}

/* False: it is unknown how much the loop reads. */
static bool find_end(const struct along *along, struct simd_far_load *result)
{
    LLVMValueRef condition = simd_node(simd_kernel_of(along->graph), along->last)->condition;
    for (unsigned i = 0; LLVMIsAICmpInst(condition) != NULL && i < 2; i++) {
        LLVMValueRef side = LLVMGetOperand(condition, i);
        struct simd_stride stride =
            simd_stride_by_iteration(along->path, along->graph, along->loop, along->last, side);
        if (stride.by != NULL) {
            result->step = stride.by;
        } else if (stride.is_known) {
            result->end = is_end(along, side) ? side : NULL;
        }
    }
    return result->end != NULL && result->step != NULL;
}

struct simd_far_prefetch simd_find_far_prefetch(const struct simd_path *path,
                                                const struct simd_graph *graph, int loop,
                                                unsigned last, const struct simd_chunk *chunk)
{
    struct along along = {.path = path, .graph = graph, .chunk = chunk, .loop = loop, .last = last};
    struct simd_far_prefetch result = {.count = 0};
    for (size_t v = 0; v < simd_value_count(simd_kernel_of(graph)) && result.count < SIMD_MOST_FAR;
         v++) {
        struct simd_far_load found = {.load = simd_value_at(simd_kernel_of(graph), v)};
        found.distance = distance_of(&along, v);
        if (found.distance != NULL && find_end(&along, &found)) {
            result.loads[result.count++] = found;
        }
    }
    return result;
}
