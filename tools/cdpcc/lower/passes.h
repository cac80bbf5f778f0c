/* The passes. A pass is one function of the table in driver/device.c. It returns nothing:
 * lower_error counts errors in the context. The runner stops before lower_front, or after the last
 * pass, if there were any.
 *
 * What each pass finds or changes is described at the top of its file. A pass may rely on all
 * passes before it. It leaves valid IR; debug builds verify that after each pass. The passes of
 * ptx/, simd/ and backend/ are declared there. */
#ifndef CDPCC_LOWER_PASSES_H
#define CDPCC_LOWER_PASSES_H
#include "ir/context.h"

/* Writes the symbols of NVRTC's name expressions to a file. */
void lower_names(struct lower_context *lower);
/* Fills the context's lists of kernels, shared, managed and device variables from the
 * annotations. */
void lower_collect(struct lower_context *lower);
/* Reports stores to constants, launches that the options forbid, and intrinsics without a
 * meaning. */
void lower_check(struct lower_context *lower);
/* Warns of a unit that needs both generations of dynamic parallelism. */
void lower_generation(struct lower_context *lower);
/* Warns of pointers to local and shared memory that a child gets, and of writes to constants. */
void lower_pointers(struct lower_context *lower);
/* Computes the layout of each kernel's parameters, and where its arguments are in the buffer. */
void lower_params(struct lower_context *lower);
/* Defines bools, types of accesses, and intrinsics that the front end leaves undefined. */
void lower_front(struct lower_context *lower);
/* threadIdx and the like become loads; the front end's barrier becomes the runtime's. */
void lower_builtin(struct lower_context *lower);
/* Passes a dim3 as two numbers on every processor. */
void lower_dims(struct lower_context *lower);
/* printf gets the number of its arguments. */
void lower_print(struct lower_context *lower);
/* Calls of libm become calls of cdpcc's own functions, which are linked into the module. */
void lower_math(struct lower_context *lower);
/* Minimum, maximum and rounding as on a GPU; only products and sums may be contracted. */
void lower_float(struct lower_context *lower);
/* Conversions to integers saturate. */
void lower_convert(struct lower_context *lower);
/* Divisions by zero, and the least number by -1, have the GPU's results. */
void lower_divide(struct lower_context *lower);
/* Shifts by the width or more have the results that PTX defines. */
void lower_shift(struct lower_context *lower);
/* Kernels become thread entries, and their addresses become descriptors. */
void lower_entry(struct lower_context *lower);
/* With -G: shows threadIdx and the like as variables, and keeps lines of inlined calls. */
void lower_view(struct lower_context *lower);
/* Finds the kernels that use no warp operation. */
void lower_warp(struct lower_context *lower);
/* Shared variables become offsets into the block's memory. */
void lower_shared(struct lower_context *lower);
/* Gives accesses of shared variables their alias scopes. Not in the table: the vectorizer calls it
 * when functions are inlined. */
void lower_mark_shared(struct lower_context *lower);
/* Gives device code names that cannot conflict with the host's. */
void lower_symbol(struct lower_context *lower);
/* Vectors of 16 bytes that a GPU accesses at once become one access, in code without lanes. */
void lower_words(struct lower_context *lower);
/* The same, if there are checks. */
void lower_checked_words(struct lower_context *lower);
/* Notes the line of each barrier at which warps may diverge. */
void lower_barriers(struct lower_context *lower);
/* Defines descriptors, rows of variables, and the lists that keep them. */
void lower_table(struct lower_context *lower);
/* Sets the processor and the probes of stack pages for each function. */
void lower_target(struct lower_context *lower);

#endif
