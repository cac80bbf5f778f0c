/* Arithmetic with overflow: llvm.uadd.with.overflow and similar intrinsics. */
#ifndef CDPCC_SIMD_PREPARE_OVERFLOW_H
#define CDPCC_SIMD_PREPARE_OVERFLOW_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct lower_context;

/* Replaces LLVM's intrinsics with two results, of at most 64 bits. True if any was replaced. */
bool simd_expand_overflow(struct lower_context *lower, LLVMValueRef function);

#endif
