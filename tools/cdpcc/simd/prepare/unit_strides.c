/* Parameters of a kernel that are known to be 1.
 *
 *     %i = mul nsw i32 %index, %incx         %index
 *     getelementptr float, %x, %i       ->   getelementptr float, %x, %index
 *
 * Only operations that have become constants or copies are removed.  The function has been prepared
 * for the vectorizer, and instcombine could undo that. */
#include "simd/prepare/unit_strides.h"

#include "ir/context.h"
#include "ir/module.h"
#include "ir/value.h"
#include "simd/ir/memory.h"
#include "simd/ir/symbolic_stride.h"
#include "simd/prepare/offsets.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

static void replace(LLVMValueRef at, const struct simd_symbolic_stride *strides, size_t count)
{
    int64_t offset;
    if (LLVMIsALoadInst(at) == NULL || LLVMGetVolatile(at) || !simd_is_parameter(at, &offset)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (strides[i].offset == (uint64_t)offset && strides[i].type == LLVMTypeOf(at)) {
            LLVMReplaceAllUsesWith(at, LLVMConstInt(strides[i].type, 1, 0));
        }
    }
}

/* Constant parts of addresses are added last, in bytes: then simd_without_constants finds the
 * addresses that differ by such a part only. */
static void split_address(struct lower_context *lower, LLVMValueRef at)
{
    if (LLVMIsAGetElementPtrInst(at) == NULL || LLVMGetNumOperands(at) != 2) {
        return;
    }
    int64_t bytes;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(at);
    LLVMValueRef index = LLVMGetOperand(at, 1);
    LLVMValueRef base = simd_without_constants(LLVMGetOperand(at, 0), &bytes);
    bool is_constant = LLVMIsAConstantInt(index) != NULL;
    if (!is_constant && bytes == 0) {
        return;
    }
    if (is_constant) {
        bytes += LLVMConstIntGetSExtValue(index) * (int64_t)LLVMABISizeOfType(lower->layout, type);
    }
    LLVMValueRef offset = LLVMConstInt(lower->types.i64, (uint64_t)bytes, 1);
    LLVMBuilderRef builder = lower_builder_before(lower, at);
    base = is_constant ? base : LLVMBuildGEP2(builder, type, base, &index, 1, "");
    LLVMReplaceAllUsesWith(at, LLVMBuildGEP2(builder, lower->types.i8, base, &offset, 1, ""));
    LLVMDisposeBuilder(builder);
    LLVMInstructionEraseFromParent(at);
}

void simd_set_unit_strides(struct lower_context *lower, LLVMValueRef function,
                           const struct simd_symbolic_stride *strides, size_t count)
{
    LLVMValueRef next;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            replace(at, strides, count);
        }
    }
    module_run_passes_on(function, "early-cse<memssa>", lower->machine);
    (void)simd_split_offsets(lower, function);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
            next = LLVMGetNextInstruction(at);
            split_address(lower, at);
        }
    }
    module_run_passes_on(function, "early-cse<memssa>,loop-simplify,lcssa", lower->machine);
}
