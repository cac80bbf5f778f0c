/* Interleave groups: arrays of structures, of which neighbouring threads access neighbouring
 * elements.
 *
 * The lanes' structures are contiguous, as float4 or uchar4 in arrays are.  Then one field is at
 * every few elements, and a gather or scatter takes time for each element.  But all fields together
 * are contiguous.  A load of a field reads whole structures and extracts its elements; the
 * optimizer merges the reads of all fields.  Stores wait until all fields are known, and write
 * whole structures (emit/interleave.c).
 *
 * Lanes may also access the structures in descending order; then the fields' lanes are reversed.
 *
 * A group may read more bytes than the program does.  The bytes between two lanes' fields are never
 * on a page of their own.  The bytes before the first lane's field and after the last lane's field
 * are read in two cases: the program reads them, too, or structures are aligned, so that none
 * crosses the end of a page.
 *
 * Large structures, and those of which only some fields are stored, are accessed by pieces of 16
 * bytes or less of each lane's structure, which are transposed (emit/interleave.c).  A load of a
 * piece reads only bytes between the first and the last one that the program accesses.  A store
 * writes no others than the program does.
 *
 * Groups are for accesses whose lanes are all active; other accesses are pairs or gathers
 * (plan/field_pairs.c).  Where the structures are contiguous only if a test holds, one test decides
 * for all vectors of the chunk.  If it fails, each field is a gather or scatter.
 *
 * The lanes' structures may also be anywhere, as in p[index[i]].  Then they are accessed by pieces
 * if the program accesses almost all of their fields: a load of 16 bytes for each lane takes less
 * time than a gather for each field.
 *
 * With four lanes and struct { float x, y; } p[]:
 *
 *     memory          x0 y0 x1 y1 x2 y2 x3 y3      two vector loads
 *     shuffle         x0 x1 x2 x3   y0 y1 y2 y3    p[i].x and p[i].y
 *
 * A scalar loop vectorizer finds such groups by distances between accesses of one iteration; LLVM
 * calls them interleaved access groups. Here the stride of the affine address is the structure's
 * size, and the constant offset determines the field.
 *
 * What always holds: fields of a group have one size, the structure is a whole number of them, and
 * its first field is at a multiple of the structure's size from the common base. */
#include "simd/plan/interleave.h"

#include "simd/analysis/shape.h"
#include "simd/ir/calls.h"
#include "simd/ir/memory.h"
#include "simd/ir/numbers.h"
#include "simd/ir/variant.h"
#include "simd/plan/overlaps.h"
#include "support/arena.h"

#include <llvm-c/Core.h>

enum {
    /* Of structures whose fields are too small to transpose them. */
    MOST_BYTES = 32,
    MOST_SMALL = 8, /* fields that do not form words */
    /* Bytes of a structure of which pieces are accessed.  The bytes between two accesses of one
     * structure are on a page of one of them. */
    MOST_STRIDE = 1024,
    /* The part of a scattered structure in which fields are looked for. */
    PART = 64,
};

/* The other access is of the same structure. */
static bool is_same_structure(const struct simd_structure *layout, const struct simd_member *other)
{
    return other->size != 0 && other->base == layout->field.base &&
           other->offset >= layout->start &&
           other->offset + other->size <= layout->start + layout->bytes;
}

/* Sets the first byte of the structure, or of its part.  False: the field is not aligned to its
 * size within it. */
static bool find_start(struct simd_structure *layout)
{
    int64_t rest = layout->field.offset % layout->bytes;
    layout->start = layout->field.offset - (rest < 0 ? rest + layout->bytes : rest);
    return (layout->field.offset - layout->start) % layout->field.size == 0;
}

/* False if the lanes' structures are neither contiguous nor scattered, or if the field is not
 * aligned to its size within the structure. */
static bool find_layout(const struct simd_kernel *kernel, LLVMValueRef access,
                        struct simd_structure *layout)
{
    layout->field = simd_member_of(access);
    if (layout->field.size == 0) {
        return false;
    }
    struct simd_shape shape = *simd_shape_of(kernel, simd_accessed(access));
    if (shape.kind == SHAPE_VARYING) {
        layout->is_scattered = true;
        layout->bytes = PART;
        return layout->field.size >= SIMD_WORD && find_start(layout);
    }
    layout->is_reversed = shape.stride < 0;
    layout->bytes = layout->is_reversed ? -shape.stride : shape.stride;
    if (shape.kind != SHAPE_LINEAR || layout->bytes <= layout->field.size ||
        layout->bytes > MOST_STRIDE || layout->bytes % layout->field.size != 0) {
        return false;
    }
    return find_start(layout);
}

/* So many neighbouring bytes of each lane, of which so many are accessed, take less time by pieces
 * than by gathers or scatters for each field or two. */
static bool is_dense(int64_t bytes, int64_t accessed)
{
    return 4 * accessed >= 3 * SIMD_PIECE && 4 * accessed >= 3 * bytes;
}

static unsigned fields_of(const struct simd_structure *layout)
{
    return (unsigned)(layout->bytes / layout->field.size);
}

/* The vectors' elements are the pieces' elements, and a vector holds whole pieces. */
static bool may_transpose(const struct simd_kernel *kernel, const struct simd_structure *layout)
{
    unsigned size = layout->field.size, lanes = simd_variant_of(kernel)->lanes;
    return (size == SIMD_WORD || size == 2 * SIMD_WORD) && lanes * size % SIMD_PIECE == 0;
}

/* Whether shuffles of whole structures take less time than transposed pieces (measured).
 * With registers of 64 bytes, one instruction picks elements of two registers. With smaller ones,
 * it picks within 16 bytes.  The number of shuffles of whole structures grows faster than that of
 * fields. */
static bool are_whole_better(const struct simd_kernel *kernel, const struct simd_structure *layout)
{
    enum { WIDEST = 64, MOST_OF_WIDEST = 5, MOST = 3 };
    unsigned count = fields_of(layout);
    unsigned bytes = simd_variant_of(kernel)->lanes * layout->field.size;
    if (!may_transpose(kernel, layout)) {
        return layout->bytes <= MOST_BYTES &&
               (count <= MOST_SMALL || layout->bytes % SIMD_WORD == 0);
    }
    return count <= (bytes >= WIDEST ? MOST_OF_WIDEST : MOST);
}

/* ---- loads ---- */

/* The bytes of the structure that a load and the related accesses touch.
 * Life: one decision. Grows while accesses are scanned. */
struct span {
    bool has_first, has_last; /* the structure's first or last byte is accessed */
    int64_t first, end;       /* the bytes from the first accessed one to the last one */
    unsigned loads;           /* other ones, of fields of the same size */
    bool is_aligned;          /* to the structure's size */
    /* Another load of its fields follows or precedes this one without a store between them; only
     * behind a store. */
    bool has_neighbours, has_stores_between;
};

/* An access of the first field with the alignment of the whole structure proves that no structure
 * crosses a page. */
static void add_to_span(const struct simd_structure *layout, LLVMValueRef at, struct span *span)
{
    struct simd_member field = simd_member_of(at);
    if (!is_same_structure(layout, &field)) {
        return;
    }
    bool is_first = field.offset == layout->start;
    span->first = field.offset < span->first ? field.offset : span->first;
    int64_t end = field.offset + field.size;
    if (LLVMGetAlignment(at) >= SIMD_PIECE &&
        field.offset + SIMD_PIECE <= layout->start + layout->bytes) {
        end = field.offset + SIMD_PIECE; /* on the same page */
    }
    span->end = end > span->end ? end : span->end;
    span->has_first |= is_first;
    span->has_last |= field.offset + field.size == layout->start + layout->bytes;
    span->is_aligned |= is_first && (layout->bytes & (layout->bytes - 1)) == 0 &&
                        LLVMGetAlignment(at) >= (uint64_t)layout->bytes;
}

/* Control may not continue after the instruction, or not for all lanes. */
static bool is_end(LLVMValueRef at)
{
    return LLVMIsACallInst(at) != NULL && simd_has_effects(at);
}

/* Scans forwards or backwards from the load over the accesses that run whenever the load runs.
 * Only the load's own basic block is scanned: its instructions run whenever the load runs, up to a
 * call that may not return. */
static void scan_accesses(const struct simd_kernel *kernel, const struct simd_structure *layout,
                          LLVMValueRef load, bool is_forward, const bool *delayed,
                          struct span *span)
{
    bool has_store = false;
    for (LLVMValueRef at = load; at != NULL && !is_end(at);
         at = is_forward ? LLVMGetNextInstruction(at) : LLVMGetPreviousInstruction(at)) {
        struct simd_member member = simd_member_of(at);
        bool is_other =
            LLVMIsALoadInst(at) != NULL && at != load && is_same_structure(layout, &member);
        span->has_stores_between |= is_other && has_store;
        span->has_neighbours |= is_other && !has_store;
        span->loads += is_other && member.size == layout->field.size;
        has_store |=
            LLVMIsAStoreInst(at) != NULL && (delayed == NULL || !delayed[simd_number(kernel, at)]);
        add_to_span(layout, at, span);
    }
}

/* A store between two loads of the group's fields prevents the optimizer from merging the reads. If
 * there is one before each load, each would read the structures again. Small fields, such as those
 * of uchar4, gain even so. */
static bool are_merged(const struct simd_structure *layout, const struct span *span)
{
    return !span->has_stores_between || span->has_neighbours || layout->field.size < SIMD_WORD;
}

/* Chooses the piece that contains the field.  Pieces follow each other from the first accessed byte
 * on; the last one ends with the last accessed byte.  So neighbouring fields have the same piece.
 * False: the accessed bytes are less than a piece. */
static bool find_piece(struct simd_group *group, const struct span *span)
{
    const struct simd_member *field = &group->layout.field;
    int64_t last = span->end - SIMD_PIECE;
    group->piece = field->offset - (field->offset - span->first) % SIMD_PIECE;
    group->piece = group->piece > last ? last : group->piece;
    return last >= span->first && (field->offset - group->piece) % field->size == 0;
}

static bool is_readable(const struct simd_kernel *kernel, const bool *delayed, LLVMValueRef load,
                        struct simd_group *group)
{
    const struct simd_structure *layout = &group->layout;
    struct span span = {.first = layout->field.offset, .end = layout->field.offset};
    scan_accesses(kernel, layout, load, false, delayed, &span);
    scan_accesses(kernel, layout, load, true, delayed, &span);
    if (!are_merged(layout, &span)) {
        return false;
    }
    bool is_whole = span.is_aligned || (span.has_first && span.has_last);
    if (is_whole && !layout->is_scattered && are_whole_better(kernel, layout)) {
        return true;
    }
    group->is_transposed = true;
    int64_t accessed = (int64_t)(span.loads + 1) * layout->field.size;
    if (layout->is_scattered && !is_dense(span.end - span.first, accessed)) {
        return false;
    }
    return span.loads != 0 && may_transpose(kernel, layout) && find_piece(group, &span);
}

struct simd_group *simd_find_load_group(const struct simd_kernel *kernel, LLVMValueRef load,
                                        const bool *delayed)
{
    struct simd_group group = {.count = 0};
    if (!find_layout(kernel, load, &group.layout) || !is_readable(kernel, delayed, load, &group)) {
        return NULL;
    }
    group.count = fields_of(&group.layout);
    struct simd_group *result = arena_alloc(sizeof *result);
    *result = group;
    return result;
}

bool simd_read_the_same(const struct simd_group *a, const struct simd_group *b)
{
    const struct simd_structure *x = &a->layout, *y = &b->layout;
    return x->field.base == y->field.base && x->field.size == y->field.size &&
           x->start == y->start && x->bytes == y->bytes && x->is_reversed == y->is_reversed &&
           x->is_scattered == y->is_scattered && a->is_transposed == b->is_transposed &&
           a->piece == b->piece;
}

/* ---- stores ---- */

/* The instruction may access memory, so a group of stores must not be moved across it. */
static bool touches(LLVMValueRef at)
{
    return LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL || simd_is_order(at) ||
           is_end(at);
}

/* The stores found so far may be delayed past the load. */
static bool pass_load(const struct simd_kernel *kernel, struct simd_group *group, LLVMValueRef load,
                      struct simd_overlaps *overlaps)
{
    for (unsigned f = 0; f < group->count; f++) {
        enum simd_passing passing =
            group->stores[f] == NULL
                ? PASSES
                : simd_passes_load(kernel, group->stores[f], load, group->layout.bytes, overlaps);
        if (passing == PASSES_NOT) {
            return false;
        }
        group->needs_distance |= passing == PASSES_IF_TESTED;
    }
    return true;
}

/* Adds a store to the group.  False: it is not of a field of these structures, or of one that has
 * a store. */
static bool add_store(struct simd_group *group, LLVMValueRef at)
{
    const struct simd_structure *layout = &group->layout;
    struct simd_member field = simd_member_of(at);
    if (LLVMIsAStoreInst(at) == NULL || !is_same_structure(layout, &field) ||
        field.size != layout->field.size ||
        simd_accessed_type(at) != simd_accessed_type(group->first) ||
        (field.offset - layout->start) % field.size != 0) {
        return false;
    }
    LLVMValueRef *store = &group->stores[(field.offset - layout->start) / field.size];
    if (*store != NULL) {
        return false;
    }
    *store = group->last = at;
    return true;
}

/* Collects stores from the first one on, until each field has one. Loads of other memory may be
 * between them. Any other access ends the search, as does a second store to the same field.
 * Returns the number of stores. */
static unsigned find_stores(const struct simd_kernel *kernel, struct simd_group *group,
                            struct simd_overlaps *overlaps)
{
    struct simd_group upto = *group; /* the last store */
    unsigned found = 0;
    size_t tests = overlaps == NULL ? 0 : overlaps->count;
    for (LLVMValueRef at = group->first; at != NULL && found < group->count;
         at = LLVMGetNextInstruction(at)) {
        bool is_load = LLVMIsALoadInst(at) != NULL;
        if (touches(at) &&
            !(is_load ? pass_load(kernel, group, at, overlaps) : add_store(group, at))) {
            break;
        }
        if (touches(at) && !is_load) {
            found++;
            upto = *group;
            tests = overlaps == NULL ? 0 : overlaps->count;
        }
    }
    *group = upto;
    if (overlaps != NULL) {
        overlaps->count = tests;
    }
    return found;
}

/* The stored fields are neighbours, without a gap. */
static bool are_neighbours(const struct simd_group *group, unsigned found)
{
    unsigned first = 0, count = 0;
    while (group->stores[first] == NULL) {
        first++;
    }
    while (first + count < group->count && group->stores[first + count] != NULL) {
        count++;
    }
    return count == found;
}

/* Chooses how the group is stored.  False: one store is none.
 * Stores of some fields need no masks if they are transposed.  Even where no two of them are
 * neighbours, the group delays stores past loads, which can then be merged. */
static bool is_group(const struct simd_kernel *kernel, unsigned found, struct simd_group *group)
{
    if (group->layout.is_scattered) {
        int64_t bytes = (int64_t)found * group->layout.field.size;
        group->is_transposed = true;
        return found > 1 && is_dense(bytes, bytes) && are_neighbours(group, found) &&
               may_transpose(kernel, &group->layout);
    }
    bool is_whole = found == group->count && are_whole_better(kernel, &group->layout);
    group->is_transposed = !is_whole;
    return is_whole || (found > 1 && may_transpose(kernel, &group->layout));
}

const struct simd_group *simd_find_store_group(const struct simd_kernel *kernel, LLVMValueRef first,
                                               struct simd_overlaps *overlaps)
{
    struct simd_group group = {.first = first, .last = first};
    size_t tests = overlaps == NULL ? 0 : overlaps->count;
    if (!find_layout(kernel, first, &group.layout) || fields_of(&group.layout) > SIMD_MOST_FIELDS) {
        return NULL;
    }
    group.count = fields_of(&group.layout);
    if (!is_group(kernel, find_stores(kernel, &group, overlaps), &group)) {
        if (overlaps != NULL) {
            overlaps->count = tests;
        }
        return NULL;
    }
    struct simd_group *result = arena_alloc(sizeof *result);
    *result = group;
    return result;
}
