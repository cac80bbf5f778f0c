/* Atomic operations of all active lanes at one address (plan/atomics.c): one operation on the
 * reduced operands.
 *
 *     atomicMax(&m[0], x[i])         the largest x[i] of the active lanes, and one operation
 *     k = atomicAdd(&m[0], 1)        old = m[0], m[0] += active lanes, atomically
 *                                    k = old + the number of active lanes before this one
 *
 * Hardware and nvcc do the same for the lanes of a warp. */
#include "simd/emit/reduced_atomics.h"

#include "ir/context.h"
#include "simd/analysis/alias.h"
#include "simd/emit/atomics.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/instruction.h"
#include "simd/ir/lanes.h"
#include "simd/ir/vectors.h"
#include "simd/plan/atomics.h"

/* The vectors that one operation is for. */
struct stretch {
    struct simd_emit *emit;
    LLVMValueRef instruction;
    LLVMAtomicRMWBinOp operation;
    unsigned first, end;
};

static LLVMValueRef mask_at(const struct stretch *stretch, unsigned vector)
{
    const struct simd_emit *emit = stretch->emit;
    return emit->mask == NULL ? emit->full : emit->mask[vector];
}

/* What does not change the result of the operation. */
static LLVMValueRef identity(LLVMAtomicRMWBinOp operation, LLVMTypeRef type)
{
    unsigned width = LLVMGetIntTypeWidth(type);
    uint64_t top = UINT64_C(1) << (width - 1), all = top | (top - 1);
    switch ((int)operation) {
    case LLVMAtomicRMWBinOpAnd:
    case LLVMAtomicRMWBinOpUMin:
        return LLVMConstInt(type, all, 0);
    case LLVMAtomicRMWBinOpMin:
        return LLVMConstInt(type, top - 1, 0);
    case LLVMAtomicRMWBinOpMax:
        return LLVMConstInt(type, top, 0);
    default:
        return LLVMConstNull(type);
    }
}

/* The names of LLVM's reductions, and of what joins two vectors; NULL: an instruction does. */
static const char *reduction(LLVMAtomicRMWBinOp operation, const char **join, LLVMOpcode *opcode)
{
    *join = NULL;
    *opcode = LLVMAdd; /* a difference subtracts a sum */
    switch ((int)operation) {
    case LLVMAtomicRMWBinOpAnd:
        *opcode = LLVMAnd;
        return "llvm.vector.reduce.and";
    case LLVMAtomicRMWBinOpOr:
        *opcode = LLVMOr;
        return "llvm.vector.reduce.or";
    case LLVMAtomicRMWBinOpXor:
        *opcode = LLVMXor;
        return "llvm.vector.reduce.xor";
    case LLVMAtomicRMWBinOpMax:
        *join = "llvm.smax";
        return "llvm.vector.reduce.smax";
    case LLVMAtomicRMWBinOpMin:
        *join = "llvm.smin";
        return "llvm.vector.reduce.smin";
    case LLVMAtomicRMWBinOpUMax:
        *join = "llvm.umax";
        return "llvm.vector.reduce.umax";
    case LLVMAtomicRMWBinOpUMin:
        *join = "llvm.umin";
        return "llvm.vector.reduce.umin";
    default:
        return "llvm.vector.reduce.add";
    }
}

static LLVMValueRef reduced(const struct stretch *stretch, const struct simd_value *value)
{
    struct simd_emit *emit = stretch->emit;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(stretch->instruction, 1));
    LLVMTypeRef vector_type = simd_vector_type(emit, type);
    LLVMValueRef none = simd_splat_constant(emit, identity(stretch->operation, type)), all = NULL;
    const char *join;
    LLVMOpcode opcode;
    const char *name = reduction(stretch->operation, &join, &opcode);
    for (unsigned u = stretch->first; u < stretch->end; u++) {
        LLVMValueRef lanes = simd_vector(emit, value, u);
        if (emit->mask != NULL) {
            lanes = LLVMBuildSelect(emit->builder, emit->mask[u], lanes, none, "");
        }
        LLVMValueRef both[] = {all, lanes};
        all = all == NULL    ? lanes
              : join == NULL ? LLVMBuildBinOp(emit->builder, opcode, all, lanes, "")
                             : simd_intrinsic(emit, join, &vector_type, 1, both, 2);
    }
    return simd_intrinsic(emit, name, &vector_type, 1, &all, 1);
}

/* The number of active lanes of a vector, as the type. */
static LLVMValueRef count_lanes(struct simd_emit *emit, LLVMValueRef mask, LLVMTypeRef type)
{
    if (mask == emit->full) {
        return simd_int(type, emit->lanes);
    }
    LLVMValueRef bits = simd_bits(emit, mask);
    LLVMTypeRef bits_type = LLVMTypeOf(bits);
    bits = simd_intrinsic(emit, "llvm.ctpop", &bits_type, 1, &bits, 1);
    return LLVMBuildIntCast2(emit->builder, bits, type, 0, "");
}

/* The number of active lanes before each lane of a vector, as a vector of the type. */
static LLVMValueRef rank_lanes(struct simd_emit *emit, LLVMValueRef mask, LLVMTypeRef type)
{
    if (mask == emit->full) {
        return simd_steps(emit, type, 1);
    }
    LLVMTypeRef i32 = emit->lower->types.i32, i32s = simd_vector_type(emit, i32);
    LLVMValueRef below[SIMD_MOST_LANES];
    for (unsigned i = 0; i < emit->lanes; i++) {
        below[i] = simd_int(i32, (INT64_C(1) << i) - 1);
    }
    LLVMValueRef bits = LLVMBuildIntCast2(emit->builder, simd_bits(emit, mask), i32, 0, "");
    LLVMValueRef ranks = LLVMBuildAnd(emit->builder, simd_splat(emit, bits),
                                      LLVMConstVector(below, emit->lanes), "");
    ranks = simd_intrinsic(emit, "llvm.ctpop", &i32s, 1, &ranks, 1);
    return LLVMBuildIntCast2(emit->builder, ranks, simd_vector_type(emit, type), 0, "");
}

/* One operation, on scalars. Returns what was there before. */
static LLVMValueRef operate(const struct stretch *stretch, LLVMValueRef address, LLVMValueRef value)
{
    LLVMValueRef operands[] = {address, value};
    if (simd_is_plain_atomic(stretch->instruction)) {
        return simd_plain_atomic(stretch->emit, stretch->instruction, operands).old;
    }
    LLVMValueRef clone = LLVMInstructionClone(stretch->instruction);
    LLVMSetOperand(clone, 0, address);
    LLVMSetOperand(clone, 1, value);
    simd_insert_clone(stretch->emit, stretch->instruction, clone);
    return clone;
}

/* i1: some lane is active; NULL: all are. */
static LLVMValueRef any_lane(const struct stretch *stretch)
{
    struct simd_emit *emit = stretch->emit;
    LLVMValueRef any = NULL;
    for (unsigned u = stretch->first; emit->mask != NULL && u < stretch->end; u++) {
        LLVMValueRef here = simd_any_in(emit, emit->mask[u]);
        any = any == NULL ? here : LLVMBuildOr(emit->builder, any, here, "");
    }
    return any;
}

/* The operand of the whole stretch: a multiple of equal operands of a sum, or reduced. */
static LLVMValueRef operand_of(const struct stretch *stretch, const struct simd_value *value)
{
    struct simd_emit *emit = stretch->emit;
    bool is_sum =
        stretch->operation == LLVMAtomicRMWBinOpAdd || stretch->operation == LLVMAtomicRMWBinOpSub;
    if (!is_sum || !simd_value_is_uniform(value)) {
        return reduced(stretch, value);
    }
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(stretch->instruction, 1));
    LLVMValueRef count = simd_int(type, 0);
    for (unsigned u = stretch->first; u < stretch->end; u++) {
        LLVMValueRef here = count_lanes(emit, mask_at(stretch, u), type);
        count = LLVMBuildAdd(emit->builder, count, here, "");
    }
    return LLVMBuildMul(emit->builder, count, simd_scalar(value, stretch->first), "");
}

/* What each lane would have found, if the active ones had run one after the other. */
static void set_results(const struct stretch *stretch, const struct simd_value *value,
                        LLVMValueRef old, struct simd_value *result)
{
    struct simd_emit *emit = stretch->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef type = LLVMTypeOf(old);
    LLVMValueRef by = simd_scalar(value, stretch->first), before = simd_int(type, 0);
    for (unsigned u = stretch->first; u < stretch->end; u++) {
        LLVMValueRef mask = mask_at(stretch, u);
        LLVMValueRef rank =
            LLVMBuildAdd(b, rank_lanes(emit, mask, type), simd_splat(emit, before), "");
        LLVMValueRef offset = LLVMBuildMul(b, rank, simd_splat(emit, by), "");
        LLVMValueRef start = simd_splat(emit, old);
        result->vector[u] = stretch->operation == LLVMAtomicRMWBinOpSub
                                ? LLVMBuildSub(b, start, offset, "")
                                : LLVMBuildAdd(b, start, offset, "");
        before = LLVMBuildAdd(b, before, count_lanes(emit, mask, type), "");
    }
}

static void emit_stretch(const struct stretch *stretch, struct simd_value *result)
{
    struct simd_emit *emit = stretch->emit;
    struct simd_value at = simd_get(emit, LLVMGetOperand(stretch->instruction, 0));
    struct simd_value value = simd_get(emit, LLVMGetOperand(stretch->instruction, 1));
    LLVMValueRef any = any_lane(stretch), operand = operand_of(stretch, &value), old;
    LLVMValueRef address = simd_scalar(&at, stretch->first);
    if (any == NULL) {
        old = operate(stretch, address, operand);
    } else {
        struct simd_diamond diamond = simd_begin_if(emit, any, true);
        old = operate(stretch, address, operand);
        simd_begin_else(emit, &diamond, old);
        old = simd_end_if(emit, &diamond, LLVMGetPoison(LLVMTypeOf(old)));
    }
    if (LLVMGetFirstUse(stretch->instruction) != NULL) {
        set_results(stretch, &value, LLVMBuildFreeze(emit->builder, old, ""), result);
    }
}

void simd_reduced_atomic(struct simd_emit *emit, LLVMValueRef instruction)
{
    struct simd_value at = simd_get(emit, LLVMGetOperand(instruction, 0));
    struct simd_value result = simd_varying();
    unsigned step = simd_value_is_uniform(&at) ? emit->vectors : 1;
    for (unsigned u = 0; u < emit->vectors; u += step) {
        const struct stretch stretch = {.emit = emit,
                                        .instruction = instruction,
                                        .operation = LLVMGetAtomicRMWBinOp(instruction),
                                        .first = u,
                                        .end = u + step};
        emit_stretch(&stretch, &result);
    }
    if (LLVMGetFirstUse(instruction) != NULL) {
        simd_set(emit, instruction, result);
    }
}
