/* Edges with their masks, and the values that they bring to phis. */
#ifndef CDPCC_SIMD_EMIT_EDGES_H
#define CDPCC_SIMD_EMIT_EDGES_H
#include <llvm-c/Types.h>
#include "simd/emit/emit.h"

struct simd_edges;
struct simd_edge_name;
struct simd_node;

/* Code that a branch skips if no lane would run it. */
struct simd_skip {
    LLVMBasicBlockRef before, join;
};

/* The record of the node's edge, 0 or 1, in the scope's current version. */
struct simd_edge *simd_edge_at(struct simd_emit *emit, unsigned node, unsigned which);
/* Sets the lanes that take the edge; its phis' values are then those of the kernel's operands. */
void simd_set_edge(struct simd_emit *emit, unsigned node, unsigned which, const LLVMValueRef *mask);
/* Which lanes take the node's first edge, or all others: the branch's condition, or whether it
 * equals the match.  It is given as a scalar or a vector, and so is the result. */
LLVMValueRef simd_takes_edge(struct simd_emit *emit, const struct simd_node *node, unsigned which,
                             LLVMValueRef condition);
/* The shape of a value that may not have been computed. */
const struct simd_shape *simd_shape_at(const struct simd_emit *emit, LLVMValueRef value);
/* The value that the edge brings for the index-th phi of its target, in the phi's shape. */
struct simd_value simd_edge_value(struct simd_emit *emit, const struct simd_edge_name *name,
                                  LLVMValueRef phi, size_t index);
/* The value of each phi of the node, in their order, over all edges that are set, chosen by their
 * masks; poison if none is set. In the arena. */
struct simd_value *simd_blend_all(struct simd_emit *emit, unsigned node,
                                  const struct simd_edges *edges);
/* What the phis of a node get where control comes from a block: a value for each phi, in their
 * order. */
struct simd_incoming {
    const struct simd_value *values; /* NULL: poison */
    LLVMBasicBlockRef from;
};
/* The values of the node's phis behind the join of two blocks, at whose start the builder is. Those
 * that the first block does not set stay unset.  In the arena. */
struct simd_value *simd_join_values(struct simd_emit *emit, unsigned node,
                                    const struct simd_incoming *first,
                                    const struct simd_incoming *second);
/* Computes the values that the set edges bring, at the builder's position. */
void simd_settle(struct simd_emit *emit, const struct simd_edges *edges);
/* Joins settled edges that were taken only if control came from `from`, and not from `other`. */
void simd_join(struct simd_emit *emit, const struct simd_edges *edges, LLVMBasicBlockRef from,
               LLVMBasicBlockRef other);
/* The lanes that take any of the edges that are set; no lane if none is. */
void simd_or_masks(struct simd_emit *emit, const struct simd_edges *edges, LLVMValueRef *mask);
/* If the node is a header, the level is the loop that encloses the node's own loop. */
void simd_find_mask(struct simd_emit *emit, unsigned node, int level,
                    const struct simd_edges *edges);
/* Makes this the mask of the instructions that follow. NULL means all lanes. */
void simd_use_mask(struct simd_emit *emit, LLVMValueRef *mask);
/* Sets the node's phis to the values, under the node's mask. */
void simd_set_phis(struct simd_emit *emit, unsigned node, struct simd_value *values);
/* The code between begin and end is jumped over if the mask has no lane. At the end, the exits are
 * settled and joined. */
struct simd_skip simd_begin_skip(struct simd_emit *emit, const LLVMValueRef *mask);
void simd_end_skip(struct simd_emit *emit, const struct simd_skip *skip,
                   const struct simd_edges *exits);

#endif
