/* Values that depend on the lane's number in its warp only. */
#ifndef CDPCC_SIMD_ANALYSIS_LANE_VALUES_H
#define CDPCC_SIMD_ANALYSIS_LANE_VALUES_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;

/* The integer's value in the warp's lane of that number, as its type has it.  False: it depends on
 * more, or it is not known.  Where the value is poison, any number is right. */
bool simd_lane_value(const struct simd_kernel *kernel, LLVMValueRef value, unsigned lane,
                     uint64_t *result);

#endif
