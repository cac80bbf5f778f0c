/* A kernel as nodes and numbered values, and what is known of it for the version at hand. */
#ifndef CDPCC_SIMD_IR_KERNEL_H
#define CDPCC_SIMD_IR_KERNEL_H
#include <llvm-c/Types.h>
#include "ir/value.h"

struct simd_facts;
struct lower_kernel;

enum {
    SIMD_WARP = 32,
    SIMD_MOST_VECTORS = 16,
    SIMD_FEWEST_LANES = 4,
    SIMD_MOST_LANES = 16,
    SIMD_MOST_NODES = 600,
    SIMD_NEXT = 2,
    SIMD_MOST_FILLED = 2,         /* lanes of a row for each thread in it, once filled up */
    SIMD_MOST_STEP = 4,           /* structures of up to so many elements are read by rows */
    SIMD_MOST_INDEX = 0x7fff0000, /* threads in the grid's x dimension */
    SIMD_MOST_SIZES = 2,
    SIMD_SCRATCH_ALIGN = 64,
    SIMD_MOST_STACK = 160 << 10, /* of slots and variables: a block runs on a fiber's stack */
};

/* The block's index space: what threadIdx looks like over the lanes of a vector. */
enum simd_layout {
    LAYOUT_LINE,   /* blockDim.y == blockDim.z == 1 */
    LAYOUT_ROWS,   /* a vector lies within one row */
    LAYOUT_FILLED, /* likewise: the last lanes of each row are no threads */
    LAYOUT_ANY,    /* each lane has its own index */
    LAYOUT_COUNT,
};

/* Threads of a block in each dimension. */
struct simd_size {
    unsigned x, y, z;
};

enum simd_end { END_BRANCH, END_CONDITION, END_RETURN, END_BARRIER, END_UNREACHABLE };

/* A basic block or a part of it: blocks are cut at barriers and a switch is a chain
 * of conditions. */
struct simd_node {
    LLVMBasicBlockRef block;
    LLVMValueRef first; /* instruction; NULL for the later links of a switch */
    LLVMValueRef last;  /* the terminator, or the barrier's call; not part of the body */
    enum simd_end end;
    unsigned next_count, next[SIMD_NEXT];
    LLVMValueRef condition;
    LLVMValueRef match; /* if set, the condition is that both are equal */
};

/* What the function does, whatever the version. */
struct simd_traits {
    unsigned barrier_count;
    bool uses_rows;      /* it reads threadIdx.y or .z */
    bool has_warps;      /* it has warp operations: a chunk is one or more warps */
    bool is_irreducible; /* some loop of it has two entries */
    bool has_ranges;     /* one call of its entry may run several blocks */
};

/* What a version of the kernel is for. */
struct simd_variant {
    enum simd_layout layout;
    const struct simd_size *size; /* NULL: any that the layout has */
    unsigned lanes;
};

/* A kernel for one variant.  Nodes and values are made once from the function, by
 * simd_kernel_build(), and traits by simd_refusal(); planning sets the facts.  Everything lies in
 * the arena, but the function, which is the thread entry, or its clone for a known size. */
struct simd_kernel {
    struct lower_context *lower;
    const struct lower_kernel *source;
    LLVMValueRef function;
    struct simd_node *nodes;
    size_t node_count;
    LLVMValueRef *values; /* arguments and instructions; a value's number is its place here */
    size_t value_count;
    int *node_of; /* of each value; -1: an argument */
    struct lower_map numbers;
    struct simd_traits traits;
    struct simd_variant variant;
    const struct simd_facts *facts;
    LLVMValueRef *nontemporal; /* by value: the array of which a store writes rows that nobody reads
                                * here, or NULL; NULL: there are none */
    uint64_t nontemporal_bytes; /* of these, each thread's; 0: none */
};

#endif
