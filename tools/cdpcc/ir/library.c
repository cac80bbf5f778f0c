/* Loads bitcode that is a part of cdpcc, and links it into the program's module. */
#include "ir/library.h"

#include "ir/value.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Linker.h>
#include <string.h>

/* Marks the library's functions after linking. */
static const char mark[] = "cdp-library";

static const LLVMAttributeIndex function_index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

/* The library's code is for no machine in particular; its attributes name the target of this
 * module. */
static void make_foreign(const struct lower_context *lower, LLVMModuleRef library)
{
    static const char *const words[] = {"target-cpu", "target-features", "tune-cpu",
                                        "min-legal-vector-width"};
    LLVMSetTarget(library, LLVMGetTarget(lower->module));
    LLVMSetModuleDataLayout(library, LLVMGetModuleDataLayout(lower->module));
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f != NULL; f = LLVMGetNextFunction(f)) {
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            LLVMRemoveStringAttributeAtIndex(f, function_index, words[i],
                                             (unsigned)strlen(words[i]));
        }
    }
}

LLVMModuleRef lower_load_library(const struct lower_context *lower, const unsigned char *bytes,
                                 const unsigned char *end)
{
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
        (const char *)bytes, (size_t)(end - bytes), "library", 0);
    LLVMModuleRef library = NULL;
    bool failed = LLVMParseBitcodeInContext2(lower->llvm, buffer, &library) != 0;
    LLVMDisposeMemoryBuffer(buffer);
    if (failed) {
        return NULL;
    }
    if (lower->options->target.triple != NULL) {
        make_foreign(lower, library);
    }
    return library;
}

static bool starts_with(LLVMValueRef function, const char *prefix)
{
    return strncmp(lower_name(function), prefix, strlen(prefix)) == 0;
}

/* Functions of headers must not be merged with the program's own. The annotations of the headers
 * were for passes that are over. */
static void prepare(const struct lower_context *lower, LLVMModuleRef library, const char *prefix)
{
    LLVMValueRef annotations = LLVMGetNamedGlobal(library, "llvm.global.annotations");
    if (annotations != NULL) {
        LLVMDeleteGlobal(annotations);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f != NULL; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) {
            continue;
        }
        LLVMSetComdat(f, NULL);
        LLVMSetLinkage(f, starts_with(f, prefix) ? LLVMExternalLinkage : LLVMInternalLinkage);
        LLVMAddAttributeAtIndex(
            f, function_index,
            LLVMCreateStringAttribute(lower->llvm, mark, sizeof mark - 1, "", 0));
    }
}

static bool is_marked(LLVMValueRef function)
{
    return !LLVMIsDeclaration(function) &&
           LLVMGetStringAttributeAtIndex(function, function_index, mark, sizeof mark - 1) != NULL;
}

/* Deletes functions until each has a use. */
static void delete_unused(LLVMModuleRef module)
{
    bool deleted = true;
    while (deleted) {
        deleted = false;
        LLVMValueRef before;
        for (LLVMValueRef f = LLVMGetLastFunction(module); f != NULL; f = before) {
            before = LLVMGetPreviousFunction(f);
            if (is_marked(f) && LLVMGetFirstUse(f) == NULL) {
                LLVMDeleteFunction(f);
                deleted = true;
            }
        }
    }
}

void lower_link_library(struct lower_context *lower, LLVMModuleRef library, const char *prefix)
{
    prepare(lower, library, prefix);
    (void)LLVMLinkModules2(lower->module, library);
    delete_unused(lower->module);
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f != NULL;
         f = LLVMGetNextFunction(f)) {
        if (is_marked(f)) {
            LLVMSetLinkage(f, LLVMInternalLinkage);
            lower_add_attribute(lower, f, "alwaysinline");
        }
    }
}
