/* Marks of nontemporal stores. */
#ifndef CDPCC_SIMD_EMIT_NONTEMPORAL_H
#define CDPCC_SIMD_EMIT_NONTEMPORAL_H
#include <llvm-c/Types.h>

struct simd_emit;

/* Of the function, if the kernel has such stores. */
void simd_announce_nontemporal(struct simd_emit *emit);
/* Of a contiguous store that stands for the kernel's. */
void simd_mark_nontemporal(struct simd_emit *emit, LLVMValueRef result);

#endif
