/* Two contiguous accesses, of which each lane takes one. */
#ifndef CDPCC_SIMD_PLAN_TWO_WAY_H
#define CDPCC_SIMD_PLAN_TWO_WAY_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_access;
struct block_emit;
struct block_index;
struct block_rows;

bool block_find_either(struct block_emit *emit, const struct block_index *index,
                       struct block_rows *rows);
LLVMValueRef block_load_either(struct block_emit *emit, const struct block_access *access,
                               const struct block_rows *rows, unsigned vector);

#endif
