/* Selects of two contiguous accesses. */
#ifndef CDPCC_SIMD_PLAN_TWO_WAY_H
#define CDPCC_SIMD_PLAN_TWO_WAY_H
#include "simd/plan/index.h"

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_site;

/* The index of a select: each lane takes the element at the first or at the second affine index. */
struct simd_two_way {
    struct simd_index index;
    LLVMValueRef condition; /* the lane takes the first index */
    LLVMValueRef affine[2];
    int64_t more[2];       /* the constants that are added to them */
    LLVMValueRef extended; /* the extension of the index; NULL: there is none */
};

/* The select that a varying index is; NULL: it is not such a select.
 * The result is in the arena. */
const struct simd_two_way *simd_find_two_way(const struct simd_site *site,
                                             const struct simd_index *index);

#endif
