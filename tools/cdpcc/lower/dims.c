/* The sizes of launches by device code, on ARM.
 *
 * A dim3 is passed in two registers. For x86-64 the front end writes two numbers, for ARM an array
 * of two, which block entries do not support. Two numbers use the same registers, because there are
 * enough registers for all arguments of these functions.
 *
 * In C, with dim3 as { unsigned x, y, z }:
 *
 *     cudaError_t cudaLaunchDevice(void *kernel, void *params, dim3 grid, dim3 block, ...);
 *
 * Before and after, on AArch64:
 *
 *     call i32 @cudaLaunchDevice(ptr, ptr, [2 x i64] %grid, [2 x i64] %block, ...)
 *     call i32 @cudaLaunchDevice(ptr, ptr, i64 %g0, i64 %g1, i64 %b0, i64 %b1, ...)
 *
 * On x86-64 no parameter is an array, and the pass changes nothing. */
#include "ir/value.h"
#include "lower/passes.h"
#include "support/str.h"

enum { MOST_ARGUMENTS = 8, WORD_BYTES = 8 };

static const char *const names[] = {"cudaLaunchDevice", "cudaGetParameterBufferV2"};

static bool is_pair(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

/* One half of a pair. If the pair is loaded from memory, only this half is loaded. */
static LLVMValueRef half_of(struct lower_context *lower, LLVMValueRef call, LLVMValueRef pair,
                            unsigned half)
{
    bool is_load = LLVMIsALoadInst(pair) != NULL;
    LLVMBuilderRef builder = lower_builder_before(lower, is_load ? pair : call);
    LLVMValueRef value;
    if (is_load) {
        LLVMValueRef address =
            lower_field(lower, builder, LLVMGetOperand(pair, 0), (uint64_t)half * WORD_BYTES, "");
        value = LLVMBuildLoad2(builder, lower->types.i64, address, "");
    } else {
        value = LLVMBuildExtractValue(builder, pair, half, "");
    }
    LLVMDisposeBuilder(builder);
    return value;
}

/* The new type of the function.
 *
 * Each array becomes two i64. The caller has tested that there are at most MOST_ARGUMENTS
 * parameters. */
static LLVMTypeRef flat_type(struct lower_context *lower, LLVMTypeRef type)
{
    LLVMTypeRef given[MOST_ARGUMENTS], flat[2 * MOST_ARGUMENTS];
    unsigned count = 0;
    LLVMGetParamTypes(type, given);
    for (unsigned i = 0; i < LLVMCountParamTypes(type); i++) {
        bool is_array = is_pair(given[i]);
        flat[count++] = is_array ? lower->types.i64 : given[i];
        if (is_array) {
            flat[count++] = lower->types.i64;
        }
    }
    return LLVMFunctionType(LLVMGetReturnType(type), flat, count, 0);
}

/* Replaces one call by a call of the flat function. */
static void flatten(struct lower_context *lower, LLVMValueRef call, LLVMValueRef function)
{
    LLVMValueRef flat[2 * MOST_ARGUMENTS];
    unsigned count = 0;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (!is_pair(LLVMTypeOf(argument))) {
            flat[count++] = argument;
            continue;
        }
        flat[count++] = half_of(lower, call, argument, 0);
        flat[count++] = half_of(lower, call, argument, 1);
    }
    LLVMBuilderRef builder = lower_builder_before(lower, call);
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    LLVMValueRef same = LLVMBuildCall2(builder, type, function, flat, count, "");
    LLVMDisposeBuilder(builder);
    LLVMReplaceAllUsesWith(call, same);
    LLVMInstructionEraseFromParent(call);
}

/* Whether the front end passes some argument as an array of two words. */
static bool takes_pairs(LLVMTypeRef type)
{
    LLVMTypeRef given[MOST_ARGUMENTS];
    bool found = false;
    if (LLVMCountParamTypes(type) > MOST_ARGUMENTS) {
        return false;
    }
    LLVMGetParamTypes(type, given);
    for (unsigned i = 0; i < LLVMCountParamTypes(type); i++) {
        found |= is_pair(given[i]);
    }
    return found;
}

/* Uses other than calls, for example its address, do not change. */
static void flatten_function(struct lower_context *lower, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(lower->module, name);
    if (function == NULL || !takes_pairs(LLVMGlobalGetValueType(function))) {
        return;
    }
    size_t count;
    struct lower_use *uses = lower_uses(function, &count);
    LLVMTypeRef type = flat_type(lower, LLVMGlobalGetValueType(function));
    LLVMSetValueName2(function, "", 0);
    LLVMValueRef flat = lower_runtime(lower, name, type);
    for (size_t i = 0; i < count; i++) {
        if (lower_callee(uses[i].user) == function) {
            flatten(lower, uses[i].user, flat);
        }
    }
    LLVMReplaceAllUsesWith(function, flat);
    LLVMDeleteFunction(function);
}

void lower_dims(struct lower_context *lower)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        flatten_function(lower, names[i]);
    }
}
