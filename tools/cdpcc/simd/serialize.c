/* Launches of small grids become loops: the launching thread runs the child itself.
 *
 *     child<<<(n + 31) / 32, 32>>>(p, n);
 *
 * is
 *
 *     buffer = cudaGetParameterBuffer(...);            if (the child may be serialized)
 *     if (buffer != NULL) {                                serial(p, n, threads, 32);
 *         *buffer = { p, n };                   ->     else {
 *         cudaLaunchDevice(child, buffer, ...);            buffer = ...     as before
 *     }                                                }
 *
 * Programs with dynamic parallelism often launch a grid for each element of a list, and most grids
 * have few threads with work.  Then a launch takes longer than its child.
 *
 * The child may be serialized if
 *   - its kernel is of this unit, is small and waits for nothing (serial_form.c), and some launch
 *     may have more than two threads,
 *   - it is in the NULL stream, no earlier grid of that stream is still running or stored, and
 *     launches are not counted, traced or ordered by a seed (cdp_abi_block.serial_children),
 *   - it has no loop; or it has one block, which one worker runs in any case; or there is no other
 *     worker,
 *   - the launch is valid, of one dimension, and without dynamic shared memory,
 *   - no parameter is a pointer to private memory, which a launch must report, and
 *   - few of its threads have work: the grid has at most MOST_THREADS, or thread MOST_THREADS
 *     returns at once.
 *
 * Grids in one stream run one after the other.  So the call is not vectorized: block entries make
 * it for one lane after the other.
 *
 * The parameters need no buffer: the arguments of the call are the values that were stored to it.
 * All that computes them moves before the launch. */
#include "simd/serialize.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "ir/module.h"
#include "ir/options.h"
#include "ir/report.h"
#include "ir/user_location.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/analysis/progress.h"
#include "simd/build.h"
#include "simd/ir/calls.h"
#include "simd/ir/graph.h"
#include "simd/ir/graph_build.h"
#include "simd/ir/kernel.h"
#include "simd/ir/memory.h"
#include "simd/prepare/serial_child.h"
#include "simd/prepare/serial_form.h"
#include "simd/versions.h"
#include "support/arena.h"
#include "support/str.h"

#include <llvm-c/DebugInfo.h>
#include <stddef.h>
#include <string.h>

/* Threads of a child that has work for its parent's code only up to there: with more, vectors are
 * faster.  Threads of a block or grid.  Nesting levels, of which the first generation of dynamic
 * parallelism has 24.  cudaStreamPerThread, the last handle of a block's NULL stream. */
enum { MOST_THREADS = 48, MOST_OF_GRID = 1024, MOST_DEPTH = 22, PER_THREAD_STREAM = 2 };

/* Operands of cdp_abi_cudaLaunchDevice: dimensions are pairs of 32 bits and a third one. */
enum { KERNEL, BUFFER, GRID_XY, GRID_Z, BLOCK_XY, BLOCK_Z, SHARED, STREAM, OPERANDS };

/* A launch in the source.  Life: one call of serialize(). */
struct site {
    struct lower_context *lower;
    LLVMBuilderRef builder;
    const struct simd_serial_child *child;
    LLVMValueRef buffer, test, launch; /* of the parameters; its comparison with NULL; both calls */
    LLVMBasicBlockRef from, to;        /* with the buffer's call; with the launch */
    LLVMValueRef *arguments;           /* of the child */
    LLVMValueRef *pointers;            /* all pointers in the parameters */
};

/* ---- the form of a launch ---- */

static bool is_launch(LLVMValueRef at)
{
    return LLVMIsACallInst(at) != NULL && LLVMGetNumArgOperands(at) == OPERANDS &&
           str_equals(simd_callee_name(at), "cdp_abi_cudaLaunchDevice");
}

static bool is_of_buffer(const struct site *site, LLVMValueRef address, int64_t *offset)
{
    return simd_address_base(address, offset) == site->buffer;
}

static bool is_test(const struct site *site, LLVMValueRef at)
{
    return LLVMIsAICmpInst(at) != NULL && LLVMGetICmpPredicate(at) == LLVMIntEQ &&
           LLVMGetOperand(at, 0) == site->buffer && LLVMIsNull(LLVMGetOperand(at, 1)) &&
           LLVMGetNextUse(LLVMGetFirstUse(at)) == NULL;
}

/* What an instruction writes to the buffer: size bytes from the offset; 0: nothing. */
struct part {
    uint64_t offset, size;
};

static struct part part_written(const struct site *site, LLVMValueRef at)
{
    LLVMTargetDataRef layout = site->lower->layout;
    int64_t offset;
    bool is_store = LLVMIsAStoreInst(at) != NULL;
    bool is_fill = LLVMIsAMemCpyInst(at) != NULL || LLVMIsAMemSetInst(at) != NULL;
    if ((!is_store && !is_fill) || (is_store && LLVMGetVolatile(at)) ||
        !is_of_buffer(site, LLVMGetOperand(at, is_store ? 1 : 0), &offset)) {
        return (struct part){0, 0};
    }
    if (is_store) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(at, 0));
        return (struct part){(uint64_t)offset, LLVMStoreSizeOfType(layout, type)};
    }
    LLVMValueRef length = LLVMGetOperand(at, 2);
    bool is_known = LLVMIsAConstantInt(length) != NULL;
    return (struct part){(uint64_t)offset, is_known ? LLVMConstIntGetZExtValue(length) : 0};
}

/* Whether the instruction stores a parameter, or computes the address for that. */
static bool fills_buffer(const struct site *site, LLVMValueRef at)
{
    int64_t offset;
    return LLVMIsAGetElementPtrInst(at) != NULL ? is_of_buffer(site, at, &offset)
                                                : part_written(site, at).size != 0;
}

/* Whether the instruction stays with the launch when the others move. */
static bool stays(const struct site *site, LLVMValueRef at)
{
    return fills_buffer(site, at) || (LLVMIsACallInst(at) != NULL && simd_is_hint(at));
}

/* A structure that is passed by value may be copied to a variable first. */
static bool writes_variable(LLVMValueRef at)
{
    int64_t offset;
    bool is_store = LLVMIsAStoreInst(at) != NULL && !LLVMGetVolatile(at);
    bool is_fill = LLVMIsAMemCpyInst(at) != NULL || LLVMIsAMemSetInst(at) != NULL;
    LLVMValueRef to = is_store ? LLVMGetOperand(at, 1) : is_fill ? LLVMGetOperand(at, 0) : NULL;
    LLVMValueRef base = to == NULL ? NULL : simd_address_base(to, &offset);
    return base != NULL && LLVMIsAAllocaInst(base) != NULL;
}

/* It has the same effect before the launch, where nothing else happens in between. */
static bool may_move(LLVMValueRef at)
{
    if (LLVMIsALoadInst(at) != NULL) {
        return !LLVMGetVolatile(at) && LLVMGetOrdering(at) == LLVMAtomicOrderingNotAtomic;
    }
    if (writes_variable(at)) {
        return true;
    }
    if (LLVMIsACallInst(at) != NULL) {
        return simd_is_pure_call(at);
    }
    return LLVMIsAStoreInst(at) == NULL && LLVMIsAAtomicRMWInst(at) == NULL &&
           LLVMIsAAtomicCmpXchgInst(at) == NULL && LLVMIsAFenceInst(at) == NULL &&
           LLVMIsAPHINode(at) == NULL && LLVMIsAAllocaInst(at) == NULL;
}

/* From the buffer's call to the branch that tests it. */
static bool is_right_start(struct site *site)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(site->from);
    if (LLVMIsABranchInst(end) == NULL || !LLVMIsConditional(end) ||
        !is_test(site, LLVMGetCondition(end)) || LLVMGetSuccessor(end, 1) != site->to ||
        LLVMGetSuccessor(end, 0) == site->to) {
        return false;
    }
    site->test = LLVMGetCondition(end);
    for (LLVMValueRef at = LLVMGetNextInstruction(site->buffer); at != end;
         at = LLVMGetNextInstruction(at)) {
        if (at != site->test && !may_move(at) && !stays(site, at)) {
            return false;
        }
    }
    return true;
}

/* From there to the launch.  The block has no other predecessor, since it needs the buffer. */
static bool is_right_end(const struct site *site)
{
    LLVMValueRef at = LLVMGetFirstInstruction(site->to);
    while (at != site->launch && (stays(site, at) || may_move(at))) {
        at = LLVMGetNextInstruction(at);
    }
    return at == site->launch;
}

/* All uses of the buffer are those that may go. */
static bool is_only_filled(const struct site *site)
{
    for (LLVMUseRef use = LLVMGetFirstUse(site->buffer); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_stored = LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 0) == site->buffer;
        bool is_known = user == site->test || user == site->launch || fills_buffer(site, user);
        if (!is_known || is_stored) {
            return false;
        }
    }
    return true;
}

static bool find_form(struct site *site)
{
    site->buffer = LLVMGetArgOperand(site->launch, BUFFER);
    if (!str_equals(simd_callee_name(site->buffer), "cdp_abi_cudaGetParameterBuffer")) {
        return false;
    }
    site->from = LLVMGetInstructionParent(site->buffer);
    site->to = LLVMGetInstructionParent(site->launch);
    LLVMValueRef align = LLVMGetArgOperand(site->buffer, 0);
    LLVMValueRef size = LLVMGetArgOperand(site->buffer, 1);
    enum { MOST_ALIGN = 64, MOST_SIZE = 4096 };
    return LLVMIsAConstantInt(align) != NULL && LLVMConstIntGetZExtValue(align) <= MOST_ALIGN &&
           LLVMIsAConstantInt(size) != NULL && LLVMConstIntGetZExtValue(size) <= MOST_SIZE &&
           is_right_start(site) && is_right_end(site) && is_only_filled(site);
}

/* ---- the arguments ---- */

/* A value as another type of the same size; NULL if it is none. */
static LLVMValueRef as_type(const struct site *site, LLVMValueRef value, LLVMTypeRef type)
{
    LLVMTypeRef from = LLVMTypeOf(value);
    LLVMTypeKind a = LLVMGetTypeKind(from), b = LLVMGetTypeKind(type);
    if (from == type) {
        return value;
    }
    if (LLVMSizeOfTypeInBits(site->lower->layout, from) !=
        LLVMSizeOfTypeInBits(site->lower->layout, type)) {
        return NULL;
    }
    return a == LLVMPointerTypeKind && b == LLVMIntegerTypeKind
               ? LLVMBuildPtrToInt(site->builder, value, type, "")
           : a == LLVMIntegerTypeKind && b == LLVMPointerTypeKind
               ? LLVMBuildIntToPtr(site->builder, value, type, "")
           : a != LLVMPointerTypeKind && b != LLVMPointerTypeKind
               ? LLVMBuildBitCast(site->builder, value, type, "")
               : NULL;
}

/* The value of a parameter that the instruction writes, together with others perhaps.  NULL: it
 * writes only a part of it, or another type. */
static LLVMValueRef value_written(const struct site *site, LLVMValueRef at, struct part part,
                                  const struct simd_serial_argument *argument)
{
    uint64_t size = LLVMStoreSizeOfType(site->lower->layout, argument->type);
    if (argument->offset < part.offset || argument->offset + size > part.offset + part.size) {
        return NULL;
    }
    if (LLVMIsAStoreInst(at) != NULL) {
        return argument->offset == part.offset
                   ? as_type(site, LLVMGetOperand(at, 0), argument->type)
                   : NULL;
    }
    LLVMValueRef from = LLVMGetOperand(at, 1);
    if (LLVMIsAMemSetInst(at) != NULL) {
        return LLVMIsAConstantInt(from) != NULL && LLVMIsNull(from) ? LLVMConstNull(argument->type)
                                                                    : NULL;
    }
    from = lower_field(site->lower, site->builder, from, argument->offset - part.offset, "");
    LLVMValueRef load = LLVMBuildLoad2(site->builder, argument->type, from, "");
    LLVMSetAlignment(load, 1);
    return load;
}

/* The builder is where all values are known.  NULL: it is not stored, or in parts, or twice. */
static LLVMValueRef value_of(const struct site *site, const struct simd_serial_argument *argument)
{
    uint64_t end = argument->offset + LLVMStoreSizeOfType(site->lower->layout, argument->type);
    LLVMValueRef result = NULL;
    for (LLVMValueRef at = LLVMGetFirstInstruction(site->to); at != site->launch;
         at = LLVMGetNextInstruction(at)) {
        struct part part = part_written(site, at);
        if (part.size == 0 || part.offset >= end || part.offset + part.size <= argument->offset) {
            continue;
        }
        LLVMValueRef value = value_written(site, at, part, argument);
        if (value == NULL || result != NULL) {
            return NULL;
        }
        result = value;
    }
    return result;
}

/* False: the value of a parameter is not known. */
static bool find_arguments(struct site *site)
{
    const struct simd_serial_child *child = site->child;
    const struct lower_pointers *pointers = &child->kernel->pointers;
    site->arguments = arena_alloc((child->count + 1) * sizeof *site->arguments);
    site->pointers = arena_alloc((pointers->count + 1) * sizeof *site->pointers);
    bool all = true;
    for (unsigned i = 0; i < child->count; i++) {
        site->arguments[i] = value_of(site, &child->arguments[i]);
        all &= site->arguments[i] != NULL;
    }
    for (size_t i = 0; i < pointers->count; i++) {
        const struct simd_serial_argument pointer = {pointers->pointers[i].offset,
                                                     site->lower->types.i64};
        site->pointers[i] = value_of(site, &pointer);
        all &= site->pointers[i] != NULL;
    }
    return all;
}

/* Moves what the launch needs before the branch, in order. */
static void move_values(const struct site *site)
{
    LLVMValueRef next, end = LLVMGetBasicBlockTerminator(site->from);
    for (LLVMValueRef at = LLVMGetFirstInstruction(site->to); at != site->launch; at = next) {
        next = LLVMGetNextInstruction(at);
        if (!stays(site, at)) {
            LLVMMetadataRef location = LLVMInstructionGetDebugLoc(at);
            LLVMInstructionRemoveFromParent(at);
            LLVMPositionBuilderBefore(site->builder, end);
            LLVMInsertIntoBuilder(site->builder, at);
            LLVMInstructionSetDebugLoc(at, location);
        }
    }
}

/* ---- the test ---- */

/* The conditions so far, and all of its factors. */
static LLVMValueRef and_also(const struct site *site, LLVMValueRef so_far, LLVMValueRef condition)
{
    return LLVMBuildAnd(site->builder, so_far, condition, "");
}

static LLVMValueRef compare(const struct site *site, LLVMIntPredicate predicate, LLVMValueRef value,
                            uint64_t with)
{
    return LLVMBuildICmp(site->builder, predicate, value, LLVMConstInt(LLVMTypeOf(value), with, 0),
                         "");
}

static LLVMValueRef low_half(const struct site *site, LLVMValueRef pair)
{
    return LLVMBuildTrunc(site->builder, pair, site->lower->types.i32, "");
}

static LLVMValueRef high_half(const struct site *site, LLVMValueRef pair)
{
    LLVMValueRef shift = LLVMConstInt(site->lower->types.i64, 32, 0);
    return low_half(site, LLVMBuildLShr(site->builder, pair, shift, ""));
}

/* At least 1 and at most MOST_OF_GRID. */
static LLVMValueRef is_in_range(const struct site *site, LLVMValueRef dimension)
{
    LLVMValueRef one = LLVMConstInt(site->lower->types.i32, 1, 0);
    return compare(site, LLVMIntULT, LLVMBuildSub(site->builder, dimension, one, ""), MOST_OF_GRID);
}

/* The grid's threads, and whether the launch is one that may be serialized. */
struct shape {
    LLVMValueRef threads, block_dim, is_right;
};

static struct shape shape_of(const struct site *site)
{
    const struct lower_kernel *kernel = site->child->kernel;
    LLVMValueRef grid = LLVMGetArgOperand(site->launch, GRID_XY);
    LLVMValueRef block = LLVMGetArgOperand(site->launch, BLOCK_XY);
    LLVMValueRef blocks = low_half(site, grid);
    struct shape shape = {.block_dim = low_half(site, block)};
    LLVMValueRef is_right = is_in_range(site, blocks);
    is_right = and_also(site, is_right, is_in_range(site, shape.block_dim));
    if (kernel->max_threads != 0) {
        is_right = and_also(site, is_right,
                            compare(site, LLVMIntULE, shape.block_dim, kernel->max_threads));
    }
    const LLVMValueRef ones[] = {high_half(site, grid), LLVMGetArgOperand(site->launch, GRID_Z),
                                 high_half(site, block), LLVMGetArgOperand(site->launch, BLOCK_Z)};
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++) {
        is_right = and_also(site, is_right, compare(site, LLVMIntEQ, ones[i], 1));
    }
    LLVMValueRef shared = LLVMGetArgOperand(site->launch, SHARED);
    is_right = and_also(site, is_right, compare(site, LLVMIntEQ, shared, 0));
    LLVMValueRef stream = LLVMBuildPtrToInt(site->builder, LLVMGetArgOperand(site->launch, STREAM),
                                            site->lower->types.i64, "");
    is_right = and_also(site, is_right, compare(site, LLVMIntULE, stream, PER_THREAD_STREAM));
    shape.threads = LLVMBuildMul(site->builder, blocks, shape.block_dim, "");
    shape.is_right =
        and_also(site, is_right, compare(site, LLVMIntULE, shape.threads, MOST_OF_GRID));
    return shape;
}

/* The runtime allows it in this block. */
static LLVMValueRef is_allowed(const struct site *site, const struct shape *shape)
{
    LLVMBuilderRef b = site->builder;
    LLVMValueRef block = lower_block(site->lower, b);
    LLVMValueRef at =
        lower_field(site->lower, b, block, offsetof(struct cdp_abi_block, serial_children), "");
    LLVMValueRef allowed = LLVMBuildLoad2(b, site->lower->types.i32, at, "serial_children");
    LLVMValueRef is_right = compare(site, LLVMIntUGE, allowed, CDP_SERIAL_BRIEF);
    if (site->child->has_loops) {
        LLVMValueRef one_block = LLVMBuildICmp(b, LLVMIntEQ, shape->threads, shape->block_dim, "");
        LLVMValueRef all = compare(site, LLVMIntEQ, allowed, CDP_SERIAL_ALL);
        is_right = and_also(site, is_right, LLVMBuildOr(b, all, one_block, ""));
    }
    LLVMValueRef depth = lower_load_const(
        site->lower, b, site->lower->types.i32,
        lower_field(site->lower, b, block, offsetof(struct cdp_abi_block, depth), ""), "");
    return and_also(site, is_right, compare(site, LLVMIntULE, depth, MOST_DEPTH));
}

/* No pointer in the parameters points to shared or local memory. */
static LLVMValueRef is_public(const struct site *site, LLVMValueRef so_far)
{
    struct lower_context *lower = site->lower;
    LLVMBuilderRef b = site->builder;
    LLVMTypeRef i64 = lower->types.i64;
    LLVMValueRef self = lower_self(lower, b);
    LLVMValueRef low = lower_load_const(
        lower, b, i64,
        lower_field(lower, b, self, offsetof(struct cdp_abi_thread, private_low), ""), "");
    LLVMValueRef size = lower_load_const(
        lower, b, i64,
        lower_field(lower, b, self, offsetof(struct cdp_abi_thread, private_size), ""), "");
    for (size_t i = 0; i < site->child->kernel->pointers.count; i++) {
        LLVMValueRef distance = LLVMBuildSub(b, site->pointers[i], low, "");
        so_far = and_also(site, so_far, LLVMBuildICmp(b, LLVMIntUGE, distance, size, ""));
    }
    return so_far;
}

/* Calls one of the child's functions. */
static LLVMValueRef call(const struct site *site, LLVMValueRef function, const struct shape *shape,
                         LLVMValueRef last)
{
    unsigned count = site->child->count;
    LLVMValueRef *arguments = arena_alloc((count + 4) * sizeof *arguments);
    arguments[0] = LLVMGetPoison(site->lower->types.ptr);
    memcpy(arguments + 1, site->arguments, count * sizeof *arguments);
    arguments[count + 1] = shape->threads;
    arguments[count + 2] = shape->block_dim;
    arguments[count + 3] = last;
    LLVMValueRef made = LLVMBuildCall2(site->builder, LLVMGlobalGetValueType(function), function,
                                       arguments, count + 4, "");
    LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(site->launch));
    return made;
}

static LLVMValueRef has_few_threads(const struct site *site, const struct shape *shape)
{
    LLVMValueRef are_few = compare(site, LLVMIntULE, shape->threads, MOST_THREADS);
    if (site->child->ends == NULL) {
        return are_few;
    }
    LLVMValueRef beyond = LLVMConstInt(site->lower->types.i32, MOST_THREADS, 0);
    return LLVMBuildOr(site->builder, are_few, call(site, site->child->ends, shape, beyond), "");
}

/* ---- the change ---- */

/* The constant struct cdp_abi_serial of the launch. */
static LLVMValueRef description_of(const struct site *site)
{
    struct lower_context *lower = site->lower;
    const char *unused;
    struct lower_place place = lower_user_location(lower, site->launch, &unused);
    const char *text =
        place.file == NULL ? "" : str_format("%s:%u:%u", place.file, place.line, place.column);
    LLVMValueRef fields[] = {site->child->kernel->descriptor, lower_string(lower, text)};
    LLVMValueRef value = LLVMConstStructInContext(lower->llvm, fields, 2, 0);
    LLVMValueRef global = LLVMAddGlobal(lower->module, LLVMTypeOf(value), "cdp.serial_launch");
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

/* Replaces a predecessor in the phis of a block. */
static void replace_predecessor(struct site *site, LLVMBasicBlockRef block, LLVMBasicBlockRef from,
                                LLVMBasicBlockRef to)
{
    LLVMValueRef phi = LLVMGetFirstInstruction(block);
    while (phi != NULL && LLVMIsAPHINode(phi) != NULL) {
        LLVMPositionBuilderBefore(site->builder, phi);
        LLVMValueRef other = LLVMBuildPhi(site->builder, LLVMTypeOf(phi), "");
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            LLVMBasicBlockRef before = LLVMGetIncomingBlock(phi, i);
            before = before == from ? to : before;
            LLVMAddIncoming(other, &value, &before, 1);
        }
        LLVMInstructionSetDebugLoc(other, LLVMInstructionGetDebugLoc(phi));
        LLVMReplaceAllUsesWith(phi, other);
        LLVMValueRef next = LLVMGetNextInstruction(phi);
        LLVMInstructionEraseFromParent(phi);
        phi = next;
    }
}

static void replace_in_successors(struct site *site, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(to);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        replace_predecessor(site, LLVMGetSuccessor(end, i), from, to);
    }
}

static void move_to_end(const struct site *site, LLVMValueRef at, LLVMBasicBlockRef block)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(at);
    LLVMInstructionRemoveFromParent(at);
    LLVMPositionBuilderAtEnd(site->builder, block);
    LLVMInsertIntoBuilder(site->builder, at);
    LLVMInstructionSetDebugLoc(at, location);
}

/* The buffer's call, its test and the branch get a block of their own. */
static LLVMBasicBlockRef split_start(struct site *site)
{
    LLVMBasicBlockRef stored = LLVMInsertBasicBlockInContext(site->lower->llvm, site->to, "launch");
    LLVMValueRef end = LLVMGetBasicBlockTerminator(site->from);
    move_to_end(site, site->buffer, stored);
    move_to_end(site, site->test, stored);
    move_to_end(site, end, stored);
    replace_in_successors(site, site->from, stored);
    return stored;
}

/* What follows the launch gets a block of its own. */
static LLVMBasicBlockRef split_end(struct site *site)
{
    LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(
        site->lower->llvm, LLVMGetBasicBlockParent(site->to), "launched");
    LLVMValueRef next;
    for (LLVMValueRef at = LLVMGetNextInstruction(site->launch); at != NULL; at = next) {
        next = LLVMGetNextInstruction(at);
        move_to_end(site, at, after);
    }
    LLVMMoveBasicBlockAfter(after, site->to);
    replace_in_successors(site, site->to, after);
    LLVMPositionBuilderAtEnd(site->builder, site->to);
    LLVMBuildBr(site->builder, after);
    return after;
}

/* The result of the launch, on both ways. */
static void join_results(const struct site *site, LLVMBasicBlockRef after, LLVMBasicBlockRef serial)
{
    if (LLVMGetFirstUse(site->launch) == NULL) {
        return;
    }
    LLVMTypeRef type = LLVMTypeOf(site->launch);
    size_t count;
    struct lower_use *uses = lower_uses(site->launch, &count);
    LLVMValueRef first = LLVMGetFirstInstruction(after);
    LLVMPositionBuilderBefore(site->builder, first);
    LLVMValueRef phi = LLVMBuildPhi(site->builder, type, "");
    for (size_t i = 0; i < count; i++) {
        LLVMSetOperand(uses[i].user, uses[i].operand, phi);
    }
    LLVMValueRef values[] = {site->launch, LLVMConstInt(type, 0, 0)};
    LLVMBasicBlockRef from[] = {site->to, serial};
    LLVMAddIncoming(phi, values, from, 2);
}

static bool serialize(struct site *site)
{
    struct lower_context *lower = site->lower;
    LLVMPositionBuilderBefore(site->builder, LLVMGetBasicBlockTerminator(site->from));
    move_values(site);
    LLVMPositionBuilderBefore(site->builder, LLVMGetBasicBlockTerminator(site->from));
    if (!find_arguments(site)) {
        return false; /* the values that have moved are right there, too */
    }
    struct shape shape = shape_of(site);
    LLVMValueRef test = and_also(site, shape.is_right, is_allowed(site, &shape));
    test = is_public(site, test);
    test = and_also(site, test, has_few_threads(site, &shape));
    LLVMBasicBlockRef after = split_end(site), stored = split_start(site);
    LLVMBasicBlockRef serial = LLVMInsertBasicBlockInContext(lower->llvm, stored, "serial");
    LLVMPositionBuilderAtEnd(site->builder, site->from);
    LLVMBuildCondBr(site->builder, test, serial, stored);
    LLVMPositionBuilderAtEnd(site->builder, serial);
    (void)call(site, site->child->run, &shape, description_of(site));
    LLVMBuildBr(site->builder, after);
    join_results(site, after, serial);
    return true;
}

/* ---- the module ---- */

/* The children that were looked for, by the kernel's number.  Life: one pass. */
struct children {
    const struct simd_launches *launches;
    bool *are_known;
    struct simd_serial_child **items; /* NULL: it cannot be one */
};

/* Whether a loop of the kernel may run on until another thread acts. */
static bool may_wait(struct lower_context *lower, const struct lower_kernel *source)
{
    struct simd_kernel kernel = {.callees = NULL};
    LLVMValueRef blamed;
    (void)simd_build_kernel(lower, source, source->entry, &kernel, &blamed);
    const struct simd_graph *graph =
        kernel.facts == NULL ? NULL : simd_graph_build(&kernel, 0, true, NULL);
    bool waits = graph == NULL || kernel.traits.is_irreducible;
    for (size_t i = 0; !waits && i < graph->loop_count; i++) {
        waits = simd_may_wait(graph, (int)i);
    }
    return waits;
}

/* Kernels of which all grids have one or two threads have no block entries, and their children run
 * as grids of their own: what the parent does after the launch is then done even if the child has a
 * fault, as on a GPU. */
static struct simd_serial_child *make_child(struct lower_context *lower,
                                            const struct simd_launches *launches,
                                            const struct lower_kernel *kernel)
{
    bool has_loops;
    if (simd_is_always_tiny(launches, kernel) || !simd_may_be_serial(lower, kernel, &has_loops) ||
        (has_loops && may_wait(lower, kernel))) {
        return NULL;
    }
    struct simd_serial_child *child = simd_make_serial_child(lower, kernel);
    child->has_loops = has_loops;
    return child;
}

static const struct simd_serial_child *child_of(struct lower_context *lower,
                                                struct children *children, LLVMValueRef launch)
{
    for (size_t i = 0; i < lower->kernel_count; i++) {
        if (lower->kernels[i].descriptor == LLVMGetArgOperand(launch, KERNEL)) {
            if (!children->are_known[i]) {
                children->are_known[i] = true;
                children->items[i] = make_child(lower, children->launches, &lower->kernels[i]);
            }
            return children->items[i];
        }
    }
    return NULL;
}

static bool is_lifetime(LLVMValueRef at)
{
    return str_starts(simd_callee_name(at), "llvm.lifetime.");
}

/* Copies to a variable may move to before it would begin to live. */
static void erase_lifetimes(LLVMValueRef entry)
{
    struct lower_list found = lower_instructions(entry, is_lifetime);
    for (size_t i = 0; i < found.count; i++) {
        LLVMInstructionEraseFromParent(found.items[i]);
    }
}

static bool change_kernel(struct lower_context *lower, struct children *children,
                          LLVMValueRef entry)
{
    bool has_changed = false;
    if (!lower_any_instruction(entry, is_launch)) {
        return false;
    }
    erase_lifetimes(entry);
    struct lower_list launches = lower_instructions(entry, is_launch);
    for (size_t i = 0; i < launches.count; i++) {
        struct site site = {.lower = lower, .launch = launches.items[i]};
        if (!find_form(&site)) {
            continue;
        }
        site.child = child_of(lower, children, site.launch);
        if (site.child != NULL) {
            site.builder = LLVMCreateBuilderInContext(lower->llvm);
            has_changed |= serialize(&site);
            LLVMDisposeBuilder(site.builder);
        }
    }
    return has_changed;
}

static void mark_inlined(struct lower_context *lower, const char *prefix)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(lower->module); f != NULL;
         f = LLVMGetNextFunction(f)) {
        if (str_starts(lower_name(f), prefix)) {
            lower_add_attribute(lower, f, "alwaysinline");
        }
    }
}

static bool is_wanted(const struct lower_context *lower)
{
    const struct lower_options *options = lower->options;
    return !check_any(&options->checks) && !options->sanitize.address;
}

void simd_serialize_launches(struct lower_context *lower, const struct simd_launches *launches)
{
    static const char passes[] = "sroa,memcpyopt,dse,early-cse,instcombine<no-verify-fixpoint>,"
                                 "simplifycfg<no-switch-to-lookup>,adce,loop-simplify,lcssa";
    size_t count = lower->kernel_count;
    struct children children = {.launches = launches,
                                .are_known = arena_alloc((count + 1) * sizeof(bool)),
                                .items = arena_alloc((count + 1) * sizeof(void *))};
    bool *changed = arena_alloc((count + 1) * sizeof *changed);
    bool any = false;
    for (size_t i = 0; i < count && is_wanted(lower); i++) {
        const struct lower_kernel *kernel = &lower->kernels[i];
        changed[i] = kernel->is_defined && change_kernel(lower, &children, kernel->entry);
        any |= changed[i];
    }
    if (!any) {
        return;
    }
    mark_inlined(lower, SIMD_SERIAL_END);
    (void)module_run_passes(lower->module, "always-inline", lower->machine);
    for (size_t i = 0; i < count; i++) {
        if (changed[i]) {
            (void)module_run_passes_on(lower->kernels[i].entry, passes, lower->machine);
        }
    }
}

void simd_inline_serial_children(struct lower_context *lower)
{
    mark_inlined(lower, SIMD_SERIAL_CHILD);
}
