/* The nodes of a kernel: basic blocks, cut at barriers. */
#ifndef CDPCC_SIMD_IR_NODE_H
#define CDPCC_SIMD_IR_NODE_H
#include <llvm-c/Types.h>
#include <stddef.h>

struct simd_kernel;

/* How control leaves a node. */
enum simd_end { END_BRANCH, END_CONDITION, END_RETURN, END_BARRIER, END_UNREACHABLE };

/* A basic block or a part of one.  Blocks are cut at barriers, and a switch becomes a chain of
 * conditions.
 * Always holds: control enters at `first` and leaves at `last`; next[0] is the edge for a true
 * condition, or for a match. */
struct simd_node {
    LLVMBasicBlockRef block;
    LLVMValueRef first; /* instruction; NULL for all but the first node of a switch */
    LLVMValueRef last;  /* the terminator or the barrier's call; it is not part of the body */
    enum simd_end end;
    unsigned next_count, next[2]; /* at most SIMD_NEXT (ir/graph.h) */
    LLVMValueRef condition;
    LLVMValueRef match; /* if set, the branch tests that the condition equals it */
};

const struct simd_node *simd_node(const struct simd_kernel *kernel, size_t number);

#endif
