/* Turns small local arrays whose indices differ between threads into values.
 *
 *     int count[4];
 *     count[i]++;                       count0 = i == 0 ? count0 + 1 : count0;
 *                                   ->  count1 = i == 1 ? count1 + 1 : count1; ...
 *
 * In memory each access of a vector of threads would be a gather or a scatter. And the gather that
 * follows a scatter waits until the scatter has reached the cache. A comparison and a select for
 * each element take less time if the elements are few. An index beyond the array's end is an error
 * of the program: such an access gets or changes another element, or none. */
#include "simd/prepare/small_arrays.h"

#include "ir/context.h"
#include "ir/indices.h"
#include "ir/module.h"
#include "ir/options.h"
#include "ir/value.h"
#include "simd/ir/lanes.h"
#include "simd/ir/memory.h"
#include "simd/prepare/local_uses.h"
#include "support/arena.h"
#include "target/processor.h"
#include "target/target.h"

#include <llvm-c/Core.h>

enum { MOST_SELECTS = 256 };

/* ---- which arrays ---- */

/* Elements that the vector registers hold for each lane, beside the kernel's other values. Those of
 * 64 bits take two registers, and smaller ones take one, as words do. Without AVX-512 each
 * comparison's mask is in a vector register, too, and SSE2 has no blends. Measured with counters,
 * sorted lists and stacks of 4 to 8 elements. */
static uint64_t most_elements(const struct simd_local_uses *array)
{
    const struct target *target = &array->lower->options->target;
    unsigned lanes = target_lanes(target);
    uint64_t registers = lanes == SIMD_MOST_LANES        ? 16
                         : target_is_arm(target->triple) ? 8
                         : lanes > SIMD_FEWEST_LANES     ? 6
                                                         : 4;
    uint64_t most = array->element > sizeof(uint32_t) ? registers / 2 : registers;
    return most < SIMD_MOST_SMALL_ELEMENTS ? most : SIMD_MOST_SMALL_ELEMENTS;
}

/* The address of one element, whatever the thread does. */
static bool is_fixed(LLVMValueRef address)
{
    for (; LLVMIsAGetElementPtrInst(address) != NULL; address = LLVMGetOperand(address, 0)) {
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(address); i++) {
            if (LLVMIsAConstantInt(LLVMGetOperand(address, i)) == NULL) {
                return false;
            }
        }
    }
    return LLVMIsAAllocaInst(address) != NULL;
}

/* Elements of a wide access. */
static uint64_t parts_of(const struct simd_local_uses *array, LLVMValueRef access)
{
    return LLVMABISizeOfType(array->lower->layout, simd_accessed_type(access)) / array->element;
}

/* Comparisons and selects that replace its accesses. */
static uint64_t selects_of(const struct simd_local_uses *array)
{
    uint64_t selected = 0;
    for (size_t i = 0; i < array->access_count; i++) {
        selected += !is_fixed(simd_accessed(array->accesses[i]));
    }
    for (size_t i = 0; i < array->wide_count; i++) {
        bool is_chosen = !is_fixed(simd_accessed(array->wide[i]));
        selected += is_chosen ? parts_of(array, array->wide[i]) : 0;
    }
    return selected * (array->size / array->element);
}

/* LLVM turns fills at constant offsets into values. Another one would keep the array in memory. */
static bool has_fixed_fills(const struct simd_local_uses *array)
{
    for (size_t i = 0; i < array->fill_count; i++) {
        LLVMValueRef to = LLVMGetOperand(array->fills[i], 0),
                     from = LLVMGetOperand(array->fills[i], 1);
        unsigned number;
        bool is_own = lower_map_find(&array->numbers, from, &number);
        if ((lower_map_find(&array->numbers, to, &number) && !is_fixed(to)) ||
            (is_own && !is_fixed(from))) {
            return false;
        }
    }
    return true;
}

bool simd_has_few_elements(const struct simd_local_uses *array)
{
    return array->size / array->element <= most_elements(array);
}

bool simd_is_small_array(const struct simd_local_uses *array)
{
    return simd_has_few_elements(array) && array->comparison_count == 0 && has_fixed_fills(array) &&
           selects_of(array) <= MOST_SELECTS;
}

/* ---- marks ---- */

static unsigned mark_kind(struct lower_context *lower)
{
    static const char name[] = "cdp.small";
    return LLVMGetMDKindIDInContext(lower->llvm, name, sizeof name - 1);
}

void simd_mark_small_array(const struct simd_local_uses *array)
{
    struct lower_context *lower = array->lower;
    LLVMMetadataRef node = LLVMMDNodeInContext2(lower->llvm, NULL, 0);
    for (size_t i = 0; i < array->alloca_count; i++) {
        LLVMSetMetadata(array->allocas[i], mark_kind(lower),
                        LLVMMetadataAsValue(lower->llvm, node));
    }
}

void simd_unmark_small_arrays(struct lower_context *lower, LLVMValueRef function)
{
    size_t count;
    LLVMValueRef *variables = simd_find_variables(function, &count);
    for (size_t i = 0; i < count; i++) {
        LLVMSetMetadata(variables[i], mark_kind(lower), NULL);
    }
}

/* ---- the element of an address ---- */

/* The offset in the array of each address, where the address is computed. Several variables count
 * as one after the other. In the arena. */
struct offsets {
    const struct simd_local_uses *array;
    uint64_t unit; /* bytes that offsets count: an element's, or 1 if an index may be part of one */
    LLVMValueRef *of; /* i32, by number of the address; NULL: not yet */
};

/* Constants are numbers of bytes, like the offsets of fields. */
static struct lower_index index_of(const struct simd_local_uses *array, LLVMValueRef address,
                                   unsigned i, LLVMTypeRef *type)
{
    struct lower_index index = lower_index_of(array->lower->layout, address, i, type);
    if (index.number != NULL && LLVMIsAConstantInt(index.number) != NULL) {
        index.bytes *= (uint64_t)LLVMConstIntGetSExtValue(index.number);
        index.number = NULL;
    }
    return index;
}

static uint64_t unit_of(const struct simd_local_uses *array)
{
    for (size_t i = 0; i < array->address_count; i++) {
        LLVMValueRef address = array->addresses[i];
        LLVMTypeRef type = NULL;
        bool is_index = LLVMIsAGetElementPtrInst(address) != NULL;
        for (unsigned k = 1; is_index && k < (unsigned)LLVMGetNumOperands(address); k++) {
            if (index_of(array, address, k, &type).bytes % array->element != 0) {
                return 1;
            }
        }
    }
    return array->element;
}

static LLVMValueRef offset_of(struct offsets *offsets, LLVMValueRef address);

static uint64_t size_of(const struct simd_local_uses *array, LLVMValueRef alloca)
{
    return LLVMABISizeOfType(array->lower->layout, LLVMGetAllocatedType(alloca));
}

static LLVMValueRef offset_of_variable(const struct offsets *offsets, LLVMValueRef alloca)
{
    const struct simd_local_uses *array = offsets->array;
    uint64_t bytes = 0;
    for (size_t i = 0; array->allocas[i] != alloca; i++) {
        bytes += size_of(array, array->allocas[i]);
    }
    return LLVMConstInt(array->lower->types.i32, bytes / offsets->unit, false);
}

/* What one index of an address adds. */
static LLVMValueRef distance_of(const struct offsets *offsets, LLVMBuilderRef builder,
                                const struct lower_index *index)
{
    LLVMTypeRef type = offsets->array->lower->types.i32;
    int64_t units = (int64_t)index->bytes / (int64_t)offsets->unit;
    LLVMValueRef distance = LLVMConstInt(type, (uint64_t)units, true), number = index->number;
    if (number == NULL) {
        return distance;
    }
    /* The other bits of an index that is widened are zeros, or copies of its sign. */
    bool is_widened = LLVMIsASExtInst(number) != NULL || LLVMIsAZExtInst(number) != NULL;
    if (is_widened && LLVMTypeOf(LLVMGetOperand(number, 0)) == type) {
        number = LLVMGetOperand(number, 0);
    }
    number = LLVMBuildIntCast2(builder, number, type, true, "");
    return LLVMBuildNSWMul(builder, number, distance, "");
}

static LLVMValueRef offset_at_index(struct offsets *offsets, LLVMBuilderRef builder,
                                    LLVMValueRef address)
{
    LLVMTypeRef type = NULL;
    LLVMValueRef sum = offset_of(offsets, LLVMGetOperand(address, 0));
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(address); i++) {
        struct lower_index index = index_of(offsets->array, address, i, &type);
        sum = LLVMBuildAdd(builder, sum, distance_of(offsets, builder, &index), "");
    }
    return sum;
}

/* The phi must have its offset before those that come in, since one of them may be its own. */
static void set_offset_of_phi(struct offsets *offsets, LLVMBuilderRef builder, unsigned at,
                              LLVMValueRef address)
{
    LLVMValueRef phi = LLVMBuildPhi(builder, offsets->array->lower->types.i32, "");
    offsets->of[at] = phi;
    for (unsigned i = 0; i < LLVMCountIncoming(address); i++) {
        LLVMValueRef offset = offset_of(offsets, LLVMGetIncomingValue(address, i));
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(address, i);
        LLVMAddIncoming(phi, &offset, &from, 1);
    }
}

static LLVMValueRef offset_of(struct offsets *offsets, LLVMValueRef address)
{
    const struct simd_local_uses *array = offsets->array;
    unsigned at = 0;
    lower_map_find(&array->numbers, address, &at);
    if (LLVMIsAAllocaInst(address) != NULL) {
        return offset_of_variable(offsets, address);
    }
    if (offsets->of[at] != NULL) {
        return offsets->of[at];
    }
    LLVMBuilderRef builder = lower_builder_before(array->lower, address);
    if (LLVMIsAPHINode(address) != NULL) {
        set_offset_of_phi(offsets, builder, at, address);
    } else if (LLVMIsASelectInst(address) != NULL) {
        LLVMValueRef yes = offset_of(offsets, LLVMGetOperand(address, 1)),
                     no = offset_of(offsets, LLVMGetOperand(address, 2));
        offsets->of[at] = LLVMBuildSelect(builder, LLVMGetOperand(address, 0), yes, no, "");
    } else {
        offsets->of[at] = offset_at_index(offsets, builder, address);
    }
    LLVMDisposeBuilder(builder);
    return offsets->of[at];
}

/* ---- accesses ---- */

/* The address of an element by its number. */
static LLVMValueRef element_at(const struct simd_local_uses *array, LLVMBuilderRef builder,
                               uint64_t element)
{
    uint64_t bytes = element * array->element;
    LLVMValueRef *alloca = array->allocas;
    for (; bytes >= size_of(array, *alloca); alloca++) {
        bytes -= size_of(array, *alloca);
    }
    LLVMValueRef offset = LLVMConstInt(array->lower->types.i64, bytes, false);
    return LLVMBuildInBoundsGEP2(builder, array->lower->types.i8, *alloca, &offset, 1, "");
}

static LLVMValueRef load_element(const struct simd_local_uses *array, LLVMBuilderRef builder,
                                 LLVMTypeRef type, uint64_t element)
{
    LLVMValueRef load = LLVMBuildLoad2(builder, type, element_at(array, builder, element), "");
    LLVMSetAlignment(load, (unsigned)array->element);
    return load;
}

/* Accesses are aligned, so they are at the start of an element. */
static LLVMValueRef is_element(const struct offsets *offsets, LLVMBuilderRef builder,
                               LLVMValueRef offset, uint64_t element)
{
    LLVMValueRef start =
        LLVMConstInt(LLVMTypeOf(offset), element * offsets->array->element / offsets->unit, false);
    return LLVMBuildICmp(builder, LLVMIntEQ, offset, start, "");
}

static void expand_load(const struct offsets *offsets, LLVMBuilderRef builder, LLVMValueRef load,
                        LLVMValueRef offset)
{
    const struct simd_local_uses *array = offsets->array;
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMValueRef value = load_element(array, builder, type, 0);
    for (uint64_t i = 1; i < array->size / array->element; i++) {
        LLVMValueRef element = load_element(array, builder, type, i);
        value =
            LLVMBuildSelect(builder, is_element(offsets, builder, offset, i), element, value, "");
    }
    LLVMReplaceAllUsesWith(load, value);
}

static void expand_store(const struct offsets *offsets, LLVMBuilderRef builder, LLVMValueRef stored,
                         LLVMValueRef offset)
{
    const struct simd_local_uses *array = offsets->array;
    for (uint64_t i = 0; i < array->size / array->element; i++) {
        LLVMValueRef element = load_element(array, builder, LLVMTypeOf(stored), i);
        LLVMValueRef value =
            LLVMBuildSelect(builder, is_element(offsets, builder, offset, i), stored, element, "");
        LLVMValueRef store = LLVMBuildStore(builder, value, element_at(array, builder, i));
        LLVMSetAlignment(store, (unsigned)array->element);
    }
}

/* The address `part` elements behind the one of the access. */
static LLVMValueRef address_of_part(const struct simd_local_uses *array, LLVMBuilderRef builder,
                                    LLVMValueRef access, uint64_t part)
{
    LLVMValueRef offset = LLVMConstInt(array->lower->types.i64, part * array->element, 0);
    return LLVMBuildInBoundsGEP2(builder, array->lower->types.i8, simd_accessed(access), &offset, 1,
                                 "");
}

static void split_load(const struct simd_local_uses *array, LLVMBuilderRef builder,
                       LLVMValueRef access)
{
    LLVMTypeRef wide = LLVMTypeOf(access),
                narrow = LLVMIntTypeInContext(array->lower->llvm, (unsigned)array->element * 8);
    LLVMValueRef result = LLVMConstInt(wide, 0, 0);
    for (uint64_t i = 0; i < parts_of(array, access); i++) {
        LLVMValueRef at = address_of_part(array, builder, access, i),
                     load = LLVMBuildLoad2(builder, narrow, at, ""),
                     shift = LLVMConstInt(wide, i * array->element * 8, 0);
        LLVMSetAlignment(load, (unsigned)array->element);
        load = LLVMBuildShl(builder, LLVMBuildZExt(builder, load, wide, ""), shift, "");
        result = LLVMBuildOr(builder, result, load, "");
    }
    LLVMReplaceAllUsesWith(access, result);
}

static void split_store(const struct simd_local_uses *array, LLVMBuilderRef builder,
                        LLVMValueRef access)
{
    LLVMValueRef stored = LLVMGetOperand(access, 0);
    LLVMTypeRef narrow = LLVMIntTypeInContext(array->lower->llvm, (unsigned)array->element * 8);
    for (uint64_t i = 0; i < parts_of(array, access); i++) {
        LLVMValueRef shift = LLVMConstInt(LLVMTypeOf(stored), i * array->element * 8, 0),
                     part = LLVMBuildLShr(builder, stored, shift, "");
        LLVMValueRef store = LLVMBuildStore(builder, LLVMBuildTrunc(builder, part, narrow, ""),
                                            address_of_part(array, builder, access, i));
        LLVMSetAlignment(store, (unsigned)array->element);
    }
}

/* Wide accesses become accesses of elements. */
static void split_wide(const struct simd_local_uses *array)
{
    for (size_t i = 0; i < array->wide_count; i++) {
        LLVMValueRef access = array->wide[i];
        LLVMBuilderRef builder = lower_builder_before(array->lower, access);
        if (LLVMIsALoadInst(access) != NULL) {
            split_load(array, builder, access);
        } else {
            split_store(array, builder, access);
        }
        LLVMInstructionEraseFromParent(access);
        LLVMDisposeBuilder(builder);
    }
}

static void expand_access(struct offsets *offsets, LLVMValueRef access)
{
    const struct simd_local_uses *array = offsets->array;
    if (is_fixed(simd_accessed(access))) {
        return;
    }
    LLVMValueRef offset = offset_of(offsets, simd_accessed(access));
    LLVMBuilderRef builder = lower_builder_before(array->lower, access);
    if (LLVMIsALoadInst(access) != NULL) {
        expand_load(offsets, builder, access, offset);
    } else {
        expand_store(offsets, builder, LLVMGetOperand(access, 0), offset);
    }
    LLVMInstructionEraseFromParent(access);
    LLVMDisposeBuilder(builder);
}

/* An access of one variable becomes accesses of all, so all must come before it. */
static void move_to_start(const struct simd_local_uses *array)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(array->allocas[0]);
    for (size_t i = 0; i < array->alloca_count; i++) {
        LLVMInstructionRemoveFromParent(array->allocas[i]);
        LLVMBuilderRef builder =
            lower_builder_at_entry(array->lower, LLVMGetBasicBlockParent(block));
        LLVMInsertIntoBuilder(builder, array->allocas[i]);
        LLVMDisposeBuilder(builder);
    }
}

static bool find_marked(struct simd_local_uses *array, struct lower_context *lower,
                        LLVMValueRef alloca)
{
    return LLVMGetMetadata(alloca, mark_kind(lower)) != NULL &&
           simd_find_local_uses(array, lower, alloca);
}

/* Phis of addresses are no longer used then. adce removes them before sroa sees them. */
void simd_expand_small_arrays(struct lower_context *lower, LLVMValueRef function)
{
    static const char passes[] =
        "adce,sroa,instsimplify,early-cse<memssa>,adce,loop-simplify,lcssa";
    struct simd_local_uses array;
    size_t count;
    LLVMValueRef *variables = simd_find_variables(function, &count);
    for (size_t i = 0; i < count; i++) {
        if (find_marked(&array, lower, variables[i])) {
            split_wide(&array);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (find_marked(&array, lower, variables[i])) {
            struct offsets offsets = {.array = &array, .unit = unit_of(&array)};
            move_to_start(&array);
            offsets.of = arena_alloc(array.address_count * sizeof *offsets.of);
            for (size_t k = 0; k < array.access_count; k++) {
                expand_access(&offsets, array.accesses[k]);
            }
        }
    }
    module_run_passes_on(function, passes, lower->machine);
}
