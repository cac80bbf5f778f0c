/* Attributes of every function for the code generator: the processor that the user chose instead of
 * the front end's baseline, and a probe of each stack page. With the probe a large frame hits the
 * guard of its fiber's stack instead of the next stack.
 *
 * On x86 only block entries use AVX-512. valgrind does not support it, and runs thread entries.
 *
 * The attributes of a thread entry after the pass, for -march=native on a processor with AVX-512:
 *
 *     "target-cpu"="sapphirerapids"   "target-features"="+avx512f,...,-avx512f"
 *     "probe-stack"="inline-asm"
 *
 * The last mention of a feature counts. This is the last pass of the lowering, so that functions
 * that other passes created have the attributes, too. */
#include "lower/passes.h"
#include "support/str.h"
#include "target/processor.h"

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

/* The vectorizer gives its functions, and only these, the attribute "prefer-vector-width". */
static bool is_block_entry(LLVMValueRef function)
{
    static const char name[] = "prefer-vector-width";
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    return LLVMGetStringAttributeAtIndex(function, index, name, sizeof name - 1) != NULL;
}

/* The features that the front end wrote, for example for -march=armv8.2-a, are in all functions of
 * the source. */
static const char *features_of_source(struct lower_context *lower)
{
    static const char name[] = "target-features";
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    for (LLVMValueRef function = LLVMGetFirstFunction(lower->module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        LLVMAttributeRef found =
            LLVMGetStringAttributeAtIndex(function, index, name, sizeof name - 1);
        if (found != NULL && !LLVMIsDeclaration(function)) {
            unsigned length;
            const char *text = LLVMGetStringAttributeValue(found, &length);
            return str_copy(text, length);
        }
    }
    return "";
}

void lower_target(struct lower_context *lower)
{
    const char *cpu = target_cpu(&lower->options->target);
    const char *features = target_is_architecture(&lower->options->target)
                               ? features_of_source(lower)
                               : target_features(&lower->options->target);
    bool is_x86 = str_starts(LLVMGetTarget(lower->module), "x86_64");
    const char *narrow =
        is_x86 ? str_format("%s%s-avx512f", features, *features != 0 ? "," : "") : features;
    for (LLVMValueRef function = LLVMGetFirstFunction(lower->module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (LLVMIsDeclaration(function)) {
            continue;
        }
        set_string(lower, function, "target-cpu", cpu);
        set_string(lower, function, "target-features",
                   is_block_entry(function) ? features : narrow);
        drop_string(function, "tune-cpu");
        set_string(lower, function, "probe-stack", "inline-asm");
    }
}
