/* Marks of nontemporal stores. */
#ifndef CDPCC_SIMD_EMIT_NONTEMPORAL_H
#define CDPCC_SIMD_EMIT_NONTEMPORAL_H
#include <llvm-c/Types.h>

struct simd_emit;

/* Marks the function, if the kernel has such stores. */
void simd_announce_nontemporal(struct simd_emit *emit);
/* Marks a contiguous store that implements a store of the kernel. */
void simd_mark_nontemporal(struct simd_emit *emit, LLVMValueRef result);

#endif
