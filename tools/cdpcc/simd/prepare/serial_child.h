/* A child kernel as a function that runs the threads of a small grid one after the other. */
#ifndef CDPCC_SIMD_PREPARE_SERIAL_CHILD_H
#define CDPCC_SIMD_PREPARE_SERIAL_CHILD_H
#include "simd/ir/index_limits.h"

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct lower_context;
struct lower_kernel;

/* A value that the kernel loads from its parameters. */
struct simd_serial_argument {
    uint64_t offset; /* from the start of the parameters, bytes */
    LLVMTypeRef type;
};

/* The parameters of the function behind the kernel's arguments. */
enum simd_serial_extra {
    SIMD_SERIAL_THREADS,   /* i32, of the grid */
    SIMD_SERIAL_BLOCK_DIM, /* i32, of its blocks, which are block_dim x 1 x 1 */
    SIMD_SERIAL_LAUNCH,    /* the address of the launch's struct cdp_abi_serial */
    SIMD_SERIAL_EXTRAS,
};

/* Threads of a grid that is serialized. */
enum { SIMD_SERIAL_MOST_THREADS = 1024 };

/* In the arena.  Const after serialize.c has made it. */
struct simd_serial_child {
    const struct lower_kernel *kernel;
    struct simd_serial_argument *arguments;
    unsigned count;
    bool has_loops;        /* so its threads may take long */
    unsigned most_threads; /* with work; at most SIMD_SERIAL_MOST_THREADS */
    /* Named SIMD_SERIAL_CHILD and the kernel's name. i32 (ptr unused, arguments..., extras).  It
     * returns 1, or 0 and has done nothing: the block's NULL stream has work. */
    LLVMValueRef run;
    /* The thread's indices in it, and the test by which threads return at once. */
    struct simd_indices indices;
    struct simd_limits limits;
};

/* Makes the function of a kernel for which simd_may_be_serial() is true.  Its loops must not wait
 * for other threads.  The caller sets has_loops and most_threads. */
struct simd_serial_child *simd_make_serial_child(struct lower_context *lower,
                                                 const struct lower_kernel *kernel);

/* Emits whether a thread, and all after it in its grid, exceed the limit.  compare and base are
 * those of the limit, for that thread. */
LLVMValueRef simd_build_exceeds(LLVMBuilderRef builder, const struct simd_limit *limit,
                                LLVMValueRef compare, LLVMValueRef base,
                                const LLVMValueRef extras[]);

#endif
