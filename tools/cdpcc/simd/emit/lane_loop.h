/* Lanes one after the other: a loop over the lanes of a mask, and arrays with a value of each lane.
 */
#ifndef CDPCC_SIMD_EMIT_LANE_LOOP_H
#define CDPCC_SIMD_EMIT_LANE_LOOP_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>

struct simd_emit;
struct simd_value;

/* A loop whose code is being emitted.
 * Life: from simd_begin_lanes() to simd_end_lanes(). */
struct simd_lane_loop {
    LLVMValueRef lane;            /* i64: the current lane, in the chunk */
    LLVMBasicBlockRef head;       /* where the lane's code begins */
    LLVMBasicBlockRef after;      /* after the last lane */
    LLVMValueRef left, remaining; /* words: the lanes from this one on, and those after it */
};

/* Begins the code of a lane.  It runs for each lane of the mask, in ascending order or in reverse,
 * and is jumped over if there is none. */
struct simd_lane_loop simd_begin_lanes(struct simd_emit *emit, const LLVMValueRef *mask,
                                       bool is_reversed);
/* Ends the code of a lane.  The builder is then after the loop. */
void simd_end_lanes(struct simd_emit *emit, const struct simd_lane_loop *loop);
/* A word of at least 64 bits with a bit for each lane of the chunk. */
LLVMTypeRef simd_word_of_lanes(const struct simd_emit *emit);

/* An array for a value of each lane.  `used` counts the arrays that are in use: one piece of code
 * after the other reuses them. */
LLVMValueRef simd_lane_array(struct simd_emit *emit, size_t *used);
/* One with the lanes' values. */
LLVMValueRef simd_keep_lanes(struct simd_emit *emit, const struct simd_value *value,
                             LLVMTypeRef type, size_t *used);
/* Reads or writes one lane's element of such an array, or reads a vector of elements. lane: i64, in
 * the chunk. */
LLVMValueRef simd_kept_lane(struct simd_emit *emit, LLVMValueRef array, LLVMTypeRef type,
                            LLVMValueRef lane);
void simd_keep_lane(struct simd_emit *emit, LLVMValueRef array, LLVMValueRef value,
                    LLVMValueRef lane);
LLVMValueRef simd_reload_lanes(struct simd_emit *emit, LLVMValueRef array, LLVMTypeRef type,
                               unsigned vector);

#endif
