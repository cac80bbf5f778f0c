/* --count: formulas for the requests of affine accesses. */
#ifndef CDPCC_SIMD_EMIT_COUNT_REQUESTS_H
#define CDPCC_SIMD_EMIT_COUNT_REQUESTS_H
#include "simd/emit/lane_addresses.h"

#include <llvm-c/Types.h>
#include <stdbool.h>

/* One call of --count for up to 64 lanes: some vectors of the chunk. On the stack while it is
 * emitted. */
struct count_call {
    struct simd_emit *emit;
    LLVMValueRef call; /* of the thread entry */
    struct simd_vectors vectors;
    LLVMValueRef active; /* i64: a bit for each lane */
};

/* What the access adds to the sums of its site. */
struct count_formula {
    bool is_known;
    LLVMValueRef test; /* i1: the formula holds; NULL: always */
    bool is_shared;
    bool is_full;           /* all lanes are active, if the test holds */
    unsigned size;          /* bytes of a lane */
    unsigned parts_of_warp; /* sectors or wavefronts of each warp */
    LLVMValueRef parts;     /* i64: further sectors; NULL: none */
};
/* Emits the test and the further sectors. The address is not varying. */
struct count_formula simd_count_formula(const struct count_call *count,
                                        const struct simd_value *address);
/* Emits the additions. */
void simd_count_by_formula(const struct count_call *count, const struct count_formula *formula);
/* i64: warps with an active lane; active lanes. */
LLVMValueRef simd_active_warps(const struct count_call *count);
LLVMValueRef simd_active_lanes(const struct count_call *count);
/* It is known when the program is compiled. */
bool simd_all_lanes_are_active(const struct count_call *count);
/* 32 bits of each of up to two warps. */
unsigned simd_warps_of(const struct count_call *count);
LLVMValueRef simd_lanes_of_warp(const struct count_call *count, LLVMValueRef bits, unsigned warp);

#endif
