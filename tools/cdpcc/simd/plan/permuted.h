/* Permuted contiguous accesses. */
#ifndef CDPCC_SIMD_PLAN_PERMUTED_H
#define CDPCC_SIMD_PLAN_PERMUTED_H
#include "simd/plan/index.h"

#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_place;

enum { SIMD_MOST_PERMUTED_STEPS = 12 };

/* One step from the permuted number outwards to the address's index. */
struct simd_permuted_step {
    enum { PERMUTED_ADD, PERMUTED_AND, PERMUTED_OR, PERMUTED_EXTEND } what;
    LLVMValueRef operand; /* uniform; of EXTEND: the extension, whose type the result has */
    bool is_signed;       /* EXTEND */
    bool is_tested;       /* ADD: nothing may wrap, as a signed or an unsigned number */
    bool is_signed_test;
};

/* The index is (affine ^ distance), and then what the steps make of it. */
struct simd_permutation {
    struct simd_index index;
    LLVMValueRef affine, distance;
    struct simd_permuted_step steps[SIMD_MOST_PERMUTED_STEPS];
    unsigned step_count;
};

/* Of an index that varies; NULL: it is nothing of the kind. */
const struct simd_permutation *simd_find_permuted(const struct simd_place *place,
                                                  const struct simd_index *index);

#endif
