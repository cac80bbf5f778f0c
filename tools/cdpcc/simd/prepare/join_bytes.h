/* Joins loads of neighbouring bytes into loads of words. */
#ifndef CDPCC_SIMD_PREPARE_JOIN_BYTES_H
#define CDPCC_SIMD_PREPARE_JOIN_BYTES_H
#include <llvm-c/Types.h>

struct lower_context;

void simd_join_bytes(struct lower_context *lower, LLVMValueRef function);

#endif
