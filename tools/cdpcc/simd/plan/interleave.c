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
 * Groups are for accesses whose lanes are all active; other accesses are pairs or gathers
 * (plan/field_pairs.c).  Where the structures are contiguous only if a test holds, one test decides
 * for all vectors of the chunk.  If it fails, each field is a gather or scatter.
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
#include "simd/plan/overlaps.h"
#include "support/arena.h"

#include <llvm-c/Core.h>

enum { MOST_BYTES = 32 /* of a structure */ };

/* The other access is of the same structure. */
static bool is_same_structure(const struct simd_structure *layout, const struct simd_member *other)
{
    return other->size != 0 && other->base == layout->field.base &&
           other->offset >= layout->start &&
           other->offset + other->size <= layout->start + layout->bytes;
}

/* False if the lanes' structures are not contiguous, have more than SIMD_MOST_FIELDS fields or
 * MOST_BYTES bytes, or if the field is not aligned to its size within the structure. */
static bool find_layout(const struct simd_kernel *kernel, LLVMValueRef access,
                        struct simd_structure *layout)
{
    layout->field = simd_member_of(access);
    if (layout->field.size == 0) {
        return false;
    }
    struct simd_shape shape = *simd_shape_of(kernel, simd_accessed(access));
    layout->is_reversed = shape.stride < 0;
    layout->bytes = layout->is_reversed ? -shape.stride : shape.stride;
    if (shape.kind != SHAPE_LINEAR || layout->bytes <= layout->field.size ||
        layout->bytes > MOST_BYTES || layout->bytes % layout->field.size != 0 ||
        layout->bytes > SIMD_MOST_FIELDS * layout->field.size) {
        return false;
    }
    int64_t rest = layout->field.offset % layout->bytes;
    layout->start = layout->field.offset - (rest < 0 ? rest + layout->bytes : rest);
    return (layout->field.offset - layout->start) % layout->field.size == 0;
}

/* ---- loads ---- */

/* The bytes of the structure that a load and the related accesses touch.
 * Life: one decision. Grows while accesses are scanned. */
struct span {
    bool has_first, has_last; /* the structure's first or last byte is accessed */
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
        has_store |=
            LLVMIsAStoreInst(at) != NULL && (delayed == NULL || !delayed[simd_number(kernel, at)]);
        add_to_span(layout, at, span);
    }
}

/* A store between two loads of the group's fields prevents the optimizer from merging the reads. If
 * there is one before each load, each would read the structures again. Small fields, such as those
 * of uchar4, gain even so. */
static bool may_read(const struct simd_kernel *kernel, const struct simd_structure *layout,
                     LLVMValueRef load, const bool *delayed)
{
    struct span span = {.has_first = false};
    scan_accesses(kernel, layout, load, false, delayed, &span);
    scan_accesses(kernel, layout, load, true, delayed, &span);
    bool is_worth_it =
        !span.has_stores_between || span.has_neighbours || layout->field.size < SIMD_WORD;
    return is_worth_it && (span.is_aligned || (span.has_first && span.has_last));
}

/* ---- stores ---- */

/* The instruction may access memory, so a group of stores must not be moved across it. */
static bool touches(LLVMValueRef at)
{
    return LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL || simd_is_order(at) ||
           is_end(at);
}

const struct simd_group *simd_find_load_group(const struct simd_kernel *kernel, LLVMValueRef load,
                                              const bool *delayed)
{
    struct simd_structure layout;
    if (!find_layout(kernel, load, &layout) || !may_read(kernel, &layout, load, delayed)) {
        return NULL;
    }
    struct simd_group *result = arena_alloc(sizeof *result);
    result->layout = layout;
    result->count = (unsigned)(layout.bytes / layout.field.size);
    return result;
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

/* Collects stores from the first one on, until each field has one. Loads of other memory may be
 * between them. Any other access ends the search, as does a second store to the same field. */
static bool find_stores(const struct simd_kernel *kernel, LLVMValueRef first,
                        struct simd_group *group, struct simd_overlaps *overlaps)
{
    *group = (struct simd_group){.first = first, .last = first};
    if (!find_layout(kernel, first, &group->layout)) {
        return false;
    }
    const struct simd_structure *layout = &group->layout;
    unsigned found = 0;
    group->count = (unsigned)(layout->bytes / layout->field.size);
    for (LLVMValueRef at = first; at != NULL && found < group->count;
         at = LLVMGetNextInstruction(at)) {
        if (!touches(at)) {
            continue;
        }
        if (LLVMIsALoadInst(at) != NULL) {
            if (!pass_load(kernel, group, at, overlaps)) {
                return false;
            }
            continue;
        }
        struct simd_member field = simd_member_of(at);
        int64_t index = (field.offset - layout->start) / layout->field.size;
        if (LLVMIsAStoreInst(at) == NULL || !is_same_structure(layout, &field) ||
            field.size != layout->field.size ||
            simd_accessed_type(at) != simd_accessed_type(first) ||
            (field.offset - layout->start) % field.size != 0 || group->stores[index] != NULL) {
            return false;
        }
        group->stores[index] = group->last = at;
        found++;
    }
    return found == group->count;
}

const struct simd_group *simd_find_store_group(const struct simd_kernel *kernel, LLVMValueRef first,
                                               struct simd_overlaps *overlaps)
{
    struct simd_group group;
    size_t tests = overlaps == NULL ? 0 : overlaps->count;
    if (!find_stores(kernel, first, &group, overlaps)) {
        if (overlaps != NULL) {
            overlaps->count = tests;
        }
        return NULL;
    }
    struct simd_group *result = arena_alloc(sizeof *result);
    *result = group;
    return result;
}
