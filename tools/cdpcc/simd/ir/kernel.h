/* A kernel as nodes and numbered values, for the version being compiled. */
#ifndef CDPCC_SIMD_IR_KERNEL_H
#define CDPCC_SIMD_IR_KERNEL_H
#include <llvm-c/Types.h>
#include "ir/value.h"

struct simd_facts;
struct lower_kernel;

enum { SIMD_NEXT = 2 };

/* The block's index space: which values threadIdx has over the lanes of a vector. */
enum simd_layout {
    LAYOUT_ONE_ROW, /* blockDim.y == blockDim.z == 1 */
    LAYOUT_ROWS,    /* a vector lies within one row of the block */
    LAYOUT_PADDED,  /* a vector lies within one padded row of the block: the last lanes of a row are
                       no threads */
    LAYOUT_ANY,     /* each lane has its own index */
    LAYOUT_COUNT,
};

/* Number of threads of a block in each dimension. */
struct simd_size {
    unsigned x, y, z;
};

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
    unsigned next_count, next[SIMD_NEXT];
    LLVMValueRef condition;
    LLVMValueRef match; /* if set, the branch tests that the condition equals it */
};

/* Properties of the function that hold for all versions. */
struct simd_traits {
    unsigned barrier_count;
    bool uses_rows;      /* it reads threadIdx.y or .z */
    bool has_warps;      /* it has warp operations: a chunk is one or more warps */
    bool is_irreducible; /* some loop has two entries */
    bool has_ranges;     /* one call of the entry may run several blocks */
};

/* What a version of the kernel is compiled for.
 * Two variants of a kernel share nothing that depends on shapes: each has facts and a plan of its
 * own. */
struct simd_variant {
    enum simd_layout layout;
    const struct simd_size *size; /* NULL: any size that fits the layout */
    unsigned lanes;
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
};

/* -1 for constants and for values that are defined outside of the kernel. */
int simd_number(const struct simd_kernel *kernel, LLVMValueRef value);

#endif
