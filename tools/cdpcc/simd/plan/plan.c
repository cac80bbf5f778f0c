/* Makes the plan of a version.
 *
 * Shapes, slots and hoisted loads depend on each other.  A value that lives in a slot must be
 * varying if its shape needs a test, and so must a load that is clobbered.  So they are computed
 * again until nothing changes.  Then each region gets its paths, and each path its loops and
 * accesses.
 *
 * The order of work, and what each step needs:
 *
 *     find_regions     cuts the kernel at its barriers; needs nodes only
 *     find_facts       shapes -> refusals -> slots and hoisted loads -> forced values -> again
 *     count_slots      stack for each thread; refuses versions that need too much
 *     plan_regions     for each region: what is available, paths, then for each path its form, its
 *                      all-active graph, its restarts, its loops and its accesses
 *
 * The loop of find_facts() is a fixed point. Each round only adds to the forced and the clobbered
 * values and never removes any, so it ends.
 *
 * An example with two regions:
 *
 *     s[t] = a[i];            region 0: t and i are affine, the load is contiguous
 *     __syncthreads();
 *     b[i] = s[255 - t];      region 1: i is recomputed from indices and parameters, without a slot
 *
 * Takes: a kernel of one variant, and options. Gives: a plan in the arena, which emission reads. A
 * plan with a refusal has no paths, and is not emitted. */
#include "simd/plan/plan.h"

#include "ir/value.h"
#include "simd/analysis/chunk_conditions.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/layout.h"
#include "simd/analysis/legality.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/shape_analysis.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/kernel.h"
#include "simd/ir/lanes.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/region_cfg.h"
#include "simd/ir/traits.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"
#include "simd/plan/access.h"
#include "simd/plan/all_active.h"
#include "simd/plan/atomics.h"
#include "simd/plan/callees.h"
#include "simd/plan/calls.h"
#include "simd/plan/early_exits.h"
#include "simd/plan/fault_context.h"
#include "simd/plan/few_lanes.h"
#include "simd/plan/followers.h"
#include "simd/plan/gathers.h"
#include "simd/plan/hoist.h"
#include "simd/plan/loops.h"
#include "simd/plan/scalarize.h"
#include "simd/plan/skip.h"
#include "simd/plan/slots.h"
#include "simd/plan/uniform_exits.h"
#include "simd/plan/unroll.h"
#include "simd/plan/width.h"
#include "support/arena.h"

#include <string.h>

/* A region starts at the kernel's entry and behind each barrier. Regions may share nodes: code
 * that two barriers reach is in the graphs of both. */
static void find_regions(struct simd_plan *plan)
{
    const struct simd_kernel *kernel = plan->kernel;
    plan->region_of = arena_alloc((simd_node_count(kernel) + 1) * sizeof(int));
    for (unsigned i = 0; i < simd_node_count(kernel); i++) {
        plan->region_of[i] = -1;
        if (simd_starts_region(kernel, i)) {
            struct simd_region region = {.plan = plan, .entry = i, .uniform_exit = -1};
            region.number = (unsigned)plan->region_count;
            region.graph = simd_graph_build(kernel, i, false, NULL);
            plan->region_of[i] = (int)plan->region_count;
            LOWER_PUSH(plan->regions, plan->region_count, region);
        }
    }
}

/* ---- values across barriers ---- */

/* The affine values with tests that the region computes again from uniform ones.  Marks these as
 * live. */
static bool *find_affine(const struct simd_plan *plan, const struct simd_facts *facts,
                         struct simd_region *region)
{
    const struct simd_kernel *kernel = plan->kernel;
    bool *found = arena_alloc(simd_value_count(kernel) + 1);
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        LLVMValueRef value = simd_value_at(kernel, v);
        struct simd_leaves leaves = {NULL, 0};
        found[v] = region->live[v] && !region->promoted[v] &&
                   facts->shapes[v].check != CHECK_NONE && !simd_can_recompute(kernel, value) &&
                   simd_can_recompute_from_uniforms(plan, region, value, &leaves);
        for (size_t i = 0; found[v] && i < leaves.count; i++) {
            region->live[leaves.items[i]] = true;
        }
    }
    return found;
}

/* True if some value must change its shape to live in a slot.
 * A slot holds one scalar, a scalar for each vector, or a value for each lane. An affine value
 * whose test may fail fits none: its test would have to be stored with it. So such a value is
 * computed again from uniform values, which have slots then, or forced to be varying. */
static bool find_region_slots(struct simd_plan *plan, struct simd_facts *facts,
                              struct simd_region *region)
{
    const struct simd_kernel *kernel = plan->kernel;
    bool again = false, *divergent = arena_alloc(simd_value_count(kernel) + 1);
    region->live = arena_alloc(simd_value_count(kernel) + 1);
    region->promoted = arena_alloc(simd_value_count(kernel) + 1);
    region->hoisted = arena_alloc(simd_value_count(kernel) + 1);
    simd_find_slots(region->graph, region->live, region->promoted, divergent);
    bool *is_affine = find_affine(plan, facts, region);
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        bool recomputed = !region->promoted[v] &&
                          (is_affine[v] || simd_can_recompute(kernel, simd_value_at(kernel, v)));
        plan->has_slot[v] |= region->live[v] && !recomputed;
        bool checked =
            (plan->has_slot[v] || region->promoted[v]) && facts->shapes[v].check != CHECK_NONE;
        if ((checked || divergent[v]) && !facts->is_forced[v]) {
            facts->is_forced[v] = again = true;
        }
    }
    again |= simd_find_hoisted(facts, region);
    return again;
}

/* The sets are computed anew in each round, as shapes have changed. */
static bool find_slots(struct simd_plan *plan, struct simd_facts *facts)
{
    bool again = false;
    plan->has_slot = arena_alloc(simd_value_count(plan->kernel) + 1);
    for (size_t r = 0; r < plan->region_count; r++) {
        again |= find_region_slots(plan, facts, &plan->regions[r]);
    }
    return again;
}

/* Which values are available before the chunks of the region, and when a chunk starts.
 * The first set is needed for code that runs once before the chunk loop. The second one adds what
 * each chunk loads from slots or computes again. */
static void find_available(struct simd_region *region)
{
    const struct simd_plan *plan = region->plan;
    const struct simd_kernel *kernel = plan->kernel;
    size_t count = simd_value_count(kernel);
    region->at_start = arena_alloc(count + 1);
    region->in_chunk = arena_alloc(count + 1);
    for (size_t v = 0; v < count; v++) {
        bool is_uniform = simd_is_uniform(kernel, simd_value_at(kernel, v));
        bool is_loaded = region->live[v] && plan->has_slot[v];
        region->at_start[v] = simd_node_of_number(kernel, v) < 0 || (is_loaded && is_uniform);
    }
    simd_list_hoisted(region);
    memcpy(region->in_chunk, region->at_start, count);
    for (size_t v = 0; v < count; v++) {
        region->in_chunk[v] |= LLVMIsAAllocaInst(simd_value_at(kernel, v)) != NULL ||
                               (region->live[v] && plan->has_slot[v]);
    }
    for (size_t v = 0; v < count; v++) {
        if (region->live[v] && !plan->has_slot[v]) {
            simd_mark_recomputed(kernel, simd_value_at(kernel, v), region->in_chunk);
        }
    }
}

/* ---- paths ---- */

/* The size is a multiple of the chunk and no thread ends early, so masks are constant. Rows with
 * padding have lanes that are no threads, so they do not count. */
static bool is_always_whole(const struct simd_plan *plan, unsigned vectors)
{
    const struct simd_size *size = simd_variant_of(plan->kernel)->size;
    return size != NULL && !plan->needs_alive &&
           simd_variant_of(plan->kernel)->layout != LAYOUT_PADDED &&
           size->x * size->y * size->z % (plan->options.lanes * vectors) == 0;
}

/* Each chunk has lanes that are no threads: the padding of a row, or more lanes than threads. */
static bool is_never_whole(const struct simd_plan *plan, unsigned vectors)
{
    const struct simd_variant *variant = simd_variant_of(plan->kernel);
    const struct simd_size *size = variant->size;
    return variant->layout == LAYOUT_PADDED ||
           (size != NULL && size->x * size->y * size->z < plan->options.lanes * vectors);
}

/* A chunk of a kernel with warp operations is a whole number of warps: 32 threads are two vectors
 * of 16 lanes. */
static unsigned fewest_vectors(const struct simd_plan *plan)
{
    return simd_traits_of(plan->kernel)->has_warps ? SIMD_WARP / plan->options.lanes : 1;
}

/* A chunk that restarts in the masked loop loads the values that live across barriers again.  The
 * all-active version must not have stored to their slots meanwhile.  Values that are uniform for
 * the block are loaded before all chunks, so they do not count. */
static bool changes_slots(const struct simd_path *path)
{
    const struct simd_region *region = path->region;
    const struct simd_kernel *kernel = region->plan->kernel;
    bool found = false;
    for (size_t v = 0; path->all_active != path->graph && v < simd_value_count(kernel); v++) {
        bool is_inside = simd_node_of_number(kernel, v) >= 0 &&
                         simd_has_node(path->graph, simd_node_of_number(kernel, v));
        bool is_per_chunk = !simd_is_uniform(kernel, simd_value_at(kernel, v));
        found |= region->live[v] && region->plan->has_slot[v] && is_inside && is_per_chunk;
    }
    return found;
}

/* The vectors of a chunk that calls functions: those of the functions' versions, and as few as
 * possible if a call runs one lane after the other.  0: it calls none. */
static unsigned vectors_of_calls(const struct simd_graph *graph, const struct simd_plan *plan)
{
    const struct simd_kernel *kernel = plan->kernel;
    unsigned fewest = fewest_vectors(plan), most = 0;
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        int node = simd_node_of_number(kernel, v);
        if (!simd_has_node(graph, node) || plan->calls[v] == CALL_NONE) {
            continue;
        }
        if (plan->calls[v] == CALL_FUNCTION) {
            unsigned vectors = plan->functions[v]->vectors;
            most = vectors > most ? vectors : most;
        } else if (simd_is_vectorizable(kernel, simd_value_at(kernel, v))) {
            return fewest;
        }
    }
    return simd_has_calls(graph) ? fewest : most != 0 && most < fewest ? fewest : most;
}

static unsigned choose_vectors(const struct simd_path *path)
{
    const struct simd_plan *plan = path->region->plan;
    unsigned called = simd_is_called(plan->kernel) ? 0 : vectors_of_calls(path->graph, plan);
    return called != 0 ? called : plan->options.vectors;
}

/* Vectors side by side under masks: as few as warps allow, since masked chunks are few and their
 * code is the longest. Where masks become constants, the code becomes short.
 *
 * The tested form has one loop for both versions. It is used where threads may end early, where the
 * chunks of a tree become straight code, and where the all-active code may have stored to a slot
 * that the masked code loads. Else there are two loops, or one of them if the block's size is known
 * and the other one would have no chunks.
 *
 *     CHUNKS_SPLIT                         CHUNKS_TESTED
 *     for (; c < n && all_active(c); c++)  for (; c < n; c++)
 *         all-active code                      if (all_active(c)) all-active code
 *     for (; c < n; c++)                       else masked code
 *         masked code */
static void choose_form(struct simd_path *path)
{
    const struct simd_plan *plan = path->region->plan;
    const struct simd_kernel *kernel = plan->kernel;
    if (simd_is_called(kernel)) {
        path->masked_vectors = path->vectors;
        path->form = CHUNKS_MASKED;
        return;
    }
    bool is_known = plan->is_tree || simd_variant_of(kernel)->layout == LAYOUT_PADDED;
    bool is_unrolled = path->all_active != path->graph && plan->is_tree;
    bool is_promoted = plan->needs_alive || is_unrolled || changes_slots(path);
    bool has_calls = vectors_of_calls(path->graph, plan) != 0;
    path->masked_vectors =
        is_promoted || is_known || has_calls ? path->vectors : fewest_vectors(plan);
    bool is_whole = is_always_whole(plan, path->vectors) && path->all_active == path->graph &&
                    path->overlaps.count == 0;
    path->form = is_promoted                           ? CHUNKS_TESTED
                 : is_never_whole(plan, path->vectors) ? CHUNKS_MASKED
                 : is_whole                            ? CHUNKS_ALL_ACTIVE
                                                       : CHUNKS_SPLIT;
}

/* Each version has two arrays of accesses: accesses[0] for code where all lanes are active, and
 * accesses[1] for code under masks. The all-active version needs the second one, too, since it has
 * divergent branches of its own. If both versions have the same graph, they share it. */
static void plan_versions(struct simd_path *path)
{
    const struct simd_graph *graphs[] = {path->all_active, path->graph};
    unsigned vectors[] = {path->vectors, path->masked_vectors};
    bool runs[] = {path->form != CHUNKS_MASKED, path->form != CHUNKS_ALL_ACTIVE};
    for (unsigned i = 0; i < 2; i++) {
        if (!runs[i]) {
            continue;
        }
        struct simd_chunk chunk = {path->region->plan->options.lanes, vectors[i]};
        struct simd_version_plan *result = &path->versions[i];
        result->graph = graphs[i];
        result->is_whole = is_always_whole(path->region->plan, vectors[i]);
        struct simd_loop_plan *loops = simd_plan_loops(path, graphs[i], &chunk);
        result->loops = loops;
        result->accesses[0] = simd_plan_accesses(path, graphs[i], false, i == 0);
        result->accesses[1] = i == 1 && path->versions[0].graph == graphs[1]
                                  ? path->versions[0].accesses[1]
                                  : simd_plan_accesses(path, graphs[i], true, i == 0);
        result->costs = simd_plan_costs(graphs[i], result->accesses[1]);
        for (size_t loop = 0; loop < graphs[i]->loop_count; loop++) {
            loops[loop].few_lanes = simd_find_few_lanes(path, result, (int)loop, vectors[i]);
        }
        for (unsigned masked = 0; masked < 2; masked++) {
            result->atomics[masked] =
                simd_plan_atomics(path->region->plan->kernel, &chunk, masked != 0);
        }
    }
}

/* The order matters: the form depends on the tests of pointers, restarts depend on the graph
 * without rare edges and on the form, and accesses depend on restarts. In a kernel with barriers no
 * chunk restarts because a test of an access fails. */
static void plan_path(struct simd_path *path, bool *stays)
{
    const struct simd_kernel *kernel = path->region->plan->kernel;
    bool is_called = simd_is_called(kernel);
    path->vectors = choose_vectors(path);
    struct simd_chunk chunk = {path->region->plan->options.lanes, path->vectors};
    path->all_active = is_called ? path->graph : simd_make_all_active(path->graph, &chunk, stays);
    if (!is_called) {
        path->overlaps = simd_find_overlaps(path->all_active);
    }
    choose_form(path);
    path->unroll = is_called ? UNROLL_BY_LLVM : simd_choose_unroll(path);
    if (path->form == CHUNKS_SPLIT && simd_traits_of(kernel)->barrier_count == 0) {
        path->restarts = simd_find_restarts(path->all_active, &chunk);
    }
    plan_versions(path);
    path->versions[0].early_exit = path->versions[1].early_exit = -1;
    if (!is_called && (path->form == CHUNKS_SPLIT || path->form == CHUNKS_MASKED)) {
        path->versions[1].early_exit = simd_find_early_exit(path);
    }
}

/* The barrier in front of the region, if it combines predicates and its result is used. */
static LLVMValueRef find_vote(const struct simd_region *region)
{
    const struct simd_kernel *kernel = region->plan->kernel;
    LLVMValueRef barrier = region->entry == 0 ? NULL : simd_node(kernel, region->entry - 1)->last;
    bool is_used = barrier != NULL && simd_vote_of(barrier) != VOTE_NONE &&
                   region->plan->has_slot[simd_number(kernel, barrier)];
    return is_used ? barrier : NULL;
}

/* A hoisted exit needs a copy of the region's code for each of its edges, so only a tree has one.
 */
static void plan_region(struct simd_region *region, bool *stays)
{
    find_available(region);
    region->publishing = simd_find_publishing(region->graph);
    region->vote = find_vote(region);
    region->followers = simd_find_followers(region, NULL);
    region->path_count = 1;
    region->paths[0].graph = region->graph;
    if (region->plan->is_tree) {
        simd_find_uniform_exit(region);
    }
    for (unsigned i = 0; i < region->path_count; i++) {
        region->paths[i].region = region;
        plan_path(&region->paths[i], stays);
    }
}

/* ---- the version ---- */

/* Lanes that are no threads have slots too; these bytes are counted for the threads. */
static uint64_t bytes_of_thread(const struct simd_plan *plan, uint64_t slot_bytes)
{
    const struct simd_size *size = simd_variant_of(plan->kernel)->size;
    if (simd_variant_of(plan->kernel)->layout != LAYOUT_PADDED) {
        return slot_bytes;
    }
    unsigned lanes = plan->options.lanes, chunk = lanes * plan->options.vectors;
    uint64_t row = (size->x + lanes - 1) / lanes * lanes, all = row * size->y * size->z;
    uint64_t padded = (all + chunk - 1) / chunk * chunk, threads = all / row * size->x;
    return (slot_bytes * padded + threads - 1) / threads;
}

/* Functions with vector versions, and what they call, cannot fail. */
static bool sets_errors(const struct simd_plan *plan, size_t number)
{
    LLVMValueRef at = simd_value_at(plan->kernel, number);
    return simd_node_of_number(plan->kernel, number) >= 0 && LLVMIsACallInst(at) != NULL &&
           simd_may_fail(at) && !simd_is_called(plan->kernel) &&
           plan->calls[number] != CALL_FUNCTION;
}

/* A varying value needs its size for each thread. A value of one vector needs it once for each
 * vector, so a part of it for each thread, rounded up. */
static void count_slots(struct simd_plan *plan)
{
    const struct simd_kernel *kernel = plan->kernel;
    LLVMTargetDataRef layout = simd_context_of(kernel)->layout;
    uint64_t bytes = 0;
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        enum simd_shape_kind kind = simd_facts_of(kernel)->shapes[v].kind;
        if (LLVMIsAAllocaInst(simd_value_at(kernel, v)) != NULL &&
            simd_traits_of(kernel)->barrier_count != 0) {
            bytes += simd_local_size(kernel, simd_value_at(kernel, v));
        }
        plan->has_errors |= sets_errors(plan, v);
        plan->slots += plan->has_slot[v];
        if (plan->has_slot[v] && kind > SHAPE_UNIFORM) {
            uint64_t size = LLVMABISizeOfType(layout, LLVMTypeOf(simd_value_at(kernel, v)));
            unsigned lanes = plan->options.lanes;
            bytes += kind == SHAPE_VARYING ? size : (size + lanes - 1) / lanes;
        }
    }
    bytes += plan->has_errors ? sizeof(uint64_t) : 0;
    plan->thread_bytes = bytes_of_thread(plan, bytes);
}

/* A block runs on the stack of a fiber, whose size is fixed. A version without a known size gets a
 * limit of threads instead (versions.c). */
static const char *slot_refusal(struct simd_plan *plan)
{
    const struct simd_kernel *kernel = plan->kernel;
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(simd_value_at(kernel, v)));
        bool is_aggregate = kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
        if (plan->has_slot[v] && is_aggregate) {
            plan->blamed = simd_value_at(kernel, v);
            return "a struct in it lives across a barrier";
        }
    }
    const struct simd_size *size = simd_variant_of(kernel)->size;
    uint64_t threads = size == NULL ? 0 : (uint64_t)size->x * size->y * size->z;
    return plan->thread_bytes * threads > SIMD_MOST_STACK
               ? "values across barriers take too much of the stack"
               : NULL;
}

/* Computes the facts and the regions' slots until they agree. */
static const char *find_facts(struct simd_plan *plan, struct simd_facts *facts)
{
    const struct simd_kernel *kernel = plan->kernel;
    const char *why;
    do {
        facts->exits_early = false;
        simd_shapes(kernel, facts);
        why = simd_refusal_of_shapes(kernel, &facts->exits_early, &plan->blamed);
    } while (why == NULL && find_slots(plan, facts));
    return why != NULL ? why : simd_scalarize_refusal(kernel, &plan->blamed);
}

static void plan_regions(struct simd_plan *plan)
{
    bool *stays = arena_alloc(simd_node_count(plan->kernel) + 1);
    plan->recomputed[0] = simd_plan_recomputed(plan->kernel, false);
    plan->recomputed[1] = simd_plan_recomputed(plan->kernel, true);
    for (size_t r = 0; r < plan->region_count; r++) {
        plan_region(&plan->regions[r], stays);
    }
}

struct simd_plan *simd_plan_make(struct simd_kernel *kernel, const struct simd_options *options)
{
    struct simd_plan *plan = arena_alloc(sizeof *plan);
    struct simd_facts *facts = simd_facts_new(kernel);
    kernel->facts = facts;
    *plan = (struct simd_plan){.kernel = kernel, .options = *options};
    find_regions(plan);
    plan->refusal = find_facts(plan, facts);
    if (plan->refusal != NULL) {
        return plan;
    }
    plan->needs_alive = facts->exits_early;
    plan->is_tree = simd_has_short_loop(kernel);
    plan->most_straight = simd_most_straight(plan);
    /* post/shared_memory.c cannot handle shared memory that outlives a block. */
    plan->takes_range =
        simd_traits_of(kernel)->range == RANGE_ANY && simd_traits_of(kernel)->barrier_count == 0;
    simd_plan_calls(plan);
    count_slots(plan);
    plan->refusal = slot_refusal(plan);
    if (plan->refusal == NULL) {
        plan_regions(plan);
        plan->refusal = simd_lanes_refusal(plan);
    }
    return plan;
}
