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

/* Emitted at the end of an iteration that all lanes run.  The condition continues the loop if it is
 * `wanted`. */
void simd_prefetch_loop(struct simd_emit *emit, const struct simd_loop_prefetch *plan,
                        LLVMValueRef condition, bool wanted);
/* Emitted where all lanes reach the node at which they leave the loop together. */
void simd_prefetch_far(struct simd_emit *emit, const struct simd_far_prefetch *plan);
/* Emitted after a load at these addresses. */
void simd_prefetch_blocks(struct simd_emit *emit, const struct simd_access *access,
                          const struct simd_value *at);
/* One line, so many bytes after the address. */
void simd_prefetch_line(struct simd_emit *emit, LLVMValueRef at, unsigned offset);

#endif
