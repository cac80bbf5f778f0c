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
#include "simd/ir/values.h"
#include "simd/plan/access.h"

#include <llvm-c/Target.h>

/* LEAST_BITS: a narrower index would wrap within a tile. */
enum { MOST_DEPTH = 10, BITS_OF_ADDRESS = 64, MOST_BYTES = 8, LEAST_BITS = 8 };

struct search {
    const struct simd_graph *graph;
    int loop;
};

/* ---- how a value grows from one iteration to the next ---- */

/* Modulo 2^bits, as the value's type computes. */
struct growth {
    bool is_known;
    int64_t by;
};

static const struct growth unknown = {.is_known = false}, none = {.is_known = true};

static struct growth growth_of(const struct search *search, struct simd_row_tile *tile,
                               LLVMValueRef value, unsigned depth);

static bool is_outside(const struct search *search, LLVMValueRef value)
{
    return !simd_is_in_loop(search->graph, search->loop, value);
}

static int64_t constant_of(LLVMValueRef value, bool *is_constant)
{
    *is_constant = LLVMIsAConstantInt(value) != NULL &&
                   LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= BITS_OF_ADDRESS;
    return *is_constant ? LLVMConstIntGetSExtValue(value) : 0;
}

/* A phi of the loop's header that grows by a constant. The phi of an inner loop does not count. */
static struct growth growth_of_phi(const struct search *search, LLVMValueRef phi)
{
    unsigned header = search->graph->loops[search->loop].header;
    if (simd_node_of(simd_kernel_of(search->graph), phi) != (int)header) {
        return unknown;
    }
    struct growth result = {.is_known = false};
    LLVMValueRef step = simd_step_of(search->graph, search->loop, phi);
    if (step != NULL && LLVMCountIncoming(phi) == 2) {
        result.by = constant_of(step, &result.is_known);
    }
    return result;
}

/* A pointer that is advanced by a constant number of bytes. */
static struct growth growth_of_pointer_phi(const struct search *search, LLVMValueRef phi)
{
    unsigned header = search->graph->loops[search->loop].header;
    for (unsigned i = 0; i < 2 && LLVMCountIncoming(phi) == 2; i++) {
        struct growth result = {.is_known = true};
        LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        bool is_next = simd_node_of(simd_kernel_of(search->graph), phi) == (int)header &&
                       !is_outside(search, next) && simd_without_constants(next, &result.by) == phi;
        if (is_next && is_outside(search, LLVMGetIncomingValue(phi, 1 - i))) {
            return result;
        }
    }
    return unknown;
}

/* The extension grows as the narrow value does, if that does not wrap. */
static struct growth growth_of_extension(const struct search *search, struct simd_row_tile *tile,
                                         LLVMValueRef extension, unsigned depth)
{
    LLVMValueRef value = LLVMGetOperand(extension, 0);
    struct growth result = growth_of(search, tile, value, depth);
    if (result.is_known && result.by != 0) {
        struct simd_narrow narrow = {
            .value = value, .by = result.by, .is_signed = LLVMIsASExtInst(extension) != NULL};
        LOWER_PUSH(tile->narrow, tile->narrow_count, narrow);
        result.is_known = result.by > 0 && LLVMGetIntTypeWidth(LLVMTypeOf(value)) >= LEAST_BITS;
    }
    return result;
}

static struct growth growth_of_sum(const struct search *search, struct simd_row_tile *tile,
                                   LLVMValueRef sum, unsigned depth)
{
    struct growth a = growth_of(search, tile, LLVMGetOperand(sum, 0), depth);
    struct growth b = growth_of(search, tile, LLVMGetOperand(sum, 1), depth);
    bool is_minus = LLVMGetInstructionOpcode(sum) == LLVMSub;
    return (struct growth){.is_known = a.is_known && b.is_known,
                           .by = is_minus ? a.by - b.by : a.by + b.by};
}

static struct growth growth_of_product(const struct search *search, struct simd_row_tile *tile,
                                       LLVMValueRef product, unsigned depth)
{
    bool is_constant;
    struct growth result = growth_of(search, tile, LLVMGetOperand(product, 0), depth);
    int64_t factor = constant_of(LLVMGetOperand(product, 1), &is_constant);
    bool is_shift = LLVMGetInstructionOpcode(product) == LLVMShl;
    bool is_small = is_constant && factor >= 0 && factor <= (is_shift ? 6 : 64);
    result.is_known = result.is_known && is_small;
    result.by = result.is_known ? result.by * (is_shift ? (int64_t)1 << factor : factor) : 0;
    return result;
}

/* The indices of an address, each times the size of its element. */
static struct growth growth_of_address(const struct search *search, struct simd_row_tile *tile,
                                       LLVMValueRef address, unsigned depth)
{
    LLVMTargetDataRef layout = simd_context_of(simd_kernel_of(search->graph))->layout;
    struct growth result = growth_of(search, tile, LLVMGetOperand(address, 0), depth);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    for (unsigned i = 1; result.is_known && i < (unsigned)LLVMGetNumOperands(address); i++) {
        LLVMValueRef index = LLVMGetOperand(address, i);
        if (i > 1 && LLVMGetTypeKind(type) != LLVMArrayTypeKind) {
            return LLVMIsAConstant(index) != NULL && i + 1 == (unsigned)LLVMGetNumOperands(address)
                       ? result
                       : unknown;
        }
        type = i > 1 ? LLVMGetElementType(type) : type;
        bool is_wide = LLVMGetIntTypeWidth(LLVMTypeOf(index)) == BITS_OF_ADDRESS;
        struct growth of_index = growth_of(search, tile, index, depth);
        bool is_small = of_index.by >= 0 && of_index.by <= MOST_BYTES;
        result.is_known = of_index.is_known && is_small && (is_wide || of_index.by == 0);
        result.by += of_index.by * (int64_t)LLVMABISizeOfType(layout, type);
    }
    return result;
}

static struct growth growth_of(const struct search *search, struct simd_row_tile *tile,
                               LLVMValueRef value, unsigned depth)
{
    if (is_outside(search, value)) {
        return none;
    }
    if (depth == 0) {
        return unknown;
    }
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMPHI:
        return is_pointer ? growth_of_pointer_phi(search, value) : growth_of_phi(search, value);
    case LLVMGetElementPtr:
        return growth_of_address(search, tile, value, depth - 1);
    case LLVMSExt:
    case LLVMZExt:
        return growth_of_extension(search, tile, value, depth - 1);
    case LLVMTrunc:
        return growth_of(search, tile, LLVMGetOperand(value, 0), depth - 1);
    case LLVMAdd:
    case LLVMSub:
        return growth_of_sum(search, tile, value, depth - 1);
    case LLVMOr:
        return LLVMGetIsDisjoint(value) ? growth_of_sum(search, tile, value, depth - 1) : unknown;
    case LLVMMul:
    case LLVMShl:
        return growth_of_product(search, tile, value, depth - 1);
    default:
        return unknown;
    }
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
    struct growth growth = growth_of_phi(search, phi);
    bool is_constant = true;
    int64_t more = phi == value ? 0 : constant_of(LLVMGetOperand(value, 1), &is_constant);
    *result = (struct simd_remaining){
        .counter = phi, .step = growth.by, .is_next = phi != value, .stays = LLVMIntEQ};
    return growth.is_known && (growth.by == 1 || growth.by == -1) && is_constant &&
           (phi == value || more == growth.by) &&
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

/* Numbers of 32 or 64 bits. */
static bool has_size(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
           (kind == LLVMIntegerTypeKind &&
            (LLVMGetIntTypeWidth(type) == 32 || LLVMGetIntTypeWidth(type) == 64));
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
        if (simd_node_of_number(kernel, v) < 0 || !is_gather(&search, load, exit->node) ||
            is_local(LLVMGetOperand(load, 0))) {
            continue;
        }
        struct growth growth = growth_of(&search, &tile, LLVMGetOperand(load, 0), MOST_DEPTH);
        int64_t size =
            (int64_t)LLVMABISizeOfType(simd_context_of(kernel)->layout, LLVMTypeOf(load));
        if (growth.is_known && growth.by == size) {
            result.items[result.count++] = tile;
        }
    }
    if (result.count != 0 && !find_stores(&search, &result)) {
        result.count = 0;
    }
    return result;
}
