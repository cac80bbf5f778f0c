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

/* The value of a plain store as an i64; NULL if it does not fit. The runtime does not report two
 * stores of the same value. */
static LLVMValueRef stored_value(struct instrument *instrument, LLVMBuilderRef builder,
                                 LLVMValueRef at)
{
    struct lower_types *types = &instrument->lower.types;
    LLVMValueRef value = LLVMIsAStoreInst(at) != NULL ? LLVMGetOperand(at, 0) : NULL;
    LLVMTypeRef type = value != NULL ? LLVMTypeOf(value) : NULL;
    if (value == NULL || LLVMGetVolatile(at) ||
        LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic ||
        LLVMStoreSizeOfType(instrument->lower.layout, type) > sizeof(uint64_t)) {
        return NULL;
    }
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
        return LLVMBuildPtrToInt(builder, value, types->i64, "");
    case LLVMIntegerTypeKind:
        return LLVMBuildZExt(builder, value, types->i64, "");
    case LLVMFloatTypeKind:
        return LLVMBuildZExt(builder, LLVMBuildBitCast(builder, value, types->i32, ""), types->i64,
                             "");
    case LLVMDoubleTypeKind:
        return LLVMBuildBitCast(builder, value, types->i64, "");
    default:
        return NULL;
    }
}

/* Whether a load only gives the first value for a compare-and-swap loop, as CUDA's guide writes it:
 * a wrong value makes the loop try again. */
static bool is_first_of_loop(LLVMValueRef load, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(load); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool compares = LLVMIsAAtomicCmpXchgInst(user) != NULL && LLVMGetOperand(user, 1) == load;
        bool passes = LLVMIsAPHINode(user) != NULL || LLVMIsABitCastInst(user) != NULL;
        if (compares || (passes && depth > 0 && is_first_of_loop(user, depth - 1))) {
            return true;
        }
    }
    return false;
}

/* Whether it is the store in __stcg() or __stwt(). Programs publish a value so that others poll for
 * by __ldcg(). */
static bool is_published(const struct instrument *instrument, LLVMValueRef at)
{
    const char *call = NULL;
    if (LLVMIsAStoreInst(at) != NULL) {
        lower_user_debug_location(&instrument->lower, at, &call);
    }
    return call != NULL && (str_equals(call, "__stcg") || str_equals(call, "__stwt"));
}

/* Whether threads may access different elements there. */
static bool is_indexed(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        for (int i = 1; i < LLVMGetNumOperands(address); i++) {
            if (LLVMIsAConstant(LLVMGetOperand(address, (unsigned)i)) == NULL) {
                return true;
            }
        }
        address = LLVMGetOperand(address, 0);
    }
    return LLVMIsAPHINode(address) != NULL || LLVMIsASelectInst(address) != NULL;
}

static uint32_t flags_of(const struct instrument *instrument,
                         const struct instrument_access *access)
{
    enum { MOST_DEPTH = 3 };
    bool is_guess = LLVMIsALoadInst(access->at) != NULL && is_first_of_loop(access->at, MOST_DEPTH);
    bool is_strict = instrument->lower.options->checks.is_strict;
    bool is_flag = is_guess || is_published(instrument, access->at);
    return instrument_site_flags(access) | (is_flag ? CDP_SITE_VOLATILE : 0) |
           (is_strict ? CDP_SITE_STRICT : 0) | (is_indexed(access->address) ? CDP_SITE_INDEXED : 0);
}

/* What an atomic or volatile access reads, others have released: known only after it. */
static void acquire_after(struct instrument *instrument, const struct instrument_access *access)
{
    struct lower_types *types = &instrument->lower.types;
    LLVMValueRef callee = instrument_runtime(instrument, "cdp_abi_race_acquire",
                                             LLVMFunctionType(types->none, &types->ptr, 1, 0));
    LLVMValueRef address = access->address;
    call_before(instrument, LLVMGetNextInstruction(access->at), callee, &address, 1);
}

static void record_access(struct instrument *instrument, const struct instrument_access *access)
{
    struct lower_types *types = &instrument->lower.types;
    const char *variable = NULL;
    if (instrument_all_roots(instrument, access->address, instrument_is_of_one_thread, &variable)) {
        return;
    }
    uint32_t flags = flags_of(instrument, access);
    LLVMTypeRef parameters[] = {types->ptr, types->ptr, types->i64, types->i64};
    LLVMBuilderRef builder = instrument_builder(instrument, access->at);
    LLVMValueRef value = stored_value(instrument, builder, access->at);
    unsigned count = value != NULL ? 4 : 3;
    bool is_plain =
        LLVMIsALoadInst(access->at) != NULL && (flags & (CDP_SITE_ATOMIC | CDP_SITE_VOLATILE)) == 0;
    const char *name = value != NULL ? "cdp_abi_race_store"
                       : is_plain    ? "cdp_abi_race_load"
                                     : "cdp_abi_race_access";
    LLVMValueRef callee =
        instrument_runtime(instrument, name, LLVMFunctionType(types->none, parameters, count, 0));
    LLVMValueRef arguments[] = {instrument_site(&instrument->lower, access->at, flags, variable),
                                access->address, access->size, value};
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee), callee, arguments, count, "");
    LLVMDisposeBuilder(builder);
    if ((flags & (CDP_SITE_ATOMIC | CDP_SITE_VOLATILE)) != 0 &&
        LLVMIsAStoreInst(access->at) == NULL) {
        acquire_after(instrument, access);
    }
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
    instrument_race_loops(instrument, function);
}
