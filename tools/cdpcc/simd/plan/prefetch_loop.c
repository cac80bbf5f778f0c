/* Memory that later iterations of a loop will read.
 *
 * In for (i = thread; i < n; i += threads of the grid) an iteration reads a row here, and the next
 * one far away: the processor sees no order in that, and waits.  So each iteration asks for the
 * rows that come some iterations later, as far as the loop will get there.  It is a hint: an
 * address that is none does no harm, but what nobody will read takes the place of other data. */
#include "simd/plan/prefetch_loop.h"

#include "simd/analysis/facts.h"
#include "simd/ir/instructions.h"
#include "simd/analysis/affine.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/dominators.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"

#include "abi/cdp_abi.h"

enum {
    LINE = 64,
    BYTES_AHEAD = 1024, /* that memory brings while they are worked on */
    FEWEST_TURNS = 2,
    MOST_TURNS = 8,
    MOST_LINES = 16, /* of one load; an iteration that reads more takes long enough */
    MOST_DEPTH = 8,
};

/* ---- loops that stride ---- */

static bool asks_within(LLVMValueRef value, int field, unsigned depth)
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
        found = asks_within(LLVMGetOperand(value, i), field, depth - 1);
    }
    return found;
}

bool simd_depends_on_field(LLVMValueRef value, size_t field, unsigned depth)
{
    return asks_within(value, (int)field, depth);
}

/* What is added to the phi in each iteration; NULL if it is no stride. */
static LLVMValueRef step_of(const struct simd_graph *graph, int loop, LLVMValueRef phi)
{
    const struct simd_kernel *kernel = graph->kernel;
    LLVMValueRef step = simd_step_of(graph, loop, phi);
    bool is_stride =
        step != NULL && simd_shape_of(kernel, phi).kind == SHAPE_LINEAR &&
        simd_shape_of(kernel, step).kind <= SHAPE_UNIFORM &&
        simd_depends_on_field(step, offsetof(struct cdp_abi_block, grid_dim), MOST_DEPTH);
    return is_stride ? step : NULL;
}

struct simd_stride simd_find_stride(const struct simd_graph *graph, int loop)
{
    struct simd_stride found = {.step = NULL};
    found.index = graph->kernel->nodes[graph->loops[loop].header].first;
    while (found.index != NULL && LLVMIsAPHINode(found.index) != NULL) {
        found.step = step_of(graph, loop, found.index);
        if (found.step != NULL) {
            return found;
        }
        found.index = LLVMGetNextInstruction(found.index);
    }
    return found;
}

static bool hangs_within(LLVMValueRef value, LLVMValueRef index, unsigned depth)
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
        found = hangs_within(LLVMGetOperand(value, i), index, depth - 1);
    }
    return found;
}

bool simd_depends_on(LLVMValueRef value, LLVMValueRef phi)
{
    return hangs_within(value, phi, MOST_DEPTH);
}

int64_t simd_strides_by(const struct simd_graph *graph, const struct simd_stride *stride,
                        LLVMValueRef at)
{
    const struct simd_kernel *kernel = graph->kernel;
    if (LLVMIsALoadInst(at) == NULL || !simd_depends_on(LLVMGetOperand(at, 0), stride->index)) {
        return 0;
    }
    struct simd_shape shape = simd_shape_of(kernel, LLVMGetOperand(at, 0));
    int64_t size = (int64_t)LLVMABISizeOfType(kernel->lower->layout, LLVMTypeOf(at));
    return shape.kind == SHAPE_LINEAR && shape.stride == size ? size : 0;
}

/* ---- hints ---- */

/* A loop at the end of an iteration. */
struct turn {
    struct simd_emit *emit;
    struct simd_stride stride;
    int loop;
    unsigned last; /* the node that decides */
    int64_t ahead; /* turns */
    LLVMValueRef
        step; /* i64: of the index, so many iterations on; zero where the loop will have ended */
};

/* Otherwise, for all that the optimizer knows, it might write to any memory. */
static void mark_harmless(const struct simd_emit *emit, LLVMValueRef call)
{
    enum { UNREACHABLE_MEMORY_ONLY = 3 << 2 }; /* as LLVM's ModRefInfo of IRMemLocation has it */
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAddCallSiteAttribute(
        call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(emit->lower->llvm, kind, UNREACHABLE_MEMORY_ONLY));
}

void simd_prefetch(struct simd_emit *emit, LLVMValueRef start, LLVMValueRef offset, int64_t bytes)
{
    LLVMTypeRef i8 = emit->lower->i8, i32 = emit->lower->i32;
    LLVMValueRef row = LLVMBuildGEP2(emit->builder, i8, start, &offset, 1, "ahead");
    for (int64_t line = 0; line < bytes && line < (int64_t)MOST_LINES * LINE; line += LINE) {
        LLVMValueRef at = simd_int(emit->lower->i64, line);
        LLVMValueRef arguments[] = {LLVMBuildGEP2(emit->builder, i8, row, &at, 1, ""),
                                    simd_int(i32, 0), simd_int(i32, 3), simd_int(i32, 1)};
        mark_harmless(emit,
                      simd_intrinsic(emit, "llvm.prefetch", &emit->lower->ptr, 1, arguments, 4));
    }
}

/* Vectors side by side read one row where the block has only one. */
static void ask_for_rows(const struct turn *turn, LLVMValueRef load, int64_t size)
{
    struct simd_emit *emit = turn->emit;
    struct simd_value at = simd_get(emit, LLVMGetOperand(load, 0));
    int64_t each = simd_shape_of(emit->kernel, turn->stride.index).stride;
    if (at.shape.kind != SHAPE_LINEAR || each == 0 || size % each != 0) {
        return;
    }
    LLVMValueRef factor = simd_int(emit->lower->i64, size / each);
    LLVMValueRef offset = LLVMBuildMul(emit->builder, turn->step, factor, "");
    unsigned rows = emit->kernel->variant.layout == LAYOUT_LINE ? 1 : emit->vectors;
    for (unsigned u = 0; u < rows; u++) {
        simd_prefetch(emit, at.scalar[u], offset, size * emit->lanes * (emit->vectors / rows));
    }
}

/* Bytes of each lane that the value reads in every turn, if it is such a load. */
static int64_t bytes_of(const struct turn *turn, size_t value)
{
    const struct simd_graph *graph = turn->emit->graph;
    int node = graph->kernel->node_of[value];
    if (node < 0 || graph->position[node] < 0 || graph->loop_of[node] != turn->loop ||
        !simd_dominates(graph, (unsigned)node, turn->last)) {
        return 0;
    }
    return simd_strides_by(graph, &turn->stride, graph->kernel->values[value]);
}

static int64_t turns_ahead(const struct turn *turn)
{
    const struct simd_emit *emit = turn->emit;
    int64_t bytes = 0;
    for (size_t v = 0; v < emit->kernel->value_count; v++) {
        bytes += bytes_of(turn, v) * emit->lanes * emit->vectors;
    }
    int64_t turns = bytes == 0 ? 0 : BYTES_AHEAD / bytes;
    return bytes == 0             ? 0
           : turns < FEWEST_TURNS ? FEWEST_TURNS
           : turns > MOST_TURNS   ? MOST_TURNS
                                  : turns;
}

/* The comparison that ends the loop, as it will be then.  NULL: not known. */
static LLVMValueRef will_stay(const struct turn *turn, LLVMValueRef step, bool wanted)
{
    struct simd_emit *emit = turn->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef condition = emit->kernel->nodes[turn->last].condition, sides[2];
    bool is_known = false;
    for (unsigned i = 0; i < 2; i++) {
        struct simd_value side = simd_get(emit, LLVMGetOperand(condition, i));
        sides[i] = simd_scalar(&side, 0);
        LLVMTypeRef type = LLVMTypeOf(sides[i]);
        if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) {
            return NULL;
        }
        if (side.shape.kind == SHAPE_LINEAR && !is_known) {
            LLVMValueRef on = LLVMBuildIntCast2(b, step, type, 1, "");
            on = LLVMBuildMul(b, on, simd_int(type, turn->ahead - 1), "");
            sides[i] = LLVMBuildAdd(b, sides[i], on, "");
            is_known = true;
        }
    }
    LLVMValueRef holds = LLVMBuildICmp(b, LLVMGetICmpPredicate(condition), sides[0], sides[1], "");
    return !is_known ? NULL : wanted ? holds : LLVMBuildNot(b, holds, "");
}

void simd_prefetch_ahead(struct simd_emit *emit, int loop, unsigned last, bool wanted)
{
    struct turn turn = {.emit = emit, .loop = loop, .last = last};
    turn.stride = simd_find_stride(emit->graph, loop);
    turn.ahead = turn.stride.step == NULL ? 0 : turns_ahead(&turn);
    if (turn.ahead == 0) {
        return;
    }
    LLVMTypeRef i64 = emit->lower->i64;
    struct simd_value by = simd_get(emit, turn.stride.step);
    LLVMValueRef stays = will_stay(&turn, by.scalar[0], wanted);
    if (stays == NULL) {
        return;
    }
    LLVMValueRef step = LLVMBuildIntCast2(emit->builder, by.scalar[0], i64, 1, "");
    step = LLVMBuildMul(emit->builder, step, simd_int(i64, turn.ahead), "");
    turn.step = LLVMBuildSelect(emit->builder, stays, step, simd_int(i64, 0), "");
    for (size_t v = 0; v < emit->kernel->value_count; v++) {
        int64_t size = bytes_of(&turn, v);
        if (size != 0) {
            ask_for_rows(&turn, emit->kernel->values[v], size);
        }
    }
}
