/* Local arrays whose copies are interleaved: a mark on their allocas.
 *
 * The mark is metadata, so a clone of the function has it, too. */
#include "simd/ir/interleaved.h"

#include "ir/context.h"

static unsigned interleaved_kind(struct lower_context *lower)
{
    static const char name[] = "cdp.interleaved";
    return LLVMGetMDKindIDInContext(lower->llvm, name, sizeof name - 1);
}

void simd_mark_interleaved(struct lower_context *lower, LLVMValueRef alloca, uint64_t element)
{
    LLVMMetadataRef size = LLVMValueAsMetadata(LLVMConstInt(lower->types.i64, element, 0));
    LLVMMetadataRef node = LLVMMDNodeInContext2(lower->llvm, &size, 1);
    LLVMSetMetadata(alloca, interleaved_kind(lower), LLVMMetadataAsValue(lower->llvm, node));
}

uint64_t simd_interleaved_element(struct lower_context *lower, LLVMValueRef alloca)
{
    LLVMValueRef node = LLVMGetMetadata(alloca, interleaved_kind(lower)), size;
    if (node == NULL) {
        return 0;
    }
    LLVMGetMDNodeOperands(node, &size);
    return LLVMConstIntGetZExtValue(size);
}
