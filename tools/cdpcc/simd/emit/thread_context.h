/* The thread that a lane is, in calls. */
#ifndef CDPCC_SIMD_EMIT_THREAD_CONTEXT_H
#define CDPCC_SIMD_EMIT_THREAD_CONTEXT_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;

/* Around a call by the thread of that number. */
void simd_enter_thread(struct simd_emit *emit, LLVMValueRef thread, LLVMValueRef call);
void simd_leave_thread(struct simd_emit *emit, LLVMValueRef thread, LLVMValueRef call);
/* The thread that the lane of that number is (i32). */
LLVMValueRef simd_thread_of(struct simd_emit *emit, LLVMValueRef number);
/* What dividing by dimensions needs, and threadIdx of all lanes: in LAYOUT_ANY. */
void simd_make_reciprocals(struct simd_emit *emit);
void simd_number_lanes(struct simd_emit *emit);
/* At the function's start and end. */
void simd_make_errors(struct simd_emit *emit);
void simd_tell_errors(struct simd_emit *emit);

#endif
