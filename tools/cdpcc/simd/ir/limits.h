/* Sizes and limits of the vectorizer. */
#ifndef CDPCC_SIMD_IR_LIMITS_H
#define CDPCC_SIMD_IR_LIMITS_H

enum {
    SIMD_WARP = 32,
    SIMD_MOST_VECTORS = 16,
    SIMD_FEWEST_LANES = 4,
    SIMD_MOST_LANES = 16,
    SIMD_MOST_NODES = 600,
    SIMD_MOST_PADDING = 2,        /* lanes of a padded row for each thread in it, at most */
    SIMD_MOST_STEP = 4,           /* elements of a structure that strided loads handle, at most */
    SIMD_MOST_INDEX = 0x7fff0000, /* threads in the grid's x dimension */
    SIMD_MOST_SIZES = 2,
    SIMD_SCRATCH_ALIGN = 64,
    SIMD_MOST_STACK = 160 << 10, /* of slots and variables: a block runs on the stack of a fiber */
};

#endif
