/* What a version of a kernel is compiled for: the block's size and layout, and the lanes. */
#ifndef CDPCC_SIMD_IR_VARIANT_H
#define CDPCC_SIMD_IR_VARIANT_H
#include <stdbool.h>

struct simd_kernel;
struct simd_shape;

/* The block's index space: which values threadIdx has over the lanes of a vector. */
enum simd_layout {
    LAYOUT_ONE_ROW, /* blockDim.y == blockDim.z == 1 */
    LAYOUT_ROWS,    /* a vector lies within one row of the block */
    LAYOUT_PADDED,  /* a vector lies within one padded row of the block: the last lanes of a row are
                       no threads */
    LAYOUT_ANY,     /* each lane has its own index */
};

/* Number of threads of a block in each dimension. */
struct simd_size {
    unsigned x, y, z;
};

/* What a version of the kernel is compiled for.
 *
 * Transposed: lanes go along threadIdx.y. The version is that of a block with x and y exchanged:
 * its loads of threadIdx.x give y, those of threadIdx.y give x, and its size has x and y exchanged.
 * Two variants of a kernel share nothing that depends on shapes: each has facts and a plan of its
 * own. */
struct simd_variant {
    enum simd_layout layout;
    const struct simd_size *size; /* NULL: any size that fits the layout */
    unsigned lanes;
    bool is_transposed;
    bool has_unit_strides; /* only for launches in which symbolic strides are 1 */
    /* By value number: the shapes of the parameters of a function that kernels call.  NULL: it is a
     * kernel, whose parameters are uniform. */
    const struct simd_shape *arguments;
};

const struct simd_variant *simd_variant_of(const struct simd_kernel *kernel);
/* It is a function that kernels call for the lanes of a chunk, and no kernel. */
bool simd_is_called(const struct simd_kernel *kernel);
/* The block's size as launches name it; 0, 0, 0: any. */
struct simd_size simd_launched_size(const struct simd_kernel *kernel);
/* The dimension of launches that a dimension of the version is, and the reverse. */
unsigned simd_launched_dimension(const struct simd_kernel *kernel, unsigned dimension);

#endif
