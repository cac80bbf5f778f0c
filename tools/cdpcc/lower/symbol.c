/* Names: device code must not conflict with the host code of the same unit, which defines the same
 * inline functions, templates and variable names.
 *
 * Everything that a device module defines gets the suffix ".cdp". So does everything undefined that
 * other units' device code defines. Calls of the runtime get the runtime's names (cdp_abi.def). The
 * C library's names do not change. COMDAT groups are renamed with their symbols. Otherwise the
 * host's group of the same name would be kept and the device's body be dropped. Debug information
 * keeps the source's names.
 *
 * Examples, for one unit compiled for both sides:
 *
 *     name in the module       after the pass
 *     _Z1fv, defined           _Z1fv.cdp            the host has its own _Z1fv
 *     _Z1gv, declared          _Z1gv.cdp            another unit's device code defines it
 *     __cdp_shfl32             cdp_abi_shfl32       by cdp_abi.def
 *     memcpy, sinf             the same             by keep.def
 *     _Z1kv.cdpk, cdp....      the same             created by cdpcc
 *     a managed variable       the same             the host's code refers to it
 *
 * The pass runs after all passes that look for functions by the front end's names. The passes
 * after it see the names of the runtime. */
#include "lower/symbol.h"

#include "ir/value.h"
#include "lower/passes.h"
#include "support/str.h"

#include <llvm-c/Comdat.h>
#include <string.h>

static const struct {
    const char *name, *runtime;
} runtime_names[] = {
#define CDP_ABI(name, runtime) {#name, #runtime},
#include "abi/cdp_abi.def"
#undef CDP_ABI
};

/* Names of the C library that device code may call. KEPT_MATH also matches the name with "f", "l",
 * "_r" or "f_r" at its end. */
static const struct kept {
    const char *name;
    enum { KEPT_WHOLE, KEPT_PREFIX, KEPT_MATH } kind;
} kept_names[] = {
#define KEEP(name) {#name, KEPT_WHOLE},
#define KEEP_PREFIX(prefix) {#prefix, KEPT_PREFIX},
#define KEEP_MATH(name) {#name, KEPT_MATH},
#include "lower/keep.def"
#undef KEEP
#undef KEEP_PREFIX
#undef KEEP_MATH
};

/* NULL if the runtime has no function of that name. */
static const char *runtime_name(const char *name)
{
    for (size_t i = 0; i < sizeof runtime_names / sizeof *runtime_names; i++) {
        if (strcmp(name, runtime_names[i].name) == 0) {
            return runtime_names[i].runtime;
        }
    }
    return NULL;
}

static bool matches(const struct kept *kept, const char *name)
{
    size_t length = strlen(kept->name);
    if (strncmp(name, kept->name, length) != 0) {
        return false;
    }
    const char *rest = name + length;
    switch (kept->kind) {
    case KEPT_WHOLE:
        return *rest == '\0';
    case KEPT_MATH:
        return *rest == '\0' || strcmp(rest, "f") == 0 || strcmp(rest, "l") == 0 ||
               strcmp(rest, "_r") == 0 || strcmp(rest, "f_r") == 0;
    case KEPT_PREFIX:
        return true;
    }
    return false;
}

static bool is_kept(const char *name)
{
    for (size_t i = 0; i < sizeof kept_names / sizeof *kept_names; i++) {
        if (matches(&kept_names[i], name)) {
            return true;
        }
    }
    return false;
}

bool lower_symbol_is_kept(LLVMValueRef function)
{
    return runtime_name(lower_name(function)) != NULL || is_kept(lower_name(function));
}

/* A __device__ variable may have the name of a C library's variable. Its annotation tells them
 * apart. */
static bool is_annotated_device(const struct lower_context *lower, LLVMValueRef value)
{
    for (size_t i = 0; i < lower->device.count; i++) {
        if (lower->device.items[i] == value) {
            return true;
        }
    }
    return false;
}

static bool is_managed(const struct lower_context *lower, LLVMValueRef value)
{
    for (size_t i = 0; i < lower->managed.count; i++) {
        if (lower->managed.items[i] == value) {
            return true;
        }
    }
    return false;
}

/* The name after lowering, or NULL to keep it. */
static const char *new_name(const struct lower_context *lower, LLVMValueRef value)
{
    const char *name = lower_name(value);
    LLVMLinkage linkage = LLVMGetLinkage(value);
    bool is_own = strncmp(name, "cdp.", 4) == 0 || strncmp(name, "cdp_abi_", 8) == 0 ||
                  strncmp(name, "llvm.", 5) == 0 || str_ends(name, ".cdpk");
    /* AddressSanitizer gives private variables symbols, and the runtime tells by these whose they
     * are. */
    bool is_private = linkage == LLVMPrivateLinkage && LLVMIsAFunction(value) != NULL;
    if (is_own || is_private || is_managed(lower, value)) {
        return NULL;
    }
    if (LLVMIsDeclaration(value)) {
        const char *runtime = runtime_name(name);
        if (runtime != NULL) {
            return runtime;
        }
        if (is_kept(name) &&
            !(LLVMIsAFunction(value) == NULL && is_annotated_device(lower, value))) {
            return NULL;
        }
    }
    return str_format("%s.cdp", name);
}

/* A COMDAT group has the name of its main symbol. */
static void rename_group(struct lower_context *lower, LLVMValueRef value, const char *name)
{
    /* An alias is where its function is. */
    LLVMComdatRef group = LLVMIsAGlobalAlias(value) != NULL ? NULL : LLVMGetComdat(value);
    if (group == NULL) {
        return;
    }
    LLVMComdatRef renamed = LLVMGetOrInsertComdat(lower->module, name);
    LLVMSetComdatSelectionKind(renamed, LLVMGetComdatSelectionKind(group));
    LLVMSetComdat(value, renamed);
}

/* A call of the runtime must return to its own position: reports name the line to which it returns.
 * For a tail call that is its caller's line, and for a merged call it is wrong. */
static void keep_calls_apart(struct lower_context *lower, LLVMValueRef function)
{
    lower_add_attribute(lower, function, "nomerge");
    for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) != NULL) {
            LLVMSetTailCallKind(user, LLVMTailCallKindNoTail);
        }
    }
}

/* A runtime function may already be declared under its final name. */
static void rename_value(struct lower_context *lower, LLVMValueRef value)
{
    const char *name = new_name(lower, value);
    if (name == NULL) {
        return;
    }
    LLVMValueRef present = LLVMGetNamedFunction(lower->module, name);
    if (present != NULL && LLVMIsDeclaration(value) && LLVMIsAFunction(value) != NULL) {
        LLVMReplaceAllUsesWith(value, present);
        LLVMDeleteFunction(value);
        return;
    }
    LLVMSetValueName2(value, name, strlen(name));
    if (LLVMIsDeclaration(value)) {
        if (strncmp(name, "cdp_abi_", 8) == 0) {
            lower_add_attribute(lower, value, "convergent");
        }
        return;
    }
    rename_group(lower, value, name);
}

/* Calls of the runtime must return. From the return address it gets the line where a thread waits
 * or launches. */
static void keep_return_addresses(LLVMValueRef function)
{
    if (strncmp(lower_name(function), "cdp_abi_", 8) != 0) {
        return;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (LLVMIsACallInst(call) != NULL && LLVMGetCalledValue(call) == function) {
            LLVMSetTailCallKind(call, LLVMTailCallKindNoTail);
        }
    }
}

/* Functions, variables and aliases; then the calls of the runtime are marked. */
void lower_symbol(struct lower_context *lower)
{
    LLVMValueRef next;
    for (LLVMValueRef at = LLVMGetFirstFunction(lower->module); at != NULL; at = next) {
        next = LLVMGetNextFunction(at);
        rename_value(lower, at);
    }
    for (LLVMValueRef at = LLVMGetFirstFunction(lower->module); at != NULL;
         at = LLVMGetNextFunction(at)) {
        if (LLVMIsDeclaration(at) && strncmp(lower_name(at), "cdp_abi_", 8) == 0) {
            keep_calls_apart(lower, at);
        }
    }
    for (LLVMValueRef at = LLVMGetFirstGlobal(lower->module); at != NULL;
         at = LLVMGetNextGlobal(at)) {
        rename_value(lower, at);
    }
    for (LLVMValueRef at = LLVMGetFirstGlobalAlias(lower->module); at != NULL;
         at = LLVMGetNextGlobalAlias(at)) {
        rename_value(lower, at);
    }
    for (LLVMValueRef at = LLVMGetFirstFunction(lower->module); at != NULL;
         at = LLVMGetNextFunction(at)) {
        keep_return_addresses(at);
    }
}
