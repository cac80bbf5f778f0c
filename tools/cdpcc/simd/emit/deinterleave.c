/* Fields of neighbouring structures out of vectors of their elements.
 *
 * Two vectors of { x, y } in 4 lanes, by the even and the odd elements of both:
 *
 *     x0 y0 x1 y1 | x2 y2 x3 y3  ->  x0 x1 x2 x3,  y0 y1 y2 y3
 *
 * For a power of two this is repeated: each step halves the number of vectors. For other numbers of
 * fields, lanes are picked from one vector after the other.
 *
 * All vectors have as many elements as there are lanes. A vector of 3 * 16 elements would be
 * shorter to write. But where such a vector is used in another basic block than its own, LLVM's
 * code generator takes it apart into 48 scalars. */
#include "simd/emit/deinterleave.h"

#include "ir/context.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/lanes.h"

LLVMValueRef simd_shuffle_lanes(struct simd_emit *emit, LLVMValueRef first, LLVMValueRef second,
                                const int *lanes)
{
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMValueRef indices[SIMD_MOST_LANES];
    for (unsigned i = 0; i < emit->lanes; i++) {
        indices[i] = lanes[i] < 0 ? LLVMGetPoison(i32) : simd_int(i32, lanes[i]);
    }
    return LLVMBuildShuffleVector(emit->builder, first, second,
                                  LLVMConstVector(indices, emit->lanes), "");
}

bool simd_is_power(unsigned count)
{
    return (count & (count - 1)) == 0;
}

/* Selects every other element, repeatedly.  LLVM merges the shuffles that fields have in common. */
static LLVMValueRef pick_halves(struct simd_emit *emit, LLVMValueRef *vectors, unsigned count,
                                unsigned field)
{
    int lanes[SIMD_MOST_LANES];
    for (; count > 1; count /= 2, field /= 2) {
        for (unsigned i = 0; i < emit->lanes; i++) {
            lanes[i] = (int)(2 * i + field % 2);
        }
        for (unsigned i = 0; i < count / 2; i++) {
            vectors[i] = simd_shuffle_lanes(emit, vectors[2 * i], vectors[2 * i + 1], lanes);
        }
    }
    return vectors[0];
}

/* Inserts, from the next vector, the lanes that the vectors before it have not filled. */
static LLVMValueRef pick_each(struct simd_emit *emit, LLVMValueRef *vectors, unsigned count,
                              unsigned field)
{
    LLVMValueRef result = vectors[0];
    for (unsigned r = 1; r < count; r++) {
        int lanes[SIMD_MOST_LANES];
        for (unsigned i = 0; i < emit->lanes; i++) {
            unsigned at = i * count + field;
            lanes[i] = at / emit->lanes > r    ? -1
                       : at / emit->lanes == r ? (int)(emit->lanes + at % emit->lanes)
                       : r == 1                ? (int)at
                                               : (int)i;
        }
        result = simd_shuffle_lanes(emit, result, vectors[r], lanes);
    }
    return result;
}

LLVMValueRef simd_deinterleave(struct simd_emit *emit, LLVMValueRef *vectors, unsigned count,
                               unsigned field)
{
    return simd_is_power(count) ? pick_halves(emit, vectors, count, field)
                                : pick_each(emit, vectors, count, field);
}
