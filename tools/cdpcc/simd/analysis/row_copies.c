/* Whether the rows of a block do the same.
 *
 *     dim3 block(32, 8);
 *     int i = blockIdx.x * blockDim.x + threadIdx.x;
 *     out[i] = 2 * in[i];
 *
 * Eight threads store the same value at the same address. Nothing that they do may add up or depend
 * on another thread: atomic operations, barriers and warp operations. */
#include "simd/analysis/row_copies.h"

#include "simd/ir/counts.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/traits.h"
#include "simd/ir/values.h"

#include <llvm-c/Core.h>
#include <stddef.h>

static bool has_own_effect(LLVMValueRef at)
{
    return LLVMIsAAtomicRMWInst(at) != NULL || LLVMIsAAtomicCmpXchgInst(at) != NULL ||
           (LLVMIsALoadInst(at) != NULL && LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic) ||
           (LLVMIsAStoreInst(at) != NULL && LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic) ||
           simd_reads_number(at);
}

bool simd_rows_are_copies(const struct simd_kernel *kernel)
{
    const struct simd_traits *traits = simd_traits_of(kernel);
    if (!traits->has_ranges || traits->uses_rows || traits->has_warps ||
        traits->barrier_count != 0) {
        return false;
    }
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        if (has_own_effect(simd_value_at(kernel, i))) {
            return false;
        }
    }
    return true;
}
