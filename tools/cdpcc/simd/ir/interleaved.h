/* Local arrays whose copies are interleaved: a mark on their allocas. */
#ifndef CDPCC_SIMD_IR_INTERLEAVED_H
#define CDPCC_SIMD_IR_INTERLEAVED_H
#include <llvm-c/Types.h>
#include <stdint.h>

struct lower_context;

/* Threads whose copies are interleaved: as many as a vector has lanes at most. */
enum { SIMD_LOCAL_GROUP = 16 };

/* The bytes of the element that SIMD_LOCAL_GROUP threads interleave; 0: a thread's copy is
 * contiguous. */
uint64_t simd_interleaved_element(struct lower_context *lower, LLVMValueRef alloca);
void simd_mark_interleaved(struct lower_context *lower, LLVMValueRef alloca, uint64_t element);

#endif
