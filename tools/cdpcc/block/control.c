/* Control flow of a region, for all lanes at once.
 *
 * Nodes are emitted in topological order; each has the mask of the lanes that are
 * there, each edge the mask of those that take it, and phis blend by the masks of the
 * edges.  That alone is right for every reducible graph.  On top of it:
 *
 * - A node that all lanes of its dominator come to has its dominator's mask.
 * - A branch on a uniform condition is a branch: the nodes that one side dominates are
 *   emitted there.
 * - A loop that all lanes leave at once is a plain loop; in any other the active lanes
 *   are a phi, and what leaves by each exit is collected until none is left.
 * - What no lane would run is jumped over.  This must be so for loops, whose end may
 *   hang on values that no lane computes.
 *
 * Where emitted control flow joins again, the edges that leave the joined parts get
 * phis of their masks and of what they bring to the phis of their targets. */
#include "block/block.h"

#include "arena.h"

#include <string.h>

enum { COST_TO_SKIP = 12 };

static struct block_edge *edge_at(struct block_emit *emit, unsigned node, unsigned which)
{
    return &emit->edges[node * BLOCK_NEXT + which];
}

static void set_edge(struct block_emit *emit, unsigned node, unsigned which,
                     const LLVMValueRef *mask)
{
    struct block_edge *edge = edge_at(emit, node, which);
    edge->is_set = true;
    edge->phis = NULL;
    for (unsigned u = 0; u < emit->vectors; u++) {
        edge->mask[u] = mask[u];
    }
}

/* ---- lists of edges ---- */

struct edges {
    struct edge_name {
        unsigned node, which, to;
    } *items;
    size_t count;
};

static void push_edge(struct edges *edges, unsigned node, unsigned which, unsigned to)
{
    struct edge_name name = {.node = node, .which = which, .to = to};
    LOWER_PUSH(edges->items, edges->count, name);
}

/* From inside the set to outside of it. */
static struct edges edges_leaving(const struct block_emit *emit, const bool *set)
{
    struct edges found = {0};
    for (size_t i = 0; i < emit->graph->count; i++) {
        unsigned next[BLOCK_NEXT], which[BLOCK_NEXT], at = emit->graph->order[i];
        unsigned count = set[at] ? block_graph_next(emit->graph, at, next, which) : 0;
        for (unsigned j = 0; j < count; j++) {
            if (!set[next[j]]) {
                push_edge(&found, at, which[j], next[j]);
            }
        }
    }
    return found;
}

/* Into the node, from inside or from outside of a set. */
static struct edges edges_into(const struct block_emit *emit, unsigned node, const bool *set,
                               bool from_inside)
{
    struct edges found = {0};
    for (size_t i = 0; i < emit->graph->count; i++) {
        unsigned next[BLOCK_NEXT], which[BLOCK_NEXT], at = emit->graph->order[i];
        unsigned count = block_graph_next(emit->graph, at, next, which);
        for (unsigned j = 0; j < count; j++) {
            bool counts = set == NULL || set[at] == from_inside;
            if (next[j] == node && counts) {
                push_edge(&found, at, which[j], node);
            }
        }
    }
    return found;
}

/* ---- phis ---- */

static LLVMValueRef first_phi(const struct block_emit *emit, unsigned node)
{
    LLVMValueRef first = emit->kernel->nodes[node].first;
    return first != NULL && LLVMIsAPHINode(first) != NULL ? first : NULL;
}

static LLVMValueRef next_phi(LLVMValueRef phi)
{
    LLVMValueRef next = LLVMGetNextInstruction(phi);
    return LLVMIsAPHINode(next) != NULL ? next : NULL;
}

static size_t count_phis(const struct block_emit *emit, unsigned node)
{
    size_t count = 0;
    for (LLVMValueRef phi = first_phi(emit, node); phi != NULL; phi = next_phi(phi)) {
        count++;
    }
    return count;
}

static struct block_shape shape_of(const struct block_emit *emit, LLVMValueRef value)
{
    struct block_shape shape = emit->kernel->shapes[block_number(emit->kernel, value)];
    if (shape.kind == SHAPE_UNKNOWN) {
        shape.kind = SHAPE_VARYING;
    }
    return shape;
}

/* What the edge brings for the index-th phi of its target, in the phi's shape. */
static struct block_value brought(struct block_emit *emit, const struct edge_name *name,
                                  LLVMValueRef phi, size_t index)
{
    const struct block_edge *edge = edge_at(emit, name->node, name->which);
    if (edge->phis != NULL && edge->phis[index].is_set) {
        return edge->phis[index];
    }
    struct block_value value = block_get(emit, block_phi_value(emit->kernel, phi, name->node));
    return block_to_shape(emit, &value, shape_of(emit, phi));
}

static struct block_value blend(struct block_emit *emit, const struct edges *edges,
                                LLVMValueRef phi, size_t index)
{
    struct block_value made = {0};
    for (size_t i = 0; i < edges->count; i++) {
        const struct edge_name *name = &edges->items[i];
        const struct block_edge *edge = edge_at(emit, name->node, name->which);
        if (!edge->is_set) {
            continue;
        }
        struct block_value value = brought(emit, name, phi, index);
        made = !made.is_set ? value
                            : block_select(emit, edge->mask, &value, &made, shape_of(emit, phi));
    }
    return made.is_set ? made : block_poison(emit, LLVMTypeOf(phi), shape_of(emit, phi));
}

/* Fixes what the set edges bring, here. */
static void settle(struct block_emit *emit, const struct edges *edges)
{
    for (size_t i = 0; i < edges->count; i++) {
        const struct edge_name *name = &edges->items[i];
        struct block_edge *edge = edge_at(emit, name->node, name->which);
        size_t count = count_phis(emit, name->to), index = 0;
        if (!edge->is_set || count == 0) {
            continue;
        }
        struct block_value *phis = arena_alloc(count * sizeof *phis);
        for (LLVMValueRef phi = first_phi(emit, name->to); phi != NULL; phi = next_phi(phi)) {
            phis[index] = brought(emit, name, phi, index);
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

/* Settled edges that were taken only if control came from one of two blocks. */
static void join(struct block_emit *emit, const struct edges *edges, LLVMBasicBlockRef from,
                 LLVMBasicBlockRef other)
{
    for (size_t i = 0; i < edges->count; i++) {
        const struct edge_name *name = &edges->items[i];
        struct block_edge *edge = edge_at(emit, name->node, name->which);
        if (!edge->is_set) {
            continue;
        }
        join_mask(emit, edge, from, other);
        size_t index = 0;
        for (LLVMValueRef phi = first_phi(emit, name->to); phi != NULL; phi = next_phi(phi)) {
            struct block_shape shape = shape_of(emit, phi);
            struct block_value none = block_poison(emit, LLVMTypeOf(phi), shape);
            struct block_value made = block_phi(emit, LLVMTypeOf(phi), shape);
            block_add_incoming(emit, &made, &edge->phis[index], from);
            block_add_incoming(emit, &made, &none, other);
            edge->phis[index++] = made;
        }
    }
}

/* ---- parts that are jumped over ---- */

struct part {
    LLVMBasicBlockRef before, join;
};

static struct part begin_part(struct block_emit *emit, const LLVMValueRef *mask)
{
    struct part part = {.join = block_new(emit, "skip")};
    LLVMBasicBlockRef on = block_new(emit, "on");
    LLVMValueRef any = block_any(emit, mask);
    part.before = block_here(emit);
    LLVMBuildCondBr(emit->builder, any, on, part.join);
    block_at(emit, on);
    return part;
}

static void end_part(struct block_emit *emit, const struct part *part, const struct edges *leaving)
{
    settle(emit, leaving);
    LLVMBasicBlockRef from = block_here(emit);
    LLVMBuildBr(emit->builder, part->join);
    block_at(emit, part->join);
    join(emit, leaving, from, part->before);
}

/* ---- branches ---- */

/* What only the edge leads to: the nodes its target dominates; NULL if others lead there
 * too, or if it is not this level's to emit. */
static bool *side_of(const struct block_emit *emit, const bool *set, unsigned to)
{
    const struct block_graph *graph = emit->graph;
    if (!set[to] || emit->is_done[to] || edges_into(emit, to, NULL, false).count != 1) {
        return NULL;
    }
    bool *side = arena_alloc(emit->kernel->node_count * sizeof *side);
    for (size_t i = 0; i < graph->count; i++) {
        unsigned at = graph->order[i];
        side[at] = set[at] && block_dominates(graph, to, at);
    }
    return side;
}

struct side {
    unsigned node, which, to;
    bool *set; /* may be NULL */
    struct edges leaving;
    LLVMBasicBlockRef end;
};

static struct side make_side(struct block_emit *emit, const bool *set, unsigned node,
                             unsigned which)
{
    unsigned to = emit->kernel->nodes[node].next[which];
    struct side side = {.node = node, .which = which, .to = to, .set = side_of(emit, set, to)};
    if (side.set != NULL) {
        side.leaving = edges_leaving(emit, side.set);
    } else {
        push_edge(&side.leaving, node, which, to);
    }
    return side;
}

static void emit_side(struct block_emit *emit, struct side *side, const LLVMValueRef *mask,
                      int level)
{
    set_edge(emit, side->node, side->which, mask);
    if (side->set != NULL) {
        block_nodes(emit, side->set, level);
    }
    settle(emit, &side->leaving);
    side->end = block_here(emit);
}

/* All lanes come to one node again: its phis become real ones. */
static bool meets_at_once(const struct block_emit *emit, const struct side *sides, unsigned node)
{
    const struct block_graph *graph = emit->graph;
    int meeting = graph->ipdom[node];
    for (unsigned i = 0; i < 2; i++) {
        for (size_t j = 0; j < sides[i].leaving.count; j++) {
            if (meeting < 0 || sides[i].leaving.items[j].to != (unsigned)meeting) {
                return false;
            }
        }
    }
    return meeting >= 0 && (sides[0].leaving.count != 0 || sides[1].leaving.count != 0);
}

/* One edge stands for all of the two sides; the others carry no lane any more. */
static void join_meeting(struct block_emit *emit, struct side *sides, struct block_value *values[2],
                         const LLVMValueRef *mask)
{
    const struct side *first = sides[0].leaving.count != 0 ? &sides[0] : &sides[1];
    struct edge_name name = first->leaving.items[0];
    for (unsigned i = 0; i < 2; i++) {
        for (size_t j = 0; j < sides[i].leaving.count; j++) {
            const struct edge_name *other = &sides[i].leaving.items[j];
            edge_at(emit, other->node, other->which)->is_set = false;
        }
    }
    set_edge(emit, name.node, name.which, mask);
    size_t count = count_phis(emit, name.to), index = 0;
    struct block_value *phis = arena_alloc((count + 1) * sizeof *phis);
    for (LLVMValueRef phi = first_phi(emit, name.to); phi != NULL; phi = next_phi(phi)) {
        phis[index] = block_phi(emit, LLVMTypeOf(phi), shape_of(emit, phi));
        for (unsigned i = 0; i < 2; i++) {
            block_add_incoming(emit, &phis[index], &values[i][index], sides[i].end);
        }
        index++;
    }
    edge_at(emit, name.node, name.which)->phis = phis;
}

static struct block_value *blend_side(struct block_emit *emit, const struct side *side,
                                      unsigned meeting)
{
    struct block_value *values = arena_alloc((count_phis(emit, meeting) + 1) * sizeof *values);
    size_t index = 0;
    for (LLVMValueRef phi = first_phi(emit, meeting); phi != NULL; phi = next_phi(phi)) {
        values[index] = blend(emit, &side->leaving, phi, index);
        index++;
    }
    return values;
}

static void branch_uniform(struct block_emit *emit, unsigned node, const bool *set, int level)
{
    const struct block_node *at = &emit->kernel->nodes[node];
    LLVMValueRef *mask = emit->masks[node];
    struct block_value condition = block_get(emit, at->condition);
    LLVMValueRef taken = condition.scalar[0];
    if (at->match != NULL) {
        taken = LLVMBuildICmp(emit->builder, LLVMIntEQ, taken, at->match, "");
    }
    if (!block_is_full(emit, mask)) {
        taken = LLVMBuildFreeze(emit->builder, taken, "");
    }
    struct side sides[2];
    LLVMBasicBlockRef starts[] = {block_new(emit, "then"), block_new(emit, "else")};
    LLVMBasicBlockRef end = block_new(emit, "endif");
    struct block_value *values[2] = {NULL, NULL};
    LLVMBuildCondBr(emit->builder, taken, starts[0], starts[1]);
    for (unsigned i = 0; i < 2; i++) {
        sides[i] = make_side(emit, set, node, i);
    }
    bool meets = meets_at_once(emit, sides, node);
    for (unsigned i = 0; i < 2; i++) {
        block_at(emit, starts[i]);
        emit_side(emit, &sides[i], mask, level);
        if (meets) {
            values[i] = blend_side(emit, &sides[i], (unsigned)emit->graph->ipdom[node]);
            sides[i].end = block_here(emit);
        }
        LLVMBuildBr(emit->builder, end);
    }
    block_at(emit, end);
    if (meets) {
        join_meeting(emit, sides, values, mask);
        return;
    }
    join(emit, &sides[0].leaving, sides[0].end, sides[1].end);
    join(emit, &sides[1].leaving, sides[1].end, sides[0].end);
}

static bool is_worth_a_jump(const struct block_emit *emit, const bool *side)
{
    unsigned cost = 0;
    for (unsigned i = 0; i < emit->kernel->node_count; i++) {
        const struct block_node *at = &emit->kernel->nodes[i];
        if (!side[i]) {
            continue;
        }
        if (emit->graph->loop_of[i] >= 0 &&
            emit->graph->loops[emit->graph->loop_of[i]].header == i) {
            return true;
        }
        for (LLVMValueRef j = at->first; j != NULL && j != at->last;
             j = LLVMGetNextInstruction(j)) {
            bool is_long = LLVMIsACallInst(j) != NULL || LLVMIsAAtomicRMWInst(j) != NULL;
            cost += is_long ? 8 : 1;
        }
    }
    return cost > COST_TO_SKIP;
}

static void branch_divergent(struct block_emit *emit, unsigned node, const bool *set, int level)
{
    const struct block_node *at = &emit->kernel->nodes[node];
    const LLVMValueRef *mask = emit->masks[node];
    struct block_value condition = block_get(emit, at->condition);
    LLVMValueRef masks[2][BLOCK_MOST_VECTORS];
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef taken = block_vector(emit, &condition, u);
        if (at->match != NULL) {
            LLVMValueRef match = block_splat_constant(emit, at->match);
            taken = LLVMBuildICmp(emit->builder, LLVMIntEQ, taken, match, "");
        }
        masks[0][u] = block_and(emit, mask[u], taken);
        masks[1][u] = block_and(emit, mask[u], LLVMBuildNot(emit->builder, taken, ""));
    }
    set_edge(emit, node, 0, masks[0]);
    set_edge(emit, node, 1, masks[1]);
    for (unsigned i = 0; i < 2; i++) {
        struct side side = make_side(emit, set, node, i);
        if (side.set != NULL && is_worth_a_jump(emit, side.set)) {
            struct part part = begin_part(emit, masks[i]);
            block_nodes(emit, side.set, level);
            end_part(emit, &part, &side.leaving);
        }
    }
}

/* An edge that this version of the region does not have: with any lane on it, the chunk
 * starts again in the version that has all. */
static void branch_cut(struct block_emit *emit, unsigned node, unsigned kept)
{
    const struct block_node *at = &emit->kernel->nodes[node];
    struct block_value condition = block_get(emit, at->condition);
    LLVMValueRef takes[BLOCK_MOST_VECTORS];
    if (!block_is_full(emit, emit->masks[node])) {
        block_fail(emit, at->last, "cdpcc took a branch in it for one that all threads reach");
        return;
    }
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef taken = block_vector(emit, &condition, u);
        if (at->match != NULL) {
            LLVMValueRef match = block_splat_constant(emit, at->match);
            taken = LLVMBuildICmp(emit->builder, LLVMIntEQ, taken, match, "");
        }
        takes[u] = kept == 0 ? taken : LLVMBuildNot(emit->builder, taken, "");
    }
    LLVMBasicBlockRef go = block_new(emit, "all");
    LLVMBuildCondBr(emit->builder, block_all(emit, takes), go, emit->bail);
    block_at(emit, go);
    set_edge(emit, node, kept, emit->masks[node]);
}

/* ---- the ends of regions ---- */

static void note_next(struct block_emit *emit, const LLVMValueRef *mask, int region)
{
    LLVMTypeRef i32 = emit->lower->i32;
    LLVMValueRef value = block_int(i32, region);
    if (!block_is_full(emit, mask)) {
        LLVMValueRef old = LLVMBuildLoad2(emit->builder, i32, emit->next_region, "");
        value = LLVMBuildSelect(emit->builder, block_any(emit, mask), value, old, "");
    }
    LLVMBuildStore(emit->builder, value, emit->next_region);
}

/* These lanes wait. */
static void end_at_barrier(struct block_emit *emit, unsigned node)
{
    const LLVMValueRef *mask = emit->masks[node];
    note_next(emit, mask, emit->region_of[emit->kernel->nodes[node].next[0]]);
    for (unsigned u = 0; emit->alive != NULL && u < emit->vectors; u++) {
        LLVMValueRef index = LLVMBuildUDiv(emit->builder, emit->first64[u],
                                           block_int(emit->lower->i64, emit->lanes), "");
        LLVMTypeRef i16 = LLVMInt16TypeInContext(emit->lower->llvm);
        LLVMValueRef at = LLVMBuildInBoundsGEP2(emit->builder, i16, emit->alive, &index, 1, "");
        LLVMValueRef bits = LLVMBuildZExt(emit->builder, block_bits(emit, mask[u]), i16, "");
        LLVMValueRef old = LLVMBuildLoad2(emit->builder, i16, at, "");
        LLVMBuildStore(emit->builder, LLVMBuildOr(emit->builder, old, bits, ""), at);
    }
}

static void end_node(struct block_emit *emit, unsigned node, const bool *set, int level)
{
    unsigned next[BLOCK_NEXT], which[BLOCK_NEXT];
    const struct block_node *at = &emit->kernel->nodes[node];
    if (at->last != NULL) {
        block_place(emit, at->last);
    }
    if (at->end == END_BARRIER) {
        end_at_barrier(emit, node);
    }
    unsigned count = block_graph_next(emit->graph, node, next, which);
    if (count == 0) {
        return;
    }
    if (at->end == END_BRANCH) {
        set_edge(emit, node, 0, emit->masks[node]);
        return;
    }
    if (count == 1) {
        branch_cut(emit, node, which[0]);
        return;
    }
    struct block_value condition = block_get(emit, at->condition);
    if (condition.shape.kind <= SHAPE_UNIFORM) {
        branch_uniform(emit, node, set, level);
    } else {
        branch_divergent(emit, node, set, level);
    }
}

/* ---- nodes ---- */

static void or_masks(struct block_emit *emit, const struct edges *edges, LLVMValueRef *mask)
{
    bool any = false;
    for (size_t i = 0; i < edges->count; i++) {
        const struct block_edge *edge = edge_at(emit, edges->items[i].node, edges->items[i].which);
        for (unsigned u = 0; edge->is_set && u < emit->vectors; u++) {
            mask[u] = any ? LLVMBuildOr(emit->builder, mask[u], edge->mask[u], "") : edge->mask[u];
        }
        any |= edge->is_set;
    }
    for (unsigned u = 0; !any && u < emit->vectors; u++) {
        mask[u] = emit->none;
    }
}

/* The level is the loop around the node's own, if the node is a header. */
static void find_mask(struct block_emit *emit, unsigned node, int level, const struct edges *edges)
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
    or_masks(emit, edges, emit->masks[node]);
}

static void use_mask(struct block_emit *emit, LLVMValueRef *mask)
{
    emit->mask = mask == NULL || block_is_full(emit, mask) ? NULL : mask;
}

static void emit_body(struct block_emit *emit, unsigned node)
{
    const struct block_node *at = &emit->kernel->nodes[node];
    for (LLVMValueRef i = at->first; i != NULL && i != at->last; i = LLVMGetNextInstruction(i)) {
        if (emit->failure != NULL) {
            return;
        }
        if (LLVMIsAPHINode(i) == NULL) {
            use_mask(emit, emit->masks[node]);
            block_instruction(emit, i);
        }
    }
}

static void set_phis(struct block_emit *emit, unsigned node, struct block_value *values)
{
    size_t index = 0;
    use_mask(emit, emit->masks[node]);
    for (LLVMValueRef phi = first_phi(emit, node); phi != NULL; phi = next_phi(phi)) {
        block_set(emit, phi, values[index++]);
    }
}

static struct block_value *blend_all(struct block_emit *emit, unsigned node,
                                     const struct edges *edges)
{
    struct block_value *values = arena_alloc((count_phis(emit, node) + 1) * sizeof *values);
    size_t index = 0;
    for (LLVMValueRef phi = first_phi(emit, node); phi != NULL; phi = next_phi(phi)) {
        values[index] = blend(emit, edges, phi, index);
        index++;
    }
    return values;
}

static void emit_node(struct block_emit *emit, unsigned node, const bool *set, int level)
{
    bool is_header = level >= 0 && emit->graph->loops[level].header == node;
    emit->is_done[node] = true;
    if (!is_header) {
        struct edges edges = edges_into(emit, node, NULL, false);
        find_mask(emit, node, level, &edges);
        set_phis(emit, node, blend_all(emit, node, &edges));
    }
    emit_body(emit, node);
    if ((int)node != emit->stop && emit->failure == NULL) {
        end_node(emit, node, set, level);
    }
}

/* ---- loops ---- */

struct loop {
    int number;
    const struct block_loop *graph;
    struct edges entering, back, exits;
    LLVMBasicBlockRef before, head, after;
    struct block_value *phis; /* of the header */
    int exiting;              /* the node all lanes leave at once from, or -1 */
    /* a loop that lanes leave at different times */
    struct block_value active;
    struct tracked {
        struct block_value left;    /* lanes that took the exit so far */
        struct block_value *values; /* what they brought; unset: no need */
    } *tracked;                     /* by exit */
};

static struct block_shape varying_shape(void)
{
    return (struct block_shape){.kind = SHAPE_VARYING};
}

/* The one exit that all lanes take together, after each has been there in every turn. */
static int find_exiting(struct block_emit *emit, const struct loop *loop)
{
    const struct block_graph *graph = emit->graph;
    if (loop->exits.count != 1) {
        return -1;
    }
    unsigned node = loop->exits.items[0].node;
    const struct block_node *at = &emit->kernel->nodes[node];
    if (graph->loop_of[node] != loop->number || (graph->cut != NULL && graph->cut[node] >= 0) ||
        block_shape_of(emit->kernel, at->condition).kind > SHAPE_UNIFORM) {
        return -1;
    }
    for (size_t i = 0; i < loop->back.count; i++) {
        if (!block_dominates(graph, node, loop->back.items[i].node)) {
            return -1;
        }
    }
    return (int)node;
}

static struct block_value mask_value(struct block_emit *emit, const LLVMValueRef *mask)
{
    struct block_value made = {.shape = varying_shape(), .is_set = true};
    for (unsigned u = 0; u < emit->vectors; u++) {
        made.vector[u] = mask[u];
    }
    return made;
}

static struct block_value mask_phi(struct block_emit *emit, const LLVMValueRef *first,
                                   LLVMBasicBlockRef from)
{
    struct block_value made = block_phi(emit, emit->lower->i1, varying_shape());
    struct block_value value = mask_value(emit, first);
    block_add_incoming(emit, &made, &value, from);
    return made;
}

static void start_phis(struct block_emit *emit, struct loop *loop, struct block_value *first)
{
    unsigned header = loop->graph->header;
    size_t count = count_phis(emit, header), index = 0;
    loop->phis = arena_alloc((count + 1) * sizeof *loop->phis);
    for (LLVMValueRef phi = first_phi(emit, header); phi != NULL; phi = next_phi(phi)) {
        loop->phis[index] = block_phi(emit, LLVMTypeOf(phi), shape_of(emit, phi));
        block_add_incoming(emit, &loop->phis[index], &first[index], loop->before);
        index++;
    }
}

static void finish_phis(struct block_emit *emit, struct loop *loop, struct block_value *next,
                        LLVMBasicBlockRef from)
{
    size_t count = count_phis(emit, loop->graph->header);
    for (size_t i = 0; i < count; i++) {
        block_add_incoming(emit, &loop->phis[i], &next[i], from);
    }
}

/* The loop at this level that holds the node. */
static int loop_below(const struct block_graph *graph, unsigned node, int level)
{
    int loop = graph->loop_of[node];
    while (loop >= 0 && graph->loops[loop].parent != level) {
        loop = graph->loops[loop].parent;
    }
    return loop;
}

/* The loop's nodes up to the one all leave from, or those after it; inner loops whole. */
static bool *nodes_up_to(const struct block_emit *emit, const struct loop *loop, bool after)
{
    const struct block_graph *graph = emit->graph;
    bool *set = arena_alloc(emit->kernel->node_count * sizeof *set);
    int limit = graph->position[loop->exiting];
    for (size_t i = 0; i < graph->count; i++) {
        unsigned at = graph->order[i];
        int inner = loop->graph->inside[at] ? loop_below(graph, at, loop->number) : -1;
        unsigned first = inner >= 0 ? graph->loops[inner].header : at;
        bool before = graph->position[first] <= limit;
        set[at] = loop->graph->inside[at] && before != after;
    }
    return set;
}

static void emit_uniform_loop(struct block_emit *emit, struct loop *loop)
{
    unsigned exiting = (unsigned)loop->exiting, out = loop->exits.items[0].which;
    const struct block_node *at = &emit->kernel->nodes[exiting];
    LLVMValueRef *mask = emit->masks[loop->graph->header];
    int stop = emit->stop;
    emit->stop = loop->exiting;
    memcpy(emit->masks[exiting], mask, sizeof emit->masks[exiting]);
    emit->has_mask[exiting] = true;
    block_nodes(emit, nodes_up_to(emit, loop, false), loop->number);
    emit->stop = stop;
    if (emit->failure != NULL) {
        return;
    }
    struct block_value condition = block_get(emit, at->condition);
    LLVMValueRef taken = condition.scalar[0];
    if (at->match != NULL) {
        taken = LLVMBuildICmp(emit->builder, LLVMIntEQ, taken, at->match, "");
    }
    LLVMBasicBlockRef go = block_new(emit, "turn");
    LLVMBuildCondBr(emit->builder, taken, out == 0 ? loop->after : go, out == 0 ? go : loop->after);
    block_at(emit, go);
    set_edge(emit, exiting, out ^ 1, mask);
    block_nodes(emit, nodes_up_to(emit, loop, true), loop->number);
    struct block_value *next = blend_all(emit, loop->graph->header, &loop->back);
    finish_phis(emit, loop, next, block_here(emit));
    LLVMBuildBr(emit->builder, loop->head);
    block_at(emit, loop->after);
    set_edge(emit, exiting, out, mask);
}

/* A value from outside the loop is the same whenever a lane leaves. */
static bool is_from_inside(const struct block_emit *emit, const struct loop *loop,
                           LLVMValueRef value)
{
    int number = block_number(emit->kernel, value);
    int node = number < 0 ? -1 : emit->kernel->node_of[number];
    return node >= 0 && loop->graph->inside[node];
}

static void start_exits(struct block_emit *emit, struct loop *loop)
{
    LLVMValueRef none[BLOCK_MOST_VECTORS];
    for (unsigned u = 0; u < emit->vectors; u++) {
        none[u] = emit->none;
    }
    loop->tracked = arena_alloc((loop->exits.count + 1) * sizeof *loop->tracked);
    for (size_t i = 0; i < loop->exits.count; i++) {
        const struct edge_name *exit = &loop->exits.items[i];
        struct tracked *tracked = &loop->tracked[i];
        size_t index = 0;
        tracked->left = mask_phi(emit, none, loop->before);
        tracked->values = arena_alloc((count_phis(emit, exit->to) + 1) * sizeof *tracked->values);
        for (LLVMValueRef phi = first_phi(emit, exit->to); phi != NULL; phi = next_phi(phi)) {
            LLVMValueRef value = block_phi_value(emit->kernel, phi, exit->node);
            if (is_from_inside(emit, loop, value)) {
                struct block_shape shape = shape_of(emit, phi);
                struct block_value poison = block_poison(emit, LLVMTypeOf(phi), shape);
                tracked->values[index] = block_phi(emit, LLVMTypeOf(phi), shape);
                block_add_incoming(emit, &tracked->values[index], &poison, loop->before);
            }
            index++;
        }
    }
}

/* One exit at the end of a turn: who left by it, with what. */
struct turn {
    struct block_value left;
    struct block_value *values;
};

static struct turn track_exit(struct block_emit *emit, const struct edge_name *exit,
                              const struct tracked *tracked)
{
    struct block_edge *edge = edge_at(emit, exit->node, exit->which);
    struct turn turn = {.left = tracked->left};
    size_t index = 0;
    turn.values = arena_alloc((count_phis(emit, exit->to) + 1) * sizeof *turn.values);
    for (unsigned u = 0; edge->is_set && u < emit->vectors; u++) {
        turn.left.vector[u] =
            LLVMBuildOr(emit->builder, tracked->left.vector[u], edge->mask[u], "");
    }
    for (LLVMValueRef phi = first_phi(emit, exit->to); phi != NULL; phi = next_phi(phi)) {
        const struct block_value *old = &tracked->values[index];
        turn.values[index] = *old;
        if (old->is_set && edge->is_set) {
            struct block_value now = brought(emit, exit, phi, index);
            turn.values[index] = block_select(emit, edge->mask, &now, old, shape_of(emit, phi));
        }
        index++;
    }
    return turn;
}

static void close_exit(struct block_emit *emit, const struct edge_name *exit,
                       struct tracked *tracked, const struct turn *turn, LLVMBasicBlockRef from)
{
    size_t count = count_phis(emit, exit->to);
    block_add_incoming(emit, &tracked->left, &turn->left, from);
    for (size_t i = 0; i < count; i++) {
        if (tracked->values[i].is_set) {
            block_add_incoming(emit, &tracked->values[i], &turn->values[i], from);
        }
    }
    set_edge(emit, exit->node, exit->which, turn->left.vector);
    edge_at(emit, exit->node, exit->which)->phis = turn->values;
}

static void emit_divergent_loop(struct block_emit *emit, struct loop *loop)
{
    unsigned header = loop->graph->header;
    block_nodes(emit, loop->graph->inside, loop->number);
    if (emit->failure != NULL) {
        return;
    }
    LLVMValueRef stay[BLOCK_MOST_VECTORS];
    or_masks(emit, &loop->back, stay);
    struct block_value *next = blend_all(emit, header, &loop->back);
    struct turn *turns = arena_alloc((loop->exits.count + 1) * sizeof *turns);
    for (size_t i = 0; i < loop->exits.count; i++) {
        turns[i] = track_exit(emit, &loop->exits.items[i], &loop->tracked[i]);
    }
    LLVMValueRef again = block_any(emit, stay);
    LLVMBasicBlockRef end = block_here(emit);
    struct block_value active = mask_value(emit, stay);
    finish_phis(emit, loop, next, end);
    block_add_incoming(emit, &loop->active, &active, end);
    LLVMBuildCondBr(emit->builder, again, loop->head, loop->after);
    block_at(emit, loop->after);
    for (size_t i = 0; i < loop->exits.count; i++) {
        close_exit(emit, &loop->exits.items[i], &loop->tracked[i], &turns[i], end);
    }
}

static void emit_turns(struct block_emit *emit, struct loop *loop, LLVMValueRef *mask)
{
    unsigned header = loop->graph->header;
    struct block_value *first = blend_all(emit, header, &loop->entering);
    loop->exiting = find_exiting(emit, loop);
    loop->before = block_here(emit);
    loop->head = block_new(emit, "loop");
    loop->after = block_new(emit, "loop.end");
    LLVMBuildBr(emit->builder, loop->head);
    block_at(emit, loop->head);
    start_phis(emit, loop, first);
    if (loop->exiting < 0) {
        loop->active = mask_phi(emit, mask, loop->before);
        start_exits(emit, loop);
        memcpy(emit->masks[header], loop->active.vector, sizeof emit->masks[header]);
    }
    set_phis(emit, header, loop->phis);
    if (loop->exiting >= 0) {
        emit_uniform_loop(emit, loop);
    } else {
        emit_divergent_loop(emit, loop);
    }
}

/* The masks that hold before and after the loop are not its header's own. */
static void emit_loop(struct block_emit *emit, int number)
{
    struct loop loop = {.number = number, .graph = &emit->graph->loops[number]};
    unsigned header = loop.graph->header;
    const bool *inside = loop.graph->inside;
    loop.entering = edges_into(emit, header, inside, false);
    loop.back = edges_into(emit, header, inside, true);
    loop.exits = edges_leaving(emit, inside);
    find_mask(emit, header, loop.graph->parent, &loop.entering);
    LLVMValueRef mask[BLOCK_MOST_VECTORS];
    memcpy(mask, emit->masks[header], sizeof mask);
    if (block_is_full(emit, mask)) {
        emit_turns(emit, &loop, mask);
        return;
    }
    struct part part = begin_part(emit, mask);
    emit_turns(emit, &loop, mask);
    if (emit->failure == NULL) {
        end_part(emit, &part, &loop.exits);
    }
}

void block_nodes(struct block_emit *emit, const bool *set, int level)
{
    const struct block_graph *graph = emit->graph;
    for (size_t i = 0; i < graph->count && emit->failure == NULL; i++) {
        unsigned node = graph->order[i];
        if (!set[node] || emit->is_done[node]) {
            continue;
        }
        if (graph->loop_of[node] == level) {
            emit_node(emit, node, set, level);
            continue;
        }
        int loop = loop_below(graph, node, level);
        if (loop >= 0 && graph->loops[loop].header == node) {
            emit_loop(emit, loop);
        }
    }
}
