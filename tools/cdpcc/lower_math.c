/* Mathematical functions that cdpcc has of its own (math/): what device code calls of them,
 * by the C library's name or as an intrinsic, becomes a function of the module, which is
 * inlined like the program's own.  Both entries then run the same operations, and a block entry
 * runs them as vectors, where a call of the C library goes lane by lane.
 *
 * They need fused multiply-add; for processors without it the C library is left. */
#include "lower_pass.h"

#include "block/block.h"
#include "math/math_library.h"
#include "str.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

static const char prefix[] = "cdp.math.";

bool lower_math_is_own(LLVMValueRef function)
{
    return str_starts(lower_name(function), prefix);
}

/* ---- sine and cosine at once ---- */

/* What they have in common is found again by the optimizer. */
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

static LLVMModuleRef load_library(const struct lower_context *lower)
{
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
        (const char *)cdp_math_library, (size_t)(cdp_math_library_end - cdp_math_library), "math",
        0);
    LLVMModuleRef library = NULL;
    bool failed = LLVMParseBitcodeInContext2(lower->llvm, buffer, &library) != 0;
    LLVMDisposeMemoryBuffer(buffer);
    return failed ? NULL : library;
}

/* "llvm.exp.f32" is expf, "llvm.exp.f64" exp; others are themselves. */
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

/* A function of the module that stands for one of the library's. */
struct replaced {
    LLVMValueRef function;
    const char *name;
};

static size_t find_replaced(const struct lower_context *lower, LLVMModuleRef library,
                            struct replaced **out)
{
    size_t count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f != NULL;
         f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f) != NULL) {
            struct replaced replaced = {f, library_name(lower_name(f))};
            LLVMValueRef own = LLVMGetNamedFunction(library, replaced.name);
            if (own != NULL && LLVMGlobalGetValueType(own) == LLVMGlobalGetValueType(f)) {
                LOWER_PUSH(*out, count, replaced);
            }
        }
    }
    return count;
}

/* What the program does not call goes again, callers before what they call. */
static void keep_what_is_used(struct lower_context *lower)
{
    LLVMValueRef before;
    for (LLVMValueRef f = LLVMGetLastFunction(lower->module); f != NULL; f = before) {
        before = LLVMGetPreviousFunction(f);
        if (!lower_math_is_own(f)) {
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

/* Every 64-bit ARM has it. */
static bool is_fused(const struct lower_context *lower)
{
    return str_starts(LLVMGetTarget(lower->module), "aarch64") || block_has_fma(lower->options);
}

void lower_math(struct lower_context *lower)
{
    LLVMModuleRef library = is_fused(lower) ? load_library(lower) : NULL;
    if (library == NULL) {
        return;
    }
    lower_each_instruction(lower, part_sine_from_cosine);
    struct replaced *replaced = NULL;
    size_t count = find_replaced(lower, library, &replaced);
    for (size_t i = 0; i < count; i++) {
        /* The library's rare paths call the C library's by their names. */
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
