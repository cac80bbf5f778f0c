/* How far apart the addresses are at which neighbouring blocks, or a loop's turns, read.
 *
 * Found in the kernel's own arithmetic; what depends on memory, or on a choice, is not known.  That
 * numbers may wrap around is left out: the answers are for hints (plan/prefetch_loop.c,
 * plan/prefetch_blocks.c), and for what is faster only if they hold (plan/nontemporal.c). */
#include "simd/analysis/affine.h"

#include "simd/analysis/facts.h"
#include "simd/ir/instructions.h"
#include "simd/analysis/chunk_conditions.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/dominators.h"
#include "simd/ir/region_cfg.h"

#include "abi/cdp_abi.h"

enum { MOST_DEPTH = 12 };

struct walk {
    struct simd_emit *emit;
    int loop; /* of its turns; -1: blocks that lie side by side in the grid's x */
};

static struct simd_slope slope_of(const struct walk *walk, LLVMValueRef value, unsigned depth);

static const struct simd_slope unknown = {.is_known = false}, none = {.is_known = true};

static struct simd_slope sum(const struct walk *walk, struct simd_slope a, struct simd_slope b,
                             LLVMOpcode opcode)
{
    LLVMBuilderRef builder = walk->emit->builder;
    if (!a.is_known || !b.is_known) {
        return unknown;
    }
    if (b.by == NULL) {
        return a;
    }
    a.by = a.by == NULL ? simd_int(walk->emit->lower->i64, 0) : a.by;
    a.by = opcode == LLVMSub ? LLVMBuildSub(builder, a.by, b.by, "")
                             : LLVMBuildAdd(builder, a.by, b.by, "");
    return a;
}

static struct simd_slope times(const struct walk *walk, struct simd_slope slope, int64_t factor)
{
    if (slope.by != NULL) {
        LLVMValueRef by = simd_int(walk->emit->lower->i64, factor);
        slope.by = LLVMBuildMul(walk->emit->builder, slope.by, by, "");
    }
    return slope;
}

/* A value that is the same all over the block, and is at hand: i64; else NULL. */
static LLVMValueRef number_of(const struct walk *walk, LLVMValueRef value)
{
    enum { DIMENSION = offsetof(struct cdp_abi_block, block_dim) };
    struct simd_emit *emit = walk->emit;
    LLVMTypeRef i64 = emit->lower->i64;
    int dimension = simd_field(value) - DIMENSION;
    if (LLVMIsAConstantInt(value) != NULL) {
        return simd_int(i64, LLVMConstIntGetSExtValue(value));
    }
    if (dimension >= 0 && dimension < 12) {
        return LLVMBuildZExt(emit->builder, emit->dimension[dimension / 4], i64, "");
    }
    if (walk->loop < 0 || simd_shape_of(emit->kernel, value).kind > SHAPE_UNIFORM ||
        !simd_is_at_hand(emit, value)) {
        return NULL;
    }
    struct simd_value made = simd_get(emit, value);
    return LLVMBuildIntCast2(emit->builder, made.scalar[0], i64, 1, "");
}

static bool is_inside(const struct simd_graph *graph, int loop, LLVMValueRef value)
{
    int number = simd_number(graph->kernel, value);
    int node = number < 0 ? -1 : graph->kernel->node_of[number];
    return node >= 0 && simd_in_loop(graph, loop, (unsigned)node);
}

LLVMValueRef simd_step_of(const struct simd_graph *graph, int loop, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        if (LLVMIsAInstruction(next) == NULL || LLVMGetInstructionOpcode(next) != LLVMAdd) {
            continue;
        }
        unsigned other = LLVMGetOperand(next, 0) == phi;
        LLVMValueRef step = LLVMGetOperand(next, other);
        if (LLVMGetOperand(next, !other) == phi && !is_inside(graph, loop, step)) {
            return step;
        }
    }
    return NULL;
}

static struct simd_slope slope_of_phi(const struct walk *walk, LLVMValueRef phi, unsigned depth)
{
    const struct simd_graph *graph = walk->emit->graph;
    int node = graph->kernel->node_of[simd_number(graph->kernel, phi)];
    if (walk->loop < 0) { /* between the same turns of two blocks */
        LLVMValueRef start = simd_start_of_stride(graph->kernel, phi);
        return start == NULL ? unknown : slope_of(walk, start, depth);
    }
    if (node != (int)graph->loops[walk->loop].header) {
        return unknown;
    }
    LLVMValueRef step = simd_step_of(graph, walk->loop, phi);
    LLVMValueRef by = step == NULL ? NULL : number_of(walk, step);
    return (struct simd_slope){by != NULL, by};
}

static struct simd_slope slope_of_load(const struct walk *walk, LLVMValueRef load)
{
    int64_t offset;
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    int field = simd_field(load);
    if (walk->loop < 0 && field == (int)offsetof(struct cdp_abi_block, block_idx)) {
        return (struct simd_slope){true, simd_int(walk->emit->lower->i64, 1)};
    }
    bool is_same = field >= 0 || simd_self_field(load) >= 0 || simd_is_self(load) ||
                   (base != NULL && base == LLVMGetParam(walk->emit->kernel->function, 0));
    return is_same ? none : unknown;
}

static struct simd_slope slope_of_product(const struct walk *walk, LLVMValueRef product,
                                          unsigned depth)
{
    struct simd_slope sides[2];
    for (unsigned i = 0; i < 2; i++) {
        sides[i] = slope_of(walk, LLVMGetOperand(product, i), depth);
        if (!sides[i].is_known) {
            return unknown;
        }
    }
    unsigned which = sides[0].by == NULL;
    if (sides[which].by == NULL) {
        return none;
    }
    LLVMValueRef by =
        sides[!which].by != NULL ? NULL : number_of(walk, LLVMGetOperand(product, !which));
    if (by == NULL) {
        return unknown;
    }
    by = LLVMBuildMul(walk->emit->builder, sides[which].by, by, "");
    return (struct simd_slope){true, by};
}

static struct simd_slope slope_of_shift(const struct walk *walk, LLVMValueRef shift, unsigned depth)
{
    LLVMValueRef by = LLVMGetOperand(shift, 1);
    struct simd_slope slope = slope_of(walk, LLVMGetOperand(shift, 0), depth);
    bool is_number = LLVMIsAConstantInt(by) != NULL && LLVMConstIntGetZExtValue(by) < 32;
    return is_number ? times(walk, slope, INT64_C(1) << LLVMConstIntGetZExtValue(by)) : unknown;
}

static struct simd_slope slope_of_address(const struct walk *walk, LLVMValueRef address,
                                          unsigned depth)
{
    if (LLVMGetNumOperands(address) != 2) {
        return unknown;
    }
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    int64_t size = (int64_t)LLVMABISizeOfType(walk->emit->lower->layout, type);
    struct simd_slope index = slope_of(walk, LLVMGetOperand(address, 1), depth);
    return sum(walk, slope_of(walk, LLVMGetOperand(address, 0), depth), times(walk, index, size),
               LLVMAdd);
}

static struct simd_slope slope_of(const struct walk *walk, LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAInstruction(value) == NULL ||
        (walk->loop >= 0 && !is_inside(walk->emit->graph, walk->loop, value))) {
        return none;
    }
    if (depth == 0) {
        return unknown;
    }
    depth--;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    switch ((int)opcode) {
    case LLVMPHI:
        return slope_of_phi(walk, value, depth);
    case LLVMLoad:
        return slope_of_load(walk, value);
    case LLVMOr: /* of bits that are apart, in an index */
    case LLVMAdd:
    case LLVMSub:
        return sum(walk, slope_of(walk, LLVMGetOperand(value, 0), depth),
                   slope_of(walk, LLVMGetOperand(value, 1), depth), opcode);
    case LLVMMul:
        return slope_of_product(walk, value, depth);
    case LLVMShl:
        return slope_of_shift(walk, value, depth);
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMFreeze:
        return slope_of(walk, LLVMGetOperand(value, 0), depth);
    case LLVMGetElementPtr:
        return slope_of_address(walk, value, depth);
    default:
        return unknown;
    }
}

struct simd_slope simd_slope_by_block(struct simd_emit *emit, LLVMValueRef value)
{
    struct walk walk = {.emit = emit, .loop = -1};
    return slope_of(&walk, value, MOST_DEPTH);
}

struct simd_slope simd_slope_by_turn(struct simd_emit *emit, int loop, LLVMValueRef value)
{
    struct walk walk = {.emit = emit, .loop = loop};
    return slope_of(&walk, value, MOST_DEPTH);
}

/* In place of blockDim.x, which may be a number or not, one that no number of the program is. */
bool simd_continues_in_next_block(const struct simd_emit *emit, LLVMValueRef address, int64_t size)
{
    enum { STANDS_FOR_DIMENSION = 15485863, MOST_THREADS = 1024 };
    struct simd_emit probe = *emit;
    struct walk walk = {.emit = &probe, .loop = -1};
    probe.dimension[0] = simd_int(emit->lower->i32, STANDS_FOR_DIMENSION);
    struct simd_slope slope = slope_of(&walk, address, MOST_DEPTH);
    if (slope.by == NULL || LLVMIsAConstantInt(slope.by) == NULL) {
        return false;
    }
    int64_t by = LLVMConstIntGetSExtValue(slope.by);
    return by == STANDS_FOR_DIMENSION * size || (by > 0 && by <= MOST_THREADS * size);
}
