/* Calls with operands or results that vectors do not hold: the ABI passes float2 as <2 x float>,
 * and returns a structure of two doubles as one value with two fields.
 *
 * The call becomes one of a function that joins the scalars, makes the original call, and stores
 * the scalars of its result:
 *
 *     %r = call <2 x float> @f(<2 x float> %a, i32 %n)
 *
 *     %x = extractelement %a, 0                      define void @split(x, y, n, results)
 *     %y = extractelement %a, 1                        %a = the vector of x and y
 *     call void @split(%x, %y, %n, %results)           %r = call @f(%a, n)
 *     %r = the vector of the loaded results            store its elements to results
 *
 * In a block entry the function is called for one lane after the other, and each lane has its own
 * results. Thread entries inline it, and nothing is left of it. */
#include "simd/prepare/split_calls.h"

#include "ir/value.h"
#include "simd/ir/calls.h"
#include "simd/ir/element_type.h"
#include "support/str.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { MOST_BITS = 64, MOST_SCALARS = 16 };

static bool is_wide(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > MOST_BITS;
}

static bool has_fields(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

static unsigned field_count(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMArrayTypeKind ? (unsigned)LLVMGetArrayLength2(type)
                                                      : LLVMCountStructElementTypes(type);
}

static LLVMTypeRef field_type(LLVMTypeRef type, unsigned i)
{
    return LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetElementType(type)
                                                      : LLVMStructGetTypeAtIndex(type, i);
}

/* The number of its scalars, at any depth. More than MOST_SCALARS: it cannot be split. */
static unsigned count_scalars(LLVMTypeRef type) /* NOLINT(misc-no-recursion) */
{
    enum { NEVER = MOST_SCALARS + 1 };
    if (simd_is_element_type(type)) {
        return 1;
    }
    if (is_wide(type)) {
        return (LLVMGetIntTypeWidth(type) + MOST_BITS - 1) / MOST_BITS;
    }
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        return simd_is_element_type(LLVMGetElementType(type)) ? LLVMGetVectorSize(type) : NEVER;
    }
    unsigned sum = 0, count = has_fields(type) ? field_count(type) : NEVER;
    for (unsigned i = 0; i < count && count < NEVER; i++) {
        sum += count_scalars(field_type(type, i));
    }
    return count < NEVER ? sum : NEVER;
}

/* Scalars in the order in which they are passed. */
struct scalars {
    LLVMBuilderRef builder;
    struct lower_context *lower;
    LLVMValueRef items[(MOST_SCALARS + 1) * MOST_SCALARS];
    unsigned count; /* collected, or taken */
};

static void take_wide_apart(struct scalars *to, LLVMValueRef value)
{
    LLVMBuilderRef b = to->builder;
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    for (unsigned bit = 0; bit < width; bit += MOST_BITS) {
        unsigned bits = width - bit < MOST_BITS ? width - bit : MOST_BITS;
        LLVMValueRef by = LLVMConstInt(LLVMTypeOf(value), bit, 0);
        LLVMTypeRef type = LLVMIntTypeInContext(to->lower->llvm, bits);
        to->items[to->count++] = LLVMBuildTrunc(b, LLVMBuildLShr(b, value, by, ""), type, "");
    }
}

/* Appends the value's scalars. */
static void take_apart(struct scalars *to, LLVMValueRef value) /* NOLINT(misc-no-recursion) */
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (simd_is_element_type(type)) {
        to->items[to->count++] = value;
    } else if (is_wide(type)) {
        take_wide_apart(to, value);
    } else if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
            LLVMValueRef index = LLVMConstInt(to->lower->types.i32, i, 0);
            to->items[to->count++] = LLVMBuildExtractElement(to->builder, value, index, "");
        }
    } else {
        for (unsigned i = 0; i < field_count(type); i++) {
            take_apart(to, LLVMBuildExtractValue(to->builder, value, i, ""));
        }
    }
}

static LLVMValueRef join_wide(struct scalars *from, LLVMTypeRef type)
{
    LLVMBuilderRef b = from->builder;
    LLVMValueRef result = LLVMConstNull(type);
    for (unsigned bit = 0; bit < LLVMGetIntTypeWidth(type); bit += MOST_BITS) {
        LLVMValueRef part = LLVMBuildZExt(b, from->items[from->count++], type, "");
        part = LLVMBuildShl(b, part, LLVMConstInt(type, bit, 0), "");
        result = LLVMBuildOr(b, result, part, "");
    }
    return result;
}

/* The value of that type, of the next scalars. */
static LLVMValueRef join(struct scalars *from, LLVMTypeRef type) /* NOLINT(misc-no-recursion) */
{
    if (simd_is_element_type(type)) {
        return from->items[from->count++];
    }
    if (is_wide(type)) {
        return join_wide(from, type);
    }
    LLVMValueRef result = LLVMGetPoison(type);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
            LLVMValueRef index = LLVMConstInt(from->lower->types.i32, i, 0);
            result = LLVMBuildInsertElement(from->builder, result, from->items[from->count++],
                                            index, "");
        }
        return result;
    }
    for (unsigned i = 0; i < field_count(type); i++) {
        result =
            LLVMBuildInsertValue(from->builder, result, join(from, field_type(type, i)), i, "");
    }
    return result;
}

/* The offset of the result's scalar: each has eight bytes. */
static LLVMValueRef result_at(const struct scalars *of, LLVMValueRef results, unsigned i)
{
    return i == 0 ? results : lower_field(of->lower, of->builder, results, 8ull * i, "");
}

static bool is_void(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVoidTypeKind;
}

/* The body of the joining function, from its arguments. */
static void build_body(struct lower_context *lower, LLVMValueRef function, LLVMValueRef call,
                       unsigned passed)
{
    struct scalars from = {.builder = LLVMCreateBuilderInContext(lower->llvm), .lower = lower};
    LLVMPositionBuilderAtEnd(from.builder,
                             LLVMAppendBasicBlockInContext(lower->llvm, function, ""));
    for (unsigned i = 0; i < passed; i++) {
        from.items[i] = LLVMGetParam(function, i);
    }
    LLVMValueRef clone = LLVMInstructionClone(call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMSetOperand(clone, i, join(&from, LLVMTypeOf(LLVMGetArgOperand(call, i))));
    }
    LLVMInsertIntoBuilder(from.builder, clone);
    LLVMInstructionSetDebugLoc(clone, NULL);
    if (!is_void(LLVMTypeOf(call))) {
        struct scalars to = {.builder = from.builder, .lower = lower};
        take_apart(&to, clone);
        for (unsigned i = 0; i < to.count; i++) {
            LLVMBuildStore(to.builder, to.items[i],
                           result_at(&to, LLVMGetParam(function, passed), i));
        }
    }
    LLVMBuildRetVoid(from.builder);
    LLVMDisposeBuilder(from.builder);
}

/* The one for the callee, or a new one.  A recursive function thus calls itself through one. */
static LLVMValueRef create_function(struct lower_context *lower, LLVMValueRef call,
                                    const struct scalars *passed)
{
    LLVMTypeRef types[sizeof passed->items / sizeof *passed->items + 1];
    for (unsigned i = 0; i < passed->count; i++) {
        types[i] = LLVMTypeOf(passed->items[i]);
    }
    LLVMTypeRef type = LLVMFunctionType(lower->types.none, types, passed->count, 0);
    LLVMValueRef callee = lower_callee(call);
    const char *name = str_format("%s%s", SIMD_SPLIT_CALL, lower_name(callee));
    LLVMValueRef function = LLVMGetNamedFunction(lower->module, name);
    if (function != NULL && LLVMGlobalGetValueType(function) == type &&
        LLVMGetCalledFunctionType(call) == LLVMGlobalGetValueType(callee)) {
        return function;
    }
    function = LLVMAddFunction(lower->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    lower_add_attribute(lower, function, "nounwind");
    bool has_result = !is_void(LLVMTypeOf(call));
    build_body(lower, function, call, passed->count - (has_result ? 1 : 0));
    return function;
}

/* Loads the results and joins them. */
static LLVMValueRef load_results(struct scalars *made, LLVMTypeRef type, LLVMValueRef results)
{
    struct scalars from = {.builder = made->builder, .lower = made->lower};
    struct scalars sample = from;
    take_apart(&sample, LLVMGetPoison(type)); /* for the types */
    for (unsigned i = 0; i < sample.count; i++) {
        from.items[i] = LLVMBuildLoad2(from.builder, LLVMTypeOf(sample.items[i]),
                                       result_at(&from, results, i), "");
    }
    return join(&from, type);
}

/* results: space for the scalars of the result. */
static void split(struct lower_context *lower, LLVMValueRef call, LLVMValueRef results)
{
    struct scalars passed = {.builder = lower_builder_before(lower, call), .lower = lower};
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        take_apart(&passed, LLVMGetArgOperand(call, i));
    }
    if (!is_void(LLVMTypeOf(call))) {
        passed.items[passed.count++] = results;
    }
    LLVMValueRef function = create_function(lower, call, &passed);
    LLVMBuildCall2(passed.builder, LLVMGlobalGetValueType(function), function, passed.items,
                   passed.count, "");
    if (!is_void(LLVMTypeOf(call))) {
        LLVMReplaceAllUsesWith(call, load_results(&passed, LLVMTypeOf(call), results));
    }
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(passed.builder);
}

/* A call of a known function that passes or returns anything else than scalars, and can be split.
 * What a barrier, a warp operation or a launch needs is not passed on. */
static bool is_wanted(LLVMValueRef at)
{
    LLVMValueRef callee = LLVMIsACallInst(at) != NULL ? lower_callee(at) : NULL;
    if (callee == NULL || LLVMIsAFunction(callee) == NULL || LLVMGetIntrinsicID(callee) != 0 ||
        strncmp(lower_name(callee), "cdp_abi_", 8) == 0 ||
        LLVMIsFunctionVarArg(LLVMGlobalGetValueType(callee)) ||
        LLVMGetNumArgOperands(at) > MOST_SCALARS) {
        return false;
    }
    LLVMTypeRef type = LLVMTypeOf(at);
    bool is_found = !is_void(type) && !simd_is_element_type(type);
    bool fits = is_void(type) || count_scalars(type) <= MOST_SCALARS;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(at); i++) {
        LLVMTypeRef of = LLVMTypeOf(LLVMGetArgOperand(at, i));
        is_found |= !simd_is_element_type(of);
        fits = fits && count_scalars(of) <= MOST_SCALARS;
    }
    return is_found && fits;
}

bool simd_split_calls(struct lower_context *lower, LLVMValueRef function)
{
    struct lower_list found = lower_instructions(function, is_wanted);
    if (found.count == 0) {
        return false;
    }
    unsigned most = 1;
    for (size_t i = 0; i < found.count; i++) {
        LLVMTypeRef type = LLVMTypeOf(found.items[i]);
        unsigned scalars = is_void(type) ? 0 : count_scalars(type);
        most = scalars > most ? scalars : most;
    }
    LLVMBuilderRef builder = lower_builder_at_entry(lower, function);
    LLVMTypeRef space = LLVMArrayType2(lower->types.i64, most);
    LLVMValueRef results = LLVMBuildAlloca(builder, space, "results");
    LLVMDisposeBuilder(builder);
    for (size_t i = 0; i < found.count; i++) {
        split(lower, found.items[i], results);
    }
    return true;
}
