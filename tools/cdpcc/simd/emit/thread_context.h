/* The thread of a lane, for calls. */
#ifndef CDPCC_SIMD_EMIT_THREAD_CONTEXT_H
#define CDPCC_SIMD_EMIT_THREAD_CONTEXT_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;

/* Emitted around a call by the thread of that number.
 * The context then has the thread's index and, if the call may fail, its last error. */
void simd_enter_thread(struct simd_emit *emit, LLVMValueRef thread, LLVMValueRef call);
void simd_leave_thread(struct simd_emit *emit, LLVMValueRef thread, LLVMValueRef call);
/* The thread of the lane with that number (i32).
 * They differ only in padded rows. */
LLVMValueRef simd_thread_of(struct simd_emit *emit, LLVMValueRef number);
/* Both are for LAYOUT_ANY: the reciprocals that replace division by the dimensions, and threadIdx
 * of all lanes. */
void simd_make_reciprocals(struct simd_emit *emit);
void simd_number_lanes(struct simd_emit *emit);
/* Emitted at the function's start and end. */
void simd_make_errors(struct simd_emit *emit);
void simd_report_errors(struct simd_emit *emit);

#endif
