/* Debug locations of block entries. */
#ifndef CDPCC_SIMD_EMIT_DEBUG_LINES_H
#define CDPCC_SIMD_EMIT_DEBUG_LINES_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct lower_context;

/* Makes the function a function of the source, if there is debug information. */
void simd_debug_start(struct simd_emit *emit);
/* What is built next gets the debug location of the source's instruction. */
void simd_set_debug_location(struct simd_emit *emit, LLVMValueRef source);
void simd_debug_finish(struct lower_context *lower);

#endif
