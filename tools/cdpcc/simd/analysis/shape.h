/* Shapes: how a value differs between the threads of a chunk. */
#ifndef CDPCC_SIMD_ANALYSIS_SHAPE_H
#define CDPCC_SIMD_ANALYSIS_SHAPE_H
#include <stdbool.h>
#include <stdint.h>

struct simd_facts;
struct simd_kernel;

enum simd_shape_kind {
    SHAPE_UNKNOWN, /* not computed yet */
    SHAPE_UNIFORM, /* one value for the block: the same for all active lanes */
    SHAPE_WARP,    /* one value for each warp, which all its vectors hold.  Only kernels with warp
                    * operations have it: their chunks are whole warps */
    SHAPE_VECTOR,  /* one value for each vector */
    SHAPE_LINEAR, /* affine: lane 0's value plus lane times stride, modulo the type's width.  Stride
                   * 0: one value for all lanes, if the test holds */
    SHAPE_VARYING,
};

/* When an affine shape holds: always; where all lanes are active, as the instruction's flags
 * promise it then; or only if a test at run time holds. */
enum simd_check { CHECK_NONE, CHECK_FLAGS, CHECK_ALWAYS };

struct simd_shape {
    enum simd_shape_kind kind;
    int64_t stride;
    /* The value is affine also as an unbounded integer, if the instruction's flags hold. */
    bool is_signed_exact, is_unsigned_exact;
    enum simd_check check;
};

/* All lanes have lane 0's value, if the check holds. */
static inline bool simd_is_flat(struct simd_shape shape)
{
    return shape.kind == SHAPE_LINEAR && shape.stride == 0;
}

/* The test at run time that says whether an instruction's result is affine. */
enum simd_test {
    TEST_NONE,
    TEST_SIGNED,
    TEST_UNSIGNED,
    TEST_MASK,
    TEST_CLAMP,     /* no lane is beyond the limit */
    TEST_REMAINDER, /* the remainder starts at zero again in no lane but the first */
    TEST_QUOTIENT,  /* all lanes have the same quotient */
    TEST_SHIFT,     /* likewise, of a shift to the right */
    TEST_CHOICE,    /* the select takes its affine operand */
};

/* Computes the shapes and tests of the kernel's facts, for its variant. */
void simd_shapes(const struct simd_kernel *kernel, struct simd_facts *facts);

#endif
