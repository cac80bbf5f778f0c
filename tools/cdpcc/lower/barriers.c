/* Emits calls that record the line of a barrier, if threads of a warp may wait at different
 * barriers.
 *
 * That is legal here, because barriers count threads, but it hangs on GPUs. The runtime reports it
 * once. If block entries are made, it is known for each kernel whether its warps may diverge at
 * barriers. Otherwise, as without optimization, this is assumed to be possible if the unit has more
 * than one barrier. Threads of block entries always reach barriers together.
 *
 * Before and after, in a unit with two barriers:
 *
 *     call void @cdp_abi_syncthreads()        call void @cdp_abi_at_barrier(ptr @cdp.place)
 *                                             call void @cdp_abi_syncthreads()
 *
 * with
 *
 *     @cdp.place = private constant { ptr, i32, i32 } { ptr @file, i32 12, i32 5 }
 *
 * With --check=sync all barriers are marked: the runtime also finds warps of a block that wait at
 * different barriers, and threads that end before a barrier.
 *
 * The pass needs the names of the runtime (builtin has replaced __syncthreads) and what the
 * vectorizer found of each kernel (diverges_at_barriers). Where that is not known, a unit with a
 * single barrier gets no calls: all threads that wait in it wait at the same place. */
#include "ir/report.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "lower/passes.h"
#include "support/arena.h"
#include "support/str.h"

#include "abi/cdp_abi.h"

#include <string.h>

/* The prefix also matches the barriers with a vote, such as cdp_abi_syncthreads_count. */
static bool is_barrier(LLVMValueRef at)
{
    LLVMValueRef callee = lower_callee(at);
    return callee != NULL && str_starts(lower_name(callee), "cdp_abi_syncthreads");
}

/* The calls of barriers found so far, in the arena. */
struct barriers {
    LLVMValueRef *items;
    size_t count;
};

static void add_barriers(LLVMValueRef function, struct barriers *found)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (is_barrier(at)) {
                LOWER_PUSH(found->items, found->count, at);
            }
        }
    }
}

/* A struct cdp_abi_position. */
static LLVMValueRef make_place(struct lower_context *lower, LLVMValueRef at)
{
    struct lower_place place = lower_place_of(at);
    LLVMTypeRef fields[] = {lower->types.ptr, lower->types.i32, lower->types.i32};
    LLVMTypeRef type = LLVMStructTypeInContext(lower->llvm, fields, 3, 0);
    LLVMValueRef values[] = {place.file == NULL ? LLVMConstNull(lower->types.ptr)
                                                : lower_string(lower, place.file),
                             LLVMConstInt(lower->types.i32, place.line, 0),
                             LLVMConstInt(lower->types.i32, place.column, 0)};
    LLVMValueRef global = LLVMAddGlobal(lower->module, type, "cdp.place");
    LLVMSetInitializer(global, LLVMConstNamedStruct(type, values, 3));
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetAlignment(global, sizeof(void *));
    return global;
}

/* The place is recorded before the barrier: the runtime must know it while the thread waits. */
static void mark(struct lower_context *lower, const struct barriers *barriers)
{
    LLVMTypeRef type = LLVMFunctionType(lower->types.none, &lower->types.ptr, 1, 0);
    LLVMValueRef tell =
        barriers->count == 0 ? NULL : lower_runtime(lower, "cdp_abi_at_barrier", type);
    for (size_t i = 0; i < barriers->count; i++) {
        LLVMValueRef place = make_place(lower, barriers->items[i]);
        LLVMBuilderRef builder = lower_builder_before(lower, barriers->items[i]);
        LLVMBuildCall2(builder, type, tell, &place, 1, "");
        LLVMDisposeBuilder(builder);
    }
}

/* With known blocks only the entries of the kernels that may diverge are searched. Otherwise all
 * functions of the unit are searched, and the number of barriers in the unit decides. */
void lower_barriers(struct lower_context *lower)
{
    struct barriers found = {0};
    bool are_checked = lower->options->checks.on[CHECK_SYNC];
    bool are_known = lower->blocks_are_known && !are_checked;
    for (size_t i = 0; are_known && i < lower->kernel_count; i++) {
        if (lower->kernels[i].is_defined && lower->kernels[i].block.diverges_at_barriers) {
            add_barriers(lower->kernels[i].entry, &found);
        }
    }
    for (LLVMValueRef function = LLVMGetFirstFunction(lower->module);
         !are_known && function != NULL; function = LLVMGetNextFunction(function)) {
        add_barriers(function, &found);
    }
    if (are_known || are_checked || found.count > 1) {
        mark(lower, &found);
    }
}
