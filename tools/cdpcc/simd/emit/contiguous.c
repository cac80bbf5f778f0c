/* Vector accesses of one vector's lanes: contiguous, strided, gather and scatter.
 *
 * LLVM's intrinsics do the work: llvm.masked.load, .store, .gather and .scatter. This file is
 * about where they are slow or not enough:
 *
 *     AVX2 and bytes or half words    no masked form: a plain load if it stays within a page
 *     masks that are one condition    a branch around a plain access, without AVX-512
 *     local arrays without AVX-512    plain loads, and stores of what inactive lanes have there
 *     addresses of inactive lanes     redirected to the scratch memory if no lane is active
 *     every second to fourth element  a wide load with a mask, and a shuffle */
#include "simd/emit/contiguous.h"

#include "ir/context.h"
#include "simd/emit/builder.h"
#include "simd/emit/deinterleave.h"
#include "simd/emit/emit.h"
#include "simd/emit/metadata.h"
#include "simd/emit/nontemporal.h"
#include "simd/ir/lanes.h"
#include "simd/plan/access.h"
#include "simd/plan/index.h"

/* Arguments are counted from 0, attributes of them from 1. */
static void align_argument(struct simd_emit *emit, LLVMValueRef call, unsigned argument,
                           unsigned align)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(call, argument + 1,
                             LLVMCreateEnumAttribute(emit->lower->llvm, kind, align));
}

/* The alignment of lane 0's address.  Lane 0 may be inactive, so its address is only as aligned as
 * its distance to an active lane allows. */
static unsigned vector_align(const struct simd_emit *emit, const struct simd_element *element)
{
    unsigned size = (unsigned)LLVMABISizeOfType(emit->lower->layout, element->type);
    return element->align < size ? element->align : size;
}

static LLVMValueRef mask_of(const struct simd_emit *emit, unsigned vector)
{
    return emit->mask == NULL ? emit->full : emit->mask[vector];
}

/* The address of lane 0 in a vector access.  A masked access touches no memory of inactive lanes.
 * But processors are slow at an address where nothing is mapped, such as one with a negative index.
 * So if no lane is active, the access goes to mapped memory. */
static LLVMValueRef vector_start(struct simd_emit *emit, const struct simd_element *element,
                                 LLVMValueRef at, unsigned vector)
{
    if (emit->mask == NULL || element->is_in_array) {
        return at;
    }
    LLVMValueRef any = simd_any_in(emit, emit->mask[vector]);
    return LLVMBuildSelect(emit->builder, any, at, emit->memory.scratch, "");
}

/* The processor has no masked access for elements of that size, so LLVM would emit a branch for
 * each lane. */
static bool lacks_masks(const struct simd_emit *emit, LLVMTypeRef type)
{
    enum { LEAST = 4 }; /* bytes: the least size of elements that AVX masks */
    bool is_small = LLVMABISizeOfType(emit->lower->layout, type) < LEAST;
    return emit->lanes < SIMD_MOST_LANES / 2 || (emit->lanes < SIMD_MOST_LANES && is_small);
}

static LLVMValueRef masked_load(struct simd_emit *emit, const struct simd_element *element,
                                LLVMValueRef at, unsigned vector)
{
    LLVMTypeRef types[] = {simd_vector_type(emit, element->type), emit->lower->types.ptr};
    LLVMValueRef arguments[] = {at, emit->mask[vector], LLVMGetPoison(types[0])};
    LLVMValueRef result = simd_intrinsic(emit, "llvm.masked.load", types, 2, arguments, 3);
    align_argument(emit, result, 0, vector_align(emit, element));
    simd_alias_mark(emit, element->instruction, result);
    return result;
}

static LLVMValueRef plain_load(struct simd_emit *emit, const struct simd_element *element,
                               LLVMValueRef at)
{
    LLVMTypeRef type = simd_vector_type(emit, element->type);
    LLVMValueRef result = LLVMBuildLoad2(emit->builder, type, at, "");
    LLVMSetAlignment(result, vector_align(emit, element));
    simd_keep_volatile(element->instruction, result);
    simd_alias_mark(emit, element->instruction, result);
    return result;
}

/* i1: the vector's elements are within one page.  If a lane is active, there is memory at its
 * element, and so in the whole page. */
static LLVMValueRef is_in_page(struct simd_emit *emit, LLVMTypeRef type, LLVMValueRef at)
{
    enum { PAGE = 4096 };
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i64 = emit->lower->types.i64;
    int64_t bytes = (int64_t)(emit->lanes * LLVMABISizeOfType(emit->lower->layout, type));
    LLVMValueRef offset =
        LLVMBuildAnd(b, LLVMBuildPtrToInt(b, at, i64, ""), simd_int(i64, PAGE - 1), "");
    return LLVMBuildICmp(b, LLVMIntULE, offset, simd_int(i64, PAGE - bytes), "");
}

/* i1, or NULL: the lanes are active or inactive together.  Without AVX-512, a masked store on AMD's
 * processors takes as long as all other instructions together. */
static LLVMValueRef one_condition(struct simd_emit *emit, unsigned vector)
{
    bool is_cheap = emit->lanes == SIMD_MOST_LANES || emit->mask == NULL;
    return is_cheap ? NULL : simd_one_for_all(emit, emit->mask[vector]);
}

static LLVMValueRef load_if_all(struct simd_emit *emit, const struct simd_element *element,
                                LLVMValueRef at, LLVMValueRef all)
{
    struct simd_diamond diamond = simd_begin_if(emit, all, false);
    LLVMValueRef result = plain_load(emit, element, at);
    simd_begin_else(emit, &diamond, result);
    return simd_end_if(emit, &diamond, LLVMGetPoison(LLVMTypeOf(result)));
}

/* The same address, with an origin that the optimizer does not know.  A vector may be larger than
 * the array that it accesses.  LLVM assumes that an access too large for one array is to another
 * array. */
static LLVMValueRef forget_origin(struct simd_emit *emit, LLVMValueRef at)
{
    LLVMTypeRef ptr = emit->lower->types.ptr, type = LLVMFunctionType(ptr, &ptr, 1, false);
    LLVMValueRef nothing =
        LLVMGetInlineAsm(type, "", 0, "=r,0", 4, false, false, LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(emit->builder, type, nothing, &at, 1, "");
}

/* Inactive lanes may get any value.
 * If the vector crosses a page, the masked load is safe, though slow. */
static LLVMValueRef load_without_masks(struct simd_emit *emit, const struct simd_element *element,
                                       LLVMValueRef at, unsigned vector)
{
    struct simd_diamond diamond = simd_begin_if(emit, is_in_page(emit, element->type, at), true);
    simd_begin_else(emit, &diamond, plain_load(emit, element, forget_origin(emit, at)));
    return simd_end_if(emit, &diamond, masked_load(emit, element, at, vector));
}

/* The memory of inactive lanes belongs to threads that this function runs. With AVX-512 masks cost
 * nothing, but LLVM forwards only plain stores to later loads. An access that is known to be in the
 * array may also be executed if no lane is active. */
static bool is_owned(const struct simd_emit *emit, const struct simd_element *element)
{
    bool is_better = emit->lanes != SIMD_MOST_LANES || element->is_in_array;
    return element->is_interleaved && emit->mask != NULL && is_better;
}

/* ---- loads ---- */

LLVMValueRef simd_load_contiguous(struct simd_emit *emit, const struct simd_element *element,
                                  LLVMValueRef at, unsigned vector)
{
    LLVMValueRef all = one_condition(emit, vector);
    if (is_owned(emit, element)) {
        return plain_load(emit, element, vector_start(emit, element, at, vector));
    }
    if (all != NULL) {
        return load_if_all(emit, element, at, all);
    }
    if (emit->mask != NULL && lacks_masks(emit, element->type)) {
        return load_without_masks(emit, element, vector_start(emit, element, at, vector), vector);
    }
    return emit->mask == NULL
               ? plain_load(emit, element, at)
               : masked_load(emit, element, vector_start(emit, element, at, vector), vector);
}

/* The mask of the vector number `index` of those that hold `step` elements for each lane. Only each
 * lane's own element, every step-th, is active.  The elements between may belong to other data, or
 * may not be mapped. */
static LLVMValueRef spread_mask(struct simd_emit *emit, LLVMValueRef mask, unsigned step,
                                unsigned index)
{
    int lanes[SIMD_MOST_LANES];
    for (unsigned i = 0; i < emit->lanes; i++) {
        unsigned at = index * emit->lanes + i;
        lanes[i] = (int)(at % step == 0 ? at / step : emit->lanes);
    }
    return simd_shuffle_lanes(emit, mask, emit->none, lanes);
}

/* Loads one field of neighbouring structures by a few loads and shuffles, which together take less
 * time than a gather. */
LLVMValueRef simd_load_strided(struct simd_emit *emit, const struct simd_element *element,
                               LLVMValueRef at, unsigned vector, unsigned step)
{
    LLVMTypeRef types[] = {simd_vector_type(emit, element->type), emit->lower->types.ptr};
    LLVMValueRef vectors[SIMD_MOST_STEP], start = vector_start(emit, element, at, vector);
    for (unsigned i = 0; i < step; i++) {
        LLVMValueRef elements = simd_int(emit->lower->types.i64, (int64_t)i * emit->lanes);
        LLVMValueRef arguments[] = {
            LLVMBuildGEP2(emit->builder, element->type, start, &elements, 1, ""),
            spread_mask(emit, mask_of(emit, vector), step, i), LLVMGetPoison(types[0])};
        vectors[i] = simd_intrinsic(emit, "llvm.masked.load", types, 2, arguments, 3);
        align_argument(emit, vectors[i], 0, vector_align(emit, element));
        simd_alias_mark(emit, element->instruction, vectors[i]);
    }
    return simd_deinterleave(emit, vectors, step, 0);
}

/* Each lane's address is as aligned as the kernel's own access. */
LLVMValueRef simd_gather(struct simd_emit *emit, const struct simd_element *element,
                         const struct simd_value *at, unsigned vector)
{
    LLVMValueRef addresses = simd_vector(emit, at, vector);
    LLVMTypeRef types[] = {simd_vector_type(emit, element->type), LLVMTypeOf(addresses)};
    LLVMValueRef arguments[] = {addresses, mask_of(emit, vector), LLVMGetPoison(types[0])};
    LLVMValueRef result = simd_intrinsic(emit, "llvm.masked.gather", types, 2, arguments, 3);
    align_argument(emit, result, 0, element->align);
    simd_alias_mark(emit, element->instruction, result);
    return result;
}

/* ---- stores ---- */

static void masked_store(struct simd_emit *emit, const struct simd_element *element,
                         LLVMValueRef value, LLVMValueRef at, unsigned vector)
{
    LLVMTypeRef types[] = {LLVMTypeOf(value), emit->lower->types.ptr};
    LLVMValueRef arguments[] = {value, vector_start(emit, element, at, vector), emit->mask[vector]};
    LLVMValueRef result = simd_intrinsic(emit, "llvm.masked.store", types, 2, arguments, 3);
    align_argument(emit, result, 1, vector_align(emit, element));
    simd_alias_mark(emit, element->instruction, result);
}

static void plain_store(struct simd_emit *emit, const struct simd_element *element,
                        LLVMValueRef value, LLVMValueRef at)
{
    LLVMValueRef result = LLVMBuildStore(emit->builder, value, at);
    LLVMSetAlignment(result, vector_align(emit, element));
    simd_keep_volatile(element->instruction, result);
    simd_alias_mark(emit, element->instruction, result);
    if (emit->mask == NULL && element->is_nontemporal) {
        simd_mark_nontemporal(emit, result);
    }
}

/* In most cases all lanes are active, even where masks are used, so that case is tested first. */
static void store_without_masks(struct simd_emit *emit, const struct simd_element *element,
                                LLVMValueRef value, LLVMValueRef at, unsigned vector)
{
    LLVMValueRef bits = simd_bits(emit, emit->mask[vector]),
                 ones = LLVMConstAllOnes(LLVMTypeOf(bits));
    LLVMValueRef all = LLVMBuildICmp(emit->builder, LLVMIntEQ, bits, ones, "");
    struct simd_diamond diamond = simd_begin_if(emit, all, false);
    plain_store(emit, element, value, at);
    simd_begin_else(emit, &diamond, NULL);
    masked_store(emit, element, value, at, vector);
    simd_end_if(emit, &diamond, NULL);
}

/* Inactive lanes keep what they have. The scratch memory stays zero. */
static void store_owned(struct simd_emit *emit, const struct simd_element *element,
                        LLVMValueRef value, LLVMValueRef at, unsigned vector)
{
    LLVMValueRef start = vector_start(emit, element, at, vector),
                 old = plain_load(emit, element, start);
    value = LLVMBuildSelect(emit->builder, emit->mask[vector], value, old, "");
    plain_store(emit, element, value, start);
}

static void store_if_all(struct simd_emit *emit, const struct simd_element *element,
                         LLVMValueRef value, LLVMValueRef at, LLVMValueRef all)
{
    struct simd_diamond diamond = simd_begin_if(emit, all, false);
    plain_store(emit, element, value, at);
    simd_end_if_without_else(emit, &diamond);
}

void simd_store_contiguous(struct simd_emit *emit, const struct simd_element *element,
                           LLVMValueRef value, LLVMValueRef at, unsigned vector)
{
    LLVMValueRef all = one_condition(emit, vector);
    if (emit->mask == NULL) {
        plain_store(emit, element, value, at);
    } else if (is_owned(emit, element)) {
        store_owned(emit, element, value, at, vector);
    } else if (all != NULL) {
        store_if_all(emit, element, value, at, all);
    } else if (lacks_masks(emit, element->type)) {
        store_without_masks(emit, element, value, at, vector);
    } else {
        masked_store(emit, element, value, at, vector);
    }
}

void simd_scatter(struct simd_emit *emit, const struct simd_element *element, LLVMValueRef value,
                  const struct simd_value *at, unsigned vector)
{
    LLVMValueRef addresses = simd_vector(emit, at, vector);
    LLVMTypeRef types[] = {LLVMTypeOf(value), LLVMTypeOf(addresses)};
    LLVMValueRef arguments[] = {value, addresses, mask_of(emit, vector)};
    LLVMValueRef result = simd_intrinsic(emit, "llvm.masked.scatter", types, 2, arguments, 3);
    align_argument(emit, result, 1, element->align);
    simd_alias_mark(emit, element->instruction, result);
}

/* ---- descending order ---- */

LLVMValueRef simd_reverse(struct simd_emit *emit, LLVMValueRef vector)
{
    LLVMValueRef indices[SIMD_MOST_LANES];
    for (unsigned i = 0; i < emit->lanes; i++) {
        indices[i] = LLVMConstInt(emit->lower->types.i32, emit->lanes - 1 - i, 0);
    }
    return LLVMBuildShuffleVector(emit->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(indices, emit->lanes), "");
}

/* Switches to the mask of the elements in ascending order, until the lanes' own mask is restored.
 * A mask that is one condition for all lanes stays what it is. */
static LLVMValueRef *reverse_mask(struct simd_emit *emit, unsigned vector, LLVMValueRef *reversed)
{
    LLVMValueRef *lanes = emit->mask;
    if (lanes != NULL && simd_one_for_all(emit, lanes[vector]) == NULL) {
        reversed[vector] = simd_reverse(emit, lanes[vector]);
        emit->mask = reversed;
    }
    return lanes;
}

/* The address of the last lane's element. */
static LLVMValueRef lowest(struct simd_emit *emit, const struct simd_element *element,
                           LLVMValueRef at)
{
    int64_t size = (int64_t)LLVMABISizeOfType(emit->lower->layout, element->type);
    LLVMValueRef offset = simd_int(emit->lower->types.i64, -size * (int64_t)(emit->lanes - 1));
    return LLVMBuildGEP2(emit->builder, emit->lower->types.i8, at, &offset, 1, "");
}

LLVMValueRef simd_load_reversed(struct simd_emit *emit, const struct simd_element *element,
                                LLVMValueRef at, unsigned vector)
{
    LLVMValueRef mask[SIMD_MOST_VECTORS], *lanes = reverse_mask(emit, vector, mask);
    LLVMValueRef ascending = simd_load_contiguous(emit, element, lowest(emit, element, at), vector);
    emit->mask = lanes;
    return simd_reverse(emit, ascending);
}

void simd_store_reversed(struct simd_emit *emit, const struct simd_element *element,
                         LLVMValueRef value, LLVMValueRef at, unsigned vector)
{
    LLVMValueRef mask[SIMD_MOST_VECTORS], *lanes = reverse_mask(emit, vector, mask);
    simd_store_contiguous(emit, element, simd_reverse(emit, value), lowest(emit, element, at),
                          vector);
    emit->mask = lanes;
}

/* ---- indices ---- */

LLVMValueRef simd_index_address(struct simd_emit *emit, const struct simd_index *index,
                                LLVMValueRef number, unsigned vector)
{
    struct simd_value base = simd_get(emit, index->base);
    LLVMValueRef more = simd_int(emit->lower->types.i64, index->offset);
    LLVMValueRef at =
        LLVMBuildGEP2(emit->builder, index->type, simd_scalar(&base, vector), &number, 1, "");
    return LLVMBuildGEP2(emit->builder, emit->lower->types.i8, at, &more, 1, "");
}
