/* __grid_constant__ parameters. */
#ifndef CDPCC_LOWER_CONSTANT_H
#define CDPCC_LOWER_CONSTANT_H
#include "ir/context.h"
#include "lower/kernel.h"

/* Whether the stack slot or argument is that of a __grid_constant__ parameter; takes the note away.
 */
bool lower_take_grid_constant(LLVMValueRef slot);
/* Puts such parameters of a kernel that has its entry where they lie in the buffer. */
void lower_grid_constants(struct lower_context *lower, LLVMBuilderRef builder,
                          const struct lower_kernel *kernel);

#endif
