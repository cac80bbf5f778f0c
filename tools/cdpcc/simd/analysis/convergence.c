/* Convergence: which lanes of a warp reach its warp operations together.
 *
 * A chunk is one or more warps.  So when an operation is emitted, its lanes are available if all
 * lanes that its mask names are active there.  In CUDA, threads synchronize by their masks,
 * wherever they are in the code.  Here all lanes of an operation must be at the same instruction,
 * in the same iteration of a loop.
 *
 * So an operation that names the whole warp must not be control-dependent on a divergent branch,
 * except for lanes that have ended.  An operation below a divergent branch must name the lanes that
 * took the branch: by __activemask(), by __ballot_sync() of the branch's condition, by a constant,
 * or by __match_any_sync() of the condition's operands.
 *
 * An example of each case:
 *
 *     __shfl_xor_sync(~0u, x, 1);                     no divergent branch may be around
 *
 *     if (x > 0) n = __popc(__activemask());          the lanes that took the branch
 *
 *     unsigned who = __ballot_sync(~0u, x > 0);       a vote on the branch's condition
 *     if (x > 0) y = __shfl_sync(who, x, 0);
 *
 *     if (threadIdx.x < 16) __syncwarp(0xffff);       a constant that names the first lanes
 *
 *     if (lane / 8 < n) __shfl_sync(0xff << (lane & 24), x, 0);    a branch of whole tiles
 *
 *     unsigned same = __match_any_sync(~0u, x);       groups of lanes: a branch on x, or on what
 *     if (x > 0) y = __shfl_sync(same, y, 0);         is computed from x or same, divides none
 *
 *     y = __shfl_down_sync(mask, y, 1);               no divergent branch: any mask that the warp
 *                                                     shares.  All lanes that are there take part
 *
 * The proof is a data-flow argument over one region's graph. A divergent branch makes partial all
 * nodes up to where the lanes reconverge: only some of the warp's lanes may have reached them.
 * Lanes that will reach no further operation or barrier count as ended, so an early return does no
 * harm.
 *
 * Takes: shapes and a region's graph. Gives: a reason why the region cannot be vectorized, or
 * NULL. */
#include "simd/analysis/convergence.h"

#include "abi/cdp_abi.h"
#include "simd/analysis/thread_number.h"
#include "simd/analysis/uniformity.h"
#include "simd/analysis/warp_shape.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/dominators.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/lanes.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/placement.h"
#include "simd/ir/reconvergence.h"
#include "simd/ir/traits.h"
#include "support/arena.h"
#include "support/str.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

/* Nested operands that are looked at. */
enum { MOST_STEPS = 6 };

/* ---- divergence ---- */

/* Lanes with the same operands get the same result.  Sizes of groups and their first lanes come
 * from counts of bits. */
static bool is_computed(LLVMValueRef value)
{
    if (LLVMIsACallInst(value) != NULL) {
        const char *name = simd_callee_name(value);
        return str_starts(name, "llvm.ctpop.") || str_starts(name, "llvm.cttz.") ||
               str_starts(name, "llvm.ctlz.");
    }
    return LLVMIsABinaryOperator(value) != NULL || LLVMIsACmpInst(value) != NULL ||
           LLVMIsACastInst(value) != NULL || LLVMIsASelectInst(value) != NULL;
}

/* Nodes of a region that only some of a warp's lanes may have reached, not counting lanes that have
 * ended. */
struct divergence {
    bool *partial; /* by node */
};

/* Which lanes of a warp an operation combines. */
struct together {
    LLVMValueRef match; /* those with the same value by this match; NULL: see tile */
    uint64_t tile;      /* so many, from each multiple of this number on */
};
static const struct together whole_warp = {.tile = SIMD_WARP};

/* Those that the operation's mask names. */
static struct together named_together(const struct simd_kernel *kernel, LLVMValueRef call)
{
    enum simd_named named = simd_named_by(kernel, call);
    return named == NAMED_GROUP  ? (struct together){.match = LLVMGetOperand(call, 0)}
           : named == NAMED_TILE ? (struct together){.tile = simd_tile_size(call)}
                                 : whole_warp;
}

/* Lanes that are together have the same value, whatever its operands are.  The lanes of a group are
 * also in one tile or group that the match's own mask names. */
static bool is_one_value(const struct simd_kernel *kernel, LLVMValueRef value,
                         const struct together *together)
{
    struct together at = *together;
    while (at.match != NULL) {
        if (value == at.match || value == LLVMGetOperand(at.match, 1)) {
            return true;
        }
        at = named_together(kernel, at.match);
    }
    uint64_t threads = simd_same_for(kernel, value);
    return simd_is_uniform_in_warp(kernel, value) || (threads != 0 && threads % at.tile == 0);
}

/* Lanes that are together have the same value. */
static bool is_same(const struct simd_kernel *kernel, LLVMValueRef value,
                    const struct together *together, unsigned depth)
{
    if (is_one_value(kernel, value, together)) {
        return true;
    }
    if (depth == 0 || !is_computed(value)) {
        return false;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!is_same(kernel, LLVMGetOperand(value, i), together, depth - 1)) {
            return false;
        }
    }
    return true;
}

/* A condition that is the same for lanes that are together does not separate them. */
static bool separates(const struct simd_kernel *kernel, unsigned node,
                      const struct together *together)
{
    return simd_node(kernel, node)->end == END_CONDITION &&
           !is_same(kernel, simd_node(kernel, node)->condition, together, MOST_STEPS);
}

/* Only nodes of the loop count; -1 means the whole region. */
static void mark_nodes(const struct simd_graph *graph, struct divergence *divergence,
                       const bool *nodes, int loop)
{
    for (unsigned i = 0; i < simd_node_count(simd_kernel_of(graph)); i++) {
        if (nodes[i] && simd_in_loop(graph, loop, i)) {
            divergence->partial[i] = true;
        }
    }
}

/* The lanes meet there, at a barrier or a warp operation. */
static bool needs_convergence(const struct simd_node *at)
{
    bool found = at->end == END_BARRIER;
    for (LLVMValueRef i = at->first; i != NULL && i != at->last; i = LLVMGetNextInstruction(i)) {
        found |= simd_warp_operation_of(i) != WARP_NONE;
    }
    return found;
}

/* What lanes that end on the way to a node may do before. */
enum before_the_end { MEETS_NONE, MEETS_ANY };

static bool meets_others(const struct simd_graph *graph, const bool *nodes)
{
    bool found = false;
    for (unsigned i = 0; i < simd_node_count(simd_kernel_of(graph)) && !found; i++) {
        found = nodes[i] && needs_convergence(simd_node(simd_kernel_of(graph), i));
    }
    return found;
}

/* All paths from the node's outgoing edges lead to stop within the iteration, or never leave it.
 * Lanes that end on the way do not count. */
static bool all_reach(const struct simd_graph *graph, unsigned node, int stop, int loop,
                      enum before_the_end before)
{
    const struct simd_node *at = simd_node(simd_kernel_of(graph), node);
    for (unsigned i = 0; i < at->next_count; i++) {
        struct simd_reach reach = simd_graph_reach_in_iteration(graph, at->next[i], stop, loop);
        bool may_end = before == MEETS_ANY || !reach.ends || !meets_others(graph, reach.nodes);
        if (reach.lasts || reach.iterates || !may_end) {
            return false;
        }
    }
    return true;
}

static bool is_reached(const struct simd_graph *graph, unsigned from, unsigned to, int loop)
{
    return from == to || simd_graph_reach_in_iteration(graph, from, -1, loop).nodes[to];
}

/* The first node that lanes come to on both edges, all but those that end before it; -1: none. */
static int first_common(const struct simd_graph *graph, unsigned node, int loop,
                        enum before_the_end before)
{
    const struct simd_node *at = simd_node(simd_kernel_of(graph), node);
    for (size_t i = (size_t)graph->position[node] + 1; i < graph->count; i++) {
        unsigned to = graph->order[i];
        if (!graph->finished[to] && is_reached(graph, at->next[0], to, loop) &&
            is_reached(graph, at->next[1], to, loop) &&
            all_reach(graph, node, (int)to, loop, before)) {
            return (int)to;
        }
    }
    return -1;
}

/* Finds where the lanes that diverge at the node reconverge, not counting lanes that have finished:
 * a node, SIMD_NEXT_ITERATION or SIMD_NO_RECONVERGENCE.
 * Unlike a postdominator, it need not be reached by lanes that have finished.
 * Lanes on a path around a node may meet others later and then end.  The node where they meet is
 * the better choice: up to there, nodes count as partial. */
static int live_reconvergence(const struct simd_graph *graph, unsigned node, int loop)
{
    const struct simd_node *at = simd_node(simd_kernel_of(graph), node);
    int common = first_common(graph, node, loop, MEETS_NONE);
    common = common < 0 ? first_common(graph, node, loop, MEETS_ANY) : common;
    if (common >= 0) {
        return common;
    }
    for (unsigned i = 0; i < at->next_count; i++) { /* the lanes of the other edge have finished */
        if (!graph->finished[at->next[i]] &&
            all_reach(graph, node, (int)at->next[i], loop, MEETS_ANY)) {
            return (int)at->next[i];
        }
    }
    for (unsigned i = 0; i < at->next_count; i++) {
        if (simd_graph_reach_in_iteration(graph, at->next[i], -1, loop).lasts) {
            return SIMD_NO_RECONVERGENCE;
        }
    }
    return loop >= 0 ? SIMD_NEXT_ITERATION : SIMD_NO_RECONVERGENCE;
}

/* Records what lanes that diverge at the node do within one iteration of the loop.  True if they
 * leave the loop in different iterations.
 * What diverges in an iteration is partial up to the reconvergence. */
static bool diverge_in_iteration(const struct simd_graph *graph, struct divergence *divergence,
                                 unsigned node, int loop)
{
    const struct simd_node *at = simd_node(simd_kernel_of(graph), node);
    int reconvergence = live_reconvergence(graph, node, loop);
    for (unsigned i = 0; i < at->next_count; i++) {
        struct simd_reach reach = simd_graph_reach_in_iteration(
            graph, at->next[i], reconvergence >= 0 ? reconvergence : -1, loop);
        mark_nodes(graph, divergence, reach.nodes, loop);
    }
    return loop >= 0 && (reconvergence == SIMD_NO_RECONVERGENCE ||
                         (reconvergence >= 0 && !graph->loops[loop].inside[reconvergence]));
}

/* Records the divergence at a node, from its innermost loop outwards.  With from >= 0 only lanes
 * count that were at that node together, in the same iteration of all enclosing loops. */
static void diverge(const struct simd_graph *graph, struct divergence *divergence, unsigned node,
                    int from)
{
    int loop = simd_loop_of(graph, node);
    while (diverge_in_iteration(graph, divergence, node, loop)) {
        if (from >= 0 && graph->loops[loop].inside[from]) {
            return;
        }
        mark_nodes(graph, divergence, graph->loops[loop].inside, loop);
        loop = graph->loops[loop].parent;
    }
}

/* Divergence of lanes that are together. With from >= 0: only branches that the node dominates
 * count. */
static struct divergence find_divergence(const struct simd_kernel *kernel,
                                         const struct simd_graph *graph, int from,
                                         const struct together *together)
{
    struct divergence divergence = {.partial = arena_alloc(simd_node_count(kernel) + 1)};
    for (size_t i = 0; i < graph->count; i++) {
        unsigned node = graph->order[i];
        if (separates(kernel, node, together) &&
            (from < 0 || simd_dominates(graph, (unsigned)from, node))) {
            diverge(graph, &divergence, node, from);
        }
    }
    return divergence;
}

/* Lanes that are together and at the first node, and do not end, reach the second one before they
 * reach the first one again: all of them or none.
 * The two points are that where a mask is made, and the operation that uses it. */
static bool converge(const struct simd_kernel *kernel, const struct simd_graph *graph,
                     unsigned first, unsigned second, const struct together *together)
{
    return simd_has_node(graph, first) && simd_dominates(graph, first, second) &&
           simd_in_loop(graph, simd_loop_of(graph, first), second) &&
           !find_divergence(kernel, graph, (int)first, together).partial[second];
}

/* ---- proofs ---- */

/* The proof that the lanes of one operation are together.  Lives as long as that proof. */
struct proof {
    const struct simd_kernel *kernel;
    const struct simd_graph *graph;
    struct divergence all; /* of the region */
    unsigned node;         /* of the operation */
};

/* The target of one outgoing edge, if no other edge leads there and all lanes that take it reach
 * the operation together; else -1.
 * If another edge leads to the target, lanes that did not take this branch may be there. */
static int side_to(const struct proof *proof, unsigned branch, unsigned edge)
{
    unsigned target = simd_node(proof->kernel, branch)->next[edge];
    return simd_edges_to(proof->graph, target) == 1 &&
                   converge(proof->kernel, proof->graph, target, proof->node, &whole_warp)
               ? (int)target
               : -1;
}

static int node_of(const struct proof *proof, LLVMValueRef value)
{
    int node = simd_node_of(proof->kernel, value);
    return simd_has_node(proof->graph, node) ? node : -1;
}

/* A value that is zero exactly where the given one is.
 * Extensions and exact shifts preserve whether a value is zero. */
static LLVMValueRef as_zero(LLVMValueRef value)
{
    for (;;) {
        bool shifts = LLVMIsAInstruction(value) != NULL &&
                      LLVMGetInstructionOpcode(value) == LLVMLShr && LLVMGetExact(value);
        if (!shifts && LLVMIsAZExtInst(value) == NULL && LLVMIsASExtInst(value) == NULL) {
            return value;
        }
        value = LLVMGetOperand(value, 0);
    }
}

/* The outgoing edge that is taken where the predicate of a vote holds; -1: unknown.
 * The front end may write the branch as "predicate != 0", and the optimizer may invert it. */
static int edge_of(const struct simd_node *branch, LLVMValueRef predicate)
{
    LLVMValueRef condition = branch->condition;
    if (branch->end != END_CONDITION || branch->match != NULL) {
        return -1;
    }
    if (as_zero(predicate) == condition) {
        return 0;
    }
    if (LLVMIsAICmpInst(condition) == NULL || !LLVMIsNull(LLVMGetOperand(condition, 1)) ||
        as_zero(LLVMGetOperand(condition, 0)) != as_zero(predicate)) {
        return -1;
    }
    LLVMIntPredicate how = LLVMGetICmpPredicate(condition);
    return how == LLVMIntNE ? 0 : how == LLVMIntEQ ? 1 : -1;
}

/* All lanes that have not ended are at the operation, with one mask.  As on a GPU, lanes that the
 * mask does not name take part too: CUDA leaves open what happens then. */
static bool is_shared_by_warp(const struct proof *proof, LLVMValueRef mask)
{
    return !proof->all.partial[proof->node] && simd_is_uniform_in_warp(proof->kernel, mask);
}

/* All lanes at the node come to the operation together. */
static bool come_from(const struct proof *proof, int node)
{
    return node >= 0 &&
           converge(proof->kernel, proof->graph, (unsigned)node, proof->node, &whole_warp);
}

/* The mask is a vote on the condition of a branch that the operation is control-dependent on.
 * The vote must be of all lanes that are at it, and these must arrive at the branch together.
 * If they arrive at the operation itself, they all take part, as in is_shared_by_warp(). */
static bool is_vote_of_branch(const struct proof *proof, LLVMValueRef ballot)
{
    int from = node_of(proof, ballot);
    enum simd_named named = simd_named_by(proof->kernel, ballot);
    LLVMValueRef predicate = LLVMGetOperand(ballot, 1);
    if (from < 0 || (named != NAMED_ALL && named != NAMED_PRESENT)) {
        return false;
    }
    if (come_from(proof, from)) {
        return true;
    }
    for (size_t i = 0; i < proof->graph->count; i++) {
        unsigned at = proof->graph->order[i];
        int edge = edge_of(simd_node(proof->kernel, at), predicate);
        if (edge >= 0 && converge(proof->kernel, proof->graph, (unsigned)from, at, &whole_warp) &&
            side_to(proof, at, (unsigned)edge) >= 0) {
            return true;
        }
    }
    return false;
}

/* "Thread or lane number below the limit". */
static bool is_below(const struct simd_kernel *kernel, LLVMValueRef condition, uint64_t limit)
{
    uint64_t bound, lanes;
    if (condition == NULL || LLVMIsAICmpInst(condition) == NULL ||
        !simd_small_constant(LLVMGetOperand(condition, 1), &bound) || bound != limit) {
        return false;
    }
    LLVMIntPredicate how = LLVMGetICmpPredicate(condition);
    LLVMValueRef value = LLVMGetOperand(condition, 0);
    if (LLVMIsAInstruction(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMAnd &&
        simd_small_constant(LLVMGetOperand(value, 1), &lanes) && lanes == SIMD_WARP - 1) {
        value = LLVMGetOperand(value, 0);
    }
    return (how == LLVMIntULT || how == LLVMIntSLT) && simd_is_thread_number(kernel, value);
}

/* The mask is a constant that names the first lanes, and the branch lets exactly these through.
 * The constant must be 2^n - 1. */
static bool names_first_lanes(const struct proof *proof, LLVMValueRef mask)
{
    uint64_t bits = LLVMConstIntGetZExtValue(mask);
    if (bits == 0 || (bits & (bits + 1)) != 0 || bits > UINT32_MAX) {
        return false;
    }
    for (size_t i = 0; i < proof->graph->count; i++) {
        unsigned at = proof->graph->order[i];
        const struct simd_node *branch = simd_node(proof->kernel, at);
        if (branch->end == END_CONDITION && branch->match == NULL && !proof->all.partial[at] &&
            is_below(proof->kernel, branch->condition, (uint64_t)__builtin_popcountll(bits)) &&
            side_to(proof, at, 0) >= 0) {
            return true;
        }
    }
    return false;
}

static bool names_present(const struct proof *proof, LLVMValueRef mask)
{
    if (LLVMIsAConstantInt(mask) != NULL) {
        return names_first_lanes(proof, mask);
    }
    switch ((int)simd_warp_operation_of(mask)) {
    case WARP_ACTIVE:
        return come_from(proof, node_of(proof, mask));
    case WARP_MATCH_ANY: {
        struct together group = {.match = mask};
        return node_of(proof, mask) >= 0 &&
               converge(proof->kernel, proof->graph, (unsigned)node_of(proof, mask), proof->node,
                        &group);
    }
    case WARP_BALLOT:
        return is_vote_of_branch(proof, mask);
    default:
        return false;
    }
}

/* The operands that select a mode or an operation are constants.
 * Emission makes different code for each mode. */
static bool has_constant_mode(LLVMValueRef call)
{
    switch ((int)simd_warp_operation_of(call)) {
    case WARP_SHUFFLE:
        return LLVMIsAConstantInt(LLVMGetOperand(call, 4)) != NULL &&
               LLVMConstIntGetZExtValue(LLVMGetOperand(call, 4)) < 4;
    case WARP_REDUCE:
        return LLVMIsAConstantInt(LLVMGetOperand(call, 2)) != NULL &&
               LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2)) < 8;
    default:
        return true;
    }
}

/* __activemask() names the lanes that are active there. In a loop other lanes may come to it in a
 * later iteration, as on a GPU. */
static const char *operation_refusal(const struct proof *proof, LLVMValueRef call)
{
    const char *title = simd_warp_operation_title(call);
    if (!has_constant_mode(call)) {
        return str_format("%s in it is of no fixed kind", title);
    }
    if (simd_warp_operation_of(call) == WARP_ACTIVE) {
        return NULL;
    }
    enum simd_named named = simd_named_by(proof->kernel, call);
    if (named == NAMED_PRESENT || named == NAMED_GROUP) {
        LLVMValueRef mask = LLVMGetOperand(call, 0);
        return is_shared_by_warp(proof, mask) || names_present(proof, mask)
                   ? NULL
                   : str_format("the mask of %s may name others than the threads there", title);
    }
    bool is_partial = proof->all.partial[proof->node];
    if (is_partial && named == NAMED_TILE) {
        struct together tile = named_together(proof->kernel, call);
        is_partial = find_divergence(proof->kernel, proof->graph, -1, &tile).partial[proof->node];
    }
    return is_partial ? str_format("threads of a warp may diverge before %s", title) : NULL;
}

/* Nodes from which no operation or barrier can be reached.  Lanes there need not be waited for, as
 * if they had ended. */
static bool *find_finished(const struct simd_graph *graph)
{
    size_t nodes = simd_node_count(simd_kernel_of(graph));
    bool *finished = arena_alloc(nodes + 1), *reconvergence = arena_alloc(nodes + 1);
    for (unsigned i = 0; i < nodes; i++) {
        reconvergence[i] = needs_convergence(simd_node(simd_kernel_of(graph), i));
    }
    for (size_t i = 0; i < graph->count; i++) {
        const bool *reached = simd_graph_reach(graph, graph->order[i], -1);
        bool found = false;
        for (size_t j = 0; j < nodes; j++) {
            found |= reached[j] && reconvergence[j];
        }
        finished[graph->order[i]] = !found;
    }
    return finished;
}

const char *simd_warp_refusal(const struct simd_kernel *kernel, const struct simd_graph *region,
                              LLVMValueRef *blamed)
{
    struct simd_graph copy = *region, *graph = &copy;
    struct proof proof = {.kernel = kernel, .graph = graph};
    if (!simd_traits_of(kernel)->has_warps) {
        return NULL;
    }
    copy.finished = find_finished(region);
    proof.all = find_divergence(kernel, graph, -1, &whole_warp);
    for (size_t i = 0; i < graph->count; i++) {
        const struct simd_node *at = simd_node(kernel, graph->order[i]);
        proof.node = graph->order[i];
        for (LLVMValueRef j = at->first; j != NULL && j != at->last;
             j = LLVMGetNextInstruction(j)) {
            const char *why =
                simd_warp_operation_of(j) == WARP_NONE ? NULL : operation_refusal(&proof, j);
            if (why != NULL) {
                *blamed = j;
                return why;
            }
        }
    }
    return NULL;
}
