/* A child kernel as a function that runs the threads of a small grid one after the other. */
#ifndef CDPCC_SIMD_PREPARE_SERIAL_CHILD_H
#define CDPCC_SIMD_PREPARE_SERIAL_CHILD_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct lower_context;
struct lower_kernel;

/* The names of the functions `ends` begin so; those of `run` begin with SIMD_SERIAL_CHILD. */
#define SIMD_SERIAL_END "cdp.serial_end."

/* A value that the kernel loads from its parameters. */
struct simd_serial_argument {
    uint64_t offset; /* from the start of the parameters, bytes */
    LLVMTypeRef type;
};

/* In the arena. */
struct simd_serial_child {
    const struct lower_kernel *kernel;
    bool has_loops; /* so its threads may take long */
    struct simd_serial_argument *arguments;
    unsigned count;
    /* void (ptr unused, arguments..., i32 threads, i32 block_dim, ptr launch): runs a grid of that
     * many threads, in blocks of block_dim x 1 x 1. launch is the address of the launch's
     * struct cdp_abi_serial. */
    LLVMValueRef run;
    /* i1 (ptr unused, arguments..., i32 threads, i32 block_dim, i32 i): true if thread i of the
     * grid, and all after it, return at once.  It only computes.  NULL: there is no such test. */
    LLVMValueRef ends;
};

/* Makes the functions of a kernel for which simd_may_be_serial() is true. */
struct simd_serial_child *simd_make_serial_child(struct lower_context *lower,
                                                 const struct lower_kernel *kernel);

#endif
