/* How many lanes a vector and a warp have. */
#ifndef CDPCC_SIMD_IR_LANES_H
#define CDPCC_SIMD_IR_LANES_H

enum { SIMD_WARP = 32, SIMD_FEWEST_LANES = 4, SIMD_MOST_LANES = 16 };

#endif
