/* Turns arrays of the threads' own variables into values. */
#ifndef CDPCC_SIMD_PREPARE_LOCAL_ARRAYS_H
#define CDPCC_SIMD_PREPARE_LOCAL_ARRAYS_H
#include <llvm-c/Types.h>

struct lower_context;

void simd_prepare_local_arrays(struct lower_context *lower, LLVMValueRef function);

#endif
