/* Emission of prefetches, as plan/prefetch_loop.c, prefetch_far.c and prefetch_blocks.c decide.
 *
 * A prefetch must not cost a branch. Where it is of no use, its distance becomes zero by a select,
 * so it names a line that the load itself has just read:
 *
 *     %offset = select i1 %useful, i64 %ahead, i64 0
 *     call void @llvm.prefetch(ptr getelementptr(%address, %offset), 0, 3, 1)
 *
 *     grid-stride loops    useful if the loop's condition still holds that many iterations later
 *     rows far apart       useful if the loop reads more than SIMD_FAR_CACHE bytes
 *     later blocks         useful if the grid has that many blocks
 *
 * One instruction is emitted for each line of 64 bytes, from lane 0's address on. */
#include "simd/emit/prefetch.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/function.h"
#include "simd/emit/strides.h"
#include "simd/ir/variant.h"
#include "simd/plan/access.h"
#include "simd/plan/prefetch_far.h"
#include "simd/plan/prefetch_loop.h"

enum {
    CACHE_LINE = 64,
    MOST_CACHE_LINES = 16, /* of one load; an iteration that reads more takes long enough */
};

/* Without the attribute, the optimizer must assume that a prefetch writes to any memory. */
static void mark_harmless(const struct simd_emit *emit, LLVMValueRef call)
{
    enum {
        UNREACHABLE_MEMORY_ONLY = 3 << 2
    }; /* the encoding of LLVM's ModRefInfo for an IRMemLocation */
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAddCallSiteAttribute(
        call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(emit->lower->llvm, kind, UNREACHABLE_MEMORY_ONLY));
}

/* Prefetches the lines that are offset (i64) bytes after the start.
 * Lines after the first MOST_CACHE_LINES are left to the hardware. */
static void prefetch(struct simd_emit *emit, LLVMValueRef start, LLVMValueRef offset, int64_t bytes)
{
    LLVMTypeRef i8 = emit->lower->types.i8, i32 = emit->lower->types.i32;
    LLVMValueRef first = LLVMBuildGEP2(emit->builder, i8, start, &offset, 1, "ahead");
    for (int64_t line = 0; line < bytes && line < (int64_t)MOST_CACHE_LINES * CACHE_LINE;
         line += CACHE_LINE) {
        LLVMValueRef at = simd_int(emit->lower->types.i64, line);
        LLVMValueRef arguments[] = {LLVMBuildGEP2(emit->builder, i8, first, &at, 1, ""),
                                    simd_int(i32, 0), simd_int(i32, 3), simd_int(i32, 1)};
        mark_harmless(
            emit, simd_intrinsic(emit, "llvm.prefetch", &emit->lower->types.ptr, 1, arguments, 4));
    }
}

void simd_prefetch_line(struct simd_emit *emit, LLVMValueRef at, unsigned offset)
{
    prefetch(emit, at, simd_int(emit->lower->types.i64, offset), 1);
}

/* ---- grid-stride loops ---- */

/* The comparison that ends the loop, with its value some iterations later.
 * The affine side of the comparison is moved by the steps of ahead - 1 iterations. */
static LLVMValueRef will_stay(struct simd_emit *emit, const struct simd_loop_prefetch *plan,
                              LLVMValueRef step, LLVMValueRef condition, bool wanted)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef sides[2];
    bool is_moved = false;
    for (unsigned i = 0; i < 2; i++) {
        struct simd_value side = simd_get(emit, LLVMGetOperand(condition, i));
        sides[i] = simd_scalar(&side, 0);
        LLVMTypeRef type = LLVMTypeOf(sides[i]);
        if (simd_value_is_affine(&side) && !is_moved) {
            LLVMValueRef on = LLVMBuildIntCast2(b, step, type, 1, "");
            on = LLVMBuildMul(b, on, simd_int(type, plan->ahead - 1), "");
            sides[i] = LLVMBuildAdd(b, sides[i], on, "");
            is_moved = true;
        }
    }
    LLVMValueRef holds = LLVMBuildICmp(b, LLVMGetICmpPredicate(condition), sides[0], sides[1], "");
    return wanted ? holds : LLVMBuildNot(b, holds, "");
}

/* In a block of one row, the vectors side by side read one contiguous range of memory.
 * In blocks of several rows, each vector has a start of its own. */
static void prefetch_load(struct simd_emit *emit, const struct simd_streamed *streamed,
                          LLVMValueRef step)
{
    struct simd_value at = simd_get(emit, LLVMGetOperand(streamed->load, 0));
    LLVMValueRef factor = simd_int(emit->lower->types.i64, streamed->factor);
    LLVMValueRef offset = LLVMBuildMul(emit->builder, step, factor, "");
    unsigned ranges = simd_variant_of(emit->kernel)->layout == LAYOUT_ONE_ROW ? 1 : emit->vectors;
    for (unsigned u = 0; u < ranges; u++) {
        prefetch(emit, at.scalar[u], offset,
                 streamed->size * emit->lanes * (emit->vectors / ranges));
    }
}

void simd_prefetch_loop(struct simd_emit *emit, const struct simd_loop_prefetch *plan,
                        LLVMValueRef condition, bool wanted)
{
    if (plan->ahead == 0) {
        return;
    }
    LLVMTypeRef i64 = emit->lower->types.i64;
    struct simd_value by = simd_get(emit, plan->stride.step);
    LLVMValueRef stays = will_stay(emit, plan, by.scalar[0], condition, wanted);
    LLVMValueRef step = LLVMBuildIntCast2(emit->builder, by.scalar[0], i64, 1, "");
    step = LLVMBuildMul(emit->builder, step, simd_int(i64, plan->ahead), "");
    step = LLVMBuildSelect(emit->builder, stays, step, simd_int(i64, 0), "");
    for (size_t i = 0; i < plan->count; i++) {
        prefetch_load(emit, &plan->loads[i], step);
    }
}

/* ---- rows far apart ---- */

/* i1: the loop reads much, computed from its end value.  The test is the same in each iteration, so
 * it costs nothing inside the loop.  A few rows after the last one are prefetched, too. */
static LLVMValueRef reads_much(struct simd_emit *emit, const struct simd_far_load *load,
                               LLVMValueRef distance)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i64 = emit->lower->types.i64;
    struct simd_value value = simd_get(emit, load->end);
    LLVMValueRef end = LLVMBuildIntCast2(b, value.scalar[0], i64, 1, "");
    LLVMValueRef step = simd_compute(emit, load->step);
    LLVMValueRef bytes = LLVMBuildMul(b, end, distance, "");
    LLVMValueRef least = LLVMBuildMul(b, step, simd_int(i64, SIMD_FAR_CACHE), "");
    return LLVMBuildICmp(b, LLVMIntSGE, bytes, least, "");
}

/* The chunk starts with a row of threads, which reads a whole row of memory. */
static void prefetch_row(struct simd_emit *emit, const struct simd_far_load *load)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i64 = emit->lower->types.i64;
    LLVMValueRef distance = simd_compute(emit, load->distance);
    LLVMValueRef much = reads_much(emit, load, distance);
    LLVMValueRef offset = LLVMBuildMul(b, distance, simd_int(i64, SIMD_FAR_ITERATIONS), "");
    offset = LLVMBuildSelect(b, much, offset, simd_int(i64, 0), "");
    struct simd_value at = simd_get(emit, LLVMGetOperand(load->load, 0));
    prefetch(emit, at.scalar[0], offset, at.shape->stride * simd_variant_of(emit->kernel)->size->x);
}

void simd_prefetch_far(struct simd_emit *emit, const struct simd_far_prefetch *plan)
{
    for (unsigned i = 0; i < plan->count; i++) {
        prefetch_row(emit, &plan->loads[i]);
    }
}

/* ---- later blocks ---- */

void simd_prefetch_blocks(struct simd_emit *emit, const struct simd_access *access,
                          const struct simd_value *at)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32, i64 = emit->lower->types.i64;
    const struct simd_block_prefetch *plan = &access->prefetch;
    if (plan->by == NULL) {
        return;
    }
    LLVMValueRef by = simd_compute(emit, plan->by);
    LLVMValueRef then = LLVMBuildAdd(b, emit->launch.block_x, simd_int(i32, plan->blocks), "");
    LLVMValueRef count = simd_word(emit, offsetof(struct cdp_abi_block, grid_dim), "blocks");
    LLVMValueRef exists = LLVMBuildICmp(b, LLVMIntULT, then, count, "");
    LLVMValueRef offset = LLVMBuildMul(b, by, simd_int(i64, plan->blocks), "");
    offset = LLVMBuildSelect(b, exists, offset, simd_int(i64, 0), "");
    prefetch(emit, at->scalar[0], offset, at->shape->stride * emit->lanes * emit->vectors);
}
