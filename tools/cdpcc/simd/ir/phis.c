/* The phis of a node. */
#include "simd/ir/phis.h"

#include "simd/ir/node.h"

#include <llvm-c/Core.h>

/* A block's last node may be one of several, all of which have the block. Poison: no edge comes
 * from there. */
LLVMValueRef simd_phi_value(const struct simd_kernel *kernel, LLVMValueRef phi, unsigned from)
{
    unsigned count = LLVMCountIncoming(phi);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMGetIncomingBlock(phi, i) == simd_node(kernel, from)->block) {
            return LLVMGetIncomingValue(phi, i);
        }
    }
    return LLVMGetPoison(LLVMTypeOf(phi));
}

LLVMValueRef simd_first_phi(const struct simd_kernel *kernel, unsigned node)
{
    LLVMValueRef first = simd_node(kernel, node)->first;
    return first != NULL && LLVMIsAPHINode(first) != NULL ? first : NULL;
}

LLVMValueRef simd_next_phi(LLVMValueRef phi)
{
    LLVMValueRef next = LLVMGetNextInstruction(phi);
    return LLVMIsAPHINode(next) != NULL ? next : NULL;
}

size_t simd_count_phis(const struct simd_kernel *kernel, unsigned node)
{
    size_t count = 0;
    for (LLVMValueRef phi = simd_first_phi(kernel, node); phi != NULL; phi = simd_next_phi(phi)) {
        count++;
    }
    return count;
}
