/* The indices of addresses.
 *
 *     getelementptr { i32, [4 x float] }, ptr %p, i64 %i, i32 1, i64 %j
 *
 * is %p, and 20 bytes for each of %i, and the 4 bytes of the first field, and 4 bytes for each of
 * %j. The first index steps over whole elements, so it does not enter the type. */
#include "ir/indices.h"

struct lower_index lower_index_of(LLVMTargetDataRef layout, LLVMValueRef address, unsigned i,
                                  LLVMTypeRef *type)
{
    LLVMValueRef number = LLVMGetOperand(address, i);
    if (i == 1) {
        *type = LLVMGetGEPSourceElementType(address);
    } else if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        unsigned field = (unsigned)LLVMConstIntGetZExtValue(number);
        struct lower_index result = {.bytes = LLVMOffsetOfElement(layout, *type, field)};
        *type = LLVMStructGetTypeAtIndex(*type, field);
        return result;
    } else {
        *type = LLVMGetElementType(*type);
    }
    return (struct lower_index){.number = number, .bytes = LLVMABISizeOfType(layout, *type)};
}
