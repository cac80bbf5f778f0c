/* Emission of interleave groups (plan/interleave.c): structures become vectors of elements, whose
 * lanes are shuffled into vectors of fields, and back. */
#include "simd/emit/interleave.h"

#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/metadata.h"
#include "simd/ir/instructions.h"
#include "simd/ir/kernel.h"
#include "simd/plan/interleave.h"

enum { MOST_WORD = 8 }; /* bytes, of a structure that is one number */

/* The row's element type and how many of them a structure has: fields' own, or one number. */
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

static LLVMValueRef shift_by(const struct simd_emit *emit, const struct simd_structure *layout,
                             const struct simd_member *field)
{
    LLVMTypeRef type = LLVMIntTypeInContext(emit->lower->llvm, (unsigned)layout->bytes * 8);
    return simd_splat_constant(emit, simd_int(type, (field->offset - layout->start) * 8));
}

/* Of as many lanes, by their numbers in the first vector and, behind it, the second. */
static LLVMValueRef shuffle(struct simd_emit *emit, LLVMValueRef first, LLVMValueRef second,
                            const int *lanes)
{
    LLVMTypeRef i32 = emit->lower->i32;
    LLVMValueRef indices[SIMD_MOST_LANES];
    for (unsigned i = 0; i < emit->lanes; i++) {
        indices[i] = lanes[i] < 0 ? LLVMGetPoison(i32) : simd_int(i32, lanes[i]);
    }
    return LLVMBuildShuffleVector(emit->builder, first, second,
                                  LLVMConstVector(indices, emit->lanes), "");
}

static bool is_power(unsigned count)
{
    return (count & (count - 1)) == 0;
}

/* Every other element, again and again: what fields have in common the optimizer makes once. */
static LLVMValueRef pick_halves(struct simd_emit *emit, LLVMValueRef *rows, unsigned count,
                                unsigned field)
{
    int lanes[SIMD_MOST_LANES];
    for (; count > 1; count /= 2, field /= 2) {
        for (unsigned i = 0; i < emit->lanes; i++) {
            lanes[i] = (int)(2 * i + field % 2);
        }
        for (unsigned i = 0; i < count / 2; i++) {
            rows[i] = shuffle(emit, rows[2 * i], rows[2 * i + 1], lanes);
        }
    }
    return rows[0];
}

/* What the next row adds to the lanes that the ones before it filled. */
static LLVMValueRef pick_each(struct simd_emit *emit, LLVMValueRef *rows, unsigned count,
                              unsigned field)
{
    LLVMValueRef result = rows[0];
    for (unsigned r = 1; r < count; r++) {
        int lanes[SIMD_MOST_LANES];
        for (unsigned i = 0; i < emit->lanes; i++) {
            unsigned at = i * count + field;
            lanes[i] = at / emit->lanes > r    ? -1
                       : at / emit->lanes == r ? (int)(emit->lanes + at % emit->lanes)
                       : r == 1                ? (int)at
                                               : (int)i;
        }
        result = shuffle(emit, result, rows[r], lanes);
    }
    return result;
}

/* The field of each structure in the rows. */
static LLVMValueRef pick(struct simd_emit *emit, const struct simd_structure *layout,
                         LLVMValueRef *rows, LLVMTypeRef type, unsigned count)
{
    LLVMBuilderRef b = emit->builder;
    const struct simd_member *field = &layout->field;
    unsigned place = (unsigned)(field->offset - layout->start) / field->size;
    if (count > 1) {
        return is_power(count) ? pick_halves(emit, rows, count, place)
                               : pick_each(emit, rows, count, place);
    }
    LLVMValueRef part = LLVMBuildLShr(b, rows[0], shift_by(emit, layout, field), "");
    part = LLVMBuildTrunc(b, part, integer_of(emit, field->size), "");
    return LLVMBuildBitCast(b, part, simd_vector_type(emit, type), "");
}

/* Of the row-th vector, of as many elements as there are lanes. */
static LLVMValueRef row_address(struct simd_emit *emit, const struct simd_structure *layout,
                                LLVMValueRef field, unsigned row)
{
    int64_t by =
        layout->start - layout->field.offset + (int64_t)row * emit->lanes * layout->field.size;
    LLVMValueRef offset = simd_int(emit->lower->i64, by);
    return LLVMBuildGEP2(emit->builder, emit->lower->i8, field, &offset, 1, "");
}

struct simd_value simd_load_field(struct simd_emit *emit, LLVMValueRef load,
                                  const struct simd_group *group)
{
    const struct simd_structure *layout = &group->layout;
    struct simd_value at = simd_get(emit, simd_accessed(load));
    LLVMTypeRef type = LLVMTypeOf(load);
    unsigned count, align = LLVMGetAlignment(load);
    LLVMTypeRef element = element_of(emit, layout, type, &count);
    struct simd_value result = {.shape = {.kind = SHAPE_VARYING}};
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef rows[SIMD_MOST_FIELDS];
        for (unsigned r = 0; r < count; r++) {
            LLVMValueRef start = row_address(emit, layout, at.scalar[u], r);
            rows[r] = LLVMBuildLoad2(emit->builder, simd_vector_type(emit, element), start, "");
            LLVMSetAlignment(rows[r], align < layout->field.size ? align : layout->field.size);
            simd_alias_mark(emit, load, rows[r]);
        }
        result.vector[u] = pick(emit, layout, rows, type, count);
    }
    return result;
}

/* Two fields' elements in turn, again and again. */
static void join_halves(struct simd_emit *emit, LLVMValueRef *fields, unsigned count)
{
    for (unsigned left = count, each = 1; left > 1; left /= 2, each *= 2) {
        LLVMValueRef joined[SIMD_MOST_FIELDS];
        for (unsigned i = 0; i < count; i++) { /* left sequences of each vectors become half */
            unsigned sequence = i / (2 * each), place = i / 2 % each;
            int lanes[SIMD_MOST_LANES];
            for (unsigned k = 0; k < emit->lanes; k++) {
                unsigned from = i % 2 * emit->lanes / 2 + k / 2;
                lanes[k] = (int)(from + k % 2 * emit->lanes);
            }
            joined[i] = shuffle(emit, fields[sequence * each + place],
                                fields[(sequence + left / 2) * each + place], lanes);
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

/* All fields' vectors become as many rows. */
static void interleave(struct simd_emit *emit, LLVMValueRef *fields, unsigned count)
{
    LLVMValueRef rows[SIMD_MOST_FIELDS];
    if (is_power(count)) {
        join_halves(emit, fields, count);
        return;
    }
    for (unsigned r = 0; r < count; r++) {
        rows[r] = join_each(emit, fields, count, r);
    }
    for (unsigned r = 0; r < count; r++) {
        fields[r] = rows[r];
    }
}

/* The same as one number for each lane. */
static LLVMValueRef assemble(struct simd_emit *emit, const struct simd_group *group,
                             LLVMValueRef *fields)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef type = integer_of(emit, (unsigned)group->layout.bytes);
    LLVMValueRef all = LLVMConstNull(type);
    for (unsigned f = 0; f < group->count; f++) {
        struct simd_member field = simd_member_of(group->stores[f]);
        LLVMValueRef part = LLVMBuildBitCast(b, fields[f], integer_of(emit, field.size), "");
        part = LLVMBuildZExt(b, part, type, "");
        part = LLVMBuildShl(b, part, shift_by(emit, &group->layout, &field), "");
        all = LLVMBuildOr(b, all, part, "");
    }
    return all;
}

/* How many there are. */
static unsigned make_rows(struct simd_emit *emit, const struct simd_group *group, unsigned vector,
                          LLVMValueRef *rows)
{
    unsigned count;
    for (unsigned f = 0; f < group->count; f++) {
        struct simd_value value = simd_get(emit, LLVMGetOperand(group->stores[f], 0));
        rows[f] = simd_vector(emit, &value, vector);
    }
    element_of(emit, &group->layout, simd_accessed_type(group->last), &count);
    if (count == 1) {
        rows[0] = assemble(emit, group, rows);
    } else {
        interleave(emit, rows, count);
    }
    return count;
}

/* The first one's address is known, the others' may come behind it. */
void simd_store_structures(struct simd_emit *emit, const struct simd_group *group)
{
    LLVMValueRef first = group->first;
    struct simd_value at = simd_get(emit, simd_accessed(first));
    unsigned size = group->layout.field.size, align = LLVMGetAlignment(first);
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef rows[SIMD_MOST_FIELDS];
        unsigned count = make_rows(emit, group, u, rows);
        for (unsigned r = 0; r < count; r++) {
            LLVMValueRef start = row_address(emit, &group->layout, at.scalar[u], r);
            LLVMValueRef result = LLVMBuildStore(emit->builder, rows[r], start);
            LLVMSetAlignment(result, align < size ? align : size);
            simd_alias_mark(emit, first, result);
        }
    }
}
