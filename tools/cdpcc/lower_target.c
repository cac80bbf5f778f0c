/* What every function must say to the code generator: the processor the user asked
 * for instead of the front end's baseline, and a probe of each stack page, so that
 * a large frame hits the guard of its fiber's stack instead of the next stack. */
#include "lower_pass.h"

#include "emit.h"

#include <string.h>

static void set_string(struct lower_context *lower, LLVMValueRef function, const char *name,
                       const char *value)
{
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(
        lower->llvm, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

static void drop_string(LLVMValueRef function, const char *name)
{
    LLVMRemoveStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name,
                                     (unsigned)strlen(name));
}

void lower_target(struct lower_context *lower)
{
    const char *cpu = emit_cpu(lower->options);
    const char *features = emit_features(lower->options);
    for (LLVMValueRef function = LLVMGetFirstFunction(lower->module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (LLVMIsDeclaration(function)) {
            continue;
        }
        set_string(lower, function, "target-cpu", cpu);
        set_string(lower, function, "target-features", features);
        drop_string(function, "tune-cpu");
        set_string(lower, function, "probe-stack", "inline-asm");
    }
}
