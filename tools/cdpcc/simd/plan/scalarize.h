/* Instructions that run one lane after the other. */
#ifndef CDPCC_SIMD_PLAN_SCALARIZE_H
#define CDPCC_SIMD_PLAN_SCALARIZE_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_kernel;

/* Why some instruction that must run one lane after the other cannot; NULL: all can. */
const char *simd_scalarize_refusal(const struct simd_kernel *kernel, LLVMValueRef *blamed);

#endif
