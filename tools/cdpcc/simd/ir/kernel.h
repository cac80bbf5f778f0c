/* A kernel as nodes and numbered values, for the version being compiled.
 *
 * Only the files that build a kernel see the struct.  Passes read it by the functions of values.h,
 * node.h, variant.h, traits.h, origin.h and analysis/facts.h, so none of them can change it. */
#ifndef CDPCC_SIMD_IR_KERNEL_H
#define CDPCC_SIMD_IR_KERNEL_H
#include <llvm-c/Types.h>
#include "ir/value.h"
#include "simd/ir/traits.h"
#include "simd/ir/variant.h"

struct simd_callees;
struct simd_facts;
struct simd_node;
struct lower_kernel;

/* What the block entries of a kernel assume of the launch. All in the arena. */
struct simd_launch_conditions {
    /* The grid has at most so many threads in the x dimension, because indices wrap around in
     * larger ones.  block_factor: the largest constant that the program has in place of
     * blockDim.x; a block counts as so many threads at least.  0: no such limit, no constant. */
    uint64_t most_threads, block_factor;
    /* Under these conditions indices of loops and of matrices do not wrap around
     * (prepare/bounded_indices.h). */
    const struct simd_index_limit *limits;
    size_t limit_count;
    /* These parameters are 1 (prepare/unit_strides.h). */
    const struct simd_symbolic_stride *unit_strides;
    size_t unit_stride_count;
};

/* A kernel for one variant.
 *
 * Life: simd_kernel_build() computes nodes and values once from the function, simd_refusal() sets
 * the traits, and planning sets the facts.
 *
 * Owner: all is in the arena except the function, which is the thread entry or its clone for a
 * known size. */
struct simd_kernel {
    struct lower_context *lower;
    const struct lower_kernel *source;
    struct simd_callees *callees; /* of the unit (plan/callees.h) */
    LLVMValueRef function;
    struct simd_node *nodes;
    size_t node_count;
    LLVMValueRef *values; /* arguments and instructions; a value's number is its index here */
    size_t value_count;
    int *node_of; /* by value number; -1: an argument */
    struct lower_map numbers;
    struct simd_traits traits;
    struct simd_variant variant;
    const struct simd_facts *facts;
    /* By value number: the array that a nontemporal store writes and the kernel does not read,
     * or NULL.  NULL: the kernel has no such stores. */
    LLVMValueRef *nontemporal;
    uint64_t nontemporal_bytes; /* bytes that each thread writes by these stores; 0: none */
    struct simd_launch_conditions conditions;
};

#endif
