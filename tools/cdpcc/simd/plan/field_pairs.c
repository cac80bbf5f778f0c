/* Field pairs: two adjacent fields as one access of twice the size.
 *
 * A gather or scatter takes time for each element.  An array of structures of two fields is
 * contiguous if both fields are accessed at once.  So a load looks for the load of the field after
 * its own and does its work, too.  A store waits for the store of its adjacent field, if that is
 * the next access of memory.  Where a field's addresses are contiguous without a gap, each access
 * stays alone.
 *
 * For struct { float x, y, more[8]; } p[], p[i].x and p[i].y become one gather of 64 bits:
 *
 *     gather i64   { x0 y0 } { x1 y1 } { x2 y2 } { x3 y3 }
 *     split        x0 x1 x2 x3   y0 y1 y2 y3
 *
 * Takes: an access, and what has been planned before. Gives: its partner, or NULL. The search
 * looks at the next MOST_DISTANCE instructions of the block. */
#include "simd/plan/field_pairs.h"

#include "simd/analysis/shape.h"
#include "simd/ir/calls.h"
#include "simd/ir/memory.h"
#include "simd/ir/numbers.h"
#include "simd/plan/access.h"
#include "support/vec.h"

#include <llvm-c/Core.h>

enum { MOST_DISTANCE = 32, MOST_SIZE = 4 };

/* The lanes' addresses are not contiguous without a gap.  Pairs of loads are excluded if strided
 * loads do better (emit/access.c). */
static bool has_gaps(const struct simd_kernel *kernel, LLVMValueRef at, int64_t size)
{
    struct simd_shape shape = *simd_shape_of(kernel, simd_accessed(at));
    bool is_strided_load = LLVMIsALoadInst(at) != NULL && shape.stride > 0 &&
                           shape.stride <= SIMD_MOST_STEP * size && shape.stride % (2 * size) != 0;
    bool is_apart = shape.stride >= 2 * size || shape.stride <= -2 * size;
    return shape.kind == SHAPE_VARYING ||
           (shape.kind == SHAPE_LINEAR && is_apart && !is_strided_load);
}

/* Which accesses may be moved across an instruction: all, only loads, or none.
 * A load of the pair moves up, past the instructions between; a store moves down to the second one.
 */
enum passing { PASS, PASS_LOADS, PASS_NOT };

/* Whether an access may be moved across the instruction. */
static enum passing passing_of(LLVMValueRef at)
{
    if (LLVMIsALoadInst(at) != NULL && LLVMGetOrdering(at) == LLVMAtomicOrderingNotAtomic) {
        return PASS_LOADS;
    }
    bool touches = LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL ||
                   LLVMIsAFenceInst(at) != NULL || LLVMIsAAtomicRMWInst(at) != NULL ||
                   LLVMIsAAtomicCmpXchgInst(at) != NULL ||
                   (LLVMIsACallInst(at) != NULL && simd_has_effects(at));
    return touches ? PASS_NOT : PASS;
}

LLVMValueRef simd_find_pair(const struct simd_kernel *kernel, LLVMValueRef access,
                            const struct simd_access *accesses)
{
    bool is_store = LLVMIsAStoreInst(access) != NULL;
    struct simd_member field = simd_member_of(access);
    if (field.size == 0 || field.size > MOST_SIZE || !has_gaps(kernel, access, field.size)) {
        return NULL;
    }
    LLVMValueRef at = LLVMGetNextInstruction(access);
    for (unsigned i = 0; at != NULL && i < MOST_DISTANCE; i++, at = LLVMGetNextInstruction(at)) {
        if (LLVMGetInstructionOpcode(at) == LLVMGetInstructionOpcode(access) &&
            accesses[simd_number(kernel, at)].kind == ACCESS_NONE) {
            struct simd_member other = simd_member_of(at);
            int64_t distance = other.offset - field.offset, size = field.size;
            if (other.size == field.size && other.base == field.base &&
                (distance == size || (is_store && distance == -size))) {
                return at;
            }
        }
        enum passing passing = passing_of(at);
        if (passing == PASS_NOT || (passing == PASS_LOADS && is_store)) {
            return NULL;
        }
    }
    return NULL;
}

bool simd_is_below(LLVMValueRef access, LLVMValueRef other)
{
    int64_t offset, others;
    simd_without_constants(simd_accessed(access), &offset);
    simd_without_constants(simd_accessed(other), &others);
    return offset < others;
}
