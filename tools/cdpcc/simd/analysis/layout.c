/* The properties of lanes and of threads' variables that follow from the block's layout. */
#include "simd/analysis/layout.h"

#include "ir/value.h"
#include "simd/ir/origin.h"
#include "simd/ir/variant.h"

bool simd_has_rows(const struct simd_kernel *kernel)
{
    return simd_variant_of(kernel)->layout == LAYOUT_ROWS ||
           simd_variant_of(kernel)->layout == LAYOUT_PADDED;
}

unsigned simd_lanes_per_thread(const struct simd_kernel *kernel)
{
    return simd_variant_of(kernel)->layout == LAYOUT_PADDED ? SIMD_MOST_PADDING : 1;
}

uint64_t simd_local_stride(const struct simd_kernel *kernel, LLVMValueRef alloca)
{
    uint64_t size =
        LLVMABISizeOfType(simd_context_of(kernel)->layout, LLVMGetAllocatedType(alloca));
    return lower_align_up(size, LLVMGetAlignment(alloca));
}
