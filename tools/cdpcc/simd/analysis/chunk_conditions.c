/* Which comparisons can be decided for all lanes of a chunk by lane 0 and the stride.
 *
 * Guards such as if (x < width && y < height) compare indices that are affine in the lane.  The
 * first or the last lane then decides for all lanes between them.  This holds only in chunks whose
 * lanes are all active, since there an instruction's flags (no wrap) hold in every lane.
 *
 * For if (i < n) with i = first + lane, ascending:
 *
 *     all lanes below n      <=>  the last lane is:    first + W * U - 1 < n
 *     all lanes not below n  <=>  the first lane is not
 *
 * So a chunk of 64 threads needs one scalar comparison in place of four vector comparisons and a
 * test of their masks. Emission is in emit/chunk_conditions.c.
 *
 * "Consecutive values in the chunk" is more than an affine shape: a shape is about the lanes of one
 * vector, and the vectors of a chunk may have other starts. */
#include "simd/analysis/chunk_conditions.h"

#include "simd/analysis/add_recurrence.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/shape.h"
#include "simd/analysis/uniformity.h"
#include "simd/ir/lanes.h"
#include "simd/ir/opcodes.h"
#include "simd/ir/predicates.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/variant.h"
#include "support/vec.h"

enum { MOST_STEPS = 8 };

bool simd_is_one_for_chunk(const struct simd_kernel *kernel, const struct simd_chunk *chunk,
                           LLVMValueRef value)
{
    bool is_in_warp = chunk->lanes * chunk->vectors <= SIMD_WARP;
    return simd_is_uniform(kernel, value) ||
           (is_in_warp && simd_is_uniform_in_warp(kernel, value)) ||
           (chunk->vectors == 1 && simd_is_scalar(kernel, value));
}

/* Lane 0 and the stride suffice.
 * Equality has no order. So EQ is left out, and NE is only for strides of 1 and -1, where the lanes
 * have all values from the first lane's to the last one's. */
bool simd_is_comparable(const struct simd_shape *shape, LLVMIntPredicate predicate)
{
    if (shape->kind != SHAPE_LINEAR || shape->check == CHECK_ALWAYS) {
        return false;
    }
    return predicate == LLVMIntNE ? shape->stride == 1 || shape->stride == -1
                                  : predicate != LLVMIntEQ;
}

/* The value is the thread's number, multiplied by and added to uniform values.  It is affine over
 * the whole chunk, and not only within a vector as tid % 32 may be. */
static bool is_affine_in_chunk(const struct simd_kernel *kernel, LLVMValueRef value, unsigned steps)
{
    if (simd_shape_of(kernel, value)->kind == SHAPE_UNIFORM) {
        return true;
    }
    if (LLVMIsAInstruction(value) == NULL || steps == MOST_STEPS) {
        return false;
    }
    if (LLVMIsAPHINode(value) != NULL) {
        LLVMValueRef start = simd_start_of_stride(kernel, value);
        return start != NULL && is_affine_in_chunk(kernel, start, steps + 1);
    }
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMLoad:
        return simd_self_field(value) >= 0;
    case LLVMSExt:
    case LLVMZExt:
        return is_affine_in_chunk(kernel, LLVMGetOperand(value, 0), steps + 1);
    case LLVMOr:
        if (!LLVMGetIsDisjoint(value)) {
            return false;
        }
        break;
    case LLVMXor:
        if (!simd_is_inversion(value)) {
            return false;
        }
        break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        break;
    default:
        return false;
    }
    return is_affine_in_chunk(kernel, LLVMGetOperand(value, 0), steps + 1) &&
           is_affine_in_chunk(kernel, LLVMGetOperand(value, 1), steps + 1);
}

int64_t simd_span_of_chunk(const struct simd_chunk *chunk, const struct simd_shape *shape)
{
    return shape->stride * ((int64_t)chunk->lanes * chunk->vectors - 1);
}

/* The one vector that decides for the whole chunk, if no value wraps in the chunk; -1: each vector
 * decides for itself.
 * The span must be small against the type's width, and the layout a single row: otherwise the
 * vectors of a chunk start anew in each row. */
int simd_deciding_vector(const struct simd_kernel *kernel, const struct simd_chunk *chunk,
                         LLVMIntPredicate predicate, LLVMValueRef source,
                         const struct simd_shape *shape, const struct simd_shape *other)
{
    int64_t span = simd_span_of_chunk(chunk, shape);
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(source));
    bool is_wide = width > 32 || (width == 32 && span <= INT16_MAX && span >= -INT16_MAX);
    if (predicate == LLVMIntNE || other->kind > SHAPE_UNIFORM || !is_wide ||
        simd_variant_of(kernel)->layout != LAYOUT_ONE_ROW ||
        !is_affine_in_chunk(kernel, source, 0)) {
        return -1;
    }
    return simd_order_of(predicate)->is_less == (shape->stride > 0) ? (int)chunk->vectors - 1 : 0;
}

/* The loop's own condition bounds the counter, so it cannot wrap while the loop continues. */
enum simd_test simd_stays_affine(const struct simd_kernel *kernel, const struct simd_chunk *chunk,
                                 LLVMValueRef condition, LLVMValueRef phi)
{
    LLVMValueRef start = simd_start_of_stride(kernel, phi);
    if (LLVMIsAICmpInst(condition) == NULL || start == NULL) {
        return TEST_NONE;
    }
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
    unsigned side = simd_shape_of(kernel, LLVMGetOperand(condition, 0))->kind == SHAPE_UNIFORM;
    LLVMValueRef next = LLVMGetOperand(condition, side);
    struct simd_shape shape = *simd_shape_of(kernel, next), first = *simd_shape_of(kernel, start);
    struct simd_shape limit = *simd_shape_of(kernel, LLVMGetOperand(condition, 1 - side));
    bool is_next = LLVMGetIncomingValue(phi, 0) == next || LLVMGetIncomingValue(phi, 1) == next;
    predicate = side == 0 ? predicate : simd_order_of(predicate)->swapped;
    if (!is_next || first.kind != SHAPE_LINEAR || first.check != CHECK_NONE ||
        predicate == LLVMIntEQ || !simd_is_comparable(&shape, predicate) ||
        simd_deciding_vector(kernel, chunk, predicate, next, &shape, &limit) < 0) {
        return TEST_NONE;
    }
    bool is_signed = simd_order_of(predicate)->is_signed;
    bool is_exact = is_signed ? first.is_signed_exact : first.is_unsigned_exact;
    return !is_exact ? TEST_NONE : is_signed ? TEST_SIGNED : TEST_UNSIGNED;
}
