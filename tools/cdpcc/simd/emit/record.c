/* Accesses of all lanes of some vectors, for the checks of races and of initialization, and for
 * AddressSanitizer.
 *
 *     call void @cdp_abi_race_load(ptr @site, ptr %a, i64 4)
 *
 * becomes, for each vector or for up to 64 lanes, if %a is affine:
 *
 *     %left = call i64 @cdp_abi_race_lanes(ptr @site, ptr %a.lane0, i64 stride, i64 4, i64 %active,
 *                                          i32 %thread.lane0)
 *
 * Otherwise the addresses of the lanes are stored to an array, for cdp_abi_race_gather. For lanes
 * that are left, which are few, the call is made one lane after the other. */
#include "simd/emit/record.h"

#include "ir/options.h"
#include "ir/value.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/lane_addresses.h"
#include "simd/emit/lane_loop.h"
#include "simd/emit/scalarize.h"
#include "simd/emit/shadow.h"
#include "simd/emit/thread_context.h"
#include "simd/ir/calls.h"
#include "simd/ir/variant.h"

#include <llvm-c/Core.h>

/* One call. */
struct record {
    struct simd_emit *emit;
    const struct simd_record_form *form;
    LLVMValueRef site, size;
    struct simd_value address;
    LLVMValueRef array;  /* of the lanes' addresses; NULL: the address is affine */
    size_t used;         /* arrays of the emission that are in use */
    LLVMValueRef values; /* of a store: an array of the lanes' values; null if all are the same */
    LLVMValueRef step, count; /* of accesses in a loop */
};

/* A call under construction. */
struct call {
    LLVMValueRef arguments[8];
    LLVMTypeRef types[8];
    unsigned count;
};

static void add(struct call *call, LLVMValueRef argument)
{
    call->arguments[call->count] = argument;
    call->types[call->count++] = LLVMTypeOf(argument);
}

static LLVMTypeRef word(const struct record *record)
{
    return record->emit->lower->types.i64;
}

/* i32: the thread of the vector's first lane. */
static LLVMValueRef first_thread(const struct record *record, unsigned vector)
{
    return simd_thread_of(record->emit, record->emit->chunk.first32[vector]);
}

/* Adds the values of all vectors and the thread of the first one; of this vector alone, if lanes
 * are not numbered like threads. */
static void add_values(const struct record *record, struct call *call, unsigned vector)
{
    struct simd_emit *emit = record->emit;
    bool is_padded = simd_variant_of(emit->kernel)->layout == LAYOUT_PADDED;
    LLVMValueRef index = simd_int(word(record), (int64_t)vector * emit->lanes);
    bool is_part = is_padded && !LLVMIsNull(record->values);
    add(call,
        is_part ? LLVMBuildInBoundsGEP2(emit->builder, word(record), record->values, &index, 1, "")
                : record->values);
    add(call, first_thread(record, is_padded ? vector : 0));
}

/* Adds the arguments that both forms end with, and calls the function. i64: the lanes that are left
 * of those in active. */
static LLVMValueRef finish(const struct record *record, struct call *call, const char *name,
                           LLVMValueRef active, unsigned vector)
{
    struct lower_context *lower = record->emit->lower;
    add(call, record->size);
    add(call, active);
    add(call, first_thread(record, vector));
    if (record->form->has_value) {
        add_values(record, call, vector);
    }
    if (record->form->has_steps) {
        add(call, record->step);
        add(call, record->count);
    }
    LLVMTypeRef type = LLVMFunctionType(lower->types.i64, call->types, call->count, 0);
    LLVMValueRef function = LLVMGetNamedFunction(lower->module, name);
    if (function == NULL) {
        function = LLVMAddFunction(lower->module, name, type);
        lower_add_attribute(lower, function, "nounwind");
    }
    return LLVMBuildCall2(record->emit->builder, type, function, call->arguments, call->count, "");
}

static LLVMValueRef by_stride(const struct record *record, unsigned vector, LLVMValueRef active)
{
    const struct simd_value *address = &record->address;
    bool is_affine = simd_value_is_affine(address);
    struct call call = {.count = 0};
    add(&call, record->site);
    add(&call, simd_scalar(address, vector));
    add(&call, simd_int(word(record), is_affine ? simd_value_stride(address) : 0));
    return finish(record, &call, record->form->lanes, active, vector);
}

static LLVMValueRef by_addresses(const struct record *record, unsigned vector, LLVMValueRef active)
{
    if (record->form->gather == NULL) {
        return active;
    }
    struct simd_emit *emit = record->emit;
    LLVMValueRef index = simd_int(word(record), (int64_t)vector * emit->lanes);
    LLVMTypeRef pointer = emit->lower->types.ptr;
    struct call call = {.count = 0};
    add(&call, record->site);
    LLVMValueRef array = record->array;
    if (array == NULL) {
        size_t used = record->used;
        array = simd_keep_lanes(emit, &record->address, pointer, &used);
    }
    add(&call, LLVMBuildInBoundsGEP2(emit->builder, pointer, array, &index, 1, ""));
    return finish(record, &call, record->form->gather, active, vector);
}

/* i64: the lanes of one vector that are left. If a test decides whether the address is affine,
 * there is code for both results. */
static LLVMValueRef for_vector(const struct record *record, unsigned vector, LLVMValueRef active)
{
    struct simd_emit *emit = record->emit;
    if (record->array != NULL) {
        return by_addresses(record, vector, active);
    }
    LLVMValueRef holds =
        simd_value_is_affine(&record->address) ? record->address.holds[vector] : NULL;
    if (holds == NULL) {
        return by_stride(record, vector, active);
    }
    struct simd_diamond affine = simd_begin_if(emit, holds, true);
    LLVMValueRef left = by_stride(record, vector, active);
    simd_begin_else(emit, &affine, left);
    return simd_end_if(emit, &affine, by_addresses(record, vector, active));
}

static LLVMValueRef mask_of(const struct record *record, LLVMValueRef bits)
{
    struct simd_emit *emit = record->emit;
    LLVMValueRef lanes = LLVMBuildTrunc(emit->builder, bits, emit->types.bits, "");
    return LLVMBuildBitCast(emit->builder, lanes, emit->types.mask, "");
}

/* ---- Several vectors of a chunk ---- */

enum { MOST_LANES = 64 }; /* of one call */

/* i1: one call can describe all vectors of the group. */
static LLVMValueRef is_one_call(const struct record *record, struct simd_vectors group)
{
    LLVMValueRef consecutive = simd_are_consecutive(record->emit, &record->address, group);
    LLVMValueRef affine = simd_are_affine(record->emit, &record->address, group);
    return affine == NULL ? consecutive
                          : LLVMBuildAnd(record->emit->builder, consecutive, affine, "");
}

/* The bits of a group's lanes from the given vector on, the lowest one first. */
static LLVMValueRef bits_from(const struct record *record, LLVMValueRef bits, unsigned vector)
{
    LLVMValueRef from = simd_int(word(record), (int64_t)vector * record->emit->lanes);
    return LLVMBuildLShr(record->emit->builder, bits, from, "");
}

static LLVMValueRef for_group(const struct record *record, struct simd_vectors group,
                              LLVMValueRef active);

/* i64: the lanes that are left, from calls for parts of the group. */
static LLVMValueRef for_parts(const struct record *record, struct simd_vectors group, unsigned size,
                              LLVMValueRef active)
{
    struct simd_emit *emit = record->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef all = simd_int(word(record), 0);
    for (unsigned u = 0; u < group.count; u += size) {
        unsigned rest = group.count - u, count = rest < size ? rest : size;
        LLVMValueRef most =
            simd_int(word(record), (int64_t)(UINT64_MAX >> (MOST_LANES - count * emit->lanes)));
        LLVMValueRef lanes = LLVMBuildAnd(b, bits_from(record, active, u), most, "");
        LLVMValueRef left = for_group(record, (struct simd_vectors){group.first + u, count}, lanes);
        LLVMValueRef from = simd_int(word(record), (int64_t)u * emit->lanes);
        all = LLVMBuildOr(b, all, LLVMBuildShl(b, left, from, ""), "");
    }
    return all;
}

/* i64: the lanes that are left. One call, if the vectors follow each other. Rows of a block are
 * rarely consecutive in memory, but the vectors of one row are. */
static LLVMValueRef for_group(const struct record *record, struct simd_vectors group,
                              LLVMValueRef active)
{
    struct simd_emit *emit = record->emit;
    enum simd_layout layout = simd_variant_of(emit->kernel)->layout;
    bool is_scalar = record->array == NULL && layout != LAYOUT_PADDED;
    if (group.count == 1) {
        return for_vector(record, group.first, active);
    }
    if (!is_scalar) {
        return for_parts(record, group, 1, active);
    }
    struct simd_diamond chunk = simd_begin_if(emit, is_one_call(record, group), true);
    LLVMValueRef left = by_stride(record, group.first, active);
    simd_begin_else(emit, &chunk, left);
    unsigned part = layout == LAYOUT_ROWS ? (group.count + 1) / 2 : 1;
    return simd_end_if(emit, &chunk, for_parts(record, group, part, active));
}

/* Sets the masks of the lanes that are left. */
static void call_for_group(const struct record *record, struct simd_vectors group,
                           const LLVMValueRef *masks, LLVMValueRef *left)
{
    LLVMValueRef active =
        simd_join_bits(record->emit, masks + group.first, group.count, word(record));
    LLVMValueRef all = for_group(record, group, active);
    for (unsigned u = 0; u < group.count; u++) {
        left[group.first + u] = mask_of(record, bits_from(record, all, u));
    }
}

static void call_for_chunk(const struct record *record, const LLVMValueRef *masks,
                           LLVMValueRef *left)
{
    unsigned vectors = record->emit->vectors, most = MOST_LANES / record->emit->lanes;
    for (unsigned first = 0; first < vectors; first += most) {
        unsigned rest = vectors - first;
        call_for_group(record, (struct simd_vectors){first, rest < most ? rest : most}, masks,
                       left);
    }
}

/* Whether the lanes have different steps or numbers of accesses. */
static bool has_varying_steps(struct simd_emit *emit, const struct simd_record_form *form,
                              LLVMValueRef call)
{
    if (!form->has_steps) {
        return false;
    }
    unsigned last = (unsigned)LLVMGetNumArgOperands(call) - 1;
    struct simd_value count = simd_get(emit, LLVMGetOperand(call, last));
    struct simd_value step = simd_get(emit, LLVMGetOperand(call, last - 1));
    return !simd_value_is_uniform(&count) || !simd_value_is_uniform(&step);
}

/* Reads the call's operands; a guard has its condition before them. */
static struct record begin(struct simd_emit *emit, LLVMValueRef call)
{
    const struct simd_record_form *form = simd_record_form_of(call);
    unsigned site = simd_is_guard(call) ? 1 : 0, at = site + (form->has_site ? 1 : 0);
    LLVMTypeRef pointer = emit->lower->types.ptr, i64 = emit->lower->types.i64;
    struct record record = {
        .emit = emit,
        .form = form,
        .site = form->has_site ? LLVMGetOperand(call, site) : LLVMConstNull(pointer),
        .size = LLVMGetOperand(call, at + 1),
        .address = simd_get(emit, LLVMGetOperand(call, at)),
        .values = LLVMConstNull(pointer),
    };
    if (simd_value_is_varying(&record.address)) {
        record.array = simd_keep_lanes(emit, &record.address, pointer, &record.used);
    }
    if (form->has_steps) {
        unsigned last = (unsigned)LLVMGetNumArgOperands(call) - 1;
        struct simd_value count = simd_get(emit, LLVMGetOperand(call, last));
        struct simd_value step = simd_get(emit, LLVMGetOperand(call, last - 1));
        record.count = simd_scalar(&count, 0);
        record.step = simd_scalar(&step, 0);
    }
    if (form->has_value) {
        struct simd_value value = simd_get(emit, LLVMGetOperand(call, at + 2));
        if (!simd_value_is_uniform(&value)) {
            record.values = simd_keep_lanes(emit, &value, i64, &record.used);
        }
    }
    return record;
}

/* Of the lanes in masks, those that store a value of which all bytes were written. */
static void keep_written(struct simd_emit *emit, LLVMValueRef call, LLVMValueRef *masks,
                         LLVMValueRef *others)
{
    unsigned last = LLVMGetNumArgOperands(call) - 1;
    struct simd_value bits = simd_get(emit, LLVMGetOperand(call, last));
    uint64_t size = LLVMConstIntGetZExtValue(LLVMGetOperand(call, last - 1));
    LLVMValueRef all = simd_int(emit->lower->types.i64, (int64_t)(UINT64_MAX >> (64 - size)));
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef wanted = simd_splat(emit, all);
        LLVMValueRef has = LLVMBuildAnd(emit->builder, simd_vector(emit, &bits, u), wanted, "");
        LLVMValueRef is_written = LLVMBuildICmp(emit->builder, LLVMIntEQ, has, wanted, "");
        others[u] = simd_and(emit, masks[u], LLVMBuildNot(emit->builder, is_written, ""));
        masks[u] = simd_and(emit, masks[u], is_written);
    }
}

/* Makes the call for the lanes that are left. The result of the others is all ones. */
static void call_left(struct simd_emit *emit, LLVMValueRef call, LLVMValueRef *left,
                      bool has_result)
{
    LLVMBuilderRef b = emit->builder;
    LLVMBasicBlockRef from[] = {simd_here(emit), NULL};
    LLVMBasicBlockRef some = simd_new(emit, "left"), after = simd_new(emit, "left.end");
    LLVMValueRef *mask = emit->mask, results[SIMD_MOST_VECTORS], ones = NULL;
    LLVMBuildCondBr(b, simd_any(emit, left), some, after);
    simd_at(emit, some);
    emit->mask = left;
    simd_each_lane(emit, call);
    emit->mask = mask;
    if (has_result) {
        struct simd_value value = simd_get(emit, call);
        ones = simd_splat_constant(emit, LLVMConstAllOnes(LLVMTypeOf(call)));
        for (unsigned u = 0; u < emit->vectors; u++) {
            results[u] = LLVMBuildSelect(b, left[u], simd_vector(emit, &value, u), ones, "");
        }
    }
    from[1] = simd_here(emit);
    LLVMBuildBr(b, after);
    simd_at(emit, after);
    if (!has_result) {
        return;
    }
    struct simd_value result = simd_varying();
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef values[] = {ones, results[u]};
        result.vector[u] = LLVMBuildPhi(b, LLVMTypeOf(ones), "");
        LLVMAddIncoming(result.vector[u], values, from, 2);
    }
    simd_set(emit, call, result);
}

static void record_lanes(struct simd_emit *emit, LLVMValueRef call)
{
    LLVMValueRef left[SIMD_MOST_VECTORS], masks[SIMD_MOST_VECTORS];
    const LLVMValueRef *mask = emit->mask;
    for (unsigned u = 0; u < emit->vectors; u++) {
        masks[u] = mask == NULL ? emit->full : mask[u];
    }
    if (has_varying_steps(emit, simd_record_form_of(call), call)) {
        call_left(emit, call, masks, false);
        return;
    }
    struct record record = begin(emit, call);
    LLVMValueRef unwritten[SIMD_MOST_VECTORS];
    if (record.form->has_bits) {
        keep_written(emit, call, masks, unwritten);
    }
    call_for_chunk(&record, masks, left);
    if (!record.form->is_final) {
        call_left(emit, call, record.form->has_bits ? unwritten : left, record.form->has_result);
    }
}

/* Without a call, if AddressSanitizer's shadow shows that no lane makes a mistake. */
static void test_addresses(struct simd_emit *emit, LLVMValueRef call)
{
    struct simd_value address = simd_get(emit, LLVMGetOperand(call, 0));
    uint64_t size = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1));
    LLVMValueRef is_open = simd_shadow_is_open(emit, &address, size);
    if (is_open == NULL) {
        record_lanes(emit, call);
        return;
    }
    struct simd_diamond closed =
        simd_begin_if(emit, LLVMBuildNot(emit->builder, is_open, ""), false);
    record_lanes(emit, call);
    simd_end_if_without_else(emit, &closed);
}

void simd_record(struct simd_emit *emit, LLVMValueRef call)
{
    if (!simd_is_address_test(call) || simd_record_form_of(call)->has_steps) {
        record_lanes(emit, call);
    } else if (emit->mask == NULL) {
        test_addresses(emit, call);
    } else { /* without an active lane the address may have no meaning */
        struct simd_diamond active = simd_begin_if(emit, simd_any(emit, emit->mask), true);
        test_addresses(emit, call);
        simd_end_if_without_else(emit, &active);
    }
}

void simd_record_barrier(struct simd_emit *emit)
{
    if (!emit->lower->options->checks.on[CHECK_RACE]) {
        return;
    }
    LLVMTypeRef type = LLVMFunctionType(emit->lower->types.none, NULL, 0, 0);
    LLVMBuildCall2(emit->builder, type, lower_runtime(emit->lower, "cdp_abi_race_barrier", type),
                   NULL, 0, "");
}
