/* How a value changes from one iteration of a loop to the next one: the step of an add-recurrence,
 * as LLVM's scalar evolution calls it.
 *
 *     for (int k = 0; k < n; k++) sum += a[row * n + k];
 *
 * k grows by 1, row * n by 0, and the address of the element by four bytes. The sum is computed in
 * 32 bits and then extended, so this holds only while the sum does not wrap around.
 *
 * An addition, a product with a constant, an extension or an address grows by what its operands
 * grow by. The recursion ends at phis of the loop's header and at values from outside the loop.
 * Growth by a number that is not constant is unknown. */
#include "simd/analysis/growth.h"

#include "ir/context.h"
#include "ir/indices.h"
#include "ir/value.h"
#include "simd/analysis/add_recurrence.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_node.h"
#include "simd/ir/memory.h"
#include "simd/ir/natural_loops.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdlib.h>

/* MOST: the numbers of the computation stay so small that they do not overflow. MOST_STEP: elements
 * from one iteration to the next one. */
enum { MOST_DEPTH = 10, BITS_OF_ADDRESS = 64, MOST_SHIFT = 6, MOST = 1 << 30, MOST_STEP = 8 };

struct search {
    const struct simd_graph *graph;
    int loop;
    struct simd_growth *result; /* the narrow numbers so far */
};

struct growth {
    bool is_known;
    int64_t by;
};

static const struct growth unknown = {.is_known = false}, none = {.is_known = true};

static struct growth growth_of(const struct search *search, LLVMValueRef value, unsigned depth);

static bool is_outside(const struct search *search, LLVMValueRef value)
{
    return !simd_is_in_loop(search->graph, search->loop, value);
}

static struct growth by_constant(LLVMValueRef value)
{
    bool is_constant = value != NULL && LLVMIsAConstantInt(value) != NULL &&
                       LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= BITS_OF_ADDRESS;
    int64_t by = is_constant ? LLVMConstIntGetSExtValue(value) : 0;
    return is_constant && by >= -MOST && by <= MOST ? (struct growth){true, by} : unknown;
}

/* A pointer that is advanced by a constant number of bytes. */
static struct growth growth_of_pointer(const struct search *search, LLVMValueRef phi)
{
    for (unsigned i = 0; i < 2; i++) {
        int64_t by = 0;
        LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        bool is_next = !is_outside(search, next) && simd_without_constants(next, &by) == phi &&
                       llabs(by) <= MOST;
        if (is_next && is_outside(search, LLVMGetIncomingValue(phi, 1 - i))) {
            return (struct growth){true, by};
        }
    }
    return unknown;
}

/* The phi of an inner loop does not grow from one iteration of this loop to the next one. */
static struct growth growth_of_phi(const struct search *search, LLVMValueRef phi)
{
    int header = (int)search->graph->loops[search->loop].header;
    if (simd_node_of(simd_kernel_of(search->graph), phi) != header || LLVMCountIncoming(phi) != 2) {
        return unknown;
    }
    return LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMPointerTypeKind
               ? growth_of_pointer(search, phi)
               : by_constant(simd_step_of(search->graph, search->loop, phi));
}

/* The extension grows as the narrow number does, if that does not wrap around. */
static struct growth growth_of_extension(const struct search *search, LLVMValueRef extension,
                                         unsigned depth)
{
    LLVMValueRef value = LLVMGetOperand(extension, 0);
    struct growth result = growth_of(search, value, depth);
    if (result.is_known && result.by != 0) {
        struct simd_narrow narrow = {
            .value = value, .by = result.by, .is_signed = LLVMIsASExtInst(extension) != NULL};
        LOWER_PUSH(search->result->narrow, search->result->narrow_count, narrow);
    }
    return result;
}

static struct growth growth_of_sum(const struct search *search, LLVMValueRef sum, unsigned depth)
{
    struct growth a = growth_of(search, LLVMGetOperand(sum, 0), depth);
    struct growth b = growth_of(search, LLVMGetOperand(sum, 1), depth);
    bool is_minus = LLVMGetInstructionOpcode(sum) == LLVMSub;
    return (struct growth){.is_known = a.is_known && b.is_known,
                           .by = is_minus ? a.by - b.by : a.by + b.by};
}

static struct growth growth_of_product(const struct search *search, LLVMValueRef product,
                                       unsigned depth)
{
    struct growth result = growth_of(search, LLVMGetOperand(product, 0), depth);
    struct growth factor = by_constant(LLVMGetOperand(product, 1));
    bool is_shift = LLVMGetInstructionOpcode(product) == LLVMShl;
    if (!result.is_known || !factor.is_known ||
        (is_shift && (factor.by < 0 || factor.by > MOST_SHIFT))) {
        return unknown;
    }
    return (struct growth){true, result.by * (is_shift ? (int64_t)1 << factor.by : factor.by)};
}

/* A number that is added to the address, times the size of its element. */
static struct growth growth_of_index(const struct search *search, const struct lower_index *index,
                                     unsigned depth)
{
    struct growth result = growth_of(search, index->number, depth);
    bool is_wide = LLVMGetIntTypeWidth(LLVMTypeOf(index->number)) == BITS_OF_ADDRESS;
    if (!result.is_known || index->bytes > MOST || (!is_wide && result.by != 0)) {
        return unknown;
    }
    return (struct growth){true, result.by * (int64_t)index->bytes};
}

/* The field of a structure is a constant, which adds nothing. */
static struct growth growth_of_address(const struct search *search, LLVMValueRef address,
                                       unsigned depth)
{
    LLVMTargetDataRef layout = simd_context_of(simd_kernel_of(search->graph))->layout;
    struct growth result = growth_of(search, LLVMGetOperand(address, 0), depth);
    LLVMTypeRef type = NULL;
    unsigned count = (unsigned)LLVMGetNumOperands(address);
    for (unsigned i = 1; result.is_known && i < count; i++) {
        struct lower_index index = lower_index_of(layout, address, i, &type);
        struct growth more = index.number == NULL ? none : growth_of_index(search, &index, depth);
        result = (struct growth){.is_known = more.is_known, .by = result.by + more.by};
    }
    return result;
}

/* Of an instruction of the loop that is no phi. */
static struct growth growth_of_operation(const struct search *search, LLVMValueRef value,
                                         unsigned depth)
{
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMGetElementPtr:
        return growth_of_address(search, value, depth);
    case LLVMSExt:
    case LLVMZExt:
        return growth_of_extension(search, value, depth);
    case LLVMTrunc:
        return growth_of(search, LLVMGetOperand(value, 0), depth);
    case LLVMAdd:
    case LLVMSub:
        return growth_of_sum(search, value, depth);
    case LLVMOr:
        return LLVMGetIsDisjoint(value) ? growth_of_sum(search, value, depth) : unknown;
    case LLVMMul:
    case LLVMShl:
        return growth_of_product(search, value, depth);
    default:
        return unknown;
    }
}

static struct growth growth_of(const struct search *search, LLVMValueRef value, unsigned depth)
{
    if (is_outside(search, value)) {
        return none;
    }
    if (LLVMIsAPHINode(value) != NULL) {
        return growth_of_phi(search, value);
    }
    struct growth result = depth == 0 ? unknown : growth_of_operation(search, value, depth - 1);
    return result.is_known && llabs(result.by) <= MOST ? result : unknown;
}

struct simd_growth simd_growth_of(const struct simd_graph *graph, int loop, LLVMValueRef value)
{
    struct simd_growth result = {.is_known = false};
    struct search search = {.graph = graph, .loop = loop, .result = &result};
    struct growth growth = growth_of(&search, value, MOST_DEPTH);
    result.is_known = growth.is_known;
    result.by = growth.by;
    return result;
}

bool simd_walks_along(const struct simd_graph *graph, int loop, LLVMValueRef access)
{
    LLVMTargetDataRef layout = simd_context_of(simd_kernel_of(graph))->layout;
    struct simd_growth growth = simd_growth_of(graph, loop, simd_accessed(access));
    int64_t most = MOST_STEP * (int64_t)LLVMABISizeOfType(layout, simd_accessed_type(access));
    return growth.is_known && growth.by != 0 && llabs(growth.by) <= most;
}
