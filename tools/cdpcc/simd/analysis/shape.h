/* Which values are uniform, linear in the lane, or vary. */
#ifndef CDPCC_SIMD_ANALYSIS_SHAPE_H
#define CDPCC_SIMD_ANALYSIS_SHAPE_H
#include "simd/ir/kernel.h"

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;

/* How a value differs between the threads of a chunk. */
enum simd_shape_kind {
    SHAPE_UNKNOWN, /* not computed yet */
    SHAPE_UNIFORM, /* one value per block: the same for all lanes that are active */
    SHAPE_WARP,    /* one value per warp, which all its vectors hold; in kernels that
                    * have warp operations, as chunks are whole warps there */
    SHAPE_VECTOR,  /* one value per vector */
    SHAPE_LINEAR,  /* lane 0's value plus lane times stride, modulo the type's width; 0: one value
                    * for all, where a test says so */
    SHAPE_VARYING,
};

/* When "linear" holds: always; where every lane runs the access, as the instructions'
 * own flags promise then; or only if a test says so. */
enum simd_check { CHECK_NONE, CHECK_FLAGS, CHECK_ALWAYS };

struct simd_shape {
    enum simd_shape_kind kind;
    int64_t stride;
    bool is_signed_exact, is_unsigned_exact; /* linear also in the integers, flags granted */
    enum simd_check check;
};

/* All lanes have lane 0's number, if the check holds. */
static inline bool simd_is_flat(struct simd_shape shape)
{
    return shape.kind == SHAPE_LINEAR && shape.stride == 0;
}

/* What tells an instruction's "linear" from true: the test its result needs. */
enum simd_test {
    TEST_NONE,
    TEST_SIGNED,
    TEST_UNSIGNED,
    TEST_MASK,
    TEST_CLAMP,     /* no lane is beyond the limit */
    TEST_REMAINDER, /* no lane begins anew at zero */
    TEST_QUOTIENT,  /* nor is the next one's */
    TEST_SHIFT,     /* likewise */
    TEST_CHOICE,    /* it is the linear one */
};

/* Vectors lie within rows. */
bool simd_has_rows(const struct simd_kernel *kernel);
/* Lanes for each thread, at most. */
unsigned simd_filled(const struct simd_kernel *kernel);
struct simd_shape simd_shape_of(const struct simd_kernel *kernel, LLVMValueRef value);
void simd_shapes(struct simd_kernel *kernel);
struct simd_shape simd_transfer(const struct simd_kernel *kernel, LLVMValueRef instruction,
                                enum simd_test *test);
/* Of a select between different shapes, by what all lanes share: the operand that it mostly is, as
 * it is linear; or 0. */
unsigned simd_choice_of(const struct simd_kernel *kernel, LLVMValueRef select);
/* The test is of an extension, and flags say that it holds in lanes which use it. */
bool simd_is_flagged(const struct simd_kernel *kernel, LLVMValueRef instruction,
                     enum simd_test test);
/* The linear result is the sign extension of lane 0's operand. */
bool simd_extends_signed(LLVMValueRef instruction, struct simd_shape operand);
/* Bytes between the copies of two threads of a variable of the function. */
uint64_t simd_local_stride(const struct simd_kernel *kernel, LLVMValueRef alloca);

#endif
