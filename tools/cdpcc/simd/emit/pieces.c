/* Emission of interleave groups that are transposed (plan/interleave.c).
 *
 * A piece is 16 bytes or less of one lane's structure. With 8 lanes and pieces { a, b, c, d },
 * vector m has the pieces of lanes m and m + 4. So shuffles within 16 bytes suffice, which all
 * processors have:
 *
 *     a0 b0 c0 d0 | a4 b4 c4 d4
 *     a1 b1 c1 d1 | a5 b5 c5 d5   ->   a0 a1 b0 b1 | a4 a5 b4 b5  ->  a0 a1 a2 a3 | a4 a5 a6 a7
 *     a2 b2 c2 d2 | a6 b6 c6 d6        a2 a3 b2 b3 | a6 a7 b6 b7      b0 b1 b2 b3 | b4 b5 b6 b7
 *     a3 b3 c3 d3 | a7 b7 c7 d7        ...                            ...
 *
 * A store transposes the vectors of the fields, and stores each lane's elements. Fields that the
 * program does not store are not written: another thread may own them. */
#include "simd/emit/pieces.h"

#include "ir/context.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/interleave.h"
#include "simd/emit/metadata.h"
#include "simd/ir/lanes.h"
#include "simd/ir/memory.h"
#include "simd/plan/interleave.h"
#include "support/arena.h"

#include <string.h>

/* Pieces of all lanes: vector m has those of the lanes m, m + width and so on. */
struct pieces {
    LLVMTypeRef element; /* an integer of the fields' size */
    unsigned width;      /* elements of a piece */
    LLVMValueRef vectors[SIMD_PIECE / SIMD_WORD];
};

static struct pieces pieces_of(const struct simd_emit *emit, const struct simd_structure *layout)
{
    unsigned size = layout->field.size;
    return (struct pieces){.element = LLVMIntTypeInContext(emit->lower->llvm, size * 8),
                           .width = SIMD_PIECE / size};
}

/* In each piece: the elements number `index` and after it of the first vector alternate with those
 * of the second one. A unit of elements stays together. */
static LLVMValueRef alternate(struct simd_emit *emit, unsigned width, LLVMValueRef first,
                              LLVMValueRef second, unsigned index, unsigned unit)
{
    LLVMValueRef indices[SIMD_MOST_LANES];
    for (unsigned i = 0; i < emit->lanes; i++) {
        unsigned within = i % width, which = within / unit % 2;
        unsigned from = index + within / (2 * unit) * unit + within % unit;
        indices[i] =
            simd_int(emit->lower->types.i32, which * emit->lanes + i / width * width + from);
    }
    return LLVMBuildShuffleVector(emit->builder, first, second,
                                  LLVMConstVector(indices, emit->lanes), "");
}

/* The vector number `index` of the transposed pieces.  Transposing twice gives the pieces again.
 * The optimizer merges the shuffles that several vectors have in common. */
static LLVMValueRef transposed(struct simd_emit *emit, const struct pieces *pieces, unsigned index)
{
    const LLVMValueRef *from = pieces->vectors;
    unsigned width = pieces->width;
    if (width == 2) {
        return alternate(emit, width, from[0], from[1], index, 1);
    }
    LLVMValueRef low = alternate(emit, width, from[0], from[1], index / 2 * 2, 1);
    LLVMValueRef high = alternate(emit, width, from[2], from[3], index / 2 * 2, 1);
    return alternate(emit, width, low, high, index % 2 * 2, 2);
}

/* `offset` is relative to the structures' base, and `field` is the address of lane 0's field, or
 * the vector of the addresses of all lanes' fields if the structures are scattered. */
static LLVMValueRef address_in_lane(struct simd_emit *emit, const struct simd_structure *layout,
                                    LLVMValueRef field, int64_t offset, unsigned lane)
{
    int64_t stride = layout->is_scattered  ? 0
                     : layout->is_reversed ? -layout->bytes
                                           : layout->bytes;
    LLVMValueRef by =
        simd_int(emit->lower->types.i64, offset - layout->field.offset + lane * stride);
    if (layout->is_scattered) {
        LLVMValueRef index = simd_int(emit->lower->types.i32, lane);
        field = LLVMBuildExtractElement(emit->builder, field, index, "");
    }
    return LLVMBuildGEP2(emit->builder, emit->lower->types.i8, field, &by, 1, "");
}

/* What address_in_lane takes as `field`. */
static LLVMValueRef fields_at(struct simd_emit *emit, const struct simd_structure *layout,
                              const struct simd_value *at, unsigned vector)
{
    return layout->is_scattered ? simd_vector(emit, at, vector) : at->scalar[vector];
}

/* Both vectors' elements in one vector. */
static LLVMValueRef concatenate(struct simd_emit *emit, LLVMValueRef first, LLVMValueRef second)
{
    LLVMValueRef indices[SIMD_MOST_LANES];
    unsigned count = 2 * LLVMGetVectorSize(LLVMTypeOf(first));
    for (unsigned i = 0; i < count; i++) {
        indices[i] = simd_int(emit->lower->types.i32, i);
    }
    return LLVMBuildShuffleVector(emit->builder, first, second, LLVMConstVector(indices, count),
                                  "");
}

/* Loads the pieces of the lanes `first`, `first` + width and so on. */
static LLVMValueRef load_pieces(struct simd_emit *emit, LLVMValueRef load,
                                const struct simd_group *group, LLVMValueRef at,
                                const struct pieces *pieces, unsigned first)
{
    LLVMValueRef each[SIMD_MOST_LANES];
    unsigned count = emit->lanes / pieces->width;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef from =
            address_in_lane(emit, &group->layout, at, group->piece, first + i * pieces->width);
        each[i] =
            LLVMBuildLoad2(emit->builder, LLVMVectorType(pieces->element, pieces->width), from, "");
        LLVMSetAlignment(each[i], simd_field_align(&group->layout, load));
        simd_alias_mark(emit, load, each[i]);
    }
    for (; count > 1; count /= 2) {
        for (unsigned i = 0; i < count / 2; i++) {
            each[i] = concatenate(emit, each[2 * i], each[2 * i + 1]);
        }
    }
    return each[0];
}

/* Reads the pieces of all vectors of the chunk. */
static LLVMValueRef *read_pieces(struct simd_emit *emit, LLVMValueRef load,
                                 const struct simd_group *group, const struct pieces *pieces)
{
    struct simd_value at = simd_get(emit, simd_accessed(load));
    unsigned width = pieces->width;
    LLVMValueRef *vectors = arena_alloc(emit->vectors * width * sizeof *vectors);
    for (unsigned i = 0; i < emit->vectors * width; i++) {
        LLVMValueRef fields = fields_at(emit, &group->layout, &at, i / width);
        vectors[i] = load_pieces(emit, load, group, fields, pieces, i % width);
    }
    return vectors;
}

struct simd_value simd_load_by_pieces(struct simd_emit *emit, LLVMValueRef load,
                                      const struct simd_group *group, LLVMValueRef **read)
{
    const struct simd_structure *layout = &group->layout;
    struct simd_value result = simd_varying();
    struct pieces pieces = pieces_of(emit, layout);
    unsigned index = (unsigned)(layout->field.offset - group->piece) / layout->field.size;
    if (*read == NULL) {
        *read = read_pieces(emit, load, group, &pieces);
    }
    for (unsigned u = 0; u < emit->vectors; u++) {
        memcpy(pieces.vectors, &(*read)[u * pieces.width], pieces.width * sizeof *pieces.vectors);
        result.vector[u] = LLVMBuildBitCast(emit->builder, transposed(emit, &pieces, index),
                                            simd_vector_type(emit, LLVMTypeOf(load)), "");
    }
    return result;
}

/* Stores `count` elements of the vector from the element number `start` on: a power of two. */
static void store_elements(struct simd_emit *emit, const struct simd_group *group,
                           LLVMValueRef vector, unsigned start, unsigned count, LLVMValueRef to)
{
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMValueRef indices[SIMD_PIECE / SIMD_WORD], value;
    for (unsigned i = 0; i < count; i++) {
        indices[i] = simd_int(i32, start + i);
    }
    value = count == 1
                ? LLVMBuildExtractElement(emit->builder, vector, indices[0], "")
                : LLVMBuildShuffleVector(emit->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                         LLVMConstVector(indices, count), "");
    LLVMValueRef store = LLVMBuildStore(emit->builder, value, to);
    LLVMSetAlignment(store, simd_field_align(&group->layout, group->first));
    simd_alias_mark(emit, group->first, store);
}

/* Stores the first `count` elements of the lane's piece, which begins with the field `first`.
 * `vector` has the lane's piece. */
static void store_piece(struct simd_emit *emit, const struct simd_group *group, LLVMValueRef at,
                        const struct pieces *pieces, LLVMValueRef vector, unsigned lane,
                        unsigned first, unsigned count)
{
    int64_t size = group->layout.field.size;
    unsigned start = lane / pieces->width * pieces->width;
    for (unsigned done = 0, some = pieces->width; some > 0; some /= 2) {
        if ((count & some) != 0) {
            int64_t offset = group->layout.start + (int64_t)(first + done) * size;
            store_elements(emit, group, vector, start + done, some,
                           address_in_lane(emit, &group->layout, at, offset, lane));
            done += some;
        }
    }
}

/* The same for all lanes. Scattered structures are stored in the order of the lanes, since two of
 * them may be one. */
static void store_pieces(struct simd_emit *emit, const struct simd_group *group, LLVMValueRef at,
                         const struct pieces *pieces, unsigned first, unsigned count)
{
    LLVMValueRef vectors[SIMD_PIECE / SIMD_WORD];
    for (unsigned m = 0; m < pieces->width; m++) {
        vectors[m] = transposed(emit, pieces, m);
        for (unsigned lane = m; lane < emit->lanes && !group->layout.is_scattered;
             lane += pieces->width) {
            store_piece(emit, group, at, pieces, vectors[m], lane, first, count);
        }
    }
    for (unsigned lane = 0; lane < emit->lanes && group->layout.is_scattered; lane++) {
        store_piece(emit, group, at, pieces, vectors[lane % pieces->width], lane, first, count);
    }
}

/* One field, which needs no transposing. */
static void store_alone(struct simd_emit *emit, const struct simd_group *group, LLVMValueRef at,
                        LLVMValueRef vector, unsigned field)
{
    int64_t offset = group->layout.start + (int64_t)field * group->layout.field.size;
    for (unsigned lane = 0; lane < emit->lanes; lane++) {
        store_elements(emit, group, vector, lane, 1,
                       address_in_lane(emit, &group->layout, at, offset, lane));
    }
}

/* Stores runs of neighbouring fields, a piece at a time. */
void simd_store_by_pieces(struct simd_emit *emit, const struct simd_group *group,
                          const struct simd_value *at, unsigned vector)
{
    struct pieces pieces = pieces_of(emit, &group->layout);
    LLVMTypeRef type = simd_vector_type(emit, pieces.element);
    LLVMValueRef fields = fields_at(emit, &group->layout, at, vector);
    for (unsigned f = 0, count = 0; f < group->count; f += count == 0 ? 1 : count) {
        for (count = 0; count < pieces.width; count++) {
            LLVMValueRef store = f + count < group->count ? group->stores[f + count] : NULL;
            if (store == NULL) {
                break;
            }
            struct simd_value value = simd_get(emit, LLVMGetOperand(store, 0));
            pieces.vectors[count] =
                LLVMBuildBitCast(emit->builder, simd_vector(emit, &value, vector), type, "");
        }
        for (unsigned i = count; i < pieces.width; i++) {
            pieces.vectors[i] = LLVMGetPoison(type);
        }
        if (count == 1) {
            store_alone(emit, group, fields, pieces.vectors[0], f);
        } else if (count != 0) {
            store_pieces(emit, group, fields, &pieces, f, count);
        }
    }
}
