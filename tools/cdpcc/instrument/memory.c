/* --check=memory: accesses outside of the object that the pointer came from.
 *
 * The object is that of the address's root. Its bounds are known, if the root is a variable;
 * otherwise the runtime finds the object at run time, where the root is computed:
 *
 *     %bounds = call { i64, i64 } @cdp_abi_bounds(ptr %p)     after %p
 *     ...
 *     if (%a - low >= max(size + 1 - n, 0)) cdp_abi_memory_fault(site, %a, n, %p, ...)
 *     store i32 0, ptr %a                                     n is 4
 *
 * So a pointer that a loop increments is looked up once, before the loop. In a function during
 * which memory may be freed, the call is at the access, because the result may change.
 *
 * The test may have false positives, which cdp_abi_memory_fault sorts out, but no false negatives.
 * The tests are emitted in the second round, where the roots are visible. Shared variables are
 * still marked there: see LOWER_SHARED_MARKER. */
#include "instrument/instrument_pass.h"
#include "instrument/site.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "support/arena.h"
#include "support/str.h"

#include "abi/cdp_abi.h"
#include "abi/cdp_check.h"

#include <string.h>

/* Where an object lies, as values of the function. */
struct bounds {
    LLVMValueRef low, size; /* i64 */
    bool is_variable;       /* it starts at the root */
};

/* The state for one function: the bounds of its roots. In the arena. */
struct memory {
    struct bounds *bounds;
    size_t count;
    struct lower_map numbers;
    bool frees; /* memory may be freed while the function runs */
};

static LLVMValueRef number(const struct instrument *instrument, uint64_t value)
{
    return LLVMConstInt(instrument->lower.types.i64, value, 0);
}

/* The function cdp.guard.memory(outside, site, address, size, base, variable_size): calls the
 * runtime if outside. */
static LLVMValueRef memory_test(struct instrument *instrument)
{
    struct lower_types *types = &instrument->lower.types;
    LLVMTypeRef parameters[] = {types->ptr, types->ptr, types->i64, types->ptr, types->i64};
    LLVMValueRef judge = instrument_runtime(instrument, "cdp_abi_memory_fault",
                                            LLVMFunctionType(types->none, parameters, 5, 0));
    lower_add_attribute(&instrument->lower, judge, "cold");
    return instrument_guard(instrument, "memory", judge);
}

/* ---- Bounds ---- */

uint64_t instrument_size_of_variable(const struct instrument *instrument, LLVMValueRef root)
{
    LLVMTargetDataRef layout = instrument->lower.layout;
    if (LLVMIsAAllocaInst(root) != NULL && LLVMIsAConstantInt(LLVMGetOperand(root, 0)) != NULL) {
        return LLVMABISizeOfType(layout, LLVMGetAllocatedType(root)) *
               LLVMConstIntGetZExtValue(LLVMGetOperand(root, 0));
    }
    if (LLVMIsAGlobalVariable(root) != NULL && !LLVMIsDeclaration(root) &&
        !LLVMIsThreadLocal(root)) {
        return LLVMABISizeOfType(layout, LLVMGlobalGetValueType(root));
    }
    return 0;
}

/* Whether accesses are not checked: parameters of a launch, classes that were passed in memory, and
 * data of the runtime to which a pointer in its own data leads. */
static bool is_trusted(LLVMValueRef root)
{
    return instrument_is_own_argument(root) || LLVMIsUndef(root) ||
           (LLVMIsALoadInst(root) != NULL && instrument_is_own_code(root));
}

static LLVMValueRef look_up(struct instrument *instrument)
{
    static const char name[] = "cdp_abi_bounds";
    struct lower_context *lower = &instrument->lower;
    LLVMValueRef function = LLVMGetNamedFunction(lower->module, name);
    if (function == NULL) {
        LLVMTypeRef fields[] = {lower->types.i64, lower->types.i64};
        LLVMTypeRef result = LLVMStructTypeInContext(lower->llvm, fields, 2, 0);
        function =
            LLVMAddFunction(lower->module, name, LLVMFunctionType(result, &lower->types.ptr, 1, 0));
        lower_add_attribute(lower, function, "nounwind");
        lower_add_attribute(lower, function, "willreturn");
        lower_add_memory_attribute(lower, function, LOWER_INACCESSIBLE_READ);
    }
    return function;
}

static struct bounds emit_bounds(struct instrument *instrument, LLVMValueRef root, LLVMValueRef at)
{
    struct bounds bounds = {.is_variable = true};
    LLVMBuilderRef builder = instrument_builder(instrument, at);
    uint64_t size = instrument_size_of_variable(instrument, root);
    if (instrument_is_marker(root)) {
        bounds.size = LLVMGetOperand(root, 1);
    } else if (size != 0) {
        bounds.size = number(instrument, size);
    } else {
        LLVMValueRef callee = look_up(instrument);
        LLVMValueRef pair =
            LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee), callee, &root, 1, "");
        bounds.low = LLVMBuildExtractValue(builder, pair, 0, "");
        bounds.size = LLVMBuildExtractValue(builder, pair, 1, "");
        bounds.is_variable = false;
    }
    if (bounds.is_variable) {
        bounds.low = LLVMBuildPtrToInt(builder, root, instrument->lower.types.i64, "");
    }
    LLVMDisposeBuilder(builder);
    return bounds;
}

/* Those of a root with a place of its own are emitted once. */
static struct bounds bounds_of(struct instrument *instrument, LLVMValueRef root, LLVMValueRef at)
{
    struct memory *memory = instrument->memory;
    LLVMValueRef place = memory->frees ? NULL : instrument_place_after(root);
    unsigned found;
    if (place == NULL) {
        return emit_bounds(instrument, root, at);
    }
    if (!lower_map_find(&memory->numbers, root, &found)) {
        struct bounds bounds = emit_bounds(instrument, root, place);
        found = (unsigned)memory->count;
        LOWER_PUSH(memory->bounds, memory->count, bounds);
        lower_map_put(&memory->numbers, root, found);
    }
    return memory->bounds[found];
}

/* ---- Accesses ---- */

/* Whether the access is to the start of a variable and fits into it: with -G most are. */
static bool is_within(const struct instrument *instrument, const struct instrument_access *access)
{
    LLVMValueRef size = LLVMIsAConstantInt(access->size);
    return size != NULL && LLVMConstIntGetZExtValue(size) <=
                               instrument_size_of_variable(instrument, access->address);
}

static void test_access(struct instrument *instrument, const struct instrument_access *access)
{
    struct lower_context *lower = &instrument->lower;
    LLVMValueRef root = instrument_origin_of(instrument, access->address).base;
    if (is_within(instrument, access) || is_trusted(root)) {
        return;
    }
    struct bounds bounds = bounds_of(instrument, root, access->at);
    LLVMBuilderRef builder = instrument_builder(instrument, access->at);
    LLVMValueRef offset = LLVMBuildSub(
        builder, LLVMBuildPtrToInt(builder, access->address, lower->types.i64, ""), bounds.low, "");
    LLVMValueRef both[] = {bounds.size,
                           LLVMBuildSub(builder, access->size, number(instrument, 1), "")};
    LLVMValueRef room =
        lower_intrinsic(lower, builder, "llvm.usub.sat", &lower->types.i64, 1, both, 2);
    LLVMValueRef outside = LLVMBuildICmp(builder, LLVMIntUGE, offset, room, "");
    LLVMValueRef arguments[] = {
        outside,
        instrument_site(lower, access->at, instrument_site_flags(access),
                        instrument_variable_name(lower, root)),
        access->address,
        access->size,
        root,
        bounds.is_variable ? bounds.size : number(instrument, CDP_BOUNDS_OF_POINTER),
    };
    LLVMValueRef test = memory_test(instrument);
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(test), test, arguments, 6, "");
    LLVMDisposeBuilder(builder);
}

void instrument_memory(struct instrument *instrument, LLVMValueRef function)
{
    struct memory memory = {.frees = instrument_may_free(function)};
    struct instrument_locals *locals = instrument_locals_of(instrument, function);
    instrument->memory = &memory;
    instrument_each(instrument, function, test_access);
    instrument->memory = NULL;
    instrument_locals_list(locals, function);
}
