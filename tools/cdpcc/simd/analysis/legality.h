/* Why a kernel stays on thread entries. */
#ifndef CDPCC_SIMD_ANALYSIS_LEGALITY_H
#define CDPCC_SIMD_ANALYSIS_LEGALITY_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;

/* NULL, or why not; kernel->blamed may then hold where. */
const char *simd_refusal(struct simd_kernel *kernel);
const char *simd_refusal_of_shapes(struct simd_kernel *kernel);
/* Threads of a block of any size may wait at different barriers. */
bool simd_parts_at_barriers(struct simd_kernel *kernel);

#endif
