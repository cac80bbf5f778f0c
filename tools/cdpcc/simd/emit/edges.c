/* Edges of the graph: the lanes that take them, and what they bring to the phis of
 * their targets.
 *
 * Where emitted control flow joins again, the edges that leave the joined parts get
 * phis of their masks and of what they bring. */
#include "simd/emit/edges.h"

#include "ir/value.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/dominators.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "support/arena.h"

#include <string.h>

struct block_edge *block_edge_at(struct block_emit *emit, unsigned node, unsigned which)
{
    return &emit->edges[node * BLOCK_NEXT + which];
}

void block_set_edge(struct block_emit *emit, unsigned node, unsigned which,
                    const LLVMValueRef *mask)
{
    struct block_edge *edge = block_edge_at(emit, node, which);
    edge->is_set = true;
    edge->phis = NULL;
    for (unsigned u = 0; u < emit->vectors; u++) {
        edge->mask[u] = mask[u];
    }
}

/* ---- lists of edges ---- */

void block_push_edge(struct block_edges *edges, unsigned node, unsigned which, unsigned to)
{
    struct block_edge_name name = {.node = node, .which = which, .to = to};
    LOWER_PUSH(edges->items, edges->count, name);
}

struct block_edges block_edges_leaving(const struct block_emit *emit, const bool *set)
{
    struct block_edges found = {0};
    for (size_t i = 0; i < emit->graph->count; i++) {
        unsigned next[BLOCK_NEXT], which[BLOCK_NEXT], at = emit->graph->order[i];
        unsigned count = set[at] ? block_graph_next(emit->graph, at, next, which) : 0;
        for (unsigned j = 0; j < count; j++) {
            if (!set[next[j]]) {
                block_push_edge(&found, at, which[j], next[j]);
            }
        }
    }
    return found;
}

struct block_edges block_edges_into(const struct block_emit *emit, unsigned node, const bool *set,
                                    bool from_inside)
{
    struct block_edges found = {0};
    for (size_t i = 0; i < emit->graph->count; i++) {
        unsigned next[BLOCK_NEXT], which[BLOCK_NEXT], at = emit->graph->order[i];
        unsigned count = block_graph_next(emit->graph, at, next, which);
        for (unsigned j = 0; j < count; j++) {
            bool counts = set == NULL || set[at] == from_inside;
            if (next[j] == node && counts) {
                block_push_edge(&found, at, which[j], node);
            }
        }
    }
    return found;
}

/* ---- phis ---- */

LLVMValueRef block_first_phi(const struct block_emit *emit, unsigned node)
{
    LLVMValueRef first = emit->kernel->nodes[node].first;
    return first != NULL && LLVMIsAPHINode(first) != NULL ? first : NULL;
}

LLVMValueRef block_next_phi(LLVMValueRef phi)
{
    LLVMValueRef next = LLVMGetNextInstruction(phi);
    return LLVMIsAPHINode(next) != NULL ? next : NULL;
}

size_t block_count_phis(const struct block_emit *emit, unsigned node)
{
    size_t count = 0;
    for (LLVMValueRef phi = block_first_phi(emit, node); phi != NULL; phi = block_next_phi(phi)) {
        count++;
    }
    return count;
}

struct block_shape block_shape_at(const struct block_emit *emit, LLVMValueRef value)
{
    struct block_shape shape = emit->kernel->shapes[block_number(emit->kernel, value)];
    if (shape.kind == SHAPE_UNKNOWN) {
        shape.kind = SHAPE_VARYING;
    }
    return shape;
}

struct block_value block_brought(struct block_emit *emit, const struct block_edge_name *name,
                                 LLVMValueRef phi, size_t index)
{
    const struct block_edge *edge = block_edge_at(emit, name->node, name->which);
    if (edge->phis != NULL && edge->phis[index].is_set) {
        return edge->phis[index];
    }
    struct block_value value = block_get(emit, block_phi_value(emit->kernel, phi, name->node));
    return block_to_shape(emit, &value, block_shape_at(emit, phi));
}

struct block_value block_blend(struct block_emit *emit, const struct block_edges *edges,
                               LLVMValueRef phi, size_t index)
{
    struct block_value made = {0};
    for (size_t i = 0; i < edges->count; i++) {
        const struct block_edge_name *name = &edges->items[i];
        const struct block_edge *edge = block_edge_at(emit, name->node, name->which);
        if (!edge->is_set) {
            continue;
        }
        struct block_value value = block_brought(emit, name, phi, index);
        made = !made.is_set
                   ? value
                   : block_select(emit, edge->mask, &value, &made, block_shape_at(emit, phi));
    }
    return made.is_set ? made : block_poison(emit, LLVMTypeOf(phi), block_shape_at(emit, phi));
}

struct block_value *block_blend_all(struct block_emit *emit, unsigned node,
                                    const struct block_edges *edges)
{
    struct block_value *values = arena_alloc((block_count_phis(emit, node) + 1) * sizeof *values);
    size_t index = 0;
    for (LLVMValueRef phi = block_first_phi(emit, node); phi != NULL; phi = block_next_phi(phi)) {
        values[index] = block_blend(emit, edges, phi, index);
        index++;
    }
    return values;
}

void block_settle(struct block_emit *emit, const struct block_edges *edges)
{
    for (size_t i = 0; i < edges->count; i++) {
        const struct block_edge_name *name = &edges->items[i];
        struct block_edge *edge = block_edge_at(emit, name->node, name->which);
        size_t count = block_count_phis(emit, name->to), index = 0;
        if (!edge->is_set || count == 0) {
            continue;
        }
        struct block_value *phis = arena_alloc(count * sizeof *phis);
        for (LLVMValueRef phi = block_first_phi(emit, name->to); phi != NULL;
             phi = block_next_phi(phi)) {
            phis[index] = block_brought(emit, name, phi, index);
            index++;
        }
        edge->phis = phis;
    }
}

static void join_mask(struct block_emit *emit, struct block_edge *edge, LLVMBasicBlockRef from,
                      LLVMBasicBlockRef other)
{
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef phi = LLVMBuildPhi(emit->builder, emit->mask_type, "mask");
        LLVMValueRef values[] = {edge->mask[u], emit->none};
        LLVMBasicBlockRef blocks[] = {from, other};
        LLVMAddIncoming(phi, values, blocks, 2);
        edge->mask[u] = phi;
    }
}

void block_join(struct block_emit *emit, const struct block_edges *edges, LLVMBasicBlockRef from,
                LLVMBasicBlockRef other)
{
    for (size_t i = 0; i < edges->count; i++) {
        const struct block_edge_name *name = &edges->items[i];
        struct block_edge *edge = block_edge_at(emit, name->node, name->which);
        if (!edge->is_set) {
            continue;
        }
        join_mask(emit, edge, from, other);
        size_t index = 0;
        for (LLVMValueRef phi = block_first_phi(emit, name->to); phi != NULL;
             phi = block_next_phi(phi)) {
            struct block_shape shape = block_shape_at(emit, phi);
            struct block_value none = block_poison(emit, LLVMTypeOf(phi), shape);
            struct block_value made = block_phi(emit, LLVMTypeOf(phi), shape);
            block_add_incoming(emit, &made, &edge->phis[index], from);
            block_add_incoming(emit, &made, &none, other);
            edge->phis[index++] = made;
        }
    }
}

/* ---- masks ---- */

void block_or_masks(struct block_emit *emit, const struct block_edges *edges, LLVMValueRef *mask)
{
    bool any = false;
    for (size_t i = 0; i < edges->count; i++) {
        const struct block_edge *edge =
            block_edge_at(emit, edges->items[i].node, edges->items[i].which);
        for (unsigned u = 0; edge->is_set && u < emit->vectors; u++) {
            mask[u] = any ? LLVMBuildOr(emit->builder, mask[u], edge->mask[u], "") : edge->mask[u];
        }
        any |= edge->is_set;
    }
    for (unsigned u = 0; !any && u < emit->vectors; u++) {
        mask[u] = emit->none;
    }
}

void block_find_mask(struct block_emit *emit, unsigned node, int level,
                     const struct block_edges *edges)
{
    const struct block_graph *graph = emit->graph;
    if (emit->has_mask[node]) {
        return;
    }
    emit->has_mask[node] = true;
    for (int by = graph->idom[node]; by >= 0; by = graph->idom[by]) {
        if (graph->loop_of[by] == level && emit->has_mask[by] &&
            block_graph_comes_to(graph, (unsigned)by, node, level)) {
            memcpy(emit->masks[node], emit->masks[by], sizeof emit->masks[node]);
            return;
        }
    }
    block_or_masks(emit, edges, emit->masks[node]);
}

void block_use_mask(struct block_emit *emit, LLVMValueRef *mask)
{
    emit->mask = mask == NULL || block_is_full(emit, mask) ? NULL : mask;
}

void block_set_phis(struct block_emit *emit, unsigned node, struct block_value *values)
{
    size_t index = 0;
    block_use_mask(emit, emit->masks[node]);
    for (LLVMValueRef phi = block_first_phi(emit, node); phi != NULL; phi = block_next_phi(phi)) {
        block_set(emit, phi, values[index++]);
    }
}

/* ---- parts that are jumped over ---- */

struct block_part block_begin_part(struct block_emit *emit, const LLVMValueRef *mask)
{
    struct block_part part = {.join = block_new(emit, "skip")};
    LLVMBasicBlockRef on = block_new(emit, "on");
    LLVMValueRef any = block_any(emit, mask);
    part.before = block_here(emit);
    LLVMBuildCondBr(emit->builder, any, on, part.join);
    block_at(emit, on);
    return part;
}

void block_end_part(struct block_emit *emit, const struct block_part *part,
                    const struct block_edges *leaving)
{
    block_settle(emit, leaving);
    LLVMBasicBlockRef from = block_here(emit);
    LLVMBuildBr(emit->builder, part->join);
    block_at(emit, part->join);
    block_join(emit, leaving, from, part->before);
}
