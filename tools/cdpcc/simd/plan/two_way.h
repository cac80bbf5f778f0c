/* Two contiguous accesses, of which each lane takes one. */
#ifndef CDPCC_SIMD_PLAN_TWO_WAY_H
#define CDPCC_SIMD_PLAN_TWO_WAY_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_access;
struct simd_emit;
struct simd_index;
struct simd_contiguous;

bool simd_find_two_way(struct simd_emit *emit, const struct simd_index *index,
                       struct simd_contiguous *rows);
LLVMValueRef simd_load_two_way(struct simd_emit *emit, const struct simd_access *access,
                               const struct simd_contiguous *rows, unsigned vector);

#endif
