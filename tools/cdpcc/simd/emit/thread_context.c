/* The thread of a lane, as calls see it: its index and its last error.
 *
 * All threads of the block share one context (struct cdp_abi_thread).  Before a call, the context
 * gets the index of the lane's thread.  In kernels that launch, the threads' errors are in an
 * array, and a thread's errors are put into the context for the time of a call.  The array is used
 * from the block's first error on.  At the end, each failed launch whose error its thread has not
 * read is reported, as when threads end.
 *
 *     call of lane 5:   context.linear, context.thread_idx = those of the lane's thread
 *                       context.last_error = failed == 0 ? 0 : errors[thread]
 *                       call
 *                       if ((failed | context.last_error) != 0):
 *                           if (failed == 0): clear errors
 *                           errors[thread] = context.last_error
 *                           failed |= context.last_error
 *
 * Lanes are numbered as threads are.  Padded rows are an exception: each row's last lanes are no
 * threads. */
#include "simd/emit/thread_context.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/traits.h"
#include "simd/ir/variant.h"
#include "simd/plan/calls.h"
#include "simd/plan/plan.h"

#include <string.h>

static LLVMValueRef field(struct simd_emit *emit, size_t offset)
{
    return lower_field(emit->lower, emit->builder, emit->launch.self, offset, "");
}

static void set_field(struct simd_emit *emit, size_t offset, LLVMValueRef value)
{
    LLVMBuildStore(emit->builder, value, field(emit, offset));
}

/* The runtime, and functions that read threadIdx, need the index of the calling thread.
 * A padded or multi-row block needs divisions by its dimensions. */
static void set_index(struct simd_emit *emit, LLVMValueRef thread)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32;
    size_t index = offsetof(struct cdp_abi_thread, thread_idx);
    set_field(emit, offsetof(struct cdp_abi_thread, linear), thread);
    if (simd_variant_of(emit->kernel)->layout == LAYOUT_ONE_ROW) {
        set_field(emit, index, thread);
        set_field(emit, index + 4, simd_int(i32, 0));
        set_field(emit, index + 8, simd_int(i32, 0));
        return;
    }
    LLVMValueRef row = LLVMBuildUDiv(b, thread, emit->launch.dimension[0], "");
    set_field(emit, index, LLVMBuildURem(b, thread, emit->launch.dimension[0], ""));
    set_field(emit, index + 4, LLVMBuildURem(b, row, emit->launch.dimension[1], ""));
    set_field(emit, index + 8, LLVMBuildUDiv(b, row, emit->launch.dimension[1], ""));
}

/* The dispatcher then ends the range of blocks after this one. */
static void note_call(struct simd_emit *emit)
{
    if (simd_traits_of(emit->kernel)->range == RANGE_UP_TO_A_CALL) {
        LLVMValueRef at = lower_field(emit->lower, emit->builder, emit->launch.block,
                                      offsetof(struct cdp_abi_block, has_called), "");
        LLVMBuildStore(emit->builder, simd_int(emit->lower->types.i32, 1), at);
    }
}

/* ---- indices of lanes ---- */

LLVMValueRef simd_thread_of(struct simd_emit *emit, LLVMValueRef number)
{
    LLVMBuilderRef b = emit->builder;
    if (simd_variant_of(emit->kernel)->layout != LAYOUT_PADDED) {
        return number;
    }
    LLVMValueRef row = LLVMBuildUDiv(b, number, emit->launch.row, "");
    LLVMValueRef padding = LLVMBuildSub(b, emit->launch.row, emit->launch.dimension[0], "");
    return LLVMBuildSub(b, number, LLVMBuildMul(b, row, padding, ""), "thread");
}

/* n / d is n * ceil(2^20 / d) / 2^20 for all n and d up to 1024, which blocks do not exceed. */
enum { RECIPROCAL_BITS = 20 };

void simd_make_reciprocals(struct simd_emit *emit)
{
    LLVMTypeRef i32 = emit->lower->types.i32;
    for (unsigned i = 0; simd_variant_of(emit->kernel)->layout == LAYOUT_ANY && i < 2; i++) {
        LLVMValueRef size = emit->launch.dimension[i],
                     most = simd_int(i32, (1 << RECIPROCAL_BITS) - 1);
        emit->launch.reciprocal[i] =
            LLVMBuildUDiv(emit->builder, LLVMBuildAdd(emit->builder, most, size, ""), size, "");
    }
}

/* A multiplication and a shift for each vector, in place of a division lane by lane. */
static LLVMValueRef divided(struct simd_emit *emit, LLVMValueRef value, unsigned dimension)
{
    LLVMValueRef by = simd_splat(emit, emit->launch.reciprocal[dimension]);
    LLVMValueRef bits = simd_splat(emit, simd_int(emit->lower->types.i32, RECIPROCAL_BITS));
    return LLVMBuildLShr(emit->builder, LLVMBuildMul(emit->builder, value, by, ""), bits, "");
}

static LLVMValueRef rest_of(struct simd_emit *emit, LLVMValueRef value, LLVMValueRef quotient,
                            unsigned dimension)
{
    LLVMValueRef size = simd_splat(emit, emit->launch.dimension[dimension]);
    return LLVMBuildSub(emit->builder, value, LLVMBuildMul(emit->builder, quotient, size, ""), "");
}

/* threadIdx of each lane from its thread's number, by two divisions. */
void simd_number_lanes(struct simd_emit *emit)
{
    for (unsigned i = 0; i < 3; i++) {
        emit->chunk.ids[i].shape = simd_varying().shape;
    }
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef thread = simd_vector(emit, &emit->chunk.ids[3], u);
        LLVMValueRef row = divided(emit, thread, 0), layer = divided(emit, row, 1);
        emit->chunk.ids[0].vector[u] = rest_of(emit, thread, row, 0);
        emit->chunk.ids[1].vector[u] = rest_of(emit, row, layer, 1);
        emit->chunk.ids[2].vector[u] = layer;
    }
}

/* ---- errors ---- */

_Static_assert(offsetof(struct cdp_abi_thread, launch_failed) ==
                       offsetof(struct cdp_abi_thread, last_error) + 4 &&
                   offsetof(struct cdp_abi_thread, last_error) % 8 == 0,
               "both errors are one word");

/* All threads start without an error.  Almost no launch fails, so the array is cleared only when a
 * thread has the block's first error.  Until then `failed` is zero, and no element is used. */
void simd_make_errors(struct simd_emit *emit)
{
    LLVMTypeRef i64 = emit->lower->types.i64;
    if (!emit->plan->has_errors) {
        return;
    }
    emit->memory.errors = simd_array(emit, i64, emit->launch.padded_count, "errors");
    emit->memory.failed = simd_alloca(emit, i64, 8, "failed");
    LLVMBuildStore(emit->builder, simd_int(i64, 0), emit->memory.failed);
}

static void clear_errors(struct simd_emit *emit)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i64 = emit->lower->types.i64;
    LLVMValueRef count = LLVMBuildZExt(b, emit->launch.padded_count, i64, "");
    LLVMValueRef bytes = LLVMBuildMul(b, count, simd_int(i64, sizeof(uint64_t)), "");
    LLVMBuildMemSet(b, emit->memory.errors, simd_int(emit->lower->types.i8, 0), bytes, 64);
}

static LLVMValueRef error_of(struct simd_emit *emit, LLVMValueRef thread)
{
    return LLVMBuildInBoundsGEP2(emit->builder, emit->lower->types.i64, emit->memory.errors,
                                 &thread, 1, "");
}

/* All errors so far, as one word. */
static LLVMValueRef failed_before(struct simd_emit *emit)
{
    return LLVMBuildLoad2(emit->builder, emit->lower->types.i64, emit->memory.failed, "");
}

static LLVMValueRef is_zero(struct simd_emit *emit, LLVMValueRef word)
{
    return LLVMBuildICmp(emit->builder, LLVMIntEQ, word, simd_int(emit->lower->types.i64, 0), "");
}

void simd_enter_thread(struct simd_emit *emit, LLVMValueRef thread, LLVMValueRef call)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i64 = emit->lower->types.i64;
    set_index(emit, thread);
    note_call(emit);
    if (emit->memory.errors != NULL && simd_may_fail(call)) {
        LLVMValueRef error = LLVMBuildLoad2(b, i64, error_of(emit, thread), "");
        LLVMValueRef none = is_zero(emit, failed_before(emit));
        error = LLVMBuildSelect(b, none, simd_int(i64, 0), error, "");
        set_field(emit, offsetof(struct cdp_abi_thread, last_error), error);
    }
}

/* Saves the thread's error, or that it has none any more. */
static void note_error(struct simd_emit *emit, LLVMValueRef thread, LLVMValueRef error)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef before = failed_before(emit), any = LLVMBuildOr(b, before, error, "");
    struct simd_diamond none = simd_begin_if(emit, is_zero(emit, any), true);
    simd_begin_else(emit, &none, NULL);
    struct simd_diamond first = simd_begin_if(emit, is_zero(emit, before), true);
    clear_errors(emit);
    simd_end_if_without_else(emit, &first);
    LLVMBuildStore(b, error, error_of(emit, thread));
    LLVMBuildStore(b, any, emit->memory.failed);
    (void)simd_end_if(emit, &none, NULL);
}

void simd_leave_thread(struct simd_emit *emit, LLVMValueRef thread, LLVMValueRef call)
{
    if (emit->memory.errors != NULL && simd_may_fail(call)) {
        LLVMValueRef at = field(emit, offsetof(struct cdp_abi_thread, last_error));
        note_error(emit, thread, LLVMBuildLoad2(emit->builder, emit->lower->types.i64, at, ""));
    }
}

/* ---- the end ---- */

/* The same as at the end of the thread. */
static void report_errors_of(struct simd_emit *emit, LLVMValueRef thread, LLVMValueRef error)
{
    LLVMTypeRef type = LLVMFunctionType(emit->lower->types.none, NULL, 0, 0);
    LLVMValueRef report = lower_runtime(emit->lower, "cdp_abi_unread_error", type);
    set_index(emit, thread);
    LLVMBuildStore(emit->builder, error, field(emit, offsetof(struct cdp_abi_thread, last_error)));
    LLVMBuildCall2(emit->builder, type, report, NULL, 0, "");
}

/* The error's launch_failed is not zero. */
static LLVMValueRef is_of_launch(struct simd_emit *emit, LLVMValueRef error)
{
    LLVMValueRef least = LLVMConstInt(emit->lower->types.i64, UINT64_C(1) << 32, 0);
    return LLVMBuildICmp(emit->builder, LLVMIntUGE, error, least, "");
}

void simd_report_errors(struct simd_emit *emit)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32, i64 = emit->lower->types.i64;
    if (emit->memory.errors == NULL) {
        return;
    }
    LLVMBasicBlockRef before = simd_here(emit), head = simd_new(emit, "error");
    LLVMBasicBlockRef report = simd_new(emit, "unread"), next = simd_new(emit, "error.next");
    LLVMBasicBlockRef after = simd_new(emit, "errors.end");
    LLVMValueRef zero = simd_int(i32, 0);
    LLVMValueRef failed = LLVMBuildLoad2(b, i64, emit->memory.failed, "");
    LLVMBuildCondBr(b, is_of_launch(emit, failed), head, after);
    simd_at(emit, head);
    LLVMValueRef thread = LLVMBuildPhi(b, i32, "thread");
    LLVMValueRef error = LLVMBuildLoad2(b, i64, error_of(emit, thread), "");
    LLVMBuildCondBr(b, is_of_launch(emit, error), report, next);
    simd_at(emit, report);
    report_errors_of(emit, thread, error);
    LLVMBuildBr(b, next);
    simd_at(emit, next);
    LLVMValueRef following = LLVMBuildNUWAdd(b, thread, simd_int(i32, 1), "");
    LLVMValueRef values[] = {zero, following};
    LLVMBasicBlockRef from[] = {before, next};
    LLVMAddIncoming(thread, values, from, 2);
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntULT, following, emit->launch.thread_count, "");
    LLVMBuildCondBr(b, more, head, after);
    simd_at(emit, after);
}
