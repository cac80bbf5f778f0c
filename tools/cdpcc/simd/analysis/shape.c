/* The shape that analysis found for a value. */
#include "simd/analysis/shape.h"

#include "simd/analysis/facts.h"
#include "simd/ir/numbers.h"

const struct simd_shape simd_varying_shape = {.kind = SHAPE_VARYING};
const struct simd_shape simd_uniform_shape = {
    .kind = SHAPE_UNIFORM, .is_signed_exact = true, .is_unsigned_exact = true};

const struct simd_shape *simd_shape_of(const struct simd_kernel *kernel, LLVMValueRef value)
{
    int number = simd_number(kernel, value);
    return number < 0 ? &simd_uniform_shape : &simd_facts_of(kernel)->shapes[number];
}
