/* Comparisons of integers: their inverses, and what they are with exchanged operands. */
#include "simd/ir/predicates.h"

static const struct simd_order orders[] = {
    [LLVMIntEQ - LLVMIntEQ] = {LLVMIntNE, LLVMIntEQ, false, false},
    [LLVMIntNE - LLVMIntEQ] = {LLVMIntEQ, LLVMIntNE, false, false},
    [LLVMIntUGT - LLVMIntEQ] = {LLVMIntULE, LLVMIntULT, false, false},
    [LLVMIntUGE - LLVMIntEQ] = {LLVMIntULT, LLVMIntULE, false, false},
    [LLVMIntULT - LLVMIntEQ] = {LLVMIntUGE, LLVMIntUGT, false, true},
    [LLVMIntULE - LLVMIntEQ] = {LLVMIntUGT, LLVMIntUGE, false, true},
    [LLVMIntSGT - LLVMIntEQ] = {LLVMIntSLE, LLVMIntSLT, true, false},
    [LLVMIntSGE - LLVMIntEQ] = {LLVMIntSLT, LLVMIntSLE, true, false},
    [LLVMIntSLT - LLVMIntEQ] = {LLVMIntSGE, LLVMIntSGT, true, true},
    [LLVMIntSLE - LLVMIntEQ] = {LLVMIntSGT, LLVMIntSGE, true, true},
};

const struct simd_order *simd_order_of(LLVMIntPredicate predicate)
{
    return &orders[predicate - LLVMIntEQ];
}
