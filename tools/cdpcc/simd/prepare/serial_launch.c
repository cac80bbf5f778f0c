/* A launch of a small grid as a test and a call of the function that runs the child's threads.
 *
 *     buffer = cudaGetParameterBuffer(...);            if (!the child may be serialized ||
 *     if (buffer != NULL) {                                !serial(p, n, threads, 32)) {
 *         *buffer = { p, n };                   ->         buffer = ...     as before
 *         cudaLaunchDevice(child, buffer, ...);        }
 *     }
 *
 * The test holds if
 *   - the launch is valid, of one dimension, and without dynamic shared memory,
 *   - it is in the NULL stream, no earlier grid of that stream is still running or stored, and
 *     launches are not counted, traced or ordered by a seed (cdp_abi_block.serial_children),
 *   - the child has no loop; or it has one block, which one worker runs in any case; or there is no
 *     other worker,
 *   - no parameter is a pointer to private memory, which a launch must report; pointers among the
 *     parent's own parameters are not tested again, and
 *   - few of its threads have work: the grid has at most most_threads of the child, or thread
 *     most_threads and all after it return at once.
 *
 * The parameters need no buffer: the arguments of the call are the values that were stored to it.
 * All that computes them moves before the test. */
#include "simd/prepare/serial_launch.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "ir/report.h"
#include "ir/user_location.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/ir/calls.h"
#include "simd/ir/poison_flags.h"
#include "simd/ir/memory.h"
#include "simd/prepare/serial_form.h"
#include "support/arena.h"
#include "support/str.h"

#include <llvm-c/DebugInfo.h>
#include <stddef.h>
#include <string.h>

/* Nesting levels, of which the first generation of dynamic parallelism has 24.
 * cudaStreamPerThread, the last handle of a block's NULL stream. */
enum {
    MOST_DEPTH = 22,
    PER_THREAD_STREAM = 2,
};

/* A launch in the source, and what is emitted for it before its test.  Life: one call of
 * simd_serialize_launch(). */
struct site {
    struct lower_context *lower;
    LLVMBuilderRef builder;
    const struct lower_kernel *parent;
    const struct simd_serial_child *child;
    struct simd_launch_form form;
    LLVMValueRef *arguments; /* of the child */
    LLVMValueRef *pointers;  /* all pointers in the parameters, as numbers */
    LLVMValueRef extras[SIMD_SERIAL_EXTRAS];
};

/* ---- the arguments ---- */

struct simd_passed_value *simd_find_passed(struct lower_context *lower,
                                           const struct simd_serial_child *child,
                                           const struct simd_launch_form *form)
{
    const struct lower_pointers *pointers = &child->kernel->pointers;
    struct simd_passed_value *found =
        arena_alloc((child->count + pointers->count + 1) * sizeof *found);
    bool all = true;
    for (unsigned i = 0; i < child->count; i++) {
        all &= simd_find_passed_value(lower, form, child->arguments[i].offset,
                                      child->arguments[i].type, &found[i]);
    }
    for (size_t i = 0; i < pointers->count; i++) {
        all &= simd_find_passed_value(lower, form, pointers->pointers[i].offset, lower->types.i64,
                                      &found[child->count + i]);
    }
    return all ? found : NULL;
}

/* A value as another type of the same size. */
static LLVMValueRef as_type(const struct site *site, LLVMValueRef value, LLVMTypeRef type)
{
    LLVMTypeKind from = LLVMGetTypeKind(LLVMTypeOf(value)), to = LLVMGetTypeKind(type);
    return LLVMTypeOf(value) == type     ? value
           : from == LLVMPointerTypeKind ? LLVMBuildPtrToInt(site->builder, value, type, "")
           : to == LLVMPointerTypeKind   ? LLVMBuildIntToPtr(site->builder, value, type, "")
                                         : LLVMBuildBitCast(site->builder, value, type, "");
}

/* The bits of an integer behind that many bytes, as many as the type has. */
static LLVMValueRef part_of(const struct site *site, LLVMValueRef value, uint64_t skip,
                            LLVMTypeRef type)
{
    LLVMTypeRef whole = LLVMTypeOf(value);
    uint64_t bits = LLVMSizeOfTypeInBits(site->lower->layout, type);
    if (bits == LLVMSizeOfTypeInBits(site->lower->layout, whole)) {
        return value;
    }
    LLVMValueRef shifted =
        LLVMBuildLShr(site->builder, value, LLVMConstInt(whole, 8 * skip, 0), "");
    LLVMTypeRef part = LLVMIntTypeInContext(site->lower->llvm, (unsigned)bits);
    return LLVMBuildTrunc(site->builder, shifted, part, "");
}

static LLVMValueRef build_passed(const struct site *site, const struct simd_passed_value *passed,
                                 LLVMTypeRef type)
{
    if (LLVMIsAMemSetInst(passed->by) != NULL) {
        return LLVMConstNull(type);
    }
    if (LLVMIsAStoreInst(passed->by) != NULL) {
        LLVMValueRef stored = LLVMGetOperand(passed->by, 0);
        return as_type(site, part_of(site, stored, passed->skip, type), type);
    }
    LLVMValueRef from =
        lower_field(site->lower, site->builder, LLVMGetOperand(passed->by, 1), passed->skip, "");
    LLVMValueRef load = LLVMBuildLoad2(site->builder, type, from, "");
    LLVMSetAlignment(load, 1);
    return load;
}

static void build_arguments(struct site *site, const struct simd_passed_value *passed)
{
    const struct simd_serial_child *child = site->child;
    size_t pointers = child->kernel->pointers.count;
    site->arguments = arena_alloc((child->count + 1) * sizeof *site->arguments);
    site->pointers = arena_alloc((pointers + 1) * sizeof *site->pointers);
    for (unsigned i = 0; i < child->count; i++) {
        site->arguments[i] = build_passed(site, &passed[i], child->arguments[i].type);
    }
    for (size_t i = 0; i < pointers; i++) {
        site->pointers[i] = build_passed(site, &passed[child->count + i], site->lower->types.i64);
    }
}

/* Moves what the launch needs before the branch, in order. */
static void move_values(const struct site *site)
{
    const struct simd_launch_form *form = &site->form;
    LLVMValueRef next, end = LLVMGetBasicBlockTerminator(form->from);
    for (LLVMValueRef at = LLVMGetFirstInstruction(form->to); at != form->launch; at = next) {
        next = LLVMGetNextInstruction(at);
        if (!simd_stays_with_launch(site->lower, form, at)) {
            LLVMMetadataRef location = LLVMInstructionGetDebugLoc(at);
            LLVMInstructionRemoveFromParent(at);
            LLVMPositionBuilderBefore(site->builder, end);
            LLVMInsertIntoBuilder(site->builder, at);
            LLVMInstructionSetDebugLoc(at, location);
        }
    }
    LLVMPositionBuilderBefore(site->builder, end);
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

/* At least 1 and at most SIMD_SERIAL_MOST_THREADS. */
static LLVMValueRef is_in_range(const struct site *site, LLVMValueRef dimension)
{
    LLVMValueRef one = LLVMConstInt(site->lower->types.i32, 1, 0);
    return compare(site, LLVMIntULT, LLVMBuildSub(site->builder, dimension, one, ""),
                   SIMD_SERIAL_MOST_THREADS);
}

/* The launch is valid, of one dimension, without dynamic shared memory, in the NULL stream, and has
 * at most SIMD_SERIAL_MOST_THREADS threads.  Sets the numbers of threads. */
static LLVMValueRef is_right_shape(struct site *site)
{
    const struct lower_kernel *kernel = site->child->kernel;
    LLVMValueRef launch = site->form.launch;
    LLVMValueRef grid = LLVMGetArgOperand(launch, SIMD_LAUNCH_GRID_XY);
    LLVMValueRef block = LLVMGetArgOperand(launch, SIMD_LAUNCH_BLOCK_XY);
    LLVMValueRef blocks = low_half(site, grid), block_dim = low_half(site, block);
    LLVMValueRef threads = LLVMBuildMul(site->builder, blocks, block_dim, "");
    LLVMValueRef stream = LLVMBuildPtrToInt(
        site->builder, LLVMGetArgOperand(launch, SIMD_LAUNCH_STREAM), site->lower->types.i64, "");
    LLVMValueRef shared = LLVMGetArgOperand(launch, SIMD_LAUNCH_SHARED);
    const LLVMValueRef ones[] = {
        high_half(site, grid), LLVMGetArgOperand(launch, SIMD_LAUNCH_GRID_Z),
        high_half(site, block), LLVMGetArgOperand(launch, SIMD_LAUNCH_BLOCK_Z)};
    LLVMValueRef result = and_also(site, is_in_range(site, blocks), is_in_range(site, block_dim));
    result = and_also(site, result, compare(site, LLVMIntULE, threads, SIMD_SERIAL_MOST_THREADS));
    if (kernel->max_threads != 0) {
        result = and_also(site, result, compare(site, LLVMIntULE, block_dim, kernel->max_threads));
    }
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++) {
        result = and_also(site, result, compare(site, LLVMIntEQ, ones[i], 1));
    }
    result = and_also(site, result, compare(site, LLVMIntEQ, shared, 0));
    site->extras[SIMD_SERIAL_THREADS] = threads;
    site->extras[SIMD_SERIAL_BLOCK_DIM] = block_dim;
    return and_also(site, result, compare(site, LLVMIntULE, stream, PER_THREAD_STREAM));
}

/* The runtime allows it in this block. */
static LLVMValueRef is_allowed(const struct site *site)
{
    LLVMBuilderRef b = site->builder;
    LLVMValueRef block = lower_block(site->lower, b);
    LLVMValueRef at =
        lower_field(site->lower, b, block, offsetof(struct cdp_abi_block, serial_children), "");
    LLVMValueRef allowed = LLVMBuildLoad2(b, site->lower->types.i32, at, "serial_children");
    LLVMValueRef is_right = compare(site, LLVMIntUGE, allowed, CDP_SERIAL_BRIEF);
    if (site->child->has_loops) {
        LLVMValueRef one_block = LLVMBuildICmp(b, LLVMIntEQ, site->extras[SIMD_SERIAL_THREADS],
                                               site->extras[SIMD_SERIAL_BLOCK_DIM], "");
        LLVMValueRef all = compare(site, LLVMIntEQ, allowed, CDP_SERIAL_ALL);
        is_right = and_also(site, is_right, LLVMBuildOr(b, all, one_block, ""));
    }
    LLVMValueRef depth = lower_load_const(
        site->lower, b, site->lower->types.i32,
        lower_field(site->lower, b, block, offsetof(struct cdp_abi_block, depth), ""), "");
    return and_also(site, is_right, compare(site, LLVMIntULE, depth, MOST_DEPTH));
}

/* The launch of the parent has tested this pointer: it is one of the parent's parameters. */
static bool was_tested(const struct site *site, LLVMValueRef pointer)
{
    int64_t offset;
    LLVMValueRef load = LLVMIsAPtrToIntInst(pointer) != NULL ? LLVMGetOperand(pointer, 0) : pointer;
    if (LLVMIsALoadInst(load) == NULL || !simd_is_parameter(load, &offset)) {
        return false;
    }
    const struct lower_pointers *tested = &site->parent->pointers;
    for (size_t i = 0; i < tested->count; i++) {
        if (tested->pointers[i].offset == (uint64_t)offset) {
            return true;
        }
    }
    return false;
}

/* No pointer in the parameters points to shared or local memory. */
static LLVMValueRef is_public(const struct site *site)
{
    struct lower_context *lower = site->lower;
    LLVMBuilderRef b = site->builder;
    LLVMTypeRef i64 = lower->types.i64;
    LLVMValueRef self = lower_self(lower, b), result = LLVMConstInt(lower->types.i1, 1, 0);
    LLVMValueRef low = lower_load_const(
        lower, b, i64,
        lower_field(lower, b, self, offsetof(struct cdp_abi_thread, private_low), ""), "");
    LLVMValueRef size = lower_load_const(
        lower, b, i64,
        lower_field(lower, b, self, offsetof(struct cdp_abi_thread, private_size), ""), "");
    for (size_t i = 0; i < site->child->kernel->pointers.count; i++) {
        if (was_tested(site, site->pointers[i])) {
            continue;
        }
        LLVMValueRef distance = LLVMBuildSub(b, site->pointers[i], low, "");
        result = and_also(site, result, LLVMBuildICmp(b, LLVMIntUGE, distance, size, ""));
    }
    return result;
}

/* A value of the child's function, which is computed from its arguments and from the thread's
 * index, for thread most_threads of the grid.  Its instructions are emitted again. */
static LLVMValueRef computed(const struct site *site, LLVMValueRef value)
{
    const struct simd_serial_child *child = site->child;
    if (value == child->indices.in_grid || value == child->indices.thread) {
        return LLVMConstInt(site->lower->types.i32, child->most_threads, 0);
    }
    if (LLVMIsAConstant(value) != NULL) {
        return value;
    }
    for (unsigned i = 0; LLVMIsAArgument(value) != NULL; i++) {
        if (LLVMGetParam(child->run, i + 1) == value) {
            return i < child->count ? site->arguments[i] : site->extras[i - child->count];
        }
    }
    LLVMValueRef copy = LLVMInstructionClone(value);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        LLVMSetOperand(copy, i, computed(site, LLVMGetOperand(value, i)));
    }
    simd_drop_poison_flags(copy);
    LLVMInsertIntoBuilder(site->builder, copy);
    LLVMInstructionSetDebugLoc(copy, NULL);
    return copy;
}

/* The grid has at most most_threads threads, or all from that one on return at once.  This is
 * computed before the launch is known to be valid, so it loads nothing from memory. */
static LLVMValueRef has_few_threads(const struct site *site)
{
    const struct simd_limits *limits = &site->child->limits;
    LLVMValueRef result =
        compare(site, LLVMIntULE, site->extras[SIMD_SERIAL_THREADS], site->child->most_threads);
    for (unsigned i = 0; i < limits->count; i++) {
        const struct simd_limit *limit = &limits->items[i];
        if (limit->is_computed) {
            LLVMValueRef base = limit->base == NULL ? NULL : computed(site, limit->base);
            LLVMValueRef exceeds = simd_build_exceeds(
                site->builder, limit, computed(site, limit->compare), base, site->extras);
            result = LLVMBuildOr(site->builder, result, exceeds, "");
        }
    }
    return result;
}

/* ---- the change ---- */

/* The constant struct cdp_abi_serial of the launch. */
static LLVMValueRef description_of(const struct site *site)
{
    struct lower_context *lower = site->lower;
    const char *unused;
    struct lower_place place = lower_user_location(lower, site->form.launch, &unused);
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
    const struct simd_launch_form *form = &site->form;
    LLVMBasicBlockRef stored = LLVMInsertBasicBlockInContext(site->lower->llvm, form->to, "launch");
    LLVMValueRef end = LLVMGetBasicBlockTerminator(form->from);
    move_to_end(site, form->buffer, stored);
    move_to_end(site, form->test, stored);
    move_to_end(site, end, stored);
    replace_in_successors(site, form->from, stored);
    return stored;
}

/* What follows the launch gets a block of its own. */
static LLVMBasicBlockRef split_end(struct site *site)
{
    const struct simd_launch_form *form = &site->form;
    LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(
        site->lower->llvm, LLVMGetBasicBlockParent(form->to), "launched");
    LLVMValueRef next;
    for (LLVMValueRef at = LLVMGetNextInstruction(form->launch); at != NULL; at = next) {
        next = LLVMGetNextInstruction(at);
        move_to_end(site, at, after);
    }
    LLVMMoveBasicBlockAfter(after, form->to);
    replace_in_successors(site, form->to, after);
    LLVMPositionBuilderAtEnd(site->builder, form->to);
    LLVMBuildBr(site->builder, after);
    return after;
}

/* The result of the launch, on both ways. */
static void join_results(const struct site *site, LLVMBasicBlockRef after, LLVMBasicBlockRef serial)
{
    LLVMValueRef launch = site->form.launch;
    if (LLVMGetFirstUse(launch) == NULL) {
        return;
    }
    LLVMTypeRef type = LLVMTypeOf(launch);
    size_t count;
    struct lower_use *uses = lower_uses(launch, &count);
    LLVMPositionBuilderBefore(site->builder, LLVMGetFirstInstruction(after));
    LLVMValueRef phi = LLVMBuildPhi(site->builder, type, "");
    for (size_t i = 0; i < count; i++) {
        LLVMSetOperand(uses[i].user, uses[i].operand, phi);
    }
    LLVMValueRef values[] = {launch, LLVMConstInt(type, 0, 0)};
    LLVMBasicBlockRef from[] = {site->form.to, serial};
    LLVMAddIncoming(phi, values, from, 2);
}

/* The child's threads, as one call.  Returns whether they have run. */
static LLVMValueRef build_call(const struct site *site)
{
    const struct simd_serial_child *child = site->child;
    LLVMValueRef *arguments =
        arena_alloc((child->count + 1 + SIMD_SERIAL_EXTRAS) * sizeof *arguments);
    arguments[0] = LLVMGetPoison(site->lower->types.ptr);
    memcpy(arguments + 1, site->arguments, child->count * sizeof *arguments);
    memcpy(arguments + 1 + child->count, site->extras, sizeof site->extras);
    LLVMValueRef call =
        LLVMBuildCall2(site->builder, LLVMGlobalGetValueType(child->run), child->run, arguments,
                       child->count + 1 + SIMD_SERIAL_EXTRAS, "");
    LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(site->form.launch));
    return compare(site, LLVMIntNE, call, 0);
}

void simd_serialize_launch(struct lower_context *lower, const struct lower_kernel *parent,
                           const struct simd_serial_child *child,
                           const struct simd_launch_form *form,
                           const struct simd_passed_value *passed)
{
    struct site data = {.lower = lower, .parent = parent, .child = child, .form = *form};
    struct site *site = &data;
    site->builder = LLVMCreateBuilderInContext(lower->llvm);
    move_values(site);
    build_arguments(site, passed);
    LLVMValueRef test = is_right_shape(site);
    test = and_also(site, test, is_allowed(site));
    test = and_also(site, test, is_public(site));
    test = and_also(site, test, has_few_threads(site));
    LLVMBasicBlockRef after = split_end(site), stored = split_start(site);
    LLVMBasicBlockRef serial = LLVMInsertBasicBlockInContext(site->lower->llvm, stored, "serial");
    LLVMPositionBuilderAtEnd(site->builder, site->form.from);
    LLVMBuildCondBr(site->builder, test, serial, stored);
    LLVMPositionBuilderAtEnd(site->builder, serial);
    site->extras[SIMD_SERIAL_LAUNCH] = description_of(site);
    LLVMBuildCondBr(site->builder, build_call(site), after, stored);
    join_results(site, after, serial);
    LLVMDisposeBuilder(site->builder);
}
