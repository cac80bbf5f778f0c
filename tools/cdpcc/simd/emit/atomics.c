/* Emission of atomic operations, as the plan decides (plan/atomics.c).
 *
 * atomicAdd(&s[bin[i]], 1) with eight lanes becomes eight loads, additions and stores in lane
 * order:
 *
 *     for lane 0 to 7:  old = s[bin.lane]; s[bin.lane] = old + 1
 *
 * Two lanes may have the same address, so the operation cannot be a gather and a scatter. It is
 * straight code, or a loop over vectors; or lanes run one by one, as calls do (emit/scalarize.c).
 */
#include "simd/emit/atomics.h"

#include "ir/value.h"
#include "simd/analysis/uniformity.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/metadata.h"
#include "simd/emit/permuted.h"
#include "simd/emit/reduced_atomics.h"
#include "simd/emit/scalarize.h"
#include "simd/ir/numbers.h"
#include "simd/ir/vectors.h"
#include "simd/plan/atomics.h"
#include "simd/plan/plan.h"
#include "support/arena.h"

/* Steps from an address back to the values in which lanes differ. */
enum { MOST_DEPTH = 6 };

/* Iterations of a loop over the lanes. */
enum { MOST_ITERATIONS = 4, WORD_BITS = 64 };

static LLVMValueRef pick(LLVMBuilderRef b, LLVMIntPredicate predicate, LLVMValueRef old,
                         LLVMValueRef value)
{
    return LLVMBuildSelect(b, LLVMBuildICmp(b, predicate, old, value, ""), old, value, "");
}

/* Up: old + 1, but 0 from the limit on.  Down: old - 1, but the limit from 0 and from above the
 * limit. */
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

/* The value that the operation stores. */
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

/* The vectors from which lanes' operands are computed. A loop takes one vector after the other.
 * Life: one atomic operation. */
struct leaves {
    struct leaf {
        LLVMValueRef value;
        LLVMValueRef vector[SIMD_MOST_VECTORS]; /* of the chunk */
        /* in the loop: the remaining vectors, the next one first */
        LLVMValueRef phi[SIMD_MOST_VECTORS];
    } *items;
    size_t count;
};

/* One lane: of a vector itself, or of the vector that the loop over vectors has reached. */
struct position {
    struct simd_emit *emit;
    const struct leaves *leaves; /* NULL: there is no loop */
    unsigned vector, lane;
};

/* A scalar if the lanes share the value; else recomputed from scalars, or extracted. */
static LLVMValueRef lane_of(const struct position *position, LLVMValueRef value, unsigned depth);

/* The operands of a value that was computed before a barrier may not live beyond it. */
static bool has_operands(const struct simd_emit *emit, LLVMValueRef value)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        int number = simd_number(emit->kernel, LLVMGetOperand(value, i));
        if (number >= 0 && !emit->scope.values[number].is_set &&
            !simd_is_in_variable(emit, number)) {
            return false;
        }
    }
    return true;
}

/* The value differs between lanes, and its operands are available. */
static bool is_open(const struct simd_emit *emit, LLVMValueRef value)
{
    int number = simd_number(emit->kernel, value);
    return number >= 0 && LLVMIsAInstruction(value) != NULL &&
           simd_is_varying(emit->kernel, value) && !simd_is_in_variable(emit, number) &&
           has_operands(emit, value);
}

/* It is cheaper to recompute the value from scalars than to extract it from a vector.  Extracting
 * an element of a vector of addresses costs more than computing the address of an element. */
static bool is_recomputed(const struct simd_emit *emit, LLVMValueRef value, unsigned depth)
{
    if (depth == 0 || !is_open(emit, value)) {
        return false;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    bool is_extension = opcode == LLVMZExt || opcode == LLVMSExt;
    return opcode == LLVMGetElementPtr ||
           (is_extension && LLVMTypeOf(LLVMGetOperand(value, 0)) != emit->lower->types.i1);
}

static LLVMValueRef vector_of(const struct position *position, LLVMValueRef value,
                              const struct simd_value *result)
{
    for (size_t i = 0; position->leaves != NULL && i < position->leaves->count; i++) {
        if (position->leaves->items[i].value == value) {
            return position->leaves->items[i].phi[position->vector];
        }
    }
    return simd_vector(position->emit, result, position->vector);
}

/* The width of the value's elements if it is only in a vector, as bytes or half words; else 0. */
static unsigned narrow_bits(const struct position *position, LLVMValueRef value, unsigned depth)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    bool is_varying = simd_is_varying(position->emit->kernel, value);
    if (!is_varying || is_recomputed(position->emit, value, depth) ||
        LLVMGetTypeKind(type) != LLVMIntegerTypeKind) {
        return 0;
    }
    unsigned bits = LLVMGetIntTypeWidth(type);
    return bits == 8 || bits == 16 ? bits : 0;
}

/* Moves several elements of the vector to a scalar register at once, where shifts separate them.
 * Moving them one by one takes two instructions each, which few of a processor's units can
 * execute. */
static LLVMValueRef lane_of_word(const struct position *position, LLVMValueRef value, unsigned bits,
                                 LLVMTypeRef type)
{
    struct simd_emit *emit = position->emit;
    LLVMBuilderRef b = emit->builder;
    struct simd_value result = simd_get(emit, value);
    unsigned all = bits * emit->lanes, width = all < WORD_BITS ? all : WORD_BITS;
    LLVMTypeRef word = LLVMIntTypeInContext(emit->lower->llvm, width);
    LLVMValueRef words = LLVMBuildBitCast(b, vector_of(position, value, &result),
                                          LLVMVectorType(word, all / width), "");
    unsigned first = position->lane * bits;
    LLVMValueRef index = simd_int(emit->lower->types.i64, first / width);
    LLVMValueRef at = LLVMBuildExtractElement(b, words, index, "");
    at = LLVMBuildLShr(b, at, simd_int(word, first % width), "");
    at = LLVMBuildAnd(b, at, simd_int(word, (INT64_C(1) << bits) - 1), "");
    return LLVMBuildIntCast2(b, at, type, 0, "");
}

static LLVMValueRef recompute(const struct position *position, LLVMValueRef value, unsigned depth)
{
    LLVMBuilderRef b = position->emit->builder;
    if (LLVMGetInstructionOpcode(value) == LLVMZExt) {
        LLVMValueRef narrow = LLVMGetOperand(value, 0);
        unsigned bits = narrow_bits(position, narrow, depth - 1);
        if (bits != 0) {
            return lane_of_word(position, narrow, bits, LLVMTypeOf(value));
        }
    }
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    LLVMValueRef *operands = arena_alloc((count + 1) * sizeof *operands);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = lane_of(position, LLVMGetOperand(value, i), depth - 1);
    }
    if (LLVMGetInstructionOpcode(value) != LLVMGetElementPtr) {
        LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
        return LLVMBuildCast(b, opcode, operands[0], LLVMTypeOf(value), "");
    }
    LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
    return LLVMBuildGEP2(b, type, operands[0], operands + 1, count - 1, "");
}

static LLVMValueRef lane_of(const struct position *position, LLVMValueRef value, unsigned depth)
{
    struct simd_emit *emit = position->emit;
    struct simd_value result = simd_get(emit, value);
    if (position->leaves == NULL ? simd_value_is_scalar(&result) : simd_value_is_uniform(&result)) {
        return simd_scalar(&result, position->vector);
    }
    if (is_recomputed(emit, value, depth)) {
        return recompute(position, value, depth);
    }
    LLVMValueRef index = simd_int(emit->lower->types.i64, position->lane);
    return LLVMBuildExtractElement(emit->builder, vector_of(position, value, &result), index, "");
}

static struct simd_swap swap_lane(const struct position *position, LLVMValueRef instruction)
{
    LLVMValueRef operands[3];
    for (unsigned i = 0; i < (LLVMIsAAtomicCmpXchgInst(instruction) != NULL ? 3 : 2); i++) {
        operands[i] = lane_of(position, LLVMGetOperand(instruction, i), MOST_DEPTH);
    }
    return simd_plain_atomic(position->emit, instruction, operands);
}

/* ---- all lanes in straight code ---- */

static void emit_straight(struct simd_emit *emit, LLVMValueRef instruction)
{
    bool is_swap = LLVMIsAAtomicCmpXchgInst(instruction) != NULL;
    bool is_used = LLVMGetFirstUse(instruction) != NULL;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 1));
    struct simd_value result = simd_varying();
    for (unsigned u = 0; u < emit->vectors; u++) {
        result.vector[u] = LLVMGetPoison(simd_vector_type(emit, type));
        result.second[u] = emit->none;
        for (unsigned lane = 0; lane < emit->lanes; lane++) {
            struct position position = {.emit = emit, .vector = u, .lane = lane};
            struct simd_swap swap = swap_lane(&position, instruction);
            LLVMValueRef index = simd_int(emit->lower->types.i64, lane);
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

/* ---- all lanes, with a loop over vectors ---- */

/* The same walk as lane_of() makes, so that each vector it extracts from is found. */
static void find_leaves(struct simd_emit *emit, struct leaves *leaves, LLVMValueRef value,
                        unsigned depth)
{
    struct simd_value result = simd_get(emit, value);
    if (simd_value_is_uniform(&result)) {
        return;
    }
    if (is_recomputed(emit, value, depth)) {
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

/* The vectors that one loop handles. */
struct stretch {
    unsigned first, count, vectors_per_iteration;
};

/* The remaining vectors are in registers, the next one first.  If they were in memory, each load
 * would read bytes that were just stored.  A processor might then wait until the addresses of all
 * stores between are known. */
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

/* The vectors move towards the front by as many as an iteration handles. */
static void shift_leaves(const struct leaves *leaves, const struct stretch *stretch,
                         LLVMBasicBlockRef from)
{
    for (size_t i = 0; i < leaves->count; i++) {
        struct leaf *leaf = &leaves->items[i];
        for (unsigned u = 0; u < stretch->count; u++) {
            unsigned next = u + stretch->vectors_per_iteration;
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
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMBasicBlockRef before = simd_here(emit), head = simd_new(emit, "lanes");
    LLVMBasicBlockRef after = simd_new(emit, "lanes.end");
    LLVMValueRef first = simd_int(i32, stretch->count / stretch->vectors_per_iteration);
    LLVMBuildBr(b, head);
    simd_at(emit, head);
    LLVMValueRef left = LLVMBuildPhi(b, i32, "left");
    start_leaves(emit, leaves, stretch, before);
    for (unsigned i = 0; i < stretch->vectors_per_iteration * emit->lanes; i++) {
        struct position position = {
            .emit = emit, .leaves = leaves, .vector = i / emit->lanes, .lane = i % emit->lanes};
        swap_lane(&position, instruction);
    }
    shift_leaves(leaves, stretch, head);
    LLVMValueRef remaining = LLVMBuildSub(b, left, simd_int(i32, 1), "");
    LLVMAddIncoming(left, &first, &before, 1);
    LLVMAddIncoming(left, &remaining, &head, 1);
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntNE, remaining, simd_int(i32, 0), "");
    simd_mark_loop(emit, LLVMBuildCondBr(b, more, head, after), "llvm.loop.unroll.disable");
    simd_at(emit, after);
}

static void emit_loops(struct simd_emit *emit, LLVMValueRef instruction)
{
    struct leaves leaves = {.count = 0};
    for (unsigned j = 0; j < (LLVMIsAAtomicCmpXchgInst(instruction) != NULL ? 3 : 2); j++) {
        find_leaves(emit, &leaves, LLVMGetOperand(instruction, j), MOST_DEPTH);
    }
    unsigned vectors_per_iteration =
        emit->lanes < SIMD_STRAIGHT_LANES ? SIMD_STRAIGHT_LANES / emit->lanes : 1;
    vectors_per_iteration = emit->vectors % vectors_per_iteration == 0 ? vectors_per_iteration : 1;
    for (unsigned first = 0; first < emit->vectors;
         first += MOST_ITERATIONS * vectors_per_iteration) {
        unsigned remaining = emit->vectors - first;
        struct stretch stretch = {.first = first, .vectors_per_iteration = vectors_per_iteration};
        stretch.count = remaining < MOST_ITERATIONS * vectors_per_iteration
                            ? remaining
                            : MOST_ITERATIONS * vectors_per_iteration;
        loop_over_vectors(emit, &leaves, instruction, &stretch);
    }
}

/* ---- all ---- */

/* Outside of versions there are only recomputed values. */
enum simd_atomic_kind simd_atomic_kind_at(const struct simd_emit *emit, LLVMValueRef instruction)
{
    const struct simd_version_plan *version = emit->scope.version;
    int number = simd_number(emit->kernel, instruction);
    return version == NULL ? ATOMIC_NONE : version->atomics[emit->mask != NULL][number];
}

void simd_atomic(struct simd_emit *emit, LLVMValueRef instruction)
{
    switch (simd_atomic_kind_at(emit, instruction)) {
    case ATOMIC_STRAIGHT:
        emit_straight(emit, instruction);
        break;
    case ATOMIC_LOOP:
        emit_loops(emit, instruction);
        break;
    case ATOMIC_REDUCED:
        simd_reduced_atomic(emit, instruction);
        break;
    case ATOMIC_NONE:
    case ATOMIC_PLAIN_LANES:
    case ATOMIC_LANES:
        simd_each_lane(emit, instruction);
        break;
    }
}
