/* Edges with their masks, and the values that they bring to phis. */
#ifndef CDPCC_SIMD_EMIT_EDGES_H
#define CDPCC_SIMD_EMIT_EDGES_H
#include <llvm-c/Types.h>
#include "simd/analysis/shape.h"
#include "simd/emit/emit.h"

struct simd_edges;
struct simd_edge_name;

/* Code that a branch skips if no lane would run it. */
struct simd_skip {
    LLVMBasicBlockRef before, join;
};

struct simd_edge *simd_edge_at(struct simd_emit *emit, unsigned node, unsigned which);
void simd_set_edge(struct simd_emit *emit, unsigned node, unsigned which, const LLVMValueRef *mask);
/* The shape of a value that may not have been computed. */
struct simd_shape simd_shape_at(const struct simd_emit *emit, LLVMValueRef value);
/* The value that the edge brings for the index-th phi of its target, in the phi's shape. */
struct simd_value simd_edge_value(struct simd_emit *emit, const struct simd_edge_name *name,
                                  LLVMValueRef phi, size_t index);
struct simd_value simd_blend(struct simd_emit *emit, const struct simd_edges *edges,
                             LLVMValueRef phi, size_t index);
struct simd_value *simd_blend_all(struct simd_emit *emit, unsigned node,
                                  const struct simd_edges *edges);
/* Computes the values that the set edges bring, at the builder's position. */
void simd_settle(struct simd_emit *emit, const struct simd_edges *edges);
/* Joins settled edges that were taken only if control came from `from`, and not from `other`. */
void simd_join(struct simd_emit *emit, const struct simd_edges *edges, LLVMBasicBlockRef from,
               LLVMBasicBlockRef other);
void simd_or_masks(struct simd_emit *emit, const struct simd_edges *edges, LLVMValueRef *mask);
/* If the node is a header, the level is the loop that encloses the node's own loop. */
void simd_find_mask(struct simd_emit *emit, unsigned node, int level,
                    const struct simd_edges *edges);
void simd_use_mask(struct simd_emit *emit, LLVMValueRef *mask);
void simd_set_phis(struct simd_emit *emit, unsigned node, struct simd_value *values);
struct simd_skip simd_begin_skip(struct simd_emit *emit, const LLVMValueRef *mask);
void simd_end_skip(struct simd_emit *emit, const struct simd_skip *skip,
                   const struct simd_edges *exits);

#endif
