/* Atomic operations on the block's shared memory are plain ones: a block has one worker
 * from its first instruction to its last, no other block or grid can reach its shared
 * memory, and here one lane comes after the other. */
#include "simd/emit/atomics.h"

#include "simd/emit/metadata.h"
#include "simd/analysis/facts.h"
#include "ir/value.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/scalarize.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "support/arena.h"

/* Steps from an address back to where lanes differ. */
enum { MOST_DEPTH = 6 };

/* Lanes in straight code, and iterations of a loop over them. */
enum { MOST_IN_A_ROW = 16, MOST_TURNS = 4, WORD_BITS = 64 };

static LLVMValueRef pick(LLVMBuilderRef b, LLVMIntPredicate predicate, LLVMValueRef old,
                         LLVMValueRef value)
{
    return LLVMBuildSelect(b, LLVMBuildICmp(b, predicate, old, value, ""), old, value, "");
}

/* One more, from the limit on 0; one less, from 0 and above the limit on the limit. */
static LLVMValueRef wrapped(LLVMBuilderRef b, bool up, LLVMValueRef old, LLVMValueRef limit)
{
    LLVMTypeRef type = LLVMTypeOf(old);
    LLVMValueRef zero = LLVMConstNull(type), one = LLVMConstInt(type, 1, 0);
    if (up) {
        LLVMValueRef wraps = LLVMBuildICmp(b, LLVMIntUGE, old, limit, "");
        return LLVMBuildSelect(b, wraps, zero, LLVMBuildAdd(b, old, one, ""), "");
    }
    LLVMValueRef less = LLVMBuildSub(b, old, one, "");
    LLVMValueRef wraps = LLVMBuildICmp(b, LLVMIntUGE, less, limit, "");
    return LLVMBuildSelect(b, wraps, limit, less, "");
}

static LLVMValueRef combined(LLVMBuilderRef b, LLVMAtomicRMWBinOp operation, LLVMValueRef old,
                             LLVMValueRef value)
{
    switch ((int)operation) {
    case LLVMAtomicRMWBinOpAdd:
        return LLVMBuildAdd(b, old, value, "");
    case LLVMAtomicRMWBinOpSub:
        return LLVMBuildSub(b, old, value, "");
    case LLVMAtomicRMWBinOpAnd:
        return LLVMBuildAnd(b, old, value, "");
    case LLVMAtomicRMWBinOpOr:
        return LLVMBuildOr(b, old, value, "");
    case LLVMAtomicRMWBinOpXor:
        return LLVMBuildXor(b, old, value, "");
    case LLVMAtomicRMWBinOpMax:
        return pick(b, LLVMIntSGT, old, value);
    case LLVMAtomicRMWBinOpMin:
        return pick(b, LLVMIntSLE, old, value);
    case LLVMAtomicRMWBinOpUMax:
        return pick(b, LLVMIntUGT, old, value);
    case LLVMAtomicRMWBinOpUMin:
        return pick(b, LLVMIntULE, old, value);
    case LLVMAtomicRMWBinOpUIncWrap:
        return wrapped(b, true, old, value);
    case LLVMAtomicRMWBinOpUDecWrap:
        return wrapped(b, false, old, value);
    case LLVMAtomicRMWBinOpFAdd:
        return LLVMBuildFAdd(b, old, value, "");
    case LLVMAtomicRMWBinOpFSub:
        return LLVMBuildFSub(b, old, value, "");
    default:
        return value;
    }
}

struct simd_swap simd_plain_atomic(struct simd_emit *emit, LLVMValueRef instruction,
                                   const LLVMValueRef *operands)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef type = LLVMTypeOf(operands[1]);
    unsigned align = LLVMGetAlignment(instruction);
    struct simd_swap swap = {.old = LLVMBuildLoad2(b, type, operands[0], "old")};
    LLVMSetAlignment(swap.old, align);
    LLVMValueRef now;
    if (LLVMIsAAtomicCmpXchgInst(instruction) != NULL) {
        swap.is_equal = LLVMBuildICmp(b, LLVMIntEQ, swap.old, operands[1], "");
        now = LLVMBuildSelect(b, swap.is_equal, operands[2], swap.old, "");
    } else {
        now = combined(b, LLVMGetAtomicRMWBinOp(instruction), swap.old, operands[1]);
    }
    LLVMValueRef store = LLVMBuildStore(b, now, operands[0]);
    LLVMSetAlignment(store, align);
    simd_alias_mark(emit, instruction, swap.old);
    simd_alias_mark(emit, instruction, store);
    return swap;
}

/* ---- one lane's operands ---- */

/* What lanes' operands are made from: vectors that a loop takes one after the other. */
struct leaves {
    struct leaf {
        LLVMValueRef value;
        LLVMValueRef vector[SIMD_MOST_VECTORS]; /* of the chunk */
        LLVMValueRef phi[SIMD_MOST_VECTORS];    /* those that are left; the next one first */
    } *items;
    size_t count;
};

/* A lane of a vector, as it is, or as the loop over the vectors has it. */
struct place {
    struct simd_emit *emit;
    const struct leaves *leaves; /* NULL: no loop */
    unsigned vector, lane;
};

static LLVMValueRef lane_of(const struct place *place, LLVMValueRef value, unsigned depth);

/* The value differs from lane to lane, and its operands are known. */
static bool is_open(const struct simd_emit *emit, LLVMValueRef value)
{
    int number = simd_number(emit->kernel, value);
    return number >= 0 && LLVMIsAInstruction(value) != NULL &&
           simd_shape_of(emit->kernel, value).kind == SHAPE_VARYING &&
           (emit->scope.is_promoted == NULL || !emit->scope.is_promoted[number]);
}

/* Cheaper made again from scalars than taken from a vector: an element of a vector of addresses
 * costs more than the address of an element. */
static bool is_remade(const struct simd_emit *emit, LLVMValueRef value, unsigned depth)
{
    if (depth == 0 || !is_open(emit, value)) {
        return false;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    bool is_extension = opcode == LLVMZExt || opcode == LLVMSExt;
    return opcode == LLVMGetElementPtr ||
           (is_extension && LLVMTypeOf(LLVMGetOperand(value, 0)) != emit->lower->i1);
}

static LLVMValueRef vector_of(const struct place *place, LLVMValueRef value,
                              const struct simd_value *result)
{
    for (size_t i = 0; place->leaves != NULL && i < place->leaves->count; i++) {
        if (place->leaves->items[i].value == value) {
            return place->leaves->items[i].phi[place->vector];
        }
    }
    return simd_vector(place->emit, result, place->vector);
}

/* Bits of what lies in a vector as bytes or halves of words, and only there; else 0. */
static unsigned narrow_bits(const struct place *place, LLVMValueRef value, unsigned depth)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    bool is_varying = simd_shape_of(place->emit->kernel, value).kind == SHAPE_VARYING;
    if (!is_varying || is_remade(place->emit, value, depth) ||
        LLVMGetTypeKind(type) != LLVMIntegerTypeKind) {
        return 0;
    }
    unsigned bits = LLVMGetIntTypeWidth(type);
    return bits == 8 || bits == 16 ? bits : 0;
}

/* Several of the vector's elements come to a scalar register at once, where shifts part them: one
 * by one they take two instructions each that few of a processor's units can do. */
static LLVMValueRef lane_of_word(const struct place *place, LLVMValueRef value, unsigned bits,
                                 LLVMTypeRef type)
{
    struct simd_emit *emit = place->emit;
    LLVMBuilderRef b = emit->builder;
    struct simd_value result = simd_get(emit, value);
    unsigned all = bits * emit->lanes, width = all < WORD_BITS ? all : WORD_BITS;
    LLVMTypeRef word = LLVMIntTypeInContext(emit->lower->llvm, width);
    LLVMValueRef words = LLVMBuildBitCast(b, vector_of(place, value, &result),
                                          LLVMVectorType(word, all / width), "");
    unsigned first = place->lane * bits;
    LLVMValueRef index = simd_int(emit->lower->i64, first / width);
    LLVMValueRef at = LLVMBuildExtractElement(b, words, index, "");
    at = LLVMBuildLShr(b, at, simd_int(word, first % width), "");
    at = LLVMBuildAnd(b, at, simd_int(word, (INT64_C(1) << bits) - 1), "");
    return LLVMBuildIntCast2(b, at, type, 0, "");
}

static LLVMValueRef remake(const struct place *place, LLVMValueRef value, unsigned depth)
{
    LLVMBuilderRef b = place->emit->builder;
    if (LLVMGetInstructionOpcode(value) == LLVMZExt) {
        LLVMValueRef narrow = LLVMGetOperand(value, 0);
        unsigned bits = narrow_bits(place, narrow, depth - 1);
        if (bits != 0) {
            return lane_of_word(place, narrow, bits, LLVMTypeOf(value));
        }
    }
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    LLVMValueRef *operands = arena_alloc((count + 1) * sizeof *operands);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = lane_of(place, LLVMGetOperand(value, i), depth - 1);
    }
    if (LLVMGetInstructionOpcode(value) != LLVMGetElementPtr) {
        LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
        return LLVMBuildCast(b, opcode, operands[0], LLVMTypeOf(value), "");
    }
    LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
    return LLVMBuildGEP2(b, type, operands[0], operands + 1, count - 1, "");
}

static LLVMValueRef lane_of(const struct place *place, LLVMValueRef value, unsigned depth)
{
    struct simd_emit *emit = place->emit;
    struct simd_value result = simd_get(emit, value);
    enum simd_shape_kind most = place->leaves == NULL ? SHAPE_VECTOR : SHAPE_UNIFORM;
    if (result.shape.kind <= most) {
        return simd_scalar(&result, place->vector);
    }
    if (is_remade(emit, value, depth)) {
        return remake(place, value, depth);
    }
    LLVMValueRef index = simd_int(emit->lower->i64, place->lane);
    return LLVMBuildExtractElement(emit->builder, vector_of(place, value, &result), index, "");
}

static struct simd_swap swap_lane(const struct place *place, LLVMValueRef instruction)
{
    LLVMValueRef operands[3];
    for (unsigned i = 0; i < (LLVMIsAAtomicCmpXchgInst(instruction) != NULL ? 3 : 2); i++) {
        operands[i] = lane_of(place, LLVMGetOperand(instruction, i), MOST_DEPTH);
    }
    return simd_plain_atomic(place->emit, instruction, operands);
}

/* ---- all lanes in straight code ---- */

static void make_row(struct simd_emit *emit, LLVMValueRef instruction)
{
    bool is_swap = LLVMIsAAtomicCmpXchgInst(instruction) != NULL;
    bool is_used = LLVMGetFirstUse(instruction) != NULL;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 1));
    struct simd_value result = {.shape = {.kind = SHAPE_VARYING}};
    for (unsigned u = 0; u < emit->vectors; u++) {
        result.vector[u] = LLVMGetPoison(simd_vector_type(emit, type));
        result.second[u] = emit->none;
        for (unsigned lane = 0; lane < emit->lanes; lane++) {
            struct place place = {.emit = emit, .vector = u, .lane = lane};
            struct simd_swap swap = swap_lane(&place, instruction);
            LLVMValueRef index = simd_int(emit->lower->i64, lane);
            if (is_used) {
                result.vector[u] =
                    LLVMBuildInsertElement(emit->builder, result.vector[u], swap.old, index, "");
            }
            if (is_used && is_swap) {
                result.second[u] = LLVMBuildInsertElement(emit->builder, result.second[u],
                                                          swap.is_equal, index, "");
            }
        }
    }
    simd_set(emit, instruction, result);
}

/* ---- all lanes, some vectors at a time in a loop ---- */

static void find_leaves(struct simd_emit *emit, struct leaves *leaves, LLVMValueRef value,
                        unsigned depth)
{
    struct simd_value result = simd_get(emit, value);
    if (result.shape.kind <= SHAPE_UNIFORM) {
        return;
    }
    if (is_remade(emit, value, depth)) {
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
            find_leaves(emit, leaves, LLVMGetOperand(value, i), depth - 1);
        }
        return;
    }
    struct leaf leaf = {.value = value};
    for (unsigned u = 0; u < emit->vectors; u++) {
        leaf.vector[u] = simd_vector(emit, &result, u);
    }
    LOWER_PUSH(leaves->items, leaves->count, leaf);
}

/* The vectors that one loop runs for. */
struct stretch {
    unsigned first, count, a_turn;
};

/* What is left lies in registers, the next one first: a processor that takes bytes from memory
 * which it has just stored may wait before each for the stores between to know their places. */
static void start_leaves(struct simd_emit *emit, const struct leaves *leaves,
                         const struct stretch *stretch, LLVMBasicBlockRef before)
{
    for (size_t i = 0; i < leaves->count; i++) {
        struct leaf *leaf = &leaves->items[i];
        for (unsigned u = 0; u < stretch->count; u++) {
            LLVMValueRef *vector = &leaf->vector[stretch->first + u];
            leaf->phi[u] = LLVMBuildPhi(emit->builder, LLVMTypeOf(*vector), "");
            LLVMAddIncoming(leaf->phi[u], vector, &before, 1);
        }
    }
}

static void shift_leaves(const struct leaves *leaves, const struct stretch *stretch,
                         LLVMBasicBlockRef from)
{
    for (size_t i = 0; i < leaves->count; i++) {
        struct leaf *leaf = &leaves->items[i];
        for (unsigned u = 0; u < stretch->count; u++) {
            unsigned next = u + stretch->a_turn;
            LLVMValueRef value =
                next < stretch->count ? leaf->phi[next] : LLVMGetPoison(LLVMTypeOf(leaf->phi[u]));
            LLVMAddIncoming(leaf->phi[u], &value, &from, 1);
        }
    }
}

static void loop_over_vectors(struct simd_emit *emit, const struct leaves *leaves,
                              LLVMValueRef instruction, const struct stretch *stretch)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->i32;
    LLVMBasicBlockRef before = simd_here(emit), head = simd_new(emit, "lanes");
    LLVMBasicBlockRef after = simd_new(emit, "lanes.end");
    LLVMValueRef first = simd_int(i32, stretch->count / stretch->a_turn);
    LLVMBuildBr(b, head);
    simd_at(emit, head);
    LLVMValueRef left = LLVMBuildPhi(b, i32, "left");
    start_leaves(emit, leaves, stretch, before);
    for (unsigned i = 0; i < stretch->a_turn * emit->lanes; i++) {
        struct place place = {
            .emit = emit, .leaves = leaves, .vector = i / emit->lanes, .lane = i % emit->lanes};
        swap_lane(&place, instruction);
    }
    shift_leaves(leaves, stretch, head);
    LLVMValueRef rest = LLVMBuildSub(b, left, simd_int(i32, 1), "");
    LLVMAddIncoming(left, &first, &before, 1);
    LLVMAddIncoming(left, &rest, &head, 1);
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntNE, rest, simd_int(i32, 0), "");
    simd_mark_loop(emit, LLVMBuildCondBr(b, more, head, after), "llvm.loop.unroll.disable");
    simd_at(emit, after);
}

static void make_loops(struct simd_emit *emit, LLVMValueRef instruction)
{
    struct leaves leaves = {.count = 0};
    for (unsigned j = 0; j < (LLVMIsAAtomicCmpXchgInst(instruction) != NULL ? 3 : 2); j++) {
        find_leaves(emit, &leaves, LLVMGetOperand(instruction, j), MOST_DEPTH);
    }
    unsigned a_turn = emit->lanes < MOST_IN_A_ROW ? MOST_IN_A_ROW / emit->lanes : 1;
    a_turn = emit->vectors % a_turn == 0 ? a_turn : 1;
    for (unsigned first = 0; first < emit->vectors; first += MOST_TURNS * a_turn) {
        unsigned rest = emit->vectors - first;
        struct stretch stretch = {.first = first, .a_turn = a_turn};
        stretch.count = rest < MOST_TURNS * a_turn ? rest : MOST_TURNS * a_turn;
        loop_over_vectors(emit, &leaves, instruction, &stretch);
    }
}

/* ---- which ---- */

/* Lanes that may meet at the same address, and more of them than a processor keeps apart: it
 * guesses which load waits for which store by where the instructions are, and each wrong guess
 * costs more than many iterations of a loop. */
static bool is_for_loop(const struct simd_emit *emit, LLVMValueRef instruction)
{
    int address = simd_number(emit->kernel, LLVMGetOperand(instruction, 0));
    return emit->lanes * emit->vectors > MOST_IN_A_ROW && address >= 0 &&
           emit->kernel->facts->shapes[address].kind == SHAPE_VARYING;
}

void simd_atomic(struct simd_emit *emit, LLVMValueRef instruction)
{
    bool is_scattered = is_for_loop(emit, instruction);
    bool is_unused = LLVMGetFirstUse(instruction) == NULL;
    if (emit->mask != NULL || !simd_is_plain_atomic(instruction) || (is_scattered && !is_unused)) {
        simd_each_lane(emit, instruction);
    } else if (is_scattered) {
        make_loops(emit, instruction);
    } else {
        make_row(emit, instruction);
    }
}
