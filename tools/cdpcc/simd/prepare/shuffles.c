/* Makes the source lanes of shuffles constants.
 *
 *     for (int d = 16; d > 0; d /= 2) {             after unrolling, five shuffles with the
 *         x += __shfl_down_sync(~0u, x, d);         distances 16, 8, 4, 2 and 1
 *     }
 *
 * A shuffle with a constant distance is a permutation that LLVM knows (emit/warp_ops.c). */
#include "simd/prepare/shuffles.h"

#include "ir/context.h"
#include "ir/debug_info.h"
#include "ir/module.h"
#include "ir/value.h"
#include "simd/ir/calls.h"

#include <llvm-c/Core.h>
#include <string.h>

/* No instruction reads whether the shuffle's source lane was in range.
 * The runtime's call has an address for that result, although CUDA's shuffles have none. */
static bool is_unread(LLVMValueRef address)
{
    if (LLVMIsAAllocaInst(address) == NULL) {
        return false;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_mark = strncmp(simd_callee_name(user), "llvm.lifetime.", 14) == 0;
        if (!is_mark && simd_warp_operation_of(user) != WARP_SHUFFLE) {
            return false;
        }
    }
    return true;
}

static LLVMValueRef *find_shuffles(LLVMValueRef function, size_t *count, bool *has_warps)
{
    LLVMValueRef *found = NULL;
    *count = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            *has_warps |= simd_warp_operation_of(at) != WARP_NONE;
            if (simd_warp_operation_of(at) == WARP_SHUFFLE) {
                LOWER_PUSH(found, *count, at);
            }
        }
    }
    return found;
}

/* The front end forbids unrolling where it does not request it itself.
 * After unrolling, for (d = 16; d > 0; d /= 2) x += __shfl_down_sync(~0u, x, d) has constant
 * distances, and each shuffle is a permutation that LLVM knows. */
static void allow_unrolling(struct lower_context *lower, LLVMValueRef function)
{
    unsigned kind = LLVMGetMDKindIDInContext(lower->llvm, "llvm.loop", 9);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        LLVMValueRef loop = LLVMGetMetadata(end, kind);
        unsigned count = 0, length, inner;
        LLVMMetadataRef *nodes =
            loop == NULL ? NULL : lower_md_operands(lower, LLVMValueAsMetadata(loop), &count);
        for (unsigned i = 1; i < count; i++) {
            LLVMMetadataRef *words = lower_md_operands(lower, nodes[i], &inner);
            const char *text =
                inner != 1 ? NULL
                           : LLVMGetMDString(LLVMMetadataAsValue(lower->llvm, words[0]), &length);
            if (text != NULL && strncmp(text, "llvm.loop.unroll.disable", length) == 0) {
                LLVMSetMetadata(end, kind, NULL);
            }
        }
    }
}

/* The address becomes NULL, and the attributes that forbid this are removed. */
static void forget_range(LLVMValueRef shuffle)
{
    static const char *const promises[] = {"nonnull", "noundef", "dereferenceable"};
    LLVMTypeRef pointer = LLVMTypeOf(LLVMGetOperand(shuffle, 5));
    LLVMSetOperand(shuffle, 5, LLVMConstNull(pointer));
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++) {
        LLVMRemoveCallSiteEnumAttribute(
            shuffle, 6, LLVMGetEnumAttributeKindForName(promises[i], strlen(promises[i])));
    }
}

void simd_prepare_shuffles(struct lower_context *lower, LLVMValueRef function)
{
    static const char passes[] =
        "adce,loop(loop-unroll-full),early-cse<memssa>,instcombine<no-verify-fixpoint>,"
        "simplifycfg<no-switch-to-lookup>,loop-simplify,lcssa";
    bool has_warps = false;
    size_t count;
    LLVMValueRef *shuffles = find_shuffles(function, &count, &has_warps);
    for (size_t i = 0; i < count; i++) {
        if (is_unread(LLVMGetOperand(shuffles[i], 5))) {
            forget_range(shuffles[i]);
        }
    }
    if (has_warps) {
        allow_unrolling(lower, function);
        module_run_passes_on(function, passes, lower->machine);
    }
}
