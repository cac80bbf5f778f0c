/* Shapes of values that depend on warps or on the number of the thread.
 *
 * A value that is uniform within each warp, such as the result of a vote, has a shape of its own
 * (SHAPE_WARP): a branch on it is never divergent within a warp.
 *
 * With 16 lanes, a warp is two vectors:
 *
 *     __any_sync(~0u, x)        WARP      one value, in both vectors
 *     threadIdx.x / 32          WARP      the warp's number, in kernels with warp operations
 *     (blockIdx.x * 128 + threadIdx.x) / 32    WARP      the same in the grid, for known sizes
 *     threadIdx.x / 16          VECTOR    changes from vector to vector
 *     threadIdx.x < 64          WARP      no warp has lanes on both sides
 *     threadIdx.x % 32          none of these: the lane's number is affine */
#include "simd/analysis/warp_shape.h"

#include "abi/cdp_abi.h"
#include "simd/analysis/layout.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/thread_number.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/calls.h"
#include "simd/ir/lanes.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/traits.h"
#include "simd/ir/variant.h"
#include "support/vec.h"

/* A product or constant that is a multiple of the number, a power of two, and the same for the
 * warp. */
static bool is_multiple(const struct simd_kernel *kernel, LLVMValueRef value, uint64_t number)
{
    uint64_t factor = 0;
    bool is_shift = LLVMIsAInstruction(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMShl;
    bool is_product =
        LLVMIsAInstruction(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMMul;
    if (is_shift || is_product) {
        simd_small_constant(LLVMGetOperand(value, 1), &factor);
        factor = is_product ? factor : factor < 32 ? UINT64_C(1) << factor : 0;
    } else {
        simd_small_constant(value, &factor);
    }
    return factor != 0 && factor % number == 0 && simd_is_uniform_in_warp(kernel, value);
}

bool simd_counts_from_multiple(const struct simd_kernel *kernel, LLVMValueRef value,
                               uint64_t number)
{
    if (simd_is_thread_number(kernel, value)) {
        return true;
    }
    bool is_sum = LLVMIsAInstruction(value) != NULL &&
                  (LLVMGetInstructionOpcode(value) == LLVMAdd ||
                   (LLVMGetInstructionOpcode(value) == LLVMOr && LLVMGetIsDisjoint(value)));
    return is_sum && ((simd_is_thread_number(kernel, LLVMGetOperand(value, 1)) &&
                       is_multiple(kernel, LLVMGetOperand(value, 0), number)) ||
                      (simd_is_thread_number(kernel, LLVMGetOperand(value, 0)) &&
                       is_multiple(kernel, LLVMGetOperand(value, 1), number)));
}

/* A comparison with a bound changes at the bound only, so all threads between two of its multiples
 * agree. */
uint64_t simd_same_for(const struct simd_kernel *kernel, LLVMValueRef instruction)
{
    uint64_t number = 0;
    if (LLVMIsAInstruction(instruction) == NULL || LLVMGetNumOperands(instruction) != 2) {
        return 0;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    LLVMValueRef value = LLVMGetOperand(instruction, 0), by = LLVMGetOperand(instruction, 1);
    bool is_small = simd_small_constant(by, &number);
    if ((opcode == LLVMLShr || opcode == LLVMAShr) && is_small && number < 30 &&
        simd_counts_from_multiple(kernel, value, UINT64_C(1) << number)) {
        return UINT64_C(1) << number;
    }
    if (!simd_is_thread_number(kernel, value)) {
        return 0;
    }
    switch ((int)opcode) {
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

uint64_t simd_tile_size(LLVMValueRef call)
{
    LLVMValueRef low = LLVMGetOperand(LLVMGetOperand(call, 0), 0);
    return (uint64_t)__builtin_popcountll(LLVMConstIntGetZExtValue(low));
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
    if (simd_warp_operation_of(mask) == WARP_MATCH_ANY) {
        return NAMED_GROUP;
    }
    return is_tile(kernel, mask) ? NAMED_TILE : NAMED_PRESENT;
}

bool simd_names_part(const struct simd_kernel *kernel, LLVMValueRef call)
{
    enum simd_named named =
        simd_warp_operation_of(call) == WARP_ACTIVE ? NAMED_PRESENT : simd_named_by(kernel, call);
    return named == NAMED_TILE || named == NAMED_GROUP;
}

bool simd_is_broadcast(const struct simd_kernel *kernel, LLVMValueRef call)
{
    LLVMValueRef mode = LLVMGetOperand(call, 4);
    uint64_t width;
    return LLVMIsAConstantInt(mode) != NULL && LLVMConstIntGetZExtValue(mode) == CDP_SHUFFLE_IDX &&
           simd_small_constant(LLVMGetOperand(call, 3), &width) && width >= SIMD_WARP &&
           simd_is_uniform_in_warp(kernel, LLVMGetOperand(call, 2));
}

/* The shape of an operation's result.
 * A tile's vote differs between the tiles of a warp. A shuffle of a value that all lanes share is
 * this value.  After a broadcast all lanes have one value: if the lane that is read is not active,
 * CUDA does not define what they get. */
static enum simd_shape_kind result_kind(const struct simd_kernel *kernel, LLVMValueRef call)
{
    bool is_one = !simd_names_part(kernel, call);
    switch ((int)simd_warp_operation_of(call)) {
    case WARP_SHUFFLE: {
        struct simd_shape moved = *simd_shape_of(kernel, LLVMGetOperand(call, 1));
        return moved.kind <= SHAPE_WARP                    ? moved.kind
               : is_one && simd_is_broadcast(kernel, call) ? SHAPE_WARP
                                                           : SHAPE_VARYING;
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
    uint64_t threads = simd_same_for(kernel, instruction);
    if (threads == 0 || threads % simd_variant_of(kernel)->lanes != 0) {
        return false;
    }
    bool is_warps = simd_traits_of(kernel)->has_warps && threads % SIMD_WARP == 0;
    shape->kind = is_warps ? SHAPE_WARP : SHAPE_VECTOR;
    return true;
}
