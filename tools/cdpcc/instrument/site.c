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
#include "instrument/kept_lines.h"
#include "ir/debug_info.h"
#include "ir/user_location.h"
#include "ir/value.h"
#include "support/str.h"

#include "abi/cdp_check.h"

#include <string.h>

/* An instruction without a line has the place from before the optimizer, or else that of what
 * follows it: a loop's first values have none. */
struct instrument_place instrument_place_of(struct lower_context *lower, LLVMValueRef at)
{
    if (at != NULL && LLVMGetDebugLocLine(at) == 0) {
        struct instrument_place kept = instrument_kept_line(lower, at);
        if (kept.file != NULL) {
            return kept;
        }
    }
    const char *call;
    return instrument_place_at(lower, lower_user_debug_location(lower, lower_with_line(at), &call));
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

enum { FIELD_FLAGS = 6 }; /* of struct cdp_abi_site, as image_of makes it */

static LLVMValueRef image_of(struct lower_context *lower, const struct instrument_place *place,
                             uint32_t flags, const char *variable)
{
    LLVMValueRef fields[] = {
        instrument_text(lower, place->file),
        instrument_text(lower, place->folder),
        instrument_text(lower, place->function),
        instrument_text(lower, variable),
        LLVMConstInt(lower->types.i32, place->line, 0),
        LLVMConstInt(lower->types.i32, place->column, 0),
        LLVMConstInt(lower->types.i32, flags, 0),
        LLVMConstInt(lower->types.i32, 0, 0),
    };
    return LLVMConstStructInContext(lower->llvm, fields, sizeof fields / sizeof *fields, 0);
}

uint32_t instrument_flags_of_site(LLVMValueRef site)
{
    LLVMValueRef flags = LLVMGetAggregateElement(LLVMGetInitializer(site), FIELD_FLAGS);
    return (uint32_t)LLVMConstIntGetZExtValue(flags);
}

LLVMValueRef instrument_site(struct lower_context *lower, LLVMValueRef at, uint32_t flags,
                             const char *variable)
{
    const struct instrument_place place = instrument_place_of(lower, at);
    const char *name =
        str_format("cdp.site.%u:%u.%x.%s.%s.%s", place.line, place.column, flags,
                   place.file == NULL ? "" : place.file,
                   place.function == NULL ? "" : place.function, variable == NULL ? "" : variable);
    LLVMValueRef site = LLVMGetNamedGlobal(lower->module, name);
    if (site != NULL) {
        return site;
    }
    LLVMValueRef image = image_of(lower, &place, flags, variable);
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
