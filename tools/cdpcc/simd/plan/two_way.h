/* Selects of two contiguous accesses. */
#ifndef CDPCC_SIMD_PLAN_TWO_WAY_H
#define CDPCC_SIMD_PLAN_TWO_WAY_H
#include "simd/plan/index.h"

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_place;

/* Each lane has the element at the first or at the second affine index. */
struct simd_two_way {
    struct simd_index index;
    LLVMValueRef condition; /* the lane takes the first */
    LLVMValueRef affine[2];
    int64_t more[2];       /* is added to them */
    LLVMValueRef extended; /* the extension of the index; NULL: there is none */
};

/* Of an index that varies; NULL: it is nothing of the kind. */
const struct simd_two_way *simd_find_two_way(const struct simd_place *place,
                                             const struct simd_index *index);

#endif
