/* Addresses as a base, an index and a constant.
 *
 *     p[4 * i + 1]    base p, index 4 * i, offset 1
 *
 * LLVM writes the constant of an index of 32 bits within its extension: zext(4 * i | 1). It may be
 * taken out if the sum does not wrap in 32 bits. */
#include "simd/prepare/address_parts.h"

#include "ir/context.h"
#include "simd/ir/memory.h"

#include <llvm-c/Target.h>

enum { BITS_OF_ADDRESS = 64 };

/* The only index of an address that has one variable index: of an element, or of an element of an
 * array. *element is the element's type. NULL: it has another form. */
static LLVMValueRef index_of(LLVMValueRef address, LLVMTypeRef *element)
{
    if (LLVMIsAGetElementPtrInst(address) == NULL) {
        return NULL;
    }
    *element = LLVMGetGEPSourceElementType(address);
    if (LLVMGetNumOperands(address) == 2) {
        return LLVMGetOperand(address, 1);
    }
    bool is_of_array = LLVMGetNumOperands(address) == 3 &&
                       LLVMGetTypeKind(*element) == LLVMArrayTypeKind &&
                       LLVMIsNull(LLVMGetOperand(address, 1));
    if (is_of_array) {
        *element = LLVMGetElementType(*element);
    }
    return is_of_array ? LLVMGetOperand(address, 2) : NULL;
}

/* The constant may be taken out of the extension of the sum: ext(x + c) = ext(x) + ext(c). A value
 * of which both extensions are the same has the flag "nneg": then one of the two conditions is
 * enough. */
static bool may_leave(const struct simd_address_parts *parts, LLVMValueRef sum, bool is_both)
{
    int64_t constant = LLVMConstIntGetSExtValue(LLVMGetOperand(sum, 1));
    if (LLVMGetInstructionOpcode(sum) == LLVMOr) {
        return LLVMGetIsDisjoint(sum) && constant >= 0;
    }
    if (LLVMGetInstructionOpcode(sum) != LLVMAdd) {
        return false;
    }
    bool is_wide = LLVMGetIntTypeWidth(LLVMTypeOf(sum)) == BITS_OF_ADDRESS;
    return (parts->extension == 0 && is_wide) ||
           ((parts->extension == LLVMSExt || is_both) && LLVMGetNSW(sum)) ||
           ((parts->extension == LLVMZExt || is_both) && LLVMGetNUW(sum) && constant >= 0);
}

static void take_constants(struct simd_address_parts *parts, bool is_both)
{
    while (LLVMIsABinaryOperator(parts->index) != NULL &&
           LLVMIsAConstantInt(LLVMGetOperand(parts->index, 1)) != NULL &&
           may_leave(parts, parts->index, is_both)) {
        int64_t constant = LLVMConstIntGetSExtValue(LLVMGetOperand(parts->index, 1));
        parts->offset += constant * (int64_t)parts->size;
        parts->index = LLVMGetOperand(parts->index, 0);
    }
}

struct simd_address_parts simd_address_parts_of(const struct lower_context *lower,
                                                LLVMValueRef address)
{
    struct simd_address_parts parts = {.index = NULL};
    parts.base = simd_without_constants(address, &parts.offset);
    LLVMTypeRef element;
    LLVMValueRef index = index_of(parts.base, &element);
    if (index == NULL || LLVMIsAConstantInt(index) != NULL) {
        return parts;
    }
    int64_t inner;
    parts.base = simd_without_constants(LLVMGetOperand(parts.base, 0), &inner);
    parts.offset += inner;
    parts.size = LLVMABISizeOfType(lower->layout, element);
    parts.index = index;
    take_constants(&parts, false);
    bool is_both = LLVMIsAZExtInst(parts.index) != NULL && LLVMGetNNeg(parts.index);
    if (LLVMIsAZExtInst(parts.index) != NULL || LLVMIsASExtInst(parts.index) != NULL) {
        parts.extension = is_both ? LLVMSExt : (int)LLVMGetInstructionOpcode(parts.index);
        parts.index = LLVMGetOperand(parts.index, 0);
        take_constants(&parts, is_both);
    }
    return parts;
}

bool simd_same_but_offset(const struct simd_address_parts *a, const struct simd_address_parts *b)
{
    return a->base == b->base && a->index == b->index && a->extension == b->extension &&
           a->size == b->size;
}
