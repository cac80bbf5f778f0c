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
#include "target.h"

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

/* ---- exponents ---- */

/* Of zero and of a NaN it is the least number, where ARM's C library has others. */
static void guard_exponent(struct lower_context *lower, LLVMValueRef at)
{
    LLVMValueRef callee = lower_callee(at);
    if (callee == NULL ||
        (strcmp(lower_name(callee), "ilogb") != 0 && strcmp(lower_name(callee), "ilogbf") != 0)) {
        return;
    }
    size_t count;
    struct lower_use *uses = lower_uses(at, &count);
    LLVMBuilderRef builder = lower_builder_before(lower, LLVMGetNextInstruction(at));
    LLVMValueRef x = LLVMGetOperand(at, 0), least = LLVMConstInt(lower->i32, 1u << 31, 0);
    LLVMValueRef is_odd = LLVMBuildFCmp(builder, LLVMRealUEQ, x, LLVMConstNull(LLVMTypeOf(x)), "");
    LLVMValueRef exponent = LLVMBuildSelect(builder, is_odd, least, at, "");
    LLVMDisposeBuilder(builder);
    for (size_t i = 0; i < count; i++) {
        LLVMSetOperand(uses[i].user, uses[i].operand, exponent);
    }
}

/* ---- the library ---- */

/* Its code is for no machine in particular, but says that it is for this one. */
static void make_foreign(const struct lower_context *lower, LLVMModuleRef library)
{
    static const char *const words[] = {"target-cpu", "target-features", "tune-cpu",
                                        "min-legal-vector-width"};
    LLVMSetTarget(library, LLVMGetTarget(lower->module));
    LLVMSetModuleDataLayout(library, LLVMGetModuleDataLayout(lower->module));
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f != NULL; f = LLVMGetNextFunction(f)) {
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            LLVMRemoveStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                             words[i], (unsigned)strlen(words[i]));
        }
    }
}

static LLVMModuleRef load_library(const struct lower_context *lower)
{
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
        (const char *)cdp_math_library, (size_t)(cdp_math_library_end - cdp_math_library), "math",
        0);
    LLVMModuleRef library = NULL;
    bool failed = LLVMParseBitcodeInContext2(lower->llvm, buffer, &library) != 0;
    LLVMDisposeMemoryBuffer(buffer);
    if (failed) {
        return NULL;
    }
    if (lower->options->target != NULL) {
        make_foreign(lower, library);
    }
    return library;
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

void lower_math(struct lower_context *lower)
{
    if (target_is_arm(lower->options->target)) {
        lower_each_instruction(lower, guard_exponent);
    }
    LLVMModuleRef library = block_has_fma(lower->options) ? load_library(lower) : NULL;
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
