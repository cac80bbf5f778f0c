/* Emission of the calls of --check that describe accesses. */
#ifndef CDPCC_SIMD_EMIT_RECORD_H
#define CDPCC_SIMD_EMIT_RECORD_H
#include <llvm-c/Types.h>

struct simd_emit;

/* The call has a simd_record_form. */
void simd_record(struct simd_emit *emit, LLVMValueRef call);
/* All threads of the block have met at a barrier: where a region starts. */
void simd_record_barrier(struct simd_emit *emit);

#endif
