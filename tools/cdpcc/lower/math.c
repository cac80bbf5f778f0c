/* Mathematical functions that cdpcc implements itself (math/). Calls of them in device code, by the
 * C library's name or as an intrinsic, become calls of a function of the module, which is inlined
 * like the program's own functions. So both entries execute the same operations. A block entry
 * executes them as vectors, but a call of the C library lane by lane.
 *
 * They need fused multiply-add; other processors call the C library. Some functions only guard the
 * C library's functions; these are for all processors.
 *
 * Before and after:
 *
 *     %y = call float @expf(float %x)               %y = call float @cdp.math.expf(float %x)
 *     %z = call double @llvm.exp.f64(double %x)     %z = call double @cdp.math.exp(double %x)
 *
 * The library is bitcode that is a part of cdpcc. The pass loads it, renames the module's
 * declarations out of the way, links the library into the module, redirects the uses, and deletes
 * what nothing calls. The remaining functions are internal and alwaysinline.
 *
 * The pass runs before float, convert and shift. float treats the library's code like the
 * program's; convert and shift leave it alone (lower_math_is_own), because it is written for
 * LLVM's rules. */
#include "lower/math.h"

#include "ir/library.h"
#include "ir/value.h"
#include "lower/passes.h"
#include "math/math_library.h"
#include "support/str.h"
#include "target/processor.h"

#include <llvm-c/Linker.h>
#include <string.h>

static const char prefix[] = "cdp.math.", guard[] = "cdp.guard.";

bool lower_math_is_own(LLVMValueRef function)
{
    return str_starts(lower_name(function), prefix);
}

/* Functions that the pass has linked into the module. */
static bool is_of_library(LLVMValueRef function)
{
    return lower_math_is_own(function) || str_starts(lower_name(function), guard);
}

/* ---- sine and cosine at once ---- */

/* The optimizer merges the common parts again.
 *
 * llvm.sincos has two results. Here it becomes two intrinsics, which the library has. */
static void part_sine_from_cosine(struct lower_context *lower, LLVMValueRef at)
{
    LLVMValueRef callee = lower_callee(at);
    if (callee == NULL || (strcmp(lower_name(callee), "llvm.sincos.f32") != 0 &&
                           strcmp(lower_name(callee), "llvm.sincos.f64") != 0)) {
        return;
    }
    LLVMBuilderRef builder = lower_builder_before(lower, at);
    LLVMValueRef x = LLVMGetOperand(at, 0), pair = LLVMGetPoison(LLVMTypeOf(at));
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMValueRef sine = lower_intrinsic(lower, builder, "llvm.sin", &type, 1, &x, 1);
    LLVMValueRef cosine = lower_intrinsic(lower, builder, "llvm.cos", &type, 1, &x, 1);
    pair = LLVMBuildInsertValue(builder, pair, sine, 0, "");
    pair = LLVMBuildInsertValue(builder, pair, cosine, 1, "");
    LLVMDisposeBuilder(builder);
    LLVMReplaceAllUsesWith(at, pair);
    LLVMInstructionEraseFromParent(at);
}

/* ---- the library ---- */

/* "llvm.exp.f32" is expf, "llvm.exp.f64" is exp; other names do not change.
 *
 * "" for an intrinsic of another type, such as a vector or half. */
static const char *library_name(const char *name)
{
    if (!str_starts(name, "llvm.")) {
        return str_format("%s%s", prefix, name);
    }
    const char *base = name + 5, *type = strchr(base, '.');
    if (type == NULL || (strcmp(type, ".f32") != 0 && strcmp(type, ".f64") != 0)) {
        return "";
    }
    return str_format("%s%.*s%s", prefix, (int)(type - base), base, type[2] == '3' ? "f" : "");
}

/* The library's function that replaces the module's function; NULL if there is none.
 *
 * First the library's version, which needs fused multiply-add, then a guard of the C library's
 * function. A program may declare a function of such a name with another type: then it is not
 * replaced. */
static LLVMValueRef find_own(LLVMModuleRef library, LLVMValueRef function, bool has_fma)
{
    const char *name = lower_name(function);
    LLVMValueRef own = has_fma ? LLVMGetNamedFunction(library, library_name(name)) : NULL;
    if (own == NULL) {
        own = LLVMGetNamedFunction(library, str_format("%s%s", guard, name));
    }
    bool is_same = own != NULL && LLVMGlobalGetValueType(own) == LLVMGlobalGetValueType(function);
    return is_same ? own : NULL;
}

/* A function of the module that is replaced by one of the library's. */
struct replaced {
    LLVMValueRef function;
    const char *name;
};

/* The names are copied, because linking destroys the library's module. */
static size_t find_replaced(const struct lower_context *lower, LLVMModuleRef library,
                            struct replaced **out)
{
    bool has_fma = target_has_fma(&lower->options->target);
    size_t count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f != NULL;
         f = LLVMGetNextFunction(f)) {
        LLVMValueRef own = LLVMIsDeclaration(f) && LLVMGetFirstUse(f) != NULL
                               ? find_own(library, f, has_fma)
                               : NULL;
        if (own != NULL) {
            struct replaced replaced = {f, str_format("%s", lower_name(own))};
            LOWER_PUSH(*out, count, replaced);
        }
    }
    return count;
}

/* Removes the functions that the program does not call, callers before callees. */
static void keep_what_is_used(struct lower_context *lower)
{
    LLVMValueRef before;
    for (LLVMValueRef f = LLVMGetLastFunction(lower->module); f != NULL; f = before) {
        before = LLVMGetPreviousFunction(f);
        if (!is_of_library(f)) {
            continue;
        }
        if (LLVMGetFirstUse(f) == NULL) {
            LLVMDeleteFunction(f);
            continue;
        }
        LLVMSetLinkage(f, LLVMInternalLinkage);
        lower_add_attribute(lower, f, "alwaysinline");
    }
}

void lower_math(struct lower_context *lower)
{
    LLVMModuleRef library = lower_load_library(lower, cdp_math_library, cdp_math_library_end);
    if (library == NULL) {
        return;
    }
    if (target_has_fma(&lower->options->target)) {
        lower_each_instruction(lower, part_sine_from_cosine);
    }
    struct replaced *replaced = NULL;
    size_t count = find_replaced(lower, library, &replaced);
    for (size_t i = 0; i < count; i++) {
        /* On rare paths the library calls the C library's functions by their names. */
        LLVMSetValueName2(replaced[i].function, "", 0);
    }
    if (count == 0) {
        LLVMDisposeModule(library);
        return;
    }
    (void)LLVMLinkModules2(lower->module, library);
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef own = LLVMGetNamedFunction(lower->module, replaced[i].name);
        LLVMReplaceAllUsesWith(replaced[i].function, own);
        LLVMDeleteFunction(replaced[i].function);
    }
    keep_what_is_used(lower);
}
