/* Calls of vectorized functions. */
#ifndef CDPCC_SIMD_EMIT_VECTOR_CALLS_H
#define CDPCC_SIMD_EMIT_VECTOR_CALLS_H
#include <llvm-c/Types.h>

struct simd_emit;

/* Calls the function's version for the lanes of the mask.  Sets the call's result. */
void simd_vector_call(struct simd_emit *emit, LLVMValueRef call);

#endif
