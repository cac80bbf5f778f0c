/* Checks for code that nvcc refuses and clang accepts. */
#ifndef CDPCC_LOWER_CHECK_H
#define CDPCC_LOWER_CHECK_H
#include "ir/context.h"

/* A __constant__ variable, or a constant of C++. */
bool lower_is_constant_variable(LLVMValueRef value);
/* The address to which a store, an atomic operation, or an intrinsic such as memcpy writes. NULL
 * for other instructions, also for calls of functions that write. */
LLVMValueRef lower_written_address(LLVMValueRef at);
/* Whether the name is cudaLaunchDevice or cudaLaunchDeviceV2: a function that launches a kernel
 * whose parameters are in its buffer. */
bool lower_is_launch(const char *name);
/* Reports that the launch by the instruction at is not allowed with the user's options: an error
 * for -rdc=false or for an architecture below sm_35, a warning in --cdp=1 for a function of both
 * sides. Inline PTX calls it too, because it launches without a call that the pass "check" sees. */
void lower_check_launch(struct lower_context *lower, LLVMValueRef at);

#endif
