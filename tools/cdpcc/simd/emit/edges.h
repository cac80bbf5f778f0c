/* Edges with their masks, and what they bring to phis. */
#ifndef CDPCC_SIMD_EMIT_EDGES_H
#define CDPCC_SIMD_EMIT_EDGES_H
#include <llvm-c/Types.h>
#include "simd/analysis/shape.h"
#include "simd/emit/emit.h"

struct simd_edges;
struct simd_edge_name;

/* Code that is jumped over where no lane would run it. */
struct simd_part {
    LLVMBasicBlockRef before, join;
};

struct simd_edge *simd_edge_at(struct simd_emit *emit, unsigned node, unsigned which);
void simd_set_edge(struct simd_emit *emit, unsigned node, unsigned which, const LLVMValueRef *mask);
/* Of a value that may not have been computed. */
struct simd_shape simd_shape_at(const struct simd_emit *emit, LLVMValueRef value);
/* What the edge brings for the index-th phi of its target, in the phi's shape. */
struct simd_value simd_brought(struct simd_emit *emit, const struct simd_edge_name *name,
                               LLVMValueRef phi, size_t index);
struct simd_value simd_blend(struct simd_emit *emit, const struct simd_edges *edges,
                             LLVMValueRef phi, size_t index);
struct simd_value *simd_blend_all(struct simd_emit *emit, unsigned node,
                                  const struct simd_edges *edges);
/* Fixes what the set edges bring, here. */
void simd_settle(struct simd_emit *emit, const struct simd_edges *edges);
/* Settled edges that were taken only if control came from one of two blocks. */
void simd_join(struct simd_emit *emit, const struct simd_edges *edges, LLVMBasicBlockRef from,
               LLVMBasicBlockRef other);
void simd_or_masks(struct simd_emit *emit, const struct simd_edges *edges, LLVMValueRef *mask);
/* The level is the loop around the node's own, if the node is a header. */
void simd_find_mask(struct simd_emit *emit, unsigned node, int level,
                    const struct simd_edges *edges);
void simd_use_mask(struct simd_emit *emit, LLVMValueRef *mask);
void simd_set_phis(struct simd_emit *emit, unsigned node, struct simd_value *values);
struct simd_part simd_begin_part(struct simd_emit *emit, const LLVMValueRef *mask);
void simd_end_part(struct simd_emit *emit, const struct simd_part *part,
                   const struct simd_edges *leaving);

#endif
