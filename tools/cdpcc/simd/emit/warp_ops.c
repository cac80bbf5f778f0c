/* Warp operations for all lanes of a chunk: shuffles are permutations of the warp's vectors, votes
 * are bits of masks.
 *
 * analysis/convergence.c has proven which lanes take part in an operation: of the lanes that a mask
 * names, the active ones are here, and the others have ended.  The rules for them are the runtime's
 * own (runtime/exec/block/warp.c): a shuffle from a lane that is not active gives the lane's own
 * value.
 *
 * With 16 lanes, __shfl_down_sync(~0u, x, 1) of a warp in two vectors a and b:
 *
 *     a  =  x0  x1  ... x15      result  =  x1  x2 ... x16
 *     b  =  x16 x17 ... x31                 x17 x18 ... x31 x31
 *
 * Source lanes that are constants become shuffles of LLVM, one for each vector that is read.
 * Otherwise the warp's values go to an array of 32 elements, from which each lane gathers. A
 * broadcast reads one element.
 *
 * A vote is a comparison, whose mask is bit-cast to an integer: the bits of both vectors joined are
 * the warp's word.
 *
 * What always holds: a chunk is whole warps, so an operation never crosses chunks. */
#include "simd/emit/warp_ops.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "simd/analysis/lane_values.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/uniformity.h"
#include "simd/analysis/warp_shape.h"
#include "simd/emit/access.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/permuted.h"
#include "simd/ir/calls.h"
#include "simd/ir/lanes.h"
#include "simd/ir/vectors.h"

#include <string.h>

enum { MOST_OF_WARP = SIMD_MOST_VECTORS };

/* One warp at an operation.
 * Life: the emission of one operation for one warp. */
struct warp {
    struct simd_emit *emit;
    LLVMValueRef call;
    unsigned first, count; /* its vectors */
    LLVMValueRef active;   /* i32: its active lanes */
    /* i32 for each lane: the lanes that take part in the operation with it. */
    LLVMValueRef participants[MOST_OF_WARP];
    bool is_whole; /* all lanes take part together */
};

static LLVMValueRef word(const struct warp *warp, uint32_t value)
{
    return LLVMConstInt(warp->emit->lower->types.i32, value, 0);
}

static LLVMValueRef words(const struct warp *warp, uint32_t value)
{
    return simd_splat_constant(warp->emit, word(warp, value));
}

/* The numbers of a vector's lanes within the warp. */
static LLVMValueRef lanes_of(const struct warp *warp, unsigned vector)
{
    LLVMValueRef numbers[SIMD_MOST_LANES];
    for (unsigned i = 0; i < warp->emit->lanes; i++) {
        numbers[i] = word(warp, vector * warp->emit->lanes + i);
    }
    return LLVMConstVector(numbers, warp->emit->lanes);
}

/* An operand.  Inactive lanes may have poison.  The operation combines lanes, as bits of one word
 * or by permutation, so one poison lane would spoil the others.  The operand is frozen, so inactive
 * lanes have any number. */
static LLVMValueRef argument(struct warp *warp, unsigned index, unsigned vector)
{
    struct simd_emit *emit = warp->emit;
    struct simd_value value = simd_get(emit, LLVMGetOperand(warp->call, index));
    LLVMValueRef result = simd_vector(emit, &value, warp->first + vector);
    bool is_whole = emit->mask == NULL || LLVMIsConstant(result);
    return is_whole ? result : LLVMBuildFreeze(emit->builder, result, "");
}

/* An operand as a constant vector, if it depends on the lanes' numbers only; else argument(). */
static LLVMValueRef lane_argument(struct warp *warp, unsigned index, unsigned vector)
{
    struct simd_emit *emit = warp->emit;
    LLVMValueRef operand = LLVMGetOperand(warp->call, index), numbers[SIMD_MOST_LANES];
    uint64_t number;
    for (unsigned i = 0; i < emit->lanes; i++) {
        if (!simd_lane_value(emit->kernel, operand, vector * emit->lanes + i, &number)) {
            return argument(warp, index, vector);
        }
        numbers[i] = LLVMConstInt(LLVMTypeOf(operand), number, 0);
    }
    return LLVMConstVector(numbers, emit->lanes);
}

/* In tiles and groups, lanes take part with their own tile or group only. */
static struct warp start_warp(struct simd_emit *emit, LLVMValueRef call, unsigned first)
{
    struct warp warp = {
        .emit = emit, .call = call, .first = first, .count = SIMD_WARP / emit->lanes};
    bool is_part = simd_names_part(emit->kernel, call);
    warp.active = emit->mask == NULL ? word(&warp, UINT32_MAX)
                                     : simd_join_bits(emit, emit->mask + first, warp.count,
                                                      emit->lower->types.i32);
    warp.is_whole = emit->mask == NULL && !is_part;
    for (unsigned v = 0; v < warp.count; v++) {
        warp.participants[v] = simd_splat(emit, warp.active);
        if (is_part) {
            warp.participants[v] =
                LLVMBuildAnd(emit->builder, warp.participants[v], argument(&warp, 0, v), "");
        }
    }
    return warp;
}

/* ---- lanes read others ---- */

static uint64_t element_of(LLVMValueRef constant, unsigned index)
{
    return LLVMConstIntGetZExtValue(LLVMGetAggregateElement(constant, index));
}

/* Moves lanes whose source lanes are constants: one shuffle for each vector that is read.
 * Each shuffle picks from one source vector and keeps what earlier ones have picked. */
static LLVMValueRef move_constant_lanes(struct warp *warp, LLVMValueRef *values,
                                        LLVMValueRef source)
{
    struct simd_emit *emit = warp->emit;
    LLVMValueRef result = NULL, poison = LLVMGetPoison(LLVMTypeOf(values[0]));
    for (unsigned from = 0; from < warp->count; from++) {
        LLVMValueRef indices[SIMD_MOST_LANES];
        bool is_read = false;
        for (unsigned i = 0; i < emit->lanes; i++) {
            unsigned lane = (unsigned)element_of(source, i);
            bool is_here = lane / emit->lanes == from;
            /* the other lanes keep the values from earlier vectors */
            indices[i] = word(warp, is_here ? lane % emit->lanes : emit->lanes + i);
            is_read |= is_here;
        }
        if (is_read) {
            result = LLVMBuildShuffleVector(emit->builder, values[from],
                                            result == NULL ? poison : result,
                                            LLVMConstVector(indices, emit->lanes), "");
        }
    }
    return result;
}

static LLVMValueRef warp_array(struct warp *warp)
{
    struct simd_emit *emit = warp->emit;
    if (emit->memory.warp_array == NULL) {
        LLVMTypeRef type = LLVMArrayType2(emit->lower->types.i64, SIMD_WARP);
        emit->memory.warp_array = simd_alloca(emit, type, 64, "warp");
    }
    return emit->memory.warp_array;
}

static LLVMValueRef put_into_array(struct warp *warp, LLVMValueRef *values)
{
    struct simd_emit *emit = warp->emit;
    LLVMValueRef array = warp_array(warp);
    LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(values[0]));
    for (unsigned v = 0; v < warp->count; v++) {
        LLVMValueRef index = word(warp, v * emit->lanes);
        LLVMValueRef at = LLVMBuildInBoundsGEP2(emit->builder, type, array, &index, 1, "");
        LLVMSetAlignment(LLVMBuildStore(emit->builder, values[v], at),
                         LLVMABIAlignmentOfType(emit->lower->layout, type));
    }
    return array;
}

static LLVMValueRef element_at(struct warp *warp, LLVMTypeRef type, LLVMValueRef index)
{
    LLVMBuilderRef b = warp->emit->builder;
    return LLVMBuildLoad2(b, type, LLVMBuildInBoundsGEP2(b, type, warp_array(warp), &index, 1, ""),
                          "");
}

/* Moves lanes whose source lanes are only known at run time.
 * All lanes gather: source lanes are within the warp even for inactive lanes. */
static LLVMValueRef gather(struct warp *warp, LLVMTypeRef type, LLVMValueRef source)
{
    struct simd_emit *emit = warp->emit;
    LLVMValueRef at = LLVMBuildInBoundsGEP2(emit->builder, type, warp_array(warp), &source, 1, "");
    LLVMTypeRef types[] = {simd_vector_type(emit, type), LLVMTypeOf(at)};
    LLVMValueRef arguments[] = {at, emit->full, LLVMGetPoison(types[0])};
    LLVMValueRef result = simd_intrinsic(emit, "llvm.masked.gather", types, 2, arguments, 3);
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(result, 1,
                             LLVMCreateEnumAttribute(emit->lower->llvm, kind,
                                                     LLVMABISizeOfType(emit->lower->layout, type)));
    return result;
}

/* ---- shuffles ---- */

/* The lane that each lane reads; a lane reads its own value if the source is outside of its
 * segment.  The same as shuffle_source in runtime/exec/block/warp.c. */
static LLVMValueRef source_of(struct warp *warp, unsigned vector, LLVMValueRef *inside)
{
    LLVMBuilderRef b = warp->emit->builder;
    LLVMValueRef lane = lanes_of(warp, vector), low = words(warp, SIMD_WARP - 1), from;
    LLVMValueRef by = LLVMBuildAnd(b, lane_argument(warp, 2, vector), low, "");
    LLVMValueRef segment = LLVMBuildNeg(b, lane_argument(warp, 3, vector), "");
    segment = LLVMBuildAnd(b, segment, low, "");
    LLVMValueRef within = LLVMBuildXor(b, segment, low, "");
    LLVMValueRef first = LLVMBuildAnd(b, lane, segment, "");
    LLVMValueRef last = LLVMBuildOr(b, first, within, "");
    *inside = warp->emit->full;
    switch ((int)LLVMConstIntGetZExtValue(LLVMGetOperand(warp->call, 4))) {
    case CDP_SHUFFLE_UP:
        *inside = LLVMBuildICmp(b, LLVMIntULE, by, LLVMBuildSub(b, lane, first, ""), "");
        from = LLVMBuildSub(b, lane, by, "");
        break;
    case CDP_SHUFFLE_DOWN:
        from = LLVMBuildAdd(b, lane, by, "");
        *inside = LLVMBuildICmp(b, LLVMIntULE, from, last, "");
        break;
    case CDP_SHUFFLE_XOR:
        from = LLVMBuildXor(b, lane, by, "");
        *inside = LLVMBuildICmp(b, LLVMIntULE, from, last, "");
        break;
    default:
        from = LLVMBuildOr(b, first, LLVMBuildAnd(b, by, within, ""), "");
        break;
    }
    return LLVMBuildSelect(b, *inside, from, lane, "");
}

/* A value from an inactive lane is not used; the lane keeps its own. */
static LLVMValueRef keep_own(struct warp *warp, LLVMValueRef moved, LLVMValueRef own,
                             LLVMValueRef source, unsigned vector)
{
    LLVMBuilderRef b = warp->emit->builder;
    if (warp->is_whole) {
        return moved;
    }
    LLVMValueRef bit = LLVMBuildLShr(b, warp->participants[vector], source, "");
    bit = LLVMBuildTrunc(b, bit, warp->emit->types.mask, "");
    return LLVMBuildSelect(b, bit, moved, own, "");
}

/* Chooses between shuffles, one element, and a gather. */
static void move(struct warp *warp, struct simd_value *result, LLVMValueRef *inside)
{
    struct simd_emit *emit = warp->emit;
    LLVMValueRef values[MOST_OF_WARP], sources[MOST_OF_WARP], one = NULL;
    LLVMTypeRef type = LLVMTypeOf(warp->call);
    bool is_known = true;
    for (unsigned v = 0; v < warp->count; v++) {
        values[v] = argument(warp, 1, v);
        sources[v] = source_of(warp, v, &inside[v]);
        is_known &= LLVMIsConstant(sources[v]) != 0;
    }
    if (!is_known) {
        put_into_array(warp, values);
    }
    if (!is_known && simd_is_broadcast(emit->kernel, warp->call)) {
        LLVMValueRef zero = simd_int(emit->lower->types.i64, 0);
        LLVMValueRef index = LLVMBuildExtractElement(emit->builder, sources[0], zero, "");
        one = simd_splat(emit, element_at(warp, type, index));
    }
    for (unsigned v = 0; v < warp->count; v++) {
        LLVMValueRef moved = is_known      ? move_constant_lanes(warp, values, sources[v])
                             : one != NULL ? one
                                           : gather(warp, type, sources[v]);
        result->vector[warp->first + v] = keep_own(warp, moved, values[v], sources[v], v);
    }
}

/* The lane that a broadcast reads: i32.  In place of a lane that is not active, it is the first one
 * that is. */
static LLVMValueRef source_of_broadcast(struct warp *warp)
{
    struct simd_emit *emit = warp->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32, i1 = emit->lower->types.i1;
    LLVMValueRef last = word(warp, SIMD_WARP - 1);
    struct simd_value given = simd_get(emit, LLVMGetOperand(warp->call, 2));
    LLVMValueRef lane = LLVMBuildAnd(b, simd_scalar(&given, warp->first), last, "");
    if (emit->mask == NULL) {
        return lane;
    }
    LLVMValueRef is_active = LLVMBuildTrunc(b, LLVMBuildLShr(b, warp->active, lane, ""), i1, "");
    LLVMValueRef count[] = {warp->active, LLVMConstNull(i1)};
    LLVMValueRef first = simd_intrinsic(emit, "llvm.cttz", &i32, 1, count, 2);
    return LLVMBuildSelect(b, is_active, lane, LLVMBuildAnd(b, first, last, ""), "");
}

/* The value of one lane. */
static LLVMValueRef broadcast(struct warp *warp)
{
    struct simd_emit *emit = warp->emit;
    LLVMValueRef values[MOST_OF_WARP], lane = source_of_broadcast(warp);
    for (unsigned v = 0; v < warp->count; v++) {
        values[v] = argument(warp, 1, v);
    }
    if (LLVMIsAConstantInt(lane) != NULL) {
        unsigned number = (unsigned)LLVMConstIntGetZExtValue(lane);
        return LLVMBuildExtractElement(emit->builder, values[number / emit->lanes],
                                       word(warp, number % emit->lanes), "");
    }
    put_into_array(warp, values);
    return element_at(warp, LLVMTypeOf(warp->call), lane);
}

/* Stores the second result, if the call has an address for "in range" or "all match". */
static void store_result(struct simd_emit *emit, LLVMValueRef call, unsigned argument,
                         LLVMValueRef *results)
{
    LLVMValueRef address = LLVMGetOperand(call, argument);
    if (LLVMIsNull(address)) {
        return;
    }
    struct simd_value at = simd_get(emit, address);
    struct simd_value value = {.shape = &simd_varying_shape, .is_set = true};
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMTypeRef type = simd_vector_type(emit, emit->lower->types.i32);
        value.vector[u] = LLVMBuildZExt(emit->builder, results[u], type, "");
    }
    simd_store_value(emit, call, 4, emit->lower->types.i32, &value, &at);
}

/* Sets one value for the warp, in all its vectors. */
static void set_for_warp(const struct warp *warp, struct simd_value *result, LLVMValueRef value)
{
    for (unsigned v = 0; v < warp->count; v++) {
        result->scalar[warp->first + v] = value;
    }
}

static void shuffle(struct simd_emit *emit, LLVMValueRef call)
{
    struct simd_value result = {.shape = simd_shape_of(emit->kernel, call)};
    bool is_one = !simd_value_is_varying(&result);
    bool is_kept = is_one && simd_is_uniform_in_warp(emit->kernel, LLVMGetOperand(call, 1));
    LLVMValueRef inside[SIMD_MOST_VECTORS];
    for (unsigned u = 0; u < emit->vectors; u += SIMD_WARP / emit->lanes) {
        struct warp warp = start_warp(emit, call, u);
        for (unsigned v = 0; v < warp.count && is_one; v++) {
            source_of(&warp, v, &inside[u + v]);
        }
        if (is_one && !is_kept) {
            set_for_warp(&warp, &result, broadcast(&warp));
        } else if (!is_one) {
            move(&warp, &result, inside + u);
        }
    }
    /* If all lanes have the same value, any source lane gives it. */
    if (is_kept) {
        struct simd_value moved = simd_get(emit, LLVMGetOperand(call, 1));
        result = simd_to_shape(emit, &moved, result.shape);
    }
    simd_set(emit, call, result);
    store_result(emit, call, 5, inside);
}

/* ---- votes ---- */

/* Inactive lanes vote no. */
static LLVMValueRef votes_of(struct warp *warp)
{
    LLVMValueRef yes[MOST_OF_WARP];
    for (unsigned v = 0; v < warp->count; v++) {
        LLVMValueRef predicate = argument(warp, 1, v);
        LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(predicate));
        yes[v] = LLVMBuildICmp(warp->emit->builder, LLVMIntNE, predicate, zero, "");
    }
    LLVMValueRef bits = simd_join_bits(warp->emit, yes, warp->count, warp->emit->lower->types.i32);
    return LLVMBuildAnd(warp->emit->builder, bits, warp->active, "");
}

static void ballot(struct warp *warp, struct simd_value *result)
{
    LLVMValueRef votes = votes_of(warp);
    if (!simd_value_is_varying(result)) {
        set_for_warp(warp, result, votes);
        return;
    }
    for (unsigned v = 0; v < warp->count; v++) {
        LLVMValueRef all = simd_splat(warp->emit, votes);
        result->vector[warp->first + v] =
            LLVMBuildAnd(warp->emit->builder, all, warp->participants[v], "");
    }
}

/* ---- matches ---- */

/* What one lane contributes to the result of a vector. */
struct contribution {
    LLVMValueRef lane, other; /* i32: the lane; its value, in all elements */
    LLVMValueRef own, result; /* the vector's own values, and its result so far */
    unsigned vector;          /* in the warp */
};
typedef LLVMValueRef contributor(struct warp *warp, const struct contribution *by);

/* A loop over the warp's lanes: each contributes to the results of all.
 * values: of all lanes. results: one vector of i32 for each of the warp's, at first all `start`. */
static void each_contributes(struct warp *warp, LLVMValueRef *values, contributor *contribute,
                             LLVMValueRef start, LLVMValueRef *results)
{
    struct simd_emit *emit = warp->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32, type = LLVMGetElementType(LLVMTypeOf(values[0]));
    LLVMBasicBlockRef before = simd_here(emit), head = simd_new(emit, "contribute");
    LLVMBasicBlockRef after = simd_new(emit, "contributed");
    LLVMValueRef zero = word(warp, 0);
    put_into_array(warp, values);
    LLVMBuildBr(b, head);
    simd_at(emit, head);
    LLVMValueRef lane = LLVMBuildPhi(b, i32, "lane");
    LLVMAddIncoming(lane, &zero, &before, 1);
    for (unsigned v = 0; v < warp->count; v++) {
        results[v] = LLVMBuildPhi(b, LLVMTypeOf(start), "sofar");
        LLVMAddIncoming(results[v], &start, &before, 1);
    }
    LLVMValueRef other = simd_splat(emit, element_at(warp, type, lane));
    for (unsigned v = 0; v < warp->count; v++) {
        struct contribution by = {lane, other, values[v], results[v], v};
        LLVMValueRef more = contribute(warp, &by);
        LLVMAddIncoming(results[v], &more, &head, 1);
        results[v] = more;
    }
    LLVMValueRef next = LLVMBuildNUWAdd(b, lane, word(warp, 1), "");
    LLVMAddIncoming(lane, &next, &head, 1);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, next, word(warp, SIMD_WARP), ""), head, after);
    simd_at(emit, after);
}

/* A lane with the same value is one bit. */
static LLVMValueRef add_bit_of_same(struct warp *warp, const struct contribution *by)
{
    LLVMBuilderRef b = warp->emit->builder;
    LLVMValueRef bit = simd_splat(warp->emit, LLVMBuildShl(b, word(warp, 1), by->lane, ""));
    LLVMValueRef equal = LLVMBuildICmp(b, LLVMIntEQ, by->own, by->other, "");
    return LLVMBuildOr(b, by->result, LLVMBuildSelect(b, equal, bit, words(warp, 0), ""), "");
}

/* For each lane, the lanes whose value is the same. */
static void find_same(struct warp *warp, LLVMValueRef *same)
{
    LLVMValueRef values[MOST_OF_WARP];
    for (unsigned v = 0; v < warp->count; v++) {
        values[v] = argument(warp, 1, v);
    }
    each_contributes(warp, values, add_bit_of_same, words(warp, 0), same);
}

static void match(struct warp *warp, struct simd_value *result, LLVMValueRef *all)
{
    LLVMBuilderRef b = warp->emit->builder;
    LLVMValueRef same[MOST_OF_WARP];
    find_same(warp, same);
    for (unsigned v = 0; v < warp->count; v++) {
        LLVMValueRef found = LLVMBuildAnd(b, same[v], warp->participants[v], "");
        all[v] = LLVMBuildICmp(b, LLVMIntEQ, found, warp->participants[v], "");
        if (simd_warp_operation_of(warp->call) == WARP_MATCH_ALL) {
            found = LLVMBuildSelect(b, all[v], warp->participants[v], words(warp, 0), "");
        }
        result->vector[warp->first + v] = found;
    }
}

static void match_lanes(struct simd_emit *emit, LLVMValueRef call)
{
    struct simd_value result = simd_varying();
    LLVMValueRef all[SIMD_MOST_VECTORS];
    for (unsigned u = 0; u < emit->vectors; u += SIMD_WARP / emit->lanes) {
        struct warp warp = start_warp(emit, call, u);
        match(&warp, &result, all + u);
    }
    simd_set(emit, call, result);
    if (simd_warp_operation_of(call) == WARP_MATCH_ALL) {
        store_result(emit, call, 2, all);
    }
}

/* ---- reductions ---- */

static const struct reduction_form {
    const char *pairs, *whole; /* intrinsics; pairs may be an instruction */
    LLVMOpcode opcode;
    uint32_t neutral;
} reductions[] = {
    [CDP_REDUCE_ADD] = {NULL, "llvm.vector.reduce.add", LLVMAdd, 0},
    [CDP_REDUCE_UMIN] = {"llvm.umin", "llvm.vector.reduce.umin", 0, UINT32_MAX},
    [CDP_REDUCE_UMAX] = {"llvm.umax", "llvm.vector.reduce.umax", 0, 0},
    [CDP_REDUCE_SMIN] = {"llvm.smin", "llvm.vector.reduce.smin", 0, INT32_MAX},
    [CDP_REDUCE_SMAX] = {"llvm.smax", "llvm.vector.reduce.smax", 0, (uint32_t)INT32_MIN},
    [CDP_REDUCE_AND] = {NULL, "llvm.vector.reduce.and", LLVMAnd, UINT32_MAX},
    [CDP_REDUCE_OR] = {NULL, "llvm.vector.reduce.or", LLVMOr, 0},
    [CDP_REDUCE_XOR] = {NULL, "llvm.vector.reduce.xor", LLVMXor, 0},
};

static const struct reduction_form *form_of(const struct warp *warp)
{
    return &reductions[LLVMConstIntGetZExtValue(LLVMGetOperand(warp->call, 2))];
}

static LLVMValueRef combine(struct warp *warp, const struct reduction_form *form, LLVMValueRef a,
                            LLVMValueRef b)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef both[] = {a, b};
    return form->pairs != NULL ? simd_intrinsic(warp->emit, form->pairs, &type, 1, both, 2)
                               : LLVMBuildBinOp(warp->emit->builder, form->opcode, a, b, "");
}

/* Reduces within each tile, whose size follows from the mask's form, by halves of twice the size in
 * each step. */
static void reduce_tiles(struct warp *warp, const struct reduction_form *form, LLVMValueRef *values,
                         struct simd_value *result)
{
    uint64_t size = simd_tile_size(warp->call);
    for (unsigned step = 1; step < size; step *= 2) {
        LLVMValueRef moved[MOST_OF_WARP];
        for (unsigned v = 0; v < warp->count; v++) {
            LLVMValueRef source =
                LLVMBuildXor(warp->emit->builder, lanes_of(warp, v), words(warp, step), "");
            moved[v] = move_constant_lanes(warp, values, source);
        }
        for (unsigned v = 0; v < warp->count; v++) {
            values[v] = combine(warp, form, values[v], moved[v]);
        }
    }
    for (unsigned v = 0; v < warp->count; v++) {
        result->vector[warp->first + v] = values[v];
    }
}

/* A lane of the same group contributes its value. */
static LLVMValueRef combine_with_group(struct warp *warp, const struct contribution *by)
{
    LLVMBuilderRef b = warp->emit->builder;
    LLVMValueRef lane = simd_splat(warp->emit, by->lane);
    LLVMValueRef bit = LLVMBuildLShr(b, warp->participants[by->vector], lane, "");
    LLVMValueRef is_with = LLVMBuildTrunc(b, bit, warp->emit->types.mask, "");
    LLVMValueRef both = combine(warp, form_of(warp), by->result, by->other);
    return LLVMBuildSelect(b, is_with, both, by->result, "");
}

static void reduce_groups(struct warp *warp, LLVMValueRef *values, struct simd_value *result)
{
    each_contributes(warp, values, combine_with_group, words(warp, form_of(warp)->neutral),
                     result->vector + warp->first);
}

static void reduce(struct warp *warp, struct simd_value *result)
{
    struct simd_emit *emit = warp->emit;
    const struct reduction_form *form = form_of(warp);
    LLVMValueRef values[MOST_OF_WARP];
    for (unsigned v = 0; v < warp->count; v++) {
        values[v] = argument(warp, 1, v);
        if (emit->mask != NULL) {
            values[v] = LLVMBuildSelect(emit->builder, emit->mask[warp->first + v], values[v],
                                        words(warp, form->neutral), "");
        }
    }
    if (simd_value_is_varying(result) && simd_named_by(emit->kernel, warp->call) == NAMED_GROUP) {
        reduce_groups(warp, values, result);
        return;
    }
    if (simd_value_is_varying(result)) {
        reduce_tiles(warp, form, values, result);
        return;
    }
    for (unsigned v = 1; v < warp->count; v++) {
        values[0] = combine(warp, form, values[0], values[v]);
    }
    LLVMTypeRef type = LLVMTypeOf(values[0]);
    set_for_warp(warp, result, simd_intrinsic(emit, form->whole, &type, 1, values, 1));
}

/* ---- all ---- */

static void one_for_all(struct simd_emit *emit, LLVMValueRef call)
{
    struct simd_value result = {.shape = simd_shape_of(emit->kernel, call)};
    for (unsigned u = 0; u < emit->vectors; u += SIMD_WARP / emit->lanes) {
        struct warp warp = start_warp(emit, call, u);
        switch ((int)simd_warp_operation_of(call)) {
        case WARP_BALLOT:
            ballot(&warp, &result);
            break;
        case WARP_REDUCE:
            reduce(&warp, &result);
            break;
        default:
            set_for_warp(&warp, &result, warp.active);
            break;
        }
    }
    simd_set(emit, call, result);
}

void simd_warp_operation(struct simd_emit *emit, LLVMValueRef call)
{
    switch ((int)simd_warp_operation_of(call)) {
    case WARP_SYNC: /* the lanes are together; no access moves across the operation, as across a
                       barrier */
        LLVMBuildFence(emit->builder, LLVMAtomicOrderingSequentiallyConsistent, 1, "");
        return;
    case WARP_SHUFFLE:
        shuffle(emit, call);
        return;
    case WARP_MATCH_ANY:
    case WARP_MATCH_ALL:
        match_lanes(emit, call);
        return;
    default:
        one_for_all(emit, call);
        return;
    }
}
