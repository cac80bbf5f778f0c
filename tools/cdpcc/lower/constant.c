/* __grid_constant__ parameters: all threads of a grid share one object, in the launch's buffer, and
 * have no copies.
 *
 * The front end marks the parameter's stack slot, or the argument that is its address, by a call of
 * llvm.var.annotation. The parameter is const, so only the front end's prologue writes to the slot.
 * When the buffer replaces the slot, these writes must be removed.
 *
 * Source:
 *
 *     __global__ void k(const __grid_constant__ Big big) { use(&big); }
 *
 * Without the attribute the entry copies the parameter to the thread's stack, and &big is the
 * address of the copy. With it &big is an address in the launch's buffer:
 *
 *     %big = getelementptr inbounds i8, ptr %buffer, i64 OFFSET
 *
 * So all threads see the same address, as CUDA promises, and a large parameter costs no copy.
 *
 * The passes params and entry call these functions; this file is no pass of its own. */
#include "lower/constant.h"

#include "ir/value.h"
#include "lower/kernel.h"
#include "lower/view.h"

#include <string.h>

static bool calls_intrinsic(LLVMValueRef instruction, const char *name)
{
    LLVMValueRef callee = lower_callee(instruction);
    return callee != NULL && strncmp(lower_name(callee), name, strlen(name)) == 0;
}

/* A call of llvm.var.annotation with the text "cdp.grid_constant" for the value. */
static bool is_note(const struct lower_use *use)
{
    if (use->operand != 0 || !calls_intrinsic(use->user, "llvm.var.annotation")) {
        return false;
    }
    size_t length;
    LLVMValueRef text = LLVMIsAGlobalVariable(LLVMGetOperand(use->user, 1));
    return text != NULL &&
           strcmp(LLVMGetAsString(LLVMGetInitializer(text), &length), "cdp.grid_constant") == 0;
}

bool lower_take_grid_constant(LLVMValueRef slot)
{
    bool found = false;
    size_t count;
    struct lower_use *uses = lower_uses(slot, &count);
    for (size_t i = 0; i < count; i++) {
        if (is_note(&uses[i])) {
            LLVMInstructionEraseFromParent(uses[i].user);
            found = true;
        }
    }
    return found;
}

/* Erases stores, copies and lifetimes of a slot and its parts. */
static void erase_writes(LLVMValueRef address)
{
    size_t count;
    struct lower_use *uses = lower_uses(address, &count);
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef user = uses[i].user;
        bool is_store = LLVMIsAStoreInst(user) != NULL && uses[i].operand == 1;
        bool is_copy = uses[i].operand == 0 && calls_intrinsic(user, "llvm.memcpy.");
        if (LLVMIsAGetElementPtrInst(user) != NULL) {
            erase_writes(user);
        } else if (is_store || is_copy || calls_intrinsic(user, "llvm.lifetime.")) {
            LLVMInstructionEraseFromParent(user);
        }
    }
}

/* The slot remains, unused, because the builder may be positioned before it. */
static void share(struct lower_context *lower, LLVMBuilderRef builder, LLVMValueRef entry,
                  const struct lower_param *param)
{
    LLVMValueRef address =
        lower_field(lower, builder, LLVMGetParam(entry, 0), param->offset, param->name);
    if (param->slot != NULL && LLVMIsAAllocaInst(param->slot) != NULL) {
        erase_writes(param->slot);
        LLVMReplaceAllUsesWith(param->slot, address);
    }
    if (lower->options->debug_device && LLVMIsAInstruction(address) != NULL) {
        lower_view_variable(lower, entry, address, param->name, param->type);
    }
}

void lower_grid_constants(struct lower_context *lower, LLVMBuilderRef builder,
                          const struct lower_kernel *kernel)
{
    for (unsigned i = 0; i < kernel->param_count; i++) {
        if (kernel->params[i].is_grid_constant) {
            share(lower, builder, kernel->entry, &kernel->params[i]);
        }
    }
}
