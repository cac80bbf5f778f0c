/* Addresses and types of memory accesses, as far as they follow from the instructions alone. */
#include "simd/ir/memory.h"

#include "support/vec.h"

#include <llvm-c/Core.h>

bool simd_is_order(LLVMValueRef at)
{
    return LLVMIsAFenceInst(at) != NULL || LLVMIsAAtomicRMWInst(at) != NULL ||
           LLVMIsAAtomicCmpXchgInst(at) != NULL ||
           ((LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL) &&
            LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic);
}

bool simd_is_volatile(LLVMValueRef at)
{
    if ((LLVMIsALoadInst(at) == NULL && LLVMIsAStoreInst(at) == NULL) || !LLVMGetVolatile(at)) {
        return false;
    }
    LLVMValueRef address = simd_accessed(at);
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        address = LLVMGetOperand(address, 0);
    }
    return LLVMIsAAllocaInst(address) == NULL;
}

/* The optimizer writes constant offsets as getelementptr of i8. */
LLVMValueRef simd_address_base(LLVMValueRef address, int64_t *offset)
{
    *offset = 0;
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        bool is_bytes =
            LLVMGetNumOperands(address) == 2 &&
            LLVMGetTypeKind(LLVMGetGEPSourceElementType(address)) == LLVMIntegerTypeKind &&
            LLVMGetIntTypeWidth(LLVMGetGEPSourceElementType(address)) == 8;
        if (!is_bytes || LLVMIsAConstantInt(LLVMGetOperand(address, 1)) == NULL) {
            return NULL;
        }
        *offset += LLVMConstIntGetSExtValue(LLVMGetOperand(address, 1));
        address = LLVMGetOperand(address, 0);
    }
    return address;
}

bool simd_is_parameter(LLVMValueRef load, int64_t *offset)
{
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), offset);
    return base != NULL && LLVMIsAArgument(base) != NULL;
}

LLVMValueRef simd_without_constants(LLVMValueRef address, int64_t *offset)
{
    *offset = 0;
    while (LLVMIsAGetElementPtrInst(address) != NULL && LLVMGetNumOperands(address) == 2 &&
           LLVMIsAConstantInt(LLVMGetOperand(address, 1)) != NULL) {
        LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
        if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 8) {
            break;
        }
        *offset += LLVMConstIntGetSExtValue(LLVMGetOperand(address, 1));
        address = LLVMGetOperand(address, 0);
    }
    return address;
}

LLVMValueRef simd_accessed(LLVMValueRef at)
{
    return LLVMGetOperand(at, LLVMIsAStoreInst(at) != NULL ? 1 : 0);
}

LLVMTypeRef simd_accessed_type(LLVMValueRef at)
{
    return LLVMTypeOf(LLVMIsAStoreInst(at) != NULL ? LLVMGetOperand(at, 0) : at);
}

/* 0 for types that groups and pairs do not handle, such as pointers. */
static unsigned size_of(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned bits = kind == LLVMIntegerTypeKind  ? LLVMGetIntTypeWidth(type)
                    : kind == LLVMDoubleTypeKind ? 64
                    : kind == LLVMFloatTypeKind  ? 32
                    : kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind ? 16
                                                                             : 0;
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8 : 0;
}

struct simd_member simd_member_of(LLVMValueRef at)
{
    struct simd_member result = {.size = 0};
    if ((LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL) &&
        LLVMGetOrdering(at) == LLVMAtomicOrderingNotAtomic && !LLVMGetVolatile(at)) {
        result.size = size_of(simd_accessed_type(at));
        result.base = simd_without_constants(simd_accessed(at), &result.offset);
    }
    return result;
}
