/* A child kernel as a function that runs the threads of a small grid one after the other.
 *
 *     __global__ void child(int *p, int n)           serial(int *p, int n, threads, block_dim)
 *     {                                              {
 *         int i = blockIdx.x * blockDim.x                if (!serial_children) return 0;
 *                 + threadIdx.x;               ->        for (i = 0; i < threads; i++) {
 *         if (i >= n) return;                                if (i >= n) break;
 *         p[i]++;                                            p[i]++;
 *     }                                                  }
 *                                                        return 1;
 *                                                    }
 *
 * serial_form.c says which kernels may be such a child.
 *
 * The loop ends at the first thread that returns because its index is too high, since all threads
 * after it would return, too (ir/index_limits.c).
 *
 * First the function stores to the context which child runs, and before each iteration which
 * thread, for reports of faults (cdp_abi_thread.serial).  From then on the thread does not yield to
 * others of its block (cdp_abi_yield).  So what the function then finds in serial_children holds
 * until it returns.  The caller's test may be out of date: a thread may have yielded since, and a
 * block entry tests once for many lanes. */
#include "simd/prepare/serial_child.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/ir/calls.h"
#include "simd/ir/clone.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/memory.h"
#include "simd/prepare/serial_form.h"
#include "support/arena.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <stddef.h>
#include <string.h>

/* The function being made.  Life: one call of simd_make_serial_child(). */
struct making {
    struct lower_context *lower;
    struct simd_serial_child *child;
    LLVMBuilderRef builder;
    LLVMValueRef function;
    LLVMValueRef extras[SIMD_SERIAL_EXTRAS];
    struct simd_indices indices; /* what loads of the thread's indices become */
};

static LLVMValueRef number(const struct making *making, uint64_t value)
{
    return LLVMConstInt(making->lower->types.i32, value, 0);
}

static bool is_load(LLVMValueRef at)
{
    return LLVMIsALoadInst(at) != NULL;
}

static void find_arguments(struct simd_serial_child *child)
{
    struct lower_list loads = lower_instructions(child->kernel->entry, is_load);
    for (size_t i = 0; i < loads.count; i++) {
        int64_t offset;
        if (!simd_is_parameter(loads.items[i], &offset)) {
            continue;
        }
        struct simd_serial_argument argument = {(uint64_t)offset, LLVMTypeOf(loads.items[i])};
        unsigned same = 0;
        while (same < child->count && (child->arguments[same].offset != argument.offset ||
                                       child->arguments[same].type != argument.type)) {
            same++;
        }
        if (same == child->count) {
            LOWER_PUSH(child->arguments, child->count, argument);
        }
    }
}

/* What a load of the context, of the block or of a parameter is; NULL: another load. */
static LLVMValueRef replacement(const struct making *making, LLVMValueRef load)
{
    struct lower_context *lower = making->lower;
    const struct simd_serial_child *child = making->child;
    LLVMBuilderRef b = making->builder;
    int64_t offset;
    if (simd_is_parameter(load, &offset)) {
        unsigned i = 0;
        while (child->arguments[i].offset != (uint64_t)offset ||
               child->arguments[i].type != LLVMTypeOf(load)) {
            i++;
        }
        return LLVMGetParam(making->function, i + 1);
    }
    if (simd_is_thread_field(lower, load)) {
        int field = simd_self_field(load);
        return field == 0 || field == offsetof(struct cdp_abi_thread, linear)
                   ? making->indices.thread
                   : number(making, 0);
    }
    if (!simd_is_block_field(lower, load)) {
        return NULL;
    }
    switch (simd_field(load)) {
    case offsetof(struct cdp_abi_block, block_idx):
        return making->indices.block;
    case offsetof(struct cdp_abi_block, block_idx) + 4:
    case offsetof(struct cdp_abi_block, block_idx) + 8:
        return number(making, 0);
    case offsetof(struct cdp_abi_block, block_dim):
    case offsetof(struct cdp_abi_block, thread_count):
        return making->indices.block_dim;
    case offsetof(struct cdp_abi_block, grid_dim):
        LLVMPositionBuilderBefore(b, load);
        return LLVMBuildUDiv(b, making->extras[SIMD_SERIAL_THREADS], making->indices.block_dim, "");
    default:
        return number(making, 1); /* y and z of blockDim and gridDim */
    }
}

/* The optimizer moves loads that are const while a thread runs: here they are of one iteration.
 * And what was restrict for one thread is not for the parent. */
static void drop_promises(struct lower_context *lower, LLVMValueRef at)
{
    static const char *const kinds[] = {"invariant.load", "alias.scope", "noalias",
                                        "invariant.group"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        unsigned kind = LLVMGetMDKindIDInContext(lower->llvm, kinds[i], (unsigned)strlen(kinds[i]));
        if (LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL ||
            LLVMIsACallInst(at) != NULL || LLVMIsAAtomicRMWInst(at) != NULL ||
            LLVMIsAAtomicCmpXchgInst(at) != NULL) {
            LLVMSetMetadata(at, kind, NULL);
        }
    }
}

static bool is_any(LLVMValueRef at)
{
    return at != NULL;
}

/* Replaces the thread's own values, in the whole function. */
static void replace_fields(const struct making *making)
{
    struct lower_list all = lower_instructions(making->function, is_any);
    LLVMValueRef *values = arena_alloc((all.count + 1) * sizeof *values);
    for (size_t i = 0; i < all.count; i++) { /* before any is replaced: they refer to each other */
        values[i] = is_load(all.items[i]) ? replacement(making, all.items[i]) : NULL;
    }
    for (size_t i = 0; i < all.count; i++) {
        if (values[i] != NULL) {
            LLVMReplaceAllUsesWith(all.items[i], values[i]);
        }
    }
    for (size_t i = 0; i < all.count; i++) {
        if (values[i] == NULL && simd_is_grid_index(&making->indices, all.items[i]) &&
            all.items[i] != making->indices.in_grid) {
            LLVMReplaceAllUsesWith(all.items[i], making->indices.in_grid);
        }
        drop_promises(making->lower, all.items[i]);
    }
}

/* ---- the loop ---- */

static void store_to_context(const struct making *making, LLVMValueRef self, size_t offset,
                             LLVMValueRef value)
{
    LLVMValueRef to = lower_field(making->lower, making->builder, self, offset, "");
    LLVMSetVolatile(lower_mark_own(LLVMBuildStore(making->builder, value, to)), 1);
}

/* The blocks around the kernel's own.  The function begins with `test`. */
struct loop {
    LLVMBasicBlockRef test, start, head, next, end, body;
    LLVMValueRef ended; /* phi of `next`: the thread, and all after it, returned at once */
    LLVMValueRef self;
};

static void build_return(const struct making *making, const struct loop *loop, unsigned has_run)
{
    store_to_context(making, loop->self, offsetof(struct cdp_abi_thread, serial),
                     LLVMConstNull(making->lower->types.ptr));
    LLVMBuildRet(making->builder, number(making, has_run));
}

/* Returns 0 if the block's NULL stream has work. */
static void test_stream(const struct making *making, struct loop *loop)
{
    struct lower_context *lower = making->lower;
    LLVMBuilderRef b = making->builder;
    LLVMPositionBuilderAtEnd(b, loop->test);
    loop->self = lower_self(lower, b);
    store_to_context(making, loop->self, offsetof(struct cdp_abi_thread, serial),
                     making->extras[SIMD_SERIAL_LAUNCH]);
    LLVMValueRef at = lower_field(lower, b, lower_block(lower, b),
                                  offsetof(struct cdp_abi_block, serial_children), "");
    LLVMValueRef allowed = LLVMBuildLoad2(b, lower->types.i32, at, "allowed");
    LLVMSetVolatile(lower_mark_own(allowed), 1);
    LLVMValueRef none = LLVMConstInt(lower->types.i32, CDP_SERIAL_NONE, 0);
    LLVMBasicBlockRef refused =
        LLVMAppendBasicBlockInContext(lower->llvm, making->function, "refused");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, allowed, none, ""), loop->start, refused);
    LLVMPositionBuilderAtEnd(b, refused);
    build_return(making, loop, 0);
}

static struct loop begin_loop(struct making *making)
{
    struct lower_context *lower = making->lower;
    LLVMBuilderRef b = making->builder;
    LLVMTypeRef i32 = lower->types.i32;
    struct loop loop = {.body = LLVMGetEntryBasicBlock(making->function)};
    loop.test = LLVMInsertBasicBlockInContext(lower->llvm, loop.body, "test");
    loop.start = LLVMInsertBasicBlockInContext(lower->llvm, loop.body, "start");
    loop.head = LLVMInsertBasicBlockInContext(lower->llvm, loop.body, "thread");
    loop.next = LLVMAppendBasicBlockInContext(lower->llvm, making->function, "next");
    loop.end = LLVMAppendBasicBlockInContext(lower->llvm, making->function, "end");
    test_stream(making, &loop);
    LLVMPositionBuilderAtEnd(b, loop.start);
    store_to_context(making, loop.self, offsetof(struct cdp_abi_thread, serial_threads),
                     making->extras[SIMD_SERIAL_THREADS]);
    store_to_context(making, loop.self, offsetof(struct cdp_abi_thread, serial_block_dim),
                     making->indices.block_dim);
    LLVMBuildBr(b, loop.head);
    LLVMPositionBuilderAtEnd(b, loop.head);
    making->indices.in_grid = LLVMBuildPhi(b, i32, "i");
    making->indices.thread = LLVMBuildPhi(b, i32, "thread");
    making->indices.block = LLVMBuildPhi(b, i32, "block");
    store_to_context(making, loop.self, offsetof(struct cdp_abi_thread, serial_index),
                     making->indices.in_grid);
    LLVMBuildBr(b, loop.body);
    LLVMPositionBuilderAtEnd(b, loop.next);
    loop.ended = LLVMBuildPhi(b, lower->types.i1, "");
    return loop;
}

static void set_next(LLVMValueRef phi, LLVMValueRef next, const struct loop *loop)
{
    LLVMValueRef values[] = {LLVMConstNull(LLVMTypeOf(phi)), next};
    LLVMBasicBlockRef from[] = {loop->start, loop->next};
    LLVMAddIncoming(phi, values, from, 2);
}

static void end_loop(const struct making *making, const struct loop *loop)
{
    LLVMBuilderRef b = making->builder;
    LLVMPositionBuilderAtEnd(b, loop->next);
    LLVMValueRef one = number(making, 1);
    LLVMValueRef i = LLVMBuildNUWAdd(b, making->indices.in_grid, one, "");
    LLVMValueRef thread = LLVMBuildNUWAdd(b, making->indices.thread, one, "");
    LLVMValueRef is_over = LLVMBuildICmp(b, LLVMIntEQ, thread, making->indices.block_dim, "");
    LLVMValueRef block = LLVMBuildNUWAdd(b, making->indices.block, one, "");
    set_next(making->indices.in_grid, i, loop);
    set_next(making->indices.thread, LLVMBuildSelect(b, is_over, number(making, 0), thread, ""),
             loop);
    set_next(making->indices.block, LLVMBuildSelect(b, is_over, block, making->indices.block, ""),
             loop);
    LLVMValueRef is_last = LLVMBuildICmp(b, LLVMIntEQ, i, making->extras[SIMD_SERIAL_THREADS], "");
    LLVMBuildCondBr(b, LLVMBuildOr(b, is_last, loop->ended, ""), loop->end, loop->head);
    LLVMPositionBuilderAtEnd(b, loop->end);
    build_return(making, loop, 1);
}

/* The kernel's threads return to the loop. */
static void replace_returns(const struct making *making, const struct loop *loop)
{
    LLVMValueRef goes_on = LLVMConstInt(making->lower->types.i1, 0, 0);
    for (LLVMBasicBlockRef block = loop->body; block != loop->next;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (LLVMIsAReturnInst(end) != NULL) {
            LLVMInstructionEraseFromParent(end);
            LLVMPositionBuilderAtEnd(making->builder, block);
            LLVMBuildBr(making->builder, loop->next);
            LLVMAddIncoming(loop->ended, &goes_on, &block, 1);
        }
    }
}

LLVMValueRef simd_build_exceeds(LLVMBuilderRef b, const struct simd_limit *limit,
                                LLVMValueRef compare, LLVMValueRef base,
                                const LLVMValueRef extras[])
{
    LLVMValueRef threads = extras[SIMD_SERIAL_THREADS];
    /* It may be poison if another condition already makes all threads return. */
    compare = LLVMBuildFreeze(b, compare, "");
    LLVMValueRef result = limit->is_high ? compare : LLVMBuildNot(b, compare, "");
    if (base != NULL) { /* must not wrap around in the grid; the index itself is below 1024 */
        bool is_signed = LLVMGetICmpPredicate(limit->compare) >= LLVMIntSGT;
        LLVMValueRef last = LLVMBuildAdd(b, base, threads, "");
        LLVMIntPredicate predicate = is_signed ? LLVMIntSGE : LLVMIntUGE;
        result = LLVMBuildAnd(b, result, LLVMBuildICmp(b, predicate, last, base, ""), "");
    }
    if (limit->is_in_grid) {
        return result;
    }
    LLVMValueRef is_one_block =
        LLVMBuildICmp(b, LLVMIntEQ, threads, extras[SIMD_SERIAL_BLOCK_DIM], "");
    return LLVMBuildAnd(b, result, is_one_block, "");
}

/* The loop ends after a thread that exceeds a limit. */
static void end_at_limits(const struct making *making, const struct loop *loop,
                          const struct simd_limits *limits)
{
    struct lower_context *lower = making->lower;
    LLVMBuilderRef b = making->builder;
    LLVMValueRef ended = LLVMConstInt(lower->types.i1, 0, 0);
    LLVMPositionBuilderBefore(b, limits->branch);
    for (unsigned i = 0; i < limits->count; i++) {
        const struct simd_limit *limit = &limits->items[i];
        LLVMValueRef exceeds =
            simd_build_exceeds(b, limit, limit->compare, limit->base, making->extras);
        ended = LLVMBuildOr(b, ended, exceeds, "");
    }
    LLVMBasicBlockRef high = LLVMInsertBasicBlockInContext(lower->llvm, loop->next, "high");
    LLVMPositionBuilderAtEnd(b, high);
    LLVMBuildBr(b, loop->next);
    LLVMSetSuccessor(limits->branch, limits->high, high);
    LLVMAddIncoming(loop->ended, &ended, &high, 1);
}

/* The function's type.  Its first parameter is that of the kernel's entry, and is not used. */
static LLVMTypeRef type_of(struct lower_context *lower, const struct simd_serial_child *child)
{
    LLVMTypeRef *types = arena_alloc((child->count + 1 + SIMD_SERIAL_EXTRAS) * sizeof *types);
    types[0] = lower->types.ptr;
    for (unsigned i = 0; i < child->count; i++) {
        types[i + 1] = child->arguments[i].type;
    }
    LLVMTypeRef *extras = types + child->count + 1;
    extras[SIMD_SERIAL_THREADS] = extras[SIMD_SERIAL_BLOCK_DIM] = lower->types.i32;
    extras[SIMD_SERIAL_LAUNCH] = lower->types.ptr;
    return LLVMFunctionType(lower->types.i32, types, child->count + 1 + SIMD_SERIAL_EXTRAS, 0);
}

static void make_run(struct making *making)
{
    struct lower_context *lower = making->lower;
    struct simd_serial_child *child = making->child;
    const struct lower_kernel *kernel = child->kernel;
    making->function =
        simd_clone_as(lower, kernel->entry, str_format(SIMD_SERIAL_CHILD "%s", kernel->name),
                      type_of(lower, child));
    for (unsigned i = 0; i < SIMD_SERIAL_EXTRAS; i++) {
        making->extras[i] = LLVMGetParam(making->function, child->count + 1 + i);
    }
    making->indices.block_dim = making->extras[SIMD_SERIAL_BLOCK_DIM];
    struct loop loop = begin_loop(making);
    replace_fields(making);
    child->indices = making->indices;
    child->limits = simd_find_limits(&making->indices, loop.body);
    replace_returns(making, &loop);
    if (child->limits.count != 0) {
        end_at_limits(making, &loop, &child->limits);
    }
    end_loop(making, &loop);
    lower_add_attribute(lower, making->function, "nounwind");
    lower_add_attribute(lower, making->function, "willreturn");
    child->run = making->function;
}

struct simd_serial_child *simd_make_serial_child(struct lower_context *lower,
                                                 const struct lower_kernel *kernel)
{
    struct simd_serial_child *child = arena_alloc(sizeof *child);
    *child = (struct simd_serial_child){.kernel = kernel};
    find_arguments(child);
    struct making making = {
        .lower = lower, .child = child, .builder = LLVMCreateBuilderInContext(lower->llvm)};
    make_run(&making);
    LLVMDisposeBuilder(making.builder);
    return child;
}
