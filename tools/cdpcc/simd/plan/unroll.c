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
 * LLVM unrolls such a loop once its trip count is visible (plan/uniform_exits.c). This file
 * recognizes the loops, by a phi that is scaled by a constant.
 *
 * It also decides which chunk loops LLVM should unroll, in trees and elsewhere. */
#include "simd/plan/unroll.h"

#include "ir/context.h"
#include "simd/analysis/layout.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/counts.h"
#include "simd/ir/graph.h"
#include "simd/ir/lanes.h"
#include "simd/ir/opcodes.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/traits.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"
#include "simd/plan/plan.h"

#include <llvm-c/Core.h>

/* The most instructions of straight code for all chunks of a block whose size is known.  The limit
 * is higher where masks become constants, since that leaves a tenth of the instructions.  A higher
 * limit elsewhere made blocks of 1,024 threads, which are common, take ten to fifty times as long
 * to compile. */
enum { MOST_STRAIGHT = 1000, MOST_STRAIGHT_OF_TREE = 12000 };

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
                      simd_is_quotient(opcode) || opcode == LLVMMul;
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

unsigned simd_most_straight(const struct simd_plan *plan)
{
    unsigned most = plan->is_tree ? MOST_STRAIGHT_OF_TREE : MOST_STRAIGHT;
    return most < plan->options.most_straight ? most : plan->options.most_straight;
}

/* The values that live across barriers fit into the registers, in straight code for all chunks. */
static bool fits_registers(const struct simd_plan *plan)
{
    const struct simd_kernel *kernel = plan->kernel;
    const struct simd_size *size = simd_variant_of(kernel)->size;
    unsigned lanes = plan->options.lanes;
    uint64_t bytes = 0, registers = lanes == SIMD_MOST_LANES ? 32 : 16;
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        if (plan->has_slot[v] && simd_is_varying(kernel, simd_value_at(kernel, v))) {
            bytes += LLVMABISizeOfType(simd_context_of(kernel)->layout,
                                       LLVMTypeOf(simd_value_at(kernel, v)));
        }
    }
    return plan->is_tree || size->x * size->y * size->z * bytes <= registers * lanes * 4;
}

/* Straight code for all chunks is only possible if their number is known.
 *
 * - Without barriers: not if the region has loops.
 * - With barriers: only if values that live across barriers then fit into registers.
 * - Not if a vector occupies two registers because the kernel is bound by memory: the code would be
 *   twice as long, and would save a tenth only if the data is in the first-level caches.
 *
 * Only emission can count the instructions: it compares the number with the plan's most_straight.
 */
enum simd_unroll simd_choose_unroll(const struct simd_path *path)
{
    const struct simd_plan *plan = path->region->plan;
    bool has_barrier = simd_traits_of(plan->kernel)->barrier_count != 0;
    if (path->form == CHUNKS_MASKED) {
        return UNROLL_BY_LLVM;
    }
    if (plan->options.in_halves && !has_barrier) {
        return UNROLL_NEVER;
    }
    if (simd_variant_of(plan->kernel)->size == NULL) {
        return UNROLL_BY_LLVM;
    }
    bool is_short = has_barrier ? fits_registers(plan) : path->graph->loop_count == 0;
    return is_short ? UNROLL_IF_SHORT : UNROLL_BY_LLVM;
}
