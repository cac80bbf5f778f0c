/* The properties of lanes and of threads' variables that follow from the block's layout. */
#include "simd/analysis/layout.h"

#include "ir/value.h"
#include "simd/ir/interleaved.h"
#include "simd/ir/lanes.h"
#include "simd/ir/origin.h"
#include "simd/ir/traits.h"
#include "simd/ir/variant.h"

bool simd_has_rows(const struct simd_kernel *kernel)
{
    return simd_variant_of(kernel)->layout == LAYOUT_ROWS ||
           simd_variant_of(kernel)->layout == LAYOUT_PADDED;
}

bool simd_has_rows_of_warps(const struct simd_kernel *kernel)
{
    const struct simd_size *size = simd_variant_of(kernel)->size;
    return simd_traits_of(kernel)->has_warps && simd_variant_of(kernel)->layout == LAYOUT_ROWS &&
           size != NULL && size->x % SIMD_WARP == 0;
}

unsigned simd_lanes_per_thread(const struct simd_kernel *kernel)
{
    return simd_variant_of(kernel)->layout == LAYOUT_PADDED ? SIMD_MOST_PADDING : 1;
}

uint64_t simd_local_size(const struct simd_kernel *kernel, LLVMValueRef alloca)
{
    struct lower_context *lower = simd_context_of(kernel);
    uint64_t size = LLVMABISizeOfType(lower->layout, LLVMGetAllocatedType(alloca));
    return simd_interleaved_element(lower, alloca) != 0
               ? size / SIMD_LOCAL_GROUP
               : lower_align_up(size, LLVMGetAlignment(alloca));
}

uint64_t simd_local_stride(const struct simd_kernel *kernel, LLVMValueRef alloca)
{
    uint64_t element = simd_interleaved_element(simd_context_of(kernel), alloca);
    return element != 0 ? element : simd_local_size(kernel, alloca);
}
