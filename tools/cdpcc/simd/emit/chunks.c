/* Chunks: threads of W x U lanes, their indices, and the loops over them.
 *
 * Chunks whose lanes are all active run in a loop without masks.  The first chunk that leaves its
 * path (plan/all_active.c) restarts in a second loop, which has masks and runs all remaining
 * chunks.  So nothing that only the masked loop needs is computed for the all-active loop.
 *
 * One loop contains both versions in two cases.  If threads end early, the active lanes differ from
 * chunk to chunk.  And if a restart would find values that live across barriers changed, it must
 * happen in the same iteration, with the values that the chunk has loaded.
 *
 * The two loops, for 1000 threads in chunks of 64, where one chunk restarts:
 *
 *     all:    chunk 0 1 2 3 ... 14        15 whole chunks, without masks
 *               a guess fails in chunk 7
 *     rest:   chunk 7 8 ... 15            masked; chunk 15 has 40 threads
 *
 * If the masked loop has fewer vectors side by side, its first chunk's number is multiplied.
 *
 * What always holds: a chunk runs to its end in exactly one of the loops. One that restarts has
 * stored nothing before (plan/all_active.c). */
#include "simd/emit/chunks.h"

#include "ir/context.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/layout.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/uniformity.h"
#include "simd/emit/builder.h"
#include "simd/emit/control.h"
#include "simd/emit/edges.h"
#include "simd/emit/emit.h"
#include "simd/emit/hoist.h"
#include "simd/emit/metadata.h"
#include "simd/emit/permuted.h"
#include "simd/emit/publish.h"
#include "simd/emit/slots.h"
#include "simd/emit/thread_context.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/interleaved.h"
#include "simd/ir/traits.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"
#include "simd/ir/vectors.h"
#include "simd/plan/plan.h"
#include "support/arena.h"

#include <string.h>

/* The versions of a path. */
enum { ALL_ACTIVE, MASKED };

/* i32: threadIdx.x of lane 0.  A chunk of whole rows starts at the beginning of a row. */
static LLVMValueRef index_in_row(struct simd_emit *emit, unsigned vector)
{
    LLVMTypeRef i32 = emit->lower->types.i32;
    unsigned before = vector * emit->lanes, all = emit->vectors * emit->lanes;
    uint64_t row = LLVMIsAConstantInt(emit->launch.row) == NULL
                       ? 0
                       : LLVMConstIntGetZExtValue(emit->launch.row);
    return row != 0 && all % row == 0
               ? LLVMConstInt(i32, before % row, 0)
               : LLVMBuildURem(emit->builder, emit->chunk.first32[vector], emit->launch.row, "");
}

/* Division by the row's length gives row and column; for a known size it is by a constant. */
static void compute_ids(struct simd_emit *emit)
{
    LLVMBuilderRef b = emit->builder;
    static const struct simd_shape line = {
        .kind = SHAPE_LINEAR, .stride = 1, .is_signed_exact = true, .is_unsigned_exact = true};
    static const struct simd_shape in_rows = {
        .kind = SHAPE_VECTOR, .is_signed_exact = true, .is_unsigned_exact = true};
    const struct simd_shape *same = simd_has_rows(emit->kernel) ? &in_rows : &simd_uniform_shape;
    for (unsigned i = 0; i < 4; i++) {
        emit->chunk.ids[i] =
            (struct simd_value){.shape = i == 0 || i == 3 ? &line : same, .is_set = true};
    }
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef number = emit->chunk.first32[u], zero = simd_int(emit->lower->types.i32, 0);
        emit->chunk.ids[3].scalar[u] = simd_thread_of(emit, number);
        emit->chunk.ids[0].scalar[u] = number;
        emit->chunk.ids[1].scalar[u] = emit->chunk.ids[2].scalar[u] = zero;
        if (simd_has_rows(emit->kernel)) {
            LLVMValueRef row = LLVMBuildUDiv(b, number, emit->launch.row, "");
            emit->chunk.ids[0].scalar[u] = index_in_row(emit, u);
            emit->chunk.ids[1].scalar[u] = LLVMBuildURem(b, row, emit->launch.dimension[1], "");
            emit->chunk.ids[2].scalar[u] = LLVMBuildUDiv(b, row, emit->launch.dimension[1], "");
        }
    }
    if (simd_variant_of(emit->kernel)->layout == LAYOUT_ANY) {
        simd_number_lanes(emit);
    }
}

/* Numbers of 64 bits are for addresses of slots, numbers of 32 bits for indices. */
static void number_threads(struct simd_emit *emit, LLVMValueRef chunk)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i64 = emit->lower->types.i64;
    int64_t size = (int64_t)emit->lanes * emit->vectors;
    LLVMValueRef first = LLVMBuildNUWMul(b, chunk, simd_int(i64, size), "");
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef offset = simd_int(i64, (int64_t)u * emit->lanes);
        emit->chunk.first64[u] = LLVMBuildNUWAdd(b, first, offset, "first");
        emit->chunk.first32[u] =
            LLVMBuildTrunc(b, emit->chunk.first64[u], emit->lower->types.i32, "");
    }
}

/* The lanes whose number, counted from `first`, is below the limit. */
static LLVMValueRef are_below(struct simd_emit *emit, LLVMValueRef first, LLVMValueRef end)
{
    LLVMValueRef numbers = LLVMBuildAdd(emit->builder, simd_splat(emit, first),
                                        simd_steps(emit, emit->lower->types.i32, 1), "");
    return LLVMBuildICmp(emit->builder, LLVMIntULT, numbers, simd_splat(emit, end), "");
}

/* The mask of lanes that are threads of the block and have not ended.
 * This is what LLVM calls an active-lane mask: lane numbers below the limit. After a barrier, it
 * comes from memory, if threads may end early; what is read is cleared, and each lane that reaches
 * the next barrier sets its bit again. */
static void compute_mask(struct simd_emit *emit, LLVMValueRef *mask)
{
    LLVMTypeRef i16 = LLVMInt16TypeInContext(emit->lower->llvm);
    for (unsigned u = 0; u < emit->vectors; u++) {
        if (emit->scope.path->versions[MASKED].is_whole) {
            mask[u] = emit->full;
        } else if (!emit->plan->needs_alive || emit->scope.region->entry == 0) {
            mask[u] = are_below(emit, emit->chunk.first32[u], emit->launch.lane_count);
            if (simd_variant_of(emit->kernel)->layout == LAYOUT_PADDED) {
                LLVMValueRef are_threads =
                    are_below(emit, index_in_row(emit, u), emit->launch.dimension[0]);
                mask[u] = LLVMBuildAnd(emit->builder, mask[u], are_threads, "");
            }
        } else {
            LLVMValueRef bits = LLVMBuildLoad2(emit->builder, i16, simd_alive_at(emit, u), "");
            if (emit->lanes < 16) {
                bits = LLVMBuildTrunc(emit->builder, bits, emit->types.bits, "");
            }
            mask[u] = LLVMBuildBitCast(emit->builder, bits, emit->types.mask, "");
        }
    }
    for (unsigned u = 0; emit->plan->needs_alive && u < emit->vectors; u++) {
        LLVMBuildStore(emit->builder, simd_int(i16, 0), simd_alive_at(emit, u));
    }
}

/* Emitted once for all chunks, or for the current chunk. */
static void load_values(struct simd_emit *emit, bool per_block)
{
    const struct simd_region *region = emit->scope.region;
    const struct simd_kernel *kernel = emit->kernel;
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        bool is_uniform = simd_is_uniform(kernel, simd_value_at(kernel, v));
        if (region->live[v] && emit->plan->has_slot[v] && is_uniform == per_block) {
            simd_load_slot(emit, (int)v);
        }
    }
}

/* Copies of interleaved variables are in groups of threads. */
static LLVMValueRef local_memory(struct simd_emit *emit, LLVMValueRef alloca, LLVMValueRef count)
{
    LLVMTypeRef i8 = emit->lower->types.i8, i32 = emit->lower->types.i32;
    uint64_t size = simd_local_size(emit->kernel, alloca);
    if (simd_interleaved_element(emit->lower, alloca) != 0) {
        count = LLVMBuildAdd(emit->allocas, count, simd_int(i32, SIMD_LOCAL_GROUP - 1), "");
        count = LLVMBuildUDiv(emit->allocas, count, simd_int(i32, SIMD_LOCAL_GROUP), "");
        size *= SIMD_LOCAL_GROUP;
    }
    return simd_array(emit, LLVMArrayType2(i8, size), count, "local");
}

/* Of the vector's first thread. A vector lies within one group. */
static LLVMValueRef local_offset(struct simd_emit *emit, LLVMValueRef alloca, LLVMValueRef thread)
{
    LLVMBuilderRef builder = emit->builder;
    LLVMTypeRef i64 = emit->lower->types.i64;
    uint64_t size = simd_local_size(emit->kernel, alloca);
    uint64_t element = simd_interleaved_element(emit->lower, alloca);
    if (element == 0 || emit->lanes == SIMD_LOCAL_GROUP) {
        return LLVMBuildMul(builder, thread, simd_int(i64, (int64_t)size), "");
    }
    LLVMValueRef in_group = LLVMBuildAnd(builder, thread, simd_int(i64, SIMD_LOCAL_GROUP - 1), "");
    LLVMValueRef group = LLVMBuildSub(builder, thread, in_group, "");
    group = LLVMBuildMul(builder, group, simd_int(i64, (int64_t)size), "");
    in_group = LLVMBuildMul(builder, in_group, simd_int(i64, (int64_t)element), "");
    return LLVMBuildAdd(builder, group, in_group, "");
}

/* Memory for a thread's own variable.  It has room for all threads of the block.  If the kernel has
 * no barrier, it only has space for the threads of the chunk. */
static void allocate_local(struct simd_emit *emit, int number)
{
    LLVMValueRef alloca = simd_value_at(emit->kernel, (size_t)number);
    bool lasts = simd_traits_of(emit->kernel)->barrier_count != 0;
    if (emit->memory.locals[number] == NULL) {
        LLVMValueRef count =
            lasts ? emit->launch.padded_count
                  : simd_int(emit->lower->types.i32, emit->lanes * emit->plan->options.vectors);
        emit->memory.locals[number] = local_memory(emit, alloca, count);
    }
    struct simd_value result = {.shape = &simd_facts_of(emit->kernel)->shapes[number],
                                .is_set = true};
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMTypeRef i64 = emit->lower->types.i64;
        LLVMValueRef thread = lasts ? emit->chunk.first64[u] : simd_int(i64, u * emit->lanes);
        LLVMValueRef offset = local_offset(emit, alloca, thread);
        result.scalar[u] = LLVMBuildInBoundsGEP2(emit->builder, emit->lower->types.i8,
                                                 emit->memory.locals[number], &offset, 1, "");
    }
    emit->scope.values[number] = result;
}

/* This code is part of the chunk even if the chunk then restarts. */
static void start_chunk(struct simd_emit *emit)
{
    const struct simd_region *region = emit->scope.region;
    const struct simd_kernel *kernel = emit->kernel;
    if (region->publishing.first) {
        simd_publish_chunk(emit);
    }
    compute_ids(emit);
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        if (LLVMIsAAllocaInst(simd_value_at(kernel, v)) != NULL) {
            allocate_local(emit, (int)v);
        }
    }
    load_values(emit, false);
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        if (region->live[v] && !emit->plan->has_slot[v]) {
            simd_recompute(emit, simd_value_at(kernel, v));
        }
    }
}

/* Computes the mask of the chunk's lanes; what the chunk starts with is under it. */
static void start_masked_chunk(struct simd_emit *emit, LLVMValueRef *mask)
{
    compute_mask(emit, mask);
    simd_use_mask(emit, mask);
    start_chunk(emit);
    emit->mask = NULL;
}

/* The code of the region for one chunk. Values, edges and masks belong to the version: SSA values
 * of the one do not dominate the other. */
static void emit_version(struct simd_emit *emit, unsigned which, const LLVMValueRef *mask)
{
    const struct simd_region *region = emit->scope.region;
    const struct simd_version_plan *version = &emit->scope.path->versions[which];
    const struct simd_graph *graph = version->graph;
    size_t nodes = simd_node_count(emit->kernel), values = simd_value_count(emit->kernel);
    struct simd_value *kept = emit->scope.values;
    emit->scope.values = arena_alloc((values + 1) * sizeof *emit->scope.values);
    memcpy(emit->scope.values, kept, values * sizeof *kept);
    emit->scope.version = version;
    emit->scope.edges = arena_alloc(nodes * SIMD_NEXT * sizeof *emit->scope.edges);
    emit->scope.masks = arena_alloc(nodes * sizeof *emit->scope.masks);
    emit->scope.has_mask = arena_alloc(nodes);
    emit->scope.is_done = arena_alloc(nodes);
    emit->scope.stop = -1;
    emit->scope.is_whole = simd_is_full(emit, mask);
    for (unsigned u = 0; u < emit->vectors; u++) {
        emit->scope.masks[region->entry][u] = mask[u];
    }
    emit->scope.has_mask[region->entry] = true;
    for (size_t v = 0; v < values; v++) {
        if (region->promoted[v] && emit->scope.values[v].is_set) {
            simd_save_promoted(emit, (int)v, true);
        }
    }
    bool *set = arena_alloc(nodes);
    for (size_t i = 0; i < graph->count; i++) {
        set[graph->order[i]] = true;
    }
    simd_nodes(emit, set, -1);
    emit->scope.values = kept;
    emit->scope.version = NULL;
    emit->mask = NULL;
}

/* ---- tests of pointers ---- */

static LLVMValueRef address_of_pointer(struct simd_emit *emit, int64_t parameter)
{
    LLVMTypeRef i64 = emit->lower->types.i64;
    LLVMValueRef offset = simd_int(i64, parameter);
    LLVMValueRef at =
        LLVMBuildGEP2(emit->builder, emit->lower->types.i8, emit->launch.params, &offset, 1, "");
    return LLVMBuildLoad2(emit->builder, i64, at, "");
}

/* i1: the pointers are at least that many bytes apart, or equal if they may be. */
static LLVMValueRef are_apart(struct simd_emit *emit, const struct simd_overlap *test)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i64 = emit->lower->types.i64;
    LLVMValueRef distance = LLVMBuildSub(b, address_of_pointer(emit, test->first),
                                         address_of_pointer(emit, test->second), "");
    LLVMValueRef from = LLVMBuildAdd(b, distance, simd_int(i64, test->bytes - 1), "");
    LLVMValueRef result =
        LLVMBuildICmp(b, LLVMIntUGE, from, simd_int(i64, 2 * test->bytes - 1), "apart");
    if (test->may_be_equal) {
        LLVMValueRef same = LLVMBuildICmp(b, LLVMIntEQ, distance, simd_int(i64, 0), "");
        result = LLVMBuildOr(b, result, same, "");
    }
    return result;
}

/* i1, or NULL: there are no tests. */
static LLVMValueRef test_overlaps(struct simd_emit *emit)
{
    const struct simd_overlaps *tests = &emit->scope.path->overlaps;
    LLVMValueRef all = NULL;
    for (size_t i = 0; i < tests->count; i++) {
        LLVMValueRef apart = are_apart(emit, &tests->items[i]);
        all = all == NULL ? apart : LLVMBuildAnd(emit->builder, all, apart, "");
    }
    return all;
}

static LLVMValueRef if_apart(struct simd_emit *emit, LLVMValueRef condition, LLVMValueRef apart)
{
    return apart == NULL ? condition : LLVMBuildAnd(emit->builder, condition, apart, "");
}

/* ---- one loop with both versions ---- */

/* Used if threads end early, if a chunk that restarts must find its values unchanged, or if each
 * chunk's path becomes known when the loop is unrolled. */
static void emit_chunk_by_mask(struct simd_emit *emit, LLVMBasicBlockRef latch, LLVMValueRef apart)
{
    LLVMValueRef mask[SIMD_MOST_VECTORS], full[SIMD_MOST_VECTORS];
    LLVMBasicBlockRef all_active = simd_new(emit, "fast"), masked = simd_new(emit, "slow");
    LLVMBasicBlockRef some = simd_new(emit, "some");
    start_masked_chunk(emit, mask);
    LLVMBuildCondBr(emit->builder, if_apart(emit, simd_all(emit, mask), apart), all_active, some);
    simd_at(emit, some);
    LLVMBuildCondBr(emit->builder, simd_any(emit, mask), masked, latch);
    simd_fill_mask(emit, full, emit->full);
    emit->scope.restart = masked;
    simd_at(emit, all_active);
    emit_version(emit, ALL_ACTIVE, full);
    LLVMBuildBr(emit->builder, latch);
    simd_at(emit, masked);
    emit_version(emit, MASKED, mask);
    LLVMBuildBr(emit->builder, latch);
}

/* ---- loops over chunks ---- */

/* A loop over chunks being emitted: its induction variable, header and latch. */
struct chunks {
    LLVMValueRef chunk; /* i64 */
    LLVMBasicBlockRef head, latch;
};

/* Ends the current block; the loop's body starts. */
static struct chunks begin_chunk_loop(struct simd_emit *emit, LLVMValueRef first)
{
    LLVMBasicBlockRef before = simd_here(emit);
    struct chunks result = {.head = simd_new(emit, "chunk"), .latch = simd_new(emit, "chunk.next")};
    LLVMBuildBr(emit->builder, result.head);
    simd_at(emit, result.head);
    result.chunk = LLVMBuildPhi(emit->builder, emit->lower->types.i64, "chunk");
    LLVMAddIncoming(result.chunk, &first, &before, 1);
    number_threads(emit, result.chunk);
    return result;
}

/* Ends the loop; the body has branched to the latch. */
static LLVMValueRef end_chunk_loop(struct simd_emit *emit, const struct chunks *chunks,
                                   LLVMValueRef limit, LLVMBasicBlockRef after)
{
    simd_at(emit, chunks->latch);
    LLVMValueRef one = simd_int(emit->lower->types.i64, 1);
    LLVMValueRef next = LLVMBuildNUWAdd(emit->builder, chunks->chunk, one, "");
    LLVMBasicBlockRef latch = chunks->latch;
    LLVMAddIncoming(chunks->chunk, &next, &latch, 1);
    LLVMValueRef more = LLVMBuildICmp(emit->builder, LLVMIntULT, next, limit, "");
    LLVMValueRef branch = LLVMBuildCondBr(emit->builder, more, chunks->head, after);
    simd_at(emit, after);
    return branch;
}

static LLVMValueRef count_chunks(struct simd_emit *emit, LLVMValueRef threads)
{
    int64_t size = (int64_t)emit->lanes * emit->vectors;
    LLVMValueRef count =
        LLVMBuildUDiv(emit->builder, threads, simd_int(emit->lower->types.i32, size), "");
    return LLVMBuildZExt(emit->builder, count, emit->lower->types.i64, "");
}

/* Follows the plan for the loop over that number of chunks, whose code starts at a block. The
 * number is a constant if the plan has straight code. */
static void unroll_as_planned(struct simd_emit *emit, LLVMValueRef branch, LLVMValueRef count,
                              LLVMBasicBlockRef from)
{
    switch (emit->scope.path->unroll) {
    case UNROLL_BY_LLVM:
        break;
    case UNROLL_NEVER:
        simd_mark_loop(emit, branch, "llvm.loop.unroll.disable");
        break;
    case UNROLL_IF_SHORT: {
        uint64_t chunks = LLVMConstIntGetZExtValue(count);
        uint64_t straight = chunks * simd_count_instructions(from);
        emit->code.stays_loop = chunks > 1 && straight > emit->plan->most_straight;
        if (chunks > 1 && !emit->code.stays_loop) {
            simd_mark_loop(emit, branch, "llvm.loop.unroll.full");
        }
        break;
    }
    }
}

/* The chunks of all threads, including lanes that are no threads. */
static LLVMValueRef count_all_chunks(struct simd_emit *emit)
{
    return count_chunks(emit,
                        simd_round_up(emit, emit->launch.lane_count, emit->lanes * emit->vectors));
}

static void emit_tested_chunks(struct simd_emit *emit)
{
    /* needs_alive: another region with wider chunks also tests lanes after the last thread */
    LLVMValueRef all = emit->plan->needs_alive ? count_chunks(emit, emit->launch.padded_count)
                                               : count_all_chunks(emit);
    LLVMValueRef apart = test_overlaps(emit);
    struct chunks chunks = begin_chunk_loop(emit, simd_int(emit->lower->types.i64, 0));
    emit_chunk_by_mask(emit, chunks.latch, apart);
    LLVMValueRef branch = end_chunk_loop(emit, &chunks, all, simd_new(emit, "chunks"));
    unroll_as_planned(emit, branch, all, chunks.head);
}

/* The start of the masked loop.  The first chunk depends on the edge taken to it. */
struct masked_start {
    LLVMBasicBlockRef block; /* NULL: there is none */
    LLVMValueRef start;      /* a phi of chunk numbers */
};

/* Edges come from three places: a chunk that restarts, the end of the whole chunks, and a block
 * without any whole chunk. */
static struct masked_start make_masked_start(struct simd_emit *emit)
{
    LLVMBasicBlockRef here = simd_here(emit);
    struct masked_start masked_start = {.block = simd_new(emit, "masked")};
    simd_at(emit, masked_start.block);
    masked_start.start = LLVMBuildPhi(emit->builder, emit->lower->types.i64, "start");
    simd_at(emit, here);
    return masked_start;
}

/* Adds an edge from the current block to the masked loop, which then starts with the chunk. */
static void enter_masked_loop(struct simd_emit *emit, const struct masked_start *masked_start,
                              LLVMValueRef chunk)
{
    LLVMBasicBlockRef from = simd_here(emit);
    if (masked_start->block != NULL) {
        LLVMAddIncoming(masked_start->start, &chunk, &from, 1);
    }
}

static void emit_all_active_chunks(struct simd_emit *emit, LLVMValueRef whole,
                                   const struct masked_start *masked_start)
{
    LLVMValueRef full[SIMD_MOST_VECTORS];
    simd_fill_mask(emit, full, emit->full);
    struct chunks chunks = begin_chunk_loop(emit, simd_int(emit->lower->types.i64, 0));
    start_chunk(emit);
    emit->scope.restart = masked_start->block == NULL ? NULL : simd_new(emit, "restart");
    emit_version(emit, ALL_ACTIVE, full);
    LLVMBuildBr(emit->builder, chunks.latch);
    if (emit->scope.restart != NULL) {
        simd_at(emit, emit->scope.restart);
        enter_masked_loop(emit, masked_start, chunks.chunk);
        LLVMBuildBr(emit->builder, masked_start->block);
    }
    LLVMValueRef branch = end_chunk_loop(emit, &chunks, whole, simd_new(emit, "whole"));
    unroll_as_planned(emit, branch, whole, chunks.head);
}

/* `start` counts chunks of the all-active loop's width. */
static void emit_masked_chunks(struct simd_emit *emit, LLVMValueRef start)
{
    LLVMValueRef mask[SIMD_MOST_VECTORS];
    unsigned usual = emit->vectors;
    emit->vectors = emit->scope.path->masked_vectors;
    LLVMValueRef ratio = simd_int(LLVMTypeOf(start), usual / emit->vectors);
    start = LLVMBuildNUWMul(emit->builder, start, ratio, "");
    LLVMValueRef all = count_all_chunks(emit);
    struct chunks chunks = begin_chunk_loop(emit, start);
    start_masked_chunk(emit, mask);
    bool exits_early = emit->scope.path->versions[MASKED].early_exit >= 0;
    if (exits_early) {
        LLVMBuildStore(emit->builder, LLVMConstNull(emit->lower->types.i1), emit->memory.is_last);
    }
    emit_version(emit, MASKED, mask);
    LLVMBasicBlockRef after = simd_new(emit, "rested");
    if (exits_early) {
        LLVMValueRef is_last =
            LLVMBuildLoad2(emit->builder, emit->lower->types.i1, emit->memory.is_last, "last");
        LLVMBuildCondBr(emit->builder, is_last, after, chunks.latch);
    } else {
        LLVMBuildBr(emit->builder, chunks.latch);
    }
    end_chunk_loop(emit, &chunks, all, after);
    emit->vectors = usual;
}

/* Emits the all-active loop if any chunk may have only active lanes.  From its end control goes to
 * the masked loop or to `after`. */
static void start_all_active_chunks(struct simd_emit *emit, const struct masked_start *masked_start,
                                    LLVMBasicBlockRef after)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef all = count_all_chunks(emit), zero = simd_int(LLVMTypeOf(all), 0);
    if (emit->scope.path->form == CHUNKS_MASKED) {
        enter_masked_loop(emit, masked_start, zero);
        LLVMBuildBr(b, masked_start->block);
        return;
    }
    LLVMValueRef whole = count_chunks(emit, emit->launch.thread_count);
    if (emit->scope.path->form == CHUNKS_ALL_ACTIVE) {
        emit_all_active_chunks(emit, whole, masked_start);
        LLVMBuildBr(b, after);
        return;
    }
    LLVMBasicBlockRef all_active = simd_new(emit, "all");
    LLVMValueRef apart = test_overlaps(emit);
    enter_masked_loop(emit, masked_start, zero);
    LLVMValueRef is_any = LLVMBuildICmp(b, LLVMIntNE, whole, zero, "");
    LLVMBuildCondBr(b, if_apart(emit, is_any, apart), all_active, masked_start->block);
    simd_at(emit, all_active);
    emit_all_active_chunks(emit, whole, masked_start);
    enter_masked_loop(emit, masked_start, whole);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, whole, all, ""), after, masked_start->block);
}

static void emit_chunks(struct simd_emit *emit)
{
    struct masked_start masked_start = {.block = NULL};
    size_t size = simd_value_count(emit->kernel) * sizeof *emit->scope.values;
    struct simd_value *uniform = arena_alloc(size + 1);
    memcpy(uniform, emit->scope.values, size);
    if (emit->scope.path->form != CHUNKS_ALL_ACTIVE) {
        masked_start = make_masked_start(emit);
    }
    LLVMBasicBlockRef after = simd_new(emit, "chunks");
    start_all_active_chunks(emit, &masked_start, after);
    if (masked_start.block != NULL) {
        memcpy(emit->scope.values, uniform, size);
        simd_at(emit, masked_start.block);
        if (emit->scope.region->publishing.any) {
            simd_publish_none(emit);
        }
        emit_masked_chunks(emit, masked_start.start);
        LLVMBuildBr(emit->builder, after);
    }
    simd_at(emit, after);
}

/* The chunk that calls a function.  Its lanes that call are those of the mask, at least one. */
static void emit_called_chunk(struct simd_emit *emit)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->types.i32, i64 = emit->lower->types.i64;
    LLVMValueRef mask[SIMD_MOST_VECTORS];
    for (unsigned u = 0; u < emit->vectors; u++) {
        unsigned before = u * emit->lanes;
        LLVMValueRef bits = LLVMBuildLShr(b, emit->launch.called.mask, simd_int(i64, before), "");
        bits = LLVMBuildTrunc(b, bits, emit->types.bits, "");
        mask[u] = LLVMBuildBitCast(b, bits, emit->types.mask, "");
        emit->chunk.first32[u] =
            LLVMBuildNUWAdd(b, emit->launch.called.first, simd_int(i32, before), "first");
        emit->chunk.first64[u] = LLVMBuildZExt(b, emit->chunk.first32[u], i64, "");
    }
    simd_use_mask(emit, mask);
    start_chunk(emit);
    emit->mask = NULL;
    emit_version(emit, MASKED, mask);
}

void simd_begin_chunks(struct simd_emit *emit)
{
    load_values(emit, true);
    simd_load_hoisted(emit);
    LLVMBuildStore(emit->builder, simd_int(emit->lower->types.i32, -1), emit->memory.next_region);
}

void simd_chunks(struct simd_emit *emit, const struct simd_path *path)
{
    unsigned usual = emit->vectors;
    emit->scope.path = path;
    emit->vectors = path->vectors;
    if (simd_is_called(emit->kernel)) {
        emit_called_chunk(emit);
    } else if (path->form == CHUNKS_TESTED) {
        emit_tested_chunks(emit);
    } else {
        emit_chunks(emit);
    }
    emit->vectors = usual;
}
