/* Checks for code that nvcc refuses and clang accepts. */
#ifndef CDPCC_LOWER_CHECK_H
#define CDPCC_LOWER_CHECK_H
#include "ir/context.h"

/* A __constant__ variable, or a constant of C++. */
bool lower_is_constant_variable(LLVMValueRef value);
/* The address an instruction writes to, or NULL. */
LLVMValueRef lower_written_address(LLVMValueRef at);
/* Whether the name is that of a function that launches a kernel whose parameters are in its
 * buffer. */
bool lower_is_launch(const char *name);
/* Reports a launch by the instruction that is not allowed. */
void lower_check_launch(struct lower_context *lower, LLVMValueRef at);

#endif
