/* Likely and unlikely edges of branches: LLVM's branch weights. */
#include "simd/ir/branch_weights.h"

#include "ir/context.h"

#include <llvm-c/Core.h>

/* As LLVM weighs __builtin_expect(). */
enum { LIKELY = 2000, UNLIKELY = 1 };

static unsigned kind_of(struct lower_context *lower)
{
    return LLVMGetMDKindIDInContext(lower->llvm, "prof", 4);
}

void simd_mark_likely(struct lower_context *lower, LLVMValueRef branch)
{
    LLVMMetadataRef words[] = {
        LLVMMDStringInContext2(lower->llvm, "branch_weights", 14),
        LLVMValueAsMetadata(LLVMConstInt(lower->types.i32, LIKELY, 0)),
        LLVMValueAsMetadata(LLVMConstInt(lower->types.i32, UNLIKELY, 0)),
    };
    LLVMMetadataRef node = LLVMMDNodeInContext2(lower->llvm, words, 3);
    LLVMSetMetadata(branch, kind_of(lower), LLVMMetadataAsValue(lower->llvm, node));
}

signed char simd_unlikely_edge(struct lower_context *lower, LLVMValueRef branch)
{
    enum { WORDS = 3 };
    LLVMValueRef node = LLVMGetMetadata(branch, kind_of(lower)), words[WORDS];
    if (node == NULL || LLVMGetMDNodeNumOperands(node) != WORDS) {
        return -1;
    }
    LLVMGetMDNodeOperands(node, words);
    if (LLVMIsAConstantInt(words[1]) == NULL || LLVMIsAConstantInt(words[2]) == NULL) {
        return -1;
    }
    uint64_t first = LLVMConstIntGetZExtValue(words[1]);
    uint64_t second = LLVMConstIntGetZExtValue(words[2]);
    return first >= second * LIKELY ? 1 : second >= first * LIKELY ? 0 : -1;
}
