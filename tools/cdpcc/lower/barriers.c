/* Emits calls that record the line of a barrier, if threads of a warp may wait at different
 * barriers.
 *
 * That is legal here, because barriers count threads, but it hangs on GPUs. The runtime reports it
 * once. If block entries are made, it is known for each kernel whether its warps may diverge at
 * barriers. Otherwise, as without optimization, this is assumed to be possible if the unit has more
 * than one barrier. Threads of block entries always reach barriers together. */
#include "ir/report.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "lower/passes.h"
#include "support/arena.h"
#include "support/str.h"

#include "abi/cdp_abi.h"

#include <string.h>

static bool is_barrier(LLVMValueRef at)
{
    LLVMValueRef callee = lower_callee(at);
    return callee != NULL && str_starts(lower_name(callee), "cdp_abi_syncthreads");
}

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

/* A struct cdp_abi_place. */
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

void lower_barriers(struct lower_context *lower)
{
    struct barriers found = {0};
    for (size_t i = 0; lower->blocks_are_known && i < lower->kernel_count; i++) {
        if (lower->kernels[i].is_defined && lower->kernels[i].block.diverges_at_barriers) {
            add_barriers(lower->kernels[i].entry, &found);
        }
    }
    for (LLVMValueRef function = LLVMGetFirstFunction(lower->module);
         !lower->blocks_are_known && function != NULL; function = LLVMGetNextFunction(function)) {
        add_barriers(function, &found);
    }
    if (lower->blocks_are_known || found.count > 1) {
        mark(lower, &found);
    }
}
