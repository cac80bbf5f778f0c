/* Calls.  Math intrinsics have vector forms; everything else runs once for each active lane, as the
 * thread of that lane.
 *
 * The loop, with one bit for each active lane of the chunk:
 *
 *     lanes:  store the varying operands to arrays
 *     lane:   left = phi [ active, lanes ], [ left & (left - 1), lane ]
 *             i    = cttz(left)
 *             call f(operands[i]); results[i] = ...
 *             br left != 0, lane, end
 *     end:    load the results as vectors
 *
 * The call runs as the thread of its lane. Before it, the context gets the thread's index, its last
 * error and its number for fault reports. After it, the error is saved (emit/thread_context.c).
 * After the loop, the whole chunk is published again.
 *
 * What always holds: lanes run in ascending order, except for the buffers of launches. */
#include "simd/emit/scalarize.h"

#include "ir/value.h"
#include "simd/emit/atomics.h"
#include "simd/emit/builder.h"
#include "simd/emit/convert.h"
#include "simd/emit/count.h"
#include "simd/emit/edges.h"
#include "simd/emit/emit.h"
#include "simd/emit/guards.h"
#include "simd/emit/high_product.h"
#include "simd/emit/instruction.h"
#include "simd/emit/publish.h"
#include "simd/emit/record.h"
#include "simd/emit/thread_context.h"
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

/* The arrays are reused by one loop after the other. */
static LLVMValueRef next_array(struct simd_emit *emit, size_t *used)
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
    LLVMValueRef array = next_array(emit, used);
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

LLVMTypeRef simd_word_of_lanes(const struct simd_emit *emit)
{
    unsigned bits = 64;
    while (bits < emit->lanes * emit->vectors) {
        bits *= 2;
    }
    return LLVMIntTypeInContext(emit->lower->llvm, bits);
}

/* A word with one bit for each active lane of the chunk. */
static LLVMValueRef active_lanes(struct simd_emit *emit)
{
    LLVMValueRef full[SIMD_MOST_VECTORS];
    simd_fill_mask(emit, full, emit->full);
    return simd_join_bits(emit, emit->mask == NULL ? full : emit->mask, emit->vectors,
                          simd_word_of_lanes(emit));
}

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
           strncmp(lower_name(callee), "llvm.", 5) != 0 && !touches_nothing(callee);
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

/* Takes the next of the remaining lanes, and the lanes that remain after it. */
static LLVMValueRef take_lane(struct lanes *lanes, LLVMValueRef left, LLVMValueRef *remaining)
{
    LLVMBuilderRef b = lanes->emit->builder;
    LLVMTypeRef type = simd_word_of_lanes(lanes->emit), i64 = lanes->emit->lower->types.i64;
    LLVMValueRef arguments[] = {left, simd_int(lanes->emit->lower->types.i1, 1)};
    if (!is_reversed(lanes->instruction)) {
        *remaining = LLVMBuildAnd(b, left, LLVMBuildSub(b, left, simd_int(type, 1), ""), "");
        LLVMValueRef first = simd_intrinsic(lanes->emit, "llvm.cttz", &type, 1, arguments, 2);
        return LLVMBuildTrunc(b, first, i64, "");
    }
    LLVMValueRef zeros = simd_intrinsic(lanes->emit, "llvm.ctlz", &type, 1, arguments, 2);
    int64_t last = LLVMGetIntTypeWidth(type) - 1;
    LLVMValueRef lane = LLVMBuildSub(b, simd_int(type, last), zeros, "");
    *remaining = LLVMBuildXor(b, left, LLVMBuildShl(b, simd_int(type, 1), lane, ""), "");
    return LLVMBuildTrunc(b, lane, i64, "");
}

/* Jumped over if no lane is active. */
static void loop_lanes(struct lanes *lanes)
{
    struct simd_emit *emit = lanes->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef type = simd_word_of_lanes(emit);
    LLVMBasicBlockRef head = simd_new(emit, "lane"), after = simd_new(emit, "lanes.end");
    LLVMValueRef zero = simd_int(type, 0), all = active_lanes(emit);
    LLVMBasicBlockRef before = simd_here(emit);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, all, zero, ""), head, after);
    simd_at(emit, head);
    LLVMValueRef left = LLVMBuildPhi(b, type, "left");
    LLVMValueRef remaining;
    run_lane(lanes, take_lane(lanes, left, &remaining));
    LLVMBasicBlockRef from[] = {before, simd_here(emit)};
    LLVMValueRef values[] = {all, remaining};
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, remaining, zero, ""), head, after);
    LLVMAddIncoming(left, values, from, 2);
    simd_at(emit, after);
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
        lanes->second = next_array(lanes->emit, &lanes->used);
    } else if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
        return;
    } else {
        lanes->result_type = type;
    }
    lanes->result = next_array(lanes->emit, &lanes->used);
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
    case CALL_GUARD:
        simd_guard(emit, call);
        break;
    case CALL_RECORD:
        simd_record(emit, call);
        break;
    case CALL_COUNT:
        simd_count(emit, call);
        break;
    case CALL_SCALARIZED:
        simd_each_lane(emit, call);
        break;
    }
}
