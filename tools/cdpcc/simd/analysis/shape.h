/* Shapes: how a value differs between the threads of a chunk. */
#ifndef CDPCC_SIMD_ANALYSIS_SHAPE_H
#define CDPCC_SIMD_ANALYSIS_SHAPE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;

/* How a value differs between the threads of a chunk, from the strongest shape to the weakest. */
enum simd_shape_kind {
    SHAPE_UNKNOWN, /* not computed yet */
    SHAPE_UNIFORM, /* one value for the block, the same for all active lanes */
    SHAPE_WARP,   /* one value for each warp, in all its vectors.  Only kernels with warp operations
                     have this shape, since their chunks are whole warps */
    SHAPE_VECTOR, /* one value for each vector */
    SHAPE_LINEAR, /* affine: lane 0's value plus lane times stride, modulo the type's width.  With
                     stride 0, all lanes have one value if the test holds */
    SHAPE_VARYING,
};

/* When an affine shape holds: always; if all lanes are active, since the instruction's flags
 * promise it then; or only if a run-time test holds. */
enum simd_check { CHECK_NONE, CHECK_FLAGS, CHECK_ALWAYS };

/* The shape of one value.  Stride and exactness only have a meaning for affine values. */
struct simd_shape {
    enum simd_shape_kind kind;
    int64_t stride;
    /* If the instruction's flags hold, the value is also affine as an unbounded integer. */
    bool is_signed_exact, is_unsigned_exact;
    enum simd_check check;
};

/* Shapes without a stride or a check. */
extern const struct simd_shape simd_uniform_shape, simd_varying_shape;

/* All lanes have lane 0's value, if the check holds. */
static inline bool simd_is_flat(struct simd_shape shape)
{
    return shape.kind == SHAPE_LINEAR && shape.stride == 0;
}

/* Values that are no values of the kernel, such as constants, are uniform.
 * The shape lives as long as the kernel's facts. */
const struct simd_shape *simd_shape_of(const struct simd_kernel *kernel, LLVMValueRef value);

#endif
