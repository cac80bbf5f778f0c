/* Why a kernel stays on thread entries. */
#ifndef CDPCC_SIMD_ANALYSIS_LEGALITY_H
#define CDPCC_SIMD_ANALYSIS_LEGALITY_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_kernel;

/* A fence or an atomic access. */
bool block_is_order(LLVMValueRef at);
/* NULL, or why not; kernel->blamed may then hold where. */
const char *block_refusal(struct block_kernel *kernel);
const char *block_refusal_of_shapes(struct block_kernel *kernel);
/* Threads of a block of any size may wait at different barriers. */
bool block_parts_at_barriers(struct block_kernel *kernel);

#endif
