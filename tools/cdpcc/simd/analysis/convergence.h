/* Which lanes of a warp come to its operations. */
#ifndef CDPCC_SIMD_ANALYSIS_CONVERGENCE_H
#define CDPCC_SIMD_ANALYSIS_CONVERGENCE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_graph;
struct block_kernel;
struct block_shape;
struct lower_context;

enum block_warp {
    WARP_NONE,
    WARP_SYNC,
    WARP_SHUFFLE,
    WARP_BALLOT,
    WARP_ACTIVE,
    WARP_MATCH_ANY,
    WARP_MATCH_ALL,
    WARP_REDUCE,
};
enum block_warp block_warp_operation(LLVMValueRef instruction);
/* Whom an operation's mask names. */
enum block_named {
    NAMED_ALL,     /* the warp */
    NAMED_TILE,    /* the lane's own part of it, as large as all others */
    NAMED_PRESENT, /* the lanes that are there; to be proven */
};
enum block_named block_named_by(const struct block_kernel *kernel, LLVMValueRef call);
/* False if it is nothing that depends on warps or on the number of the thread. */
bool block_warp_shape(const struct block_kernel *kernel, LLVMValueRef instruction,
                      struct block_shape *shape);
/* Why threads of a warp may not be together at an operation of the region; NULL if they are. */
const char *block_warp_refusal(struct block_kernel *kernel, const struct block_graph *region);
/* Lets the optimizer see what lane a shuffle in a short loop reads. */
void block_warp_prepare(struct lower_context *lower, LLVMValueRef function);

#endif
