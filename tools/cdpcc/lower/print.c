/* printf in device code: passes the number of arguments to the runtime. The runtime cannot find it
 * out by itself, and must not read an argument that a conversion lacks.
 *
 * Before and after, for printf("%d %f\n", i, x):
 *
 *     %r = call i32 (ptr, ...) @printf(ptr @format, i32 %i, double %x)
 *     %r = call i32 (i32, ptr, ...) @__cdp_printf(i32 2, ptr @format, i32 %i, double %x)
 *
 * A function named printf that the program defines is left alone. */
#include "ir/value.h"
#include "lower/passes.h"
#include "support/arena.h"

#include <string.h>

/* Arguments that are structures are passed as the call's attributes say.
 *
 * LLVM counts attributes of arguments from 1. The new call has one more argument before them. */
static void copy_attributes(LLVMValueRef from, LLVMValueRef to, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned found = LLVMGetCallSiteAttributeCount(from, i + 1);
        LLVMAttributeRef *attributes = arena_alloc((found + 1) * sizeof(LLVMAttributeRef));
        LLVMGetCallSiteAttributes(from, i + 1, attributes);
        for (unsigned j = 0; j < found; j++) {
            LLVMAddCallSiteAttribute(to, i + 2, attributes[j]);
        }
    }
}

static void count_arguments(struct lower_context *lower, LLVMValueRef call)
{
    LLVMTypeRef given[] = {lower->types.i32, lower->types.ptr};
    LLVMTypeRef type = LLVMFunctionType(lower->types.i32, given, 2, 1);
    LLVMValueRef function = lower_runtime(lower, "__cdp_printf", type);
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMValueRef *arguments = arena_alloc((count + 1) * sizeof(LLVMValueRef));
    arguments[0] = LLVMConstInt(lower->types.i32, count - 1, 0);
    for (unsigned i = 0; i < count; i++) {
        arguments[i + 1] = LLVMGetArgOperand(call, i);
    }
    LLVMBuilderRef builder = lower_builder_before(lower, call);
    LLVMValueRef made = LLVMBuildCall2(builder, type, function, arguments, count + 1, "");
    copy_attributes(call, made, count);
    LLVMDisposeBuilder(builder);
    LLVMReplaceAllUsesWith(call, made);
    LLVMInstructionEraseFromParent(call);
}

static void visit(struct lower_context *lower, LLVMValueRef at)
{
    LLVMValueRef callee = LLVMIsACallInst(at) != NULL ? lower_callee(at) : NULL;
    if (callee != NULL && LLVMIsDeclaration(callee) && strcmp(lower_name(callee), "printf") == 0 &&
        LLVMGetNumArgOperands(at) > 0) {
        count_arguments(lower, at);
    }
}

void lower_print(struct lower_context *lower)
{
    lower_each_instruction(lower, visit);
}
