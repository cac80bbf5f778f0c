/* The inline part of AddressSanitizer's tests. */
#ifndef CDPCC_SIMD_EMIT_SHADOW_H
#define CDPCC_SIMD_EMIT_SHADOW_H
#include <llvm-c/Types.h>
#include <stdint.h>

struct simd_emit;
struct simd_value;

/* i1: all lanes, also those that are not active, may access size bytes at their addresses.  False
 * may be wrong.  NULL: no such test. Some lane of the chunk must be active. */
LLVMValueRef simd_shadow_is_open(struct simd_emit *emit, const struct simd_value *address,
                                 uint64_t size);

#endif
