/* The pieces of wide integers, for wide.c and its arithmetic. */
#ifndef CDPCC_SIMD_PREPARE_PIECES_H
#define CDPCC_SIMD_PREPARE_PIECES_H
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

struct lower_context;

enum { SIMD_PIECE = 64, SIMD_MOST_PIECES = 4 };

/* An integer as pieces of 64 bits; the first one has the lowest bits.
 * Invariant: width > 0, and the bits of the last piece above the width are zero. */
struct simd_pieces {
    LLVMValueRef part[SIMD_MOST_PIECES];
    unsigned width;
};

/* Where code is inserted. */
struct simd_split {
    struct lower_context *lower;
    LLVMBuilderRef builder;
};

/* The number of pieces for so many bits. */
unsigned simd_piece_count(unsigned width);
LLVMValueRef simd_piece_constant(const struct simd_split *at, uint64_t value);
/* Clears the bits above the width. */
void simd_pieces_trim(const struct simd_split *at, struct simd_pieces *pieces);

/* and, or, xor, add, sub, and a product of up to two pieces. */
struct simd_pieces simd_pieces_binary(const struct simd_split *at, LLVMOpcode opcode,
                                      const struct simd_pieces *a, const struct simd_pieces *b);
/* shl, lshr, ashr by a constant. */
struct simd_pieces simd_pieces_shift(const struct simd_split *at, LLVMOpcode opcode,
                                     const struct simd_pieces *a, unsigned by);
/* The same of 128 bits, by less than 128. */
struct simd_pieces simd_pieces_shift_by(const struct simd_split *at, LLVMOpcode opcode,
                                        const struct simd_pieces *a, LLVMValueRef by);
LLVMValueRef simd_pieces_compare(const struct simd_split *at, LLVMIntPredicate predicate,
                                 const struct simd_pieces *a, const struct simd_pieces *b);
/* zext, sext and trunc between any widths. */
struct simd_pieces simd_pieces_resize(const struct simd_split *at, const struct simd_pieces *a,
                                      unsigned width, bool is_signed);

/* An integer of at most 256 bits in memory: as few accesses of one size as are possible, so that
 * they become an interleave group. like: the access that they replace. */
struct simd_pieces simd_pieces_load(const struct simd_split *at, LLVMValueRef like, unsigned width);
void simd_pieces_store(const struct simd_split *at, LLVMValueRef like,
                       const struct simd_pieces *pieces);

#endif
