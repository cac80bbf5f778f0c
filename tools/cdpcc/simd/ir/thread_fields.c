/* Loads of the fields of a thread's context and of its block. */
#include "simd/ir/thread_fields.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "simd/ir/memory.h"

#include <stddef.h>
#include <string.h>

bool simd_is_self(LLVMValueRef value)
{
    if (LLVMIsALoadInst(value) == NULL) {
        return false;
    }
    LLVMValueRef global = LLVMIsAGlobalVariable(LLVMGetOperand(value, 0));
    return global != NULL && strcmp(lower_name(global), "cdp_abi_self") == 0;
}

int simd_self_field(LLVMValueRef load)
{
    int64_t offset;
    if (LLVMIsALoadInst(load) == NULL) {
        return -1;
    }
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    return base != NULL && simd_is_self(base) ? (int)offset : -1;
}

int simd_field(LLVMValueRef load)
{
    int64_t offset;
    if (LLVMIsALoadInst(load) == NULL) {
        return -1;
    }
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    bool is_block = base != NULL && simd_self_field(base) == offsetof(struct cdp_abi_thread, block);
    return is_block ? (int)offset : -1;
}
