/* Tells the runtime that the rest of a block's threads would return at once.
 *
 * Most kernels begin with a test by which threads beyond the end of the data return
 * (simd/ir/index_limits.c).  Children of few elements in large blocks would otherwise spend most of
 * their time on calls of such threads.  So the thread entry stores CDP_THREADS_RETURN before this
 * return, and the runtime starts no more threads of the block. */
#include "backend/early_return.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "simd/ir/index_limits.h"
#include "simd/ir/thread_fields.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <stddef.h>

/* The optimizer leaves one load of each index; others count as unknown values. */
static struct simd_indices indices_in(LLVMBasicBlockRef block)
{
    enum { X = offsetof(struct cdp_abi_block, block_idx) };
    struct simd_indices indices = {.is_one_block = true};
    LLVMTypeRef i32 =
        LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(block))));
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        if (LLVMTypeOf(at) != i32) {
            continue;
        }
        if (simd_self_field(at) == offsetof(struct cdp_abi_thread, thread_idx)) {
            indices.thread = at;
        } else if (simd_field(at) == X) {
            indices.block = at;
        } else if (simd_field(at) == offsetof(struct cdp_abi_block, block_dim)) {
            indices.block_dim = at;
        }
    }
    return indices;
}

/* Whether the thread exceeds one of the limits, as all threads after it in its block then do.
 * NULL: that is not known.  An index to which a number is added may wrap around. */
static LLVMValueRef exceeds(LLVMBuilderRef b, const struct simd_limits *limits)
{
    LLVMValueRef result = NULL;
    for (unsigned i = 0; i < limits->count; i++) {
        const struct simd_limit *limit = &limits->items[i];
        if (limit->base == NULL) {
            /* It may be poison if another condition already makes all threads return. */
            LLVMValueRef compare = LLVMBuildFreeze(b, limit->compare, "");
            LLVMValueRef here = limit->is_high ? compare : LLVMBuildNot(b, compare, "");
            result = result == NULL ? here : LLVMBuildOr(b, result, here, "");
        }
    }
    return result;
}

/* What the thread stores to launch_failed before it returns: CDP_THREADS_RETURN if it exceeds a
 * limit, else zero, as at a thread's start.  NULL: nothing. */
static LLVMValueRef stored_value(LLVMBuilderRef b, const struct simd_limits *limits,
                                 LLVMTypeRef i32)
{
    const struct simd_limit *limit = &limits->items[0];
    LLVMValueRef returns = LLVMConstInt(i32, CDP_THREADS_RETURN, 0);
    if (limit->base == NULL && limit->compare == LLVMGetCondition(limits->branch)) {
        return returns; /* no other condition leads here */
    }
    LLVMValueRef test = exceeds(b, limits);
    return test == NULL ? NULL : LLVMBuildSelect(b, test, returns, LLVMConstInt(i32, 0, 0), "");
}

static void store_before_return(LLVMValueRef function, const struct simd_limits *limits,
                                LLVMValueRef self)
{
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(function));
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(llvm, function, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(llvm);
    LLVMPositionBuilderAtEnd(b, block);
    LLVMValueRef value = stored_value(b, limits, LLVMInt32TypeInContext(llvm));
    if (value != NULL) {
        LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(llvm),
                                           offsetof(struct cdp_abi_thread, launch_failed), 0);
        LLVMBuildStore(b, value,
                       LLVMBuildGEP2(b, LLVMInt8TypeInContext(llvm), self, &offset, 1, ""));
    }
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    LLVMSetSuccessor(limits->branch, limits->high, block);
}

/* The thread's context in the block; NULL: it is not used there. */
static LLVMValueRef self_in(LLVMBasicBlockRef block)
{
    LLVMValueRef at = LLVMGetFirstInstruction(block);
    while (at != NULL && !simd_is_self(at)) {
        at = LLVMGetNextInstruction(at);
    }
    return at;
}

static void change(LLVMValueRef function)
{
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(function);
    struct simd_indices indices = indices_in(first);
    struct simd_limits limits = simd_find_limits(&indices, first);
    if (limits.count != 0) {
        store_before_return(function, &limits, self_in(first));
    }
}

void lower_early_return(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && str_starts(lower_name(f), "cdp.thread.")) {
            change(f);
        }
    }
}
