/* The number of the thread in its block, as programs compute it from threadIdx.
 *
 * In a version for blocks of known size, blockDim is a constant, and so is what a program writes
 * instead of it:
 *
 *     threadIdx.y * blockDim.x + threadIdx.x               for 16x16: y * 16 + x
 *     (threadIdx.z * 4 + threadIdx.y) * 4 + threadIdx.x    for 4x4x8
 *
 * Both are the thread's number, which increases by one from lane to lane although a vector's
 * threads lie in several rows.  So the number is affine, and divided by 32 it is the warp's number.
 *
 * The proof adds up the coefficients of x, y and z.  None is negative, so no part of the sum is
 * larger than the number itself, and nothing wraps around. */
#include "simd/analysis/thread_number.h"

#include "abi/cdp_abi.h"
#include "simd/analysis/layout.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/variant.h"

#include <llvm-c/Core.h>
#include <stddef.h>

enum {
    MOST_FACTOR = 1024, /* the most threads of a block */
    MOST_STEPS = 8,     /* nested operands */
};

bool simd_small_constant(LLVMValueRef value, uint64_t *number)
{
    bool is_small = LLVMIsAConstantInt(value) != NULL &&
                    LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64 &&
                    LLVMConstIntGetSExtValue(value) >= 0;
    *number = is_small ? LLVMConstIntGetZExtValue(value) : 0;
    return is_small;
}

/* A number from 1 to MOST_FACTOR; 0: it is no such constant.
 * Clones for a known size do not fold products of its dimensions. */
static uint64_t factor_of(LLVMValueRef value, unsigned steps)
{
    uint64_t number = 0;
    if (simd_small_constant(value, &number)) {
        return number <= MOST_FACTOR ? number : 0;
    }
    if (LLVMIsAInstruction(value) == NULL || LLVMGetInstructionOpcode(value) != LLVMMul ||
        steps == 0) {
        return 0;
    }
    number = factor_of(LLVMGetOperand(value, 0), steps - 1) *
             factor_of(LLVMGetOperand(value, 1), steps - 1);
    return number <= MOST_FACTOR ? number : 0;
}

/* The constant factor of a product or shift, and its other operand; 0: it is no such operation. */
static uint64_t split_product(LLVMValueRef value, LLVMValueRef *other)
{
    LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
    uint64_t number = 0;
    *other = a;
    if (LLVMGetInstructionOpcode(value) == LLVMShl) {
        return simd_small_constant(b, &number) && number <= 10 ? UINT64_C(1) << number : 0;
    }
    number = factor_of(b, MOST_STEPS);
    if (number == 0) {
        *other = b;
        number = factor_of(a, MOST_STEPS);
    }
    return number;
}

static bool is_number_of_32_bits(LLVMValueRef load)
{
    return LLVMTypeOf(load) == LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(load)));
}

/* Adds the coefficients of threadIdx.x, .y and .z in the value times the factor.  False if it is
 * not a sum of these. */
static bool add_coefficients(LLVMValueRef value, uint64_t factor, unsigned steps,
                             uint64_t coefficients[3])
{
    while (LLVMIsAZExtInst(value) != NULL || LLVMIsASExtInst(value) != NULL) {
        value = LLVMGetOperand(value, 0);
    }
    int field = simd_self_field(value) - (int)offsetof(struct cdp_abi_thread, thread_idx);
    if (field >= 0 && field < 12 && field % 4 == 0 && is_number_of_32_bits(value)) {
        coefficients[field / 4] += factor;
        return true;
    }
    if (LLVMIsABinaryOperator(value) == NULL || steps == 0) {
        return false;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    LLVMValueRef other;
    if (opcode == LLVMAdd || (opcode == LLVMOr && LLVMGetIsDisjoint(value))) {
        return add_coefficients(LLVMGetOperand(value, 0), factor, steps - 1, coefficients) &&
               add_coefficients(LLVMGetOperand(value, 1), factor, steps - 1, coefficients);
    }
    if (opcode != LLVMMul && opcode != LLVMShl) {
        return false;
    }
    factor *= split_product(value, &other);
    return factor != 0 && factor <= MOST_FACTOR &&
           add_coefficients(other, factor, steps - 1, coefficients);
}

bool simd_is_sum_to_thread_number(const struct simd_kernel *kernel, LLVMValueRef value)
{
    const struct simd_variant *variant = simd_variant_of(kernel);
    const struct simd_size *size = variant->size;
    uint64_t coefficients[3] = {0, 0, 0};
    bool has_rows = size != NULL && variant->layout != LAYOUT_PADDED && size->y * size->z > 1;
    return has_rows && LLVMIsABinaryOperator(value) != NULL &&
           add_coefficients(value, 1, MOST_STEPS, coefficients) &&
           (coefficients[0] == 1 || size->x == 1) && (coefficients[1] == size->x || size->y == 1) &&
           (coefficients[2] == (uint64_t)size->x * size->y || size->z == 1);
}

/* Modulo the warp's size, the number in a row of whole warps is the same. */
bool simd_is_thread_number(const struct simd_kernel *kernel, LLVMValueRef value)
{
    while (LLVMIsAZExtInst(value) != NULL || LLVMIsASExtInst(value) != NULL) {
        value = LLVMGetOperand(value, 0);
    }
    int field = simd_self_field(value);
    return (field == (int)offsetof(struct cdp_abi_thread, linear) &&
            simd_variant_of(kernel)->layout != LAYOUT_PADDED) ||
           (field == (int)offsetof(struct cdp_abi_thread, thread_idx) &&
            (simd_variant_of(kernel)->layout == LAYOUT_ONE_ROW ||
             simd_has_rows_of_warps(kernel))) ||
           simd_is_sum_to_thread_number(kernel, value);
}
