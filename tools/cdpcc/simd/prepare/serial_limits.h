/* The test by which threads beyond the end of the data return at once. */
#ifndef CDPCC_SIMD_PREPARE_SERIAL_LIMITS_H
#define CDPCC_SIMD_PREPARE_SERIAL_LIMITS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct lower_context;

/* Values of a thread of a serialized grid, all of them i32. */
struct simd_serial_thread {
    LLVMValueRef i;                  /* its number in the grid */
    LLVMValueRef index;              /* threadIdx.x */
    LLVMValueRef block;              /* blockIdx.x */
    LLVMValueRef threads, block_dim; /* of the grid; of a block */
};

/* A comparison of the thread's index, plus a number, with a limit. */
struct simd_limit {
    LLVMValueRef compare;
    bool is_high;             /* the result for an index that is too high */
    bool has_loads;           /* the number or the limit is in memory */
    LLVMValueRef index, base; /* i or threadIdx.x; what is added to it, or NULL */
};

enum { SIMD_MOST_LIMITS = 4 };

/* The branch at the end of a kernel's first block. */
struct simd_limits {
    LLVMValueRef branch;
    unsigned high; /* the successor of threads that exceed a limit: there they return */
    struct simd_limit items[SIMD_MOST_LIMITS]; /* one that is exceeded suffices */
    unsigned count;
};

/* blockIdx.x * blockDim.x + threadIdx.x */
bool simd_is_grid_index(const struct simd_serial_thread *thread, LLVMValueRef value);
/* Finds the limits in a function in which the thread's values are these.  False: there are none. */
bool simd_find_limits(const struct simd_serial_thread *thread, LLVMBasicBlockRef first,
                      struct simd_limits *limits);
/* Emits before the branch: whether the thread, and all after it, return there.
 * computed: only by limits that need no loads. NULL: there are none. */
LLVMValueRef simd_all_return(LLVMBuilderRef builder, const struct simd_serial_thread *thread,
                             const struct simd_limits *limits, bool computed);

#endif
