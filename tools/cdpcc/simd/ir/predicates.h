/* Comparisons of integers. */
#ifndef CDPCC_SIMD_IR_PREDICATES_H
#define CDPCC_SIMD_IR_PREDICATES_H
#include <llvm-c/Core.h>
#include <stdbool.h>

/* A comparison of integers: its inverse, its form with exchanged operands, and its order. */
struct simd_order {
    LLVMIntPredicate inverse, swapped;
    bool is_signed, is_less;
};
/* The predicate must be one of LLVM's for integers. */
const struct simd_order *simd_order_of(LLVMIntPredicate predicate);

#endif
