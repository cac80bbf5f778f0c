/* Structures of neighbouring threads, as rows.
 *
 * Where lanes' structures follow each other, as float4 or uchar4 in arrays, one of their fields is
 * in every few elements, and a gather or scatter takes its time for each.  But all of them together
 * are a row: loads of a field read the whole row, which the optimizer does once for all fields, and
 * pick their elements; stores wait until all fields are at hand, and write the row.
 *
 * A row is more than the program reads.  What lies between two lanes' fields is on no page of its
 * own.  What lies before the first one's and behind the last one's is read as well where the
 * program does, or where structures are aligned, so that none lies across the end of a page.
 * Without a mask only; else it is another's affair (emit/access.c, plan/field_pairs.c). */
#include "simd/plan/interleave.h"

#include "simd/ir/instructions.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"

enum {
    MOST_FIELDS = 8,
    MOST_BYTES = 32, /* of a structure */
    WORD = 4,        /* bytes; smaller fields are parts of numbers as large as the structure */
    MOST_WORD = 8,
};

/* One lane's, in a row of them. */
struct layout {
    struct simd_member field; /* the access at hand */
    int64_t start, bytes;     /* of the structure, from the field's base */
};

/* Another access to the same structure. */
static bool is_fellow(const struct layout *layout, const struct simd_member *other)
{
    return other->size != 0 && other->base == layout->field.base &&
           other->offset >= layout->start &&
           other->offset + other->size <= layout->start + layout->bytes;
}

static bool find_layout(struct simd_emit *emit, LLVMValueRef access, struct layout *layout)
{
    layout->field = simd_member_of(access);
    if (emit->mask != NULL || layout->field.size == 0) {
        return false;
    }
    struct simd_shape shape = simd_get(emit, simd_accessed(access)).shape;
    layout->bytes = shape.stride;
    if (shape.kind != SHAPE_LINEAR || shape.check == CHECK_ALWAYS ||
        shape.stride <= layout->field.size || shape.stride > MOST_BYTES ||
        shape.stride % layout->field.size != 0 || shape.stride > MOST_FIELDS * layout->field.size) {
        return false;
    }
    int64_t rest = layout->field.offset % layout->bytes;
    layout->start = layout->field.offset - (rest < 0 ? rest + layout->bytes : rest);
    return (layout->field.offset - layout->start) % layout->field.size == 0;
}

/* ---- loads ---- */

/* What a load's fellows touch. */
struct span {
    bool has_first, has_last; /* of the structure's bytes */
    bool is_aligned;          /* to its size */
    bool is_torn;             /* stores part loads of its fields: each would read the row again */
};

static void add_to_span(const struct layout *layout, LLVMValueRef at, struct span *span)
{
    struct simd_member field = simd_member_of(at);
    if (!is_fellow(layout, &field)) {
        return;
    }
    bool is_first = field.offset == layout->start;
    span->has_first |= is_first;
    span->has_last |= field.offset + field.size == layout->start + layout->bytes;
    span->is_aligned |= is_first && (layout->bytes & (layout->bytes - 1)) == 0 &&
                        LLVMGetAlignment(at) >= (uint64_t)layout->bytes;
}

/* Control may not come back from it, or not to all lanes. */
static bool is_end(LLVMValueRef at)
{
    return LLVMIsACallInst(at) != NULL && !simd_is_pure_call(at);
}

/* All accesses from the load on, or back from it, that are made whenever it is. */
static void scan(const struct layout *layout, LLVMValueRef load, bool is_forward, struct span *span)
{
    bool has_store = false;
    for (LLVMValueRef at = load; at != NULL && !is_end(at);
         at = is_forward ? LLVMGetNextInstruction(at) : LLVMGetPreviousInstruction(at)) {
        struct simd_member member = simd_member_of(at);
        bool is_load = LLVMIsALoadInst(at) != NULL;
        span->is_torn |= is_load && has_store && is_fellow(layout, &member);
        has_store |= LLVMIsAStoreInst(at) != NULL;
        add_to_span(layout, at, span);
    }
}

static bool may_read(const struct layout *layout, LLVMValueRef load)
{
    struct span span = {.has_first = false};
    scan(layout, load, false, &span);
    scan(layout, load, true, &span);
    bool is_worth_it = !span.is_torn || layout->field.size < WORD;
    return is_worth_it && (span.is_aligned || (span.has_first && span.has_last));
}

/* The row's element type and how many of them a structure has: fields' own, or one number. */
static LLVMTypeRef element_of(const struct simd_emit *emit, const struct layout *layout,
                              LLVMTypeRef type, unsigned *count)
{
    int64_t bytes = layout->bytes;
    if (layout->field.size < WORD && (bytes == 2 || bytes == WORD || bytes == MOST_WORD)) {
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

static LLVMValueRef shift_by(const struct simd_emit *emit, const struct layout *layout,
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
    LLVMValueRef made = rows[0];
    for (unsigned r = 1; r < count; r++) {
        int lanes[SIMD_MOST_LANES];
        for (unsigned i = 0; i < emit->lanes; i++) {
            unsigned at = i * count + field;
            lanes[i] = at / emit->lanes > r    ? -1
                       : at / emit->lanes == r ? (int)(emit->lanes + at % emit->lanes)
                       : r == 1                ? (int)at
                                               : (int)i;
        }
        made = shuffle(emit, made, rows[r], lanes);
    }
    return made;
}

/* The field of each structure in the rows. */
static LLVMValueRef pick(struct simd_emit *emit, const struct layout *layout, LLVMValueRef *rows,
                         LLVMTypeRef type, unsigned count)
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
static LLVMValueRef row_address(struct simd_emit *emit, const struct layout *layout,
                                LLVMValueRef field, unsigned row)
{
    int64_t by =
        layout->start - layout->field.offset + (int64_t)row * emit->lanes * layout->field.size;
    LLVMValueRef offset = simd_int(emit->lower->i64, by);
    return LLVMBuildGEP2(emit->builder, emit->lower->i8, field, &offset, 1, "");
}

bool simd_load_field(struct simd_emit *emit, LLVMValueRef load, const struct simd_value *at,
                     struct simd_value *made)
{
    struct layout layout;
    if (!find_layout(emit, load, &layout) || !may_read(&layout, load)) {
        return false;
    }
    LLVMTypeRef type = LLVMTypeOf(load);
    unsigned count, align = LLVMGetAlignment(load);
    LLVMTypeRef element = element_of(emit, &layout, type, &count);
    *made = (struct simd_value){.shape = {.kind = SHAPE_VARYING}};
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef rows[MOST_FIELDS];
        for (unsigned r = 0; r < count; r++) {
            LLVMValueRef start = row_address(emit, &layout, at->scalar[u], r);
            rows[r] = LLVMBuildLoad2(emit->builder, simd_vector_type(emit, element), start, "");
            LLVMSetAlignment(rows[r], align < layout.field.size ? align : layout.field.size);
            simd_alias_mark(emit, load, rows[r]);
        }
        made->vector[u] = pick(emit, &layout, rows, type, count);
    }
    return true;
}

/* ---- stores ---- */

/* Stores that nothing else that touches memory is between, one for each field, by place. */
struct group {
    struct layout layout;
    LLVMValueRef stores[MOST_FIELDS];
    LLVMValueRef last; /* in the program */
    unsigned count;    /* fields of the structure */
};

static bool touches(LLVMValueRef at)
{
    return LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL || simd_is_order(at) ||
           is_end(at);
}

static bool find_group(struct simd_emit *emit, LLVMValueRef first, struct group *group)
{
    *group = (struct group){.last = first};
    if (!find_layout(emit, first, &group->layout)) {
        return false;
    }
    const struct layout *layout = &group->layout;
    unsigned found = 0;
    group->count = (unsigned)(layout->bytes / layout->field.size);
    for (LLVMValueRef at = first; at != NULL && found < group->count;
         at = LLVMGetNextInstruction(at)) {
        if (!touches(at)) {
            continue;
        }
        struct simd_member field = simd_member_of(at);
        int64_t place = (field.offset - layout->start) / layout->field.size;
        if (LLVMIsAStoreInst(at) == NULL || !is_fellow(layout, &field) ||
            field.size != layout->field.size ||
            simd_accessed_type(at) != simd_accessed_type(first) ||
            (field.offset - layout->start) % field.size != 0 || group->stores[place] != NULL) {
            return false;
        }
        group->stores[place] = group->last = at;
        found++;
    }
    return found == group->count;
}

/* Two fields' elements in turn, again and again. */
static void join_halves(struct simd_emit *emit, LLVMValueRef *fields, unsigned count)
{
    for (unsigned left = count, each = 1; left > 1; left /= 2, each *= 2) {
        LLVMValueRef joined[MOST_FIELDS];
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
    LLVMValueRef made = fields[0];
    for (unsigned f = 1; f < count; f++) {
        int lanes[SIMD_MOST_LANES];
        for (unsigned i = 0; i < emit->lanes; i++) {
            unsigned at = row * emit->lanes + i;
            lanes[i] = at % count > f    ? -1
                       : at % count == f ? (int)(emit->lanes + at / count)
                       : f == 1          ? (int)(at / count)
                                         : (int)i;
        }
        made = shuffle(emit, made, fields[f], lanes);
    }
    return made;
}

/* All fields' vectors become as many rows. */
static void interleave(struct simd_emit *emit, LLVMValueRef *fields, unsigned count)
{
    LLVMValueRef rows[MOST_FIELDS];
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
static LLVMValueRef assemble(struct simd_emit *emit, const struct group *group,
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
static unsigned make_rows(struct simd_emit *emit, const struct group *group, unsigned vector,
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
static void store_group(struct simd_emit *emit, const struct group *group, LLVMValueRef first)
{
    struct simd_value at = simd_get(emit, simd_accessed(first));
    unsigned size = group->layout.field.size, align = LLVMGetAlignment(first);
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef rows[MOST_FIELDS];
        unsigned count = make_rows(emit, group, u, rows);
        for (unsigned r = 0; r < count; r++) {
            LLVMValueRef start = row_address(emit, &group->layout, at.scalar[u], r);
            LLVMValueRef made = LLVMBuildStore(emit->builder, rows[r], start);
            LLVMSetAlignment(made, align < size ? align : size);
            simd_alias_mark(emit, first, made);
        }
    }
}

bool simd_store_structure(struct simd_emit *emit, LLVMValueRef store, LLVMValueRef first)
{
    struct group group;
    if (!find_group(emit, first, &group)) {
        return false;
    }
    for (unsigned f = 0; f < group.count && store == first; f++) {
        if (group.stores[f] != first) {
            emit->partners[simd_number(emit->kernel, group.stores[f])] = first;
        }
    }
    if (store == group.last) {
        store_group(emit, &group, first);
    }
    return true;
}
