/* Rows far apart that the turns of a loop read, as in sums of a matrix's columns.
 *
 * The processor does not foresee them, and what it can do meanwhile is a few turns: so each turn
 * asks for the rows that one some turns later will load.  A hint, as in ahead.c: nothing is read. */
#include "block/block.h"

enum {
    FAR = 1024, /* bytes between rows; what is nearer is foreseen */
    TURNS_AHEAD = 8,
    MANY_TURNS = 4 * TURNS_AHEAD,
    MOST_ROWS = 4,
};

/* In a loop that all lanes leave at once. */
struct along {
    struct block_emit *emit;
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
    const struct block_graph *graph = along->emit->graph;
    int node = graph->kernel->node_of[value];
    return node >= 0 && graph->position[node] >= 0 && graph->loop_of[node] == along->loop &&
           block_dominates(graph, (unsigned)node, along->last);
}

/* i64: bytes to the row that the load reads in the next turn; NULL if it is none to ask for. */
static LLVMValueRef distance_of(const struct along *along, size_t value)
{
    const struct block_kernel *kernel = along->emit->kernel;
    LLVMValueRef load = kernel->values[value];
    if (LLVMIsALoadInst(load) == NULL || !is_of_every_turn(along, value)) {
        return NULL;
    }
    LLVMValueRef address = LLVMGetOperand(load, 0);
    struct block_shape shape = block_shape_of(kernel, address);
    int64_t size = (int64_t)LLVMABISizeOfType(kernel->lower->layout, LLVMTypeOf(load));
    if (shape.kind != SHAPE_LINEAR || shape.stride != size || block_is_shared(address) ||
        !block_is_at_hand(along->emit, address)) {
        return NULL;
    }
    struct block_slope slope = block_slope_by_turn(along->emit, along->loop, address);
    return slope.by != NULL && is_far(slope.by) ? slope.by : NULL;
}

/* i64: what a condition's side is compared with in every turn; NULL: not known. */
static LLVMValueRef end_of(const struct along *along, LLVMValueRef side)
{
    struct block_emit *emit = along->emit;
    if (LLVMGetTypeKind(LLVMTypeOf(side)) != LLVMIntegerTypeKind || !block_is_at_hand(emit, side)) {
        return NULL;
    }
    struct block_value value = block_get(emit, side);
    return value.shape.kind > SHAPE_UNIFORM
               ? NULL
               : LLVMBuildIntCast2(emit->builder, value.scalar[0], emit->lower->i64, 1, "");
}

/* i1: the loop has many turns, going by where it ends; NULL: not known.  That does not change from
 * turn to turn, so it costs nothing there; a few rows behind the last one are asked for. */
static LLVMValueRef is_long(const struct along *along)
{
    LLVMBuilderRef b = along->emit->builder;
    LLVMValueRef condition = along->emit->kernel->nodes[along->last].condition;
    LLVMValueRef end = NULL, step = NULL;
    for (unsigned i = 0; LLVMIsAICmpInst(condition) != NULL && i < 2; i++) {
        LLVMValueRef side = LLVMGetOperand(condition, i);
        struct block_slope slope = block_slope_by_turn(along->emit, along->loop, side);
        if (slope.by != NULL) {
            step = slope.by;
        } else if (slope.is_known) {
            end = end_of(along, side);
        }
    }
    if (end == NULL || step == NULL) {
        return NULL;
    }
    LLVMValueRef turns = block_int(along->emit->lower->i64, MANY_TURNS);
    return LLVMBuildICmp(b, LLVMIntSGE, end, LLVMBuildMul(b, step, turns, ""), "");
}

/* Vectors side by side may read one row: see optimize.c. */
static void ask_for_row(struct block_emit *emit, LLVMValueRef load, LLVMValueRef offset)
{
    struct block_value at = block_get(emit, LLVMGetOperand(load, 0));
    unsigned rows = emit->kernel->layout == LAYOUT_LINE ? 1 : emit->vectors;
    for (unsigned u = 0; at.shape.kind == SHAPE_LINEAR && u < rows; u++) {
        block_ask_for(emit, at.scalar[u], offset,
                      at.shape.stride * emit->lanes * (emit->vectors / rows));
    }
}

void block_look_along(struct block_emit *emit, int loop, unsigned last)
{
    LLVMBuilderRef b = emit->builder;
    struct along along = {.emit = emit, .loop = loop, .last = last};
    LLVMValueRef goes_on = NULL, none = block_int(emit->lower->i64, 0);
    unsigned count = 0;
    for (size_t v = 0; v < emit->kernel->value_count && count < MOST_ROWS; v++) {
        LLVMValueRef distance = emit->is_seldom ? NULL : distance_of(&along, v);
        if (distance == NULL) {
            continue;
        }
        goes_on = goes_on == NULL ? is_long(&along) : goes_on;
        if (goes_on == NULL) {
            return;
        }
        LLVMValueRef turns = block_int(emit->lower->i64, TURNS_AHEAD);
        LLVMValueRef offset = LLVMBuildMul(b, distance, turns, "");
        offset = LLVMBuildSelect(b, goes_on, offset, none, "");
        ask_for_row(emit, emit->kernel->values[v], offset);
        count++;
    }
}
