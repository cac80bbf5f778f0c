/* Values that live across barriers.
 *
 * A region may use what an earlier one computed.  Values made of parameters, indices
 * and constants are computed again in each chunk; others have slots: one scalar for
 * what is uniform, one for each vector, or an element for each thread.
 *
 * Where a barrier stands in a loop, a value can come from before the barrier at first
 * and be defined anew in the same region (also only for some lanes), or leave what is a loop of the
 * region without a phi: "mixed".  It lives in a variable of the chunk, of which LLVM makes phis.
 * One scalar does for it only while all lanes have the old value or all the new one; else it is
 * "torn", and varies. */
#include "simd/plan/slots.h"

#include "simd/analysis/facts.h"
#include "simd/ir/instructions.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/instruction.h"
#include "simd/ir/dominators.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"

enum { MOST_STEPS = 8 };

/* ---- which ---- */

struct uses {
    const struct simd_emit *emit;
    const struct simd_graph *graph;
    bool *live, *mixed, *torn;
};

/* A barrier in a loop makes smaller loops of it, which values leave without a phi. */
static bool leaves_loop(const struct simd_graph *graph, unsigned from, unsigned to)
{
    for (size_t i = 0; i < graph->loop_count; i++) {
        if (graph->loops[i].inside[from] && !graph->loops[i].inside[to]) {
            return true;
        }
    }
    return false;
}

/* Both nodes are behind the branch, on one way or another. */
static bool is_behind(const struct simd_graph *graph, unsigned branch, unsigned a, unsigned b)
{
    bool has_a = false, has_b = false;
    unsigned next[SIMD_NEXT], which[SIMD_NEXT];
    unsigned count = simd_graph_next(graph, branch, next, which);
    for (unsigned i = 0; i < count; i++) {
        const bool *below = simd_graph_reach(graph, next[i], -1);
        has_a |= below[a];
        has_b |= below[b];
    }
    return has_a && has_b;
}

/* Lanes that define the value anew go apart from others before both come to the use, or these
 * to theirs after them: there it is the new one for some lanes and the old one for others. */
static bool is_torn(const struct simd_graph *graph, unsigned from, unsigned node)
{
    if (graph->position[node] < graph->position[from] && !simd_graph_reach(graph, from, -1)[node]) {
        return false;
    }
    for (size_t i = 0; i < graph->count; i++) {
        const struct simd_node *at = &graph->kernel->nodes[graph->order[i]];
        if (at->end != END_CONDITION ||
            simd_shape_of(graph->kernel, at->condition).kind <= SHAPE_UNIFORM) {
            continue;
        }
        if (is_behind(graph, graph->order[i], from, node)) {
            return true;
        }
    }
    return false;
}

/* A phi uses what comes over an edge in the node before, and is made in its own. */
static void use(struct uses *uses, LLVMValueRef value, unsigned node, unsigned made)
{
    const struct simd_kernel *kernel = uses->emit->kernel;
    int number = value == NULL ? -1 : simd_number(kernel, value);
    int from = number < 0 ? -1 : kernel->node_of[number];
    if (from < 0) {
        return;
    }
    if (uses->graph->position[from] < 0) {
        uses->live[number] = true;
        return;
    }
    bool is_old = !simd_dominates(uses->graph, (unsigned)from, node);
    uses->live[number] |= is_old;
    if (is_old || leaves_loop(uses->graph, (unsigned)from, node)) {
        uses->mixed[number] = true;
        uses->torn[number] |= is_torn(uses->graph, (unsigned)from, made);
    }
}

static void use_in_phis(struct uses *uses, unsigned from)
{
    unsigned next[SIMD_NEXT], which[SIMD_NEXT];
    const struct simd_kernel *kernel = uses->emit->kernel;
    unsigned count = simd_graph_next(uses->graph, from, next, which);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef at = kernel->nodes[next[i]].first;
        for (; at != NULL && LLVMIsAPHINode(at) != NULL; at = LLVMGetNextInstruction(at)) {
            use(uses, simd_phi_value(kernel, at, from), from, next[i]);
        }
    }
}

static void use_in_node(struct uses *uses, unsigned node)
{
    const struct simd_node *at = &uses->emit->kernel->nodes[node];
    for (LLVMValueRef i = at->first; i != NULL && i != at->last; i = LLVMGetNextInstruction(i)) {
        unsigned count = LLVMIsAPHINode(i) != NULL ? 0 : (unsigned)LLVMGetNumOperands(i);
        for (unsigned j = 0; j < count; j++) {
            use(uses, LLVMGetOperand(i, j), node, node);
        }
    }
    use(uses, at->condition, node, node);
    if (at->end == END_BARRIER && simd_vote_of(at->last) != VOTE_NONE) {
        use(uses, LLVMGetOperand(at->last, 0), node, node);
    }
    use_in_phis(uses, node);
}

void simd_find_slots(struct simd_emit *emit, const struct simd_graph *graph, bool *live,
                     bool *mixed, bool *torn)
{
    struct uses uses = {.emit = emit, .graph = graph, .live = live, .mixed = mixed, .torn = torn};
    for (size_t i = 0; i < graph->count; i++) {
        use_in_node(&uses, graph->order[i]);
    }
}

/* Integers and addresses, without memory, and cannot fail. */
static bool is_arithmetic(LLVMValueRef instruction)
{
    switch ((int)LLVMGetInstructionOpcode(instruction)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMGetElementPtr:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMPtrToInt:
        return true;
    default:
        return false;
    }
}

bool simd_is_computable(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode != LLVMUDiv && opcode != LLVMSDiv) {
        return is_arithmetic(instruction);
    }
    LLVMValueRef by = LLVMIsAConstantInt(LLVMGetOperand(instruction, 1));
    return by != NULL && !LLVMIsNull(by) && LLVMConstIntGetSExtValue(by) != -1;
}

static bool is_constant_memory(const struct simd_emit *emit, LLVMValueRef load)
{
    int64_t offset;
    unsigned kind = LLVMGetMDKindIDInContext(emit->lower->llvm, "invariant.load", 14);
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    return LLVMGetMetadata(load, kind) != NULL ||
           (base != NULL && base == LLVMGetParam(emit->kernel->function, 0));
}

static bool can_recompute(const struct simd_emit *emit, LLVMValueRef value, unsigned steps)
{
    int number = simd_number(emit->kernel, value);
    if (number < 0 || emit->kernel->node_of[number] < 0 || LLVMIsAAllocaInst(value) != NULL) {
        return true;
    }
    if (LLVMIsALoadInst(value) != NULL) {
        return is_constant_memory(emit, value) &&
               (simd_is_self(value) || can_recompute(emit, LLVMGetOperand(value, 0), steps + 1));
    }
    if (!is_arithmetic(value)) {
        return false;
    }
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    for (unsigned i = 0; i < count; i++) {
        if (steps > MOST_STEPS || !can_recompute(emit, LLVMGetOperand(value, i), steps + 1)) {
            return false;
        }
    }
    return true;
}

bool simd_can_recompute(const struct simd_emit *emit, LLVMValueRef value)
{
    return can_recompute(emit, value, 0);
}

void simd_recompute(struct simd_emit *emit, LLVMValueRef value)
{
    int number = simd_number(emit->kernel, value);
    if (number < 0 || emit->values[number].is_set) {
        return;
    }
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    for (unsigned i = 0; i < count; i++) {
        simd_recompute(emit, LLVMGetOperand(value, i));
    }
    simd_instruction(emit, value);
}

/* ---- slots ---- */

static LLVMTypeRef stored_type(const struct simd_emit *emit, int number)
{
    LLVMTypeRef type = LLVMTypeOf(emit->kernel->values[number]);
    bool is_odd = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 8;
    return is_odd ? emit->lower->i8 : type;
}

static LLVMTypeRef part_type(const struct simd_emit *emit, int number, LLVMTypeRef type)
{
    bool varies = emit->kernel->facts->shapes[number].kind == SHAPE_VARYING;
    return varies ? simd_vector_type(emit, type) : type;
}

void simd_make_slot(struct simd_emit *emit, int number)
{
    struct simd_shape shape = emit->kernel->facts->shapes[number];
    LLVMTypeRef type = stored_type(emit, number);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) {
        simd_fail(emit, emit->kernel->values[number], "a struct in it lives across a barrier");
        return;
    }
    uint64_t size = LLVMABISizeOfType(emit->lower->layout, type);
    if (shape.kind <= SHAPE_UNIFORM) {
        emit->slots[number] = simd_alloca(emit, type, 16, "slot");
        return;
    }
    LLVMValueRef count = emit->padded_count;
    if (shape.kind != SHAPE_VARYING) {
        size = (size + emit->lanes - 1) / emit->lanes;
    }
    emit->slot_bytes += size;
    emit->slots[number] = simd_array(emit, type, count, "slot");
}

/* Elements of vectors and of threads lie at the same place: the waste is small. */
static LLVMValueRef slot_at(struct simd_emit *emit, int number, unsigned vector)
{
    struct simd_shape shape = emit->kernel->facts->shapes[number];
    if (shape.kind <= SHAPE_UNIFORM) {
        return emit->slots[number];
    }
    LLVMValueRef index = emit->first64[vector];
    if (shape.kind != SHAPE_VARYING) {
        index = LLVMBuildUDiv(emit->builder, index, simd_int(emit->lower->i64, emit->lanes), "");
    }
    return LLVMBuildInBoundsGEP2(emit->builder, stored_type(emit, number), emit->slots[number],
                                 &index, 1, "");
}

static LLVMValueRef load_part(struct simd_emit *emit, int number, unsigned vector)
{
    LLVMTypeRef type = LLVMTypeOf(emit->kernel->values[number]), stored = stored_type(emit, number);
    LLVMValueRef value = LLVMBuildLoad2(emit->builder, part_type(emit, number, stored),
                                        slot_at(emit, number, vector), "");
    LLVMSetAlignment(value, LLVMABIAlignmentOfType(emit->lower->layout, stored));
    return stored == type ? value
                          : LLVMBuildTrunc(emit->builder, value, part_type(emit, number, type), "");
}

/* Lanes that are off keep what they have. */
static LLVMValueRef merged(struct simd_emit *emit, struct simd_shape shape, unsigned vector,
                           LLVMValueRef now, LLVMValueRef before)
{
    LLVMValueRef on = shape.kind == SHAPE_VARYING ? emit->mask[vector]
                                                  : simd_any_for(emit, emit->mask, shape, vector);
    return LLVMBuildSelect(emit->builder, on, now, before, "");
}

static LLVMValueRef part_of(struct simd_emit *emit, int number, const struct simd_value *value,
                            unsigned vector)
{
    bool varies = emit->kernel->facts->shapes[number].kind == SHAPE_VARYING;
    return varies ? simd_vector(emit, value, vector) : simd_scalar(value, vector);
}

void simd_save_slot(struct simd_emit *emit, int number)
{
    struct simd_shape shape = emit->kernel->facts->shapes[number];
    LLVMTypeRef stored = stored_type(emit, number);
    for (unsigned u = 0; u < simd_parts(emit, shape); u++) {
        LLVMValueRef value = part_of(emit, number, &emit->values[number], u);
        if (emit->mask != NULL) {
            value = merged(emit, shape, u, value, load_part(emit, number, u));
        }
        if (stored != LLVMTypeOf(emit->kernel->values[number])) {
            value = LLVMBuildZExt(emit->builder, value, part_type(emit, number, stored), "");
        }
        LLVMValueRef store = LLVMBuildStore(emit->builder, value, slot_at(emit, number, u));
        LLVMSetAlignment(store, LLVMABIAlignmentOfType(emit->lower->layout, stored));
    }
}

void simd_load_slot(struct simd_emit *emit, int number)
{
    struct simd_shape shape = emit->kernel->facts->shapes[number];
    struct simd_value made = {.shape = shape, .is_set = true};
    for (unsigned u = 0; u < simd_parts(emit, shape); u++) {
        LLVMValueRef value = load_part(emit, number, u);
        *(shape.kind == SHAPE_VARYING ? &made.vector[u] : &made.scalar[u]) = value;
    }
    emit->values[number] = made;
}

/* ---- mixed values ---- */

static LLVMValueRef variable(struct simd_emit *emit, int number, unsigned vector)
{
    LLVMValueRef *made = &emit->variables[number][vector];
    if (*made == NULL) {
        LLVMTypeRef type = LLVMTypeOf(emit->kernel->values[number]);
        *made = simd_alloca(emit, part_type(emit, number, type), 64, "mixed");
    }
    return *made;
}

void simd_save_mixed(struct simd_emit *emit, int number, bool is_first)
{
    struct simd_shape shape = emit->kernel->facts->shapes[number];
    for (unsigned u = 0; u < simd_parts(emit, shape); u++) {
        LLVMValueRef value = part_of(emit, number, &emit->values[number], u);
        LLVMValueRef at = variable(emit, number, u);
        if (emit->mask != NULL && !is_first) {
            LLVMValueRef before = LLVMBuildLoad2(emit->builder, LLVMTypeOf(value), at, "");
            value = merged(emit, shape, u, value, before);
        }
        LLVMBuildStore(emit->builder, value, at);
    }
}

struct simd_value simd_load_mixed(struct simd_emit *emit, int number)
{
    struct simd_shape shape = emit->kernel->facts->shapes[number];
    LLVMTypeRef type = part_type(emit, number, LLVMTypeOf(emit->kernel->values[number]));
    struct simd_value made = {.shape = shape, .is_set = true};
    for (unsigned u = 0; u < simd_parts(emit, shape); u++) {
        LLVMValueRef value = LLVMBuildLoad2(emit->builder, type, variable(emit, number, u), "");
        *(shape.kind == SHAPE_VARYING ? &made.vector[u] : &made.scalar[u]) = value;
    }
    return made;
}
