/* Properties of a kernel's function that hold for all versions. */
#ifndef CDPCC_SIMD_IR_TRAITS_H
#define CDPCC_SIMD_IR_TRAITS_H
#include <stdbool.h>

struct simd_kernel;

/* Properties of the function that hold for all versions. */
struct simd_traits {
    unsigned barrier_count;
    bool uses_rows; /* it reads threadIdx.y or .z */
    /* It has warp operations or volatile accesses, or is counted (--count): a chunk is one or more
     * whole warps. */
    bool has_warps;
    bool waits;          /* for child grids, or for the grid's other blocks */
    bool is_irreducible; /* some loop has two entries */
    bool has_ranges;     /* it calls nothing of the runtime: one call may run several blocks */
    /* It calls nothing of the runtime except to launch and to print, and no function: one call may
     * run several blocks, up to the first that calls the runtime. */
    bool has_open_ranges;
};

const struct simd_traits *simd_traits_of(const struct simd_kernel *kernel);

#endif
