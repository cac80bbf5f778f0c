/* Whether lanes go along threadIdx.x or along threadIdx.y.
 *
 *     int i = blockIdx.x * blockDim.x + threadIdx.x;          the row
 *     int j = blockIdx.y * blockDim.y + threadIdx.y;
 *     out[i * n + j] = in[i * n + j];
 *
 * Along x both accesses are gathers, along y they are contiguous. A GPU has no choice, since its
 * warps go along x. Here lanes may be any threads of the block. plan/cost.h compares both. */
#include "simd/plan/orientation.h"

#include "simd/ir/counts.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/traits.h"
#include "simd/ir/values.h"

bool simd_may_be_transposed(const struct simd_kernel *kernel)
{
    const struct simd_traits *traits = simd_traits_of(kernel);
    if (!traits->has_ranges || !traits->uses_rows || traits->has_warps) {
        return false;
    }
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        if (simd_reads_number(simd_value_at(kernel, i))) {
            return false;
        }
    }
    return true;
}
