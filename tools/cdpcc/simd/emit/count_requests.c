/* --count: formulas for the requests of affine accesses.
 *
 * A contiguous load of four bytes by all lanes of two warps from global memory:
 *
 *     if (%a is aligned, and is not in shared or local memory)
 *         numbers[3] += 2                    2 requests, 64 lanes, 256 bytes, 2 * 4 sectors
 *         numbers[4] += (%a & 31) != 0       a sector more, for each warp
 *     else
 *         call @cdp_abi_count_lanes(...)     which knows all other cases
 *
 * The numbers are those of emit/counters.c. An access to the block's own shared memory without
 * conflicts is one wavefront, whichever lanes are active.
 *
 * The rules are those of runtime/check/count_vectors.c; docs/profile.md has them in words. */
#include "simd/emit/count_requests.h"

#include "instrument/site.h"
#include "ir/value.h"
#include "simd/analysis/alias.h"
#include "simd/emit/builder.h"
#include "simd/emit/counters.h"
#include "simd/emit/emit.h"

#include "abi/cdp_abi.h"
#include "abi/cdp_check.h"

#include <llvm-c/Core.h>
#include <stddef.h>

enum {
    LANES = 32,
    SECTOR = 32, /* bytes */
    BANK = 4,    /* bytes */
    MOST_BYTES = 16,
    MOST_COMPARED = 4, /* vectors of a warp whose addresses are compared with each other */
};

/* The addresses of an access. On the stack while its formula is emitted. */
struct addresses {
    const struct count_call *count;
    struct count_formula *formula;
    int64_t stride;
    bool is_uniform;                       /* one address for all lanes */
    unsigned of_warp;                      /* vectors of a warp */
    LLVMValueRef first[SIMD_MOST_VECTORS]; /* i64, of each vector */
};

static LLVMBuilderRef builder_of(const struct addresses *addresses)
{
    return addresses->count->emit->builder;
}

static LLVMValueRef number(const struct count_call *count, int64_t value)
{
    return simd_int(count->emit->lower->types.i64, value);
}

/* ---- Lanes ---- */

unsigned simd_warps_of(const struct count_call *count)
{
    return count->vectors.count * count->emit->lanes / LANES;
}

static LLVMValueRef all_lanes(const struct count_call *count)
{
    return number(count, (int64_t)(UINT64_MAX >> (64 - simd_warps_of(count) * LANES)));
}

/* Constants are unique. */
bool simd_all_lanes_are_active(const struct count_call *count)
{
    return count->active == all_lanes(count);
}

LLVMValueRef simd_lanes_of_warp(const struct count_call *count, LLVMValueRef bits, unsigned warp)
{
    LLVMBuilderRef b = count->emit->builder;
    LLVMValueRef own = LLVMBuildLShr(b, bits, number(count, (int64_t)warp * LANES), "");
    return LLVMBuildTrunc(b, own, count->emit->lower->types.i32, "");
}

LLVMValueRef simd_active_warps(const struct count_call *count)
{
    LLVMBuilderRef b = count->emit->builder;
    LLVMTypeRef i32 = count->emit->lower->types.i32, i64 = count->emit->lower->types.i64;
    LLVMValueRef sum = number(count, 0);
    for (unsigned warp = 0; warp < simd_warps_of(count); warp++) {
        LLVMValueRef lanes = simd_lanes_of_warp(count, count->active, warp);
        LLVMValueRef any = LLVMBuildICmp(b, LLVMIntNE, lanes, simd_int(i32, 0), "");
        sum = LLVMBuildAdd(b, sum, LLVMBuildZExt(b, any, i64, ""), "");
    }
    return sum;
}

LLVMValueRef simd_active_lanes(const struct count_call *count)
{
    LLVMTypeRef i64 = count->emit->lower->types.i64;
    LLVMValueRef active = count->active;
    return simd_intrinsic(count->emit, "llvm.ctpop", &i64, 1, &active, 1);
}

/* ---- Tests ---- */

static void require(const struct addresses *addresses, LLVMValueRef test)
{
    LLVMValueRef have = addresses->formula->test;
    addresses->formula->test =
        have == NULL ? test : LLVMBuildAnd(builder_of(addresses), have, test, "");
}

static LLVMValueRef is_equal(const struct addresses *addresses, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildICmp(builder_of(addresses), LLVMIntEQ, a, b, "");
}

/* a / unit */
static LLVMValueRef unit_of(const struct addresses *addresses, LLVMValueRef address, unsigned unit)
{
    LLVMValueRef bits = number(addresses->count, __builtin_ctz(unit));
    return LLVMBuildLShr(builder_of(addresses), address, bits, "");
}

static void require_aligned(const struct addresses *addresses)
{
    LLVMBuilderRef b = builder_of(addresses);
    LLVMValueRef all = addresses->first[0];
    for (unsigned u = 1; !addresses->is_uniform && u < addresses->count->vectors.count; u++) {
        all = LLVMBuildOr(b, all, addresses->first[u], "");
    }
    if (addresses->formula->size > 1) {
        LLVMValueRef low = number(addresses->count, (int64_t)addresses->formula->size - 1);
        LLVMValueRef rest = LLVMBuildAnd(b, all, low, "");
        require(addresses, is_equal(addresses, rest, number(addresses->count, 0)));
    }
}

static void require_all_lanes(const struct addresses *addresses)
{
    const struct count_call *count = addresses->count;
    if (!simd_all_lanes_are_active(count)) {
        require(addresses, is_equal(addresses, count->active, all_lanes(count)));
    }
    addresses->formula->is_full = true;
}

/* The address of lane 0 is outside of a range of low + size. */
static void require_outside(const struct addresses *addresses, LLVMValueRef of, size_t low,
                            size_t size)
{
    struct simd_emit *emit = addresses->count->emit;
    struct lower_context *lower = emit->lower;
    LLVMTypeRef i64 = lower->types.i64;
    LLVMValueRef fields[2];
    const size_t offsets[] = {low, size};
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef at = lower_field(lower, emit->builder, of, offsets[i], "");
        fields[i] = lower_load_const(lower, emit->builder, i64, at, "");
    }
    LLVMValueRef offset = LLVMBuildSub(emit->builder, addresses->first[0], fields[0], "");
    require(addresses, LLVMBuildICmp(emit->builder, LLVMIntUGE, offset, fields[1], ""));
}

static void require_global(const struct addresses *addresses)
{
    const struct simd_launch_values *launch = &addresses->count->emit->launch;
    require_outside(addresses, launch->block, offsetof(struct cdp_abi_block, shared),
                    offsetof(struct cdp_abi_block, shared_size));
    require_outside(addresses, launch->self, offsetof(struct cdp_abi_thread, private_low),
                    offsetof(struct cdp_abi_thread, private_size));
}

/* ---- One address for each vector ---- */

/* Sectors that differ from that of the vector before. Sectors must not descend, or one could be
 * counted twice. */
static LLVMValueRef further_sectors(const struct addresses *addresses, unsigned warp)
{
    LLVMBuilderRef b = builder_of(addresses);
    LLVMTypeRef i64 = addresses->count->emit->lower->types.i64;
    const LLVMValueRef *first = addresses->first + (size_t)warp * addresses->of_warp;
    LLVMValueRef sum = number(addresses->count, 0), before = unit_of(addresses, first[0], SECTOR);
    for (unsigned u = 1; u < addresses->of_warp; u++) {
        LLVMValueRef sector = unit_of(addresses, first[u], SECTOR);
        LLVMValueRef differs = LLVMBuildICmp(b, LLVMIntNE, sector, before, "");
        sum = LLVMBuildAdd(b, sum, LLVMBuildZExt(b, differs, i64, ""), "");
        if (addresses->of_warp > 2) {
            require(addresses, LLVMBuildICmp(b, LLVMIntUGE, sector, before, ""));
        }
        before = sector;
    }
    return sum;
}

/* Each two vectors have the same word, or words of different banks. */
static void require_no_conflict(const struct addresses *addresses, unsigned warp)
{
    LLVMBuilderRef b = builder_of(addresses);
    const LLVMValueRef *first = addresses->first + (size_t)warp * addresses->of_warp;
    LLVMValueRef zero = number(addresses->count, 0), banks = number(addresses->count, LANES - 1);
    for (unsigned i = 0; i < addresses->of_warp; i++) {
        for (unsigned j = 0; j < i; j++) {
            LLVMValueRef bits = LLVMBuildXor(b, first[i], first[j], "");
            LLVMValueRef words = unit_of(addresses, bits, BANK);
            LLVMValueRef is_same = is_equal(addresses, words, zero);
            LLVMValueRef bank = LLVMBuildAnd(b, words, banks, "");
            LLVMValueRef differs = LLVMBuildICmp(b, LLVMIntNE, bank, zero, "");
            require(addresses, LLVMBuildOr(b, is_same, differs, ""));
        }
    }
}

/* ---- Contiguous vectors ---- */

/* i1: the vectors of a warp follow each other; or are all the same. */
static LLVMValueRef have_distance(const struct addresses *addresses, unsigned warp,
                                  int64_t distance)
{
    LLVMBuilderRef b = builder_of(addresses);
    const LLVMValueRef *first = addresses->first + (size_t)warp * addresses->of_warp;
    LLVMValueRef all = simd_int(addresses->count->emit->lower->types.i1, 1);
    for (unsigned u = 1; u < addresses->of_warp; u++) {
        LLVMValueRef offset = number(addresses->count, distance * (int64_t)u);
        LLVMValueRef expected = LLVMBuildAdd(b, first[0], offset, "");
        all = LLVMBuildAnd(b, all, is_equal(addresses, first[u], expected), "");
    }
    return all;
}

/* Sectors of a warp beyond parts_of_warp, which is what one vector has. */
static LLVMValueRef contiguous_sectors(const struct addresses *addresses, unsigned warp)
{
    LLVMBuilderRef b = builder_of(addresses);
    const struct count_call *count = addresses->count;
    const LLVMValueRef *first = addresses->first + (size_t)warp * addresses->of_warp;
    unsigned bytes = count->emit->lanes * addresses->formula->size;
    LLVMValueRef low = LLVMBuildAnd(b, first[0], number(count, SECTOR - 1), "");
    LLVMValueRef crosses = LLVMBuildICmp(b, LLVMIntNE, low, number(count, 0), "");
    LLVMValueRef sum = LLVMBuildZExt(b, crosses, LLVMTypeOf(low), "");
    if (addresses->of_warp > 1) {
        LLVMValueRef follow = have_distance(addresses, warp, (int64_t)bytes);
        LLVMValueRef others = number(count, (addresses->of_warp - 1) * bytes / SECTOR);
        sum = LLVMBuildAdd(b, sum, LLVMBuildSelect(b, follow, others, number(count, 0), ""), "");
    }
    return sum;
}

static void require_contiguous(const struct addresses *addresses, unsigned warp)
{
    int64_t bytes = (int64_t)addresses->count->emit->lanes * addresses->formula->size;
    LLVMValueRef follow = have_distance(addresses, warp, bytes);
    LLVMValueRef same = have_distance(addresses, warp, 0);
    if (addresses->of_warp > 1) {
        require(addresses, LLVMBuildOr(builder_of(addresses), follow, same, ""));
    }
}

/* ---- Formulas ---- */

static bool find_global(const struct addresses *addresses)
{
    struct count_formula *formula = addresses->formula;
    const struct count_call *count = addresses->count;
    unsigned bytes = count->emit->lanes * formula->size;
    if (addresses->stride != 0 ? bytes % SECTOR != 0 : addresses->of_warp > MOST_COMPARED) {
        return false;
    }
    require_aligned(addresses);
    require_all_lanes(addresses);
    require_global(addresses);
    formula->parts_of_warp = addresses->stride != 0 ? bytes / SECTOR : 1;
    for (unsigned warp = 0; !addresses->is_uniform && warp < simd_warps_of(count); warp++) {
        if (addresses->stride != 0) {
            require_contiguous(addresses, warp);
        }
        LLVMValueRef further = addresses->stride != 0 ? contiguous_sectors(addresses, warp)
                                                      : further_sectors(addresses, warp);
        formula->parts = formula->parts == NULL
                             ? further
                             : LLVMBuildAdd(builder_of(addresses), formula->parts, further, "");
    }
    return true;
}

/* Lanes that shared memory serves together. */
static unsigned phase_of(unsigned size)
{
    return size <= BANK ? LANES : size <= 2 * BANK ? LANES / 2 : LANES / 4;
}

static bool find_shared(const struct addresses *addresses)
{
    struct count_formula *formula = addresses->formula;
    unsigned phase = phase_of(formula->size);
    bool is_phase = phase <= addresses->count->emit->lanes;
    if (phase < LANES ? !is_phase : addresses->stride == 0 && addresses->of_warp > MOST_COMPARED) {
        return false;
    }
    require_aligned(addresses);
    formula->parts_of_warp = LANES / phase;
    if (phase < LANES) {
        require_all_lanes(addresses);
        return true;
    }
    for (unsigned warp = 0; !addresses->is_uniform && warp < simd_warps_of(addresses->count);
         warp++) {
        if (addresses->stride != 0) {
            require_contiguous(addresses, warp);
        } else {
            require_no_conflict(addresses, warp);
        }
    }
    return true;
}

/* Lanes that are not active may have any address. */
static void read_addresses(struct addresses *addresses, const struct simd_value *address)
{
    const struct count_call *count = addresses->count;
    LLVMBuilderRef b = count->emit->builder;
    for (unsigned u = 0; u < count->vectors.count; u++) {
        LLVMValueRef scalar = simd_scalar(address, count->vectors.first + u);
        if (!simd_all_lanes_are_active(count)) {
            scalar = LLVMBuildFreeze(b, scalar, "");
        }
        addresses->first[u] = LLVMBuildPtrToInt(b, scalar, count->emit->lower->types.i64, "");
    }
}

struct count_formula simd_count_formula(const struct count_call *count,
                                        const struct simd_value *address)
{
    LLVMValueRef size = LLVMGetOperand(count->call, 2);
    struct count_formula formula = {.is_known = false,
                                    .is_shared = simd_is_shared(LLVMGetOperand(count->call, 1))};
    uint64_t bytes = LLVMIsAConstantInt(size) != NULL ? LLVMConstIntGetZExtValue(size) : 0;
    struct addresses addresses = {
        .count = count,
        .formula = &formula,
        .stride = simd_value_is_affine(address) ? simd_value_stride(address) : 0,
        .is_uniform = simd_value_is_uniform(address),
        .of_warp = LANES / count->emit->lanes,
    };
    if (bytes == 0 || bytes > MOST_BYTES || (bytes & (bytes - 1)) != 0 ||
        (addresses.stride != 0 && addresses.stride != (int64_t)bytes) ||
        (instrument_flags_of_site(LLVMGetOperand(count->call, 0)) & CDP_SITE_ATOMIC) != 0) {
        return formula;
    }
    formula.size = (unsigned)bytes;
    read_addresses(&addresses, address);
    formula.is_known = formula.is_shared ? find_shared(&addresses) : find_global(&addresses);
    return formula;
}

void simd_count_by_formula(const struct count_call *count, const struct count_formula *formula)
{
    LLVMValueRef site = LLVMGetOperand(count->call, 0);
    struct simd_step request = {.space = formula->is_shared ? CDP_COUNT_SHARED : CDP_COUNT_GLOBAL,
                                .requests = 1,
                                .parts = formula->parts_of_warp};
    struct simd_step part = {.space = request.space, .parts = 1};
    struct simd_step lane = {.space = request.space, .lanes = 1, .bytes = formula->size};
    if (formula->is_full || simd_all_lanes_are_active(count)) {
        request.lanes = LANES;
        request.bytes = LANES * formula->size;
        simd_count_steps(count->emit, site, request, number(count, simd_warps_of(count)));
    } else {
        simd_count_steps(count->emit, site, request, simd_active_warps(count));
        simd_count_steps(count->emit, site, lane, simd_active_lanes(count));
    }
    if (formula->parts != NULL) {
        simd_count_steps(count->emit, site, part, formula->parts);
    }
}
