/* Parameters of a kernel that are known to be 1. */
#ifndef CDPCC_SIMD_PREPARE_UNIT_STRIDES_H
#define CDPCC_SIMD_PREPARE_UNIT_STRIDES_H
#include <llvm-c/Types.h>
#include <stddef.h>

struct lower_context;
struct simd_symbolic_stride;

/* Replaces the parameters by 1. The function must only be used for launches in which they are. */
void simd_set_unit_strides(struct lower_context *lower, LLVMValueRef function,
                           const struct simd_symbolic_stride *strides, size_t count);

#endif
