/* The cost model: what a version costs a thread, against a thread entry.
 *
 * A cost is the number of simple scalar instructions that take as long. All of it is in one table,
 * below. Vector instructions count for a vector, and are divided by its lanes. Gathers and scatters
 * cost each lane more than the access of a scalar, so a loop of little else is faster in thread
 * entries, above all if lanes leave it at different times and wait for the last one.
 *
 * How often code runs is a guess: each loop eight times. One thread takes one side of a divergent
 * branch, and pays for branches that are predicted wrongly; a vector runs both sides. One thread
 * waits for each sum of floating-point numbers before it begins the next; the vectors of a chunk
 * are independent.
 *
 * The figures are fitted to 82 kernels, each measured by both entries (docs/simd.md). */
#include "simd/plan/cost.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/calls.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/lanes.h"
#include "simd/ir/memory.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/opcodes.h"
#include "simd/ir/origin.h"
#include "simd/ir/dominators.h"
#include "simd/ir/placement.h"
#include "simd/ir/traits.h"
#include "simd/ir/values.h"
#include "simd/plan/access.h"
#include "simd/plan/atomics.h"
#include "simd/plan/callees.h"
#include "simd/plan/calls.h"
#include "simd/plan/gathers.h"
#include "simd/plan/loops.h"
#include "simd/plan/plan.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* What is costed. */
enum item {
    ITEM_SIMPLE, /* arithmetic, a comparison, a select */
    ITEM_PRODUCT_64,
    ITEM_FLOAT_QUOTIENT,
    ITEM_QUOTIENT,
    ITEM_MATHEMATICS,
    ITEM_CONTIGUOUS,
    ITEM_SHUFFLED, /* strided loads, interleave groups and the like */
    ITEM_TILE,
    ITEM_GATHER,
    ITEM_SCATTER,
    ITEM_NEAR, /* a gather or scatter of which neighbouring lanes are often neighbours in memory */
    ITEM_WITHOUT_INSTRUCTION, /* gathers and scatters lane by lane */
    ITEM_CALL,
    ITEM_ATOMIC,
    ITEM_COUNT,
};

/* The table. vector: of a register's lanes. lane: of each lane. thread: by a thread entry. */
static const struct {
    double vector, lane, thread;
} table[ITEM_COUNT] = {
    [ITEM_SIMPLE] = {2, 0, 1},
    [ITEM_PRODUCT_64] = {6, 0, 1},
    [ITEM_FLOAT_QUOTIENT] = {12, 0, 6},
    [ITEM_QUOTIENT] = {30, 0, 10},
    [ITEM_MATHEMATICS] = {40, 0, 40},
    [ITEM_CONTIGUOUS] = {2, 0, 1},
    [ITEM_SHUFFLED] = {8, 0, 1},
    [ITEM_TILE] = {2, 1, 1},
    [ITEM_GATHER] = {0, 4, 1},
    [ITEM_SCATTER] = {0, 6, 1},
    [ITEM_NEAR] = {0, 4, 4},
    [ITEM_WITHOUT_INSTRUCTION] = {0, 8, 1},
    [ITEM_CALL] = {0, 30, 20},
    [ITEM_ATOMIC] = {0, 20, 20},
};

/* The relative costs of accesses by their shapes, where it is not known yet what they become. A
 * gather counts less than in the table: its elements may be in one cache line, and lanes go along
 * threadIdx.y only if that is certainly better. */
enum {
    BY_SHAPE_CONTIGUOUS = 1,
    BY_SHAPE_INTERLEAVED = 2,
    BY_SHAPE_GATHER = 8,
    MOST_INTERLEAVED = 4
};

enum { MOST_DEPTH = 4 };
static const double iterations = 8, inner_iterations = 2;
/* Of a divergent loop's block entry: half of the lanes have left it. */
static const double lanes_wait = 2;
/* Of a thread: a divergent branch; the exit from a divergent loop, once for each time that it is
 * entered; a sum of floating-point numbers; and its start and end. */
static const double misprediction = 12, leaving = 40, waits_for_sum = 12, starts = 30;
/* Of a thread: a call from scalar code. */
static const double recursion = 8;
/* Of the scalar calls' cost: the most that a vectorized function may cost if its lanes end a
 * recursion apart. How many of them wait depends on the data. */
static const double recursion_share = 0.6;
/* A shorter kernel's own cost is that of its threads' start. */
static const double shortest = 90;
/* Of the thread entry's cost, from which on the block entry may be slower. */
static const double least_share = 0.9;

/* The costing of a path. */
struct costing {
    const struct simd_plan *plan;
    const struct simd_path *path;
    const struct simd_version_plan *version;
    bool masked;
};

static unsigned bits_of(const struct costing *costing, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind || !LLVMTypeIsSized(type)) {
        return 32;
    }
    unsigned bits =
        (unsigned)LLVMSizeOfTypeInBits(simd_context_of(costing->plan->kernel)->layout, type);
    return bits < 32 ? 32 : bits;
}

static bool is_sum(LLVMValueRef value)
{
    return LLVMIsAInstruction(value) != NULL &&
           (LLVMGetInstructionOpcode(value) == LLVMAdd || LLVMIsAGetElementPtrInst(value) != NULL ||
            LLVMIsASExtInst(value) != NULL || LLVMIsAZExtInst(value) != NULL);
}

static bool has_stride(const struct simd_kernel *kernel, LLVMValueRef value)
{
    const struct simd_shape *shape = simd_shape_of(kernel, value);
    return shape->kind == SHAPE_LINEAR && shape->stride != 0;
}

/* Part of the value is affine, perhaps by a stride that is known at run time only: row * pitch with
 * an affine row.  So each lane has a row of its own. */
static bool has_distance(const struct simd_kernel *kernel, LLVMValueRef value, unsigned depth)
{
    if (has_stride(kernel, value)) {
        return true;
    }
    if (LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMMul) {
        LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
        return (has_stride(kernel, a) && simd_is_uniform(kernel, b)) ||
               (has_stride(kernel, b) && simd_is_uniform(kernel, a));
    }
    for (unsigned i = 0; is_sum(value) && depth > 0 && i < (unsigned)LLVMGetNumOperands(value);
         i++) {
        if (has_distance(kernel, LLVMGetOperand(value, i), depth - 1)) {
            return true;
        }
    }
    return false;
}

static bool others_have_distance(const struct simd_kernel *kernel, LLVMValueRef sum, unsigned part,
                                 unsigned depth)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(sum); i++) {
        if (i != part && has_distance(kernel, LLVMGetOperand(sum, i), depth)) {
            return true;
        }
    }
    return false;
}

/* The address is a sum of which one part is contiguous in the lanes, as base[row * pitch + x] with
 * a varying row that neighbouring lanes often share. A thread alone reads another line of each
 * row. */
static bool has_contiguous_part(const struct simd_kernel *kernel, LLVMValueRef value, int64_t size,
                                unsigned depth)
{
    const struct simd_shape *shape = simd_shape_of(kernel, value);
    if (shape->kind == SHAPE_LINEAR && shape->stride == size) {
        return true;
    }
    for (unsigned i = 0; is_sum(value) && depth > 0 && i < (unsigned)LLVMGetNumOperands(value);
         i++) {
        int64_t of_element = LLVMIsAGetElementPtrInst(value) != NULL && i > 0 ? 1 : size;
        if (has_contiguous_part(kernel, LLVMGetOperand(value, i), of_element, depth - 1)) {
            return !others_have_distance(kernel, value, i, depth - 1);
        }
    }
    return false;
}

static enum item item_of_access(const struct costing *costing, LLVMValueRef at)
{
    int number = simd_number(costing->plan->kernel, at);
    const struct simd_access *access = &costing->version->accesses[costing->masked][number];
    switch (access->kind) {
    case ACCESS_NONE:
    case ACCESS_CONTEXT:
    case ACCESS_UNIFORM:
    case ACCESS_CONTIGUOUS:
    case ACCESS_GROUPED:
        return ITEM_CONTIGUOUS;
    case ACCESS_INTERLEAVED: /* each lane of a scattered group has an access of its own */
        return access->group->layout.is_scattered ? ITEM_TILE : ITEM_SHUFFLED;
    case ACCESS_REVERSED:
    case ACCESS_STRIDED:
    case ACCESS_PERMUTED:
    case ACCESS_REPLICATED:
    case ACCESS_TWO_WAY:
        return ITEM_SHUFFLED;
    case ACCESS_FIELD_PAIR:
        if (access->pair_kind != ACCESS_GATHER_SCATTER) {
            return ITEM_SHUFFLED;
        }
        break;
    case ACCESS_SCALARIZED:
        return ITEM_WITHOUT_INSTRUCTION;
    case ACCESS_GATHER_SCATTER:
        break;
    }
    int64_t size = (int64_t)LLVMABISizeOfType(simd_context_of(costing->plan->kernel)->layout,
                                              simd_accessed_type(at));
    return simd_reads_in_tiles(costing->version->loops, costing->version->graph, at) ? ITEM_TILE
           : !simd_has_gather_instruction(costing->plan->kernel, at) ? ITEM_WITHOUT_INSTRUCTION
           : has_contiguous_part(costing->plan->kernel, simd_accessed(at), size, MOST_DEPTH)
               ? ITEM_NEAR
           : LLVMIsAStoreInst(at) != NULL ? ITEM_SCATTER
                                          : ITEM_GATHER;
}

static enum item item_of_call(const struct costing *costing, LLVMValueRef call)
{
    switch ((int)costing->plan->calls[simd_number(costing->plan->kernel, call)]) {
    case CALL_VECTOR:
        return str_starts(simd_callee_name(call), "llvm.s") ? ITEM_FLOAT_QUOTIENT : ITEM_SIMPLE;
    case CALL_PRODUCT:
        return ITEM_FLOAT_QUOTIENT;
    case CALL_COPY_EACH:
        return ITEM_GATHER;
    case CALL_SCALARIZED:
        return simd_is_pure_call(call) ? ITEM_MATHEMATICS : ITEM_CALL;
    default:
        return ITEM_SIMPLE;
    }
}

static enum item item_of(const struct costing *costing, LLVMValueRef at)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    switch ((int)opcode) {
    case LLVMLoad:
    case LLVMStore:
        return item_of_access(costing, at);
    case LLVMCall:
        return item_of_call(costing, at);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return ITEM_ATOMIC;
    case LLVMMul:
        return bits_of(costing, LLVMTypeOf(at)) > 32 ? ITEM_PRODUCT_64 : ITEM_SIMPLE;
    case LLVMFDiv:
    case LLVMFRem:
        return ITEM_FLOAT_QUOTIENT;
    default:
        return simd_is_division(opcode) ? ITEM_QUOTIENT : ITEM_SIMPLE;
    }
}

/* It computes nothing where code runs. */
static bool is_free(LLVMValueRef at)
{
    return LLVMIsAPHINode(at) != NULL || LLVMIsATerminatorInst(at) != NULL ||
           LLVMIsAAllocaInst(at) != NULL || LLVMIsAGetElementPtrInst(at) != NULL ||
           simd_is_cast(LLVMGetInstructionOpcode(at));
}

static bool is_divergent_branch(const struct costing *costing, unsigned node)
{
    const struct simd_node *at = simd_node(costing->plan->kernel, node);
    return at->end == END_CONDITION && !simd_is_scalar(costing->plan->kernel, at->condition);
}

static bool leaves_loop(const struct simd_graph *graph, unsigned node)
{
    unsigned next[SIMD_NEXT], which[SIMD_NEXT], count = simd_graph_next(graph, node, next, which);
    int loop = simd_loop_of(graph, node);
    for (unsigned i = 0; i < count; i++) {
        if (loop >= 0 && !graph->loops[loop].inside[next[i]]) {
            return true;
        }
    }
    return false;
}

/* The share of the threads that run the node, among those that run its loop's header. */
static double share_of(const struct costing *costing, unsigned node)
{
    const struct simd_graph *graph = costing->version->graph;
    double share = 1;
    int depth = 0;
    for (int by = graph->idom[node]; by >= 0 && depth < MOST_DEPTH; by = graph->idom[by]) {
        if (is_divergent_branch(costing, (unsigned)by) && !leaves_loop(graph, (unsigned)by) &&
            !simd_postdominates(graph, node, (unsigned)by)) {
            share /= 2;
            depth++;
        }
        if (by == (int)graph->entry) {
            break;
        }
    }
    return share;
}

/* Lanes leave a recursion at different times if it is behind a divergent branch. */
static bool recurs_apart(const struct costing *costing, unsigned node, LLVMValueRef at)
{
    int number = simd_number(costing->plan->kernel, at);
    return costing->plan->calls[number] == CALL_FUNCTION &&
           costing->plan->functions[number]->plan == NULL && share_of(costing, node) < 1;
}

/* One call of a vectorized function, in place of a call by a thread.  One that is being planned is
 * a recursion. */
static struct simd_cost cost_of_function(const struct costing *costing, LLVMValueRef call)
{
    const struct simd_vector_function *function =
        costing->plan->functions[simd_number(costing->plan->kernel, call)];
    unsigned lanes = function->lanes * function->vectors;
    struct simd_cost cost = {.block = table[ITEM_CALL].lane / lanes,
                             .thread = table[ITEM_CALL].thread};
    if (function->plan != NULL) {
        cost.block += function->cost.block;
        cost.thread += function->cost.thread;
    } else {
        cost.thread = recursion;
    }
    return cost;
}

/* One execution of the instruction. */
static struct simd_cost cost_of(const struct costing *costing, LLVMValueRef at)
{
    const struct simd_kernel *kernel = costing->plan->kernel;
    struct simd_cost cost = {.block = 0};
    if (is_free(at)) {
        return cost;
    }
    if (LLVMIsACallInst(at) != NULL &&
        costing->plan->calls[simd_number(kernel, at)] == CALL_FUNCTION) {
        return cost_of_function(costing, at);
    }
    enum item item = item_of(costing, at);
    LLVMTypeRef type = LLVMIsAStoreInst(at) != NULL ? simd_accessed_type(at) : LLVMTypeOf(at);
    unsigned lanes = costing->plan->options.lanes;
    double registers = bits_of(costing, type) / 32.0;
    cost.thread = table[item].thread;
    cost.block = table[item].vector * registers / lanes + table[item].lane;
    bool is_once =
        LLVMIsAStoreInst(at) == NULL && simd_is_scalar(kernel, at) && LLVMIsACallInst(at) == NULL;
    if (is_once) {
        cost.block = table[item].thread / (lanes * costing->path->vectors);
    }
    return cost;
}

/* The sum is the next value of a phi in its loop. */
static bool is_recurrence(const struct costing *costing, unsigned node, LLVMValueRef at)
{
    const struct simd_graph *graph = costing->version->graph;
    int loop = simd_loop_of(graph, node);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    bool is_float = opcode == LLVMFAdd || opcode == LLVMFSub || opcode == LLVMFMul ||
                    (opcode == LLVMCall && str_starts(simd_callee_name(at), "llvm.fm"));
    if (loop < 0 || !is_float) {
        return false;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(at); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAPHINode(user) != NULL &&
            simd_node_of(costing->plan->kernel, user) == (int)graph->loops[loop].header) {
            return true;
        }
    }
    return false;
}

/* How often the node runs, for a thread and for a vector. */
static struct simd_cost executions_of(const struct costing *costing, unsigned node)
{
    const struct simd_graph *graph = costing->version->graph;
    struct simd_cost runs = {.block = 1, .thread = share_of(costing, node)};
    int loop = simd_loop_of(graph, node);
    bool waits = false;
    for (int depth = 0; loop >= 0 && depth < MOST_DEPTH; depth++) {
        int parent = graph->loops[loop].parent;
        bool is_divergent = costing->version->loops[loop].kind == LOOP_DIVERGENT;
        double times = is_divergent && parent >= 0 ? inner_iterations : iterations;
        waits |= is_divergent;
        runs.block *= times;
        runs.thread *= times;
        loop = parent;
    }
    runs.block *= waits ? lanes_wait : 1;
    return runs;
}

/* In each iteration, of a divergent loop's exit. */
static double leaving_of(const struct costing *costing, unsigned node)
{
    const struct simd_graph *graph = costing->version->graph;
    int loop = simd_loop_of(graph, node);
    return leaving / (graph->loops[loop].parent >= 0 ? inner_iterations : iterations);
}

/* The instructions of the node. */
static struct simd_cost instructions_of(const struct costing *costing, unsigned node)
{
    const struct simd_node *at = simd_node(costing->plan->kernel, node);
    struct simd_cost once = {.block = 0};
    for (LLVMValueRef i = at->first; i != NULL && i != at->last; i = LLVMGetNextInstruction(i)) {
        struct simd_cost one = cost_of(costing, i);
        once.block += one.block;
        once.thread += one.thread + (is_recurrence(costing, node, i) ? waits_for_sum : 0);
    }
    return once;
}

static void add_node(struct costing *costing, unsigned node, struct simd_cost *sum)
{
    struct simd_cost runs = executions_of(costing, node), once = instructions_of(costing, node);
    bool is_divergent = is_divergent_branch(costing, node);
    once.thread += !is_divergent                                ? 1
                   : leaves_loop(costing->version->graph, node) ? leaving_of(costing, node)
                                                                : misprediction;
    sum->block += once.block * runs.block;
    sum->thread += once.thread * runs.thread;
}

/* The calls by which the version calls itself behind divergent branches. */
static unsigned count_recursions_apart(const struct costing *costing)
{
    const struct simd_kernel *kernel = costing->plan->kernel;
    unsigned count = 0;
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        int node = simd_node_of_number(kernel, v);
        count += simd_has_node(costing->version->graph, node) &&
                 recurs_apart(costing, (unsigned)node, simd_value_at(kernel, v));
    }
    return count;
}

/* Half of the lanes have ended such a recursion when others continue, for each of its calls.  It
 * starts once, but calls itself often. */
static void wait_in_recursions(const struct costing *costing, struct simd_cost *sum)
{
    unsigned count = count_recursions_apart(costing);
    sum->thread -= count != 0 ? starts : 0;
    for (unsigned i = 0; i < count && i < MOST_DEPTH; i++) {
        sum->block *= lanes_wait;
    }
}

struct simd_cost simd_cost_of(const struct simd_plan *plan)
{
    struct simd_cost sum = {.thread = starts};
    for (size_t r = 0; r < plan->region_count; r++) {
        const struct simd_path *path = &plan->regions[r].paths[0];
        bool masked = path->versions[0].graph == NULL;
        struct costing costing = {
            .plan = plan, .path = path, .version = &path->versions[masked], .masked = masked};
        for (size_t i = 0; i < costing.version->graph->count; i++) {
            add_node(&costing, costing.version->graph->order[i], &sum);
        }
        wait_in_recursions(&costing, &sum);
    }
    return sum;
}

bool simd_is_slower(const struct simd_plan *plan, struct simd_cost cost)
{
    const struct simd_path *path = &plan->regions[0].paths[0];
    struct costing costing = {
        .plan = plan, .path = path, .version = &path->versions[1], .masked = true};
    double share = count_recursions_apart(&costing) != 0 ? recursion_share : 1;
    return cost.block > share * cost.thread;
}

struct simd_cost simd_cost_of_iteration(const struct simd_path *path,
                                        const struct simd_version_plan *version, int loop)
{
    struct costing costing = {
        .plan = path->region->plan, .path = path, .version = version, .masked = true};
    struct simd_cost sum = {.thread = leaving};
    for (size_t i = 0; i < version->graph->count; i++) {
        unsigned node = version->graph->order[i];
        if (version->graph->loops[loop].inside[node]) {
            struct simd_cost once = instructions_of(&costing, node);
            sum.block += once.block;
            sum.thread += once.thread * share_of(&costing, node);
        }
    }
    return sum;
}

/* The estimate is right within a factor of two or so. Only kernels whose threads wait for nothing
 * and call nothing, except to launch and to print, are tried: others need stacks of their own. */
bool simd_is_unsure(const struct simd_plan *plan)
{
    const struct simd_traits *traits = simd_traits_of(plan->kernel);
    struct simd_cost cost = simd_cost_of(plan);
    return traits->range != RANGE_ONE && traits->barrier_count == 0 && !traits->has_warps &&
           cost.thread > shortest && cost.block > least_share * cost.thread;
}

/* ---- accesses by their shapes ---- */

static uint64_t cost_by_shape(const struct simd_kernel *kernel, LLVMValueRef access)
{
    const struct simd_shape *shape = simd_shape_of(kernel, simd_accessed(access));
    uint64_t size = LLVMABISizeOfType(simd_context_of(kernel)->layout, simd_accessed_type(access));
    uint64_t stride = shape->kind == SHAPE_LINEAR ? (uint64_t)shape->stride : UINT64_MAX;
    return shape->kind <= SHAPE_VECTOR || stride == 0 || stride == size ? BY_SHAPE_CONTIGUOUS
           : stride <= MOST_INTERLEAVED * size                          ? BY_SHAPE_INTERLEAVED
                                                                        : BY_SHAPE_GATHER;
}

static uint64_t executions_at(const struct simd_graph *graph, int node)
{
    uint64_t executions = 1;
    int loop = graph->loop_of[node];
    for (int depth = 0; loop >= 0 && depth < MOST_DEPTH; depth++) {
        executions *= (uint64_t)iterations;
        loop = graph->loops[loop].parent;
    }
    return executions;
}

uint64_t simd_access_cost(const struct simd_kernel *kernel)
{
    const struct simd_graph *graph = simd_graph_build(kernel, 0, true, NULL);
    uint64_t cost = 0;
    for (size_t i = 0; i < simd_value_count(kernel); i++) {
        LLVMValueRef at = simd_value_at(kernel, i);
        if (LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL) {
            cost += cost_by_shape(kernel, at) * executions_at(graph, simd_node_of(kernel, at));
        }
    }
    return cost;
}
