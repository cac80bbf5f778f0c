/* Indices that are computed from the global thread index do not wrap around in grids that are
 * small enough. */
#ifndef CDPCC_SIMD_PREPARE_BOUNDED_INDICES_H
#define CDPCC_SIMD_PREPARE_BOUNDED_INDICES_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lower_context;
struct simd_launch_value;

/* Indices do not wrap around if the value is at most `most`.  The limits of a function are tested
 * in their order, since a product may be larger than its type if an earlier limit does not hold. */
struct simd_index_limit {
    const struct simd_launch_value *bound;
    uint64_t most;
};

/* The largest grid for which indices of a function do not wrap around, and other conditions. */
struct simd_index_bound {
    uint64_t threads; /* in its x dimension; 0: there are no such indices */
    uint64_t
        block_factor; /* blockIdx.x is multiplied by at most this constant; 0: by no constant */
    struct simd_index_limit *limits;
    size_t limit_count;
};

bool simd_has_bounded_indices(LLVMValueRef function);
/* Gives the operations of these indices the flags nuw or nsw. The function must only be used for
 * grids within the bound. */
struct simd_index_bound simd_mark_bounded_indices(struct lower_context *lower,
                                                  LLVMValueRef function);

#endif
