/* Emission of prefetches. */
#ifndef CDPCC_SIMD_EMIT_PREFETCH_H
#define CDPCC_SIMD_EMIT_PREFETCH_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_access;
struct simd_emit;
struct simd_far_prefetch;
struct simd_loop_prefetch;
struct simd_value;

/* At the end of an iteration that all lanes run; the condition continues the loop if it is as
 * wanted. */
void simd_prefetch_loop(struct simd_emit *emit, const struct simd_loop_prefetch *plan,
                        LLVMValueRef condition, bool wanted);
/* Where all lanes come to the node at which they leave the loop at once. */
void simd_prefetch_far(struct simd_emit *emit, const struct simd_far_prefetch *plan);
/* After a load at these addresses. */
void simd_prefetch_blocks(struct simd_emit *emit, const struct simd_access *access,
                          const struct simd_value *at);

#endif
