/* Rows far apart that the iterations of a loop read, as a product of matrices does.
 *
 * The processor does not foresee them.  Where an iteration does little with a row, it is soon at
 * the loads of many iterations on, and needs no help.  Where rows of threads do something with it
 * each, what waits for one row is all that it can hold: so the iteration asks for the row that one
 * some iterations later will load.  A hint, as in plan/prefetch_loop.c: nothing is read. */
#include "simd/plan/prefetch_far.h"

#include "simd/analysis/facts.h"
#include "simd/ir/instructions.h"
#include "simd/analysis/affine.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/dominators.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "simd/plan/prefetch_loop.h"

#include "abi/cdp_abi.h"

enum {
    MOST_DEPTH = 12,
    FEWEST_SHARING = 4, /* rows of threads that a row of memory serves */
    FAR = 1024,         /* bytes between rows; what is nearer is foreseen */
    TURNS_AHEAD = 8,
    CACHE = 1 << 19, /* bytes that are near even when rows come again */
    MOST_ROWS = 4,
};

/* In a loop that all lanes leave at once. */
struct along {
    struct simd_emit *emit;
    int loop;
    unsigned last; /* the node that decides whether there is another turn */
};

static bool is_far(LLVMValueRef distance)
{
    if (LLVMIsAConstantInt(distance) == NULL) {
        return true;
    }
    int64_t bytes = LLVMConstIntGetSExtValue(distance);
    return bytes >= FAR || bytes <= -FAR;
}

static bool is_of_every_turn(const struct along *along, size_t value)
{
    const struct simd_graph *graph = along->emit->graph;
    int node = graph->kernel->node_of[value];
    return node >= 0 && graph->position[node] >= 0 && graph->loop_of[node] == along->loop &&
           simd_dominates(graph, (unsigned)node, along->last);
}

static bool hangs_on_row(const struct simd_emit *emit, LLVMValueRef value, unsigned depth);

/* By what it starts with, or by what is added in each iteration. */
static bool phi_hangs_on_row(const struct simd_emit *emit, LLVMValueRef phi, unsigned depth)
{
    bool hangs = depth == 0;
    for (unsigned i = 0; i < LLVMCountIncoming(phi) && !hangs; i++) {
        LLVMValueRef from = LLVMGetIncomingValue(phi, i);
        for (unsigned j = 0; j < 2 && LLVMIsABinaryOperator(from) != NULL; j++) {
            from = LLVMGetOperand(from, j) == phi ? LLVMGetOperand(from, !j) : from;
        }
        hangs = hangs_on_row(emit, from, depth - 1);
    }
    return hangs;
}

static bool hangs_on_row(const struct simd_emit *emit, LLVMValueRef value, unsigned depth)
{
    int field = simd_self_field(value) - (int)offsetof(struct cdp_abi_thread, thread_idx);
    if (LLVMIsAInstruction(value) == NULL) {
        return false;
    }
    if (LLVMIsAPHINode(value) != NULL) {
        return phi_hangs_on_row(emit, value, depth);
    }
    if (depth == 0 || field == 4 || field == 8) {
        return true;
    }
    bool hangs = false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value) && !hangs; i++) {
        hangs = hangs_on_row(emit, LLVMGetOperand(value, i), depth - 1);
    }
    return hangs;
}

/* Whether the chunk is enough rows of threads that all read one row of memory. */
static bool is_shared_by_rows(const struct simd_emit *emit, LLVMValueRef address)
{
    const struct simd_size *size = emit->kernel->variant.size;
    unsigned threads = emit->lanes * emit->vectors;
    return emit->kernel->variant.layout == LAYOUT_ROWS && size != NULL && threads % size->x == 0 &&
           threads / size->x >= FEWEST_SHARING && !hangs_on_row(emit, address, MOST_DEPTH);
}

/* i64: bytes to the row that the load reads in the next iteration; NULL if it is none to ask for.
 */
static LLVMValueRef distance_of(const struct along *along, size_t value)
{
    const struct simd_kernel *kernel = along->emit->kernel;
    LLVMValueRef load = kernel->values[value];
    if (LLVMIsALoadInst(load) == NULL || !is_of_every_turn(along, value)) {
        return NULL;
    }
    LLVMValueRef address = LLVMGetOperand(load, 0);
    struct simd_shape shape = simd_shape_of(kernel, address);
    int64_t size = (int64_t)LLVMABISizeOfType(kernel->lower->layout, LLVMTypeOf(load));
    if (shape.kind != SHAPE_LINEAR || shape.stride != size || simd_is_shared(address) ||
        !is_shared_by_rows(along->emit, address) || !simd_is_at_hand(along->emit, address)) {
        return NULL;
    }
    struct simd_slope slope = simd_slope_by_turn(along->emit, along->loop, address);
    return slope.by != NULL && is_far(slope.by) ? slope.by : NULL;
}

/* i64: what a condition's side is compared with in every turn; NULL: not known. */
static LLVMValueRef end_of(const struct along *along, LLVMValueRef side)
{
    struct simd_emit *emit = along->emit;
    if (LLVMGetTypeKind(LLVMTypeOf(side)) != LLVMIntegerTypeKind || !simd_is_at_hand(emit, side)) {
        return NULL;
    }
    struct simd_value value = simd_get(emit, side);
    return value.shape.kind > SHAPE_UNIFORM
               ? NULL
               : LLVMBuildIntCast2(emit->builder, value.scalar[0], emit->lower->i64, 1, "");
}

/* i1: the loop reads much, going by where it ends; NULL: not known.  That does not change from turn
 * to turn, so it costs nothing there; a few rows behind the last one are asked for. */
static LLVMValueRef reads_much(const struct along *along, LLVMValueRef distance)
{
    LLVMBuilderRef b = along->emit->builder;
    LLVMValueRef condition = along->emit->kernel->nodes[along->last].condition;
    LLVMValueRef end = NULL, step = NULL;
    for (unsigned i = 0; LLVMIsAICmpInst(condition) != NULL && i < 2; i++) {
        LLVMValueRef side = LLVMGetOperand(condition, i);
        struct simd_slope slope = simd_slope_by_turn(along->emit, along->loop, side);
        if (slope.by != NULL) {
            step = slope.by;
        } else if (slope.is_known) {
            end = end_of(along, side);
        }
    }
    if (end == NULL || step == NULL) {
        return NULL;
    }
    LLVMValueRef bytes = LLVMBuildMul(b, end, distance, "");
    LLVMValueRef least = LLVMBuildMul(b, step, simd_int(along->emit->lower->i64, CACHE), "");
    return LLVMBuildICmp(b, LLVMIntSGE, bytes, least, "");
}

/* The chunk starts where a row of threads does, which reads the whole of one of memory. */
static void ask_for_row(struct simd_emit *emit, LLVMValueRef load, LLVMValueRef offset)
{
    struct simd_value at = simd_get(emit, LLVMGetOperand(load, 0));
    if (at.shape.kind == SHAPE_LINEAR) {
        simd_prefetch(emit, at.scalar[0], offset, at.shape.stride * emit->kernel->variant.size->x);
    }
}

void simd_prefetch_along(struct simd_emit *emit, int loop, unsigned last)
{
    LLVMBuilderRef b = emit->builder;
    struct along along = {.emit = emit, .loop = loop, .last = last};
    LLVMValueRef none = simd_int(emit->lower->i64, 0);
    unsigned count = 0;
    for (size_t v = 0; v < emit->kernel->value_count && count < MOST_ROWS; v++) {
        LLVMValueRef distance = emit->is_cold ? NULL : distance_of(&along, v);
        LLVMValueRef much = distance == NULL ? NULL : reads_much(&along, distance);
        if (much == NULL) {
            continue;
        }
        LLVMValueRef turns = simd_int(emit->lower->i64, TURNS_AHEAD);
        LLVMValueRef offset = LLVMBuildMul(b, distance, turns, "");
        offset = LLVMBuildSelect(b, much, offset, none, "");
        ask_for_row(emit, emit->kernel->values[v], offset);
        count++;
    }
}
