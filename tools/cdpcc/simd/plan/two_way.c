/* Selects of two contiguous accesses: in[x == last ? x : x + 1], at a border.
 *
 * The index is a select between two affine values.  Or it is an affine value to which a condition
 * is added, or from which one is subtracted, as LLVM writes a select of values that differ by one.
 * Each of the two contiguous accesses runs for the lanes that take it (emit/two_way.c).
 *
 * For in[x == 7 ? x : x + 1] and lanes with x from 4 to 7:
 *
 *     condition       0 0 0 1
 *     first access    in[4 5 6 7]      loaded under the mask 0 0 0 1
 *     second access   in[5 6 7 8]      loaded under the mask 1 1 1 0
 *     result          in[5] in[6] in[7] in[7]
 *
 * LLVM's select of neighbours looks like this, with zext of the condition:
 *
 *     %near = icmp ne i32 %x, 7
 *     %bit = zext i1 %near to i32
 *     %number = add i32 %x, %bit
 *
 * At the other border, LLVM makes llvm.usub.sat of x == 0 ? x : x - 1. That is no such select, so
 * the access is a gather. */
#include "simd/plan/two_way.h"

#include "simd/analysis/uniformity.h"
#include "simd/ir/graph_node.h"
#include "simd/plan/available.h"
#include "simd/plan/index.h"
#include "support/arena.h"

#include <llvm-c/Core.h>

/* What a condition, as a number, adds if it is true; 0: the value is not a condition. */
static int64_t number_of_bool(LLVMValueRef value)
{
    bool is_signed = LLVMIsASExtInst(value) != NULL;
    if (!is_signed && LLVMIsAZExtInst(value) == NULL) {
        return 0;
    }
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(value, 0));
    bool is_bool = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
    return !is_bool ? 0 : is_signed ? -1 : 1;
}

/* The bit of a difference must be its second operand. */
static bool find_sum(const struct simd_site *site, LLVMValueRef at, int64_t sign,
                     struct simd_two_way *result)
{
    for (unsigned i = 0; i < (sign < 0 ? 1 : 2); i++) {
        LLVMValueRef affine = LLVMGetOperand(at, i), bit = LLVMGetOperand(at, 1 - i);
        int64_t more = number_of_bool(bit) * sign;
        if (more != 0 && simd_is_known_affine(site, affine)) {
            result->condition = LLVMGetOperand(bit, 0);
            result->affine[0] = result->affine[1] = affine;
            result->more[0] = more;
            return true;
        }
    }
    return false;
}

static bool find_select(const struct simd_site *site, LLVMValueRef at, struct simd_two_way *result)
{
    result->condition = LLVMGetOperand(at, 0);
    result->affine[0] = LLVMGetOperand(at, 1);
    result->affine[1] = LLVMGetOperand(at, 2);
    return simd_is_known_affine(site, result->affine[0]) &&
           simd_is_known_affine(site, result->affine[1]);
}

/* A uniform condition is no reason for a select: the index is then affine by a test (TEST_CHOICE).
 */
static bool find_choice(const struct simd_site *site, LLVMValueRef at, struct simd_two_way *result)
{
    if (LLVMIsAInstruction(at) == NULL) {
        return false;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    bool found = opcode == LLVMSelect ? find_select(site, at, result)
                 : opcode == LLVMAdd  ? find_sum(site, at, 1, result)
                 : opcode == LLVMSub  ? find_sum(site, at, -1, result)
                                      : false;
    return found &&
           simd_is_available_or_promoted(site->path, site->graph, site->node, result->condition) &&
           simd_is_varying(simd_kernel_of(site->graph), result->condition);
}

const struct simd_two_way *simd_find_two_way(const struct simd_site *site,
                                             const struct simd_index *index)
{
    struct simd_two_way result = {.index = *index};
    LLVMValueRef number = index->number;
    if (LLVMIsASExtInst(number) != NULL || LLVMIsAZExtInst(number) != NULL) {
        result.extended = number;
        number = LLVMGetOperand(number, 0);
    }
    if (!find_choice(site, number, &result)) {
        return NULL;
    }
    struct simd_two_way *kept = arena_alloc(sizeof *kept);
    *kept = result;
    return kept;
}
