/* Calls.  Math intrinsics have vector forms; everything else runs once for each active lane, as the
 * thread of that lane.
 *
 *     store the varying operands to arrays
 *     for each active lane i:         (emit/lane_loop.c)
 *         call f(operands[i]); results[i] = ...
 *     load the results as vectors
 *
 * The call runs as the thread of its lane. Before it, the context gets the thread's index, its last
 * error and its number for fault reports. After it, the error is saved (emit/thread_context.c).
 * After the loop, the whole chunk is published again.
 *
 * What always holds: lanes run in ascending order, except for the buffers of launches. */
#include "simd/emit/scalarize.h"

#include "ir/value.h"
#include "simd/analysis/shape.h"
#include "simd/emit/atomics.h"
#include "simd/emit/builder.h"
#include "simd/emit/convert.h"
#include "simd/emit/count.h"
#include "simd/emit/edges.h"
#include "simd/emit/emit.h"
#include "simd/emit/guards.h"
#include "simd/emit/high_product.h"
#include "simd/emit/instruction.h"
#include "simd/emit/lane_loop.h"
#include "simd/emit/publish.h"
#include "simd/emit/record.h"
#include "simd/emit/thread_context.h"
#include "simd/emit/vector_calls.h"
#include "simd/emit/warp_ops.h"
#include "simd/ir/calls.h"
#include "simd/ir/numbers.h"
#include "simd/ir/vectors.h"
#include "simd/plan/atomics.h"
#include "simd/plan/calls.h"
#include "simd/plan/plan.h"
#include "support/arena.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* Operands that must be constants, such as the flag of llvm.ctlz, stay as they are. */
static void call_vectors(struct simd_emit *emit, LLVMValueRef call,
                         const struct simd_vector_form *form)
{
    struct simd_value result = simd_varying();
    unsigned count = LLVMGetNumArgOperands(call);
    struct simd_value *arguments = arena_alloc((count + 1) * sizeof *arguments);
    for (unsigned i = 0; i < count; i++) {
        arguments[i] = simd_get(emit, LLVMGetArgOperand(call, i));
    }
    LLVMTypeRef type = simd_vector_type(emit, LLVMTypeOf(call));
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef values[4];
        for (unsigned i = 0; i < count; i++) {
            values[i] = i < form->vectors ? simd_vector(emit, &arguments[i], u)
                                          : LLVMGetArgOperand(call, i);
        }
        result.vector[u] = simd_intrinsic(emit, form->name, &type, 1, values, count);
        if (LLVMCanValueUseFastMathFlags(call)) {
            LLVMSetFastMathFlags(result.vector[u], LLVMGetFastMathFlags(call));
        }
    }
    simd_set(emit, call, result);
}

/* ---- lane by lane ---- */

/* The operands and results of all lanes, in memory, for a loop that handles one lane at a time.
 * Life: one simd_each_lane(). */
struct lanes {
    struct simd_emit *emit;
    LLVMValueRef instruction;
    bool is_plain; /* an atomic operation that becomes plain ones */
    unsigned count;
    struct simd_value *operands;
    LLVMValueRef *arrays; /* of the operands that differ between lanes */
    LLVMValueRef result, second;
    LLVMTypeRef result_type, second_type;
    size_t used; /* arrays of the emission that this loop uses */
};

static bool touches_nothing(LLVMValueRef callee)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef memory =
        LLVMGetEnumAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    return LLVMIsDeclaration(callee) && memory != NULL && LLVMGetEnumAttributeValue(memory) == 0;
}

/* LLVM's intrinsics and pure declarations do not depend on the thread. */
static bool needs_identity(LLVMValueRef instruction)
{
    LLVMValueRef callee = lower_callee(instruction);
    return callee != NULL && !simd_is_pure_call(instruction) &&
           !simd_is_serial_child(instruction) && strncmp(lower_name(callee), "llvm.", 5) != 0 &&
           !touches_nothing(callee);
}

/* Forbids inlining: the callee's invariant loads of its context would be assumed to be the same for
 * all lanes. */
static void forbid_inlining(struct simd_emit *emit, LLVMValueRef clone)
{
    if (LLVMIsACallInst(clone) != NULL && needs_identity(clone)) {
        unsigned kind = LLVMGetEnumAttributeKindForName("noinline", 8);
        LLVMAddCallSiteAttribute(clone, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                 LLVMCreateEnumAttribute(emit->lower->llvm, kind, 0));
    }
}

/* A thread whose assertion fails ends, and the other lanes continue: the code after the call runs
 * without it. */
static void replace_assertion(struct simd_emit *emit, LLVMValueRef clone)
{
    LLVMValueRef callee = lower_callee(clone);
    if (callee != NULL && strcmp(lower_name(callee), "cdp_abi_assert_fail") == 0) {
        LLVMTypeRef type = LLVMGetCalledFunctionType(clone);
        LLVMValueRef other = lower_runtime(emit->lower, "cdp_abi_assert_lane", type);
        LLVMSetOperand(clone, LLVMGetNumArgOperands(clone), other);
        unsigned kind = LLVMGetEnumAttributeKindForName("noreturn", 8);
        LLVMRemoveCallSiteEnumAttribute(clone, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                        kind);
    }
}

static LLVMValueRef lane_operand(struct lanes *lanes, unsigned index, LLVMValueRef lane)
{
    LLVMValueRef operand = LLVMGetOperand(lanes->instruction, index);
    if (lanes->arrays[index] != NULL) {
        return simd_kept_lane(lanes->emit, lanes->arrays[index], LLVMTypeOf(operand), lane);
    }
    bool is_value = simd_number(lanes->emit->kernel, operand) >= 0;
    return is_value ? lanes->operands[index].scalar[0] : operand;
}

static void run_plain_atomic(struct lanes *lanes, LLVMValueRef lane)
{
    LLVMValueRef operands[3];
    for (unsigned i = 0; i < lanes->count && i < 3; i++) {
        operands[i] = lane_operand(lanes, i, lane);
    }
    struct simd_swap swap = simd_plain_atomic(lanes->emit, lanes->instruction, operands);
    simd_keep_lane(lanes->emit, lanes->result, swap.old, lane);
    if (lanes->second != NULL) {
        simd_keep_lane(lanes->emit, lanes->second, swap.is_equal, lane);
    }
}

/* Clones the instruction with this lane's operands. */
static void run_lane(struct lanes *lanes, LLVMValueRef lane)
{
    struct simd_emit *emit = lanes->emit;
    if (lanes->is_plain) {
        run_plain_atomic(lanes, lane);
        return;
    }
    LLVMValueRef clone = LLVMInstructionClone(lanes->instruction);
    for (unsigned i = 0; i < lanes->count; i++) {
        if (lanes->arrays[i] != NULL ||
            simd_number(emit->kernel, LLVMGetOperand(lanes->instruction, i)) >= 0) {
            LLVMSetOperand(clone, i, lane_operand(lanes, i, lane));
        }
    }
    bool is_call = needs_identity(lanes->instruction);
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMValueRef number = LLVMBuildAdd(emit->builder, emit->chunk.first32[0],
                                       LLVMBuildTrunc(emit->builder, lane, i32, ""), "");
    LLVMValueRef thread = simd_thread_of(emit, number);
    if (is_call) {
        simd_publish_thread(emit, thread);
        simd_enter_thread(emit, thread, lanes->instruction);
    }
    simd_insert_clone(emit, lanes->instruction, clone);
    forbid_inlining(emit, clone);
    replace_assertion(emit, clone);
    if (is_call) {
        simd_leave_thread(emit, thread, lanes->instruction);
    }
    if (lanes->second != NULL) {
        simd_keep_lane(emit, lanes->result, LLVMBuildExtractValue(emit->builder, clone, 0, ""),
                       lane);
        simd_keep_lane(emit, lanes->second, LLVMBuildExtractValue(emit->builder, clone, 1, ""),
                       lane);
    } else if (lanes->result != NULL) {
        simd_keep_lane(emit, lanes->result, clone, lane);
    }
}

/* Lanes create the buffers of their launches in reverse order.  The block hands out a launch's
 * buffer fastest if it was the last one created, and lanes launch in order. */
static bool is_reversed(LLVMValueRef instruction)
{
    return strncmp(simd_callee_name(instruction), "cdp_abi_cudaGetParameterBuffer", 30) == 0;
}

static void loop_lanes(struct lanes *lanes)
{
    struct simd_emit *emit = lanes->emit;
    LLVMValueRef full[SIMD_MOST_VECTORS];
    simd_fill_mask(emit, full, emit->full);
    struct simd_lane_loop loop = simd_begin_lanes(emit, emit->mask == NULL ? full : emit->mask,
                                                  is_reversed(lanes->instruction));
    run_lane(lanes, loop.lane);
    simd_end_lanes(emit, &loop);
    if (needs_identity(lanes->instruction)) {
        simd_publish_chunk(emit);
    }
}

static void allocate_results(struct lanes *lanes)
{
    LLVMTypeRef type = LLVMTypeOf(lanes->instruction);
    if (simd_is_pair(lanes->instruction)) {
        lanes->result_type = LLVMStructGetTypeAtIndex(type, 0);
        lanes->second_type = LLVMStructGetTypeAtIndex(type, 1);
        lanes->second = simd_lane_array(lanes->emit, &lanes->used);
    } else if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
        return;
    } else {
        lanes->result_type = type;
    }
    lanes->result = simd_lane_array(lanes->emit, &lanes->used);
}

/* Uniform operands need no array. */
void simd_each_lane(struct simd_emit *emit, LLVMValueRef instruction)
{
    struct lanes lanes = {.emit = emit, .instruction = instruction};
    lanes.is_plain = simd_atomic_kind_at(emit, instruction) == ATOMIC_PLAIN_LANES;
    lanes.count = (unsigned)LLVMGetNumOperands(instruction);
    lanes.operands = arena_alloc((lanes.count + 1) * sizeof *lanes.operands);
    lanes.arrays = arena_alloc((lanes.count + 1) * sizeof *lanes.arrays);
    allocate_results(&lanes);
    for (unsigned i = 0; i < lanes.count; i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, i);
        if (simd_number(emit->kernel, operand) < 0) {
            continue;
        }
        lanes.operands[i] = simd_get(emit, operand);
        if (!simd_value_is_uniform(&lanes.operands[i])) {
            lanes.arrays[i] =
                simd_keep_lanes(emit, &lanes.operands[i], LLVMTypeOf(operand), &lanes.used);
        }
    }
    loop_lanes(&lanes);
    if (lanes.result == NULL) {
        return;
    }
    struct simd_value result = simd_varying();
    for (unsigned u = 0; u < emit->vectors; u++) {
        result.vector[u] = simd_reload_lanes(emit, lanes.result, lanes.result_type, u);
        if (lanes.second != NULL) {
            result.second[u] = simd_reload_lanes(emit, lanes.second, lanes.second_type, u);
        }
    }
    simd_set(emit, instruction, result);
}

static void call_lane(struct simd_emit *emit, LLVMValueRef call, const struct simd_shape *shape)
{
    struct simd_value result = {.shape = shape};
    unsigned count = (unsigned)LLVMGetNumOperands(call);
    struct simd_value *operands = arena_alloc((count + 1) * sizeof *operands);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = simd_get(emit, LLVMGetOperand(call, i));
    }
    for (unsigned u = 0; u < simd_distinct_vectors(emit, shape); u++) {
        result.scalar[u] = simd_clone(emit, call, operands, u);
    }
    simd_set(emit, call, result);
}

/* Copies every lane's structure at once.  It is not a memcpy, whose ranges must not overlap: each
 * lane's two ranges do not, but the ranges of all lanes together may.
 * The lanes' structures follow each other, so one range holds them all. */
static void copy_contiguous(struct simd_emit *emit, LLVMValueRef call)
{
    uint64_t size = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2));
    struct simd_value to = simd_get(emit, LLVMGetOperand(call, 0));
    struct simd_value from = simd_get(emit, LLVMGetOperand(call, 1));
    LLVMValueRef all = simd_int(emit->lower->types.i64, (int64_t)(size * emit->lanes));
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMBuildMemMove(emit->builder, to.scalar[u], 1, from.scalar[u], 1, all);
    }
}

/* A lane's address, where all lanes are active. */
static LLVMValueRef address_in_lane(struct simd_emit *emit, LLVMValueRef operand,
                                    const struct simd_value *value, unsigned vector, unsigned lane)
{
    LLVMTypeRef i64 = emit->lower->types.i64;
    const struct simd_shape *shape = simd_shape_of(emit->kernel, operand);
    if (simd_value_is_scalar(value)) {
        return simd_scalar(value, vector);
    }
    if (shape->kind == SHAPE_LINEAR && shape->check != CHECK_ALWAYS) {
        LLVMValueRef by = simd_int(i64, shape->stride * (int64_t)lane);
        LLVMTypeRef i8 = emit->lower->types.i8;
        return LLVMBuildGEP2(emit->builder, i8, value->scalar[vector], &by, 1, "");
    }
    LLVMValueRef index = simd_int(i64, lane), all = simd_vector(emit, value, vector);
    return LLVMBuildExtractElement(emit->builder, all, index, "");
}

/* One lane after the other, without a loop: a copy takes two instructions. Lanes that copy the same
 * do it once. */
static void copy_each(struct simd_emit *emit, LLVMValueRef call)
{
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
    struct simd_value at_to = simd_get(emit, to), at_from = simd_get(emit, from);
    bool are_same = simd_value_is_scalar(&at_to) && simd_value_is_scalar(&at_from);
    for (unsigned i = 0; i < emit->vectors * emit->lanes; i += are_same ? emit->lanes : 1) {
        unsigned vector = i / emit->lanes, lane = i % emit->lanes;
        LLVMValueRef clone = LLVMInstructionClone(call);
        LLVMSetOperand(clone, 0, address_in_lane(emit, to, &at_to, vector, lane));
        LLVMSetOperand(clone, 1, address_in_lane(emit, from, &at_from, vector, lane));
        simd_insert_clone(emit, call, clone);
    }
}

void simd_call(struct simd_emit *emit, LLVMValueRef call)
{
    switch (emit->plan->calls[simd_number(emit->kernel, call)]) {
    case CALL_WARP:
        simd_warp_operation(emit, call);
        break;
    case CALL_CLAMP:
        simd_compute_instruction(emit, call);
        break;
    case CALL_NONE:
    case CALL_DROPPED:
        break;
    case CALL_SCALAR:
        call_lane(emit, call, simd_shape_at(emit, call));
        break;
    case CALL_VECTOR:
        call_vectors(emit, call, simd_vector_form_of(call));
        break;
    case CALL_SATURATE:
        simd_saturate(emit, call);
        break;
    case CALL_PRODUCT:
        simd_emit_high_product(emit, call);
        break;
    case CALL_COPY:
        if (emit->mask == NULL) {
            copy_contiguous(emit, call);
            break;
        }
        simd_each_lane(emit, call);
        break;
    case CALL_COPY_EACH:
        if (emit->mask == NULL) {
            copy_each(emit, call);
            break;
        }
        simd_each_lane(emit, call);
        break;
    case CALL_GUARD:
        simd_guard(emit, call);
        break;
    case CALL_RECORD:
        simd_record(emit, call);
        break;
    case CALL_COUNT:
        simd_count(emit, call);
        break;
    case CALL_FUNCTION:
        simd_vector_call(emit, call);
        break;
    case CALL_SCALARIZED:
        simd_each_lane(emit, call);
        break;
    }
}
