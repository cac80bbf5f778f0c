/* The address of a plain access as base[number] plus some bytes.
 *
 * Permuted accesses and selects of two accesses work on the index, not on bytes. So the address
 * must have the one form into which the optimizer brings accesses to arrays:
 *
 *     %p = getelementptr T, ptr %base, i64 %number       with constants added before or after
 *
 * where T has the size of the accessed element, and %base is the same for all lanes of a vector. */
#include "simd/plan/index.h"

#include "ir/context.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/origin.h"
#include "simd/plan/available.h"

#include <llvm-c/Core.h>

bool simd_is_known_uniform(const struct simd_site *site, LLVMValueRef value)
{
    return simd_is_available_or_promoted(site->path, site->graph, site->node, value) &&
           simd_is_scalar(simd_kernel_of(site->graph), value);
}

bool simd_is_known_affine(const struct simd_site *site, LLVMValueRef value)
{
    struct simd_shape shape = *simd_shape_of(simd_kernel_of(site->graph), value);
    return simd_is_available_or_promoted(site->path, site->graph, site->node, value) &&
           shape.kind == SHAPE_LINEAR && shape.stride == 1;
}

bool simd_index_of(const struct simd_site *site, LLVMValueRef address, LLVMTypeRef type,
                   struct simd_index *index)
{
    const struct lower_context *lower = simd_context_of(simd_kernel_of(site->graph));
    uint64_t size = LLVMABISizeOfType(lower->layout, type);
    bool is_dense = LLVMSizeOfTypeInBits(lower->layout, type) == size * 8;
    LLVMValueRef at = simd_without_constants(address, &index->offset);
    if (!is_dense || LLVMIsAGetElementPtrInst(at) == NULL || LLVMGetNumOperands(at) != 2 ||
        LLVMABISizeOfType(lower->layout, LLVMGetGEPSourceElementType(at)) != size ||
        LLVMTypeOf(LLVMGetOperand(at, 1)) != lower->types.i64 ||
        !simd_is_known_uniform(site, LLVMGetOperand(at, 0))) {
        return false;
    }
    index->type = type;
    index->base = LLVMGetOperand(at, 0);
    index->number = LLVMGetOperand(at, 1);
    return true;
}
