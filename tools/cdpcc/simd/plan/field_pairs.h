/* Fields side by side as one access. */
#ifndef CDPCC_SIMD_PLAN_FIELD_PAIRS_H
#define CDPCC_SIMD_PLAN_FIELD_PAIRS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;

/* The access of the field beside this one's that can be made with it; NULL: none.  Of a store, the
 * other one comes next; of a load, it is of the field behind. */
LLVMValueRef simd_find_pair(const struct simd_emit *emit, LLVMValueRef access);
bool simd_is_below(LLVMValueRef access, LLVMValueRef other);
/* An integer of both. */
LLVMTypeRef simd_pair_type(const struct simd_emit *emit, LLVMValueRef access);
LLVMValueRef simd_join_pair(struct simd_emit *emit, LLVMValueRef access, LLVMValueRef low,
                            LLVMValueRef high);
LLVMValueRef simd_part_of_pair(struct simd_emit *emit, LLVMValueRef access, LLVMValueRef pair,
                               unsigned which);

#endif
