/* --count in block entries.
 *
 *     call void @cdp_abi_count_access(ptr @site, ptr %a, i64 4, i64 %key)
 *
 * becomes, for up to 64 lanes, an addition to a counter if a formula knows the request
 * (emit/count_requests.c), or a call. For an affine address:
 *
 *     call void @cdp_abi_count_lanes(ptr @site, ptr %a.lane0, i64 stride, i64 4, i64 %active)
 *
 * If only the addresses of each vector are affine, those of the first lanes are stored to an array,
 * for cdp_abi_count_vectors; else those of all lanes, for cdp_abi_count_gather. Basic blocks and
 * branches are counters (emit/counters.c).
 *
 * A chunk is one or more whole warps, and its lanes execute an instruction together, as those of a
 * GPU's warp do. So the key is not used: nothing else is collected before a request is counted.
 *
 * What always holds: the first lane of a call is the first lane of a warp. */
#include "simd/emit/count.h"

#include "instrument/count_code.h"
#include "ir/value.h"
#include "simd/emit/builder.h"
#include "simd/emit/count_requests.h"
#include "simd/emit/counters.h"
#include "simd/emit/emit.h"
#include "simd/emit/lane_loop.h"
#include "simd/emit/thread_context.h"
#include "simd/ir/calls.h"

#include "abi/cdp_abi.h"

#include <llvm-c/Core.h>
#include <stddef.h>

enum { MOST_LANES = 64, MOST_ARGUMENTS = 6 };

static LLVMValueRef number(const struct count_call *count, int64_t value)
{
    return simd_int(count->emit->lower->types.i64, value);
}

/* Calls the function with the call's first operand, those in arguments, and the active lanes. */
static void finish(const struct count_call *count, const char *name, LLVMValueRef *arguments,
                   unsigned argument_count)
{
    struct lower_context *lower = count->emit->lower;
    LLVMValueRef all[MOST_ARGUMENTS] = {LLVMGetOperand(count->call, 0)};
    LLVMTypeRef types[MOST_ARGUMENTS] = {lower->types.ptr};
    unsigned total = 1;
    for (unsigned i = 0; i < argument_count; i++) {
        all[total++] = arguments[i];
    }
    all[total++] = count->active;
    for (unsigned i = 0; i < total; i++) {
        types[i] = LLVMTypeOf(all[i]);
    }
    LLVMTypeRef type = LLVMFunctionType(lower->types.none, types, total, 0);
    LLVMValueRef function = LLVMGetNamedFunction(lower->module, name);
    if (function == NULL) {
        function = LLVMAddFunction(lower->module, name, type);
        lower_add_attribute(lower, function, "nounwind");
    }
    LLVMBuildCall2(count->emit->builder, type, function, all, total, "");
}

/* ---- Accesses ---- */

/* The addresses of each vector's first lane, in memory. */
static LLVMValueRef first_addresses(const struct count_call *count,
                                    const struct simd_value *address)
{
    struct simd_emit *emit = count->emit;
    LLVMTypeRef pointer = emit->lower->types.ptr;
    if (emit->memory.firsts == NULL) {
        emit->memory.firsts =
            simd_alloca(emit, LLVMArrayType2(pointer, SIMD_MOST_VECTORS), 64, "firsts");
    }
    for (unsigned u = 0; u < count->vectors.count; u++) {
        LLVMValueRef index = number(count, u);
        LLVMValueRef at =
            LLVMBuildInBoundsGEP2(emit->builder, pointer, emit->memory.firsts, &index, 1, "");
        LLVMBuildStore(emit->builder, simd_scalar(address, count->vectors.first + u), at);
    }
    return emit->memory.firsts;
}

static void by_vectors(const struct count_call *count, const struct simd_value *address,
                       LLVMValueRef size)
{
    bool is_affine = simd_value_is_affine(address);
    LLVMValueRef arguments[] = {
        first_addresses(count, address),
        number(count, is_affine ? simd_value_stride(address) : 0),
        simd_int(count->emit->lower->types.i32, count->emit->lanes),
        size,
    };
    finish(count, "cdp_abi_count_vectors", arguments, 4);
}

static void by_stride(const struct count_call *count, const struct simd_value *address,
                      LLVMValueRef size)
{
    bool is_affine = simd_value_is_affine(address);
    LLVMValueRef arguments[] = {simd_scalar(address, count->vectors.first),
                                number(count, is_affine ? simd_value_stride(address) : 0), size};
    finish(count, "cdp_abi_count_lanes", arguments, 3);
}

/* The values of the lanes, in memory. */
static LLVMValueRef array_of(const struct count_call *count, const struct simd_value *value,
                             LLVMTypeRef type)
{
    struct simd_emit *emit = count->emit;
    size_t used = 0;
    LLVMValueRef array = simd_keep_lanes(emit, value, type, &used);
    LLVMValueRef index = number(count, (int64_t)count->vectors.first * emit->lanes);
    return LLVMBuildInBoundsGEP2(emit->builder, type, array, &index, 1, "");
}

static void by_addresses(const struct count_call *count, const struct simd_value *address,
                         LLVMValueRef size)
{
    LLVMValueRef arguments[] = {array_of(count, address, count->emit->lower->types.ptr), size};
    finish(count, "cdp_abi_count_gather", arguments, 2);
}

static void by_stride_or_vectors(const struct count_call *count, const struct simd_value *address,
                                 LLVMValueRef size)
{
    struct simd_diamond consecutive = simd_begin_if(
        count->emit, simd_are_consecutive(count->emit, address, count->vectors), true);
    by_stride(count, address, size);
    simd_begin_else(count->emit, &consecutive, NULL);
    by_vectors(count, address, size);
    simd_end_if(count->emit, &consecutive, NULL);
}

static void by_formula_or_call(const struct count_call *count, const struct simd_value *address,
                               LLVMValueRef size)
{
    struct count_formula formula = simd_count_formula(count, address);
    if (!formula.is_known) {
        by_stride_or_vectors(count, address, size);
        return;
    }
    if (formula.test == NULL) {
        simd_count_by_formula(count, &formula);
        return;
    }
    struct simd_diamond holds = simd_begin_if(count->emit, formula.test, true);
    simd_count_by_formula(count, &formula);
    simd_begin_else(count->emit, &holds, NULL);
    by_stride_or_vectors(count, address, size);
    simd_end_if(count->emit, &holds, NULL);
}

static void count_access(const struct count_call *count)
{
    struct simd_emit *emit = count->emit;
    struct simd_value address = simd_get(emit, LLVMGetOperand(count->call, 1));
    LLVMValueRef size = LLVMGetOperand(count->call, 2);
    if (simd_value_is_varying(&address)) {
        by_addresses(count, &address, size);
        return;
    }
    LLVMValueRef holds = simd_are_affine(emit, &address, count->vectors);
    if (holds == NULL) {
        by_formula_or_call(count, &address, size);
        return;
    }
    struct simd_diamond affine = simd_begin_if(emit, holds, true);
    by_formula_or_call(count, &address, size);
    simd_begin_else(emit, &affine, NULL);
    by_addresses(count, &address, size);
    simd_end_if(emit, &affine, NULL);
}

/* ---- Branches ---- */

static void count_branch(const struct count_call *count)
{
    struct simd_emit *emit = count->emit;
    struct simd_value taken = simd_get(emit, LLVMGetOperand(count->call, 1));
    LLVMValueRef masks[SIMD_MOST_VECTORS], zero = LLVMConstNull(emit->lower->types.i32);
    if (simd_value_is_uniform(&taken)) {
        return; /* it does not diverge */
    }
    for (unsigned u = 0; u < count->vectors.count; u++) {
        LLVMValueRef lanes = simd_vector(emit, &taken, count->vectors.first + u);
        masks[u] = LLVMBuildICmp(emit->builder, LLVMIntNE, lanes, simd_splat(emit, zero), "");
    }
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i64 = emit->lower->types.i64;
    LLVMValueRef bits = simd_join_bits(emit, masks, count->vectors.count, i64);
    LLVMValueRef warps = number(count, 0);
    for (unsigned warp = 0; warp < simd_warps_of(count); warp++) {
        LLVMValueRef active = simd_lanes_of_warp(count, count->active, warp);
        LLVMValueRef on = LLVMBuildAnd(b, simd_lanes_of_warp(count, bits, warp), active, "");
        LLVMValueRef some = LLVMBuildICmp(b, LLVMIntNE, on, zero, "");
        LLVMValueRef not_all = LLVMBuildICmp(b, LLVMIntNE, on, active, "");
        LLVMValueRef diverges = LLVMBuildAnd(b, some, not_all, "");
        warps = LLVMBuildAdd(b, warps, LLVMBuildZExt(b, diverges, i64, ""), "");
    }
    struct simd_step step = {.space = CDP_COUNT_BRANCH, .parts = 1};
    simd_count_steps(emit, LLVMGetOperand(count->call, 0), step, warps);
}

static void count_switch(const struct count_call *count)
{
    struct simd_value side = simd_get(count->emit, LLVMGetOperand(count->call, 1));
    if (simd_value_is_uniform(&side)) {
        return;
    }
    LLVMValueRef array = array_of(count, &side, count->emit->lower->types.i32);
    finish(count, "cdp_abi_count_switch_lanes", &array, 1);
}

/* Block 0 of the grid counts as the launch. Thread 0 is in its first chunk. */
static void count_launch(const struct count_call *count)
{
    struct simd_emit *emit = count->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMValueRef any = simd_thread_of(emit, emit->chunk.first32[count->vectors.first]);
    any = LLVMBuildOr(b, any, emit->launch.block_x, "");
    for (size_t i = 1; i < 3; i++) {
        size_t offset = offsetof(struct cdp_abi_block, block_idx) + i * sizeof(uint32_t);
        LLVMValueRef at = lower_field(emit->lower, b, emit->launch.block, offset, "");
        any = LLVMBuildOr(b, any, LLVMBuildLoad2(b, i32, at, ""), "");
    }
    LLVMValueRef is_first = LLVMBuildICmp(b, LLVMIntEQ, any, simd_int(i32, 0), "");
    struct simd_diamond first = simd_begin_if(emit, is_first, false);
    LLVMTypeRef type = LLVMFunctionType(emit->lower->types.none, &emit->lower->types.ptr, 1, 0);
    LLVMValueRef code = LLVMGetOperand(count->call, 0);
    LLVMBuildCall2(b, type, lower_runtime(emit->lower, "cdp_abi_count_launch", type), &code, 1, "");
    simd_end_if_without_else(emit, &first);
}

static void count_block(const struct count_call *count)
{
    LLVMValueRef code = LLVMGetOperand(count->call, 0);
    struct simd_step warp = {.space = CDP_COUNT_SPACES, .requests = 1};
    struct simd_step lane = {.space = CDP_COUNT_SPACES, .lanes = 1};
    if (instrument_is_entry_code(code)) {
        count_launch(count);
    }
    if (simd_all_lanes_are_active(count)) {
        warp.lanes = 32;
        simd_count_steps(count->emit, code, warp, number(count, simd_warps_of(count)));
        return;
    }
    simd_count_steps(count->emit, code, warp, simd_active_warps(count));
    simd_count_steps(count->emit, code, lane, simd_active_lanes(count));
}

void simd_count(struct simd_emit *emit, LLVMValueRef call)
{
    LLVMValueRef masks[SIMD_MOST_VECTORS];
    unsigned most = MOST_LANES / emit->lanes;
    for (unsigned u = 0; u < emit->vectors; u++) {
        masks[u] = emit->mask == NULL ? emit->full : emit->mask[u];
    }
    for (unsigned first = 0; first < emit->vectors; first += most) {
        unsigned rest = emit->vectors - first;
        struct count_call count = {
            .emit = emit, .call = call, .vectors = {first, rest < most ? rest : most}};
        count.active =
            simd_join_bits(emit, masks + first, count.vectors.count, emit->lower->types.i64);
        switch (simd_count_of(call)) {
        case COUNT_ACCESS:
            count_access(&count);
            break;
        case COUNT_BRANCH:
            count_branch(&count);
            break;
        case COUNT_SWITCH:
            count_switch(&count);
            break;
        case COUNT_BLOCK:
            count_block(&count);
            break;
        case COUNT_NONE:
        case COUNT_END:
            break;
        }
    }
}
