/* Emission of interleave groups (plan/interleave.c): vectors of structures' elements are shuffled
 * into vectors of fields, and back.
 *
 * Structures of small fields, such as uchar4, are vectors of integers, one for each structure or
 * for each word of it; shifts extract and join the fields.
 *
 * Other groups are accessed by pieces (emit/pieces.c). */
#include "simd/emit/interleave.h"

#include "ir/context.h"
#include "simd/emit/builder.h"
#include "simd/emit/contiguous.h"
#include "simd/emit/deinterleave.h"
#include "simd/emit/emit.h"
#include "simd/emit/metadata.h"
#include "simd/emit/pieces.h"
#include "simd/ir/lanes.h"
#include "simd/ir/memory.h"
#include "simd/ir/numbers.h"
#include "simd/plan/interleave.h"
#include "support/arena.h"

#include <string.h>

/* The bytes of the integers that hold several fields; 0: each field is an element. */
static unsigned word_of(const struct simd_structure *layout)
{
    bool are_words = layout->bytes % SIMD_WORD == 0, is_half = layout->bytes == SIMD_WORD / 2;
    return layout->field.size >= SIMD_WORD ? 0
           : are_words                     ? SIMD_WORD
           : is_half                       ? SIMD_WORD / 2
                                           : 0;
}

/* The element type of the loaded vectors, and the number of elements in a structure: the fields'
 * own type, or integers. */
static LLVMTypeRef element_of(const struct simd_emit *emit, const struct simd_structure *layout,
                              LLVMTypeRef type, unsigned *count)
{
    unsigned word = word_of(layout);
    *count = (unsigned)layout->bytes / (word != 0 ? word : layout->field.size);
    return word == 0 ? type : LLVMIntTypeInContext(emit->lower->llvm, word * 8);
}

static LLVMTypeRef integer_of(const struct simd_emit *emit, unsigned bytes)
{
    return simd_vector_type(emit, LLVMIntTypeInContext(emit->lower->llvm, bytes * 8));
}

/* The machines are little-endian, so the first field has the lowest bits. */
static LLVMValueRef shift_by(const struct simd_emit *emit, const struct simd_structure *layout,
                             const struct simd_member *field)
{
    unsigned word = word_of(layout);
    LLVMTypeRef type = LLVMIntTypeInContext(emit->lower->llvm, word * 8);
    return simd_splat_constant(emit, simd_int(type, (field->offset - layout->start) % word * 8));
}

/* Extracts the field of each structure from the vectors. */
static LLVMValueRef pick(struct simd_emit *emit, const struct simd_structure *layout,
                         LLVMValueRef *vectors, LLVMTypeRef type, unsigned count)
{
    LLVMBuilderRef b = emit->builder;
    const struct simd_member *field = &layout->field;
    unsigned word = word_of(layout), size = word != 0 ? word : field->size;
    unsigned index = (unsigned)(field->offset - layout->start) / size;
    LLVMValueRef element = count > 1 ? simd_deinterleave(emit, vectors, count, index) : vectors[0];
    if (word == 0) {
        return element;
    }
    LLVMValueRef field_bits = LLVMBuildLShr(b, element, shift_by(emit, layout, field), "");
    field_bits = LLVMBuildTrunc(b, field_bits, integer_of(emit, field->size), "");
    return LLVMBuildBitCast(b, field_bits, simd_vector_type(emit, type), "");
}

/* The address of the vector number `index`, each of as many elements as there are lanes. */
static LLVMValueRef vector_address(struct simd_emit *emit, const struct simd_structure *layout,
                                   LLVMValueRef field, unsigned index)
{
    unsigned word = word_of(layout), size = word != 0 ? word : layout->field.size;
    int64_t by = layout->start - layout->field.offset + (int64_t)index * emit->lanes * size;
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

/* Reads the structures of all vectors of the chunk: `count` vectors for each of them. */
static LLVMValueRef *read_structures(struct simd_emit *emit, LLVMValueRef load,
                                     const struct simd_structure *layout, LLVMTypeRef element,
                                     unsigned count)
{
    struct simd_value at = simd_get(emit, simd_accessed(load));
    LLVMValueRef *vectors = arena_alloc(emit->vectors * count * sizeof *vectors);
    for (unsigned i = 0; i < emit->vectors * count; i++) {
        LLVMValueRef start = vector_address(emit, layout, at.scalar[i / count], i % count);
        vectors[i] = LLVMBuildLoad2(emit->builder, simd_vector_type(emit, element), start, "");
        LLVMSetAlignment(vectors[i], simd_field_align(layout, load));
        simd_alias_mark(emit, load, vectors[i]);
    }
    return vectors;
}

static struct simd_value load_from_structures(struct simd_emit *emit, LLVMValueRef load,
                                              const struct simd_group *group, LLVMValueRef **read)
{
    const struct simd_structure *layout = &group->layout;
    LLVMTypeRef type = LLVMTypeOf(load);
    unsigned count;
    LLVMTypeRef element = element_of(emit, layout, type, &count);
    struct simd_value result = simd_varying();
    if (*read == NULL) {
        *read = read_structures(emit, load, layout, element, count);
    }
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef vectors[SIMD_MOST_FIELDS];
        memcpy(vectors, &(*read)[u * count], count * sizeof *vectors);
        result.vector[u] = pick(emit, layout, vectors, type, count);
        if (layout->is_reversed) {
            result.vector[u] = simd_reverse(emit, result.vector[u]);
        }
    }
    return result;
}

struct simd_value simd_load_field(struct simd_emit *emit, LLVMValueRef load,
                                  const struct simd_group *group)
{
    LLVMValueRef reader = group->reader;
    LLVMValueRef *read =
        reader == NULL ? NULL : emit->scope.read[simd_number(emit->kernel, reader)];
    struct simd_value result = group->is_transposed
                                   ? simd_load_by_pieces(emit, load, group, &read)
                                   : load_from_structures(emit, load, group, &read);
    emit->scope.read[simd_number(emit->kernel, load)] = read;
    return result;
}

void simd_forget_read(struct simd_emit *emit, LLVMValueRef load)
{
    emit->scope.read[simd_number(emit->kernel, load)] = NULL;
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
            joined[i] = simd_shuffle_lanes(emit, fields[sequence * each + index],
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
        result = simd_shuffle_lanes(emit, result, fields[f], lanes);
    }
    return result;
}

/* Turns the vectors of all fields into as many vectors of structures. */
static void interleave(struct simd_emit *emit, LLVMValueRef *fields, unsigned count)
{
    LLVMValueRef vectors[SIMD_MOST_FIELDS];
    if (simd_is_power(count)) {
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

/* Assembles each lane's fields, from number `first` on, into one integer. */
static LLVMValueRef assemble(struct simd_emit *emit, const struct simd_group *group,
                             LLVMValueRef *fields, unsigned first)
{
    LLVMBuilderRef b = emit->builder;
    unsigned word = word_of(&group->layout), end = first + word / group->layout.field.size;
    LLVMTypeRef type = integer_of(emit, word);
    LLVMValueRef all = LLVMConstNull(type);
    for (unsigned f = first; f < end; f++) {
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
    for (unsigned w = 0; w < count && word_of(&group->layout) != 0; w++) {
        vectors[w] = assemble(emit, group, vectors, w * (group->count / count));
    }
    interleave(emit, vectors, count);
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
