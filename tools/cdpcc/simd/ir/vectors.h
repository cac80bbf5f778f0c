/* How many vectors a chunk has: they run side by side (interleaving, in LLVM's words). */
#ifndef CDPCC_SIMD_IR_VECTORS_H
#define CDPCC_SIMD_IR_VECTORS_H

enum { SIMD_MOST_VECTORS = 16 };

#endif
