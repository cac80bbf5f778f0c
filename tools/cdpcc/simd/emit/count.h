/* Emission of the calls of --count. */
#ifndef CDPCC_SIMD_EMIT_COUNT_H
#define CDPCC_SIMD_EMIT_COUNT_H
#include <llvm-c/Types.h>

struct simd_emit;

/* The call has a simd_count_of() other than COUNT_END. */
void simd_count(struct simd_emit *emit, LLVMValueRef call);

#endif
