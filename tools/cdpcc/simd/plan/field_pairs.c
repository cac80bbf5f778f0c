/* Two fields that lie side by side, as one access of twice the size.
 *
 * A gather or scatter takes its time for each element, and neighbouring structures of two fields
 * are rows of vectors if both fields are taken at once.  So a load looks for the load of the field
 * behind its own, and makes that as well; and a store waits for its neighbour, if that is the next
 * to touch memory.  Where addresses follow each other without a gap, each access is a row alone. */
#include "simd/plan/field_pairs.h"

#include "simd/analysis/facts.h"
#include "simd/ir/instructions.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "simd/plan/interleave.h"

enum { MOST_DISTANCE = 32, MOST_SIZE = 4 };

/* Lanes' addresses do not follow each other with nothing between them; and loads are no rows that
 * pairs would not be (emit/access.c). */
static bool is_apart(const struct simd_kernel *kernel, LLVMValueRef at, int64_t size)
{
    struct simd_shape shape = simd_shape_of(kernel, simd_accessed(at));
    bool is_row = LLVMIsALoadInst(at) != NULL && shape.stride <= SIMD_MOST_STEP * size &&
                  shape.stride % (2 * size) != 0;
    return shape.kind == SHAPE_VARYING ||
           (shape.kind == SHAPE_LINEAR && shape.stride >= 2 * size && !is_row);
}

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
                   (LLVMIsACallInst(at) != NULL && !simd_is_pure_call(at));
    return touches ? PASS_NOT : PASS;
}

LLVMValueRef simd_find_pair(const struct simd_emit *emit, LLVMValueRef access)
{
    const struct simd_kernel *kernel = emit->kernel;
    bool is_store = LLVMIsAStoreInst(access) != NULL;
    struct simd_member field = simd_member_of(access);
    if (field.size == 0 || field.size > MOST_SIZE || !is_apart(kernel, access, field.size)) {
        return NULL;
    }
    LLVMValueRef at = LLVMGetNextInstruction(access);
    for (unsigned i = 0; at != NULL && i < MOST_DISTANCE; i++, at = LLVMGetNextInstruction(at)) {
        if (LLVMGetInstructionOpcode(at) == LLVMGetInstructionOpcode(access) &&
            emit->partners[simd_number(kernel, at)] == NULL) {
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

/* ---- values ---- */

LLVMTypeRef simd_pair_type(const struct simd_emit *emit, LLVMValueRef access)
{
    return LLVMIntTypeInContext(emit->lower->llvm, simd_member_of(access).size * 16);
}

static LLVMTypeRef integers(const struct simd_emit *emit, LLVMValueRef access, unsigned count)
{
    LLVMTypeRef type = LLVMIntTypeInContext(emit->lower->llvm, simd_member_of(access).size * 8);
    return LLVMVectorType(type, count);
}

LLVMValueRef simd_join_pair(struct simd_emit *emit, LLVMValueRef access, LLVMValueRef low,
                            LLVMValueRef high)
{
    LLVMTypeRef type = integers(emit, access, emit->lanes);
    LLVMValueRef indices[2 * SIMD_MOST_LANES];
    for (unsigned i = 0; i < 2 * emit->lanes; i++) {
        indices[i] = LLVMConstInt(emit->lower->i32, i / 2 + i % 2 * emit->lanes, 0);
    }
    low = LLVMBuildBitCast(emit->builder, low, type, "");
    high = LLVMBuildBitCast(emit->builder, high, type, "");
    LLVMValueRef both = LLVMBuildShuffleVector(emit->builder, low, high,
                                               LLVMConstVector(indices, 2 * emit->lanes), "");
    return LLVMBuildBitCast(emit->builder, both,
                            simd_vector_type(emit, simd_pair_type(emit, access)), "");
}

LLVMValueRef simd_part_of_pair(struct simd_emit *emit, LLVMValueRef access, LLVMValueRef pair,
                               unsigned which)
{
    LLVMTypeRef type = integers(emit, access, 2 * emit->lanes);
    LLVMValueRef indices[SIMD_MOST_LANES];
    for (unsigned i = 0; i < emit->lanes; i++) {
        indices[i] = LLVMConstInt(emit->lower->i32, 2 * i + which, 0);
    }
    pair = LLVMBuildBitCast(emit->builder, pair, type, "");
    LLVMValueRef part = LLVMBuildShuffleVector(emit->builder, pair, LLVMGetPoison(type),
                                               LLVMConstVector(indices, emit->lanes), "");
    return LLVMBuildBitCast(emit->builder, part, simd_vector_type(emit, simd_accessed_type(access)),
                            "");
}
