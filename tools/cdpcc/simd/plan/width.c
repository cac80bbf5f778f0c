/* The width of a chunk.  The processor decides the number of lanes; what the kernel does decides
 * the number of vectors side by side.
 *
 * Vectors side by side hide latency and share values that are the same for all of them, such as a
 * row of a matrix product.  So more vectors are better, as long as their values fit into the
 * registers.  But if each lane iterates as often as its own data requires, all lanes wait for the
 * last one, and each vector has masks of its own.
 *
 * The steps of the choice:
 *
 *     usual       4 vectors of 16 lanes (AVX-512), else 2
 *     calls       1 vector, if no loop without calls gains from more
 *     narrow      2, if lanes leave a loop by their own data, or each lane reads a row of its own
 *     registers   halved until the values that loops carry fit the registers
 *     straight    the same for values that are live between basic blocks, if there are no loops
 *     wide        for known sizes: more, for sums, for shared rows, for thin grid-stride loops
 *     shared      halved until what vectors of shared rows load nearly fits the registers
 *     rows        64 threads, if rows of threads read rows of memory in a loop
 *     limits      whole warps, and no more local memory than the stack allows
 *
 * The estimate of registers is a backward liveness analysis of varying values, as register
 * allocators have it, for innermost loops without barriers. With U vectors side by side, what is
 * carried from one iteration to the next counts U times; what lives only within an iteration counts
 * once, since the code of the vectors can run one after the other.
 *
 * Takes: a kernel that is built. Gives: options for all versions. The facts that it computes are
 * those of a general version, and planning replaces them. */
#include "simd/plan/width.h"

#include "ir/context.h"
#include "ir/options.h"
#include "simd/analysis/add_recurrence.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/grid_stride.h"
#include "simd/analysis/growth.h"
#include "simd/analysis/layout.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/shape_analysis.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/interleaved.h"
#include "simd/ir/kernel.h"
#include "simd/ir/lanes.h"
#include "simd/ir/memory.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/origin.h"
#include "simd/ir/phis.h"
#include "simd/ir/placement.h"
#include "simd/ir/reconvergence.h"
#include "simd/ir/region_cfg.h"
#include "simd/ir/settings.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/traits.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"
#include "simd/ir/vectors.h"
#include "simd/plan/access.h"
#include "simd/plan/callees.h"
#include "simd/plan/plan.h"
#include "simd/plan/slots.h"
#include "support/arena.h"
#include "support/str.h"
#include "target/processor.h"
#include "target/target.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

/* Vectors side by side if lanes leave a loop in different iterations; bytes of two cache lines. */
enum { VECTORS_IF_DIVERGENT = 2, PAIR_OF_CACHE_LINES = 128 };

/* ---- registers of a loop ---- */

/* Liveness of varying values: those that are live where each node of a loop starts, apart from its
 * phis.
 * Life: one call of demand_of(). */
struct liveness {
    const struct simd_kernel *kernel;
    const struct simd_graph *graph;
    bool **live; /* by node, then by value */
    unsigned most;
};

/* Vector registers that the value occupies.
 * A vector of W 32-bit lanes fills one register, so wider types need two. Conditions are in mask
 * registers. */
static unsigned registers_for(LLVMTypeRef type)
{
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) == 1 ? 0 : (LLVMGetIntTypeWidth(type) + 31) / 32;
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
        return 2;
    default:
        return 1;
    }
}

/* Uniform and affine values are in scalar registers. */
static void add_use(const struct liveness *liveness, bool *live, LLVMValueRef value)
{
    int number = simd_number(liveness->kernel, value);
    if (number >= 0 && simd_is_varying(liveness->kernel, value)) {
        live[number] = true;
    }
}

static unsigned count_registers(const struct liveness *liveness, const bool *live)
{
    unsigned count = 0;
    for (size_t i = 0; i < simd_value_count(liveness->kernel); i++) {
        count += live[i] ? registers_for(LLVMTypeOf(simd_value_at(liveness->kernel, i))) : 0;
    }
    return count;
}

/* The values that are live where the node ends.
 * The union of what is live at the starts of the next nodes, and of the operands of their phis. */
static void collect_end(const struct liveness *liveness, unsigned node, bool *live)
{
    unsigned next[SIMD_NEXT], which[SIMD_NEXT];
    const struct simd_kernel *kernel = liveness->kernel;
    unsigned count = simd_graph_next(liveness->graph, node, next, which);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef at = simd_node(kernel, next[i])->first;
        for (; at != NULL && LLVMIsAPHINode(at) != NULL; at = LLVMGetNextInstruction(at)) {
            add_use(liveness, live, simd_phi_value(kernel, at, node));
        }
        for (size_t v = 0; liveness->live[next[i]] != NULL && v < simd_value_count(kernel); v++) {
            live[v] |= liveness->live[next[i]][v];
        }
    }
}

/* Walks from the node's end to its start.  True if more values are live there than were known. */
static bool walk_node(struct liveness *liveness, unsigned node)
{
    const struct simd_kernel *kernel = liveness->kernel;
    const struct simd_node *at = simd_node(kernel, node);
    bool *live = arena_alloc(simd_value_count(kernel) + 1);
    collect_end(liveness, node, live);
    LLVMValueRef i = at->first == NULL ? NULL : at->last;
    while (i != NULL && i != at->first) {
        i = LLVMGetPreviousInstruction(i);
        unsigned here = count_registers(liveness, live);
        liveness->most = here > liveness->most ? here : liveness->most;
        live[simd_number(kernel, i)] = false;
        unsigned count = LLVMIsAPHINode(i) != NULL ? 0 : (unsigned)LLVMGetNumOperands(i);
        for (unsigned j = 0; j < count; j++) {
            add_use(liveness, live, LLVMGetOperand(i, j));
        }
    }
    bool changed = liveness->live[node] == NULL ||
                   memcmp(live, liveness->live[node], simd_value_count(kernel)) != 0;
    liveness->live[node] = live;
    return changed;
}

/* Registers that each vector needs from one iteration to the next, and the most at any point of
 * one. */
struct demand {
    unsigned carried, most;
};

/* Iterates until nothing changes. Nodes outside of the loop do not count. */
static struct demand demand_of(const struct simd_graph *graph, const struct simd_loop *loop)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    struct liveness liveness = {.kernel = kernel, .graph = graph};
    liveness.live = arena_alloc(simd_node_count(kernel) * sizeof *liveness.live);
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = graph->count; i-- > 0;) {
            unsigned node = graph->order[i];
            changed |= loop->inside[node] && walk_node(&liveness, node);
        }
    }
    bool *live = liveness.live[loop->header];
    LLVMValueRef phi = simd_node(kernel, loop->header)->first;
    for (; phi != NULL && LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi)) {
        add_use(&liveness, live, phi);
    }
    struct demand demand = {.carried = count_registers(&liveness, live), .most = liveness.most};
    demand.most = demand.most > demand.carried ? demand.most : demand.carried;
    return demand;
}

static bool is_invariant(const struct simd_graph *graph, int loop, LLVMValueRef value,
                         unsigned depth)
{
    if (simd_number(simd_kernel_of(graph), value) < 0 || !simd_is_in_loop(graph, loop, value)) {
        return true;
    }
    if (depth == 0 || (LLVMIsAGetElementPtrInst(value) == NULL &&
                       LLVMIsABinaryOperator(value) == NULL && LLVMIsACastInst(value) == NULL)) {
        return false;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!is_invariant(graph, loop, LLVMGetOperand(value, i), depth - 1)) {
            return false;
        }
    }
    return true;
}

/* Registers of vectors that a loop without stores loads in each iteration at the same addresses, as
 * after an inner loop was unrolled. LLVM moves these loads out of the loop. */
static unsigned invariant_registers(const struct simd_graph *graph, int loop)
{
    enum { MOST_DEPTH = 6 };
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    unsigned count = 0;
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        LLVMValueRef at = simd_value_at(kernel, v);
        int node = simd_node_of_number(kernel, v);
        if (node < 0 || !graph->loops[loop].inside[node]) {
            continue;
        }
        if (LLVMIsAStoreInst(at) != NULL || simd_is_order(at) ||
            (LLVMIsACallInst(at) != NULL && simd_has_effects(at))) {
            return 0;
        }
        bool is_vector = LLVMIsALoadInst(at) != NULL && simd_is_varying(kernel, at) &&
                         is_invariant(graph, loop, simd_accessed(at), MOST_DEPTH);
        count += is_vector ? registers_for(LLVMTypeOf(at)) : 0;
    }
    return count;
}

/* Registers that each vector needs from one basic block to the next, in code without loops.  A
 * block ends where a chunk may restart under masks, so loads do not move to their uses in a later
 * one. */
static struct demand demand_of_straight_code(const struct simd_graph *graph)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    struct liveness liveness = {.kernel = kernel, .graph = graph};
    struct demand demand = {.carried = 0};
    liveness.live = arena_alloc(simd_node_count(kernel) * sizeof *liveness.live);
    for (size_t i = graph->count; i-- > 0;) {
        walk_node(&liveness, graph->order[i]);
        unsigned here = count_registers(&liveness, liveness.live[graph->order[i]]);
        demand.carried = here > demand.carried ? here : demand.carried;
    }
    demand.most = liveness.most > demand.carried ? liveness.most : demand.carried;
    return demand;
}

/* ---- how loops limit vectors ---- */

/* A condition that contains a loaded value or a varying sum is data-dependent, so it is no bound.
 */
bool simd_is_bound(const struct simd_kernel *kernel, LLVMValueRef condition)
{
    if (simd_is_uniform(kernel, condition)) {
        return true;
    }
    if (LLVMIsAInstruction(condition) == NULL) {
        return false;
    }
    switch ((int)LLVMGetInstructionOpcode(condition)) {
    case LLVMICmp:
        return simd_shape_of(kernel, LLVMGetOperand(condition, 0))->kind <= SHAPE_LINEAR &&
               simd_shape_of(kernel, LLVMGetOperand(condition, 1))->kind <= SHAPE_LINEAR;
    case LLVMAnd:
    case LLVMOr:
    case LLVMSelect:
        break;
    default:
        return false;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(condition); i++) {
        if (!simd_is_bound(kernel, LLVMGetOperand(condition, i))) {
            return false;
        }
    }
    return true;
}

/* When lanes leave a loop: all together, nearly together, or in different iterations. */
enum exit_divergence { EXITS_TOGETHER, EXITS_NEARLY_TOGETHER, EXITS_DIVERGE };

/* The worst exit of the loop decides. */
static enum exit_divergence exit_divergence_of(const struct simd_graph *graph, int loop)
{
    enum exit_divergence most = EXITS_TOGETHER;
    for (size_t i = 0; i < graph->count; i++) {
        unsigned node = graph->order[i];
        const struct simd_node *at = simd_node(simd_kernel_of(graph), node);
        if (!graph->loops[loop].inside[node] || at->end != END_CONDITION ||
            simd_is_uniform(simd_kernel_of(graph), at->condition) ||
            !simd_graph_exits_diverge(graph, node, loop)) {
            continue;
        }
        bool is_near = at->match == NULL && simd_is_bound(simd_kernel_of(graph), at->condition);
        enum exit_divergence here = is_near ? EXITS_NEARLY_TOGETHER : EXITS_DIVERGE;
        most = here > most ? here : most;
    }
    return most;
}

/* All lanes leave the loop and its enclosing loops together: if a known size fills the chunks, the
 * chunks stay full in the loop's iterations, too. */
static bool leaves_together(const struct simd_graph *graph, int loop)
{
    while (loop >= 0 && exit_divergence_of(graph, loop) == EXITS_TOGETHER) {
        loop = graph->loops[loop].parent;
    }
    return loop < 0;
}

static bool has_barrier(const struct simd_graph *graph, const struct simd_loop *loop)
{
    bool found = false;
    for (unsigned i = 0; i < simd_node_count(simd_kernel_of(graph)); i++) {
        found |= loop->inside[i] && simd_node(simd_kernel_of(graph), i)->end == END_BARRIER;
    }
    return found;
}

/* Each iteration depends on the one before, as in a sum.
 * Such a loop waits for the latency of one operation in each iteration. More vectors side by side
 * give the processor independent chains. */
static bool has_chain(const struct simd_graph *graph, const struct simd_loop *loop)
{
    LLVMValueRef phi = simd_node(simd_kernel_of(graph), loop->header)->first;
    for (; phi != NULL && LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi)) {
        if (simd_is_varying(simd_kernel_of(graph), phi)) {
            return true;
        }
    }
    return false;
}

/* AVX-512 has 32 registers, and others have 16 or narrower ones. */
static unsigned usual_vectors(unsigned lanes)
{
    return lanes == 16 ? 4 : 2;
}

/* The value of that number is computed in the loop, and not in a loop inside it. */
static bool is_in_loop(const struct simd_graph *graph, int loop, size_t number)
{
    int node = simd_node_of_number(simd_kernel_of(graph), number);
    return node >= 0 && simd_loop_of(graph, node) == loop;
}

/* Each lane reads along a row of memory of its own, as of a matrix.  If rows are a power of two
 * apart, their lines share few sets of the caches. */
static bool lanes_read_rows(const struct simd_graph *graph, int loop)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        LLVMValueRef load = simd_value_at(kernel, v);
        if (is_in_loop(graph, loop, v) && LLVMIsALoadInst(load) != NULL &&
            simd_is_far_apart(kernel, load) && !simd_is_shared(simd_accessed(load)) &&
            simd_walks_along(graph, loop, load)) {
            return true;
        }
    }
    return false;
}

/* What the kernel's loops require of the number of vectors. */
struct requirements {
    bool exits_diverge; /* lanes leave some loop in different iterations */
    bool is_thin;       /* some grid-stride loop reads less than two cache lines at a time */
    /* Some loop that all lanes leave together, as its enclosing loops, is a dependence chain. */
    bool has_sums;
    bool shares_rows; /* several rows of threads read the same rows of memory */
    bool reads_rows;  /* in some loop, each lane reads a row of its own */
    unsigned most;    /* vectors whose values fit into the registers */
};

static unsigned vector_registers(unsigned lanes, bool is_arm)
{
    return lanes == 16 || is_arm ? 32 : 16;
}

/* Halving keeps the number a power of two. */
static unsigned vectors_that_fit(struct demand demand, unsigned lanes, bool is_arm)
{
    unsigned registers = vector_registers(lanes, is_arm), vectors = SIMD_MOST_VECTORS;
    /* A uniform operand, or the result of an operation, needs a register in any case. */
    unsigned passing = demand.most > demand.carried ? demand.most - demand.carried : 1;
    while (vectors > 1 && vectors * demand.carried + passing > registers) {
        vectors /= 2;
    }
    return vectors;
}

/* Registers for addresses: x86-64 has fifteen, and the loop itself needs some. */
enum { ADDRESS_REGISTERS = 12, ADDRESS_REGISTERS_OF_ARM = 24 };

static LLVMValueRef base_of(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        address = LLVMGetOperand(address, 0);
    }
    return address;
}

/* Arrays of which each vector reads at an address of its own, as rows of a matrix.  Each such
 * address needs a register for each vector.  In shared memory the rows are at known distances, so
 * they do not count. */
static unsigned count_row_arrays(const struct simd_graph *graph, int loop)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    LLVMValueRef bases[ADDRESS_REGISTERS];
    unsigned count = 0;
    for (size_t v = 0; v < simd_value_count(kernel) && count < ADDRESS_REGISTERS; v++) {
        LLVMValueRef load = simd_value_at(kernel, v);
        if (!is_in_loop(graph, loop, v) || LLVMIsALoadInst(load) == NULL) {
            continue;
        }
        LLVMValueRef address = LLVMGetOperand(load, 0);
        bases[count] = base_of(address);
        unsigned same = 0;
        while (bases[same] != bases[count]) {
            same++;
        }
        count += same == count && simd_shape_of(kernel, address)->kind == SHAPE_VECTOR &&
                 !simd_is_shared(address);
    }
    return count;
}

/* The number is never below the usual one: loading an address again costs less than what sharing
 * between vectors saves. */
static unsigned vectors_by_addresses(const struct simd_graph *graph, int loop, unsigned lanes,
                                     bool is_arm)
{
    unsigned registers = is_arm ? ADDRESS_REGISTERS_OF_ARM : ADDRESS_REGISTERS;
    unsigned arrays = count_row_arrays(graph, loop), vectors = SIMD_MOST_VECTORS;
    while (vectors > usual_vectors(lanes) && vectors * arrays > registers) {
        vectors /= 2;
    }
    return vectors;
}

/* An iteration of a grid-stride loop reads little at each position.  Processors fetch lines in
 * pairs, and the second line of a pair would be evicted before another chunk reads it. */
static bool is_thin(const struct simd_graph *graph, int loop, unsigned lanes, unsigned vectors)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    struct simd_grid_stride stride = simd_find_stride(graph, loop);
    int64_t most = 0;
    for (size_t v = 0; stride.step != NULL && v < simd_value_count(kernel); v++) {
        int64_t size = is_in_loop(graph, loop, v)
                           ? simd_strides_by(graph, &stride, simd_value_at(kernel, v))
                           : 0;
        most = size > most ? size : most;
    }
    return most != 0 && most * lanes * vectors < PAIR_OF_CACHE_LINES;
}

/* Neighbouring rows of threads both read some rows of memory, as in a stencil: two varying loads
 * whose addresses start at one parameter.  One read then serves the whole chunk. */
static bool shares_rows(const struct simd_kernel *kernel, const struct simd_graph *graph)
{
    LLVMValueRef bases[SIMD_MOST_VECTORS];
    unsigned count = 0;
    for (size_t v = 0; v < simd_value_count(kernel) && count < SIMD_MOST_VECTORS; v++) {
        LLVMValueRef load = simd_value_at(kernel, v);
        if (LLVMIsALoadInst(load) == NULL || !simd_is_varying(kernel, simd_value_at(kernel, v))) {
            continue;
        }
        LLVMValueRef base = base_of(LLVMGetOperand(load, 0));
        for (unsigned i = 0; i < count; i++) {
            if (bases[i] == base) {
                return graph->loop_count == 0 && simd_traits_of(kernel)->uses_rows &&
                       simd_traits_of(kernel)->barrier_count == 0;
            }
        }
        bases[count++] = base;
    }
    return false;
}

/* Each row has addresses of its own, and its lines often map to few sets of the cache. */
enum { MOST_SHARING = 8 };

/* Threads of several rows, each of which reads its own rows of memory in a loop. */
enum { MOST_THREADS_OF_ROWS = 64 };

/* The value is computed from threadIdx.y or .z.  `seen`: values that are known not to be. */
static bool depends_on_row(const struct simd_kernel *kernel, LLVMValueRef value, bool *seen)
{
    int number = simd_number(kernel, value);
    if (number < 0 || LLVMIsAInstruction(value) == NULL || seen[number]) {
        return false;
    }
    seen[number] = true;
    if (LLVMIsALoadInst(value) != NULL) {
        int field = simd_self_field(value);
        return field == (int)sizeof(uint32_t) || field == 2 * (int)sizeof(uint32_t);
    }
    bool found = false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value) && !found; i++) {
        found = depends_on_row(kernel, LLVMGetOperand(value, i), seen);
    }
    return found;
}

/* Rows of threads read rows of memory in the loop, as in a stencil whose points a loop visits.
 * Neighbouring rows of a large array map to few sets of the first-level cache.  With as many rows
 * as a block has, each iteration evicts what the next one would read. */
static bool reads_own_rows(const struct simd_graph *graph, int loop)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    bool *seen = arena_alloc(simd_value_count(kernel) + 1);
    for (size_t v = 0; simd_traits_of(kernel)->uses_rows && v < simd_value_count(kernel); v++) {
        LLVMValueRef load = simd_value_at(kernel, v);
        if (!is_in_loop(graph, loop, v) || LLVMIsALoadInst(load) == NULL ||
            simd_is_shared(simd_accessed(load))) {
            continue;
        }
        const struct simd_shape *shape = simd_shape_of(kernel, simd_accessed(load));
        if (shape->kind == SHAPE_LINEAR && shape->stride != 0 &&
            depends_on_row(kernel, simd_accessed(load), seen)) {
            return true;
        }
    }
    return false;
}

/* Vector registers for what a thread loads. */
static unsigned loaded_registers(const struct simd_kernel *kernel)
{
    unsigned count = 0;
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        LLVMValueRef load = simd_value_at(kernel, v);
        bool is_vector = LLVMIsALoadInst(load) != NULL && simd_is_varying(kernel, load);
        count += is_vector ? registers_for(LLVMTypeOf(load)) : 0;
    }
    return count;
}

/* Vectors of several rows that share what they load.  A row is loaded for the first vector that
 * reads it, and is in a register until the last one has read it.  So nearly all that is loaded is
 * live at once.  A few spills cost less than loading rows again (measured with stencils of 3 to 10
 * points). */
static unsigned vectors_that_share(const struct simd_kernel *kernel, unsigned registers)
{
    unsigned vectors = MOST_SHARING, loaded = loaded_registers(kernel);
    while (vectors > 1 && vectors * loaded > registers + registers / 4) {
        vectors /= 2;
    }
    return vectors;
}

/* Only innermost loops are measured: they take the time. */
static struct requirements requirements_of(struct simd_kernel *kernel, unsigned lanes)
{
    const struct simd_graph *graph = simd_graph_build(kernel, 0, true, NULL);
    struct requirements requirements = {.most = SIMD_MOST_VECTORS,
                                        .shares_rows = shares_rows(kernel, graph)};
    for (int i = 0; i < (int)graph->loop_count; i++) {
        const struct simd_loop *loop = &graph->loops[i];
        enum exit_divergence exit_divergence = exit_divergence_of(graph, i);
        requirements.exits_diverge |= exit_divergence == EXITS_DIVERGE;
        if (!simd_is_innermost(graph, i) || has_barrier(graph, loop)) {
            continue;
        }
        requirements.is_thin |= is_thin(graph, i, lanes, usual_vectors(lanes));
        requirements.reads_rows |= !simd_traits_of(kernel)->uses_rows && lanes_read_rows(graph, i);
        requirements.has_sums |= leaves_together(graph, i) && has_chain(graph, loop);
        bool is_arm = target_is_arm(simd_context_of(kernel)->options->target.triple);
        struct demand demand = demand_of(graph, loop);
        unsigned invariant = invariant_registers(graph, i);
        demand.carried += invariant;
        demand.most += invariant;
        unsigned most = vectors_that_fit(demand, lanes, is_arm);
        unsigned addresses = vectors_by_addresses(graph, i, lanes, is_arm);
        most = addresses < most ? addresses : most;
        if (reads_own_rows(graph, i) && most * lanes > MOST_THREADS_OF_ROWS) {
            most = MOST_THREADS_OF_ROWS / lanes;
        }
        requirements.most = most < requirements.most ? most : requirements.most;
    }
    return requirements;
}

/* ---- registers ---- */

/* Processors whose clock slows down for a while, by a tenth or more, when their widest registers
 * are fully used. */
static const char *const slowing[] = {"skylake-avx512", "cascadelake", "cooperlake", NULL};

/* The vector operations of one iteration, or of the straight code. */
struct work {
    /* accesses: of memory, at addresses of the threads' own.  others: varying operations that do
     * not compute addresses. */
    unsigned accesses, others;
    bool has_atomics;
};

enum { OTHERS_FOR_EACH_ACCESS = 4, OTHERS_FOR_ALL = 4 };

static void add_work(struct work *work, const struct simd_kernel *kernel, LLVMValueRef at)
{
    bool is_load = LLVMIsALoadInst(at) != NULL, is_store = LLVMIsAStoreInst(at) != NULL;
    work->has_atomics |= LLVMIsAAtomicRMWInst(at) != NULL || LLVMIsAAtomicCmpXchgInst(at) != NULL;
    if (is_load || is_store) {
        LLVMValueRef address = LLVMGetOperand(at, is_store);
        bool is_own = simd_shape_of(kernel, address)->kind >= SHAPE_LINEAR;
        work->accesses += is_own && !simd_is_shared(address);
        return;
    }
    bool is_address = LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMPointerTypeKind;
    work->others += simd_is_varying(kernel, at) && !is_address;
}

/* Counts the loop's own nodes, or the nodes in no loop (-1). */
static struct work work_of(const struct simd_graph *graph, int loop)
{
    struct work work = {.accesses = 0};
    for (size_t v = 0; v < simd_value_count(simd_kernel_of(graph)); v++) {
        int node = simd_node_of_number(simd_kernel_of(graph), v);
        if (simd_has_node(graph, node) && simd_loop_of(graph, node) == loop) {
            add_work(&work, simd_kernel_of(graph), simd_value_at(simd_kernel_of(graph), v));
        }
    }
    return work;
}

/* Each access hides some operations, since the processor waits for memory anyway. */
static bool is_light(struct work work)
{
    unsigned hidden = OTHERS_FOR_EACH_ACCESS * work.accesses + OTHERS_FOR_ALL;
    return work.has_atomics || work.others <= hidden;
}

/* The work halves in each iteration, as in a tree reduction. */
static bool halves_work(const struct simd_graph *graph, const struct simd_loop *loop)
{
    LLVMValueRef phi = simd_node(simd_kernel_of(graph), loop->header)->first;
    for (; phi != NULL && LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi)) {
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef next = LLVMGetIncomingValue(phi, i);
            if (LLVMIsABinaryOperator(next) != NULL && LLVMGetInstructionOpcode(next) == LLVMLShr &&
                LLVMGetOperand(next, 0) == phi) {
                return true;
            }
        }
    }
    return false;
}

/* The kernel is bound by memory or by scalar code: it reads nothing again from a cache, and
 * computes little. */
static bool is_kernel_light(const struct simd_graph *graph)
{
    for (int i = 0; i < (int)graph->loop_count; i++) {
        const struct simd_loop *loop = &graph->loops[i];
        struct work work = work_of(graph, i);
        bool is_passing = work.has_atomics || simd_find_stride(graph, i).step != NULL;
        if (has_barrier(graph, loop) ? !halves_work(graph, loop) : !is_passing || !is_light(work)) {
            return false;
        }
    }
    return !shares_rows(simd_kernel_of(graph), graph) && is_light(work_of(graph, -1));
}

/* 256-bit registers avoid the slower clock of these processors. A kernel that is bound by memory
 * loses nothing by them. */
static bool wants_half_registers(const struct simd_kernel *kernel, unsigned lanes)
{
    const struct lower_options *options = simd_context_of(kernel)->options;
    return lanes == SIMD_MOST_LANES && str_starts_any(target_cpu(&options->target), slowing) &&
           is_kernel_light(simd_graph_build(kernel, 0, true, NULL));
}

/* ---- vectors ---- */

static bool is_call(const struct simd_kernel *kernel, LLVMValueRef at)
{
    return LLVMIsACallInst(at) != NULL && simd_has_effects(at) && !simd_is_barrier(at) &&
           simd_warp_operation_of(at) == WARP_NONE && LLVMIsAMemCpyInst(at) == NULL &&
           !simd_is_vectorizable(kernel, at);
}

bool simd_has_calls(const struct simd_graph *graph)
{
    const struct simd_kernel *kernel = simd_kernel_of(graph);
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        int node = simd_node_of_number(kernel, v);
        if (simd_has_node(graph, node) && is_call(kernel, simd_value_at(kernel, v))) {
            return true;
        }
    }
    return false;
}

/* More than one vector at a time is useful. Chunks with calls have one vector.
 * A region is looked at as a whole: one call in it makes its chunks one vector. */
static bool has_loop_without_calls(const struct simd_kernel *kernel)
{
    for (unsigned i = 0; i < simd_node_count(kernel); i++) {
        if (simd_starts_region(kernel, i)) {
            const struct simd_graph *region = simd_graph_build(kernel, i, false, NULL);
            if (region->loop_count != 0 && !simd_has_calls(region)) {
                return true;
            }
        }
    }
    return false;
}

uint64_t simd_local_bytes(const struct simd_kernel *kernel, unsigned threads)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        if (LLVMIsAAllocaInst(simd_value_at(kernel, i)) != NULL) {
            bytes += simd_local_size(kernel, simd_value_at(kernel, i));
        }
    }
    return bytes * (threads < SIMD_LOCAL_GROUP ? SIMD_LOCAL_GROUP : threads);
}

/* Tests of --check in a kernel. From this number on, compile time and the size of the code matter
 * more than the speed of a checked build: unrolled code has hundreds of them, and each one is about
 * 500 bytes of code for a vector. */
enum { MANY_TESTS = 48 };

bool simd_has_many_tests(const struct simd_kernel *kernel)
{
    unsigned count = 0;
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        LLVMValueRef at = simd_value_at(kernel, i);
        count +=
            LLVMIsACallInst(at) != NULL && (simd_is_guard(at) || simd_record_form_of(at) != NULL);
    }
    return count >= MANY_TESTS;
}

/* Vectors side by side hide latencies. Long code has enough that is independent within one vector,
 * and its compile time grows faster than its length. */
enum { LONG_KERNEL = 1000, MOST_CODE_OF_CHUNK = 4000 }; /* values; values times vectors */

static bool is_chunk_long(const struct simd_kernel *kernel, unsigned vectors)
{
    size_t values = simd_value_count(kernel);
    return values > LONG_KERNEL || values * vectors > MOST_CODE_OF_CHUNK;
}

/* A whole number of warps if there are warp operations, and a limited amount of stack.
 * The result is a multiple of `least`. */
static unsigned limit_vectors(const struct simd_kernel *kernel, unsigned lanes, unsigned vectors)
{
    unsigned least = simd_traits_of(kernel)->has_warps ? SIMD_WARP / lanes : 1;
    vectors = vectors % least != 0 ? least : vectors;
    while (vectors > least && (simd_local_bytes(kernel, lanes * vectors) > SIMD_MOST_LOCAL ||
                               is_chunk_long(kernel, vectors))) {
        vectors = vectors / 2 < least ? least : vectors / 2 / least * least;
    }
    return vectors;
}

/* Long kernels have one vector in any case. */
static unsigned most_of_straight_code(const struct simd_kernel *kernel,
                                      const struct simd_graph *whole, unsigned lanes)
{
    bool is_arm = target_is_arm(simd_context_of(kernel)->options->target.triple);
    bool is_straight = whole->loop_count == 0 && simd_traits_of(kernel)->barrier_count == 0;
    return is_straight && simd_value_count(kernel) <= LONG_KERNEL
               ? vectors_that_fit(demand_of_straight_code(whole), lanes, is_arm)
               : SIMD_MOST_VECTORS;
}

/* vectors_of_size: an entry for one size may be wider, since its blocks are known to fill the
 * chunks.
 * Several vectors are useful only if a region without calls has a loop, or if nothing is called at
 * all. */
static void choose_vectors(struct simd_kernel *kernel, struct simd_options *options)
{
    options->vectors = options->vectors_of_size = 1;
    const struct simd_graph *whole = simd_graph_build(kernel, 0, true, NULL);
    if (simd_has_calls(whole) && !has_loop_without_calls(kernel)) {
        return;
    }
    struct requirements requirements = requirements_of(kernel, options->lanes);
    unsigned vectors = usual_vectors(options->lanes);
    bool is_narrow = requirements.exits_diverge || requirements.reads_rows;
    vectors = is_narrow && vectors > VECTORS_IF_DIVERGENT ? VECTORS_IF_DIVERGENT : vectors;
    vectors = vectors > requirements.most ? requirements.most : vectors;
    if (requirements.shares_rows) {
        bool is_arm = target_is_arm(simd_context_of(kernel)->options->target.triple);
        unsigned sharing = vectors_that_share(kernel, vector_registers(options->lanes, is_arm));
        requirements.most = sharing < requirements.most ? sharing : requirements.most;
        vectors = vectors > requirements.most ? requirements.most : vectors;
    }
    unsigned straight = most_of_straight_code(kernel, whole, options->lanes);
    vectors = vectors > straight ? straight : vectors;
    bool is_wide =
        !is_narrow && (requirements.is_thin || requirements.has_sums || requirements.shares_rows);
    options->vectors = vectors;
    options->vectors_of_size = is_wide ? requirements.most : vectors;
}

struct simd_options simd_options_of(struct simd_kernel *kernel)
{
    struct simd_options options = {.lanes =
                                       target_lanes(&simd_context_of(kernel)->options->target)};
    if (simd_setting_lanes() != 0) {
        options.lanes = simd_setting_lanes();
    }
    kernel->variant.layout = simd_traits_of(kernel)->uses_rows ? LAYOUT_ROWS : LAYOUT_ONE_ROW;
    kernel->variant.lanes = options.lanes;
    struct simd_facts *facts = simd_facts_new(kernel);
    kernel->facts = facts;
    simd_shapes(kernel, facts);
    options.vectors = options.vectors_of_size = simd_setting_vectors();
    if (options.vectors == 0) {
        choose_vectors(kernel, &options);
    }
    options.vectors = limit_vectors(kernel, options.lanes, options.vectors);
    options.vectors_of_size = limit_vectors(kernel, options.lanes, options.vectors_of_size);
    options.in_halves = wants_half_registers(kernel, options.lanes);
    return options;
}
