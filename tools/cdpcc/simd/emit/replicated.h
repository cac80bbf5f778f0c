/* Emission of replicated contiguous loads. */
#ifndef CDPCC_SIMD_EMIT_REPLICATED_H
#define CDPCC_SIMD_EMIT_REPLICATED_H
#include <llvm-c/Types.h>

struct simd_element;
struct simd_emit;
struct simd_permutation;

/* Emitted where the conditions of simd_locate_permuted hold, and all lanes are active: the first of
 * the elements that the vector's lanes have is at the address. */
LLVMValueRef simd_load_replicated(struct simd_emit *emit, const struct simd_element *element,
                                  const struct simd_permutation *plan, LLVMValueRef at);

#endif
