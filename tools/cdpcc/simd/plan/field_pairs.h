/* Fields side by side as one access. */
#ifndef CDPCC_SIMD_PLAN_FIELD_PAIRS_H
#define CDPCC_SIMD_PLAN_FIELD_PAIRS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;

/* The access of the field beside this one's that can be made with it; NULL: none.  Of a store, the
 * other one comes next; of a load, it is of the field behind. */
LLVMValueRef block_find_pair(const struct block_emit *emit, LLVMValueRef access);
bool block_is_below(LLVMValueRef access, LLVMValueRef other);
/* An integer of both. */
LLVMTypeRef block_pair_type(const struct block_emit *emit, LLVMValueRef access);
LLVMValueRef block_join_pair(struct block_emit *emit, LLVMValueRef access, LLVMValueRef low,
                             LLVMValueRef high);
LLVMValueRef block_part_of_pair(struct block_emit *emit, LLVMValueRef access, LLVMValueRef pair,
                                unsigned which);

#endif
