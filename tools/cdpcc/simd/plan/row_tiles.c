/* Loads of a loop in which each lane reads along a row of memory of its own.
 *
 *     int row = blockIdx.x * blockDim.x + threadIdx.x;
 *     for (int k = 0; k < n; k++) sum += a[row * n + k] * x[k];
 *
 * The load of a is a gather, and each of its elements is in another cache line. But the next
 * iterations read the next elements of these lines. So every P iterations a tile is read: P
 * elements of each lane's row, which are contiguous. They are transposed in registers and kept on
 * the stack, one vector for each iteration (emit/row_tiles.c).
 *
 * A tile reads ahead of the program. This is the same if
 *
 *     the loop has that many iterations left, and each of them executes the load;
 *     the address grows by one element in each of them, without wrapping around;
 *     no store of the loop changes the elements: it has none, or to addresses that are the same in
 *     all iterations and are not in the tile. That is tested.
 *
 * Takes: a loop that all lanes leave together. Gives: its loads, and what to test. */
#include "simd/plan/row_tiles.h"

#include "ir/context.h"
#include "ir/value.h"
#include "simd/analysis/add_recurrence.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/chunk_conditions.h"
#include "simd/analysis/growth.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/dominators.h"
#include "simd/ir/edges.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/predicates.h"
#include "simd/ir/values.h"
#include "simd/plan/access.h"

#include <llvm-c/Target.h>

/* A narrower index would wrap around within a tile. */
enum { LEAST_BITS = 8 };

struct search {
    const struct simd_graph *graph;
    int loop;
};

static bool is_outside(const struct search *search, LLVMValueRef value)
{
    return !simd_is_in_loop(search->graph, search->loop, value);
}

/* ---- the end of the loop ---- */

/* The counter that the value is, or whose next value it is. */
static bool find_counter(const struct search *search, LLVMValueRef value,
                         struct simd_remaining *result)
{
    LLVMValueRef phi = value;
    if (LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMAdd) {
        phi = LLVMGetOperand(value, 0);
    }
    if (LLVMIsAPHINode(phi) == NULL || LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind) {
        return false;
    }
    struct simd_growth growth = simd_growth_of(search->graph, search->loop, phi);
    LLVMValueRef more = phi == value ? NULL : LLVMGetOperand(value, 1);
    bool is_next = more != NULL && growth.is_known && LLVMIsAConstantInt(more) != NULL &&
                   LLVMConstIntGetSExtValue(more) == growth.by;
    *result = (struct simd_remaining){
        .counter = phi, .step = growth.by, .is_next = phi != value, .stays = LLVMIntEQ};
    return growth.is_known && (growth.by == 1 || growth.by == -1) && (more == NULL || is_next) &&
           simd_is_uniform(simd_kernel_of(search->graph), phi);
}

/* Upwards a loop stays below its end, downwards above it. */
static bool is_in_direction(const struct simd_remaining *remaining)
{
    return remaining->stays == LLVMIntNE ||
           (remaining->stays != LLVMIntEQ &&
            simd_order_of(remaining->stays)->is_less == (remaining->step > 0));
}

static bool find_remaining(const struct search *search, const struct simd_edge_name *exit,
                           struct simd_remaining *result)
{
    const struct simd_kernel *kernel = simd_kernel_of(search->graph);
    const struct simd_node *at = simd_node(kernel, exit->node);
    LLVMValueRef condition = at->condition;
    if (at->match != NULL || LLVMIsAICmpInst(condition) == NULL) {
        return false;
    }
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef end = LLVMGetOperand(condition, 1 - i);
        if (!find_counter(search, LLVMGetOperand(condition, i), result) ||
            !is_outside(search, end) || !simd_is_uniform(kernel, end)) {
            continue;
        }
        LLVMIntPredicate holds = LLVMGetICmpPredicate(condition);
        holds = i == 0 ? holds : simd_order_of(holds)->swapped;
        result->end = end;
        result->stays = exit->which == 0 ? simd_order_of(holds)->inverse : holds;
        return is_in_direction(result);
    }
    return false;
}

/* ---- stores ---- */

/* Adds a store that must be tested, but only one of those to the same address. */
static void add_store(struct simd_row_tiles *result, LLVMValueRef store)
{
    for (size_t i = 0; i < result->store_count; i++) {
        if (simd_accessed(result->stores[i]) == simd_accessed(store) &&
            simd_accessed_type(result->stores[i]) == simd_accessed_type(store)) {
            return;
        }
    }
    LOWER_PUSH(result->stores, result->store_count, store);
}

/* Whether tiles may be read in spite of the instruction. Calls of checks must come before the
 * access that they check, so these programs have no tiles. */
static bool allows_tiles(const struct search *search, LLVMValueRef at,
                         struct simd_row_tiles *result)
{
    if (simd_is_order(at) || simd_is_volatile(at) ||
        (LLVMIsACallInst(at) != NULL && !simd_is_pure_call(at))) {
        return false;
    }
    if (LLVMIsAStoreInst(at) != NULL) {
        add_store(result, at);
        return is_outside(search, simd_accessed(at));
    }
    return true;
}

/* Edges that lanes take rarely are left out of the graph, so they would be unknown exits. */
static bool is_cut(const struct simd_graph *graph, unsigned node)
{
    return graph->cut != NULL && graph->cut[node] >= 0;
}

static bool find_stores(const struct search *search, struct simd_row_tiles *result)
{
    const struct simd_graph *graph = search->graph;
    for (size_t i = 0; i < graph->count; i++) {
        unsigned node = graph->order[i];
        if (!simd_in_loop(graph, search->loop, node)) {
            continue;
        }
        const struct simd_node *at = simd_node(simd_kernel_of(graph), node);
        for (LLVMValueRef in = at->first; in != NULL; in = LLVMGetNextInstruction(in)) {
            if (!allows_tiles(search, in, result)) {
                return false;
            }
            if (in == at->last) {
                break;
            }
        }
        if (is_cut(graph, node)) {
            return false;
        }
    }
    return result->store_count <= SIMD_MOST_TILES;
}

/* ---- loads ---- */

/* Numbers of 8 to 64 bits. */
static bool has_size(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned bits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMHalfTypeKind ||
           kind == LLVMBFloatTypeKind || bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* A gather of every iteration. Rows that are few elements apart are strided loads or groups. */
static bool is_gather(const struct search *search, LLVMValueRef load, unsigned exiting)
{
    const struct simd_kernel *kernel = simd_kernel_of(search->graph);
    int node = simd_node_of(kernel, load);
    bool is_of_every_iteration = simd_has_node(search->graph, node) &&
                                 simd_loop_of(search->graph, node) == search->loop &&
                                 simd_dominates(search->graph, (unsigned)node, exiting);
    if (!is_of_every_iteration || LLVMIsALoadInst(load) == NULL || !simd_is_plain_load(load) ||
        !has_size(LLVMTypeOf(load))) {
        return false;
    }
    return simd_is_far_apart(kernel, load) && !simd_is_shared(LLVMGetOperand(load, 0));
}

static bool is_local(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        address = LLVMGetOperand(address, 0);
    }
    return LLVMIsAAllocaInst(address) != NULL;
}

/* The address grows by one element in each iteration. Emission tests that narrow numbers do not
 * wrap around within a tile, and that they grow. */
static bool is_along_row(const struct search *search, struct simd_row_tile *tile)
{
    LLVMTargetDataRef layout = simd_context_of(simd_kernel_of(search->graph))->layout;
    int64_t size = (int64_t)LLVMABISizeOfType(layout, LLVMTypeOf(tile->load));
    struct simd_growth growth =
        simd_growth_of(search->graph, search->loop, LLVMGetOperand(tile->load, 0));
    for (size_t i = 0; i < growth.narrow_count; i++) {
        const struct simd_narrow *narrow = &growth.narrow[i];
        if (narrow->by < 0 || LLVMGetIntTypeWidth(LLVMTypeOf(narrow->value)) < LEAST_BITS) {
            return false;
        }
    }
    tile->narrow = growth.narrow;
    tile->narrow_count = growth.narrow_count;
    return growth.is_known && growth.by == size;
}

struct simd_row_tiles simd_find_row_tiles(const struct simd_graph *graph, int loop,
                                          const struct simd_edge_name *exit, unsigned vectors)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    struct search search = {.graph = graph, .loop = loop};
    struct simd_row_tiles result = {.count = 0};
    if (vectors > SIMD_MOST_TILE_VECTORS || !find_remaining(&search, exit, &result.remaining)) {
        return result;
    }
    for (size_t v = 0; v < simd_value_count(kernel) && result.count < SIMD_MOST_TILES; v++) {
        LLVMValueRef load = simd_value_at(kernel, v);
        struct simd_row_tile tile = {.load = load};
        if (simd_node_of_number(kernel, v) >= 0 && is_gather(&search, load, exit->node) &&
            !is_local(LLVMGetOperand(load, 0)) && is_along_row(&search, &tile)) {
            result.items[result.count++] = tile;
        }
    }
    if (result.count != 0 && !find_stores(&search, &result)) {
        result.count = 0;
    }
    return result;
}
