/* Conditions that are made of two. */
#ifndef CDPCC_SIMD_IR_ALTERNATIVES_H
#define CDPCC_SIMD_IR_ALTERNATIVES_H
#include <llvm-c/Types.h>

/* Two conditions of which one decides alone if it has the value `strong`. */
struct simd_alternatives {
    LLVMValueRef first, second;
    int strong; /* 1: first || second; 0: first && second; -1: the condition is neither */
};
struct simd_alternatives simd_alternatives_of(LLVMValueRef condition);

#endif
