/* Integers of odd sizes in memory.
 *
 *     i96      three accesses of 4 bytes      a float3 that LLVM copies as one number
 *     i128     two of 8
 *     i24      three of 1                     a uchar3
 *
 * Fields of one size are an interleave group (plan/interleave.c). */
#include "ir/value.h"
#include "simd/prepare/pieces.h"

#include <string.h>

enum { BYTE = 8, MOST_UNIT = 8 };

/* The bytes of each access: the greatest power of two by which the size can be divided. */
static unsigned unit_of(unsigned bytes)
{
    unsigned unit = MOST_UNIT;
    while (bytes % unit != 0) {
        unit /= 2;
    }
    return unit;
}

static unsigned bytes_of(unsigned width)
{
    return (width + BYTE - 1) / BYTE;
}

static LLVMTypeRef unit_type(const struct simd_split *at, unsigned unit)
{
    return LLVMIntTypeInContext(at->lower->llvm, unit * BYTE);
}

/* What is known of the access's address holds for its parts. */
static void describe(const struct simd_split *at, LLVMValueRef like, LLVMValueRef part,
                     unsigned offset)
{
    static const char *const names[] = {"alias.scope", "noalias", "invariant.load", "nosanitize",
                                        "nontemporal"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unsigned kind =
            LLVMGetMDKindIDInContext(at->lower->llvm, names[i], (unsigned)strlen(names[i]));
        LLVMValueRef node = LLVMGetMetadata(like, kind);
        if (node != NULL) {
            LLVMSetMetadata(part, kind, node);
        }
    }
    unsigned align = LLVMGetAlignment(like);
    while (offset % align != 0) {
        align /= 2;
    }
    LLVMSetAlignment(part, align);
}

static LLVMValueRef address(const struct simd_split *at, LLVMValueRef base, unsigned offset)
{
    return offset == 0 ? base : lower_field(at->lower, at->builder, base, offset, "");
}

struct simd_pieces simd_pieces_load(const struct simd_split *at, LLVMValueRef like, unsigned width)
{
    struct simd_pieces result = {.width = width};
    unsigned bytes = bytes_of(width), unit = unit_of(bytes);
    for (unsigned i = 0; i < simd_piece_count(width); i++) {
        result.part[i] = simd_piece_constant(at, 0);
    }
    for (unsigned offset = 0; offset < bytes; offset += unit) {
        LLVMValueRef from = address(at, LLVMGetOperand(like, 0), offset);
        LLVMValueRef part = LLVMBuildLoad2(at->builder, unit_type(at, unit), from, "");
        describe(at, like, part, offset);
        LLVMValueRef wide = LLVMBuildZExt(at->builder, part, at->lower->types.i64, "");
        LLVMValueRef by = simd_piece_constant(at, offset * BYTE % SIMD_PIECE);
        LLVMValueRef *piece = &result.part[offset * BYTE / SIMD_PIECE];
        *piece = LLVMBuildOr(at->builder, *piece, LLVMBuildShl(at->builder, wide, by, ""), "");
    }
    simd_pieces_trim(at, &result);
    return result;
}

void simd_pieces_store(const struct simd_split *at, LLVMValueRef like,
                       const struct simd_pieces *pieces)
{
    unsigned bytes = bytes_of(pieces->width), unit = unit_of(bytes);
    for (unsigned offset = 0; offset < bytes; offset += unit) {
        LLVMValueRef by = simd_piece_constant(at, offset * BYTE % SIMD_PIECE);
        LLVMValueRef piece = pieces->part[offset * BYTE / SIMD_PIECE];
        LLVMValueRef part = LLVMBuildTrunc(at->builder, LLVMBuildLShr(at->builder, piece, by, ""),
                                           unit_type(at, unit), "");
        LLVMValueRef to = address(at, LLVMGetOperand(like, 1), offset);
        describe(at, like, LLVMBuildStore(at->builder, part, to), offset);
    }
}
