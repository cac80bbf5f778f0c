/* Inlines the functions that must be part of the kernel. */
#ifndef CDPCC_SIMD_IR_INLINE_H
#define CDPCC_SIMD_IR_INLINE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct lower_context;

void simd_inline(struct lower_context *lower);

#endif
