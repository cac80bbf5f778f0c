/* The types that vectors hold. */
#include "simd/ir/element_type.h"

#include <llvm-c/Core.h>

enum { MOST_BITS = 64 };

bool simd_is_element_type(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMIntegerTypeKind
               ? LLVMGetIntTypeWidth(type) <= MOST_BITS
               : kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind ||
                     kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
                     kind == LLVMPointerTypeKind;
}
