/* Lanes one after the other: a loop over the lanes of a mask, and arrays with a value of each lane.
 *
 * The loop, with one bit for each lane:
 *
 *             br mask != 0, lane, end
 *     lane:   left = phi [ mask, .. ], [ remaining, .. ]
 *             remaining = left & (left - 1)
 *             lane = cttz(left)
 *             the caller's code for the lane
 *             br remaining != 0, lane, end
 *     end:
 *
 * What always holds: an array has an element for each lane of the chunk, also for lanes that are
 * not active. */
#include "simd/emit/lane_loop.h"

#include "ir/value.h"
#include "simd/emit/builder.h"
#include "simd/plan/plan.h"

#include <llvm-c/Core.h>

/* ---- arrays ---- */

/* The type of an array's elements.  In memory, vectors of bool or of 24 bits, such as a uchar3 that
 * is passed on, are packed more densely than arrays. */
static LLVMTypeRef element_type(struct simd_emit *emit, LLVMTypeRef type)
{
    unsigned bits = 8;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) {
        return type;
    }
    while (bits < LLVMGetIntTypeWidth(type)) {
        bits *= 2;
    }
    return LLVMIntTypeInContext(emit->lower->llvm, bits);
}

LLVMValueRef simd_lane_array(struct simd_emit *emit, size_t *used)
{
    if (*used == emit->memory.array_count) {
        LLVMTypeRef type =
            LLVMArrayType2(emit->lower->types.i64, emit->lanes * emit->plan->options.vectors);
        LOWER_PUSH(emit->memory.arrays, emit->memory.array_count,
                   simd_alloca(emit, type, 64, "lanes"));
    }
    return emit->memory.arrays[(*used)++];
}

static LLVMValueRef vector_at(struct simd_emit *emit, LLVMValueRef array, LLVMTypeRef type,
                              unsigned vector)
{
    LLVMValueRef index = simd_int(emit->lower->types.i64, (int64_t)vector * emit->lanes);
    return LLVMBuildInBoundsGEP2(emit->builder, element_type(emit, type), array, &index, 1, "");
}

LLVMValueRef simd_keep_lanes(struct simd_emit *emit, const struct simd_value *value,
                             LLVMTypeRef type, size_t *used)
{
    LLVMTypeRef stored = element_type(emit, type);
    LLVMValueRef array = simd_lane_array(emit, used);
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef lanes = simd_vector(emit, value, u);
        if (stored != type) {
            lanes = LLVMBuildZExt(emit->builder, lanes, simd_vector_type(emit, stored), "");
        }
        LLVMValueRef store = LLVMBuildStore(emit->builder, lanes, vector_at(emit, array, type, u));
        LLVMSetAlignment(store, 1);
    }
    return array;
}

LLVMValueRef simd_kept_lane(struct simd_emit *emit, LLVMValueRef array, LLVMTypeRef type,
                            LLVMValueRef lane)
{
    LLVMTypeRef stored = element_type(emit, type);
    LLVMValueRef at = LLVMBuildInBoundsGEP2(emit->builder, stored, array, &lane, 1, "");
    LLVMValueRef value = LLVMBuildLoad2(emit->builder, stored, at, "");
    return stored == type ? value : LLVMBuildTrunc(emit->builder, value, type, "");
}

void simd_keep_lane(struct simd_emit *emit, LLVMValueRef array, LLVMValueRef value,
                    LLVMValueRef lane)
{
    LLVMTypeRef type = LLVMTypeOf(value), stored = element_type(emit, type);
    if (stored != type) {
        value = LLVMBuildZExt(emit->builder, value, stored, "");
    }
    LLVMValueRef at = LLVMBuildInBoundsGEP2(emit->builder, stored, array, &lane, 1, "");
    LLVMBuildStore(emit->builder, value, at);
}

LLVMValueRef simd_reload_lanes(struct simd_emit *emit, LLVMValueRef array, LLVMTypeRef type,
                               unsigned vector)
{
    LLVMTypeRef stored = element_type(emit, type);
    LLVMValueRef value = LLVMBuildLoad2(emit->builder, simd_vector_type(emit, stored),
                                        vector_at(emit, array, type, vector), "");
    LLVMSetAlignment(value, 1);
    return stored == type ? value
                          : LLVMBuildTrunc(emit->builder, value, simd_vector_type(emit, type), "");
}

/* ---- the loop ---- */

LLVMTypeRef simd_word_of_lanes(const struct simd_emit *emit)
{
    unsigned bits = 64;
    while (bits < emit->lanes * emit->vectors) {
        bits *= 2;
    }
    return LLVMIntTypeInContext(emit->lower->llvm, bits);
}

/* The next of the lanes that are left. */
static void take_first(struct simd_emit *emit, struct simd_lane_loop *loop)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef type = LLVMTypeOf(loop->left);
    LLVMValueRef arguments[] = {loop->left, simd_int(emit->lower->types.i1, 1)};
    loop->remaining =
        LLVMBuildAnd(b, loop->left, LLVMBuildSub(b, loop->left, simd_int(type, 1), ""), "");
    LLVMValueRef first = simd_intrinsic(emit, "llvm.cttz", &type, 1, arguments, 2);
    loop->lane = LLVMBuildTrunc(b, first, emit->lower->types.i64, "");
}

static void take_last(struct simd_emit *emit, struct simd_lane_loop *loop)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef type = LLVMTypeOf(loop->left);
    LLVMValueRef arguments[] = {loop->left, simd_int(emit->lower->types.i1, 1)};
    LLVMValueRef zeros = simd_intrinsic(emit, "llvm.ctlz", &type, 1, arguments, 2);
    int64_t last = LLVMGetIntTypeWidth(type) - 1;
    LLVMValueRef lane = LLVMBuildSub(b, simd_int(type, last), zeros, "");
    loop->remaining = LLVMBuildXor(b, loop->left, LLVMBuildShl(b, simd_int(type, 1), lane, ""), "");
    loop->lane = LLVMBuildTrunc(b, lane, emit->lower->types.i64, "");
}

struct simd_lane_loop simd_begin_lanes(struct simd_emit *emit, const LLVMValueRef *mask,
                                       bool is_reversed)
{
    LLVMTypeRef type = simd_word_of_lanes(emit);
    struct simd_lane_loop loop = {.head = simd_new(emit, "lane"),
                                  .after = simd_new(emit, "lanes.end")};
    LLVMValueRef all = simd_join_bits(emit, mask, emit->vectors, type);
    LLVMBasicBlockRef before = simd_here(emit);
    LLVMValueRef any = LLVMBuildICmp(emit->builder, LLVMIntNE, all, simd_int(type, 0), "");
    LLVMBuildCondBr(emit->builder, any, loop.head, loop.after);
    simd_at(emit, loop.head);
    loop.left = LLVMBuildPhi(emit->builder, type, "left");
    LLVMAddIncoming(loop.left, &all, &before, 1);
    if (is_reversed) {
        take_last(emit, &loop);
    } else {
        take_first(emit, &loop);
    }
    return loop;
}

void simd_end_lanes(struct simd_emit *emit, const struct simd_lane_loop *loop)
{
    LLVMBasicBlockRef from = simd_here(emit);
    LLVMValueRef zero = simd_int(LLVMTypeOf(loop->left), 0), remaining = loop->remaining;
    LLVMValueRef any = LLVMBuildICmp(emit->builder, LLVMIntNE, remaining, zero, "");
    LLVMBuildCondBr(emit->builder, any, loop->head, loop->after);
    LLVMAddIncoming(loop->left, &remaining, &from, 1);
    simd_at(emit, loop->after);
}
