/* The test at the start of a kernel by which threads beyond the end of the data return at once. */
#ifndef CDPCC_SIMD_IR_INDEX_LIMITS_H
#define CDPCC_SIMD_IR_INDEX_LIMITS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

/* The values of a thread's indices in a function, all of them i32. NULL: the function has none. */
struct simd_indices {
    LLVMValueRef in_grid;          /* blockIdx.x * blockDim.x + threadIdx.x, as one value */
    LLVMValueRef thread;           /* threadIdx.x */
    LLVMValueRef block, block_dim; /* blockIdx.x, blockDim.x */
    bool is_one_block; /* only threads of one block are compared, so blockIdx.x is the same */
};

/* A comparison of an index, plus a number perhaps, with a limit.  The number and the limit are the
 * same for all threads. */
struct simd_limit {
    LLVMValueRef compare;
    bool is_high;      /* its result if the index is too high */
    bool is_in_grid;   /* the index is that in the grid; else threadIdx.x */
    bool is_computed;  /* from parameters of the function and constants, by arithmetic only */
    LLVMValueRef base; /* what is added to the index; NULL: nothing */
};

enum { SIMD_MOST_LIMITS = 4 };

/* The branch at the end of a kernel's first block. */
struct simd_limits {
    LLVMValueRef branch;
    unsigned high; /* the successor of threads that exceed a limit; there they only return */
    struct simd_limit items[SIMD_MOST_LIMITS]; /* one that is exceeded is sufficient */
    unsigned count;                            /* 0: the kernel has no such test */
};

/* Whether the value is blockIdx.x * blockDim.x + threadIdx.x. */
bool simd_is_grid_index(const struct simd_indices *indices, LLVMValueRef value);
/* The limits in the function's first block.  The block has no other effect. */
struct simd_limits simd_find_limits(const struct simd_indices *indices, LLVMBasicBlockRef first);

#endif
