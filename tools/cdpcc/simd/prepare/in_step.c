/* Keeps the lanes of a warp in step at volatile accesses.
 *
 * LLVM copies short code into the sides of a branch if the branch after it has the same condition:
 *
 *     if (c) f();                          if (c) { f(); v[t] = x; y = v[t ^ 1]; g(); }
 *     v[t] = x; y = v[t ^ 1];      ->      else   {      v[t] = x; y = v[t ^ 1];      }
 *     if (c) g();
 *
 * In a block entry the lanes of one side would then load before those of the other side have
 * stored.  LLVM does not do that on a GPU, where branches may diverge.  So a call that is
 * "convergent" is in front of each access until the kernel is built.  It touches no memory that the
 * program knows. */
#include "simd/prepare/in_step.h"

#include "ir/value.h"
#include "simd/ir/memory.h"

#include <string.h>

static const char mark_name[] = "cdp.in.step";

/* Reads and writes only memory that no access of the module can reach. */
static LLVMValueRef declare(struct lower_context *lower)
{
    enum { INACCESSIBLE = 3 << 2 };
    LLVMTypeRef type = LLVMFunctionType(lower->types.none, NULL, 0, 0);
    LLVMValueRef mark = lower_runtime(lower, mark_name, type);
    lower_add_attribute(lower, mark, "willreturn");
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAddAttributeAtIndex(mark, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(lower->llvm, kind, INACCESSIBLE));
    return mark;
}

static void mark_function(struct lower_context *lower, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (simd_is_volatile(at)) {
                LLVMValueRef mark = declare(lower);
                LLVMBuilderRef builder = lower_builder_before(lower, at);
                LLVMBuildCall2(builder, LLVMGlobalGetValueType(mark), mark, NULL, 0, "");
                LLVMDisposeBuilder(builder);
            }
        }
    }
}

void simd_mark_in_step(struct lower_context *lower)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(lower->module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        mark_function(lower, function);
    }
}

void simd_unmark_in_step(const struct lower_context *lower, LLVMValueRef function)
{
    LLVMValueRef mark = LLVMGetNamedFunction(lower->module, mark_name);
    LLVMUseRef next;
    for (LLVMUseRef use = mark == NULL ? NULL : LLVMGetFirstUse(mark); use != NULL; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (function == NULL || lower_function_of(call) == function) {
            LLVMInstructionEraseFromParent(call);
        }
    }
    if (mark != NULL && function == NULL) {
        LLVMDeleteFunction(mark);
    }
}
