/* Numbers that follow from a launch.
 *
 *     __global__ void k(int *p, unsigned width, unsigned height)
 *         for (...; i < 2 * width * height; ...)        two parameters and a constant
 *
 * The dispatcher computes them again before it calls a block entry (dispatch.c). */
#include "simd/prepare/launch_values.h"

#include "simd/ir/memory.h"
#include "support/arena.h"

#include <stddef.h>

enum { MOST_DEPTH = 6, MOST_BITS = 64 };

static const struct simd_launch_value *find(LLVMValueRef value, unsigned depth);

const struct simd_launch_value *simd_copy_launch_value(struct simd_launch_value value)
{
    struct simd_launch_value *copy = arena_alloc(sizeof *copy);
    *copy = value;
    return copy;
}

/* It cannot trap, and is not poison without flags. */
static bool is_safe(LLVMValueRef value)
{
    LLVMValueRef by;
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        return true;
    case LLVMShl:
        by = LLVMGetOperand(value, 1);
        return LLVMIsAConstantInt(by) != NULL &&
               LLVMConstIntGetZExtValue(by) < LLVMGetIntTypeWidth(LLVMTypeOf(value));
    default:
        return false;
    }
}

static const struct simd_launch_value *find_operation(LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAInstruction(value) == NULL || depth == 0 || !is_safe(value)) {
        return NULL;
    }
    struct simd_launch_value result = {.kind = VALUE_OPERATION,
                                       .type = LLVMTypeOf(value),
                                       .opcode = LLVMGetInstructionOpcode(value)};
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        result.operands[i] = find(LLVMGetOperand(value, i), depth - 1);
        if (result.operands[i] == NULL) {
            return NULL;
        }
    }
    return simd_copy_launch_value(result);
}

static const struct simd_launch_value *find(LLVMValueRef value, unsigned depth)
{
    struct simd_launch_value leaf = {.type = LLVMTypeOf(value), .opcode = LLVMRet};
    int64_t offset;
    if (LLVMGetTypeKind(leaf.type) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(leaf.type) > MOST_BITS) {
        return NULL;
    }
    if (LLVMIsAConstantInt(value) != NULL) {
        leaf.kind = VALUE_CONSTANT;
        leaf.number = LLVMConstIntGetZExtValue(value);
        return simd_copy_launch_value(leaf);
    }
    if (LLVMIsALoadInst(value) == NULL) {
        return find_operation(value, depth);
    }
    if (LLVMGetVolatile(value) || !simd_is_parameter(value, &offset)) {
        return NULL;
    }
    leaf.kind = VALUE_PARAMETER;
    leaf.number = (uint64_t)offset;
    return simd_copy_launch_value(leaf);
}

const struct simd_launch_value *simd_find_launch_value(LLVMValueRef value)
{
    return find(value, MOST_DEPTH);
}

bool simd_are_launch_values_same(const struct simd_launch_value *a,
                                 const struct simd_launch_value *b)
{
    if (a == NULL || b == NULL || a == b) {
        return a == b;
    }
    return a->kind == b->kind && a->type == b->type && a->opcode == b->opcode &&
           a->number == b->number && a->block_factor == b->block_factor &&
           simd_are_launch_values_same(a->operands[0], b->operands[0]) &&
           simd_are_launch_values_same(a->operands[1], b->operands[1]);
}
