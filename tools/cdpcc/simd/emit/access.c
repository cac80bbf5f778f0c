/* Loads and stores.
 *
 * One address: one access.  Addresses that follow each other: one vector access, masked
 * where lanes are off.  A field of small neighbouring structures is loaded so, too, and what
 * lies between is left out.  Others: gathers and scatters, whose lanes store in order.  Two fields
 * that lie side by side are one access (plan/field_pairs.c). */
#include "simd/emit/access.h"

#include "simd/analysis/facts.h"
#include "simd/ir/instructions.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/contiguous.h"
#include "simd/emit/debug_lines.h"
#include "simd/emit/emit.h"
#include "simd/emit/scalarize.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "simd/plan/all_active.h"
#include "simd/plan/field_pairs.h"
#include "simd/plan/interleave.h"
#include "simd/plan/permuted.h"
#include "simd/plan/prefetch_blocks.h"
#include "simd/plan/prefetch_loop.h"
#include "simd/plan/two_way.h"

#include "abi/cdp_abi.h"

#include <string.h>

/* Whether the lanes' addresses surely follow each other, by steps of so many elements, maybe,
 * or not. */
enum order { ORDER_NONE, ORDER_TESTED, ORDER_SURE };

static enum order order_of(const struct simd_emit *emit, const struct simd_value *at,
                           LLVMTypeRef type, int64_t step)
{
    LLVMTargetDataRef layout = emit->lower->layout;
    int64_t size = (int64_t)LLVMABISizeOfType(layout, type);
    bool is_dense = LLVMStoreSizeOfType(layout, type) == (uint64_t)size &&
                    LLVMSizeOfTypeInBits(layout, type) == (uint64_t)size * 8;
    if (at->shape.kind != SHAPE_LINEAR || at->shape.stride != size * step || !is_dense) {
        return ORDER_NONE;
    }
    bool tested =
        at->shape.check == CHECK_ALWAYS || (at->shape.check == CHECK_FLAGS && emit->mask != NULL);
    return tested ? ORDER_TESTED : ORDER_SURE;
}

/* Elements from one lane's address to the next one's; 1 where it is of no use. */
static unsigned step_of(const struct simd_emit *emit, const struct simd_value *at, LLVMTypeRef type)
{
    int64_t size = (int64_t)LLVMABISizeOfType(emit->lower->layout, type);
    int64_t stride = at->shape.kind == SHAPE_LINEAR ? at->shape.stride : 0;
    bool fits = size >= 4 && stride % size == 0 && stride > size && stride <= SIMD_MOST_STEP * size;
    return fits ? (unsigned)(stride / size) : 1;
}

/* ---- loads ---- */

static LLVMValueRef load_ordered(struct simd_emit *emit, const struct simd_access *access,
                                 LLVMValueRef at, unsigned vector)
{
    return access->step == 1 ? simd_load_contiguous(emit, access, at, vector)
                             : simd_load_strided(emit, access, at, vector, access->step);
}

/* Where no lane is on, the test may be of values that nobody computes. */
static LLVMValueRef frozen_test(struct simd_emit *emit, LLVMValueRef holds)
{
    return emit->mask == NULL ? holds : LLVMBuildFreeze(emit->builder, holds, "");
}

/* NULL: it surely holds. */
static LLVMValueRef holds_here(const struct simd_emit *emit, const struct simd_value *at,
                               unsigned vector)
{
    return emit->mask == NULL ? at->holds_for_all[vector] : at->holds[vector];
}

/* Nobody knows how often a remainder begins anew, or a quotient changes; and a choice by what all
 * lanes share is most likely the same in all blocks. */
static bool is_decided_in_place(const struct simd_emit *emit, LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAInstruction(value) == NULL || LLVMIsAPHINode(value) != NULL ||
        LLVMIsALoadInst(value) != NULL || depth == 0) {
        return false;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    bool found = opcode == LLVMURem || opcode == LLVMSRem || opcode == LLVMUDiv ||
                 opcode == LLVMSDiv || simd_is_flat(simd_shape_of(emit->kernel, value)) ||
                 (opcode == LLVMSelect &&
                  simd_shape_of(emit->kernel, LLVMGetOperand(value, 0)).kind <= SHAPE_UNIFORM);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value) && !found; i++) {
        found = is_decided_in_place(emit, LLVMGetOperand(value, i), depth - 1);
    }
    return found;
}

/* Where the grid's borders decide, few chunks are not as they mostly are: such a one starts again,
 * and the others need no second way.  What depends on the thread in its block alone is decided
 * alike in each. */
static bool go_on_if(struct simd_emit *emit, LLVMValueRef access, const struct simd_value *at,
                     unsigned vector)
{
    enum { MOST_DEPTH = 10, BLOCK_INDEX = offsetof(struct cdp_abi_block, block_idx) };
    LLVMValueRef address = simd_accessed(access), holds = holds_here(emit, at, vector);
    if (!simd_may_restart(emit, access) ||
        !simd_depends_on_field(address, BLOCK_INDEX, MOST_DEPTH) ||
        is_decided_in_place(emit, address, MOST_DEPTH)) {
        return false;
    }
    LLVMBasicBlockRef go = simd_new(emit, "row");
    simd_mark_likely(emit, LLVMBuildCondBr(emit->builder, holds, go, emit->restart));
    simd_at(emit, go);
    return true;
}

/* The parameters and the runtime's own records can always be read. */
static bool is_safe(const struct simd_emit *emit, LLVMValueRef load)
{
    int64_t offset;
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    bool is_block = base != NULL && simd_self_field(base) == offsetof(struct cdp_abi_thread, block);
    return is_block || (base != NULL && base == LLVMGetParam(emit->kernel->function, 0));
}

/* Of blockIdx.x, which a block entry's function has as a number; who reads more than that at once
 * asks memory, where the next block's is written later. */
static bool reads_index(LLVMValueRef load)
{
    enum { X = offsetof(struct cdp_abi_block, block_idx) };
    int field = simd_field(load);
    return field >= X && field < X + 4;
}

static void keep_constant(struct simd_emit *emit, LLVMValueRef load, LLVMValueRef made)
{
    unsigned kind = LLVMGetMDKindIDInContext(emit->lower->llvm, "invariant.load", 14);
    LLVMValueRef mark = LLVMGetMetadata(load, kind);
    if (mark != NULL && !reads_index(load)) {
        LLVMSetMetadata(made, kind, mark);
    }
}

/* With no lane on, the scratch memory is read. */
static LLVMValueRef load_one(struct simd_emit *emit, const struct simd_access *access,
                             LLVMValueRef at, LLVMValueRef any)
{
    if (any != NULL) {
        at = LLVMBuildSelect(emit->builder, any, at, emit->scratch, "");
    }
    LLVMValueRef made = LLVMBuildLoad2(emit->builder, access->type, at, "");
    bool is_scratch = any != NULL && access->align > SIMD_SCRATCH_ALIGN;
    LLVMSetAlignment(made, is_scratch ? SIMD_SCRATCH_ALIGN : access->align);
    if (any == NULL) {
        keep_constant(emit, access->instruction, made);
        simd_alias_shared_base(emit, access->instruction, made);
        simd_alias_mark(emit, access->instruction, made);
    }
    return made;
}

LLVMValueRef simd_load_one(struct simd_emit *emit, LLVMValueRef load, LLVMValueRef at)
{
    struct simd_access access = {
        .instruction = load, .type = LLVMTypeOf(load), .align = LLVMGetAlignment(load)};
    simd_place(emit, load);
    return load_one(emit, &access, at, NULL);
}

static struct simd_value load_uniform(struct simd_emit *emit, const struct simd_access *access,
                                      const struct simd_value *at)
{
    struct simd_value made = {.shape = at->shape};
    bool always = emit->mask == NULL || is_safe(emit, access->instruction);
    unsigned warp = at->shape.kind == SHAPE_WARP ? SIMD_WARP / emit->lanes : 1;
    for (unsigned u = 0; u < simd_parts(emit, at->shape); u++) {
        if (u % warp != 0) { /* another block's thread may store meanwhile */
            made.scalar[u] = made.scalar[u - 1];
            continue;
        }
        LLVMValueRef any = always ? NULL : simd_any_for(emit, emit->mask, at->shape, u);
        made.scalar[u] = load_one(emit, access, at->scalar[u], any);
    }
    return made;
}

/* One address for all lanes, if the test says so, or a row. */
static LLVMValueRef load_row_or_one(struct simd_emit *emit, const struct simd_access *access,
                                    const struct simd_value *at, unsigned vector)
{
    if (!simd_is_flat(at->shape)) {
        return load_ordered(emit, access, at->scalar[vector], vector);
    }
    LLVMValueRef any = emit->mask == NULL ? NULL : simd_any_in(emit, emit->mask[vector]);
    return simd_splat(emit, load_one(emit, access, at->scalar[vector], any));
}

static LLVMValueRef load_tested(struct simd_emit *emit, const struct simd_access *access,
                                const struct simd_value *at, unsigned vector)
{
    LLVMValueRef holds = holds_here(emit, at, vector);
    if (holds == NULL || go_on_if(emit, access->instruction, at, vector)) {
        return load_row_or_one(emit, access, at, vector);
    }
    struct simd_ways ways = simd_part_ways(emit, frozen_test(emit, holds), true);
    simd_other_way(emit, &ways, load_row_or_one(emit, access, at, vector));
    return simd_meet(emit, &ways, simd_gather(emit, access, at, vector));
}

static struct simd_value load_varying(struct simd_emit *emit, const struct simd_access *access,
                                      const struct simd_value *at)
{
    struct simd_value made = {.shape = {.kind = SHAPE_VARYING}};
    struct simd_access own = *access;
    own.step = step_of(emit, at, access->type);
    enum order order =
        simd_is_flat(at->shape) ? ORDER_TESTED : order_of(emit, at, access->type, own.step);
    for (unsigned u = 0; u < emit->vectors; u++) {
        made.vector[u] = order == ORDER_SURE     ? load_ordered(emit, &own, at->scalar[u], u)
                         : order == ORDER_TESTED ? load_tested(emit, &own, at, u)
                                                 : simd_gather(emit, access, at, u);
    }
    return made;
}

/* The lanes change places in one row, or each takes one of two. */
static bool load_from_rows(struct simd_emit *emit, const struct simd_access *access,
                           const struct simd_value *at, struct simd_value *made)
{
    struct simd_index index;
    struct simd_contiguous rows;
    LLVMValueRef address = simd_accessed(access->instruction);
    if (at->shape.kind != SHAPE_VARYING || !simd_index_of(emit, address, access->type, &index)) {
        return false;
    }
    bool is_crossed = simd_find_permuted(emit, &index, &rows);
    if (!is_crossed && !simd_find_two_way(emit, &index, &rows)) {
        return false;
    }
    *made = (struct simd_value){.shape = {.kind = SHAPE_VARYING}};
    for (unsigned u = 0; u < emit->vectors; u++) {
        struct simd_ways ways = simd_part_ways(emit, frozen_test(emit, rows.holds[u]), true);
        simd_other_way(emit, &ways,
                       is_crossed ? simd_load_permuted(emit, access, &rows, u)
                                  : simd_load_two_way(emit, access, &rows, u));
        made->vector[u] = simd_meet(emit, &ways, simd_gather(emit, access, at, u));
    }
    return true;
}

static void load_pair(struct simd_emit *emit, LLVMValueRef load, LLVMValueRef partner,
                      const struct simd_value *at)
{
    struct simd_access access = {
        .instruction = load, .type = simd_pair_type(emit, load), .align = LLVMGetAlignment(load)};
    struct simd_value pairs = load_varying(emit, &access, at);
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef which = i == 0 ? load : partner;
        struct simd_value made = {.shape = {.kind = SHAPE_VARYING}};
        for (unsigned u = 0; u < emit->vectors; u++) {
            made.vector[u] = simd_part_of_pair(emit, which, pairs.vector[u], i);
        }
        simd_set(emit, which, made);
    }
    emit->partners[simd_number(emit->kernel, partner)] = load;
}

/* What another access has done for this one as well. */
static LLVMValueRef take_partner(struct simd_emit *emit, LLVMValueRef access)
{
    LLVMValueRef *partner = &emit->partners[simd_number(emit->kernel, access)], was = *partner;
    *partner = NULL;
    return was;
}

static struct simd_value id_of(const struct simd_emit *emit, int field)
{
    return field == offsetof(struct cdp_abi_thread, block) ? simd_uniform(emit->block)
                                                           : emit->ids[field / 4];
}

/* A relaxed load of an aligned word orders nothing, and processors read each element of a vector
 * that is one whole: so it may be part of a vector's access.  That is what x86 and ARM do, not what
 * their manuals promise; and LLVM may swap two loads of one place through different addresses,
 * which C's atomic loads would not be. */
static bool is_relaxed_word(const struct simd_emit *emit, LLVMValueRef load)
{
    LLVMAtomicOrdering order = LLVMGetOrdering(load);
    uint64_t size = LLVMABISizeOfType(emit->lower->layout, LLVMTypeOf(load));
    return (order == LLVMAtomicOrderingUnordered || order == LLVMAtomicOrderingMonotonic) &&
           (size == 4 || size == 8) && LLVMGetAlignment(load) >= size;
}

void simd_load(struct simd_emit *emit, LLVMValueRef load)
{
    int field = simd_self_field(load);
    if (take_partner(emit, load) != NULL) {
        return;
    }
    if (field >= 0) {
        simd_set(emit, load, id_of(emit, field));
        return;
    }
    if (simd_is_self(load)) {
        simd_set(emit, load, simd_uniform(emit->self));
        return;
    }
    struct simd_shape shape = emit->kernel->facts->shapes[simd_number(emit->kernel, load)];
    if (reads_index(load) && LLVMTypeOf(load) == emit->lower->i32) {
        struct simd_value x = simd_uniform(emit->block_x);
        simd_set(emit, load, simd_to_shape(emit, &x, shape));
        return;
    }
    struct simd_access access = {
        .instruction = load, .type = LLVMTypeOf(load), .align = LLVMGetAlignment(load)};
    struct simd_value at = simd_get(emit, LLVMGetOperand(load, 0));
    bool one = at.shape.kind <= SHAPE_VECTOR;
    if (LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic &&
        (one || !is_relaxed_word(emit, load))) {
        simd_each_lane(emit, load);
        return;
    }
    if (!one && LLVMGetTypeKind(access.type) == LLVMIntegerTypeKind &&
        LLVMGetIntTypeWidth(access.type) % 8 != 0) {
        simd_each_lane(emit, load);
        return;
    }
    struct simd_value part;
    if (!one && simd_load_field(emit, load, &at, &part)) {
        part.shape = shape;
        simd_set(emit, load, part);
        return;
    }
    LLVMValueRef partner = one ? NULL : simd_find_pair(emit, load);
    if (partner != NULL) {
        load_pair(emit, load, partner, &at);
        return;
    }
    struct simd_value made;
    if (one) {
        made = load_uniform(emit, &access, &at);
    } else if (!load_from_rows(emit, &access, &at, &made)) {
        made = load_varying(emit, &access, &at);
    }
    if (one) { /* the value may vary all the same, where it lives across barriers */
        made = simd_to_shape(emit, &made, shape);
    } else {
        simd_prefetch_next_block(emit, load, &at);
    }
    made.shape = shape;
    simd_set(emit, load, made);
}

/* ---- stores ---- */

static void store_tested(struct simd_emit *emit, const struct simd_access *access,
                         LLVMValueRef value, const struct simd_value *at, unsigned vector)
{
    LLVMValueRef holds = holds_here(emit, at, vector);
    if (holds == NULL || (vector == 0 && go_on_if(emit, access->instruction, at, vector))) {
        simd_store_contiguous(emit, access, value, at->scalar[vector], vector);
        return;
    }
    struct simd_ways ways = simd_part_ways(emit, frozen_test(emit, holds), true);
    simd_store_contiguous(emit, access, value, at->scalar[vector], vector);
    simd_other_way(emit, &ways, NULL);
    simd_scatter(emit, access, value, at, vector);
    simd_meet(emit, &ways, NULL);
}

static bool store_crossed(struct simd_emit *emit, const struct simd_access *access,
                          const struct simd_value *value, const struct simd_value *at)
{
    struct simd_index index;
    struct simd_contiguous rows;
    LLVMValueRef address = simd_accessed(access->instruction);
    if (at->shape.kind != SHAPE_VARYING || !simd_index_of(emit, address, access->type, &index) ||
        !simd_find_permuted(emit, &index, &rows)) {
        return false;
    }
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef vector = simd_vector(emit, value, u);
        struct simd_ways ways = simd_part_ways(emit, frozen_test(emit, rows.holds[u]), true);
        simd_store_permuted(emit, access, &rows, vector, u);
        simd_other_way(emit, &ways, NULL);
        simd_scatter(emit, access, vector, at, u);
        simd_meet(emit, &ways, NULL);
    }
    return true;
}

static void store_one(struct simd_emit *emit, const struct simd_access *access, LLVMValueRef value,
                      LLVMValueRef at)
{
    LLVMValueRef made = LLVMBuildStore(emit->builder, value, at);
    LLVMSetAlignment(made, access->align);
    simd_alias_mark(emit, access->instruction, made);
}

static void store_uniform(struct simd_emit *emit, const struct simd_access *access,
                          const struct simd_value *value, const struct simd_value *at)
{
    bool both = value->shape.kind == SHAPE_UNIFORM && at->shape.kind == SHAPE_UNIFORM;
    for (unsigned u = 0; u < (both ? 1 : emit->vectors); u++) {
        if (emit->mask == NULL) {
            store_one(emit, access, simd_scalar(value, u), simd_scalar(at, u));
            continue;
        }
        LLVMValueRef any = both ? simd_any(emit, emit->mask) : simd_any_in(emit, emit->mask[u]);
        struct simd_ways ways = simd_part_ways(emit, any, false);
        store_one(emit, access, simd_scalar(value, u), simd_scalar(at, u));
        simd_or_nothing(emit, &ways);
    }
}

static void store_varying(struct simd_emit *emit, const struct simd_access *access,
                          const struct simd_value *value, const struct simd_value *at)
{
    enum order order = order_of(emit, at, access->type, 1);
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef vector = simd_vector(emit, value, u);
        if (order == ORDER_SURE) {
            simd_store_contiguous(emit, access, vector, at->scalar[u], u);
        } else if (order == ORDER_TESTED) {
            store_tested(emit, access, vector, at, u);
        } else {
            simd_scatter(emit, access, vector, at, u);
        }
    }
}

/* i32: the last lane of those that are on, which there are. */
static LLVMValueRef last_on(struct simd_emit *emit, unsigned vector)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->i32;
    LLVMValueRef most = simd_int(i32, emit->lanes - 1);
    if (emit->mask == NULL) {
        return most;
    }
    LLVMValueRef bits = simd_bits(emit, emit->mask[vector]);
    LLVMTypeRef type = LLVMTypeOf(bits);
    LLVMValueRef arguments[] = {bits, LLVMConstInt(emit->lower->i1, 1, 0)};
    LLVMValueRef above = simd_intrinsic(emit, "llvm.ctlz", &type, 1, arguments, 2);
    return LLVMBuildSub(b, most, LLVMBuildIntCast2(b, above, i32, false, ""), "");
}

static void store_last(struct simd_emit *emit, const struct simd_access *access,
                       LLVMValueRef values, LLVMValueRef at, unsigned vector)
{
    LLVMValueRef last = last_on(emit, vector);
    store_one(emit, access, LLVMBuildExtractElement(emit->builder, values, last, ""), at);
}

/* The lanes' different values to one place: where lanes store in order, the last one's stays. */
static void store_to_one(struct simd_emit *emit, const struct simd_access *access,
                         const struct simd_value *value, const struct simd_value *at)
{
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef values = simd_vector(emit, value, u);
        if (emit->mask == NULL) {
            store_last(emit, access, values, simd_scalar(at, u), u);
            continue;
        }
        LLVMValueRef any = simd_any_in(emit, emit->mask[u]);
        struct simd_ways ways = simd_part_ways(emit, any, false);
        store_last(emit, access, values, simd_scalar(at, u), u);
        simd_or_nothing(emit, &ways);
    }
}

static void store_values(struct simd_emit *emit, const struct simd_access *access,
                         const struct simd_value *values, const struct simd_value *at)
{
    if (at->shape.kind <= SHAPE_VECTOR) {
        store_to_one(emit, access, values, at);
    } else {
        store_varying(emit, access, values, at);
    }
}

void simd_store_value(struct simd_emit *emit, LLVMValueRef source, unsigned align, LLVMTypeRef type,
                      const struct simd_value *value, const struct simd_value *at)
{
    struct simd_access access = {.instruction = source, .type = type, .align = align};
    store_values(emit, &access, value, at);
}

static void store_pair(struct simd_emit *emit, LLVMValueRef first, LLVMValueRef second)
{
    LLVMValueRef low = simd_is_below(first, second) ? first : second;
    LLVMValueRef high = low == first ? second : first;
    struct simd_access access = {
        .instruction = low, .type = simd_pair_type(emit, low), .align = LLVMGetAlignment(low)};
    struct simd_value at = simd_get(emit, LLVMGetOperand(low, 1));
    struct simd_value values[2], pairs = {.shape = {.kind = SHAPE_VARYING}};
    values[0] = simd_get(emit, LLVMGetOperand(low, 0));
    values[1] = simd_get(emit, LLVMGetOperand(high, 0));
    for (unsigned u = 0; u < emit->vectors; u++) {
        pairs.vector[u] = simd_join_pair(emit, low, simd_vector(emit, &values[0], u),
                                         simd_vector(emit, &values[1], u));
    }
    store_values(emit, &access, &pairs, &at);
}

void simd_store(struct simd_emit *emit, LLVMValueRef store)
{
    LLVMValueRef first = take_partner(emit, store), second = NULL;
    if (first != NULL) {
        if (!simd_store_structure(emit, store, first)) {
            store_pair(emit, first, store);
        }
        return;
    }
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    struct simd_value value = simd_get(emit, LLVMGetOperand(store, 0));
    struct simd_value at = simd_get(emit, LLVMGetOperand(store, 1));
    bool odd = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) % 8 != 0;
    bool is_atomic = LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic;
    struct simd_access access = {
        .instruction = store, .type = type, .align = LLVMGetAlignment(store)};
    if (value.shape.kind <= SHAPE_VECTOR && at.shape.kind <= SHAPE_VECTOR && !is_atomic) {
        store_uniform(emit, &access, &value, &at);
    } else if (odd || is_atomic) {
        simd_each_lane(emit, store);
    } else if (simd_store_structure(emit, store, store)) {
        return; /* with the last of its fields */
    } else if ((second = simd_find_pair(emit, store)) != NULL) {
        emit->partners[simd_number(emit->kernel, second)] = store;
    } else if (!store_crossed(emit, &access, &value, &at)) {
        store_values(emit, &access, &value, &at);
    }
}

/* ---- copies ---- */

/* Larger ones would be calls. */
enum { MOST_COPIED = 16 };

/* Where structures of that size surely follow each other from lane to lane. */
static bool is_row(const struct simd_value *at, uint64_t size)
{
    return at->shape.kind == SHAPE_LINEAR && at->shape.stride == (int64_t)size &&
           at->shape.check != CHECK_ALWAYS;
}

/* Every lane's structure at once.  Not a copy of ranges that must not overlap: the lanes' ranges
 * do not, but all of them together may. */
bool simd_copy_contiguous(struct simd_emit *emit, LLVMValueRef call)
{
    LLVMValueRef length = LLVMIsAMemCpyInst(call) != NULL ? LLVMGetOperand(call, 2) : NULL;
    if (length == NULL || LLVMIsAConstantInt(length) == NULL || emit->mask != NULL ||
        LLVMConstIntGetZExtValue(length) > MOST_COPIED || !LLVMIsNull(LLVMGetOperand(call, 3))) {
        return false;
    }
    uint64_t size = LLVMConstIntGetZExtValue(length);
    struct simd_value to = simd_get(emit, LLVMGetOperand(call, 0));
    struct simd_value from = simd_get(emit, LLVMGetOperand(call, 1));
    if (!is_row(&to, size) || !is_row(&from, size)) {
        return false;
    }
    LLVMValueRef all = simd_int(emit->lower->i64, (int64_t)(size * emit->lanes));
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMBuildMemMove(emit->builder, to.scalar[u], 1, from.scalar[u], 1, all);
    }
    return true;
}
