/* Memory that the next blocks will read.
 *
 * A worker runs neighbouring blocks one after the other.  Where their threads read neighbouring
 * memory, the processor foresees the lines, but hardly past the end of a page.  So each row that is
 * loaded asks for what a block some kilobytes later will load in its place; fields that are loaded
 * in pairs do not, which has not been tried.  It is a hint, as in plan/prefetch_loop.c: nothing is
 * read. */
#include "simd/plan/prefetch_blocks.h"

#include "simd/ir/instructions.h"
#include "simd/analysis/affine.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/function.h"
#include "simd/ir/dominators.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "simd/plan/interleave.h"
#include "simd/plan/prefetch_loop.h"

#include "abi/cdp_abi.h"

enum {
    LINE = 64,
    BYTES_AHEAD = 4096, /* a page of the system's, where foresight ends */
    MOST_BLOCKS = 16,
};

/* A load before this one reads the same lines. */
static bool is_asked_for(const struct simd_emit *emit, LLVMValueRef load)
{
    int64_t offset, others;
    LLVMValueRef base = simd_without_constants(LLVMGetOperand(load, 0), &offset);
    int number = simd_number(emit->kernel, load);
    for (int v = 0; v < number; v++) {
        LLVMValueRef other = emit->kernel->values[v];
        if (LLVMIsALoadInst(other) != NULL &&
            simd_without_constants(LLVMGetOperand(other, 0), &others) == base &&
            offset - others < LINE && others - offset < LINE) {
            return true;
        }
    }
    return false;
}

static bool is_in_loop(const struct simd_emit *emit, LLVMValueRef load)
{
    int node = emit->kernel->node_of[simd_number(emit->kernel, load)];
    return node < 0 || emit->graph->loop_of[node] >= 0;
}

static int64_t blocks_ahead(const struct simd_emit *emit, int64_t stride)
{
    int64_t blocks = BYTES_AHEAD / (emit->kernel->variant.size->x * stride);
    return blocks < 1 ? 1 : blocks > MOST_BLOCKS ? MOST_BLOCKS : blocks;
}

/* Where a block's size is known: elsewhere the hints' own time is more than they save, as the loop
 * over chunks is short.  Not in more than one dimension: there a block's rows lie far apart, often
 * at distances that put all of them into a few places of the cache, and what comes early drives
 * others out. */
static bool may_ask(const struct simd_emit *emit, LLVMValueRef load, struct simd_shape shape)
{
    return emit->mask == NULL && emit->kernel->variant.size != NULL &&
           emit->kernel->variant.layout == LAYOUT_LINE && shape.kind == SHAPE_LINEAR &&
           shape.stride > 0 && shape.stride <= LINE / 4 && !is_in_loop(emit, load) &&
           !simd_is_shared(LLVMGetOperand(load, 0)) && !is_asked_for(emit, load);
}

void simd_prefetch_next_block(struct simd_emit *emit, LLVMValueRef load,
                              const struct simd_value *at)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i32 = emit->lower->i32, i64 = emit->lower->i64;
    if (!may_ask(emit, load, at->shape)) {
        return;
    }
    struct simd_slope slope = simd_slope_by_block(emit, LLVMGetOperand(load, 0));
    if (slope.by == NULL) {
        return;
    }
    int64_t blocks = blocks_ahead(emit, at->shape.stride);
    LLVMValueRef then = LLVMBuildAdd(b, emit->block_x, simd_int(i32, blocks), "");
    LLVMValueRef count = simd_word(emit, offsetof(struct cdp_abi_block, grid_dim), "blocks");
    LLVMValueRef comes = LLVMBuildICmp(b, LLVMIntULT, then, count, "");
    LLVMValueRef offset = LLVMBuildMul(b, slope.by, simd_int(i64, blocks), "");
    offset = LLVMBuildSelect(b, comes, offset, simd_int(i64, 0), "");
    simd_prefetch(emit, at->scalar[0], offset, at->shape.stride * emit->lanes * emit->vectors);
}
