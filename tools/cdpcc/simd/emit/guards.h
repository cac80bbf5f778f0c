/* Emission of the guards of --check. */
#ifndef CDPCC_SIMD_EMIT_GUARDS_H
#define CDPCC_SIMD_EMIT_GUARDS_H
#include <llvm-c/Types.h>

struct simd_emit;

/* The call's first operand is the condition. */
void simd_guard(struct simd_emit *emit, LLVMValueRef call);

#endif
