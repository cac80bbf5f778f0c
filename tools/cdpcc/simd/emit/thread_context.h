/* The thread that a lane is, in calls. */
#ifndef CDPCC_SIMD_EMIT_THREAD_CONTEXT_H
#define CDPCC_SIMD_EMIT_THREAD_CONTEXT_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;

/* Around a call by the thread of that number. */
void block_enter_thread(struct block_emit *emit, LLVMValueRef thread, LLVMValueRef call);
void block_leave_thread(struct block_emit *emit, LLVMValueRef thread, LLVMValueRef call);
/* The thread that the lane of that number is (i32). */
LLVMValueRef block_thread_of(struct block_emit *emit, LLVMValueRef number);
/* What dividing by dimensions needs, and threadIdx of all lanes: in LAYOUT_ANY. */
void block_make_reciprocals(struct block_emit *emit);
void block_number_lanes(struct block_emit *emit);
/* At the function's start and end. */
void block_make_errors(struct block_emit *emit);
void block_tell_errors(struct block_emit *emit);

#endif
