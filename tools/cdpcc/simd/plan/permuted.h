/* Permuted contiguous accesses. */
#ifndef CDPCC_SIMD_PLAN_PERMUTED_H
#define CDPCC_SIMD_PLAN_PERMUTED_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_access;
struct block_emit;
struct block_index;
struct block_rows;

/* Of an address that varies; false: it is nothing of the kind. */
bool block_find_crossed(struct block_emit *emit, const struct block_index *index,
                        struct block_rows *rows);
LLVMValueRef block_load_crossed(struct block_emit *emit, const struct block_access *access,
                                const struct block_rows *rows, unsigned vector);
void block_store_crossed(struct block_emit *emit, const struct block_access *access,
                         const struct block_rows *rows, LLVMValueRef value, unsigned vector);

#endif
