/* Early exits of a chunk loop: a chunk after which the remaining chunks have nothing to do. */
#ifndef CDPCC_SIMD_PLAN_EARLY_EXITS_H
#define CDPCC_SIMD_PLAN_EARLY_EXITS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

struct simd_kernel;
struct simd_path;

/* A condition of the first threads of the block: of those whose index is below a bound. */
struct simd_first_threads {
    LLVMValueRef index; /* i32: threadIdx.x, or the global thread index, without extensions */
    LLVMValueRef bound; /* uniform; may be wider */
    LLVMIntPredicate how;
    unsigned edge; /* of the branch: which one the first threads take */
};
/* False: it is no such condition. */
bool simd_find_first_threads(const struct simd_kernel *kernel, LLVMValueRef condition,
                             struct simd_first_threads *first);

/* The node whose branch decides that later chunks of the path have nothing to do; -1: none.
 * The path's form must be known, and it must have a masked loop. */
int simd_find_early_exit(const struct simd_path *path);

#endif
