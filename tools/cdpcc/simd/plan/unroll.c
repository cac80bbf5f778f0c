/* Loops that are to become straight code.
 *
 * Tree reductions and scans have a few iterations, in each of which other lanes are active.  If the
 * block's size is known, their masks become constants, and vectors without an active lane
 * vanish.
 *
 *     for (half = 128; half > 0; half /= 2) {
 *         if (t < half) s[t] += s[t + half];
 *         __syncthreads();
 *     }
 *
 * With 256 threads and 16 lanes, the step half = 128 has 8 vectors whose mask is all ones, and 8
 * without any active lane. The last steps need one vector with a constant mask.
 *
 * LLVM unrolls such a loop once its trip count is visible (plan/uniform_exits.c). This file only
 * recognizes the loops, by a phi that is scaled by a constant. */
#include "simd/plan/unroll.h"

#include "simd/analysis/layout.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/counts.h"
#include "simd/ir/placement.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"

#include <llvm-c/Core.h>

/* Vectors of a whole block: with more, the code of one step of a tree would be too long. */
enum { MOST_VECTORS = 64 };

/* A uniform value that is doubled or halved in each iteration. */
static bool is_scaled_phi(const struct simd_kernel *kernel, LLVMValueRef phi)
{
    if (LLVMIsAPHINode(phi) == NULL || !simd_is_uniform(kernel, phi)) {
        return false;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        LLVMOpcode opcode =
            LLVMIsAInstruction(next) == NULL ? LLVMPHI : LLVMGetInstructionOpcode(next);
        bool scales = opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr ||
                      opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMMul;
        if (scales && LLVMGetOperand(next, 0) == phi &&
            LLVMIsAConstantInt(LLVMGetOperand(next, 1)) != NULL) {
            return true;
        }
    }
    return false;
}

bool simd_is_straight_size(const struct simd_kernel *kernel)
{
    const struct simd_size *size = simd_variant_of(kernel)->size;
    return size != NULL && size->x * size->y * size->z * simd_lanes_per_thread(kernel) <=
                               MOST_VECTORS * simd_variant_of(kernel)->lanes;
}

bool simd_has_short_loop(const struct simd_kernel *kernel)
{
    bool is_straight = simd_is_straight_size(kernel), found = false;
    for (size_t i = 0; is_straight && i < simd_value_count(kernel) && !found; i++) {
        found =
            simd_node_of_number(kernel, i) >= 0 && is_scaled_phi(kernel, simd_value_at(kernel, i));
    }
    return found;
}
