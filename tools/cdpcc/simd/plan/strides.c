/* The distance between the addresses that neighbouring blocks, or a loop's iterations, access.
 *
 * It is derived from the kernel's own arithmetic; a value that depends on memory or on a branch is
 * unknown.  Wrap-around is ignored: the results are used for hints (plan/prefetch_loop.c,
 * plan/prefetch_blocks.c), and for stores that are correct in any case (plan/nontemporal.c).
 *
 * In terms of scalar evolution, this is the coefficient of an affine expression, over blocks or
 * over iterations:
 *
 *     a[blockIdx.x * blockDim.x + threadIdx.x]    by block: blockDim.x * 4 bytes
 *     m[k * n + i]                                by iteration of k: n * 4 bytes
 *     a[b[i]]                                     unknown
 *
 * Takes: a value of the kernel. Gives: an expression tree over constants, dimensions of the block,
 * and uniform values of the kernel; or "the same" or "unknown". Recursion is limited by
 * MOST_DEPTH. */
#include "simd/plan/strides.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "simd/analysis/add_recurrence.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/variant.h"
#include "simd/plan/available.h"
#include "simd/plan/plan.h"
#include "support/arena.h"

#include <llvm-c/Core.h>

enum { MOST_DEPTH = 12 };

/* The computation of one stride: between two blocks, or between two iterations. */
struct walk {
    const struct simd_kernel *kernel;
    const struct simd_path *path; /* for iterations; NULL: for blocks */
    const struct simd_graph *graph;
    int loop;      /* for its iterations; -1: for blocks that are neighbours along the grid's x */
    unsigned node; /* for iterations: where the stride is computed */
};

/* Arguments, constants, and values from outside the loop have no stride. */
static struct simd_stride stride_of(const struct walk *walk, LLVMValueRef value, unsigned depth);

static const struct simd_stride unknown = {.is_known = false}, none = {.is_known = true};

/* The expression is in the arena. */
static const struct simd_expression *new_term(enum simd_term term, int64_t number,
                                              LLVMValueRef value)
{
    struct simd_expression *result = arena_alloc(sizeof *result);
    *result = (struct simd_expression){.term = term, .number = number, .value = value};
    return result;
}

static const struct simd_expression *combine(enum simd_term term, const struct simd_expression *a,
                                             const struct simd_expression *b)
{
    struct simd_expression *result = arena_alloc(sizeof *result);
    *result = (struct simd_expression){.term = term, .operands = {a, b}};
    return result;
}

/* An expression of NULL means zero, so trees stay small. */
static struct simd_stride sum(struct simd_stride a, struct simd_stride b, LLVMOpcode opcode)
{
    if (!a.is_known || !b.is_known) {
        return unknown;
    }
    if (b.by == NULL) {
        return a;
    }
    a.by = a.by == NULL ? new_term(TERM_NUMBER, 0, NULL) : a.by;
    a.by = combine(opcode == LLVMSub ? TERM_DIFFERENCE : TERM_SUM, a.by, b.by);
    return a;
}

static struct simd_stride times(struct simd_stride stride, int64_t factor)
{
    if (stride.by != NULL) {
        stride.by = combine(TERM_PRODUCT, stride.by, new_term(TERM_NUMBER, factor, NULL));
    }
    return stride;
}

/* The expression of a value that is uniform for the block and available; NULL: it is not. */
static const struct simd_expression *number_of(const struct walk *walk, LLVMValueRef value)
{
    enum { DIMENSION = offsetof(struct cdp_abi_block, block_dim) };
    int dimension = simd_field(value) - DIMENSION;
    if (LLVMIsAConstantInt(value) != NULL) {
        return new_term(TERM_NUMBER, LLVMConstIntGetSExtValue(value), NULL);
    }
    if (dimension >= 0 && dimension < 12) {
        return new_term(TERM_DIMENSION, dimension / 4, NULL);
    }
    if (walk->loop < 0 || !simd_is_uniform(walk->kernel, value) ||
        !simd_is_available(walk->path, walk->graph, walk->node, value)) {
        return NULL;
    }
    return new_term(TERM_VALUE, 0, value);
}

static struct simd_stride stride_of_phi(const struct walk *walk, LLVMValueRef phi, unsigned depth)
{
    int node = simd_node_of(walk->kernel, phi);
    if (walk->loop < 0) { /* the difference is that between the same iterations of two blocks */
        LLVMValueRef start = simd_start_of_stride(walk->kernel, phi);
        return start == NULL ? unknown : stride_of(walk, start, depth);
    }
    if (node != (int)walk->graph->loops[walk->loop].header) {
        return unknown;
    }
    LLVMValueRef step = simd_step_of(walk->graph, walk->loop, phi);
    const struct simd_expression *by = step == NULL ? NULL : number_of(walk, step);
    return (struct simd_stride){by != NULL, by};
}

/* Parameters and fields of the context are the same for all blocks, except blockIdx.x, which grows
 * by one. Other memory is unknown. */
static struct simd_stride stride_of_load(const struct walk *walk, LLVMValueRef load)
{
    int64_t offset;
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    int field = simd_field(load);
    if (walk->loop < 0 && field == (int)offsetof(struct cdp_abi_block, block_idx)) {
        return (struct simd_stride){true, new_term(TERM_NUMBER, 1, NULL)};
    }
    bool is_same = field >= 0 || simd_self_field(load) >= 0 || simd_is_self(load) ||
                   (base != NULL && base == LLVMGetParam(simd_function_of(walk->kernel), 0));
    return is_same ? none : unknown;
}

/* One factor may have a stride; the other one must be a number that is known where the entry runs.
 */
static struct simd_stride stride_of_product(const struct walk *walk, LLVMValueRef product,
                                            unsigned depth)
{
    struct simd_stride sides[2];
    for (unsigned i = 0; i < 2; i++) {
        sides[i] = stride_of(walk, LLVMGetOperand(product, i), depth);
        if (!sides[i].is_known) {
            return unknown;
        }
    }
    unsigned which = sides[0].by == NULL;
    if (sides[which].by == NULL) {
        return none;
    }
    const struct simd_expression *by =
        sides[!which].by != NULL ? NULL : number_of(walk, LLVMGetOperand(product, !which));
    if (by == NULL) {
        return unknown;
    }
    return (struct simd_stride){true, combine(TERM_PRODUCT, sides[which].by, by)};
}

static struct simd_stride stride_of_shift(const struct walk *walk, LLVMValueRef shift,
                                          unsigned depth)
{
    LLVMValueRef by = LLVMGetOperand(shift, 1);
    struct simd_stride stride = stride_of(walk, LLVMGetOperand(shift, 0), depth);
    bool is_number = LLVMIsAConstantInt(by) != NULL && LLVMConstIntGetZExtValue(by) < 32;
    return is_number ? times(stride, INT64_C(1) << LLVMConstIntGetZExtValue(by)) : unknown;
}

/* The stride of an address with several indices is unknown. */
static struct simd_stride stride_of_address(const struct walk *walk, LLVMValueRef address,
                                            unsigned depth)
{
    if (LLVMGetNumOperands(address) != 2) {
        return unknown;
    }
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    int64_t size = (int64_t)LLVMABISizeOfType(simd_context_of(walk->kernel)->layout, type);
    struct simd_stride index = stride_of(walk, LLVMGetOperand(address, 1), depth);
    return sum(stride_of(walk, LLVMGetOperand(address, 0), depth), times(index, size), LLVMAdd);
}

static struct simd_stride stride_of(const struct walk *walk, LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAInstruction(value) == NULL ||
        (walk->loop >= 0 && !simd_is_in_loop(walk->graph, walk->loop, value))) {
        return none;
    }
    if (depth == 0) {
        return unknown;
    }
    depth--;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    switch ((int)opcode) {
    case LLVMPHI:
        return stride_of_phi(walk, value, depth);
    case LLVMLoad:
        return stride_of_load(walk, value);
    case LLVMOr: /* of disjoint bits, in an index */
    case LLVMAdd:
    case LLVMSub:
        return sum(stride_of(walk, LLVMGetOperand(value, 0), depth),
                   stride_of(walk, LLVMGetOperand(value, 1), depth), opcode);
    case LLVMMul:
        return stride_of_product(walk, value, depth);
    case LLVMShl:
        return stride_of_shift(walk, value, depth);
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMFreeze:
        return stride_of(walk, LLVMGetOperand(value, 0), depth);
    case LLVMGetElementPtr:
        return stride_of_address(walk, value, depth);
    default:
        return unknown;
    }
}

struct simd_stride simd_stride_by_block(const struct simd_kernel *kernel, LLVMValueRef value)
{
    struct walk walk = {.kernel = kernel, .loop = -1};
    return stride_of(&walk, value, MOST_DEPTH);
}

struct simd_stride simd_stride_by_iteration(const struct simd_path *path,
                                            const struct simd_graph *graph, int loop, unsigned node,
                                            LLVMValueRef value)
{
    struct walk walk = {
        .kernel = simd_kernel_of(graph), .path = path, .graph = graph, .loop = loop, .node = node};
    return stride_of(&walk, value, MOST_DEPTH);
}

/* ---- numbers ---- */

/* False: the value is unknown. It is for these dimensions of the block, of which -1 is an unknown
 * one. Sums wrap around as those of the entry do. */
static bool evaluate(const struct simd_expression *expression, const int64_t dimensions[3],
                     int64_t *number)
{
    int64_t sides[2] = {0, 0};
    for (unsigned i = 0; i < 2 && expression->operands[i] != NULL; i++) {
        if (!evaluate(expression->operands[i], dimensions, &sides[i])) {
            return false;
        }
    }
    switch (expression->term) {
    case TERM_NUMBER:
        *number = expression->number;
        return true;
    case TERM_DIMENSION:
        *number = dimensions[expression->number];
        return *number >= 0;
    case TERM_VALUE:
        return false;
    case TERM_SUM:
        *number = (int64_t)((uint64_t)sides[0] + (uint64_t)sides[1]);
        return true;
    case TERM_DIFFERENCE:
        *number = (int64_t)((uint64_t)sides[0] - (uint64_t)sides[1]);
        return true;
    case TERM_PRODUCT:
        *number = (int64_t)((uint64_t)sides[0] * (uint64_t)sides[1]);
        return true;
    }
    return false;
}

/* -1 means an unknown dimension. */
static void available_dimensions(const struct simd_kernel *kernel, int64_t dimensions[3])
{
    const struct simd_size *size = simd_variant_of(kernel)->size;
    dimensions[0] = size == NULL ? -1 : (int64_t)size->x;
    dimensions[1] = size == NULL ? -1 : (int64_t)size->y;
    dimensions[2] = size == NULL ? -1 : (int64_t)size->z;
}

bool simd_expression_is_number(const struct simd_kernel *kernel,
                               const struct simd_expression *expression, int64_t *number)
{
    int64_t dimensions[3];
    available_dimensions(kernel, dimensions);
    return evaluate(expression, dimensions, number);
}

/* The value used for blockDim.x, known or not: a number that no constant of a program is. */
bool simd_continues_in_next_block(const struct simd_kernel *kernel, LLVMValueRef address,
                                  int64_t size)
{
    enum { STANDS_FOR_DIMENSION = 15485863, MOST_THREADS = 1024 };
    int64_t dimensions[3], by;
    available_dimensions(kernel, dimensions);
    dimensions[0] = STANDS_FOR_DIMENSION;
    struct simd_stride stride = simd_stride_by_block(kernel, address);
    if (stride.by == NULL || !evaluate(stride.by, dimensions, &by)) {
        return false;
    }
    return by == STANDS_FOR_DIMENSION * size || (by > 0 && by <= MOST_THREADS * size);
}
