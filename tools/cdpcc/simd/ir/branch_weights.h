/* Likely and unlikely edges of branches: LLVM's branch weights. */
#ifndef CDPCC_SIMD_IR_BRANCH_WEIGHTS_H
#define CDPCC_SIMD_IR_BRANCH_WEIGHTS_H
#include <llvm-c/Types.h>

struct lower_context;

/* Marks the second edge of the conditional branch as unlikely. */
void simd_mark_likely(struct lower_context *lower, LLVMValueRef branch);
/* The number of the conditional branch's unlikely edge; -1: none. */
signed char simd_unlikely_edge(struct lower_context *lower, LLVMValueRef branch);

#endif
