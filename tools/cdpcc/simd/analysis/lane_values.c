/* Values that depend on the lane's number in its warp only.
 *
 * Libraries compute by themselves which lane a shuffle reads, above all in inline PTX:
 *
 *     lane = threadIdx.x % 32, from = lane + 4 <= 31 ? lane + 4 : lane
 *
 * Each lane's value is then a constant, although the value varies: a warp starts at a multiple of
 * 32 threads.  It is found by evaluation of the operations for one lane. */
#include "simd/analysis/lane_values.h"

#include "simd/analysis/warp_shape.h"
#include "simd/ir/calls.h"
#include "simd/ir/lanes.h"

#include <llvm-c/Core.h>
#include <stddef.h>

enum { MOST_STEPS = 64, MOST_BITS = 64 };

/* Life: one call of simd_lane_value(). */
struct evaluation {
    const struct simd_kernel *kernel;
    unsigned lane;
    unsigned steps; /* operations that may still be evaluated */
};

static bool evaluate(struct evaluation *evaluation, LLVMValueRef value, uint64_t *result);

/* 0: it is no such integer. */
static unsigned width_of(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned width =
        LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : MOST_BITS + 1;
    return width <= MOST_BITS ? width : 0;
}

static uint64_t truncated(uint64_t number, unsigned width)
{
    return width >= MOST_BITS ? number : number & ((UINT64_C(1) << width) - 1);
}

static int64_t extended(uint64_t number, unsigned width)
{
    unsigned rest = MOST_BITS - width;
    return (int64_t)(number << rest) >> rest;
}

static bool compare(LLVMIntPredicate how, uint64_t a, uint64_t b, unsigned width)
{
    int64_t x = extended(a, width), y = extended(b, width);
    switch (how) {
    case LLVMIntEQ:
        return a == b;
    case LLVMIntNE:
        return a != b;
    case LLVMIntUGT:
        return a > b;
    case LLVMIntUGE:
        return a >= b;
    case LLVMIntULT:
        return a < b;
    case LLVMIntULE:
        return a <= b;
    case LLVMIntSGT:
        return x > y;
    case LLVMIntSGE:
        return x >= y;
    case LLVMIntSLT:
        return x < y;
    case LLVMIntSLE:
        break;
    }
    return x <= y;
}

/* False for operations whose result is not known, such as a shift by too much. */
static bool operate(LLVMOpcode opcode, uint64_t a, uint64_t b, unsigned width, uint64_t *result)
{
    switch ((int)opcode) {
    case LLVMAdd:
        *result = a + b;
        return true;
    case LLVMSub:
        *result = a - b;
        return true;
    case LLVMMul:
        *result = a * b;
        return true;
    case LLVMAnd:
        *result = a & b;
        return true;
    case LLVMOr:
        *result = a | b;
        return true;
    case LLVMXor:
        *result = a ^ b;
        return true;
    case LLVMShl:
        *result = b < width ? a << b : 0;
        return b < width;
    case LLVMLShr:
        *result = b < width ? a >> b : 0;
        return b < width;
    default:
        return false;
    }
}

/* threadIdx.x % 32, or a part of its bits. */
static bool is_lane_number(const struct evaluation *evaluation, LLVMValueRef value, uint64_t *bits)
{
    if (LLVMGetInstructionOpcode(value) != LLVMAnd ||
        LLVMIsAConstantInt(LLVMGetOperand(value, 1)) == NULL) {
        return false;
    }
    *bits = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
    return *bits < SIMD_WARP &&
           simd_counts_from_multiple(evaluation->kernel, LLVMGetOperand(value, 0), SIMD_WARP);
}

/* Both operands, of the same width. */
static bool evaluate_two(struct evaluation *evaluation, LLVMValueRef at, uint64_t numbers[2])
{
    return evaluate(evaluation, LLVMGetOperand(at, 0), &numbers[0]) &&
           evaluate(evaluation, LLVMGetOperand(at, 1), &numbers[1]);
}

static bool evaluate_instruction(struct evaluation *evaluation, LLVMValueRef at, uint64_t *result)
{
    uint64_t numbers[2];
    LLVMValueRef first = LLVMGetOperand(at, 0);
    LLVMIntPredicate clamp = simd_clamp_of(at);
    if (clamp != 0 && evaluate_two(evaluation, at, numbers)) {
        *result = numbers[!compare(clamp, numbers[0], numbers[1], width_of(at))];
        return true;
    }
    switch ((int)LLVMGetInstructionOpcode(at)) {
    case LLVMICmp:
        if (width_of(first) == 0 || !evaluate_two(evaluation, at, numbers)) {
            return false;
        }
        *result = compare(LLVMGetICmpPredicate(at), numbers[0], numbers[1], width_of(first));
        return true;
    case LLVMSelect:
        return evaluate(evaluation, first, &numbers[0]) &&
               evaluate(evaluation, LLVMGetOperand(at, numbers[0] != 0 ? 1 : 2), result);
    case LLVMSExt:
        if (!evaluate(evaluation, first, &numbers[0])) {
            return false;
        }
        *result = (uint64_t)extended(numbers[0], width_of(first));
        return true;
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMFreeze:
        return evaluate(evaluation, first, result);
    default:
        return LLVMIsABinaryOperator(at) != NULL && evaluate_two(evaluation, at, numbers) &&
               operate(LLVMGetInstructionOpcode(at), numbers[0], numbers[1], width_of(at), result);
    }
}

static bool evaluate(struct evaluation *evaluation, LLVMValueRef value, uint64_t *result)
{
    unsigned width = width_of(value);
    uint64_t bits;
    if (width == 0 || evaluation->steps == 0) {
        return false;
    }
    evaluation->steps--;
    if (LLVMIsAConstantInt(value) != NULL) {
        *result = LLVMConstIntGetZExtValue(value);
        return true;
    }
    if (LLVMIsAInstruction(value) == NULL || LLVMGetNumOperands(value) == 0) {
        return false;
    }
    if (is_lane_number(evaluation, value, &bits)) {
        *result = evaluation->lane & bits;
        return true;
    }
    bool is_known = evaluate_instruction(evaluation, value, result);
    *result = is_known ? truncated(*result, width) : 0;
    return is_known;
}

bool simd_lane_value(const struct simd_kernel *kernel, LLVMValueRef value, unsigned lane,
                     uint64_t *result)
{
    struct evaluation evaluation = {.kernel = kernel, .lane = lane, .steps = MOST_STEPS};
    return evaluate(&evaluation, value, result);
}
