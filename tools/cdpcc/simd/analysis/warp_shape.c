/* Shapes of values that depend on warps or on the number of the thread.
 *
 * A value that is uniform within each warp, such as the result of a vote, has a shape of its own
 * (SHAPE_WARP): a branch on it is never divergent within a warp.
 *
 * With 16 lanes, a warp is two vectors:
 *
 *     __any_sync(~0u, x)        WARP      one value, in both vectors
 *     threadIdx.x / 32          WARP      the warp's number, in kernels with warp operations
 *     threadIdx.x / 16          VECTOR    changes from vector to vector
 *     threadIdx.x < 64          WARP      no warp has lanes on both sides
 *     threadIdx.x % 32          none of these: the lane's number is affine */
#include "simd/analysis/warp_shape.h"

#include "abi/cdp_abi.h"
#include "simd/analysis/shape.h"
#include "simd/ir/calls.h"
#include "simd/ir/lanes.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/traits.h"
#include "simd/ir/variant.h"
#include "support/vec.h"

/* The number of the thread in its block, of any type, where vectors begin at multiples of the
 * lanes. Those of padded rows do not.
 * Extensions are looked through. */
bool simd_is_thread_number(const struct simd_kernel *kernel, LLVMValueRef value)
{
    while (LLVMIsAZExtInst(value) != NULL || LLVMIsASExtInst(value) != NULL) {
        value = LLVMGetOperand(value, 0);
    }
    int field = simd_self_field(value);
    return (field == (int)offsetof(struct cdp_abi_thread, linear) &&
            simd_variant_of(kernel)->layout != LAYOUT_PADDED) ||
           (field == (int)offsetof(struct cdp_abi_thread, thread_idx) &&
            simd_variant_of(kernel)->layout == LAYOUT_ONE_ROW);
}

bool simd_small_constant(LLVMValueRef value, uint64_t *number)
{
    bool is_small = LLVMIsAConstantInt(value) != NULL &&
                    LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64 &&
                    LLVMConstIntGetSExtValue(value) >= 0;
    *number = is_small ? LLVMConstIntGetZExtValue(value) : 0;
    return is_small;
}

/* The number of consecutive threads, from each multiple of this number on, that have the same
 * value; 0: unknown. A comparison with a bound changes at the bound only, so all threads between
 * two of its multiples agree. */
static uint64_t same_for(const struct simd_kernel *kernel, LLVMValueRef instruction)
{
    uint64_t number = 0;
    if (LLVMGetNumOperands(instruction) != 2 ||
        !simd_is_thread_number(kernel, LLVMGetOperand(instruction, 0))) {
        return 0;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    LLVMValueRef by = LLVMGetOperand(instruction, 1);
    bool is_small = simd_small_constant(by, &number);
    switch ((int)opcode) {
    case LLVMLShr:
    case LLVMAShr:
        return is_small && number < 30 ? UINT64_C(1) << number : 0;
    case LLVMUDiv:
    case LLVMSDiv:
        return number;
    case LLVMAnd:
        number = LLVMIsAConstantInt(by) != NULL ? LLVMConstIntGetZExtValue(by) : 0;
        return number & -number;
    case LLVMICmp:
        break;
    default:
        return 0;
    }
    switch ((int)LLVMGetICmpPredicate(instruction)) {
    case LLVMIntULT:
    case LLVMIntSLT:
    case LLVMIntUGE:
    case LLVMIntSGE:
        return number;
    case LLVMIntULE:
    case LLVMIntSLE:
    case LLVMIntUGT:
    case LLVMIntSGT:
        return is_small ? number + 1 : 0;
    default:
        return 0;
    }
}

/* (2^s - 1) << (lane & -s): the tile of the warp that the lane is in, where s is a power of two.
 * This is how cooperative groups name the threads of a tile. */
static bool is_tile(const struct simd_kernel *kernel, LLVMValueRef mask)
{
    uint64_t low, start;
    if (LLVMIsAInstruction(mask) == NULL || LLVMGetInstructionOpcode(mask) != LLVMShl ||
        !simd_small_constant(LLVMGetOperand(mask, 0), &low)) {
        return false;
    }
    LLVMValueRef by = LLVMGetOperand(mask, 1);
    if (LLVMIsAInstruction(by) == NULL || LLVMGetInstructionOpcode(by) != LLVMAnd ||
        !simd_is_thread_number(kernel, LLVMGetOperand(by, 0)) ||
        !simd_small_constant(LLVMGetOperand(by, 1), &start)) {
        return false;
    }
    uint64_t size = SIMD_WARP - start;
    return start < SIMD_WARP && (size & (size - 1)) == 0 && low == (UINT64_C(1) << size) - 1;
}

/* The constant names all lanes that are threads: those of a warp, or of a known block that is
 * smaller. */
static bool names_all(const struct simd_kernel *kernel, LLVMValueRef mask)
{
    const struct simd_size *size = simd_variant_of(kernel)->size;
    uint64_t threads = size == NULL ? SIMD_WARP : (uint64_t)size->x * size->y * size->z;
    uint64_t all = (UINT64_C(1) << (threads < SIMD_WARP ? threads : SIMD_WARP)) - 1;
    return (LLVMConstIntGetZExtValue(mask) & all) == all;
}

enum simd_named simd_named_by(const struct simd_kernel *kernel, LLVMValueRef call)
{
    LLVMValueRef mask = LLVMGetOperand(call, 0);
    if (LLVMIsAConstantInt(mask) != NULL && names_all(kernel, mask)) {
        return NAMED_ALL;
    }
    return is_tile(kernel, mask) ? NAMED_TILE : NAMED_PRESENT;
}

/* The shape of an operation's result.
 * A tile's vote differs between the tiles of a warp. A shuffle of a value that all lanes share is
 * this value. */
static enum simd_shape_kind result_kind(const struct simd_kernel *kernel, LLVMValueRef call)
{
    bool is_one =
        simd_warp_operation_of(call) == WARP_ACTIVE || simd_named_by(kernel, call) != NAMED_TILE;
    switch ((int)simd_warp_operation_of(call)) {
    case WARP_SHUFFLE: {
        struct simd_shape moved = *simd_shape_of(kernel, LLVMGetOperand(call, 1));
        return moved.kind <= SHAPE_WARP ? moved.kind : SHAPE_VARYING;
    }
    case WARP_BALLOT:
    case WARP_ACTIVE:
    case WARP_REDUCE:
        return is_one ? SHAPE_WARP : SHAPE_VARYING;
    default:
        return SHAPE_VARYING;
    }
}

bool simd_warp_shape(const struct simd_kernel *kernel, LLVMValueRef instruction,
                     struct simd_shape *shape)
{
    *shape = (struct simd_shape){.is_signed_exact = true, .is_unsigned_exact = true};
    if (simd_warp_operation_of(instruction) != WARP_NONE) {
        shape->kind = result_kind(kernel, instruction);
        return true;
    }
    uint64_t threads = same_for(kernel, instruction);
    if (threads == 0 || threads % simd_variant_of(kernel)->lanes != 0) {
        return false;
    }
    bool is_warps = simd_traits_of(kernel)->has_warps && threads % SIMD_WARP == 0;
    shape->kind = is_warps ? SHAPE_WARP : SHAPE_VECTOR;
    return true;
}
