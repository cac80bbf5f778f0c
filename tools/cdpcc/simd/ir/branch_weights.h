/* Branches of which one edge is rare: LLVM's branch weights. */
#ifndef CDPCC_SIMD_IR_BRANCH_WEIGHTS_H
#define CDPCC_SIMD_IR_BRANCH_WEIGHTS_H
#include <llvm-c/Types.h>

struct lower_context;

/* The conditional branch rarely takes its second edge. */
void simd_mark_usual(struct lower_context *lower, LLVMValueRef branch);
/* The number of the edge that the conditional branch rarely takes; -1: none. */
signed char simd_rare_edge(struct lower_context *lower, LLVMValueRef branch);

#endif
