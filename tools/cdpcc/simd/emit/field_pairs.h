/* Two neighbouring fields as one value of twice the size. */
#ifndef CDPCC_SIMD_EMIT_FIELD_PAIRS_H
#define CDPCC_SIMD_EMIT_FIELD_PAIRS_H
#include <llvm-c/Types.h>

struct simd_emit;

/* The type of a pair: an integer that holds both fields. */
LLVMTypeRef simd_pair_type(const struct simd_emit *emit, LLVMValueRef access);
LLVMValueRef simd_join_pair(struct simd_emit *emit, LLVMValueRef access, LLVMValueRef low,
                            LLVMValueRef high);
LLVMValueRef simd_field_of_pair(struct simd_emit *emit, LLVMValueRef access, LLVMValueRef pair,
                                unsigned which);

#endif
