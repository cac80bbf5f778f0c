/* Sums that do not wrap stay so during loop-invariant code motion.
 *
 * LLVM's pass licm reassociates a sum to move a part of it out of the loop:
 *
 *     for (k ...) a[base + k * d + i]
 *
 *     before:  %row = add nsw %base, %kd       after:  %base.i = add %base, %i     before the loop
 *              %sum = add nsw %row, %i                 %sum = add %kd, %base.i
 *              sext %sum                               sext %sum
 *
 * The new sums have no flags, since %base + %i may wrap where the whole sum does not.  But the
 * flags prove that neighbouring threads access neighbouring elements.  Without them the access
 * needs a test in each iteration, and is not part of an interleave group.  The later optimizer
 * moves the code all the same, when the accesses are planned and emitted.
 *
 * The pass has no option for this, but it leaves a sum alone whose first part has a second use. */
#include "simd/prepare/exact_sums.h"

#include "ir/context.h"
#include "ir/value.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <string.h>

static const char mark[] = "llvm.fake.use";

static bool is_exact_sum(LLVMValueRef at)
{
    return LLVMIsABinaryOperator(at) != NULL && LLVMGetInstructionOpcode(at) == LLVMAdd &&
           (LLVMGetNSW(at) || LLVMGetNUW(at));
}

/* The sum has one use, which is another sum. */
static bool is_part(LLVMValueRef at)
{
    LLVMUseRef use = LLVMGetFirstUse(at);
    return is_exact_sum(at) && use != NULL && LLVMGetNextUse(use) == NULL &&
           is_exact_sum(LLVMGetUser(use));
}

static void keep(struct lower_context *lower, LLVMValueRef part)
{
    LLVMBuilderRef builder = lower_builder_before(lower, LLVMGetNextInstruction(part));
    lower_intrinsic(lower, builder, mark, NULL, 0, &part, 1);
    LLVMDisposeBuilder(builder);
}

static void keep_in_block(struct lower_context *lower, LLVMBasicBlockRef block)
{
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        if (is_part(at)) {
            keep(lower, at);
        }
    }
}

void simd_keep_exact_sums(struct lower_context *lower)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f != NULL;
         f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block != NULL;
             block = LLVMGetNextBasicBlock(block)) {
            keep_in_block(lower, block);
        }
    }
}

void simd_release_exact_sums(const struct lower_context *lower)
{
    LLVMValueRef function = LLVMGetNamedFunction(lower->module, mark);
    while (function != NULL && LLVMGetFirstUse(function) != NULL) {
        LLVMInstructionEraseFromParent(LLVMGetUser(LLVMGetFirstUse(function)));
    }
    if (function != NULL) {
        LLVMDeleteFunction(function);
    }
}
