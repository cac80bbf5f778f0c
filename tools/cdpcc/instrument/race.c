/* --check=race: accesses that nothing orders.
 *
 * Each access to memory that other threads may access gets a call before it, and so does each
 * fence:
 *
 *     call void @cdp_abi_race_access(ptr @site, ptr %p, i64 4)
 *     store i32 0, ptr %p
 *
 * The runtime keeps the records and compares them. The calls are emitted in the second round, where
 * values in registers are no longer accesses. The functions have LLVM's attribute sanitize_thread
 * from the first round on, so the optimizer does not add loads that the source does not have. */
#include "instrument/instrument_pass.h"
#include "instrument/site.h"
#include "ir/user_location.h"
#include "ir/value.h"
#include "support/str.h"

#include "abi/cdp_abi.h"
#include "abi/cdp_check.h"

bool instrument_is_of_one_thread(LLVMValueRef root)
{
    const char *section = LLVMIsAGlobalVariable(root) != NULL ? LLVMGetSection(root) : NULL;
    bool is_constant = LLVMIsAGlobalVariable(root) != NULL &&
                       (LLVMIsGlobalConstant(root) != 0 ||
                        (section != NULL && str_equals(section, CDP_CONSTANT_SECTION)));
    return is_constant || LLVMIsAAllocaInst(root) != NULL || LLVMIsUndef(root) ||
           instrument_is_own_argument(root);
}

static void call_before(struct instrument *instrument, LLVMValueRef at, LLVMValueRef callee,
                        LLVMValueRef *arguments, unsigned count)
{
    LLVMBuilderRef builder = instrument_builder(instrument, at);
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee), callee, arguments, count, "");
    LLVMDisposeBuilder(builder);
}

static void record_access(struct instrument *instrument, const struct instrument_access *access)
{
    struct lower_types *types = &instrument->lower.types;
    const char *variable = NULL;
    if (instrument_all_roots(instrument, access->address, instrument_is_of_one_thread, &variable)) {
        return;
    }
    LLVMTypeRef parameters[] = {types->ptr, types->ptr, types->i64};
    LLVMValueRef callee = instrument_runtime(instrument, "cdp_abi_race_access",
                                             LLVMFunctionType(types->none, parameters, 3, 0));
    LLVMValueRef arguments[] = {
        instrument_site(&instrument->lower, access->at, instrument_site_flags(access), variable),
        access->address, access->size};
    call_before(instrument, access->at, callee, arguments, 3);
}

/* Fences are all the same in IR. The functions that have only a block's scope are known by their
 * names. */
static bool is_of_block(struct instrument *instrument, LLVMValueRef fence)
{
    const char *call;
    lower_user_debug_location(&instrument->lower, fence, &call);
    return call != NULL && str_equals(call, "__threadfence_block");
}

static void record_fence(struct instrument *instrument, LLVMValueRef fence)
{
    struct lower_types *types = &instrument->lower.types;
    LLVMValueRef callee = instrument_runtime(instrument, "cdp_abi_race_fence",
                                             LLVMFunctionType(types->none, &types->i32, 1, 0));
    LLVMValueRef block = LLVMConstInt(types->i32, is_of_block(instrument, fence), 0);
    call_before(instrument, fence, callee, &block, 1);
}

void instrument_race(struct instrument *instrument, LLVMValueRef function)
{
    instrument_each(instrument, function, record_access);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (LLVMIsAFenceInst(at) != NULL) {
                record_fence(instrument, at);
            }
        }
    }
}
