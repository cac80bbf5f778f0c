/* Emission of loads and stores, as the plan decides (plan/access.c).
 *
 * This file only decides which of LLVM's instructions implement a kind of access.  Where the plan
 * has a test, both forms are emitted, and the test chooses.
 *
 * A tested load, in the code for chunks under masks:
 *
 *     br test, holds, otherwise
 *     holds:      masked vector load from lane 0's address
 *     otherwise:  masked gather from all addresses
 *     done:       phi of both
 *
 * In all-active code with restarts it is one branch to the masked version, and the vector load.
 *
 * Takes: the plan's record. The scope and the mask decide which of the records counts: that for
 * all lanes active, that under masks, or that of recomputed loads outside of versions. */
#include "simd/emit/access.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "simd/analysis/layout.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/contiguous.h"
#include "simd/emit/debug_lines.h"
#include "simd/emit/emit.h"
#include "simd/emit/field_pairs.h"
#include "simd/emit/interleave.h"
#include "simd/emit/metadata.h"
#include "simd/emit/permuted.h"
#include "simd/emit/replicated.h"
#include "simd/emit/prefetch.h"
#include "simd/emit/restarts.h"
#include "simd/emit/row_tiles.h"
#include "simd/emit/scalarize.h"
#include "simd/emit/two_way.h"
#include "simd/ir/branch_weights.h"
#include "simd/ir/interleaved.h"
#include "simd/ir/lanes.h"
#include "simd/ir/memory.h"
#include "simd/ir/numbers.h"
#include "simd/ir/thread_fields.h"
#include "simd/plan/access.h"
#include "simd/plan/field_pairs.h"
#include "simd/plan/plan.h"

#include <string.h>

/* The bytes that a getelementptr adds; false: they are not constant, or it has several indices. */
static bool constant_offset(const struct simd_emit *emit, LLVMValueRef address, int64_t *bytes)
{
    if (LLVMGetNumOperands(address) != 2 ||
        LLVMIsAConstantInt(LLVMGetOperand(address, 1)) == NULL) {
        return false;
    }
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    *bytes = LLVMConstIntGetSExtValue(LLVMGetOperand(address, 1)) *
             (int64_t)LLVMABISizeOfType(emit->lower->layout, type);
    return true;
}

/* Sets what is known if the address is in an interleaved local array. */
static void find_array(const struct simd_emit *emit, LLVMValueRef address,
                       struct simd_element *element)
{
    bool is_constant = true;
    int64_t offset = 0, more = 0;
    for (; LLVMIsAGetElementPtrInst(address) != NULL; address = LLVMGetOperand(address, 0)) {
        is_constant = is_constant && constant_offset(emit, address, &more);
        offset += more;
    }
    if (LLVMIsAAllocaInst(address) == NULL || simd_interleaved_element(emit->lower, address) == 0) {
        return;
    }
    /* Of the last element of the first thread; all threads of a chunk have copies. */
    int64_t last = SIMD_LOCAL_GROUP * (int64_t)(simd_local_size(emit->kernel, address) -
                                                simd_local_stride(emit->kernel, address));
    element->is_interleaved = true;
    element->is_in_array = is_constant && offset >= 0 && offset <= last;
}

/* What a load or store accesses. */
static struct simd_element element_of(const struct simd_emit *emit, LLVMValueRef access)
{
    struct simd_element result = {.instruction = access,
                                  .type = simd_accessed_type(access),
                                  .align = LLVMGetAlignment(access)};
    find_array(emit, simd_accessed(access), &result);
    return result;
}

/* ---- loads ---- */

static LLVMValueRef load_ordered(struct simd_emit *emit, const struct simd_element *element,
                                 LLVMValueRef at, unsigned vector)
{
    return element->is_reversed ? simd_load_reversed(emit, element, at, vector)
           : element->step == 1 ? simd_load_contiguous(emit, element, at, vector)
                                : simd_load_strided(emit, element, at, vector, element->step);
}

/* If no lane is active, the test may depend on values that no lane has computed, so it is
 * frozen. */
static LLVMValueRef frozen_test(struct simd_emit *emit, LLVMValueRef holds)
{
    return emit->mask == NULL ? holds : LLVMBuildFreeze(emit->builder, holds, "");
}

/* The access's test; NULL: it is proven to hold.
 * Where all lanes are active, flags need no test. */
static LLVMValueRef holds_here(const struct simd_emit *emit, const struct simd_value *at,
                               unsigned vector)
{
    return emit->mask == NULL ? at->holds_for_all[vector] : at->holds[vector];
}

void simd_restart_unless(struct simd_emit *emit, LLVMValueRef holds)
{
    LLVMBasicBlockRef holds_block = simd_new(emit, "holds");
    simd_mark_likely(emit->lower,
                     LLVMBuildCondBr(emit->builder, holds, holds_block, emit->scope.restart));
    simd_at(emit, holds_block);
}

/* blockIdx.x changes in a loop over blocks, so its load is not invariant in the entry. */
static void keep_constant(struct simd_emit *emit, LLVMValueRef load, LLVMValueRef result)
{
    unsigned kind = LLVMGetMDKindIDInContext(emit->lower->llvm, "invariant.load", 14);
    LLVMValueRef mark = LLVMGetMetadata(load, kind);
    if (mark != NULL && !simd_reads_block_index(load)) {
        LLVMSetMetadata(result, kind, mark);
    }
}

/* If no lane is active, the scratch memory is read instead.
 * The scratch memory is zero, and large enough for any element. */
static LLVMValueRef load_one(struct simd_emit *emit, const struct simd_element *element,
                             LLVMValueRef at, LLVMValueRef any)
{
    if (any != NULL) {
        at = LLVMBuildSelect(emit->builder, any, at, emit->memory.scratch, "");
    }
    LLVMValueRef result = LLVMBuildLoad2(emit->builder, element->type, at, "");
    bool is_scratch = any != NULL && element->align > SIMD_SCRATCH_ALIGN;
    LLVMSetAlignment(result, is_scratch ? SIMD_SCRATCH_ALIGN : element->align);
    simd_keep_volatile(element->instruction, result);
    if (any == NULL) {
        keep_constant(emit, element->instruction, result);
        simd_alias_shared_base(emit, element->instruction, result);
        simd_alias_mark(emit, element->instruction, result);
    }
    return result;
}

LLVMValueRef simd_load_one(struct simd_emit *emit, LLVMValueRef load, LLVMValueRef at)
{
    struct simd_element element = element_of(emit, load);
    simd_set_debug_location(emit, load);
    return load_one(emit, &element, at, NULL);
}

static struct simd_value load_uniform(struct simd_emit *emit, const struct simd_access *plan,
                                      const struct simd_element *element,
                                      const struct simd_value *at)
{
    struct simd_value result = {.shape = at->shape};
    bool always = emit->mask == NULL || plan->is_readable;
    unsigned warp = at->shape->kind == SHAPE_WARP ? SIMD_WARP / emit->lanes : 1;
    for (unsigned u = 0; u < simd_distinct_vectors(emit, at->shape); u++) {
        if (u % warp != 0) { /* a thread of another block may store between the loads */
            result.scalar[u] = result.scalar[u - 1];
            continue;
        }
        LLVMValueRef any = always ? NULL : simd_any_for(emit, emit->mask, at->shape, u);
        result.scalar[u] = load_one(emit, element, at->scalar[u], any);
    }
    return result;
}

/* A scalar load if the test shows that all lanes have one address; else a contiguous access. */
static LLVMValueRef load_contiguous_or_uniform(struct simd_emit *emit,
                                               const struct simd_element *element,
                                               const struct simd_value *at, unsigned vector)
{
    if (!simd_value_is_flat(at)) {
        return load_ordered(emit, element, at->scalar[vector], vector);
    }
    LLVMValueRef any = emit->mask == NULL ? NULL : simd_any_in(emit, emit->mask[vector]);
    return simd_splat(emit, load_one(emit, element, at->scalar[vector], any));
}

static LLVMValueRef load_tested(struct simd_emit *emit, const struct simd_access *plan,
                                const struct simd_element *element, const struct simd_value *at,
                                unsigned vector)
{
    LLVMValueRef holds = holds_here(emit, at, vector);
    if (holds != NULL && plan->restarts) {
        if (!simd_is_tested_ahead(emit, element->instruction)) {
            simd_restart_unless(emit, holds);
        }
        holds = NULL;
    }
    if (holds == NULL) {
        return load_contiguous_or_uniform(emit, element, at, vector);
    }
    struct simd_diamond diamond = simd_begin_if(emit, frozen_test(emit, holds), true);
    simd_begin_else(emit, &diamond, load_contiguous_or_uniform(emit, element, at, vector));
    return simd_end_if(emit, &diamond, simd_gather(emit, element, at, vector));
}

/* A load at a varying or affine address, by its kind. */
static struct simd_value load_varying(struct simd_emit *emit, const struct simd_access *plan,
                                      enum simd_access_kind kind,
                                      const struct simd_element *element,
                                      const struct simd_value *at)
{
    struct simd_value result = simd_varying();
    struct simd_element own = *element;
    own.step = plan->step;
    own.is_reversed = kind == ACCESS_REVERSED;
    for (unsigned u = 0; u < emit->vectors; u++) {
        result.vector[u] = kind == ACCESS_GATHER_SCATTER ? simd_gather(emit, element, at, u)
                           : plan->is_tested ? load_tested(emit, plan, &own, at, u)
                                             : load_ordered(emit, &own, at->scalar[u], u);
    }
    return result;
}

static struct simd_value load_permuted(struct simd_emit *emit, const struct simd_access *plan,
                                       const struct simd_element *element,
                                       const struct simd_value *at)
{
    struct simd_permuted located;
    struct simd_value result = simd_varying();
    simd_locate_permuted(emit, plan->permutation, &located);
    for (unsigned u = 0; u < emit->vectors; u++) {
        struct simd_diamond diamond =
            simd_begin_if(emit, frozen_test(emit, located.holds[u]), true);
        LLVMValueRef loaded =
            plan->kind == ACCESS_REPLICATED
                ? simd_load_replicated(emit, element, plan->permutation, located.start[u])
                : simd_load_permuted(emit, element, &located, u);
        simd_begin_else(emit, &diamond, loaded);
        result.vector[u] = simd_end_if(emit, &diamond, simd_gather(emit, element, at, u));
    }
    return result;
}

static struct simd_value load_two_way(struct simd_emit *emit, const struct simd_access *plan,
                                      const struct simd_element *element,
                                      const struct simd_value *at)
{
    struct simd_two_starts located;
    struct simd_value result = simd_varying();
    simd_locate_two_way(emit, plan->two_way, &located);
    for (unsigned u = 0; u < emit->vectors; u++) {
        struct simd_diamond diamond =
            simd_begin_if(emit, frozen_test(emit, located.holds[u]), true);
        simd_begin_else(emit, &diamond, simd_load_two_way(emit, element, &located, u));
        result.vector[u] = simd_end_if(emit, &diamond, simd_gather(emit, element, at, u));
    }
    return result;
}

/* One access of twice the size; bit casts and shuffles separate the fields. */
static void load_pair(struct simd_emit *emit, const struct simd_access *plan, LLVMValueRef load)
{
    struct simd_value at = simd_get(emit, LLVMGetOperand(load, 0));
    struct simd_element element = element_of(emit, load);
    element.type = simd_pair_type(emit, load);
    struct simd_value pairs = load_varying(emit, plan, plan->pair_kind, &element, &at);
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef which = i == 0 ? load : plan->partner;
        struct simd_value result = simd_varying();
        for (unsigned u = 0; u < emit->vectors; u++) {
            result.vector[u] = simd_field_of_pair(emit, which, pairs.vector[u], i);
        }
        simd_set(emit, which, result);
    }
}

/* One test for all vectors, so that the optimizer can join the branches of all fields.  NULL: it is
 * proven to hold, or the chunk has restarted where it does not. */
static LLVMValueRef test_group(struct simd_emit *emit, const struct simd_access *plan,
                               LLVMValueRef access, const struct simd_value *at)
{
    LLVMValueRef all = NULL;
    for (unsigned u = 0; plan->is_tested && u < emit->vectors; u++) {
        LLVMValueRef holds = holds_here(emit, at, u);
        if (holds != NULL) {
            all = all == NULL ? holds : LLVMBuildAnd(emit->builder, all, holds, "");
        }
    }
    if (all != NULL && plan->restarts) {
        if (!simd_is_tested_ahead(emit, access)) {
            simd_restart_unless(emit, all);
        }
        all = NULL;
    }
    return all;
}

static struct simd_value load_group(struct simd_emit *emit, const struct simd_access *plan,
                                    LLVMValueRef load)
{
    struct simd_value at = simd_get(emit, LLVMGetOperand(load, 0));
    LLVMValueRef holds = test_group(emit, plan, load, &at);
    if (holds == NULL) {
        return simd_load_field(emit, load, plan->group);
    }
    struct simd_element element = element_of(emit, load);
    struct simd_diamond diamond = simd_begin_if(emit, holds, true);
    struct simd_value field = simd_load_field(emit, load, plan->group), each = simd_varying();
    simd_forget_read(emit, load);
    simd_begin_else(emit, &diamond, NULL);
    for (unsigned u = 0; u < emit->vectors; u++) {
        each.vector[u] = simd_gather(emit, &element, &at, u);
    }
    return simd_end_if_vectors(emit, &diamond, &field, &each);
}

/* A load of a field of the thread's context, or of the index of the block.  Emission has these in
 * registers. */
static struct simd_value load_context(struct simd_emit *emit, LLVMValueRef load)
{
    int field = simd_self_field(load);
    if (field < 0) {
        return simd_uniform(simd_is_self(load) ? emit->launch.self : emit->launch.block_x);
    }
    return field == offsetof(struct cdp_abi_thread, block) ? simd_uniform(emit->launch.block)
                                                           : emit->chunk.ids[field / 4];
}

static struct simd_value load_one_address(struct simd_emit *emit, const struct simd_access *plan,
                                          LLVMValueRef load, const struct simd_shape *shape)
{
    struct simd_value at = simd_get(emit, LLVMGetOperand(load, 0)), result;
    struct simd_element element = element_of(emit, load);
    if (plan->is_tested) {
        return load_varying(emit, plan, plan->kind, &element, &at);
    }
    result = load_uniform(emit, plan, &element, &at);
    return simd_to_shape(emit, &result,
                         shape); /* a value that lives across barriers may be varying */
}

static struct simd_value load_several(struct simd_emit *emit, const struct simd_access *plan,
                                      LLVMValueRef load)
{
    struct simd_value at = simd_get(emit, LLVMGetOperand(load, 0)), result;
    struct simd_element element = element_of(emit, load);
    if (plan->kind == ACCESS_GATHER_SCATTER && simd_has_tile(emit, load)) {
        return simd_load_from_tile(emit, &element, &at);
    }
    bool is_permuted = plan->kind == ACCESS_PERMUTED || plan->kind == ACCESS_REPLICATED;
    result = is_permuted                    ? load_permuted(emit, plan, &element, &at)
             : plan->kind == ACCESS_TWO_WAY ? load_two_way(emit, plan, &element, &at)
                                            : load_varying(emit, plan, plan->kind, &element, &at);
    return result;
}

const struct simd_access *simd_access_here(const struct simd_emit *emit, LLVMValueRef at)
{
    bool masked = emit->mask != NULL;
    const struct simd_access *accesses = emit->scope.version == NULL
                                             ? emit->plan->recomputed[masked]
                                             : emit->scope.version->accesses[masked];
    return &accesses[simd_number(emit->kernel, at)];
}

void simd_load(struct simd_emit *emit, LLVMValueRef load)
{
    const struct simd_access *plan = simd_access_here(emit, load);
    const struct simd_shape *shape = simd_shape_of(emit->kernel, load);
    struct simd_value result, at;
    simd_forget_read(emit, load);
    switch (plan->kind) {
    case ACCESS_GROUPED:
        return;
    case ACCESS_SCALARIZED:
        simd_each_lane(emit, load);
        return;
    case ACCESS_FIELD_PAIR:
        load_pair(emit, plan, load);
        return;
    case ACCESS_CONTEXT:
        result = load_context(emit, load);
        if (simd_self_field(load) < 0 && !simd_is_self(load)) {
            result = simd_to_shape(emit, &result, shape);
        }
        simd_set(emit, load, result);
        return;
    case ACCESS_INTERLEAVED:
        result = load_group(emit, plan, load);
        break;
    case ACCESS_UNIFORM:
        result = load_one_address(emit, plan, load, shape);
        break;
    case ACCESS_NONE:
    case ACCESS_CONTIGUOUS:
    case ACCESS_REVERSED:
    case ACCESS_STRIDED:
    case ACCESS_PERMUTED:
    case ACCESS_REPLICATED:
    case ACCESS_TWO_WAY:
    case ACCESS_GATHER_SCATTER:
        result = load_several(emit, plan, load);
        break;
    }
    if (plan->prefetch.by != NULL) {
        at = simd_get(emit, LLVMGetOperand(load, 0));
        simd_prefetch_blocks(emit, plan, &at);
    }
    result.shape = shape;
    simd_set(emit, load, result);
}

/* ---- stores ---- */

static void store_ordered(struct simd_emit *emit, const struct simd_element *element,
                          LLVMValueRef value, LLVMValueRef at, unsigned vector)
{
    if (element->is_reversed) {
        simd_store_reversed(emit, element, value, at, vector);
    } else {
        simd_store_contiguous(emit, element, value, at, vector);
    }
}

/* Only the first vector's test restarts the chunk: after a store, nothing may restart. */
static void store_tested(struct simd_emit *emit, const struct simd_access *plan,
                         const struct simd_element *element, LLVMValueRef value,
                         const struct simd_value *at, unsigned vector)
{
    LLVMValueRef holds = holds_here(emit, at, vector);
    if (holds != NULL && vector == 0 && plan->restarts) {
        simd_restart_unless(emit, holds);
        holds = NULL;
    }
    if (holds == NULL) {
        store_ordered(emit, element, value, at->scalar[vector], vector);
        return;
    }
    struct simd_diamond diamond = simd_begin_if(emit, frozen_test(emit, holds), true);
    store_ordered(emit, element, value, at->scalar[vector], vector);
    simd_begin_else(emit, &diamond, NULL);
    simd_scatter(emit, element, value, at, vector);
    simd_end_if(emit, &diamond, NULL);
}

static void store_permuted(struct simd_emit *emit, const struct simd_access *plan,
                           const struct simd_element *element, const struct simd_value *value,
                           const struct simd_value *at)
{
    struct simd_permuted located;
    simd_locate_permuted(emit, plan->permutation, &located);
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef vector = simd_vector(emit, value, u);
        struct simd_diamond diamond =
            simd_begin_if(emit, frozen_test(emit, located.holds[u]), true);
        simd_store_permuted(emit, element, &located, vector, u);
        simd_begin_else(emit, &diamond, NULL);
        simd_scatter(emit, element, vector, at, u);
        simd_end_if(emit, &diamond, NULL);
    }
}

static void store_one(struct simd_emit *emit, const struct simd_element *element,
                      LLVMValueRef value, LLVMValueRef at)
{
    LLVMValueRef result = LLVMBuildStore(emit->builder, value, at);
    LLVMSetAlignment(result, element->align);
    simd_keep_volatile(element->instruction, result);
    simd_alias_mark(emit, element->instruction, result);
}

/* A value and an address that the block shares are stored once, by any active lane. */
static void store_uniform(struct simd_emit *emit, const struct simd_element *element,
                          const struct simd_value *value, const struct simd_value *at)
{
    bool both = value->shape->kind == SHAPE_UNIFORM && at->shape->kind == SHAPE_UNIFORM;
    for (unsigned u = 0; u < (both ? 1 : emit->vectors); u++) {
        if (emit->mask == NULL) {
            store_one(emit, element, simd_scalar(value, u), simd_scalar(at, u));
            continue;
        }
        LLVMValueRef any = both ? simd_any(emit, emit->mask) : simd_any_in(emit, emit->mask[u]);
        struct simd_diamond diamond = simd_begin_if(emit, any, false);
        store_one(emit, element, simd_scalar(value, u), simd_scalar(at, u));
        simd_end_if_without_else(emit, &diamond);
    }
}

static void store_varying(struct simd_emit *emit, const struct simd_access *plan,
                          enum simd_access_kind kind, const struct simd_element *element,
                          const struct simd_value *value, const struct simd_value *at)
{
    struct simd_element own = *element;
    own.is_reversed = kind == ACCESS_REVERSED;
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef vector = simd_vector(emit, value, u);
        if (kind == ACCESS_GATHER_SCATTER) {
            simd_scatter(emit, element, vector, at, u);
        } else if (plan->is_tested) {
            store_tested(emit, plan, &own, vector, at, u);
        } else {
            store_ordered(emit, &own, vector, at->scalar[u], u);
        }
    }
}

/* i32: the last active lane; there must be one.
 * The highest bit of the mask. */
static LLVMValueRef last_active(struct simd_emit *emit, unsigned vector)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMValueRef most = simd_int(i32, emit->lanes - 1);
    if (emit->mask == NULL) {
        return most;
    }
    LLVMValueRef bits = simd_bits(emit, emit->mask[vector]);
    LLVMTypeRef type = LLVMTypeOf(bits);
    LLVMValueRef arguments[] = {bits, LLVMConstInt(emit->lower->types.i1, 1, 0)};
    LLVMValueRef above = simd_intrinsic(emit, "llvm.ctlz", &type, 1, arguments, 2);
    return LLVMBuildSub(b, most, LLVMBuildIntCast2(b, above, i32, false, ""), "");
}

static void store_last(struct simd_emit *emit, const struct simd_element *element,
                       LLVMValueRef values, LLVMValueRef at, unsigned vector)
{
    LLVMValueRef last = last_active(emit, vector);
    store_one(emit, element, LLVMBuildExtractElement(emit->builder, values, last, ""), at);
}

/* The lanes store different values to one address.  Lanes store in order, so memory has the value
 * of the last active lane. */
static void store_to_uniform(struct simd_emit *emit, const struct simd_element *element,
                             const struct simd_value *value, const struct simd_value *at)
{
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef values = simd_vector(emit, value, u);
        if (emit->mask == NULL) {
            store_last(emit, element, values, simd_scalar(at, u), u);
            continue;
        }
        LLVMValueRef any = simd_any_in(emit, emit->mask[u]);
        struct simd_diamond diamond = simd_begin_if(emit, any, false);
        store_last(emit, element, values, simd_scalar(at, u), u);
        simd_end_if_without_else(emit, &diamond);
    }
}

static void store_values(struct simd_emit *emit, const struct simd_access *plan,
                         enum simd_access_kind kind, const struct simd_element *element,
                         const struct simd_value *values, const struct simd_value *at)
{
    if (kind == ACCESS_UNIFORM) {
        store_to_uniform(emit, element, values, at);
    } else {
        store_varying(emit, plan, kind, element, values, at);
    }
}

/* Emitted at the second store of the pair. */
static void store_pair(struct simd_emit *emit, const struct simd_access *plan, LLVMValueRef second)
{
    LLVMValueRef first = plan->partner, low = simd_is_below(first, second) ? first : second;
    LLVMValueRef high = low == first ? second : first;
    struct simd_element element = element_of(emit, low);
    struct simd_value at = simd_get(emit, LLVMGetOperand(low, 1));
    struct simd_value values[2], pairs = simd_varying();
    element.type = simd_pair_type(emit, low);
    values[0] = simd_get(emit, LLVMGetOperand(low, 0));
    values[1] = simd_get(emit, LLVMGetOperand(high, 0));
    for (unsigned u = 0; u < emit->vectors; u++) {
        pairs.vector[u] = simd_join_pair(emit, low, simd_vector(emit, &values[0], u),
                                         simd_vector(emit, &values[1], u));
    }
    store_values(emit, plan, plan->pair_kind, &element, &pairs, &at);
}

/* Only the first store's address is known to be available at the group's last store. */
static void scatter_fields(struct simd_emit *emit, const struct simd_group *group,
                           const struct simd_value *first)
{
    int64_t start = simd_member_of(group->first).offset;
    for (unsigned f = 0; f < group->count; f++) {
        LLVMValueRef store = group->stores[f];
        if (store == NULL) {
            continue;
        }
        struct simd_element element = element_of(emit, store);
        struct simd_value values = simd_get(emit, LLVMGetOperand(store, 0)), at = simd_varying();
        LLVMValueRef offset =
            simd_int(emit->lower->types.i64, simd_member_of(store).offset - start);
        for (unsigned u = 0; u < emit->vectors; u++) {
            at.vector[u] = LLVMBuildGEP2(emit->builder, emit->lower->types.i8,
                                         simd_vector(emit, first, u), &offset, 1, "");
            simd_scatter(emit, &element, simd_vector(emit, &values, u), &at, u);
        }
    }
}

/* Emitted at the group's last store. */
static void store_group(struct simd_emit *emit, const struct simd_access *plan)
{
    struct simd_value first = simd_get(emit, simd_accessed(plan->group->first));
    LLVMValueRef holds = test_group(emit, plan, plan->group->first, &first);
    if (holds == NULL) {
        simd_store_structures(emit, plan->group);
        return;
    }
    struct simd_diamond diamond = simd_begin_if(emit, holds, true);
    simd_store_structures(emit, plan->group);
    simd_begin_else(emit, &diamond, NULL);
    scatter_fields(emit, plan->group, &first);
    simd_end_if(emit, &diamond, NULL);
}

void simd_store(struct simd_emit *emit, LLVMValueRef store)
{
    const struct simd_access *plan = simd_access_here(emit, store);
    struct simd_element element = element_of(emit, store);
    element.is_nontemporal = plan->is_nontemporal;
    struct simd_value value = simd_get(emit, LLVMGetOperand(store, 0));
    struct simd_value at = simd_get(emit, LLVMGetOperand(store, 1));
    switch (plan->kind) {
    case ACCESS_SCALARIZED:
        simd_each_lane(emit, store);
        break;
    case ACCESS_INTERLEAVED: /* emitted with the last store of the group */
        break;
    case ACCESS_GROUPED:
        if (plan->is_last) {
            store_group(emit, plan);
        }
        break;
    case ACCESS_FIELD_PAIR:
        store_pair(emit, plan, store);
        break;
    case ACCESS_PERMUTED:
        store_permuted(emit, plan, &element, &value, &at);
        break;
    case ACCESS_UNIFORM:
        if (simd_value_is_scalar(&value)) {
            store_uniform(emit, &element, &value, &at);
            break;
        }
        store_to_uniform(emit, &element, &value, &at);
        break;
    case ACCESS_NONE:
    case ACCESS_CONTEXT:
    case ACCESS_CONTIGUOUS:
    case ACCESS_REVERSED:
    case ACCESS_STRIDED:
    case ACCESS_REPLICATED:
    case ACCESS_TWO_WAY:
    case ACCESS_GATHER_SCATTER:
        store_varying(emit, plan, plan->kind, &element, &value, &at);
        break;
    }
}

void simd_store_value(struct simd_emit *emit, LLVMValueRef source, unsigned align, LLVMTypeRef type,
                      const struct simd_value *value, const struct simd_value *at)
{
    const struct simd_access *plan = simd_access_here(emit, source);
    struct simd_element element = {.instruction = source, .type = type, .align = align};
    store_values(emit, plan, plan->kind, &element, value, at);
}
