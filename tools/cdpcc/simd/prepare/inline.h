/* Inlines the functions that must be part of the kernel. */
#ifndef CDPCC_SIMD_PREPARE_INLINE_H
#define CDPCC_SIMD_PREPARE_INLINE_H
struct lower_context;

void simd_inline(struct lower_context *lower);

#endif
