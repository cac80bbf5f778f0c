/* Prefetches of memory that later blocks read.
 *
 * A worker runs neighbouring blocks one after the other.  If their threads read neighbouring
 * memory, the hardware prefetcher predicts the lines, but usually not past the end of a page.  So
 * each contiguous load prefetches what a block some kilobytes later will load with it.  Fields that
 * are loaded in pairs are not prefetched, which has not been tried.
 *
 * For a[i] of 4 bytes and blocks of 256 threads, the block's neighbours are 1024 bytes apart. The
 * load then prefetches what the fourth block from here loads.
 *
 * Takes: a load of the all-active code whose address is affine. Gives: bytes from block to block,
 * and the number of blocks ahead. A load in a loop has no such prefetch, and neither has shared
 * memory. */
#include "simd/plan/prefetch_blocks.h"

#include "abi/cdp_abi.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/shape.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/numbers.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"
#include "simd/plan/access.h"
#include "simd/plan/index.h"
#include "simd/plan/strides.h"

#include <llvm-c/Core.h>

enum {
    CACHE_LINE = 64,
    BYTES_AHEAD = 4096, /* a page of memory, where the hardware prefetcher stops */
    MOST_BLOCKS = 16,
};

/* A load before this one reads the same lines.
 * Two loads less than a line apart share a prefetch, as in a[i] and a[i + 1]. */
static bool is_prefetched(const struct simd_kernel *kernel, LLVMValueRef load)
{
    int64_t offset, others;
    LLVMValueRef base = simd_without_constants(LLVMGetOperand(load, 0), &offset);
    int number = simd_number(kernel, load);
    for (int v = 0; v < number; v++) {
        LLVMValueRef other = simd_value_at(kernel, (size_t)v);
        if (LLVMIsALoadInst(other) != NULL &&
            simd_without_constants(LLVMGetOperand(other, 0), &others) == base &&
            offset - others < CACHE_LINE && others - offset < CACHE_LINE) {
            return true;
        }
    }
    return false;
}

/* Prefetches pay only where a block's size is known: otherwise the chunk loop is short, and the
 * hints take more time than they save.  They also pay only in one dimension.  With more dimensions,
 * a block's rows are far apart, often at distances that map all of them to a few sets of the cache.
 * Then prefetched lines evict others. */
static bool may_prefetch(const struct simd_site *site, LLVMValueRef load)
{
    const struct simd_kernel *kernel = simd_kernel_of(site->graph);
    struct simd_shape shape = *simd_shape_of(kernel, LLVMGetOperand(load, 0));
    return simd_variant_of(kernel)->size != NULL &&
           simd_variant_of(kernel)->layout == LAYOUT_ONE_ROW && shape.kind == SHAPE_LINEAR &&
           shape.stride > 0 && shape.stride <= CACHE_LINE / 4 &&
           simd_loop_of(site->graph, site->node) < 0 && !simd_is_shared(LLVMGetOperand(load, 0)) &&
           !is_prefetched(kernel, load);
}

struct simd_block_prefetch simd_find_block_prefetch(const struct simd_site *site, LLVMValueRef load)
{
    struct simd_block_prefetch result = {.by = NULL};
    const struct simd_kernel *kernel = simd_kernel_of(site->graph);
    if (may_prefetch(site, load)) {
        int64_t stride = simd_shape_of(kernel, LLVMGetOperand(load, 0))->stride;
        int64_t blocks = BYTES_AHEAD / (simd_variant_of(kernel)->size->x * stride);
        result.by = simd_stride_by_block(kernel, LLVMGetOperand(load, 0)).by;
        result.blocks = blocks < 1 ? 1 : blocks > MOST_BLOCKS ? MOST_BLOCKS : blocks;
    }
    return result;
}
