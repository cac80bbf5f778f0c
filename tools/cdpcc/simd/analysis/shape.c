/* The shape that analysis found for a value. */
#include "simd/analysis/shape.h"

#include "simd/analysis/facts.h"
#include "simd/ir/numbers.h"

static const struct simd_shape uniform = {
    .kind = SHAPE_UNIFORM, .is_signed_exact = true, .is_unsigned_exact = true};

struct simd_shape simd_shape_of(const struct simd_kernel *kernel, LLVMValueRef value)
{
    int number = simd_number(kernel, value);
    return number < 0 ? uniform : simd_facts_of(kernel)->shapes[number];
}
