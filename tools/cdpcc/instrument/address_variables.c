/* AddressSanitizer in block entries: accesses of variables whose size is known.
 *
 *     %t = getelementptr [64 x float], ptr %s, i64 0, i64 %i
 *     store float %x, ptr %t
 *
 * has a test of the offset instead of one of the shadow, as a guard:
 *
 *     %offset = mul i64 %i, 4
 *     %outside = icmp uge i64 %offset, 253
 *     call void @cdp.guard.address.memory(i1 %outside, ptr %s, i64 %offset, ...)
 *
 * The vectorizer tests the first and the last lane of a vector, and where a block's size is known
 * it computes most tests.  A local array has no red zones in a block entry, so this is its only
 * test.  The test does not use the array's address, so the array can still be interleaved or become
 * values in registers. */
#include "instrument/address.h"
#include "instrument/instrument_pass.h"
#include "instrument/site.h"
#include "ir/indices.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "support/str.h"

#include "abi/cdp_abi.h"

static LLVMValueRef number(const struct instrument *instrument, uint64_t value)
{
    return LLVMConstInt(instrument->lower.types.i64, value, 0);
}

/* ---- Offsets ---- */

/* Adds the offset of one getelementptr, in bytes, to the sum. */
static LLVMValueRef add_offset(struct instrument *instrument, LLVMBuilderRef b, LLVMValueRef all,
                               LLVMValueRef at)
{
    LLVMTypeRef type = NULL, i64 = instrument->lower.types.i64;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(at); i++) {
        struct lower_index index = lower_index_of(instrument->lower.layout, at, i, &type);
        LLVMValueRef offset = number(instrument, index.bytes);
        if (index.number != NULL) {
            LLVMValueRef wide = LLVMBuildIntCast2(b, index.number, i64, true, "");
            offset = LLVMBuildMul(b, wide, offset, "");
        }
        all = LLVMBuildAdd(b, all, offset, "");
    }
    return all;
}

/* i64: the distance from the root, without the root's address; NULL: another form of address. */
static LLVMValueRef offset_from(struct instrument *instrument, LLVMBuilderRef b, LLVMValueRef root,
                                LLVMValueRef address)
{
    LLVMValueRef all = number(instrument, 0);
    for (; address != root; address = LLVMGetOperand(address, 0)) {
        if (LLVMIsAGetElementPtrInst(address) == NULL) {
            return NULL;
        }
        all = add_offset(instrument, b, all, address);
    }
    return all;
}

/* ---- Tests ---- */

/* 0: it is not known. */
static uint64_t size_of(const struct instrument *instrument, LLVMValueRef root)
{
    if (!instrument_is_marker(root)) {
        return instrument_size_of_variable(instrument, root);
    }
    LLVMValueRef size = LLVMIsAConstantInt(LLVMGetOperand(root, 1));
    return size == NULL ? 0 : LLVMConstIntGetZExtValue(size);
}

/* The offset from which on an access of that size is outside. */
static LLVMValueRef limit_of(struct instrument *instrument, LLVMBuilderRef b, LLVMValueRef room,
                             LLVMValueRef size)
{
    LLVMTypeRef i64 = instrument->lower.types.i64;
    LLVMValueRef both[] = {LLVMBuildAdd(b, room, number(instrument, 1), ""), size};
    if (LLVMIsAConstantInt(size) != NULL && LLVMIsAConstantInt(both[0]) != NULL) {
        uint64_t most = LLVMConstIntGetZExtValue(both[0]), least = LLVMConstIntGetZExtValue(size);
        return number(instrument, most > least ? most - least : 0);
    }
    return lower_intrinsic(&instrument->lower, b, "llvm.usub.sat", &i64, 1, both, 2);
}

void instrument_variable_test(struct instrument *instrument, LLVMBuilderRef b,
                              const struct instrument_offset *offset,
                              const LLVMValueRef arguments[INSTRUMENT_OF_VARIABLE])
{
    struct lower_types *types = &instrument->lower.types;
    LLVMValueRef outside = LLVMBuildICmp(b, LLVMIntUGE, offset->tested, offset->limit, "");
    if (LLVMIsAConstantInt(outside) != NULL && LLVMIsNull(outside)) {
        return;
    }
    LLVMTypeRef parameters[] = {types->ptr, types->i64, types->i64,
                                types->ptr, types->i64, types->i64};
    LLVMTypeRef type = LLVMFunctionType(types->none, parameters, INSTRUMENT_OF_VARIABLE, 0);
    LLVMValueRef callee = instrument_runtime(instrument, "cdp_abi_address_outside", type);
    lower_add_attribute(&instrument->lower, callee, "cold");
    LLVMValueRef guard = instrument_guard(instrument, INSTRUMENT_VARIABLE_GUARD, callee);
    LLVMValueRef all[INSTRUMENT_OF_VARIABLE + 1] = {outside};
    for (unsigned i = 0; i < INSTRUMENT_OF_VARIABLE; i++) {
        all[i + 1] = arguments[i];
    }
    LLVMBuildCall2(b, LLVMGlobalGetValueType(guard), guard, all, INSTRUMENT_OF_VARIABLE + 1, "");
}

/* A constant of struct cdp_abi_extent. */
static LLVMValueRef extent_of(struct instrument *instrument, LLVMValueRef root, uint64_t size)
{
    struct lower_context *lower = &instrument->lower;
    LLVMValueRef fields[] = {
        number(instrument, size),
        instrument_text(lower, instrument_variable_name(lower, root)),
    };
    LLVMValueRef value = LLVMConstStructInContext(lower->llvm, fields, 2, 0);
    LLVMValueRef global = LLVMAddGlobal(lower->module, LLVMTypeOf(value), "cdp.extent");
    LLVMSetInitializer(global, value);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    return global;
}

static void test_access(struct instrument *instrument, LLVMBuilderRef b,
                        const struct instrument_access *access, LLVMValueRef root,
                        LLVMValueRef offset)
{
    uint64_t size = size_of(instrument, root);
    bool is_local = LLVMIsAAllocaInst(root) != NULL;
    bool writes = (access->flags & CDP_ACCESS_WRITE) != 0;
    struct instrument_offset tested = {
        .tested = offset,
        .limit = limit_of(instrument, b, number(instrument, size), access->size),
    };
    LLVMValueRef twice = LLVMBuildShl(b, access->size, number(instrument, 1), "");
    LLVMValueRef arguments[INSTRUMENT_OF_VARIABLE] = {
        [INSTRUMENT_ROOT] = is_local ? LLVMConstNull(instrument->lower.types.ptr) : root,
        [INSTRUMENT_OFFSET] = offset,
        [INSTRUMENT_ACCESS] = LLVMBuildOr(b, twice, number(instrument, writes), ""),
        [INSTRUMENT_EXTENT] = extent_of(instrument, root, size),
        [INSTRUMENT_STEP] = number(instrument, 0),
        [INSTRUMENT_COUNT] = number(instrument, 1),
    };
    instrument_variable_test(instrument, b, &tested, arguments);
}

bool instrument_access_of_variable(struct instrument *instrument,
                                   const struct instrument_access *access)
{
    LLVMValueRef root = instrument_origin_of(instrument, access->address).base;
    if (size_of(instrument, root) == 0) {
        return false;
    }
    LLVMBuilderRef b = instrument_builder(instrument, access->at);
    LLVMValueRef offset = offset_from(instrument, b, root, access->address);
    if (offset != NULL) {
        test_access(instrument, b, access, root, offset);
    }
    LLVMDisposeBuilder(b);
    return offset != NULL;
}

bool instrument_is_plain_local(LLVMValueRef address)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef at = LLVMGetUser(use);
        LLVMValueRef callee = LLVMIsACallInst(at) != NULL ? lower_callee(at) : NULL;
        const char *name = callee == NULL ? "" : lower_name(callee);
        bool is_store = LLVMIsAStoreInst(at) != NULL && LLVMGetOperand(at, 0) != address;
        bool is_harmless = LLVMIsALoadInst(at) != NULL || is_store || LLVMIsAICmpInst(at) != NULL ||
                           str_starts(name, "llvm.lifetime.") || LLVMIsAMemIntrinsic(at) != NULL ||
                           str_starts(name, "cdp_abi_");
        bool is_step = LLVMIsAGetElementPtrInst(at) != NULL && instrument_is_plain_local(at);
        if (!is_harmless && !is_step) {
            return false;
        }
    }
    return true;
}
