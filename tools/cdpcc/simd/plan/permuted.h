/* Permuted contiguous accesses. */
#ifndef CDPCC_SIMD_PLAN_PERMUTED_H
#define CDPCC_SIMD_PLAN_PERMUTED_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_access;
struct simd_emit;
struct simd_index;
struct simd_contiguous;

/* Of an address that varies; false: it is nothing of the kind. */
bool simd_find_permuted(struct simd_emit *emit, const struct simd_index *index,
                        struct simd_contiguous *rows);
LLVMValueRef simd_load_permuted(struct simd_emit *emit, const struct simd_access *access,
                                const struct simd_contiguous *rows, unsigned vector);
void simd_store_permuted(struct simd_emit *emit, const struct simd_access *access,
                         const struct simd_contiguous *rows, LLVMValueRef value, unsigned vector);

#endif
