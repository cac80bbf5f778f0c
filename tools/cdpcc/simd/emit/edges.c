/* Edges of the graph: the lanes that take them, and the values that they bring to the phis of their
 * targets.
 *
 * Where emitted control flow joins, the edges that leave the joined code get phis of their masks
 * and of the values that they bring.
 *
 * An edge's values are in one of two states. At first they are the phi's operands, to be read when
 * the target is emitted. Once settled, they are values of the phis' shapes at the end of the code
 * that computed them, and survive a join as phis.
 *
 *     skip:   br any(mask), on, join
 *     on:     code; settle
 *     join:   mask  = phi [ mask, on ], [ none, skip ]
 *             value = phi [ value, on ], [ poison, skip ] */
#include "simd/emit/edges.h"

#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/edges.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/node.h"
#include "simd/ir/phis.h"
#include "simd/ir/reconvergence.h"
#include "simd/plan/plan.h"
#include "support/arena.h"

#include <llvm-c/Core.h>
#include <string.h>

struct simd_edge *simd_edge_at(struct simd_emit *emit, unsigned node, unsigned which)
{
    return &emit->scope.edges[node * SIMD_NEXT + which];
}

void simd_set_edge(struct simd_emit *emit, unsigned node, unsigned which, const LLVMValueRef *mask)
{
    struct simd_edge *edge = simd_edge_at(emit, node, which);
    edge->is_set = true;
    edge->phis = NULL;
    for (unsigned u = 0; u < emit->vectors; u++) {
        edge->mask[u] = mask[u];
    }
}

LLVMValueRef simd_takes_edge(struct simd_emit *emit, const struct simd_node *node, unsigned which,
                             LLVMValueRef condition)
{
    if (node->match == NULL) {
        return which == 0 ? condition : LLVMBuildNot(emit->builder, condition, "");
    }
    bool is_vector = LLVMGetTypeKind(LLVMTypeOf(condition)) == LLVMVectorTypeKind;
    LLVMValueRef match = is_vector ? simd_splat_constant(emit, node->match) : node->match;
    return LLVMBuildICmp(emit->builder, which == 0 ? LLVMIntEQ : LLVMIntNE, condition, match, "");
}

/* ---- phis ---- */

const struct simd_shape *simd_shape_at(const struct simd_emit *emit, LLVMValueRef value)
{
    const struct simd_shape *shape = simd_shape_of(emit->kernel, value);
    return shape->kind == SHAPE_UNKNOWN ? &simd_varying_shape : shape;
}

/* Settled values have the phi's shape already. */
struct simd_value simd_edge_value(struct simd_emit *emit, const struct simd_edge_name *name,
                                  LLVMValueRef phi, size_t index)
{
    const struct simd_edge *edge = simd_edge_at(emit, name->node, name->which);
    if (edge->phis != NULL && edge->phis[index].is_set) {
        return edge->phis[index];
    }
    struct simd_value value = simd_get(emit, simd_phi_value(emit->kernel, phi, name->node));
    return simd_to_shape(emit, &value, simd_shape_at(emit, phi));
}

/* A chain of selects, one for each edge but the first; lanes of several edges do not overlap. */
static struct simd_value blend(struct simd_emit *emit, const struct simd_edges *edges,
                               LLVMValueRef phi, size_t index)
{
    struct simd_value result = {0};
    for (size_t i = 0; i < edges->count; i++) {
        const struct simd_edge_name *name = &edges->items[i];
        const struct simd_edge *edge = simd_edge_at(emit, name->node, name->which);
        if (!edge->is_set) {
            continue;
        }
        struct simd_value value = simd_edge_value(emit, name, phi, index);
        result = !result.is_set
                     ? value
                     : simd_select(emit, edge->mask, &value, &result, simd_shape_at(emit, phi));
    }
    return result.is_set ? result : simd_poison(emit, LLVMTypeOf(phi), simd_shape_at(emit, phi));
}

struct simd_value *simd_blend_all(struct simd_emit *emit, unsigned node,
                                  const struct simd_edges *edges)
{
    struct simd_value *values =
        arena_alloc((simd_count_phis(emit->kernel, node) + 1) * sizeof *values);
    size_t index = 0;
    for (LLVMValueRef phi = simd_first_phi(emit->kernel, node); phi != NULL;
         phi = simd_next_phi(phi)) {
        values[index] = blend(emit, edges, phi, index);
        index++;
    }
    return values;
}

/* Without phis in the target there is nothing to settle. */
void simd_settle(struct simd_emit *emit, const struct simd_edges *edges)
{
    for (size_t i = 0; i < edges->count; i++) {
        const struct simd_edge_name *name = &edges->items[i];
        struct simd_edge *edge = simd_edge_at(emit, name->node, name->which);
        size_t count = simd_count_phis(emit->kernel, name->to), index = 0;
        if (!edge->is_set || count == 0) {
            continue;
        }
        struct simd_value *phis = arena_alloc(count * sizeof *phis);
        for (LLVMValueRef phi = simd_first_phi(emit->kernel, name->to); phi != NULL;
             phi = simd_next_phi(phi)) {
            phis[index] = simd_edge_value(emit, name, phi, index);
            index++;
        }
        edge->phis = phis;
    }
}

struct simd_value *simd_join_values(struct simd_emit *emit, unsigned node,
                                    const struct simd_incoming *first,
                                    const struct simd_incoming *second)
{
    const struct simd_incoming *sides[] = {first, second};
    struct simd_value *result =
        arena_alloc((simd_count_phis(emit->kernel, node) + 1) * sizeof *result);
    size_t index = 0;
    for (LLVMValueRef phi = simd_first_phi(emit->kernel, node); phi != NULL;
         phi = simd_next_phi(phi), index++) {
        const struct simd_shape *shape = simd_shape_at(emit, phi);
        struct simd_value poison = simd_poison(emit, LLVMTypeOf(phi), shape);
        if (!first->values[index].is_set) {
            continue;
        }
        result[index] = simd_phi(emit, LLVMTypeOf(phi), shape);
        for (unsigned i = 0; i < 2; i++) {
            const struct simd_value *values = sides[i]->values;
            simd_add_incoming(emit, &result[index], values == NULL ? &poison : &values[index],
                              sides[i]->from);
        }
    }
    return result;
}

/* Where the code did not run, no lane took the edge. */
static void join_mask(struct simd_emit *emit, struct simd_edge *edge, LLVMBasicBlockRef from,
                      LLVMBasicBlockRef other)
{
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef phi = LLVMBuildPhi(emit->builder, emit->types.mask, "mask");
        LLVMValueRef values[] = {edge->mask[u], emit->none};
        LLVMBasicBlockRef blocks[] = {from, other};
        LLVMAddIncoming(phi, values, blocks, 2);
        edge->mask[u] = phi;
    }
}

void simd_join(struct simd_emit *emit, const struct simd_edges *edges, LLVMBasicBlockRef from,
               LLVMBasicBlockRef other)
{
    for (size_t i = 0; i < edges->count; i++) {
        const struct simd_edge_name *name = &edges->items[i];
        struct simd_edge *edge = simd_edge_at(emit, name->node, name->which);
        if (!edge->is_set) {
            continue;
        }
        join_mask(emit, edge, from, other);
        if (edge->phis != NULL) {
            struct simd_incoming ran = {edge->phis, from}, skipped = {NULL, other};
            edge->phis = simd_join_values(emit, name->to, &ran, &skipped);
        }
    }
}

/* ---- masks ---- */

void simd_or_masks(struct simd_emit *emit, const struct simd_edges *edges, LLVMValueRef *mask)
{
    bool any = false;
    for (size_t i = 0; i < edges->count; i++) {
        const struct simd_edge *edge =
            simd_edge_at(emit, edges->items[i].node, edges->items[i].which);
        for (unsigned u = 0; edge->is_set && u < emit->vectors; u++) {
            mask[u] = any ? LLVMBuildOr(emit->builder, mask[u], edge->mask[u], "") : edge->mask[u];
        }
        any |= edge->is_set;
    }
    for (unsigned u = 0; !any && u < emit->vectors; u++) {
        mask[u] = emit->none;
    }
}

/* If the node is reached by all lanes of a dominator, it takes the dominator's mask. That keeps
 * the mask of straight code after an if constant. */
void simd_find_mask(struct simd_emit *emit, unsigned node, int level,
                    const struct simd_edges *edges)
{
    const struct simd_graph *graph = emit->scope.version->graph;
    if (emit->scope.has_mask[node]) {
        return;
    }
    emit->scope.has_mask[node] = true;
    for (int by = graph->idom[node]; by >= 0; by = graph->idom[by]) {
        if (simd_loop_of(graph, by) == level && emit->scope.has_mask[by] &&
            simd_graph_always_reaches(graph, (unsigned)by, node, level)) {
            memcpy(emit->scope.masks[node], emit->scope.masks[by], sizeof emit->scope.masks[node]);
            return;
        }
    }
    simd_or_masks(emit, edges, emit->scope.masks[node]);
}

/* A full mask is NULL in emit->mask, so that accesses need not compare. */
void simd_use_mask(struct simd_emit *emit, LLVMValueRef *mask)
{
    emit->mask = mask == NULL || simd_is_full(emit, mask) ? NULL : mask;
}

void simd_set_phis(struct simd_emit *emit, unsigned node, struct simd_value *values)
{
    size_t index = 0;
    simd_use_mask(emit, emit->scope.masks[node]);
    for (LLVMValueRef phi = simd_first_phi(emit->kernel, node); phi != NULL;
         phi = simd_next_phi(phi)) {
        simd_set(emit, phi, values[index++]);
    }
}

/* ---- code that is skipped ---- */

struct simd_skip simd_begin_skip(struct simd_emit *emit, const LLVMValueRef *mask)
{
    struct simd_skip skip = {.join = simd_new(emit, "skip")};
    LLVMBasicBlockRef on = simd_new(emit, "on");
    LLVMValueRef any = simd_any(emit, mask);
    skip.before = simd_here(emit);
    LLVMBuildCondBr(emit->builder, any, on, skip.join);
    simd_at(emit, on);
    return skip;
}

void simd_end_skip(struct simd_emit *emit, const struct simd_skip *skip,
                   const struct simd_edges *exits)
{
    simd_settle(emit, exits);
    LLVMBasicBlockRef from = simd_here(emit);
    LLVMBuildBr(emit->builder, skip->join);
    simd_at(emit, skip->join);
    simd_join(emit, exits, from, skip->before);
}
