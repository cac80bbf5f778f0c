/* Interleaves the threads' copies of local arrays.
 *
 *     int count[8];                     count of thread 0 | count of thread 1 | ...
 *     count[i]++;                   ->  count[0] of threads 0 to 15 | count[1] of threads 0 to 15 |
 * ...
 *
 * A GPU interleaves local memory in the same way. If the index is uniform, the threads of a vector
 * access neighbouring elements, so the access is contiguous instead of a gather. Other indices are
 * gathers in both layouts.
 *
 * The element that SIMD_LOCAL_GROUP threads interleave is what the array's loads and stores access,
 * of one size for all of them. So the bytes of an offset are multiplied by SIMD_LOCAL_GROUP:
 *
 *     %p = getelementptr [4 x float], ptr %a, i64 %i, i64 %j
 *  -> %q = getelementptr [256 x i8], ptr %a, i64 %i
 *     %p = getelementptr [64 x i8], ptr %q, i64 %j
 *
 * Bytes and halfwords are kept in words, since processors gather, scatter and mask words only.
 *
 * Accesses are aligned to the element's size, so no access crosses an element. The address must not
 * escape: it may only go through getelementptr, phi, select and comparisons. */
#include "simd/prepare/interleave_locals.h"

#include "ir/context.h"
#include "ir/indices.h"
#include "ir/value.h"
#include "simd/ir/interleaved.h"
#include "support/arena.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <string.h>

enum { MOST_ADDRESSES = 4096, MOST_UNROLLED = 64, LEAST_KEPT = 4 };

/* One array, and what its addresses are used for. In the arena. */
struct array {
    struct lower_context *lower;
    LLVMValueRef alloca;
    LLVMValueRef *addresses; /* the alloca, and all that are computed of it */
    LLVMValueRef *accesses;  /* loads and stores */
    LLVMValueRef *fills;     /* memset, memcpy, memmove */
    LLVMValueRef *marks;     /* lifetimes */
    size_t address_count, access_count, fill_count, mark_count;
    struct lower_map numbers; /* of `addresses` */
    uint64_t element;         /* bytes that a load or store accesses; 0: none was seen */
    uint64_t size;            /* bytes of a thread's copy */
};

/* "": it is not known. */
static const char *callee_of(LLVMValueRef call)
{
    LLVMValueRef callee = lower_callee(call);
    return callee == NULL ? "" : lower_name(callee);
}

/* ---- which arrays ---- */

static bool is_address(const struct array *array, LLVMValueRef value)
{
    unsigned number;
    return lower_map_find(&array->numbers, value, &number);
}

static void add_address(struct array *array, LLVMValueRef value)
{
    if (!is_address(array, value)) {
        lower_map_put(&array->numbers, value, (unsigned)array->address_count);
        LOWER_PUSH(array->addresses, array->address_count, value);
    }
}

static bool add_access(struct array *array, LLVMValueRef access, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool is_scalar = kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind ||
                     kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
                     kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind;
    uint64_t bits = is_scalar ? LLVMSizeOfTypeInBits(array->lower->layout, type) : 0;
    uint64_t size = bits / 8;
    bool is_element = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    if (!is_element || LLVMGetVolatile(access) ||
        LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic || LLVMGetAlignment(access) < size ||
        (array->element != 0 && array->element != size)) {
        return false;
    }
    array->element = size;
    LOWER_PUSH(array->accesses, array->access_count, access);
    return true;
}

static bool is_fill(const char *callee)
{
    return str_starts(callee, "llvm.memset.") || str_starts(callee, "llvm.memcpy.") ||
           str_starts(callee, "llvm.memmove.");
}

static bool add_call(struct array *array, LLVMValueRef call)
{
    const char *callee = callee_of(call);
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

static bool add_use(struct array *array, LLVMValueRef address, LLVMValueRef user)
{
    if (LLVMIsALoadInst(user) != NULL) {
        return add_access(array, user, LLVMTypeOf(user));
    }
    if (LLVMIsAStoreInst(user) != NULL) {
        LLVMValueRef value = LLVMGetOperand(user, 0);
        return value != address && add_access(array, user, LLVMTypeOf(value));
    }
    bool is_address = LLVMIsAGetElementPtrInst(user) != NULL || LLVMIsAPHINode(user) != NULL ||
                      LLVMIsASelectInst(user) != NULL;
    if (is_address) {
        add_address(array, user);
        return LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind;
    }
    return LLVMIsAICmpInst(user) != NULL ||
           (LLVMIsACallInst(user) != NULL && add_call(array, user));
}

/* All that a phi, selection or comparison of addresses takes are addresses of this array. */
static bool is_closed(const struct array *array)
{
    for (size_t i = 0; i < array->address_count; i++) {
        LLVMValueRef address = array->addresses[i];
        for (unsigned k = 0; LLVMIsAPHINode(address) != NULL && k < LLVMCountIncoming(address);
             k++) {
            if (!is_address(array, LLVMGetIncomingValue(address, k))) {
                return false;
            }
        }
        if (LLVMIsASelectInst(address) != NULL &&
            (!is_address(array, LLVMGetOperand(address, 1)) ||
             !is_address(array, LLVMGetOperand(address, 2)))) {
            return false;
        }
        for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMIsAICmpInst(user) != NULL && (!is_address(array, LLVMGetOperand(user, 0)) ||
                                                  !is_address(array, LLVMGetOperand(user, 1)))) {
                return false;
            }
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
static bool is_short_fill(const struct array *array, LLVMValueRef call)
{
    LLVMValueRef length = LLVMGetOperand(call, 2), value = LLVMGetOperand(call, 1);
    bool is_set = str_starts(callee_of(call), "llvm.memset.");
    bool is_plain = LLVMIsAConstantInt(LLVMGetOperand(call, 3)) != NULL &&
                    LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3)) == 0;
    if (!is_plain || LLVMIsAConstantInt(length) == NULL ||
        align_of_operand(call, 0) < array->element) {
        return false;
    }
    uint64_t bytes = LLVMConstIntGetZExtValue(length);
    bool is_known = is_set ? array->element == 1 || LLVMIsAConstantInt(value) != NULL
                           : align_of_operand(call, 1) >= array->element;
    return is_known && bytes % array->element == 0 && bytes / array->element <= MOST_UNROLLED;
}

static bool has_short_fills(const struct array *array)
{
    for (size_t i = 0; i < array->fill_count; i++) {
        if (!is_short_fill(array, array->fills[i])) {
            return false;
        }
    }
    return true;
}

/* Sets the array from its alloca. False: it stays as it is. */
static bool find_uses(struct array *array, struct lower_context *lower, LLVMValueRef alloca)
{
    *array = (struct array){.lower = lower, .alloca = alloca};
    if (LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)) == NULL ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0)) != 1) {
        return false;
    }
    array->size = LLVMABISizeOfType(lower->layout, LLVMGetAllocatedType(alloca));
    add_address(array, alloca);
    for (size_t i = 0; i < array->address_count; i++) {
        LLVMValueRef address = array->addresses[i];
        for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
            if (array->address_count > MOST_ADDRESSES ||
                !add_use(array, address, LLVMGetUser(use))) {
                return false;
            }
        }
    }
    return array->element != 0 && array->size % array->element == 0 &&
           LLVMGetAlignment(alloca) >= array->element && array->size > array->element &&
           is_closed(array) && has_short_fills(array);
}

/* ---- memset and memcpy become stores ---- */

static LLVMValueRef element_at(const struct array *array, LLVMBuilderRef builder, LLVMValueRef base,
                               uint64_t number)
{
    LLVMTypeRef bytes = LLVMArrayType2(array->lower->types.i8, array->element);
    LLVMValueRef index = LLVMConstInt(array->lower->types.i64, number, 0);
    return LLVMBuildInBoundsGEP2(builder, bytes, base, &index, 1, "");
}

static LLVMValueRef repeat(const struct array *array, LLVMTypeRef type, LLVMValueRef byte)
{
    static const uint64_t ones = 0x0101010101010101;
    return array->element == 1 ? byte
                               : LLVMConstInt(type, LLVMConstIntGetZExtValue(byte) * ones, 0);
}

/* memmove reads all before it writes. */
static void expand_fill(const struct array *array, LLVMValueRef call)
{
    LLVMValueRef values[MOST_UNROLLED] = {NULL}, to = LLVMGetOperand(call, 0),
                 from = LLVMGetOperand(call, 1);
    bool is_set = str_starts(callee_of(call), "llvm.memset.");
    unsigned align = (unsigned)array->element;
    uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2)) / array->element;
    LLVMTypeRef type = LLVMIntTypeInContext(array->lower->llvm, align * 8);
    LLVMBuilderRef builder = lower_builder_before(array->lower, call);
    for (uint64_t i = 0; i < count; i++) {
        values[i] = is_set ? repeat(array, type, from)
                           : LLVMBuildLoad2(builder, type, element_at(array, builder, from, i), "");
        if (!is_set) {
            LLVMSetAlignment(values[i], align);
        }
    }
    for (uint64_t i = 0; i < count; i++) {
        LLVMValueRef store = LLVMBuildStore(builder, values[i], element_at(array, builder, to, i));
        LLVMSetAlignment(store, align);
    }
    LLVMDisposeBuilder(builder);
    LLVMInstructionEraseFromParent(call);
}

/* ---- the new layout ---- */

/* Bytes of an element in memory. */
static uint64_t kept(const struct array *array)
{
    return array->element < LEAST_KEPT ? LEAST_KEPT : array->element;
}

/* Bytes that one byte of the program's array becomes. */
static uint64_t scale(const struct array *array)
{
    return kept(array) / array->element * SIMD_LOCAL_GROUP;
}

static LLVMValueRef scaled(const struct array *array, LLVMBuilderRef builder, LLVMValueRef base,
                           uint64_t bytes, LLVMValueRef index)
{
    LLVMTypeRef type = LLVMArrayType2(array->lower->types.i8, bytes * scale(array));
    return LLVMBuildInBoundsGEP2(builder, type, base, &index, 1, "");
}

/* The address at the same element in the new layout. */
static LLVMValueRef scaled_address(const struct array *array, LLVMBuilderRef builder,
                                   LLVMValueRef address)
{
    struct lower_context *lower = array->lower;
    LLVMValueRef result = LLVMGetOperand(address, 0);
    LLVMTypeRef type = NULL;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(address); i++) {
        struct lower_index index = lower_index_of(lower->layout, address, i, &type);
        if (index.number == NULL) {
            index.number = LLVMConstInt(lower->types.i64, index.bytes, 0);
            index.bytes = 1;
        }
        bool is_zero = LLVMIsAConstantInt(index.number) != NULL && LLVMIsNull(index.number);
        result = is_zero ? result : scaled(array, builder, result, index.bytes, index.number);
    }
    return result;
}

static void scale_addresses(const struct array *array)
{
    for (size_t i = 0; i < array->address_count; i++) {
        LLVMValueRef address = array->addresses[i];
        if (LLVMIsAGetElementPtrInst(address) != NULL) {
            LLVMBuilderRef builder = lower_builder_before(array->lower, address);
            LLVMReplaceAllUsesWith(address, scaled_address(array, builder, address));
            LLVMInstructionEraseFromParent(address);
            LLVMDisposeBuilder(builder);
        }
    }
}

/* The element's size is metadata of the alloca. */
static void replace_alloca(const struct array *array)
{
    struct lower_context *lower = array->lower;
    LLVMBuilderRef builder = lower_builder_before(lower, array->alloca);
    LLVMTypeRef type = LLVMArrayType2(lower->types.i8, array->size * scale(array));
    LLVMValueRef result = LLVMBuildAlloca(builder, type, "interleaved");
    LLVMSetAlignment(result, (unsigned)kept(array));
    simd_mark_interleaved(lower, result, kept(array));
    LLVMReplaceAllUsesWith(array->alloca, result);
    LLVMInstructionEraseFromParent(array->alloca);
    LLVMDisposeBuilder(builder);
}

static LLVMTypeRef integer_of(const struct array *array, uint64_t bytes)
{
    return LLVMIntTypeInContext(array->lower->llvm, (unsigned)bytes * 8);
}

static LLVMValueRef load_word(const struct array *array, LLVMBuilderRef builder, LLVMValueRef load)
{
    LLVMTypeRef word = integer_of(array, kept(array)), narrow = integer_of(array, array->element);
    LLVMValueRef result = LLVMBuildLoad2(builder, word, LLVMGetOperand(load, 0), "");
    LLVMValueRef value = LLVMBuildTrunc(builder, result, narrow, "");
    LLVMReplaceAllUsesWith(load, LLVMBuildBitCast(builder, value, LLVMTypeOf(load), ""));
    return result;
}

static LLVMValueRef store_word(const struct array *array, LLVMBuilderRef builder,
                               LLVMValueRef store)
{
    LLVMTypeRef word = integer_of(array, kept(array)), narrow = integer_of(array, array->element);
    LLVMValueRef value = LLVMBuildBitCast(builder, LLVMGetOperand(store, 0), narrow, "");
    value = LLVMBuildZExt(builder, value, word, "");
    return LLVMBuildStore(builder, value, LLVMGetOperand(store, 1));
}

/* Loads and stores a word instead. */
static void widen(const struct array *array, LLVMValueRef access)
{
    LLVMBuilderRef builder = lower_builder_before(array->lower, access);
    bool is_load = LLVMIsALoadInst(access) != NULL;
    LLVMValueRef result =
        is_load ? load_word(array, builder, access) : store_word(array, builder, access);
    LLVMSetAlignment(result, (unsigned)kept(array));
    LLVMInstructionEraseFromParent(access);
    LLVMDisposeBuilder(builder);
}

static void interleave(const struct array *array)
{
    for (size_t i = 0; i < array->access_count; i++) {
        if (kept(array) != array->element) {
            widen(array, array->accesses[i]);
        } else {
            LLVMSetAlignment(array->accesses[i], (unsigned)array->element);
        }
    }
    for (size_t i = 0; i < array->mark_count; i++) {
        LLVMInstructionEraseFromParent(array->marks[i]);
    }
    scale_addresses(array);
    replace_alloca(array);
}

/* The variables of the function. The list stays good when instructions are erased. */
static LLVMValueRef *find_variables(LLVMValueRef function, size_t *count)
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

bool simd_has_interleavable_locals(struct lower_context *lower, LLVMValueRef function)
{
    struct array array;
    size_t count;
    LLVMValueRef *variables = find_variables(function, &count);
    for (size_t i = 0; i < count; i++) {
        if (find_uses(&array, lower, variables[i])) {
            return true;
        }
    }
    return false;
}

/* A copy from one array to another becomes loads and stores of both. Arrays whose elements differ
 * in size stay as they are then, since their uses are looked at again. */
void simd_interleave_locals(struct lower_context *lower, LLVMValueRef function)
{
    struct array array;
    size_t count;
    LLVMValueRef *variables = find_variables(function, &count);
    for (size_t i = 0; i < count; i++) {
        while (find_uses(&array, lower, variables[i]) && array.fill_count != 0) {
            expand_fill(&array, array.fills[0]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (find_uses(&array, lower, variables[i])) {
            interleave(&array);
        }
    }
}
