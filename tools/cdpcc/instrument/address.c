/* AddressSanitizer in block entries.
 *
 * LLVM's pass tests each access of each thread.  In a block entry that would be a test for each
 * lane, and a vector may also cover memory that no thread accesses.  So that pass leaves block
 * entries alone, and they are made of code with a call before each access:
 *
 *     call void @cdp_abi_address_read(ptr %p, i64 4)
 *     %x = load i32, ptr %p
 *
 * The vectorizer makes one call for the lanes of a chunk from it (simd/emit/record.c).  The calls
 * are removed from thread entries, where LLVM's pass follows.  Accesses of variables have other
 * tests (address_variables.c), which stay: a local array may become registers. */
#include "instrument/address.h"

#include "instrument/instrument.h"
#include "instrument/instrument_pass.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "support/str.h"

#include "abi/cdp_abi.h"

static const char prefix[] = "cdp_abi_address_";

/* The parameters of a launch. */
static bool is_certainly_valid(LLVMValueRef root)
{
    return instrument_is_own_argument(root) || LLVMIsUndef(root);
}

/* Accesses of a size that is not constant are not made together for several lanes. */
static void call_before(struct instrument *instrument, const struct instrument_access *access)
{
    struct lower_types *types = &instrument->lower.types;
    const char *unused = NULL;
    if (instrument_all_roots(instrument, access->address, is_certainly_valid, &unused) ||
        instrument_access_of_variable(instrument, access)) {
        return;
    }
    bool writes = (access->flags & CDP_ACCESS_WRITE) != 0;
    bool is_constant = LLVMIsAConstantInt(access->size) != NULL;
    const char *name =
        str_format("%s%s%s", prefix, writes ? "write" : "read", is_constant ? "" : "_range");
    LLVMTypeRef parameters[] = {types->ptr, types->i64};
    LLVMValueRef callee =
        instrument_runtime(instrument, name, LLVMFunctionType(types->none, parameters, 2, 0));
    LLVMValueRef arguments[] = {access->address, access->size};
    LLVMBuilderRef builder = instrument_builder(instrument, access->at);
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee), callee, arguments, 2, "");
    LLVMDisposeBuilder(builder);
}

void instrument_addresses(const struct lower_context *lower)
{
    struct instrument instrument = {.lower = *lower};
    for (size_t i = 0; i < lower->kernel_count; i++) {
        if (lower->kernels[i].is_defined) {
            instrument_each(&instrument, lower->kernels[i].entry, call_before);
            instrument_race_loops(&instrument, lower->kernels[i].entry);
        }
    }
    instrument_forget_markers(lower);
}

static bool is_test(LLVMValueRef at)
{
    LLVMValueRef callee = LLVMIsACallInst(at) != NULL ? lower_callee(at) : NULL;
    return callee != NULL && str_starts(lower_name(callee), prefix);
}

void instrument_forget_addresses(const struct lower_context *lower)
{
    for (size_t i = 0; i < lower->kernel_count; i++) {
        if (!lower->kernels[i].is_defined) {
            continue;
        }
        struct lower_list tests = lower_instructions(lower->kernels[i].entry, is_test);
        for (size_t k = 0; k < tests.count; k++) {
            LLVMInstructionEraseFromParent(tests.items[k]);
        }
    }
}
