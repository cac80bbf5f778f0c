/* How the rows of a block depend on each other: the threads with the same threadIdx.y and .z.
 *
 *     int i = blockIdx.x * blockDim.x + threadIdx.x;          the row
 *     int j = blockIdx.y * blockDim.y + threadIdx.y;
 *     out[i * n + j] = in[i * n + j];
 *
 * If lanes go along x, both accesses are gathers; along y they are contiguous. A GPU has no choice,
 * since its warps go along x. Here lanes may be any threads of the block. plan/cost.h compares
 * both.
 *
 *     dim3 block(32, 8);
 *     int i = blockIdx.x * blockDim.x + threadIdx.x;
 *     out[i] = 2 * in[i];
 *
 * Eight threads store the same value at the same address. Nothing that they do may add up or depend
 * on another thread: atomic operations, barriers and warp operations. */
#include "simd/analysis/rows.h"

#include "simd/ir/counts.h"
#include "simd/ir/memory.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/traits.h"
#include "simd/ir/values.h"

#include <stddef.h>

static bool has_any(const struct simd_kernel *kernel, bool (*is)(LLVMValueRef))
{
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        if (is(simd_value_at(kernel, i))) {
            return true;
        }
    }
    return false;
}

bool simd_may_be_transposed(const struct simd_kernel *kernel)
{
    const struct simd_traits *traits = simd_traits_of(kernel);
    return traits->range == RANGE_ANY && traits->uses_rows && !traits->has_warps &&
           !has_any(kernel, simd_reads_number);
}

bool simd_rows_are_copies(const struct simd_kernel *kernel)
{
    const struct simd_traits *traits = simd_traits_of(kernel);
    return traits->range == RANGE_ANY && !traits->uses_rows && !traits->has_warps &&
           traits->barrier_count == 0 && !has_any(kernel, simd_reads_number) &&
           !has_any(kernel, simd_is_order);
}
