/* Arithmetic on integers of several pieces.
 *
 *     a + b       lo = a0 + b0, carry = lo < a0, hi = a1 + b1 + carry
 *     a * b       lo = a0 * b0, hi = high half of a0 * b0, + a0 * b1 + a1 * b0
 *     a < b       a1 == b1 ? a0 < b0 : a1 < b1
 *     a << n      n < 64: a0 << n, the upper bits of (a1, a0) << n; else 0, a0 << (n - 64)
 *
 * LLVM makes add-with-carry of this for scalars, and compares and subtractions for vectors. */
#include "simd/prepare/pieces.h"

#include "ir/value.h"
#include "simd/prepare/high_product.h"

unsigned simd_piece_count(unsigned width)
{
    return (width + SIMD_PIECE - 1) / SIMD_PIECE;
}

LLVMValueRef simd_piece_constant(const struct simd_split *at, uint64_t value)
{
    return LLVMConstInt(at->lower->types.i64, value, 0);
}

/* The unused bits of the last piece. */
static unsigned spare(const struct simd_pieces *of)
{
    return simd_piece_count(of->width) * SIMD_PIECE - of->width;
}

static LLVMValueRef *last(struct simd_pieces *of)
{
    return &of->part[simd_piece_count(of->width) - 1];
}

void simd_pieces_trim(const struct simd_split *at, struct simd_pieces *pieces)
{
    unsigned unused = spare(pieces);
    if (unused != 0) {
        LLVMValueRef mask = simd_piece_constant(at, UINT64_MAX >> unused);
        *last(pieces) = LLVMBuildAnd(at->builder, *last(pieces), mask, "");
    }
}

/* The last piece with copies of the sign above the width. */
static LLVMValueRef top(const struct simd_split *at, const struct simd_pieces *pieces)
{
    LLVMValueRef top = pieces->part[simd_piece_count(pieces->width) - 1];
    LLVMValueRef by = simd_piece_constant(at, spare(pieces));
    return spare(pieces) == 0
               ? top
               : LLVMBuildAShr(at->builder, LLVMBuildShl(at->builder, top, by, ""), by, "");
}

/* ---- sums and products ---- */

static LLVMValueRef to_number(const struct simd_split *at, LLVMValueRef bit)
{
    return LLVMBuildZExt(at->builder, bit, at->lower->types.i64, "");
}

/* *carry: i1, NULL before the first piece. */
static LLVMValueRef add_piece(const struct simd_split *at, LLVMValueRef a, LLVMValueRef b,
                              LLVMValueRef *carry)
{
    LLVMBuilderRef builder = at->builder;
    LLVMValueRef sum = LLVMBuildAdd(builder, a, b, "");
    LLVMValueRef passes = LLVMBuildICmp(builder, LLVMIntULT, sum, a, "");
    if (*carry != NULL) {
        LLVMValueRef before = sum;
        sum = LLVMBuildAdd(builder, sum, to_number(at, *carry), "");
        passes =
            LLVMBuildOr(builder, passes, LLVMBuildICmp(builder, LLVMIntULT, sum, before, ""), "");
    }
    *carry = passes;
    return sum;
}

static LLVMValueRef subtract_piece(const struct simd_split *at, LLVMValueRef a, LLVMValueRef b,
                                   LLVMValueRef *borrow)
{
    LLVMBuilderRef builder = at->builder;
    LLVMValueRef difference = LLVMBuildSub(builder, a, b, "");
    LLVMValueRef passes = LLVMBuildICmp(builder, LLVMIntULT, a, b, "");
    if (*borrow != NULL) {
        LLVMValueRef before = difference, one = to_number(at, *borrow);
        difference = LLVMBuildSub(builder, before, one, "");
        passes =
            LLVMBuildOr(builder, passes, LLVMBuildICmp(builder, LLVMIntULT, before, one, ""), "");
    }
    *borrow = passes;
    return difference;
}

/* 0 or -1: the upper piece of a 64-bit number with a sign. */
static bool is_sign(LLVMValueRef piece)
{
    LLVMValueRef by =
        LLVMIsAInstruction(piece) != NULL && LLVMGetInstructionOpcode(piece) == LLVMAShr
            ? LLVMGetOperand(piece, 1)
            : NULL;
    return by != NULL && LLVMIsAConstantInt(by) != NULL &&
           LLVMConstIntGetZExtValue(by) == SIMD_PIECE - 1;
}

/* Adds the low half of a lower piece and an upper one. */
static LLVMValueRef add_cross(const struct simd_split *at, LLVMValueRef sum, LLVMValueRef low,
                              LLVMValueRef high)
{
    if (LLVMIsNull(high)) {
        return sum;
    }
    LLVMValueRef product = is_sign(high) ? simd_times_sign(at->builder, low, high)
                                         : LLVMBuildMul(at->builder, low, high, "");
    return LLVMBuildAdd(at->builder, sum, product, "");
}

static void multiply(const struct simd_split *at, const struct simd_pieces *a,
                     const struct simd_pieces *b, struct simd_pieces *result)
{
    result->part[0] = LLVMBuildMul(at->builder, a->part[0], b->part[0], "");
    LLVMValueRef high = simd_high_product(at->lower, at->builder, a->part[0], b->part[0]);
    high = add_cross(at, high, a->part[0], b->part[1]);
    result->part[1] = add_cross(at, high, b->part[0], a->part[1]);
}

struct simd_pieces simd_pieces_binary(const struct simd_split *at, LLVMOpcode opcode,
                                      const struct simd_pieces *a, const struct simd_pieces *b)
{
    struct simd_pieces result = {.width = a->width};
    LLVMValueRef carry = NULL;
    for (unsigned i = 0; i < simd_piece_count(a->width) && opcode != LLVMMul; i++) {
        result.part[i] = opcode == LLVMAdd ? add_piece(at, a->part[i], b->part[i], &carry)
                         : opcode == LLVMSub
                             ? subtract_piece(at, a->part[i], b->part[i], &carry)
                             : LLVMBuildBinOp(at->builder, opcode, a->part[i], b->part[i], "");
    }
    if (opcode == LLVMMul) {
        multiply(at, a, b, &result);
    }
    simd_pieces_trim(at, &result);
    return result;
}

/* ---- shifts ---- */

/* The bits of (high, low) from number by on, where by is 1 to 63. */
static LLVMValueRef join(const struct simd_split *at, LLVMValueRef high, LLVMValueRef low,
                         unsigned by)
{
    LLVMValueRef up = simd_piece_constant(at, SIMD_PIECE - by), down = simd_piece_constant(at, by);
    return LLVMBuildOr(at->builder, LLVMBuildShl(at->builder, high, up, ""),
                       LLVMBuildLShr(at->builder, low, down, ""), "");
}

struct simd_pieces simd_pieces_shift(const struct simd_split *at, LLVMOpcode opcode,
                                     const struct simd_pieces *a, unsigned by)
{
    int count = (int)simd_piece_count(a->width), whole = (int)(by / SIMD_PIECE);
    unsigned rest = by % SIMD_PIECE;
    LLVMValueRef zero = simd_piece_constant(at, 0), fill = zero;
    struct simd_pieces from = *a, result = {.width = a->width};
    if (opcode == LLVMAShr) {
        *last(&from) = top(at, a);
        fill =
            LLVMBuildAShr(at->builder, *last(&from), simd_piece_constant(at, SIMD_PIECE - 1), "");
    }
    for (int i = 0; i < count; i++) {
        bool is_left = opcode == LLVMShl;
        int low = is_left ? i - whole - (rest != 0 ? 1 : 0) : i + whole, high = low + 1;
        LLVMValueRef l = low < 0 ? zero : low >= count ? fill : from.part[low];
        LLVMValueRef h = high < 0 ? zero : high >= count ? fill : from.part[high];
        unsigned bits = is_left ? SIMD_PIECE - rest : rest;
        result.part[i] = rest == 0 ? l : join(at, h, l, bits);
    }
    simd_pieces_trim(at, &result);
    return result;
}

static LLVMValueRef funnel(const struct simd_split *at, const char *name, LLVMValueRef high,
                           LLVMValueRef low, LLVMValueRef by)
{
    LLVMValueRef operands[] = {high, low, by};
    return lower_intrinsic(at->lower, at->builder, name, &at->lower->types.i64, 1, operands, 3);
}

struct simd_pieces simd_pieces_shift_by(const struct simd_split *at, LLVMOpcode opcode,
                                        const struct simd_pieces *a, LLVMValueRef by)
{
    LLVMBuilderRef b = at->builder;
    LLVMValueRef zero = simd_piece_constant(at, 0), most = simd_piece_constant(at, SIMD_PIECE - 1);
    LLVMValueRef low = a->part[0], high = a->part[1];
    LLVMValueRef is_far = LLVMBuildICmp(b, LLVMIntUGT, by, most, "");
    LLVMValueRef rest = LLVMBuildAnd(b, by, most, "");
    struct simd_pieces result = {.width = a->width};
    if (opcode == LLVMShl) {
        LLVMValueRef shifted = LLVMBuildShl(b, low, rest, "");
        LLVMValueRef joined = funnel(at, "llvm.fshl", high, low, rest);
        result.part[0] = LLVMBuildSelect(b, is_far, zero, shifted, "");
        result.part[1] = LLVMBuildSelect(b, is_far, shifted, joined, "");
        return result;
    }
    LLVMValueRef shifted = LLVMBuildBinOp(b, opcode, high, rest, "");
    LLVMValueRef fill = opcode == LLVMAShr ? LLVMBuildAShr(b, high, most, "") : zero;
    LLVMValueRef joined = funnel(at, "llvm.fshr", high, low, rest);
    result.part[0] = LLVMBuildSelect(b, is_far, shifted, joined, "");
    result.part[1] = LLVMBuildSelect(b, is_far, fill, shifted, "");
    return result;
}

/* ---- comparisons and conversions ---- */

static LLVMValueRef compare_equal(const struct simd_split *at, LLVMIntPredicate predicate,
                                  const struct simd_pieces *a, const struct simd_pieces *b)
{
    LLVMValueRef differs = simd_piece_constant(at, 0);
    for (unsigned i = 0; i < simd_piece_count(a->width); i++) {
        LLVMValueRef piece = LLVMBuildXor(at->builder, a->part[i], b->part[i], "");
        differs = LLVMBuildOr(at->builder, differs, piece, "");
    }
    return LLVMBuildICmp(at->builder, predicate, differs, simd_piece_constant(at, 0), "");
}

static LLVMIntPredicate without_sign(LLVMIntPredicate predicate)
{
    return predicate == LLVMIntSGT   ? LLVMIntUGT
           : predicate == LLVMIntSGE ? LLVMIntUGE
           : predicate == LLVMIntSLT ? LLVMIntULT
           : predicate == LLVMIntSLE ? LLVMIntULE
                                     : predicate;
}

LLVMValueRef simd_pieces_compare(const struct simd_split *at, LLVMIntPredicate predicate,
                                 const struct simd_pieces *a, const struct simd_pieces *b)
{
    if (predicate == LLVMIntEQ || predicate == LLVMIntNE) {
        return compare_equal(at, predicate, a, b);
    }
    LLVMValueRef result = NULL;
    unsigned count = simd_piece_count(a->width);
    for (unsigned i = 0; i < count; i++) {
        bool is_top = i + 1 == count;
        LLVMValueRef x = is_top ? top(at, a) : a->part[i];
        LLVMValueRef y = is_top ? top(at, b) : b->part[i];
        LLVMIntPredicate by = is_top ? predicate : without_sign(predicate);
        LLVMValueRef here = LLVMBuildICmp(at->builder, by, x, y, "");
        LLVMValueRef is_equal = LLVMBuildICmp(at->builder, LLVMIntEQ, x, y, "");
        result = result == NULL ? here : LLVMBuildSelect(at->builder, is_equal, result, here, "");
    }
    return result;
}

struct simd_pieces simd_pieces_resize(const struct simd_split *at, const struct simd_pieces *a,
                                      unsigned width, bool is_signed)
{
    struct simd_pieces from = *a, result = {.width = width};
    unsigned had = simd_piece_count(a->width);
    LLVMValueRef fill = simd_piece_constant(at, 0);
    if (is_signed) {
        *last(&from) = top(at, a);
        fill =
            LLVMBuildAShr(at->builder, *last(&from), simd_piece_constant(at, SIMD_PIECE - 1), "");
    }
    for (unsigned i = 0; i < simd_piece_count(width); i++) {
        result.part[i] = i < had ? from.part[i] : fill;
    }
    simd_pieces_trim(at, &result);
    return result;
}
