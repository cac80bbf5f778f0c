/* A child kernel as a function that runs the threads of a small grid one after the other.
 *
 *     __global__ void child(int *p, int n)           serial(int *p, int n, threads, block_dim)
 *     {                                              {
 *         int i = blockIdx.x * blockDim.x                for (i = 0; i < threads; i++) {
 *                 + threadIdx.x;               ->            if (i >= n) break;
 *         if (i >= n) return;                                p[i]++;
 *         p[i]++;                                        }
 *     }                                              }
 *
 * serial_form.c says which kernels may be such a child.
 *
 * Most kernels begin with a test of the thread's index, because a grid has whole blocks.  If a
 * thread returns there, so do all threads after it (serial_limits.c), and the loop ends.  The same
 * test is a function of its own (`ends`): the parent asks it whether the grid has few threads that
 * do anything.  It is asked before the launch is known to be valid, so it loads nothing.
 *
 * Before its loop the function stores to the context which child runs, and before each iteration
 * which thread, for reports of faults (cdp_abi_thread.serial). */
#include "simd/prepare/serial_child.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/ir/calls.h"
#include "simd/ir/clone.h"
#include "simd/ir/thread_fields.h"
#include "simd/prepare/serial_form.h"
#include "simd/prepare/serial_limits.h"
#include "support/arena.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <stddef.h>
#include <string.h>

/* The functions being made.  Life: one call of simd_make_serial_child(). */
struct making {
    struct lower_context *lower;
    struct simd_serial_child *child;
    LLVMBuilderRef builder;
    LLVMValueRef function;
    struct simd_serial_thread thread; /* the values that loads of its fields become */
};

static LLVMValueRef number(const struct making *making, uint64_t value)
{
    return LLVMConstInt(making->lower->types.i32, value, 0);
}

/* What follows the arguments of the kernel. */
enum extra { THREADS, BLOCK_DIM, LAST };

static LLVMValueRef extra_of(const struct making *making, enum extra extra)
{
    return LLVMGetParam(making->function, making->child->count + 1 + extra);
}

/* The function that is being made is a copy of the kernel's entry. */
static void begin_function(struct making *making, const char *prefix, LLVMTypeRef type)
{
    const struct lower_kernel *kernel = making->child->kernel;
    making->function =
        simd_clone_as(making->lower, kernel->entry, str_format("%s%s", prefix, kernel->name), type);
    making->thread.threads = extra_of(making, THREADS);
    making->thread.block_dim = extra_of(making, BLOCK_DIM);
}

static void find_arguments(struct simd_serial_child *child)
{
    LLVMValueRef entry = child->kernel->entry;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(entry); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            int64_t offset;
            if (LLVMIsALoadInst(at) == NULL || !simd_is_parameter(at, &offset)) {
                continue;
            }
            struct simd_serial_argument argument = {(uint64_t)offset, LLVMTypeOf(at)};
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
}

/* What a load of the context, of the block or of a parameter is; NULL: another instruction. */
static LLVMValueRef replacement(const struct making *making, LLVMValueRef load)
{
    struct lower_context *lower = making->lower;
    const struct simd_serial_child *child = making->child;
    LLVMBuilderRef b = making->builder;
    int64_t offset;
    if (LLVMIsALoadInst(load) == NULL) {
        return NULL;
    }
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
        return field == 0 || field == offsetof(struct cdp_abi_thread, linear) ? making->thread.index
                                                                              : number(making, 0);
    }
    if (!simd_is_block_field(lower, load)) {
        return NULL;
    }
    switch (simd_field(load)) {
    case offsetof(struct cdp_abi_block, block_idx):
        return making->thread.block;
    case offsetof(struct cdp_abi_block, block_idx) + 4:
    case offsetof(struct cdp_abi_block, block_idx) + 8:
        return number(making, 0);
    case offsetof(struct cdp_abi_block, block_dim):
    case offsetof(struct cdp_abi_block, thread_count):
        return making->thread.block_dim;
    case offsetof(struct cdp_abi_block, grid_dim):
        LLVMPositionBuilderBefore(b, load);
        return LLVMBuildUDiv(b, making->thread.threads, making->thread.block_dim, "");
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

/* Replaces the thread's own values, in the whole function. */
static void replace_fields(const struct making *making)
{
    struct lower_list all = {0};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(making->function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            LOWER_PUSH(all.items, all.count, at);
        }
    }
    LLVMValueRef *values = arena_alloc((all.count + 1) * sizeof *values);
    for (size_t i = 0; i < all.count; i++) { /* before any is replaced: they refer to each other */
        values[i] = replacement(making, all.items[i]);
    }
    for (size_t i = 0; i < all.count; i++) {
        if (values[i] != NULL) {
            LLVMReplaceAllUsesWith(all.items[i], values[i]);
        }
    }
    for (size_t i = 0; i < all.count; i++) {
        if (values[i] == NULL && simd_is_grid_index(&making->thread, all.items[i])) {
            LLVMReplaceAllUsesWith(all.items[i], making->thread.i);
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

/* The blocks around the kernel's own. */
struct loop {
    LLVMBasicBlockRef start, head, next, end, body;
    LLVMValueRef ended; /* phi of `next`: the thread, and all after it, returned at once */
    LLVMValueRef self;
};

static struct loop begin_loop(struct making *making)
{
    struct lower_context *lower = making->lower;
    LLVMBuilderRef b = making->builder;
    LLVMTypeRef i32 = lower->types.i32;
    struct loop loop = {.body = LLVMGetEntryBasicBlock(making->function)};
    loop.start = LLVMInsertBasicBlockInContext(lower->llvm, loop.body, "start");
    loop.head = LLVMInsertBasicBlockInContext(lower->llvm, loop.body, "thread");
    loop.next = LLVMAppendBasicBlockInContext(lower->llvm, making->function, "next");
    loop.end = LLVMAppendBasicBlockInContext(lower->llvm, making->function, "end");
    LLVMPositionBuilderAtEnd(b, loop.start);
    loop.self = lower_self(lower, b);
    store_to_context(making, loop.self, offsetof(struct cdp_abi_thread, serial_threads),
                     making->thread.threads);
    store_to_context(making, loop.self, offsetof(struct cdp_abi_thread, serial_block_dim),
                     making->thread.block_dim);
    store_to_context(making, loop.self, offsetof(struct cdp_abi_thread, serial),
                     extra_of(making, LAST));
    LLVMBuildBr(b, loop.head);
    LLVMPositionBuilderAtEnd(b, loop.head);
    making->thread.i = LLVMBuildPhi(b, i32, "i");
    making->thread.index = LLVMBuildPhi(b, i32, "thread");
    making->thread.block = LLVMBuildPhi(b, i32, "block");
    store_to_context(making, loop.self, offsetof(struct cdp_abi_thread, serial_index),
                     making->thread.i);
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
    LLVMValueRef i = LLVMBuildNUWAdd(b, making->thread.i, one, "");
    LLVMValueRef thread = LLVMBuildNUWAdd(b, making->thread.index, one, "");
    LLVMValueRef is_over = LLVMBuildICmp(b, LLVMIntEQ, thread, making->thread.block_dim, "");
    LLVMValueRef block = LLVMBuildNUWAdd(b, making->thread.block, one, "");
    set_next(making->thread.i, i, loop);
    set_next(making->thread.index, LLVMBuildSelect(b, is_over, number(making, 0), thread, ""),
             loop);
    set_next(making->thread.block, LLVMBuildSelect(b, is_over, block, making->thread.block, ""),
             loop);
    LLVMValueRef is_last = LLVMBuildICmp(b, LLVMIntEQ, i, making->thread.threads, "");
    LLVMBuildCondBr(b, LLVMBuildOr(b, is_last, loop->ended, ""), loop->end, loop->head);
    LLVMPositionBuilderAtEnd(b, loop->end);
    store_to_context(making, loop->self, offsetof(struct cdp_abi_thread, serial),
                     LLVMConstNull(making->lower->types.ptr));
    LLVMBuildRetVoid(b);
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

static void end_at_limits(const struct making *making, const struct loop *loop,
                          const struct simd_limits *limits)
{
    struct lower_context *lower = making->lower;
    LLVMValueRef ended = simd_all_return(making->builder, &making->thread, limits, false);
    LLVMBasicBlockRef high = LLVMInsertBasicBlockInContext(lower->llvm, loop->next, "high");
    LLVMPositionBuilderAtEnd(making->builder, high);
    LLVMBuildBr(making->builder, loop->next);
    LLVMSetSuccessor(limits->branch, limits->high, high);
    LLVMAddIncoming(loop->ended, &ended, &high, 1);
}

/* The function's type: the unused address of parameters, the arguments, threads, block_dim, and a
 * last one. */
static LLVMTypeRef type_of(const struct making *making, LLVMTypeRef result, LLVMTypeRef last)
{
    const struct simd_serial_child *child = making->child;
    LLVMTypeRef *types = arena_alloc((child->count + 4) * sizeof *types);
    types[0] = making->lower->types.ptr;
    for (unsigned i = 0; i < child->count; i++) {
        types[i + 1] = child->arguments[i].type;
    }
    types[child->count + 1] = types[child->count + 2] = making->lower->types.i32;
    types[child->count + 3] = last;
    return LLVMFunctionType(result, types, child->count + 4, 0);
}

/* True if threads that exceed a limit return at once. */
static bool make_run(struct making *making)
{
    struct lower_context *lower = making->lower;
    begin_function(making, SIMD_SERIAL_CHILD, type_of(making, lower->types.none, lower->types.ptr));
    struct loop loop = begin_loop(making);
    replace_fields(making);
    struct simd_limits limits;
    bool has_limits = simd_find_limits(&making->thread, loop.body, &limits);
    replace_returns(making, &loop);
    if (has_limits) {
        end_at_limits(making, &loop, &limits);
    }
    end_loop(making, &loop);
    lower_add_attribute(lower, making->function, "nounwind");
    lower_add_attribute(lower, making->function, "willreturn");
    making->child->run = making->function;
    return has_limits;
}

static void delete_blocks_behind(LLVMBasicBlockRef first)
{
    LLVMBasicBlockRef block;
    for (block = LLVMGetNextBasicBlock(first); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef at;
        while ((at = LLVMGetLastInstruction(block)) != NULL) {
            if (LLVMGetFirstUse(at) != NULL) {
                LLVMReplaceAllUsesWith(at, LLVMGetUndef(LLVMTypeOf(at)));
            }
            LLVMInstructionEraseFromParent(at);
        }
    }
    while ((block = LLVMGetNextBasicBlock(first)) != NULL) {
        LLVMDeleteBasicBlock(block);
    }
}

/* What the kernel does up to its test, for one thread. */
static void make_ends(struct making *making)
{
    struct lower_context *lower = making->lower;
    begin_function(making, SIMD_SERIAL_END, type_of(making, lower->types.i1, lower->types.i32));
    making->thread.i = extra_of(making, LAST);
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(making->function);
    /* The index in the block and the block's index must be values of their own. */
    LLVMPositionBuilderBefore(making->builder, LLVMGetFirstInstruction(first));
    making->thread.index = LLVMBuildFreeze(making->builder, making->thread.i, "thread");
    making->thread.block = LLVMBuildFreeze(making->builder, number(making, 0), "block");
    replace_fields(making);
    struct simd_limits limits;
    LLVMValueRef result = simd_find_limits(&making->thread, first, &limits)
                              ? simd_all_return(making->builder, &making->thread, &limits, true)
                              : NULL;
    if (result != NULL) {
        LLVMInstructionEraseFromParent(limits.branch);
        LLVMPositionBuilderAtEnd(making->builder, first);
        LLVMBuildRet(making->builder, result);
        delete_blocks_behind(first);
        making->child->ends = making->function;
    } else {
        LLVMDeleteFunction(making->function);
    }
}

struct simd_serial_child *simd_make_serial_child(struct lower_context *lower,
                                                 const struct lower_kernel *kernel)
{
    struct simd_serial_child *child = arena_alloc(sizeof *child);
    *child = (struct simd_serial_child){.kernel = kernel};
    find_arguments(child);
    struct making making = {
        .lower = lower, .child = child, .builder = LLVMCreateBuilderInContext(lower->llvm)};
    if (make_run(&making)) {
        make_ends(&making);
    }
    LLVMDisposeBuilder(making.builder);
    return child;
}
