/* Permuted contiguous accesses: s[threadIdx.x ^ distance], as in sorts and butterflies; replicated
 * contiguous loads: x[i / 2], as where an image is enlarged.
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
 * A replicated load is similar. With eight lanes, lane 0 being thread 16, and x[i / 2]:
 *
 *     threads      16 17 18 19 20 21 22 23
 *     / 2           8  8  9  9 10 10 11 11
 *     group        one contiguous load of elements 8 to 11, half as many as lanes
 *     lanes        0 0 1 1 2 2 3 3
 *
 * Takes: an index of the form base[number]. Gives: the affine value, the distance or the shift, and
 * the steps that lead from there to the number, in the order in which they are applied. The search
 * walks from the number down to the xor or shift, and pushes steps on its way back. */
#include "simd/plan/permuted.h"

#include "simd/ir/graph_node.h"
#include "simd/ir/variant.h"
#include "simd/plan/index.h"
#include "support/arena.h"

#include <llvm-c/Core.h>

/* The search for a permuted index; `found` collects its parts. */
struct search {
    const struct simd_site *site;
    struct simd_permutation *found;
    bool is_for_shift; /* instead of a xor */
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

/* The number of bits by which a shift, or a division of numbers that are not negative, moves. 0:
 * it is no such operation. */
static unsigned shift_of(LLVMValueRef at, bool is_division)
{
    LLVMValueRef by = LLVMGetOperand(at, 1);
    if (LLVMIsAConstantInt(by) == NULL || LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64) {
        return 0;
    }
    uint64_t number = LLVMConstIntGetZExtValue(by);
    if (!is_division) {
        return (unsigned)number; /* less than the width, or else the result is poison */
    }
    bool is_power = number != 0 && (number & (number - 1)) == 0;
    return is_power && LLVMConstIntGetSExtValue(by) > 0 ? (unsigned)__builtin_ctzll(number) : 0;
}

/* At least two elements are loaded. */
static bool find_shift(struct search *search, LLVMValueRef at)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    bool is_signed = opcode == LLVMSDiv;
    LLVMValueRef affine = LLVMGetOperand(at, 0);
    search->found->shift = shift_of(at, is_signed || opcode == LLVMUDiv);
    search->found->is_signed = is_signed || opcode == LLVMAShr;
    search->found->must_be_non_negative = is_signed;
    search->found->affine = affine;
    unsigned lanes = simd_variant_of(simd_kernel_of(search->site->graph))->lanes;
    return search->is_for_shift && search->found->shift != 0 && search->found->shift < 6 &&
           lanes >> search->found->shift >= 2 && simd_is_known_affine(search->site, affine);
}

/* Recursion ends at a xor or shift. Sums and operations on bits must have one uniform operand. */
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
    if (search->is_for_shift || !simd_is_known_uniform(search->site, more) ||
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
        return !search->is_for_shift && find_crossing(search, at);
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
        return find_shift(search, at);
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

static const struct simd_permutation *find(const struct simd_site *site,
                                           const struct simd_index *index, bool is_for_shift)
{
    enum { MOST_DEPTH = 6 };
    struct simd_permutation result = {.index = *index};
    struct search search = {.site = site, .found = &result, .is_for_shift = is_for_shift};
    if (!is_number(index->type) || !find_number(&search, index->number, MOST_DEPTH)) {
        return NULL;
    }
    struct simd_permutation *kept = arena_alloc(sizeof *kept);
    *kept = result;
    return kept;
}

const struct simd_permutation *simd_find_permuted(const struct simd_site *site,
                                                  const struct simd_index *index)
{
    return find(site, index, false);
}

const struct simd_permutation *simd_find_replicated(const struct simd_site *site,
                                                    const struct simd_index *index)
{
    return find(site, index, true);
}
