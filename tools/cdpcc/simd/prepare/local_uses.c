/* What the threads' own variables are used for.
 *
 * The address of such a variable must not escape: it may only go through getelementptr, phi, select
 * and comparisons. All loads and stores access elements, or integers of several elements, and are
 * aligned to an element. Where a phi or a select chooses between the addresses of several
 * variables, they are looked at together. */
#include "simd/prepare/local_uses.h"

#include "ir/context.h"
#include "simd/ir/calls.h"
#include "simd/ir/memory.h"
#include "support/str.h"

#include <llvm-c/Core.h>

enum { MOST_ADDRESSES = 4096 };

static bool is_address(const struct simd_local_uses *array, LLVMValueRef value)
{
    unsigned number;
    return lower_map_find(&array->numbers, value, &number);
}

static void add_address(struct simd_local_uses *array, LLVMValueRef value)
{
    if (!is_address(array, value)) {
        lower_map_put(&array->numbers, value, (unsigned)array->address_count);
        LOWER_PUSH(array->addresses, array->address_count, value);
    }
}

static bool add_access(struct simd_local_uses *array, LLVMValueRef access, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool is_scalar = kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind ||
                     kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
                     kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind;
    uint64_t bits = is_scalar ? LLVMSizeOfTypeInBits(array->lower->layout, type) : 0;
    uint64_t size = bits / 8;
    bool is_element = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    if (!is_element || LLVMGetVolatile(access) ||
        LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic) {
        return false;
    }
    if (array->element == 0 || size < array->element) {
        array->element = size;
    }
    LOWER_PUSH(array->accesses, array->access_count, access);
    return true;
}

/* The smallest access is one element. Integers of several elements are wide accesses. */
static bool find_wide_accesses(struct simd_local_uses *array)
{
    size_t kept = 0;
    for (size_t i = 0; i < array->access_count; i++) {
        LLVMTypeRef type = simd_accessed_type(array->accesses[i]);
        uint64_t size = LLVMABISizeOfType(array->lower->layout, type);
        if (LLVMGetAlignment(array->accesses[i]) < array->element ||
            (size != array->element && LLVMGetTypeKind(type) != LLVMIntegerTypeKind)) {
            return false;
        }
        if (size == array->element) {
            array->accesses[kept++] = array->accesses[i];
        } else {
            LOWER_PUSH(array->wide, array->wide_count, array->accesses[i]);
        }
    }
    array->access_count = kept;
    return true;
}

static bool is_fill(const char *callee)
{
    return str_starts(callee, "llvm.memset.") || str_starts(callee, "llvm.memcpy.") ||
           str_starts(callee, "llvm.memmove.");
}

static bool add_call(struct simd_local_uses *array, LLVMValueRef call)
{
    const char *callee = simd_callee_name(call);
    if (str_starts(callee, "llvm.lifetime.")) {
        LOWER_PUSH(array->marks, array->mark_count, call);
        return true;
    }
    if (is_fill(callee)) {
        LOWER_PUSH(array->fills, array->fill_count, call);
        return true;
    }
    return false;
}

static bool is_derived(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) != NULL || LLVMIsAPHINode(value) != NULL ||
           LLVMIsASelectInst(value) != NULL;
}

static bool add_comparison(struct simd_local_uses *array, LLVMValueRef user)
{
    LOWER_PUSH(array->comparisons, array->comparison_count, user);
    return true;
}

static bool add_use(struct simd_local_uses *array, LLVMValueRef address, LLVMValueRef user)
{
    if (LLVMIsALoadInst(user) != NULL) {
        return add_access(array, user, LLVMTypeOf(user));
    }
    if (LLVMIsAStoreInst(user) != NULL) {
        LLVMValueRef value = LLVMGetOperand(user, 0);
        return value != address && add_access(array, user, LLVMTypeOf(value));
    }
    if (is_derived(user)) {
        add_address(array, user);
        return LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind;
    }
    return LLVMIsAICmpInst(user) != NULL ? add_comparison(array, user)
                                         : LLVMIsACallInst(user) != NULL && add_call(array, user);
}

static bool add_variable(struct simd_local_uses *array, LLVMValueRef alloca)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(alloca);
    if (block != LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block)) ||
        LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)) == NULL ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0)) != 1) {
        return false;
    }
    if (!is_address(array, alloca)) {
        if (array->alloca_count == SIMD_MOST_VARIABLES) {
            return false;
        }
        LOWER_PUSH(array->allocas, array->alloca_count, alloca);
        array->size += LLVMABISizeOfType(array->lower->layout, LLVMGetAllocatedType(alloca));
        add_address(array, alloca);
    }
    return true;
}

/* Adds what an address is computed of. */
static bool add_source(struct simd_local_uses *array, LLVMValueRef source)
{
    if (LLVMIsAAllocaInst(source) != NULL) {
        return add_variable(array, source);
    }
    if (!is_derived(source)) {
        return false;
    }
    add_address(array, source);
    return true;
}

static bool add_sources(struct simd_local_uses *array, LLVMValueRef address)
{
    bool is_selected = LLVMIsASelectInst(address) != NULL;
    if (LLVMIsAGetElementPtrInst(address) != NULL) {
        return add_source(array, LLVMGetOperand(address, 0));
    }
    for (unsigned i = 0; LLVMIsAPHINode(address) != NULL && i < LLVMCountIncoming(address); i++) {
        if (!add_source(array, LLVMGetIncomingValue(address, i))) {
            return false;
        }
    }
    return !is_selected || (add_source(array, LLVMGetOperand(address, 1)) &&
                            add_source(array, LLVMGetOperand(address, 2)));
}

/* All that is compared are addresses of these variables. */
static bool has_own_comparisons(const struct simd_local_uses *array)
{
    for (size_t i = 0; i < array->comparison_count; i++) {
        if (!is_address(array, LLVMGetOperand(array->comparisons[i], 0)) ||
            !is_address(array, LLVMGetOperand(array->comparisons[i], 1))) {
            return false;
        }
    }
    return true;
}

static uint64_t align_of_operand(LLVMValueRef call, unsigned operand)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(call, operand + 1, kind);
    return align == NULL ? 1 : LLVMGetEnumAttributeValue(align);
}

/* memset or memcpy of few elements. */
static bool is_short_fill(const struct simd_local_uses *array, LLVMValueRef call)
{
    LLVMValueRef length = LLVMGetOperand(call, 2), value = LLVMGetOperand(call, 1);
    bool is_set = str_starts(simd_callee_name(call), "llvm.memset.");
    bool is_plain = LLVMIsAConstantInt(LLVMGetOperand(call, 3)) != NULL &&
                    LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3)) == 0;
    if (!is_plain || LLVMIsAConstantInt(length) == NULL ||
        align_of_operand(call, 0) < array->element) {
        return false;
    }
    uint64_t bytes = LLVMConstIntGetZExtValue(length);
    bool is_known = is_set ? array->element == 1 || LLVMIsAConstantInt(value) != NULL
                           : align_of_operand(call, 1) >= array->element;
    return is_known && bytes % array->element == 0 && bytes / array->element <= SIMD_MOST_FILLED;
}

static bool has_short_fills(const struct simd_local_uses *array)
{
    for (size_t i = 0; i < array->fill_count; i++) {
        if (!is_short_fill(array, array->fills[i])) {
            return false;
        }
    }
    return true;
}

/* Variables of whole elements, aligned to them. */
static bool are_of_elements(const struct simd_local_uses *array)
{
    for (size_t i = 0; i < array->alloca_count; i++) {
        LLVMTypeRef type = LLVMGetAllocatedType(array->allocas[i]);
        if (LLVMABISizeOfType(array->lower->layout, type) % array->element != 0 ||
            LLVMGetAlignment(array->allocas[i]) < array->element) {
            return false;
        }
    }
    return true;
}

bool simd_find_local_uses(struct simd_local_uses *array, struct lower_context *lower,
                          LLVMValueRef alloca)
{
    *array = (struct simd_local_uses){.lower = lower};
    if (!add_variable(array, alloca)) {
        return false;
    }
    for (size_t i = 0; i < array->address_count; i++) {
        LLVMValueRef address = array->addresses[i];
        if (!add_sources(array, address)) {
            return false;
        }
        for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
            if (array->address_count > MOST_ADDRESSES ||
                !add_use(array, address, LLVMGetUser(use))) {
                return false;
            }
        }
    }
    return array->element != 0 && array->size > array->element && find_wide_accesses(array) &&
           are_of_elements(array) && has_own_comparisons(array) && has_short_fills(array);
}

LLVMValueRef *simd_find_variables(LLVMValueRef function, size_t *count)
{
    LLVMValueRef *result = NULL;
    *count = 0;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    for (LLVMValueRef at = LLVMGetFirstInstruction(entry); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        if (LLVMIsAAllocaInst(at) != NULL) {
            LOWER_PUSH(result, *count, at);
        }
    }
    return result;
}
