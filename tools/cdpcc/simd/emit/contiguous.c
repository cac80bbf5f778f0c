/* One access of all lanes of a vector: a row, every few elements of one, or each where it is. */
#include "simd/emit/contiguous.h"

#include "simd/emit/metadata.h"
#include "simd/emit/nontemporal.h"
#include "simd/plan/index.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/kernel.h"
#include "simd/plan/nontemporal.h"

static void align_argument(struct simd_emit *emit, LLVMValueRef call, unsigned argument,
                           unsigned align)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(call, argument + 1,
                             LLVMCreateEnumAttribute(emit->lower->llvm, kind, align));
}

/* Lane 0, where a row starts, may be off: its address is only as good as the distance to
 * an active lane. */
static unsigned row_align(const struct simd_emit *emit, const struct simd_element *element)
{
    unsigned size = (unsigned)LLVMABISizeOfType(emit->lower->layout, element->type);
    return element->align < size ? element->align : size;
}

static LLVMValueRef mask_of(const struct simd_emit *emit, unsigned vector)
{
    return emit->mask == NULL ? emit->full : emit->mask[vector];
}

/* Where lane 0 of a vector access is.  A masked access touches nothing that its lanes are
 * off for, but processors are slow to find out where there is no memory at all, as with an
 * index below zero: with no lane on, it goes where there is some. */
static LLVMValueRef row_start(struct simd_emit *emit, LLVMValueRef at, unsigned vector)
{
    if (emit->mask == NULL) {
        return at;
    }
    LLVMValueRef any = simd_any_in(emit, emit->mask[vector]);
    return LLVMBuildSelect(emit->builder, any, at, emit->memory.scratch, "");
}

/* Its vectors have no masked access for elements of that size: one lane after the other would have
 * a branch. */
static bool lacks_masks(const struct simd_emit *emit, LLVMTypeRef type)
{
    enum { LEAST = 4 }; /* bytes, of what AVX masks */
    bool is_small = LLVMABISizeOfType(emit->lower->layout, type) < LEAST;
    return emit->lanes < SIMD_MOST_LANES / 2 || (emit->lanes < SIMD_MOST_LANES && is_small);
}

static LLVMValueRef masked_load(struct simd_emit *emit, const struct simd_element *element,
                                LLVMValueRef at, unsigned vector)
{
    LLVMTypeRef types[] = {simd_vector_type(emit, element->type), emit->lower->ptr};
    LLVMValueRef arguments[] = {at, emit->mask[vector], LLVMGetPoison(types[0])};
    LLVMValueRef result = simd_intrinsic(emit, "llvm.masked.load", types, 2, arguments, 3);
    align_argument(emit, result, 0, row_align(emit, element));
    simd_alias_mark(emit, element->instruction, result);
    return result;
}

static LLVMValueRef plain_load(struct simd_emit *emit, const struct simd_element *element,
                               LLVMValueRef at)
{
    LLVMTypeRef type = simd_vector_type(emit, element->type);
    LLVMValueRef result = LLVMBuildLoad2(emit->builder, type, at, "");
    LLVMSetAlignment(result, row_align(emit, element));
    simd_alias_mark(emit, element->instruction, result);
    return result;
}

/* i1: the row lies within one page.  There is memory at the active lanes, so there is at all.
 */
static LLVMValueRef is_in_page(struct simd_emit *emit, LLVMTypeRef type, LLVMValueRef at)
{
    enum { PAGE = 4096 };
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i64 = emit->lower->i64;
    int64_t row = (int64_t)(emit->lanes * LLVMABISizeOfType(emit->lower->layout, type));
    LLVMValueRef place =
        LLVMBuildAnd(b, LLVMBuildPtrToInt(b, at, i64, ""), simd_int(i64, PAGE - 1), "");
    return LLVMBuildICmp(b, LLVMIntULE, place, simd_int(i64, PAGE - row), "");
}

/* Lanes that are active or inactive together.  Without AVX-512, a masked store takes AMD's
 * processors as long as all else. */
static LLVMValueRef at_once(struct simd_emit *emit, unsigned vector)
{
    bool is_cheap = emit->lanes == SIMD_MOST_LANES || emit->mask == NULL;
    return is_cheap ? NULL : simd_one_for_all(emit, emit->mask[vector]);
}

static LLVMValueRef load_at_once(struct simd_emit *emit, const struct simd_element *element,
                                 LLVMValueRef at, LLVMValueRef all)
{
    struct simd_ways ways = simd_part_ways(emit, all, false);
    LLVMValueRef result = plain_load(emit, element, at);
    simd_other_way(emit, &ways, result);
    return simd_meet(emit, &ways, LLVMGetPoison(LLVMTypeOf(result)));
}

/* The same address, of which the optimizer knows nothing: a row may be larger than the array that
 * it is of, and what LLVM takes for too large an access to an array, it takes for one to another.
 */
static LLVMValueRef forget_origin(struct simd_emit *emit, LLVMValueRef at)
{
    LLVMTypeRef ptr = emit->lower->ptr, type = LLVMFunctionType(ptr, &ptr, 1, false);
    LLVMValueRef nothing =
        LLVMGetInlineAsm(type, "", 0, "=r,0", 4, false, false, LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(emit->builder, type, nothing, &at, 1, "");
}

/* Inactive lanes may get any value. */
static LLVMValueRef load_without_masks(struct simd_emit *emit, const struct simd_element *element,
                                       LLVMValueRef at, unsigned vector)
{
    struct simd_ways ways = simd_part_ways(emit, is_in_page(emit, element->type, at), true);
    simd_other_way(emit, &ways, plain_load(emit, element, forget_origin(emit, at)));
    return simd_meet(emit, &ways, masked_load(emit, element, at, vector));
}

/* ---- loads ---- */

LLVMValueRef simd_load_contiguous(struct simd_emit *emit, const struct simd_element *element,
                                  LLVMValueRef at, unsigned vector)
{
    LLVMValueRef all = at_once(emit, vector);
    if (all != NULL) {
        return load_at_once(emit, element, at, all);
    }
    if (emit->mask != NULL && lacks_masks(emit, element->type)) {
        return load_without_masks(emit, element, row_start(emit, at, vector), vector);
    }
    return emit->mask == NULL ? plain_load(emit, element, at)
                              : masked_load(emit, element, row_start(emit, at, vector), vector);
}

/* A vector of `step` times the lanes in which only each lane's own element is on: every
 * step-th.  What lies between may be another's, or no memory. */
static LLVMValueRef spread_mask(struct simd_emit *emit, LLVMValueRef mask, unsigned step)
{
    LLVMValueRef indices[SIMD_MOST_LANES * SIMD_MOST_STEP];
    for (unsigned i = 0; i < emit->lanes * step; i++) {
        indices[i] = LLVMConstInt(emit->lower->i32, i % step == 0 ? i / step : emit->lanes, 0);
    }
    return LLVMBuildShuffleVector(emit->builder, mask, emit->none,
                                  LLVMConstVector(indices, emit->lanes * step), "");
}

/* One field of neighbouring structures: a few loads and shuffles, which together take less
 * time than a gather. */
LLVMValueRef simd_load_strided(struct simd_emit *emit, const struct simd_element *element,
                               LLVMValueRef at, unsigned vector, unsigned step)
{
    LLVMTypeRef types[] = {LLVMVectorType(element->type, emit->lanes * step), emit->lower->ptr};
    LLVMValueRef mask = spread_mask(emit, mask_of(emit, vector), step);
    LLVMValueRef arguments[] = {row_start(emit, at, vector), mask, LLVMGetPoison(types[0])};
    LLVMValueRef wide = simd_intrinsic(emit, "llvm.masked.load", types, 2, arguments, 3);
    align_argument(emit, wide, 0, row_align(emit, element));
    simd_alias_mark(emit, element->instruction, wide);
    LLVMValueRef indices[SIMD_MOST_LANES];
    for (unsigned i = 0; i < emit->lanes; i++) {
        indices[i] = LLVMConstInt(emit->lower->i32, i * step, 0);
    }
    return LLVMBuildShuffleVector(emit->builder, wide, LLVMGetPoison(types[0]),
                                  LLVMConstVector(indices, emit->lanes), "");
}

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
    LLVMTypeRef types[] = {LLVMTypeOf(value), emit->lower->ptr};
    LLVMValueRef arguments[] = {value, row_start(emit, at, vector), emit->mask[vector]};
    LLVMValueRef result = simd_intrinsic(emit, "llvm.masked.store", types, 2, arguments, 3);
    align_argument(emit, result, 1, row_align(emit, element));
    simd_alias_mark(emit, element->instruction, result);
}

static void plain_store(struct simd_emit *emit, const struct simd_element *element,
                        LLVMValueRef value, LLVMValueRef at)
{
    LLVMValueRef result = LLVMBuildStore(emit->builder, value, at);
    LLVMSetAlignment(result, row_align(emit, element));
    simd_alias_mark(emit, element->instruction, result);
    if (emit->mask == NULL && element->is_nontemporal) {
        simd_mark_nontemporal(emit, result);
    }
}

/* Mostly all lanes are on, also where masks are made. */
static void store_without_masks(struct simd_emit *emit, const struct simd_element *element,
                                LLVMValueRef value, LLVMValueRef at, unsigned vector)
{
    LLVMValueRef bits = simd_bits(emit, emit->mask[vector]),
                 ones = LLVMConstAllOnes(LLVMTypeOf(bits));
    LLVMValueRef all = LLVMBuildICmp(emit->builder, LLVMIntEQ, bits, ones, "");
    struct simd_ways ways = simd_part_ways(emit, all, false);
    plain_store(emit, element, value, at);
    simd_other_way(emit, &ways, NULL);
    masked_store(emit, element, value, at, vector);
    simd_meet(emit, &ways, NULL);
}

static void store_at_once(struct simd_emit *emit, const struct simd_element *element,
                          LLVMValueRef value, LLVMValueRef at, LLVMValueRef all)
{
    struct simd_ways ways = simd_part_ways(emit, all, false);
    plain_store(emit, element, value, at);
    simd_or_nothing(emit, &ways);
}

void simd_store_contiguous(struct simd_emit *emit, const struct simd_element *element,
                           LLVMValueRef value, LLVMValueRef at, unsigned vector)
{
    LLVMValueRef all = at_once(emit, vector);
    if (emit->mask == NULL) {
        plain_store(emit, element, value, at);
    } else if (all != NULL) {
        store_at_once(emit, element, value, at, all);
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

/* ---- indices ---- */

LLVMValueRef simd_index_address(struct simd_emit *emit, const struct simd_index *index,
                                LLVMValueRef number, unsigned vector)
{
    struct simd_value base = simd_get(emit, index->base);
    LLVMValueRef more = simd_int(emit->lower->i64, index->offset);
    LLVMValueRef at =
        LLVMBuildGEP2(emit->builder, index->type, simd_scalar(&base, vector), &number, 1, "");
    return LLVMBuildGEP2(emit->builder, emit->lower->i8, at, &more, 1, "");
}
