/* Code that one thread of a block runs alone. */
#include "simd/ir/one_thread.h"

#include "abi/cdp_abi.h"
#include "simd/ir/alternatives.h"
#include "simd/ir/thread_fields.h"

#include <llvm-c/Core.h>
#include <stddef.h>

enum { MOST_STEPS = 6 }; /* nested conditions that are looked at */

/* Each thread of the block has another value. */
static bool is_number_of_thread(LLVMValueRef value, bool is_one_row)
{
    int field = simd_self_field(value);
    return field == (int)offsetof(struct cdp_abi_thread, linear) ||
           (is_one_row && field == (int)offsetof(struct cdp_abi_thread, thread_idx));
}

static int value_of(LLVMValueRef condition, bool is_one_row, unsigned depth)
{
    struct simd_alternatives parts = simd_alternatives_of(condition);
    if (parts.strong >= 0 && depth > 0) {
        bool is_alone = value_of(parts.first, is_one_row, depth - 1) == !parts.strong ||
                        value_of(parts.second, is_one_row, depth - 1) == !parts.strong;
        return is_alone ? !parts.strong : -1;
    }
    if (LLVMIsAICmpInst(condition) == NULL ||
        !is_number_of_thread(LLVMGetOperand(condition, 0), is_one_row) ||
        LLVMIsAConstantInt(LLVMGetOperand(condition, 1)) == NULL) {
        return -1;
    }
    LLVMIntPredicate how = LLVMGetICmpPredicate(condition);
    return how == LLVMIntEQ ? 1 : how == LLVMIntNE ? 0 : -1;
}

int simd_value_of_one_thread(LLVMValueRef condition, bool is_one_row)
{
    return value_of(condition, is_one_row, MOST_STEPS);
}
