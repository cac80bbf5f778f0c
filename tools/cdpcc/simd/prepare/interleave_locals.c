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
 * Accesses are aligned to the element's size, so no access crosses an element. */
#include "simd/prepare/interleave_locals.h"

#include "ir/context.h"
#include "ir/indices.h"
#include "ir/value.h"
#include "simd/ir/calls.h"
#include "simd/ir/interleaved.h"
#include "simd/prepare/local_uses.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <string.h>

enum { LEAST_KEPT = 4 };

/* ---- memset and memcpy become stores ---- */

static LLVMValueRef element_at(const struct simd_local_uses *array, LLVMBuilderRef builder,
                               LLVMValueRef base, uint64_t number)
{
    LLVMTypeRef bytes = LLVMArrayType2(array->lower->types.i8, array->element);
    LLVMValueRef index = LLVMConstInt(array->lower->types.i64, number, 0);
    return LLVMBuildInBoundsGEP2(builder, bytes, base, &index, 1, "");
}

static LLVMValueRef repeat(const struct simd_local_uses *array, LLVMTypeRef type, LLVMValueRef byte)
{
    static const uint64_t ones = 0x0101010101010101;
    return array->element == 1 ? byte
                               : LLVMConstInt(type, LLVMConstIntGetZExtValue(byte) * ones, 0);
}

/* memmove reads all before it writes. */
static void expand_fill(const struct simd_local_uses *array, LLVMValueRef call)
{
    LLVMValueRef values[SIMD_MOST_FILLED] = {NULL}, to = LLVMGetOperand(call, 0),
                 from = LLVMGetOperand(call, 1);
    bool is_set = str_starts(simd_callee_name(call), "llvm.memset.");
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
static uint64_t kept(const struct simd_local_uses *array)
{
    return array->element < LEAST_KEPT ? LEAST_KEPT : array->element;
}

/* Bytes that one byte of the program's array becomes. */
static uint64_t scale(const struct simd_local_uses *array)
{
    return kept(array) / array->element * SIMD_LOCAL_GROUP;
}

static LLVMValueRef scaled(const struct simd_local_uses *array, LLVMBuilderRef builder,
                           LLVMValueRef base, uint64_t bytes, LLVMValueRef index)
{
    LLVMTypeRef type = LLVMArrayType2(array->lower->types.i8, bytes * scale(array));
    return LLVMBuildInBoundsGEP2(builder, type, base, &index, 1, "");
}

/* The address at the same element in the new layout. */
static LLVMValueRef scaled_address(const struct simd_local_uses *array, LLVMBuilderRef builder,
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

static void scale_addresses(const struct simd_local_uses *array)
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
static void replace_alloca(const struct simd_local_uses *array)
{
    struct lower_context *lower = array->lower;
    LLVMBuilderRef builder = lower_builder_before(lower, array->allocas[0]);
    LLVMTypeRef type = LLVMArrayType2(lower->types.i8, array->size * scale(array));
    LLVMValueRef result = LLVMBuildAlloca(builder, type, "interleaved");
    LLVMSetAlignment(result, (unsigned)kept(array));
    simd_mark_interleaved(lower, result, kept(array));
    LLVMReplaceAllUsesWith(array->allocas[0], result);
    LLVMInstructionEraseFromParent(array->allocas[0]);
    LLVMDisposeBuilder(builder);
}

static LLVMTypeRef integer_of(const struct simd_local_uses *array, uint64_t bytes)
{
    return LLVMIntTypeInContext(array->lower->llvm, (unsigned)bytes * 8);
}

static LLVMValueRef load_word(const struct simd_local_uses *array, LLVMBuilderRef builder,
                              LLVMValueRef load)
{
    LLVMTypeRef word = integer_of(array, kept(array)), narrow = integer_of(array, array->element);
    LLVMValueRef result = LLVMBuildLoad2(builder, word, LLVMGetOperand(load, 0), "");
    LLVMValueRef value = LLVMBuildTrunc(builder, result, narrow, "");
    LLVMReplaceAllUsesWith(load, LLVMBuildBitCast(builder, value, LLVMTypeOf(load), ""));
    return result;
}

static LLVMValueRef store_word(const struct simd_local_uses *array, LLVMBuilderRef builder,
                               LLVMValueRef store)
{
    LLVMTypeRef word = integer_of(array, kept(array)), narrow = integer_of(array, array->element);
    LLVMValueRef value = LLVMBuildBitCast(builder, LLVMGetOperand(store, 0), narrow, "");
    value = LLVMBuildZExt(builder, value, word, "");
    return LLVMBuildStore(builder, value, LLVMGetOperand(store, 1));
}

/* Loads and stores a word instead. */
static void widen(const struct simd_local_uses *array, LLVMValueRef access)
{
    LLVMBuilderRef builder = lower_builder_before(array->lower, access);
    bool is_load = LLVMIsALoadInst(access) != NULL;
    LLVMValueRef result =
        is_load ? load_word(array, builder, access) : store_word(array, builder, access);
    LLVMSetAlignment(result, (unsigned)kept(array));
    LLVMInstructionEraseFromParent(access);
    LLVMDisposeBuilder(builder);
}

static void interleave(const struct simd_local_uses *array)
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

/* False: the array stays as it is. */
static bool find_array(struct simd_local_uses *array, struct lower_context *lower,
                       LLVMValueRef alloca)
{
    return simd_find_local_uses(array, lower, alloca) && array->alloca_count == 1 &&
           array->wide_count == 0;
}

bool simd_has_interleavable_locals(struct lower_context *lower, LLVMValueRef function)
{
    struct simd_local_uses array;
    size_t count;
    LLVMValueRef *variables = simd_find_variables(function, &count);
    for (size_t i = 0; i < count; i++) {
        if (find_array(&array, lower, variables[i])) {
            return true;
        }
    }
    return false;
}

/* A copy from one array to another becomes loads and stores of both. Arrays whose elements differ
 * in size stay as they are then, since their uses are looked at again. */
void simd_interleave_locals(struct lower_context *lower, LLVMValueRef function)
{
    struct simd_local_uses array;
    size_t count;
    LLVMValueRef *variables = simd_find_variables(function, &count);
    for (size_t i = 0; i < count; i++) {
        while (find_array(&array, lower, variables[i]) && array.fill_count != 0) {
            expand_fill(&array, array.fills[0]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (find_array(&array, lower, variables[i])) {
            interleave(&array);
        }
    }
}
