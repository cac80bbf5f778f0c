/* Permuted contiguous accesses: s[threadIdx.x ^ distance], as in sorts and butterflies.
 *
 * The number of a vector's first thread is a multiple of its lanes.  So the high bits of the
 * distance select one contiguous group of elements, the same for all lanes; the low bits select the
 * element of each lane.  The access is one contiguous access, and the values are permuted
 * (emit/permuted.c).  The mask is permuted too, since the lane that uses an element need not be the
 * lane that loads it, and either may be inactive.
 *
 * Any uniform value may be added to the permuted number.  Nothing wraps within the group, since the
 * low bits of its first number are zero. The sum itself may wrap, so that is tested.
 *
 * With eight lanes, lane 0 being thread 16, and a distance of 9:
 *
 *     threads      16 17 18 19 20 21 22 23
 *     ^ 9          25 24 27 26 29 28 31 30
 *     group        starts at 16 ^ (9 & ~7) = 24: one contiguous load of elements 24 to 31
 *     permutation  by 9 & 7 = 1: lanes 1 0 3 2 5 4 7 6
 *
 * Takes: an index of the form base[number]. Gives: the affine value, the distance, and the steps
 * that lead from their xor to the number, in the order in which they are applied. The search walks
 * from the number down to the xor, and pushes steps on its way back. */
#include "simd/plan/permuted.h"

#include "simd/plan/index.h"
#include "support/arena.h"

#include <llvm-c/Core.h>

/* The search for a permuted index; `found` collects its parts. */
struct search {
    const struct simd_site *site;
    struct simd_permutation *found;
};

/* The steps fit: the depth of the search is half of SIMD_MOST_PERMUTED_STEPS, and each
 * level pushes at most two. */
static void push(struct search *search, struct simd_permuted_step step)
{
    search->found->steps[search->found->step_count++] = step;
}

/* The xor may have its operands in either order. */
static bool find_crossing(struct search *search, LLVMValueRef at)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef affine = LLVMGetOperand(at, i), distance = LLVMGetOperand(at, 1 - i);
        if (simd_is_known_affine(search->site, affine) &&
            simd_is_known_uniform(search->site, distance)) {
            search->found->affine = affine;
            search->found->distance = distance;
            return true;
        }
    }
    return false;
}

/* Recursion ends at a xor. Sums and operations on bits must have one uniform operand. */
static bool find_number(struct search *search, LLVMValueRef at, unsigned depth);

/* `extension` is the extension of the sum, or NULL.
 * A sum that is extended may wrap in the narrow type, so it is tested. */
static bool find_sum(struct search *search, LLVMValueRef at, LLVMValueRef extension, unsigned depth)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef more = LLVMGetOperand(at, 1 - i);
        if (simd_is_known_uniform(search->site, more) &&
            find_number(search, LLVMGetOperand(at, i), depth)) {
            bool is_signed = extension != NULL && LLVMIsASExtInst(extension) != NULL;
            push(search, (struct simd_permuted_step){.what = PERMUTED_ADD,
                                                     .operand = more,
                                                     .is_tested = extension != NULL,
                                                     .is_signed_test = is_signed});
            return true;
        }
    }
    return false;
}

/* All bits of a lane's number are kept, and no others are added.  This holds where the group still
 * starts at a multiple of the lanes after a sum. */
static bool find_with_bits(struct search *search, LLVMValueRef at, bool is_and, unsigned depth)
{
    LLVMValueRef more = LLVMGetOperand(at, 1);
    if (!simd_is_known_uniform(search->site, more) ||
        !find_number(search, LLVMGetOperand(at, 0), depth - 1)) {
        return false;
    }
    push(search,
         (struct simd_permuted_step){.what = is_and ? PERMUTED_AND : PERMUTED_OR, .operand = more});
    return true;
}

/* An extension of a sum and the sum itself are one level: the extension decides how the sum may
 * wrap. */
static bool find_extended(struct search *search, LLVMValueRef at, unsigned depth)
{
    LLVMValueRef of = LLVMGetOperand(at, 0);
    bool is_sum = LLVMIsAInstruction(of) != NULL && LLVMGetInstructionOpcode(of) == LLVMAdd;
    if (is_sum ? !find_sum(search, of, at, depth - 1) : !find_number(search, of, depth - 1)) {
        return false;
    }
    push(search, (struct simd_permuted_step){.what = PERMUTED_EXTEND,
                                             .operand = at,
                                             .is_signed = LLVMIsASExtInst(at) != NULL});
    return true;
}

static bool find_number(struct search *search, LLVMValueRef at, unsigned depth)
{
    if (LLVMIsAInstruction(at) == NULL || depth == 0) {
        return false;
    }
    switch ((int)LLVMGetInstructionOpcode(at)) {
    case LLVMXor:
        return find_crossing(search, at);
    case LLVMAdd: /* the sum has the width of addresses */
        return LLVMGetIntTypeWidth(LLVMTypeOf(at)) == 64 && find_sum(search, at, NULL, depth - 1);
    case LLVMAnd:
        return find_with_bits(search, at, true, depth);
    case LLVMOr:
        return find_with_bits(search, at, false, depth);
    case LLVMSExt:
    case LLVMZExt:
        return find_extended(search, at, depth);
    default:
        return false;
    }
}

/* A type of numbers, whose lanes can be permuted. */
static bool is_number(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

const struct simd_permutation *simd_find_permuted(const struct simd_site *site,
                                                  const struct simd_index *index)
{
    enum { MOST_DEPTH = 6 };
    struct simd_permutation result = {.index = *index};
    struct search search = {.site = site, .found = &result};
    if (!is_number(index->type) || !find_number(&search, index->number, MOST_DEPTH)) {
        return NULL;
    }
    struct simd_permutation *kept = arena_alloc(sizeof *kept);
    *kept = result;
    return kept;
}
