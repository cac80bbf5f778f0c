/* Edges with their masks, and what they bring to phis. */
#ifndef CDPCC_SIMD_EMIT_EDGES_H
#define CDPCC_SIMD_EMIT_EDGES_H
#include "simd/analysis/shape.h"
#include "simd/emit/emit.h"

/* A list of edges by name; the edges themselves lie in the emission's record. */
struct block_edges {
    struct block_edge_name {
        unsigned node, which, to;
    } *items;
    size_t count;
};

/* Code that is jumped over where no lane would run it. */
struct block_part {
    LLVMBasicBlockRef before, join;
};

struct block_edge *block_edge_at(struct block_emit *emit, unsigned node, unsigned which);
void block_set_edge(struct block_emit *emit, unsigned node, unsigned which,
                    const LLVMValueRef *mask);
void block_push_edge(struct block_edges *edges, unsigned node, unsigned which, unsigned to);
/* From inside the set to outside of it. */
struct block_edges block_edges_leaving(const struct block_emit *emit, const bool *set);
/* Into the node, from inside or from outside of a set. */
struct block_edges block_edges_into(const struct block_emit *emit, unsigned node, const bool *set,
                                    bool from_inside);
LLVMValueRef block_first_phi(const struct block_emit *emit, unsigned node);
LLVMValueRef block_next_phi(LLVMValueRef phi);
size_t block_count_phis(const struct block_emit *emit, unsigned node);
/* Of a value that may not have been computed. */
struct block_shape block_shape_at(const struct block_emit *emit, LLVMValueRef value);
/* What the edge brings for the index-th phi of its target, in the phi's shape. */
struct block_value block_brought(struct block_emit *emit, const struct block_edge_name *name,
                                 LLVMValueRef phi, size_t index);
struct block_value block_blend(struct block_emit *emit, const struct block_edges *edges,
                               LLVMValueRef phi, size_t index);
struct block_value *block_blend_all(struct block_emit *emit, unsigned node,
                                    const struct block_edges *edges);
/* Fixes what the set edges bring, here. */
void block_settle(struct block_emit *emit, const struct block_edges *edges);
/* Settled edges that were taken only if control came from one of two blocks. */
void block_join(struct block_emit *emit, const struct block_edges *edges, LLVMBasicBlockRef from,
                LLVMBasicBlockRef other);
void block_or_masks(struct block_emit *emit, const struct block_edges *edges, LLVMValueRef *mask);
/* The level is the loop around the node's own, if the node is a header. */
void block_find_mask(struct block_emit *emit, unsigned node, int level,
                     const struct block_edges *edges);
void block_use_mask(struct block_emit *emit, LLVMValueRef *mask);
void block_set_phis(struct block_emit *emit, unsigned node, struct block_value *values);
struct block_part block_begin_part(struct block_emit *emit, const LLVMValueRef *mask);
void block_end_part(struct block_emit *emit, const struct block_part *part,
                    const struct block_edges *leaving);

#endif
