/* What each atomic operation becomes.
 *
 * On the block's shared memory atomic operations are plain ones: one worker runs the block from its
 * first instruction to its last, no other block or grid can reach its shared memory, and the lanes
 * run one after the other.
 *
 *     if (...) atomicAdd(&s[i / 32], x[i])
 *                                straight: 16 loads, additions and stores
 *     atomicAdd(&s[bin[i]], 1)   a loop over vectors, if a chunk has more than 16 lanes
 *     x = atomicAdd(&s[k[i]], 1) one lane after the other, since the results are used
 *     atomicAdd(&g[k[i]], 1)     one lane after the other, as an atomic operation
 *     atomicMax(&g[0], x[i])     reduced: the largest of the active lanes' x[i], and one operation
 *     x = atomicAdd(&g[0], 1)    the same: each lane's result is the first one's and its rank
 *
 * Reduced operations are of integers, so their order does not matter; with a result, they are sums
 * of equal operands. Other operations run under masks for one active lane after the other. */
#include "simd/plan/atomics.h"

#include "simd/analysis/alias.h"
#include "simd/analysis/chunk_conditions.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/counts.h"
#include "simd/ir/values.h"
#include "support/arena.h"

#include <llvm-c/Core.h>

/* True if lanes may access the same address, and if there are more of them than a processor's
 * memory disambiguation can keep apart.  It predicts which load depends on which store by the
 * addresses of the instructions.  Each wrong prediction costs more than many iterations of a
 * loop. */
static bool is_scattered(const struct simd_kernel *kernel, const struct simd_chunk *chunk,
                         LLVMValueRef instruction)
{
    return chunk->lanes * chunk->vectors > SIMD_STRAIGHT_LANES &&
           simd_is_varying(kernel, LLVMGetOperand(instruction, 0));
}

static bool is_associative(LLVMAtomicRMWBinOp operation)
{
    switch ((int)operation) {
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
    case LLVMAtomicRMWBinOpAnd:
    case LLVMAtomicRMWBinOpOr:
    case LLVMAtomicRMWBinOpXor:
    case LLVMAtomicRMWBinOpMax:
    case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMax:
    case LLVMAtomicRMWBinOpUMin:
        return true;
    default:
        return false;
    }
}

/* All lanes of a vector have one address, and nobody uses what the single lanes find there, except
 * by their ranks. */
static bool is_reducible(const struct simd_kernel *kernel, LLVMValueRef instruction)
{
    if (LLVMIsAAtomicRMWInst(instruction) == NULL || LLVMGetVolatile(instruction) ||
        !simd_is_scalar(kernel, LLVMGetOperand(instruction, 0)) ||
        !is_associative(LLVMGetAtomicRMWBinOp(instruction))) {
        return false;
    }
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(instruction);
    bool is_sum = operation == LLVMAtomicRMWBinOpAdd || operation == LLVMAtomicRMWBinOpSub;
    return LLVMGetFirstUse(instruction) == NULL ||
           (is_sum && simd_is_uniform(kernel, LLVMGetOperand(instruction, 1)));
}

static enum simd_atomic_kind kind_of(const struct simd_kernel *kernel,
                                     const struct simd_chunk *chunk, LLVMValueRef instruction,
                                     bool masked)
{
    if (is_reducible(kernel, instruction)) {
        return ATOMIC_REDUCED;
    }
    if (!simd_is_plain_atomic(instruction)) {
        return ATOMIC_LANES;
    }
    if (masked) {
        return ATOMIC_PLAIN_LANES;
    }
    if (!is_scattered(kernel, chunk, instruction)) {
        return ATOMIC_STRAIGHT;
    }
    return LLVMGetFirstUse(instruction) == NULL ? ATOMIC_LOOP : ATOMIC_PLAIN_LANES;
}

const enum simd_atomic_kind *simd_plan_atomics(const struct simd_kernel *kernel,
                                               const struct simd_chunk *chunk, bool masked)
{
    enum simd_atomic_kind *result = arena_alloc((simd_value_count(kernel) + 1) * sizeof *result);
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        LLVMValueRef at = simd_value_at(kernel, v);
        if (LLVMIsAAtomicRMWInst(at) != NULL || LLVMIsAAtomicCmpXchgInst(at) != NULL) {
            result[v] = kind_of(kernel, chunk, at, masked);
        }
    }
    return result;
}
