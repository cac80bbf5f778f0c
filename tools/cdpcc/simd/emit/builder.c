/* Values of a chunk: scalars, vectors, masks, and their phis and blends. */
#include "simd/emit/builder.h"

#include "ir/value.h"
#include "simd/analysis/alias.h"
#include "simd/analysis/shape.h"
#include "simd/emit/emit.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"
#include "simd/plan/slots.h"
#include "support/arena.h"

#include <string.h>

LLVMValueRef block_int(LLVMTypeRef type, int64_t value)
{
    return LLVMConstInt(type, (uint64_t)value, 1);
}

LLVMBasicBlockRef block_new(struct block_emit *emit, const char *name)
{
    return LLVMAppendBasicBlockInContext(emit->lower->llvm, emit->function, name);
}

void block_at(struct block_emit *emit, LLVMBasicBlockRef at)
{
    LLVMPositionBuilderAtEnd(emit->builder, at);
}

LLVMBasicBlockRef block_here(struct block_emit *emit)
{
    return LLVMGetInsertBlock(emit->builder);
}

void block_fail(struct block_emit *emit, LLVMValueRef where, const char *why)
{
    if (emit->failure == NULL) {
        emit->failure = why;
        emit->kernel->blamed = where;
    }
}

LLVMTypeRef block_vector_type(const struct block_emit *emit, LLVMTypeRef element)
{
    return LLVMVectorType(element, emit->lanes);
}

LLVMValueRef block_splat_constant(const struct block_emit *emit, LLVMValueRef constant)
{
    LLVMValueRef elements[BLOCK_MOST_LANES];
    for (unsigned i = 0; i < emit->lanes; i++) {
        elements[i] = constant;
    }
    return LLVMConstVector(elements, emit->lanes);
}

LLVMValueRef block_splat(struct block_emit *emit, LLVMValueRef scalar)
{
    if (LLVMIsConstant(scalar)) {
        return block_splat_constant(emit, scalar);
    }
    LLVMValueRef poison = LLVMGetPoison(block_vector_type(emit, LLVMTypeOf(scalar)));
    LLVMValueRef zeros = LLVMConstNull(block_vector_type(emit, emit->lower->i32));
    LLVMValueRef one =
        LLVMBuildInsertElement(emit->builder, poison, scalar, block_int(emit->lower->i64, 0), "");
    return LLVMBuildShuffleVector(emit->builder, one, poison, zeros, "");
}

LLVMValueRef block_steps(const struct block_emit *emit, LLVMTypeRef type, int64_t stride)
{
    LLVMValueRef elements[BLOCK_MOST_LANES];
    for (unsigned i = 0; i < emit->lanes; i++) {
        elements[i] = block_int(type, stride * (int64_t)i);
    }
    return LLVMConstVector(elements, emit->lanes);
}

LLVMValueRef block_intrinsic(struct block_emit *emit, const char *name, LLVMTypeRef *types,
                             unsigned type_count, LLVMValueRef *arguments, unsigned count)
{
    return lower_intrinsic(emit->lower, emit->builder, name, types, type_count, arguments, count);
}

/* ---- masks ---- */

/* Constants are unique, so this compares pointers. */
bool block_is_full(const struct block_emit *emit, const LLVMValueRef *mask)
{
    for (unsigned u = 0; mask != NULL && u < emit->vectors; u++) {
        if (mask[u] != emit->full) {
            return false;
        }
    }
    return true;
}

LLVMValueRef block_bits(struct block_emit *emit, LLVMValueRef mask)
{
    return LLVMBuildBitCast(emit->builder, mask, emit->bits_type, "");
}

/* Of a splat; NULL: it is none. */
static LLVMValueRef splatted(LLVMValueRef mask)
{
    LLVMValueRef one = LLVMIsAShuffleVectorInst(mask) != NULL ? LLVMGetOperand(mask, 0) : NULL;
    bool is_first =
        one != NULL && LLVMIsAInsertElementInst(one) != NULL && LLVMIsNull(LLVMGetOperand(one, 2));
    for (unsigned i = 0; is_first && i < LLVMGetNumMaskElements(mask); i++) {
        is_first = LLVMGetMaskValue(mask, i) == 0;
    }
    return is_first ? LLVMGetOperand(one, 1) : NULL;
}

static LLVMValueRef one_for_all(struct block_emit *emit, LLVMValueRef mask, unsigned depth)
{
    if (mask == emit->full || mask == emit->none) {
        return LLVMConstInt(emit->lower->i1, mask == emit->full, 0);
    }
    if (LLVMIsAInstruction(mask) == NULL || depth == 0) {
        return NULL;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(mask);
    bool is_select = opcode == LLVMSelect;
    if (!is_select && opcode != LLVMAnd && opcode != LLVMOr && opcode != LLVMXor) {
        return splatted(mask);
    }
    LLVMValueRef parts[3];
    for (unsigned i = 0; i < (is_select ? 3 : 2); i++) {
        parts[i] = one_for_all(emit, LLVMGetOperand(mask, i), depth - 1);
        if (parts[i] == NULL) {
            return NULL;
        }
    }
    return is_select ? LLVMBuildSelect(emit->builder, parts[0], parts[1], parts[2], "")
                     : LLVMBuildBinOp(emit->builder, opcode, parts[0], parts[1], "");
}

LLVMValueRef block_one_for_all(struct block_emit *emit, LLVMValueRef mask)
{
    enum { MOST_DEPTH = 6 };
    return one_for_all(emit, mask, MOST_DEPTH);
}

LLVMValueRef block_any_in(struct block_emit *emit, LLVMValueRef mask)
{
    LLVMValueRef none = LLVMConstNull(emit->bits_type);
    return LLVMBuildICmp(emit->builder, LLVMIntNE, block_bits(emit, mask), none, "any");
}

LLVMValueRef block_any(struct block_emit *emit, const LLVMValueRef *mask)
{
    LLVMValueRef all = mask[0];
    for (unsigned u = 1; u < emit->vectors; u++) {
        all = LLVMBuildOr(emit->builder, all, mask[u], "");
    }
    return block_any_in(emit, all);
}

LLVMValueRef block_any_for(struct block_emit *emit, const LLVMValueRef *mask,
                           struct block_shape shape, unsigned vector)
{
    if (shape.kind <= SHAPE_UNIFORM) {
        return block_any(emit, mask);
    }
    LLVMValueRef all = mask[vector];
    unsigned count = shape.kind == SHAPE_WARP ? BLOCK_WARP / emit->lanes : 1;
    for (unsigned i = 0; count > 1 && i < count; i++) {
        LLVMValueRef other = mask[vector / count * count + i];
        all = i == 0 ? other : LLVMBuildOr(emit->builder, all, other, "");
    }
    return block_any_in(emit, all);
}

LLVMValueRef block_all(struct block_emit *emit, const LLVMValueRef *mask)
{
    LLVMValueRef all = mask[0];
    for (unsigned u = 1; u < emit->vectors; u++) {
        all = LLVMBuildAnd(emit->builder, all, mask[u], "");
    }
    LLVMValueRef ones = LLVMConstAllOnes(emit->bits_type);
    return LLVMBuildICmp(emit->builder, LLVMIntEQ, block_bits(emit, all), ones, "all");
}

/* A select: what a lane that is off would compute may be poison. */
LLVMValueRef block_and(struct block_emit *emit, LLVMValueRef mask, LLVMValueRef condition)
{
    if (mask == emit->full) {
        return condition;
    }
    return LLVMBuildSelect(emit->builder, mask, condition, emit->none, "");
}

LLVMValueRef block_both(struct block_emit *emit, LLVMValueRef first, LLVMValueRef second)
{
    return LLVMBuildSelect(emit->builder, first, second, block_int(emit->lower->i1, 0), "");
}

/* ---- values ---- */

unsigned block_parts(const struct block_emit *emit, struct block_shape shape)
{
    return shape.kind <= SHAPE_UNIFORM ? 1 : emit->vectors;
}

struct block_value block_uniform(LLVMValueRef scalar)
{
    return (struct block_value){
        .shape = {.kind = SHAPE_UNIFORM, .is_signed_exact = true, .is_unsigned_exact = true},
        .scalar = {scalar},
        .is_set = true,
    };
}

LLVMValueRef block_scalar(const struct block_value *value, unsigned vector)
{
    return value->scalar[value->shape.kind <= SHAPE_UNIFORM ? 0 : vector];
}

LLVMValueRef block_vector(struct block_emit *emit, const struct block_value *value, unsigned vector)
{
    if (value->vector[vector] != NULL) {
        return value->vector[vector];
    }
    LLVMValueRef scalar = block_scalar(value, vector);
    if (value->shape.kind <= SHAPE_VECTOR) {
        return block_splat(emit, scalar);
    }
    if (LLVMGetTypeKind(LLVMTypeOf(scalar)) == LLVMPointerTypeKind) {
        LLVMValueRef steps = block_steps(emit, emit->lower->i64, value->shape.stride);
        return LLVMBuildGEP2(emit->builder, emit->lower->i8, scalar, &steps, 1, "");
    }
    LLVMValueRef steps = block_steps(emit, LLVMTypeOf(scalar), value->shape.stride);
    return LLVMBuildAdd(emit->builder, block_splat(emit, scalar), steps, "");
}

struct block_value block_to_shape(struct block_emit *emit, const struct block_value *value,
                                  struct block_shape shape)
{
    struct block_value made = {.shape = shape, .is_set = true};
    for (unsigned u = 0; u < block_parts(emit, shape); u++) {
        if (shape.kind == SHAPE_VARYING) {
            made.vector[u] = block_vector(emit, value, u);
        } else {
            made.scalar[u] = block_scalar(value, u);
        }
    }
    return made;
}

/* Below, values have one and the same shape, without checks. */
static LLVMValueRef *part_of(struct block_value *value, unsigned vector)
{
    return value->shape.kind == SHAPE_VARYING ? &value->vector[vector] : &value->scalar[vector];
}

static LLVMValueRef condition_for(struct block_emit *emit, const LLVMValueRef *mask,
                                  struct block_shape shape, unsigned vector)
{
    if (shape.kind == SHAPE_VARYING) {
        return mask[vector];
    }
    return block_any_for(emit, mask, shape, vector);
}

struct block_value block_select(struct block_emit *emit, const LLVMValueRef *mask,
                                const struct block_value *then, const struct block_value *otherwise,
                                struct block_shape shape)
{
    struct block_value a = block_to_shape(emit, then, shape);
    struct block_value b = block_to_shape(emit, otherwise, shape);
    struct block_value made = {.shape = shape, .is_set = true};
    for (unsigned u = 0; u < block_parts(emit, shape); u++) {
        LLVMValueRef condition = condition_for(emit, mask, shape, u);
        *part_of(&made, u) =
            LLVMBuildSelect(emit->builder, condition, *part_of(&a, u), *part_of(&b, u), "");
    }
    return made;
}

static LLVMTypeRef part_type(struct block_emit *emit, LLVMTypeRef type, struct block_shape shape)
{
    return shape.kind == SHAPE_VARYING ? block_vector_type(emit, type) : type;
}

struct block_value block_poison(struct block_emit *emit, LLVMTypeRef type, struct block_shape shape)
{
    struct block_value made = {.shape = shape, .is_set = true};
    for (unsigned u = 0; u < block_parts(emit, shape); u++) {
        *part_of(&made, u) = LLVMGetPoison(part_type(emit, type, shape));
    }
    return made;
}

struct block_value block_phi(struct block_emit *emit, LLVMTypeRef type, struct block_shape shape)
{
    struct block_value made = {.shape = shape, .is_set = true};
    for (unsigned u = 0; u < block_parts(emit, shape); u++) {
        *part_of(&made, u) = LLVMBuildPhi(emit->builder, part_type(emit, type, shape), "");
    }
    return made;
}

void block_add_incoming(struct block_emit *emit, struct block_value *phi,
                        const struct block_value *value, LLVMBasicBlockRef from)
{
    struct block_value copy = *value;
    for (unsigned u = 0; u < block_parts(emit, phi->shape); u++) {
        LLVMAddIncoming(*part_of(phi, u), part_of(&copy, u), &from, 1);
    }
}

struct block_value block_get(struct block_emit *emit, LLVMValueRef value)
{
    int number = block_number(emit->kernel, value);
    if (number < 0) {
        return block_uniform(value);
    }
    if (emit->is_mixed != NULL && emit->is_mixed[number]) {
        return block_load_mixed(emit, number);
    }
    if (!emit->values[number].is_set) {
        block_fail(emit, value, "a value in it is lost between barriers");
        return block_poison(emit, LLVMTypeOf(value), emit->kernel->shapes[number]);
    }
    return emit->values[number];
}

static bool is_mixed(const struct block_emit *emit, LLVMValueRef value)
{
    int number = block_number(emit->kernel, value);
    return number >= 0 && emit->is_mixed != NULL && emit->is_mixed[number];
}

bool block_is_at_hand(const struct block_emit *emit, LLVMValueRef value)
{
    int number = block_number(emit->kernel, value);
    return number < 0 ? LLVMIsConstant(value)
                      : emit->values[number].is_set && !is_mixed(emit, value);
}

bool block_is_known(const struct block_emit *emit, LLVMValueRef value)
{
    return is_mixed(emit, value) || block_is_at_hand(emit, value);
}

bool block_is_known_uniform(const struct block_emit *emit, LLVMValueRef value)
{
    return block_is_known(emit, value) && block_shape_of(emit->kernel, value).kind <= SHAPE_VECTOR;
}

bool block_is_known_line(const struct block_emit *emit, LLVMValueRef value)
{
    struct block_shape shape = block_shape_of(emit->kernel, value);
    return block_is_known(emit, value) && shape.kind == SHAPE_LINEAR && shape.stride == 1;
}

void block_set(struct block_emit *emit, LLVMValueRef value, struct block_value made)
{
    int number = block_number(emit->kernel, value);
    made.is_set = true;
    emit->values[number] = made;
    if (emit->is_mixed != NULL && emit->is_mixed[number]) {
        block_save_mixed(emit, number, false);
    }
    if (emit->has_slot[number]) {
        block_save_slot(emit, number);
    }
}

LLVMValueRef block_array(struct block_emit *emit, LLVMTypeRef element, LLVMValueRef count,
                         const char *name)
{
    if (LLVMIsAConstantInt(count) != NULL) { /* as one type: the optimizer takes it apart */
        LLVMTypeRef type = LLVMArrayType2(element, LLVMConstIntGetZExtValue(count));
        return block_alloca(emit, type, 64, name);
    }
    LLVMValueRef made = LLVMBuildArrayAlloca(emit->allocas, element, count, name);
    LLVMSetAlignment(made, 64);
    return made;
}

LLVMValueRef block_alloca(struct block_emit *emit, LLVMTypeRef type, unsigned align,
                          const char *name)
{
    LLVMValueRef made = LLVMBuildAlloca(emit->allocas, type, name);
    LLVMSetAlignment(made, align);
    return made;
}

LLVMValueRef block_round_up(struct block_emit *emit, LLVMValueRef value, unsigned to)
{
    LLVMTypeRef i32 = emit->lower->i32;
    LLVMValueRef more = LLVMBuildNUWAdd(emit->builder, value, block_int(i32, to - 1), "");
    LLVMValueRef parts = LLVMBuildUDiv(emit->builder, more, block_int(i32, to), "");
    return LLVMBuildNUWMul(emit->builder, parts, block_int(i32, to), "");
}

/* ---- two ways ---- */

struct block_ways block_part_ways(struct block_emit *emit, LLVMValueRef test, bool is_likely)
{
    LLVMBasicBlockRef first = block_new(emit, "row");
    struct block_ways ways = {.second = block_new(emit, "apart"), .join = block_new(emit, "done")};
    LLVMValueRef branch = LLVMBuildCondBr(emit->builder, test, first, ways.second);
    if (is_likely) {
        block_mark_likely(emit, branch);
    }
    block_at(emit, first);
    return ways;
}

void block_other_way(struct block_emit *emit, struct block_ways *ways, LLVMValueRef value)
{
    ways->value = value;
    ways->from = block_here(emit);
    LLVMBuildBr(emit->builder, ways->join);
    block_at(emit, ways->second);
}

LLVMValueRef block_meet(struct block_emit *emit, const struct block_ways *ways, LLVMValueRef value)
{
    LLVMBasicBlockRef from[] = {ways->from, block_here(emit)};
    LLVMBuildBr(emit->builder, ways->join);
    block_at(emit, ways->join);
    if (value == NULL) {
        return NULL;
    }
    LLVMValueRef phi = LLVMBuildPhi(emit->builder, LLVMTypeOf(value), "");
    LLVMValueRef values[] = {ways->value, value};
    LLVMAddIncoming(phi, values, from, 2);
    return phi;
}

void block_or_nothing(struct block_emit *emit, struct block_ways *ways)
{
    block_other_way(emit, ways, NULL);
    block_meet(emit, ways, NULL);
}
