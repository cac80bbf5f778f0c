/* Permuted and replicated contiguous accesses. */
#ifndef CDPCC_SIMD_PLAN_PERMUTED_H
#define CDPCC_SIMD_PLAN_PERMUTED_H
#include "simd/plan/index.h"

#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_site;

enum { SIMD_MOST_PERMUTED_STEPS = 12 };

/* One step from the permuted or replicated number towards the address's index. */
struct simd_permuted_step {
    enum { PERMUTED_ADD, PERMUTED_AND, PERMUTED_OR, PERMUTED_EXTEND } what;
    LLVMValueRef operand; /* uniform; for EXTEND: the extension, whose type is the result's type */
    bool is_signed;       /* for EXTEND */
    /* For ADD: a test must ensure that nothing wraps, as a signed or unsigned number. */
    bool is_tested;
    bool is_signed_test;
};

/* The index is (affine ^ distance) or (affine >> shift), to which the steps are applied in order.
 */
struct simd_permutation {
    struct simd_index index;
    LLVMValueRef affine;
    LLVMValueRef distance;     /* NULL: the access is replicated */
    unsigned shift;            /* replicated: 1 << shift lanes have one element */
    bool is_signed;            /* the shift is */
    bool must_be_non_negative; /* the shift is a signed division */
    struct simd_permuted_step steps[SIMD_MOST_PERMUTED_STEPS];
    unsigned step_count;
};

/* The permutation of a varying index; NULL: it is not a permuted contiguous index.
 * The result is in the arena. */
const struct simd_permutation *simd_find_permuted(const struct simd_site *site,
                                                  const struct simd_index *index);
/* The same for a load whose index may be replicated contiguous. */
const struct simd_permutation *simd_find_replicated(const struct simd_site *site,
                                                    const struct simd_index *index);

#endif
