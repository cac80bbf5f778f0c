/* Indices that are computed from the global thread index do not wrap around in grids that are
 * small enough. */
#ifndef CDPCC_SIMD_PREPARE_BOUNDED_INDICES_H
#define CDPCC_SIMD_PREPARE_BOUNDED_INDICES_H
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lower_context;

/* A number that follows from the launch.  Life: that of the arena. */
struct simd_launch_value {
    enum { VALUE_CONSTANT, VALUE_PARAMETER, VALUE_EXTENT, VALUE_OPERATION } kind;
    LLVMTypeRef type;  /* of integers; i64 for extents */
    LLVMOpcode opcode; /* of an operation; else LLVMRet */
    /* The constant, the parameter's offset, or the dimension of which this is the number of the
     * grid's threads. */
    uint64_t number;
    uint64_t block_factor;                       /* of an extent: as in struct simd_index_bound */
    const struct simd_launch_value *operands[2]; /* the second one may be NULL */
};

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
