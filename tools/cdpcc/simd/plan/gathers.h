/* Kernels with too much that runs lane by lane for block entries. */
#ifndef CDPCC_SIMD_PLAN_GATHERS_H
#define CDPCC_SIMD_PLAN_GATHERS_H

#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_kernel;
struct simd_plan;

/* The processor has an instruction for a gather or scatter by this load or store. */
bool simd_has_gather_instruction(const struct simd_kernel *kernel, LLVMValueRef access);

/* Why the kernel gets no block entry, or NULL. The accesses of all paths must be planned. */
const char *simd_lanes_refusal(const struct simd_plan *plan);

#endif
