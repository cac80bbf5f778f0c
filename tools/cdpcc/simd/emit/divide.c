/* Division of vectors of integers.
 *
 * Processors have no such instruction, and LLVM divides lane by lane.  Here the quotient is
 * computed in floating point and truncated: by doubles, which represent each 32-bit number exactly,
 * or by floats for 16 bits.
 *
 * A quotient by b that is not an integer is at least 1 / b below the next integer, and it is less
 * than 2^32 / b (or 2^16 / b), so rounding moves it by less than 2^-20 / b (2^-8 / b).  So
 * truncation gives the correct integer.
 *
 * If b is the same for all lanes, they are multiplied by 1 / b.  The reciprocal is rounded, and so
 * is the product: each by at most 2^-53 (2^-24) of its value.  1 / b is made larger by 2^-51
 * (2^-22), so that the product is never below the quotient, and above it by less than 2^-17 / b
 * (2^-4 / b).
 *
 * Numbers of 64 bits are usually below 2^48, which is tested first: then the product is above the
 * quotient by less than 2^-1 / b, even though b may be rounded, too.  Otherwise the division is
 * lane by lane.
 *
 *     x / y    8 x i32 as doubles:  cvttpd2dq(cvtdq2pd(x) / cvtdq2pd(y))
 *     x % y    x - (x / y) * y
 *
 * Division by constants is left to LLVM, which multiplies. */
#include "simd/emit/divide.h"

#include "ir/context.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/lanes.h"
#include "simd/ir/opcodes.h"
#include "target/target.h"

enum { HALF = 16, WORD = 32, WIDE = 64, MOST_BITS = 48 };

bool simd_divides_by_vectors(LLVMValueRef instruction)
{
    if (!simd_is_division(LLVMGetInstructionOpcode(instruction)) ||
        LLVMIsAConstantInt(LLVMGetOperand(instruction, 1)) != NULL) {
        return false;
    }
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(instruction));
    return width <= WORD || width == WIDE; /* not _BitInt(40) */
}

/* One division of a vector.
 * Life: one simd_divide(). */
struct division {
    struct simd_emit *emit;
    bool is_signed;
    unsigned width;
    LLVMTypeRef real; /* the floating-point type of the computation */
    LLVMValueRef a;   /* a vector */
    LLVMValueRef by;  /* a vector, or a scalar that is the same for all lanes */
    bool is_by_one;
};

/* 1 / by, slightly too large. */
static LLVMValueRef build_reciprocal(const struct division *division)
{
    LLVMBuilderRef b = division->emit->builder;
    double more = division->width <= HALF ? 0x1p-22 : 0x1p-51;
    LLVMOpcode to = division->is_signed ? LLVMSIToFP : LLVMUIToFP;
    LLVMValueRef by = LLVMBuildCast(b, to, division->by, division->real, "");
    return LLVMBuildFDiv(b, LLVMConstReal(division->real, 1 + more), by, "");
}

/* 3 * 2^51, or its bits: near this number, doubles differ by as much as their bits do.
 * Adding it places an integer in a double's low bits, which converts without an instruction for it.
 */
static LLVMValueRef middle(const struct division *division, bool is_real)
{
    LLVMTypeRef i64 = division->emit->lower->types.i64;
    LLVMValueRef number = is_real ? LLVMConstReal(division->real, 0x1.8p52)
                                  : LLVMConstInt(i64, UINT64_C(0x4338000000000000), 0);
    return simd_splat_constant(division->emit, number);
}

/* AVX-512 and NEON convert 64-bit integers; without them, LLVM converts lane by lane. */
static bool converts(const struct division *division)
{
    const struct simd_emit *emit = division->emit;
    return division->width <= WORD || emit->lanes == SIMD_MOST_LANES ||
           target_is_arm(emit->lower->options->target.triple);
}

/* Wide numbers are small, which is tested first, so signed casts are correct.  They are the faster
 * ones. */
static bool is_cast_signed(const struct division *division)
{
    return division->is_signed || division->width == WIDE;
}

static LLVMValueRef build_reals(const struct division *division, LLVMValueRef numbers)
{
    struct simd_emit *emit = division->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef reals = simd_vector_type(emit, division->real);
    if (converts(division)) {
        return LLVMBuildCast(b, is_cast_signed(division) ? LLVMSIToFP : LLVMUIToFP, numbers, reals,
                             "");
    }
    LLVMValueRef bits = LLVMBuildAdd(b, numbers, middle(division, false), "");
    return LLVMBuildFSub(b, LLVMBuildBitCast(b, bits, reals, ""), middle(division, true), "");
}

/* Truncates the quotients to integers. */
static LLVMValueRef build_numbers(const struct division *division, LLVMValueRef reals)
{
    struct simd_emit *emit = division->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef type = LLVMTypeOf(division->a), of = LLVMTypeOf(reals);
    if (converts(division) || emit->lanes == SIMD_FEWEST_LANES) { /* SSE2 has no truncation */
        return LLVMBuildCast(b, is_cast_signed(division) ? LLVMFPToSI : LLVMFPToUI, reals, type,
                             "");
    }
    LLVMValueRef cut = simd_intrinsic(emit, "llvm.trunc", &of, 1, &reals, 1);
    LLVMValueRef bits = LLVMBuildFAdd(b, cut, middle(division, true), "");
    return LLVMBuildSub(b, LLVMBuildBitCast(b, bits, type, ""), middle(division, false), "");
}

static LLVMValueRef build_quotient(const struct division *division)
{
    LLVMBuilderRef b = division->emit->builder;
    LLVMValueRef a = build_reals(division, division->a);
    LLVMValueRef quotient =
        division->is_by_one
            ? LLVMBuildFMul(b, a, simd_splat(division->emit, build_reciprocal(division)), "")
            : LLVMBuildFDiv(b, a, build_reals(division, division->by), "");
    return build_numbers(division, quotient);
}

/* i1: no active lane has a number of more bits.
 * Signed numbers are moved by 2^48 first, so that one shift tests both ends. */
static LLVMValueRef test_small(const struct division *division, LLVMValueRef mask)
{
    struct simd_emit *emit = division->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef type = LLVMTypeOf(division->a);
    const LLVMValueRef numbers[] = {division->a, division->by};
    LLVMValueRef large = NULL;
    for (unsigned i = 0; i < (division->is_by_one ? 1 : 2); i++) {
        int64_t bias = division->is_signed ? INT64_C(1) << MOST_BITS : 0;
        LLVMTypeRef element = LLVMGetElementType(type);
        LLVMValueRef least = simd_splat_constant(emit, simd_int(element, bias));
        LLVMValueRef number = LLVMBuildAdd(b, numbers[i], least, "");
        LLVMValueRef bits = LLVMBuildLShr(
            b, number, simd_splat_constant(emit, simd_int(element, MOST_BITS + (bias != 0))), "");
        LLVMValueRef is = LLVMBuildICmp(b, LLVMIntNE, bits, LLVMConstNull(type), "");
        large = large == NULL ? is : LLVMBuildOr(b, large, is, "");
    }
    if (mask != NULL) {
        large = simd_and(emit, mask, large);
    }
    return LLVMBuildNot(b, simd_any_in(emit, large), "");
}

/* Divides lane by lane.  That may trap, so inactive lanes divide by one. */
static LLVMValueRef build_lanes(const struct division *division, LLVMValueRef mask)
{
    struct simd_emit *emit = division->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef by = division->is_by_one ? simd_splat(emit, division->by) : division->by;
    if (mask != NULL) {
        LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(division->a));
        LLVMValueRef one = simd_splat_constant(emit, simd_int(element, 1));
        by = LLVMBuildSelect(b, mask, by, one, "");
    }
    return division->is_signed ? LLVMBuildSDiv(b, division->a, by, "")
                               : LLVMBuildUDiv(b, division->a, by, "");
}

LLVMValueRef simd_divide(struct simd_emit *emit, LLVMValueRef instruction,
                         const struct simd_value *operands, unsigned vector)
{
    LLVMBuilderRef b = emit->builder;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    LLVMContextRef llvm = emit->lower->llvm;
    struct division division = {
        .emit = emit,
        .is_signed = simd_is_signed_division(opcode),
        .width = LLVMGetIntTypeWidth(LLVMTypeOf(instruction)),
        .a = simd_vector(emit, &operands[0], vector),
        .is_by_one = simd_value_is_scalar(&operands[1]),
    };
    division.real =
        division.width <= HALF ? LLVMFloatTypeInContext(llvm) : LLVMDoubleTypeInContext(llvm);
    division.by = division.is_by_one ? simd_scalar(&operands[1], vector)
                                     : simd_vector(emit, &operands[1], vector);
    LLVMValueRef quotient;
    if (division.width <= WORD) {
        quotient = build_quotient(&division);
    } else {
        LLVMValueRef mask = emit->mask == NULL ? NULL : emit->mask[vector];
        struct simd_diamond diamond = simd_begin_if(emit, test_small(&division, mask), true);
        simd_begin_else(emit, &diamond, build_quotient(&division));
        quotient = simd_end_if(emit, &diamond, build_lanes(&division, mask));
    }
    if (simd_is_quotient(opcode)) {
        return quotient;
    }
    LLVMValueRef by = division.is_by_one ? simd_splat(emit, division.by) : division.by;
    return LLVMBuildSub(b, division.a, LLVMBuildMul(b, quotient, by, ""), "");
}
