/* Emission of interleave groups (plan/interleave.c): vectors of structures' elements are shuffled
 * into vectors of fields, and back.
 *
 * Two vectors of { x, y } in 4 lanes, by the even and the odd elements of both:
 *
 *     x0 y0 x1 y1 | x2 y2 x3 y3  ->  x0 x1 x2 x3,  y0 y1 y2 y3
 *
 * For a power of two this is repeated: each step halves the number of vectors. For other numbers of
 * fields, lanes are picked from one vector after the other. Structures of small fields, such as
 * uchar4, are vectors of integers, one for each structure; shifts extract and join the fields.
 *
 * Other groups are accessed by pieces (emit/pieces.c). */
#include "simd/emit/interleave.h"

#include "ir/context.h"
#include "simd/emit/builder.h"
#include "simd/emit/contiguous.h"
#include "simd/emit/emit.h"
#include "simd/emit/metadata.h"
#include "simd/emit/pieces.h"
#include "simd/ir/lanes.h"
#include "simd/ir/memory.h"
#include "simd/plan/interleave.h"

enum { MOST_WORD = 8 }; /* bytes of a structure that is handled as one integer */

/* The element type of the loaded vectors, and the number of elements in a structure: the fields'
 * own type, or one integer. */
static LLVMTypeRef element_of(const struct simd_emit *emit, const struct simd_structure *layout,
                              LLVMTypeRef type, unsigned *count)
{
    int64_t bytes = layout->bytes;
    if (layout->field.size < SIMD_WORD &&
        (bytes == 2 || bytes == SIMD_WORD || bytes == MOST_WORD)) {
        *count = 1;
        return LLVMIntTypeInContext(emit->lower->llvm, (unsigned)bytes * 8);
    }
    *count = (unsigned)(bytes / layout->field.size);
    return type;
}

static LLVMTypeRef integer_of(const struct simd_emit *emit, unsigned bytes)
{
    return simd_vector_type(emit, LLVMIntTypeInContext(emit->lower->llvm, bytes * 8));
}

/* The machines are little-endian, so the first field has the lowest bits. */
static LLVMValueRef shift_by(const struct simd_emit *emit, const struct simd_structure *layout,
                             const struct simd_member *field)
{
    LLVMTypeRef type = LLVMIntTypeInContext(emit->lower->llvm, (unsigned)layout->bytes * 8);
    return simd_splat_constant(emit, simd_int(type, (field->offset - layout->start) * 8));
}

/* A shuffle of two vectors into one of as many lanes.  Indices count the lanes of the first vector
 * and then those of the second. */
static LLVMValueRef shuffle(struct simd_emit *emit, LLVMValueRef first, LLVMValueRef second,
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

/* Only then halves can be taken repeatedly. */
static bool is_power(unsigned count)
{
    return (count & (count - 1)) == 0;
}

/* Selects every other element, repeatedly.  The optimizer merges the shuffles that fields have in
 * common. */
static LLVMValueRef pick_halves(struct simd_emit *emit, LLVMValueRef *vectors, unsigned count,
                                unsigned field)
{
    int lanes[SIMD_MOST_LANES];
    for (; count > 1; count /= 2, field /= 2) {
        for (unsigned i = 0; i < emit->lanes; i++) {
            lanes[i] = (int)(2 * i + field % 2);
        }
        for (unsigned i = 0; i < count / 2; i++) {
            vectors[i] = shuffle(emit, vectors[2 * i], vectors[2 * i + 1], lanes);
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
        result = shuffle(emit, result, vectors[r], lanes);
    }
    return result;
}

/* Extracts the field of each structure from the vectors. */
static LLVMValueRef pick(struct simd_emit *emit, const struct simd_structure *layout,
                         LLVMValueRef *vectors, LLVMTypeRef type, unsigned count)
{
    LLVMBuilderRef b = emit->builder;
    const struct simd_member *field = &layout->field;
    unsigned index = (unsigned)(field->offset - layout->start) / field->size;
    if (count > 1) {
        return is_power(count) ? pick_halves(emit, vectors, count, index)
                               : pick_each(emit, vectors, count, index);
    }
    LLVMValueRef field_bits = LLVMBuildLShr(b, vectors[0], shift_by(emit, layout, field), "");
    field_bits = LLVMBuildTrunc(b, field_bits, integer_of(emit, field->size), "");
    return LLVMBuildBitCast(b, field_bits, simd_vector_type(emit, type), "");
}

/* The address of the vector number `index`, each of as many elements as there are lanes. */
static LLVMValueRef vector_address(struct simd_emit *emit, const struct simd_structure *layout,
                                   LLVMValueRef field, unsigned index)
{
    int64_t by =
        layout->start - layout->field.offset + (int64_t)index * emit->lanes * layout->field.size;
    if (layout->is_reversed) {
        by -= (int64_t)(emit->lanes - 1) * layout->bytes;
    }
    LLVMValueRef offset = simd_int(emit->lower->types.i64, by);
    return LLVMBuildGEP2(emit->builder, emit->lower->types.i8, field, &offset, 1, "");
}

unsigned simd_field_align(const struct simd_structure *layout, LLVMValueRef access)
{
    unsigned align = LLVMGetAlignment(access), size = layout->field.size;
    return align < size ? align : size;
}

struct simd_value simd_load_field(struct simd_emit *emit, LLVMValueRef load,
                                  const struct simd_group *group)
{
    if (group->is_transposed) {
        return simd_load_by_pieces(emit, load, group);
    }
    const struct simd_structure *layout = &group->layout;
    struct simd_value at = simd_get(emit, simd_accessed(load));
    LLVMTypeRef type = LLVMTypeOf(load);
    unsigned count;
    LLVMTypeRef element = element_of(emit, layout, type, &count);
    struct simd_value result = simd_varying();
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef vectors[SIMD_MOST_FIELDS];
        for (unsigned r = 0; r < count; r++) {
            LLVMValueRef start = vector_address(emit, layout, at.scalar[u], r);
            vectors[r] = LLVMBuildLoad2(emit->builder, simd_vector_type(emit, element), start, "");
            LLVMSetAlignment(vectors[r], simd_field_align(layout, load));
            simd_alias_mark(emit, load, vectors[r]);
        }
        result.vector[u] = pick(emit, layout, vectors, type, count);
        if (layout->is_reversed) {
            result.vector[u] = simd_reverse(emit, result.vector[u]);
        }
    }
    return result;
}

/* Interleaves two fields' elements, repeatedly. */
static void join_halves(struct simd_emit *emit, LLVMValueRef *fields, unsigned count)
{
    for (unsigned left = count, each = 1; left > 1; left /= 2, each *= 2) {
        LLVMValueRef joined[SIMD_MOST_FIELDS];
        for (unsigned i = 0; i < count; i++) { /* each step merges the sequences in pairs */
            unsigned sequence = i / (2 * each), index = i / 2 % each;
            int lanes[SIMD_MOST_LANES];
            for (unsigned k = 0; k < emit->lanes; k++) {
                unsigned from = i % 2 * emit->lanes / 2 + k / 2;
                lanes[k] = (int)(from + k % 2 * emit->lanes);
            }
            joined[i] = shuffle(emit, fields[sequence * each + index],
                                fields[(sequence + left / 2) * each + index], lanes);
        }
        for (unsigned i = 0; i < count; i++) {
            fields[i] = joined[i];
        }
    }
}

static LLVMValueRef join_each(struct simd_emit *emit, LLVMValueRef *fields, unsigned count,
                              unsigned row)
{
    LLVMValueRef result = fields[0];
    for (unsigned f = 1; f < count; f++) {
        int lanes[SIMD_MOST_LANES];
        for (unsigned i = 0; i < emit->lanes; i++) {
            unsigned at = row * emit->lanes + i;
            lanes[i] = at % count > f    ? -1
                       : at % count == f ? (int)(emit->lanes + at / count)
                       : f == 1          ? (int)(at / count)
                                         : (int)i;
        }
        result = shuffle(emit, result, fields[f], lanes);
    }
    return result;
}

/* Turns the vectors of all fields into as many vectors of structures. */
static void interleave(struct simd_emit *emit, LLVMValueRef *fields, unsigned count)
{
    LLVMValueRef vectors[SIMD_MOST_FIELDS];
    if (is_power(count)) {
        join_halves(emit, fields, count);
        return;
    }
    for (unsigned r = 0; r < count; r++) {
        vectors[r] = join_each(emit, fields, count, r);
    }
    for (unsigned r = 0; r < count; r++) {
        fields[r] = vectors[r];
    }
}

/* Assembles each lane's fields into one integer. */
static LLVMValueRef assemble(struct simd_emit *emit, const struct simd_group *group,
                             LLVMValueRef *fields)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef type = integer_of(emit, (unsigned)group->layout.bytes);
    LLVMValueRef all = LLVMConstNull(type);
    for (unsigned f = 0; f < group->count; f++) {
        struct simd_member field = simd_member_of(group->stores[f]);
        LLVMValueRef field_bits = LLVMBuildBitCast(b, fields[f], integer_of(emit, field.size), "");
        field_bits = LLVMBuildZExt(b, field_bits, type, "");
        field_bits = LLVMBuildShl(b, field_bits, shift_by(emit, &group->layout, &field), "");
        all = LLVMBuildOr(b, all, field_bits, "");
    }
    return all;
}

/* Computes the vectors to store, and returns how many there are. */
static unsigned build_vectors(struct simd_emit *emit, const struct simd_group *group,
                              unsigned vector, LLVMValueRef *vectors)
{
    unsigned count;
    for (unsigned f = 0; f < group->count; f++) {
        struct simd_value value = simd_get(emit, LLVMGetOperand(group->stores[f], 0));
        vectors[f] = simd_vector(emit, &value, vector);
        if (group->layout.is_reversed) {
            vectors[f] = simd_reverse(emit, vectors[f]);
        }
    }
    element_of(emit, &group->layout, simd_accessed_type(group->last), &count);
    if (count == 1) {
        vectors[0] = assemble(emit, group, vectors);
    } else {
        interleave(emit, vectors, count);
    }
    return count;
}

/* Emitted at the group's last store.  Only the first store's address is known to be available
 * there. */
void simd_store_structures(struct simd_emit *emit, const struct simd_group *group)
{
    LLVMValueRef first = group->first;
    struct simd_value at = simd_get(emit, simd_accessed(first));
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef vectors[SIMD_MOST_FIELDS];
        if (group->is_transposed) {
            simd_store_by_pieces(emit, group, &at, u);
            continue;
        }
        unsigned count = build_vectors(emit, group, u, vectors);
        for (unsigned r = 0; r < count; r++) {
            LLVMValueRef start = vector_address(emit, &group->layout, at.scalar[u], r);
            LLVMValueRef result = LLVMBuildStore(emit->builder, vectors[r], start);
            LLVMSetAlignment(result, simd_field_align(&group->layout, first));
            simd_alias_mark(emit, first, result);
        }
    }
}
