/* Phis of the pairs that cmpxchg gives: the value that it found, and whether it succeeded.
 *
 * LLVM may rotate a loop so that a phi joins such pairs, and the elements are extracted after it.
 * Vectors cannot hold pairs, so phis join the elements instead:
 *
 *     %p = phi { i32, i1 } [ %a, %x ], [ %b, %y ]         %a0 = extractvalue %a, 0
 *     %v = extractvalue %p, 0                      ->     %b0 = extractvalue %b, 0
 *                                                         %v = phi i32 [ %a0, %x ], [ %b0, %y ] */
#include "simd/prepare/swap_pairs.h"

#include "ir/context.h"
#include "ir/value.h"

/* All its values are results of cmpxchg, and only elements of it are used. */
static bool is_wanted(LLVMValueRef at)
{
    if (LLVMIsAPHINode(at) == NULL || LLVMGetTypeKind(LLVMTypeOf(at)) != LLVMStructTypeKind) {
        return false;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(at); i++) {
        if (LLVMIsAAtomicCmpXchgInst(LLVMGetIncomingValue(at, i)) == NULL) {
            return false;
        }
    }
    for (LLVMUseRef use = LLVMGetFirstUse(at); use != NULL; use = LLVMGetNextUse(use)) {
        if (LLVMIsAExtractValueInst(LLVMGetUser(use)) == NULL) {
            return false;
        }
    }
    return true;
}

/* Edges of a switch may come from one block, and then have one value. */
static LLVMValueRef value_from(LLVMValueRef phi, LLVMBasicBlockRef from)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingBlock(phi, i) == from) {
            return LLVMGetIncomingValue(phi, i);
        }
    }
    return NULL;
}

/* The phi of one part; the part's type is that of the extraction. */
static LLVMValueRef join_parts(struct lower_context *lower, LLVMValueRef phi, unsigned part,
                               LLVMTypeRef type)
{
    LLVMBuilderRef builder = lower_builder_before(lower, phi);
    LLVMValueRef joined = LLVMBuildPhi(builder, type, "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef swap = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef value = value_from(joined, from);
        if (value == NULL) {
            LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(swap));
            value = LLVMBuildExtractValue(builder, swap, part, "");
        }
        LLVMAddIncoming(joined, &value, &from, 1);
    }
    LLVMDisposeBuilder(builder);
    return joined;
}

static void split(struct lower_context *lower, LLVMValueRef phi)
{
    LLVMValueRef joined[2] = {NULL, NULL};
    LLVMUseRef use;
    while ((use = LLVMGetFirstUse(phi)) != NULL) {
        LLVMValueRef extract = LLVMGetUser(use);
        unsigned part = LLVMGetIndices(extract)[0];
        if (joined[part] == NULL) {
            joined[part] = join_parts(lower, phi, part, LLVMTypeOf(extract));
        }
        LLVMReplaceAllUsesWith(extract, joined[part]);
        LLVMInstructionEraseFromParent(extract);
    }
    LLVMInstructionEraseFromParent(phi);
}

void simd_split_swap_pairs(struct lower_context *lower, LLVMValueRef function)
{
    struct lower_list found = lower_instructions(function, is_wanted);
    for (size_t i = 0; i < found.count; i++) {
        split(lower, found.items[i]);
    }
}
