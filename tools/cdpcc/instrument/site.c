/* Sites of accesses.
 *
 * Example: s[t] = 0 in line 8 of reverse.cu:
 *
 *     @"cdp.site.8:5.1.reverse.cu.reverse.s" = private externally_initialized global
 *         { @file, @folder, @function, @variable, i32 8, i32 5, i32 1, i32 0 }, section "cdp_sites"
 *
 * The name of the global is made of all its fields, so the module has each site once. The name does
 * not become a symbol, because the global is private. The runtime numbers the sites, so they are
 * "externally initialized" variables. */
#include "instrument/site.h"

#include "instrument/instrument_pass.h"
#include "ir/debug_info.h"
#include "ir/user_location.h"
#include "ir/value.h"
#include "support/str.h"

#include "abi/cdp_check.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* The fields of a site that are not its flags. Strings may be NULL. */
struct facts {
    const char *file, *folder, *function;
    unsigned line, column;
};

static struct facts facts_of(struct lower_context *lower, LLVMValueRef at)
{
    struct facts facts = {.file = NULL};
    const char *call;
    LLVMMetadataRef debug = lower_user_debug_location(lower, lower_with_line(at), &call);
    LLVMMetadataRef scope = debug == NULL ? NULL : LLVMDILocationGetScope(debug);
    LLVMMetadataRef file = scope == NULL ? NULL : LLVMDIScopeGetFile(scope);
    if (file == NULL) {
        return facts;
    }
    unsigned length = 0;
    const char *text = LLVMDIFileGetFilename(file, &length);
    facts.file = str_copy(text, length);
    text = LLVMDIFileGetDirectory(file, &length);
    facts.folder = text == NULL || length == 0 ? NULL : str_copy(text, length);
    facts.line = LLVMDILocationGetLine(debug);
    facts.column = LLVMDILocationGetColumn(debug);
    LLVMMetadataRef function = lower_function_at(lower, debug);
    facts.function = function == NULL ? NULL : lower_node_name(lower, function);
    return facts;
}

LLVMValueRef instrument_text(struct lower_context *lower, const char *text)
{
    if (text == NULL) {
        return LLVMConstNull(lower->types.ptr);
    }
    const char *name = str_format("cdp.text.%s", text);
    LLVMValueRef global = LLVMGetNamedGlobal(lower->module, name);
    if (global == NULL) {
        global = lower_string(lower, text);
        LLVMSetValueName2(global, name, strlen(name));
    }
    return global;
}

static LLVMValueRef image_of(struct lower_context *lower, const struct facts *facts, uint32_t flags,
                             const char *variable)
{
    LLVMValueRef fields[] = {
        instrument_text(lower, facts->file),
        instrument_text(lower, facts->folder),
        instrument_text(lower, facts->function),
        instrument_text(lower, variable),
        LLVMConstInt(lower->types.i32, facts->line, 0),
        LLVMConstInt(lower->types.i32, facts->column, 0),
        LLVMConstInt(lower->types.i32, flags, 0),
        LLVMConstInt(lower->types.i32, 0, 0),
    };
    return LLVMConstStructInContext(lower->llvm, fields, sizeof fields / sizeof *fields, 0);
}

LLVMValueRef instrument_site(struct lower_context *lower, LLVMValueRef at, uint32_t flags,
                             const char *variable)
{
    const struct facts facts = facts_of(lower, at);
    const char *name =
        str_format("cdp.site.%u:%u.%x.%s.%s.%s", facts.line, facts.column, flags,
                   facts.file == NULL ? "" : facts.file,
                   facts.function == NULL ? "" : facts.function, variable == NULL ? "" : variable);
    LLVMValueRef site = LLVMGetNamedGlobal(lower->module, name);
    if (site != NULL) {
        return site;
    }
    LLVMValueRef image = image_of(lower, &facts, flags, variable);
    site = LLVMAddGlobal(lower->module, LLVMTypeOf(image), name);
    LLVMSetInitializer(site, image);
    LLVMSetLinkage(site, LLVMPrivateLinkage);
    LLVMSetSection(site, "cdp_sites");
    LLVMSetAlignment(site, sizeof(void *));
    LLVMSetExternallyInitialized(site, 1);
    return site;
}

/* Stack slots are named "local variable 'x'" (backend/local_variables.c). */
const char *instrument_variable_name(struct lower_context *lower, LLVMValueRef variable)
{
    if (LLVMIsAGlobalVariable(variable) != NULL) {
        return lower_source_name(lower, variable);
    }
    const char *quote =
        LLVMIsAAllocaInst(variable) == NULL ? NULL : strchr(lower_name(variable), '\'');
    const char *end = quote == NULL ? NULL : strchr(quote + 1, '\'');
    return end == NULL ? NULL : str_copy(quote + 1, (size_t)(end - quote - 1));
}
