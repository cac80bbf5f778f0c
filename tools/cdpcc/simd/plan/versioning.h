/* Loops that are made twice, by a test. */
#ifndef CDPCC_SIMD_PLAN_VERSIONING_H
#define CDPCC_SIMD_PLAN_VERSIONING_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_value;

/* By value number: what comes into the set of nodes and is a line, or the same for all lanes, only
 * if a test says so, where accesses hang on it; NULL: nothing is, or the set is too large. */
bool *simd_find_tested(const struct simd_emit *emit, const bool *inside);
/* i1: these are, and the latter are the same for the chunk, if all lanes are on. */
LLVMValueRef simd_test_all(struct simd_emit *emit, const bool *tested);
/* From here on they surely are; gives all values as they were. */
struct simd_value *simd_assume_affine(struct simd_emit *emit, const bool *tested);

#endif
