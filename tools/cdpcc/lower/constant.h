/* __grid_constant__ parameters. */
#ifndef CDPCC_LOWER_CONSTANT_H
#define CDPCC_LOWER_CONSTANT_H
#include "ir/context.h"
#include "lower/kernel.h"

/* Whether the stack slot or argument is that of a __grid_constant__ parameter. Removes the mark,
 * so only the first call for a slot returns true. */
bool lower_take_grid_constant(LLVMValueRef slot);
/* Replaces such parameters of a kernel, which must have its entry, by their places in the
 * buffer. */
void lower_grid_constants(struct lower_context *lower, LLVMBuilderRef builder,
                          const struct lower_kernel *kernel);

#endif
