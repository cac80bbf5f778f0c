/* The distance between the values of two blocks, or of two iterations of a loop. */
#ifndef CDPCC_SIMD_PLAN_STRIDES_H
#define CDPCC_SIMD_PLAN_STRIDES_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_graph;
struct simd_kernel;
struct simd_path;

/* A number that is known where the entry runs.  emit/strides.c computes it, with 64 bits. */
enum simd_term { TERM_NUMBER, TERM_DIMENSION, TERM_VALUE, TERM_SUM, TERM_DIFFERENCE, TERM_PRODUCT };
/* An expression over the launch's values.  In the arena, and shared by larger expressions. */
struct simd_expression {
    enum simd_term term;
    int64_t number;     /* the constant, or the number of the block's dimension */
    LLVMValueRef value; /* of the kernel; uniform, and available where the expression is computed */
    const struct simd_expression *operands[2];
};

/* The difference between two values, if it is known. */
struct simd_stride {
    bool is_known;
    const struct simd_expression *by; /* NULL: unknown, or the values are the same */
};
/* The difference from a block's value to that of the next block along the grid's x.
 * Never fails: a stride that is not understood is not known. */
struct simd_stride simd_stride_by_block(const struct simd_kernel *kernel, LLVMValueRef value);
/* The difference from an iteration's value to the next one's, for a value that is computed in the
 * node. */
struct simd_stride simd_stride_by_iteration(const struct simd_path *path,
                                            const struct simd_graph *graph, int loop, unsigned node,
                                            LLVMValueRef value);
/* True: the expression is the same constant for all launches, if the kernel's variant has a known
 * size.
 * The number is written to *number; if the result is false, it is undefined. */
bool simd_expression_is_number(const struct simd_kernel *kernel,
                               const struct simd_expression *expression, int64_t *number);
/* Neighbouring blocks along the grid's x access neighbouring elements of that size, at least within
 * the rows of their threads. */
bool simd_continues_in_next_block(const struct simd_kernel *kernel, LLVMValueRef address,
                                  int64_t size);

#endif
