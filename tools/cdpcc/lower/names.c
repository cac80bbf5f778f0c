/* NVRTC's name expressions. libnvrtc appends to the source, for the expression number 0:
 *
 *     extern "C" __attribute__((device)) const void *__cdp_name_0 = (const void *)&(k<int>);
 *
 * The variable makes the front end instantiate the template, and its value is the kernel or
 * variable. A line with the number and the symbol is written for each, and the variable is
 * removed. */
#include "ir/report.h"
#include "ir/value.h"
#include "lower/passes.h"
#include "support/str.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char prefix[] = "__cdp_name_";

/* The global of which a constant is the address; NULL if it is none. */
static LLVMValueRef global_of(LLVMValueRef value)
{
    while (value != NULL && LLVMIsAConstantExpr(value) != NULL) {
        value = LLVMGetOperand(value, 0);
    }
    return value != NULL && LLVMIsAGlobalValue(value) != NULL ? value : NULL;
}

/* An instance of a template that nothing in the unit uses is not discarded. */
static void keep(LLVMValueRef named)
{
    LLVMLinkage linkage = LLVMGetLinkage(named);
    if (linkage == LLVMLinkOnceODRLinkage || linkage == LLVMLinkOnceAnyLinkage) {
        LLVMSetLinkage(named, LLVMWeakODRLinkage);
    }
}

static void write_names(struct lower_context *lower, FILE *out)
{
    LLVMValueRef next;
    for (LLVMValueRef at = LLVMGetFirstGlobal(lower->module); at != NULL; at = next) {
        next = LLVMGetNextGlobal(at);
        if (!str_starts(lower_name(at), prefix)) {
            continue;
        }
        LLVMValueRef named = global_of(LLVMGetInitializer(at));
        if (named != NULL) {
            keep(named);
            fprintf(out, "%s %s\n", lower_name(at) + strlen(prefix), lower_name(named));
        }
        LLVMReplaceAllUsesWith(at, LLVMGetUndef(LLVMTypeOf(at)));
        LLVMDeleteGlobal(at);
    }
}

void lower_names(struct lower_context *lower)
{
    const char *path = lower->options->files.names;
    if (path == NULL) {
        return;
    }
    FILE *out = fopen(path, "w");
    if (out != NULL) {
        write_names(lower, out);
    }
    if (out == NULL || fclose(out) != 0) {
        lower_error(lower, NULL, "cannot write '%s': %s", path, strerror(errno));
    }
}
