/* Properties of a kernel's function that hold for all versions. */
#ifndef CDPCC_SIMD_IR_TRAITS_H
#define CDPCC_SIMD_IR_TRAITS_H
#include <stdbool.h>

struct simd_kernel;

/* How many blocks of a grid one call of the block entry may run. */
enum simd_range {
    RANGE_ONE,          /* it calls functions, or the runtime for more than launches and prints */
    RANGE_UP_TO_A_CALL, /* up to the first block that launches or prints */
    RANGE_ANY,          /* it calls nothing of the runtime */
};

/* Properties of the function that hold for all versions. */
struct simd_traits {
    unsigned barrier_count;
    bool uses_rows; /* it reads threadIdx.y or .z */
    /* It has warp operations or volatile accesses, or is counted (--count): a chunk is one or more
     * whole warps. */
    bool has_warps;
    bool waits;          /* for child grids, or for the grid's other blocks */
    bool is_irreducible; /* some loop has two entries */
    enum simd_range range;
};

const struct simd_traits *simd_traits_of(const struct simd_kernel *kernel);

#endif
