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
 * "convergent" is in front of each access until the kernels are simplified.  It touches no memory
 * that the program knows. */
#include "simd/prepare/in_step.h"

#include "ir/value.h"
#include "simd/ir/memory.h"

static const char mark_name[] = "cdp.in.step";

static LLVMValueRef declare(struct lower_context *lower)
{
    LLVMTypeRef type = LLVMFunctionType(lower->types.none, NULL, 0, 0);
    LLVMValueRef mark = lower_runtime(lower, mark_name, type);
    lower_add_attribute(lower, mark, "willreturn");
    lower_add_memory_attribute(lower, mark, LOWER_INACCESSIBLE_READ_WRITE);
    return mark;
}

static void mark_function(struct lower_context *lower, LLVMValueRef function)
{
    struct lower_list accesses = lower_instructions(function, simd_is_volatile);
    for (size_t i = 0; i < accesses.count; i++) {
        LLVMValueRef mark = declare(lower);
        LLVMBuilderRef builder = lower_builder_before(lower, accesses.items[i]);
        LLVMBuildCall2(builder, LLVMGlobalGetValueType(mark), mark, NULL, 0, "");
        LLVMDisposeBuilder(builder);
    }
}

void simd_mark_in_step(struct lower_context *lower)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(lower->module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        mark_function(lower, function);
    }
}

void simd_unmark_in_step(const struct lower_context *lower)
{
    LLVMValueRef mark = LLVMGetNamedFunction(lower->module, mark_name);
    if (mark == NULL) {
        return;
    }
    LLVMUseRef use;
    while ((use = LLVMGetFirstUse(mark)) != NULL) {
        LLVMInstructionEraseFromParent(LLVMGetUser(use));
    }
    LLVMDeleteFunction(mark);
}
