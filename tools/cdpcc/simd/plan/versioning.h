/* Loops that are made twice, by a test. */
#ifndef CDPCC_SIMD_PLAN_VERSIONING_H
#define CDPCC_SIMD_PLAN_VERSIONING_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_value;

/* By value number: what comes into the set of nodes and is a line, or the same for all lanes, only
 * if a test says so, where accesses hang on it; NULL: nothing is, or the set is too large. */
bool *block_find_tested(const struct block_emit *emit, const bool *inside);
/* i1: these are, and the latter are the same for the chunk, if all lanes are on. */
LLVMValueRef block_test_all(struct block_emit *emit, const bool *tested);
/* From here on they surely are; gives all values as they were. */
struct block_value *block_take_for_lines(struct block_emit *emit, const bool *tested);

#endif
