/* The inline part of AddressSanitizer's tests (instrument/address.c).
 *
 * A vector's lanes access up to 512 bytes that follow each other, so their shadow is one word of up
 * to 64 bytes.  If it is zero, all of the memory may be accessed.  If not, the runtime looks at the
 * lanes that are active. */
#include "simd/emit/shadow.h"

#include "ir/context.h"
#include "ir/options.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/lane_addresses.h"
#include "simd/ir/variant.h"
#include "target/target.h"

#include <llvm-c/Core.h>
#include <stddef.h>

enum { GRANULE = 8, MOST_GRANULES = 64 };

/* The shadow of address a is at a / GRANULE + offset, as LLVM's pass has it. */
static uint64_t shadow_offset(const struct simd_emit *emit)
{
    bool is_arm = target_is_arm(emit->lower->options->target.triple);
    return is_arm ? UINT64_C(1) << 36 : UINT64_C(0x7fff8000);
}

/* i1: the shadow of that many granules from the address on is zero. */
static LLVMValueRef is_zero(struct simd_emit *emit, LLVMValueRef address, unsigned granules)
{
    LLVMBuilderRef b = emit->builder;
    struct lower_types *types = &emit->lower->types;
    LLVMTypeRef type = LLVMIntTypeInContext(emit->lower->llvm, granules * 8);
    LLVMValueRef at = LLVMBuildPtrToInt(b, address, types->i64, "");
    at = LLVMBuildUDiv(b, at, simd_int(types->i64, GRANULE), "");
    at = LLVMBuildAdd(b, at, simd_int(types->i64, (int64_t)shadow_offset(emit)), "");
    LLVMValueRef shadow =
        LLVMBuildLoad2(b, type, LLVMBuildIntToPtr(b, at, types->ptr, ""), "shadow");
    LLVMSetAlignment(shadow, 1);
    return LLVMBuildICmp(b, LLVMIntEQ, shadow, LLVMConstNull(type), "");
}

/* i1: the bytes from the address on may be accessed.  If it is not aligned, they end in one more
 * granule. */
static LLVMValueRef is_open(struct simd_emit *emit, LLVMValueRef address, uint64_t bytes)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef last = simd_int(emit->lower->types.i64, (int64_t)bytes - 1);
    LLVMValueRef end = LLVMBuildGEP2(b, emit->lower->types.i8, address, &last, 1, "");
    unsigned granules = (unsigned)((bytes + GRANULE - 1) / GRANULE);
    return LLVMBuildAnd(b, is_zero(emit, address, granules), is_zero(emit, end, 1), "");
}

static bool is_same_in_all(struct simd_emit *emit, const struct simd_value *address)
{
    bool is_same = true;
    for (unsigned u = 1; u < emit->vectors; u++) {
        is_same &= simd_scalar(address, u) == simd_scalar(address, 0);
    }
    return is_same;
}

/* The first lane's address.  If no lane of the vector is active, it has no meaning; then the
 * address of memory that may be accessed. */
static LLVMValueRef address_if_active(struct simd_emit *emit, const struct simd_value *address,
                                      unsigned vector)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef at = simd_scalar(address, vector);
    if (emit->mask == NULL) {
        return at;
    }
    LLVMValueRef bits = LLVMBuildBitCast(b, emit->mask[vector], emit->types.bits, "");
    LLVMValueRef any = LLVMBuildICmp(b, LLVMIntNE, bits, LLVMConstNull(emit->types.bits), "");
    return LLVMBuildSelect(b, any, at, emit->launch.block, "");
}

/* Tests the shadow of all lanes as one word. consecutive: i1, whether their addresses are. */
static LLVMValueRef is_one_open(struct simd_emit *emit, const struct simd_value *address,
                                LLVMValueRef consecutive, uint64_t bytes)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef at = simd_scalar(address, 0);
    if (emit->mask != NULL) {
        at = LLVMBuildSelect(b, consecutive, at, emit->launch.block, "");
    }
    return LLVMBuildAnd(b, consecutive, is_open(emit, at, bytes), "");
}

/* In blocks of one row, vectors whose addresses are not consecutive are rare: only an index that
 * wraps around gives them. */
static bool are_mostly_consecutive(struct simd_emit *emit, LLVMValueRef consecutive)
{
    return LLVMIsAConstantInt(consecutive) != NULL
               ? !LLVMIsNull(consecutive)
               : simd_variant_of(emit->kernel)->layout == LAYOUT_ONE_ROW;
}

static LLVMValueRef are_open(struct simd_emit *emit, const struct simd_value *address,
                             int64_t stride, uint64_t size)
{
    struct simd_vectors vectors = {.first = 0, .count = emit->vectors};
    uint64_t whole = (uint64_t)stride * (emit->lanes * emit->vectors - 1) + size;
    uint64_t one = (uint64_t)stride * (emit->lanes - 1) + size;
    LLVMValueRef consecutive = simd_are_consecutive(emit, address, vectors), all = NULL;
    if (whole <= MOST_GRANULES * GRANULE && are_mostly_consecutive(emit, consecutive)) {
        return is_one_open(emit, address, consecutive, whole);
    }
    if (one > MOST_GRANULES * GRANULE) {
        return NULL;
    }
    if (is_same_in_all(emit, address)) {
        return is_open(emit, simd_scalar(address, 0), one);
    }
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef open = is_open(emit, address_if_active(emit, address, u), one);
        all = all == NULL ? open : LLVMBuildAnd(emit->builder, all, open, "");
    }
    return all;
}

LLVMValueRef simd_shadow_is_open(struct simd_emit *emit, const struct simd_value *address,
                                 uint64_t size)
{
    bool is_affine = simd_value_is_affine(address);
    int64_t stride = is_affine ? simd_value_stride(address) : 0;
    if (simd_value_is_varying(address) || stride < 0) {
        return NULL;
    }
    struct simd_vectors vectors = {.first = 0, .count = emit->vectors};
    LLVMValueRef affine = simd_are_affine(emit, address, vectors);
    LLVMValueRef open = are_open(emit, address, stride, size);
    return open == NULL || affine == NULL ? open : LLVMBuildAnd(emit->builder, affine, open, "");
}
