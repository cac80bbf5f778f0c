/* How a value differs between the lanes of a chunk: the queries that most passes need. */
#include "simd/analysis/uniformity.h"

#include "simd/analysis/shape.h"

bool simd_is_uniform(const struct simd_kernel *kernel, LLVMValueRef value)
{
    return simd_shape_of(kernel, value)->kind <= SHAPE_UNIFORM;
}

bool simd_is_uniform_in_warp(const struct simd_kernel *kernel, LLVMValueRef value)
{
    return simd_shape_of(kernel, value)->kind <= SHAPE_WARP;
}

bool simd_is_scalar(const struct simd_kernel *kernel, LLVMValueRef value)
{
    return simd_shape_of(kernel, value)->kind <= SHAPE_VECTOR;
}

bool simd_is_varying(const struct simd_kernel *kernel, LLVMValueRef value)
{
    return simd_shape_of(kernel, value)->kind == SHAPE_VARYING;
}
