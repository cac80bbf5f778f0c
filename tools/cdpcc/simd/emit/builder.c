/* Values of a chunk: scalars, vectors, masks, and their phis and blends. */
#include "simd/emit/builder.h"

#include "ir/value.h"
#include "simd/analysis/shape.h"
#include "simd/emit/emit.h"
#include "simd/emit/metadata.h"
#include "simd/emit/slots.h"
#include "simd/ir/branch_weights.h"
#include "simd/ir/lanes.h"
#include "simd/ir/numbers.h"
#include "simd/plan/plan.h"

#include <assert.h>
#include <string.h>

LLVMValueRef simd_int(LLVMTypeRef type, int64_t value)
{
    return LLVMConstInt(type, (uint64_t)value, 1);
}

LLVMBasicBlockRef simd_new(struct simd_emit *emit, const char *name)
{
    return LLVMAppendBasicBlockInContext(emit->lower->llvm, emit->function, name);
}

void simd_at(struct simd_emit *emit, LLVMBasicBlockRef at)
{
    LLVMPositionBuilderAtEnd(emit->builder, at);
}

LLVMBasicBlockRef simd_here(struct simd_emit *emit)
{
    return LLVMGetInsertBlock(emit->builder);
}

LLVMTypeRef simd_vector_type(const struct simd_emit *emit, LLVMTypeRef element)
{
    return LLVMVectorType(element, emit->lanes);
}

LLVMValueRef simd_splat_constant(const struct simd_emit *emit, LLVMValueRef constant)
{
    LLVMValueRef elements[SIMD_MOST_LANES];
    for (unsigned i = 0; i < emit->lanes; i++) {
        elements[i] = constant;
    }
    return LLVMConstVector(elements, emit->lanes);
}

LLVMValueRef simd_splat(struct simd_emit *emit, LLVMValueRef scalar)
{
    if (LLVMIsConstant(scalar)) {
        return simd_splat_constant(emit, scalar);
    }
    LLVMValueRef poison = LLVMGetPoison(simd_vector_type(emit, LLVMTypeOf(scalar)));
    LLVMValueRef zeros = LLVMConstNull(simd_vector_type(emit, emit->lower->types.i32));
    LLVMValueRef one = LLVMBuildInsertElement(emit->builder, poison, scalar,
                                              simd_int(emit->lower->types.i64, 0), "");
    return LLVMBuildShuffleVector(emit->builder, one, poison, zeros, "");
}

LLVMValueRef simd_steps(const struct simd_emit *emit, LLVMTypeRef type, int64_t stride)
{
    LLVMValueRef elements[SIMD_MOST_LANES];
    for (unsigned i = 0; i < emit->lanes; i++) {
        elements[i] = simd_int(type, stride * (int64_t)i);
    }
    return LLVMConstVector(elements, emit->lanes);
}

LLVMValueRef simd_intrinsic(struct simd_emit *emit, const char *name, LLVMTypeRef *types,
                            unsigned type_count, LLVMValueRef *arguments, unsigned count)
{
    return lower_intrinsic(emit->lower, emit->builder, name, types, type_count, arguments, count);
}

/* ---- masks ---- */

/* Constants are unique, so comparing pointers suffices. */
bool simd_is_full(const struct simd_emit *emit, const LLVMValueRef *mask)
{
    for (unsigned u = 0; mask != NULL && u < emit->vectors; u++) {
        if (mask[u] != emit->full) {
            return false;
        }
    }
    return true;
}

LLVMValueRef simd_bits(struct simd_emit *emit, LLVMValueRef mask)
{
    return LLVMBuildBitCast(emit->builder, mask, emit->types.bits, "");
}

void simd_fill_mask(const struct simd_emit *emit, LLVMValueRef *mask, LLVMValueRef value)
{
    for (unsigned u = 0; u < emit->vectors; u++) {
        mask[u] = value;
    }
}

LLVMValueRef simd_join_bits(struct simd_emit *emit, const LLVMValueRef *masks, unsigned count,
                            LLVMTypeRef type)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef all = simd_int(type, 0);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef bits = LLVMBuildZExt(b, simd_bits(emit, masks[i]), type, "");
        bits = LLVMBuildShl(b, bits, simd_int(type, (int64_t)i * emit->lanes), "");
        all = LLVMBuildOr(b, all, bits, "");
    }
    return all;
}

/* The scalar of a splat; NULL: the mask is not a splat. */
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

static LLVMValueRef one_for_all(struct simd_emit *emit, LLVMValueRef mask, unsigned depth)
{
    if (mask == emit->full || mask == emit->none) {
        return LLVMConstInt(emit->lower->types.i1, mask == emit->full, 0);
    }
    if (LLVMIsAInstruction(mask) == NULL || depth == 0) {
        return NULL;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(mask);
    bool is_select = opcode == LLVMSelect;
    if (!is_select && opcode != LLVMAnd && opcode != LLVMOr && opcode != LLVMXor) {
        return splatted(mask);
    }
    LLVMValueRef operands[3];
    for (unsigned i = 0; i < (is_select ? 3 : 2); i++) {
        operands[i] = one_for_all(emit, LLVMGetOperand(mask, i), depth - 1);
        if (operands[i] == NULL) {
            return NULL;
        }
    }
    return is_select ? LLVMBuildSelect(emit->builder, operands[0], operands[1], operands[2], "")
                     : LLVMBuildBinOp(emit->builder, opcode, operands[0], operands[1], "");
}

LLVMValueRef simd_one_for_all(struct simd_emit *emit, LLVMValueRef mask)
{
    enum { MOST_DEPTH = 6 };
    return one_for_all(emit, mask, MOST_DEPTH);
}

LLVMValueRef simd_any_in(struct simd_emit *emit, LLVMValueRef mask)
{
    LLVMValueRef none = LLVMConstNull(emit->types.bits);
    return LLVMBuildICmp(emit->builder, LLVMIntNE, simd_bits(emit, mask), none, "any");
}

LLVMValueRef simd_any(struct simd_emit *emit, const LLVMValueRef *mask)
{
    LLVMValueRef all = mask[0];
    for (unsigned u = 1; u < emit->vectors; u++) {
        all = LLVMBuildOr(emit->builder, all, mask[u], "");
    }
    return simd_any_in(emit, all);
}

LLVMValueRef simd_any_for(struct simd_emit *emit, const LLVMValueRef *mask,
                          const struct simd_shape *shape, unsigned vector)
{
    if (shape->kind <= SHAPE_UNIFORM) {
        return simd_any(emit, mask);
    }
    LLVMValueRef all = mask[vector];
    unsigned count = shape->kind == SHAPE_WARP ? SIMD_WARP / emit->lanes : 1;
    for (unsigned i = 0; count > 1 && i < count; i++) {
        LLVMValueRef other = mask[vector / count * count + i];
        all = i == 0 ? other : LLVMBuildOr(emit->builder, all, other, "");
    }
    return simd_any_in(emit, all);
}

LLVMValueRef simd_all(struct simd_emit *emit, const LLVMValueRef *mask)
{
    LLVMValueRef all = mask[0];
    for (unsigned u = 1; u < emit->vectors; u++) {
        all = LLVMBuildAnd(emit->builder, all, mask[u], "");
    }
    LLVMValueRef ones = LLVMConstAllOnes(emit->types.bits);
    return LLVMBuildICmp(emit->builder, LLVMIntEQ, simd_bits(emit, all), ones, "all");
}

/* A select, since the condition may be poison in an inactive lane. */
LLVMValueRef simd_and(struct simd_emit *emit, LLVMValueRef mask, LLVMValueRef condition)
{
    if (mask == emit->full) {
        return condition;
    }
    return LLVMBuildSelect(emit->builder, mask, condition, emit->none, "");
}

LLVMValueRef simd_both(struct simd_emit *emit, LLVMValueRef first, LLVMValueRef second)
{
    return LLVMBuildSelect(emit->builder, first, second, simd_int(emit->lower->types.i1, 0), "");
}

/* ---- values ---- */

unsigned simd_distinct_vectors(const struct simd_emit *emit, const struct simd_shape *shape)
{
    return shape->kind <= SHAPE_UNIFORM ? 1 : emit->vectors;
}

struct simd_value simd_varying(void)
{
    return (struct simd_value){.shape = &simd_varying_shape};
}

bool simd_value_is_uniform(const struct simd_value *value)
{
    return value->shape->kind <= SHAPE_UNIFORM;
}

bool simd_value_is_scalar(const struct simd_value *value)
{
    return value->shape->kind <= SHAPE_VECTOR;
}

bool simd_value_is_flat(const struct simd_value *value)
{
    return simd_is_flat(*value->shape);
}

bool simd_value_is_affine(const struct simd_value *value)
{
    return value->shape->kind == SHAPE_LINEAR;
}

bool simd_value_is_varying(const struct simd_value *value)
{
    return value->shape->kind == SHAPE_VARYING;
}

int64_t simd_value_stride(const struct simd_value *value)
{
    return value->shape->stride;
}

struct simd_value simd_uniform(LLVMValueRef scalar)
{
    return (struct simd_value){
        .shape = &simd_uniform_shape,
        .scalar = {scalar},
        .is_set = true,
    };
}

LLVMValueRef simd_scalar(const struct simd_value *value, unsigned vector)
{
    return value->scalar[simd_value_is_uniform(value) ? 0 : vector];
}

LLVMValueRef simd_vector(struct simd_emit *emit, const struct simd_value *value, unsigned vector)
{
    if (value->vector[vector] != NULL) {
        return value->vector[vector];
    }
    LLVMValueRef scalar = simd_scalar(value, vector);
    if (simd_value_is_scalar(value)) {
        return simd_splat(emit, scalar);
    }
    if (LLVMGetTypeKind(LLVMTypeOf(scalar)) == LLVMPointerTypeKind) {
        LLVMValueRef steps = simd_steps(emit, emit->lower->types.i64, value->shape->stride);
        return LLVMBuildGEP2(emit->builder, emit->lower->types.i8, scalar, &steps, 1, "");
    }
    LLVMValueRef steps = simd_steps(emit, LLVMTypeOf(scalar), value->shape->stride);
    return LLVMBuildAdd(emit->builder, simd_splat(emit, scalar), steps, "");
}

LLVMValueRef *simd_part(struct simd_value *value, unsigned vector)
{
    return simd_value_is_varying(value) ? &value->vector[vector] : &value->scalar[vector];
}

struct simd_value simd_to_shape(struct simd_emit *emit, const struct simd_value *value,
                                const struct simd_shape *shape)
{
    struct simd_value result = {.shape = shape, .is_set = true};
    for (unsigned u = 0; u < simd_distinct_vectors(emit, shape); u++) {
        *simd_part(&result, u) =
            shape->kind == SHAPE_VARYING ? simd_vector(emit, value, u) : simd_scalar(value, u);
    }
    return result;
}

LLVMValueRef simd_lanes_of_part(struct simd_emit *emit, const LLVMValueRef *mask,
                                const struct simd_shape *shape, unsigned vector)
{
    if (shape->kind == SHAPE_VARYING) {
        return mask[vector];
    }
    return simd_any_for(emit, mask, shape, vector);
}

struct simd_value simd_select(struct simd_emit *emit, const LLVMValueRef *mask,
                              const struct simd_value *then, const struct simd_value *otherwise,
                              const struct simd_shape *shape)
{
    struct simd_value a = simd_to_shape(emit, then, shape);
    struct simd_value b = simd_to_shape(emit, otherwise, shape);
    struct simd_value result = {.shape = shape, .is_set = true};
    for (unsigned u = 0; u < simd_distinct_vectors(emit, shape); u++) {
        LLVMValueRef condition = simd_lanes_of_part(emit, mask, shape, u);
        *simd_part(&result, u) =
            LLVMBuildSelect(emit->builder, condition, *simd_part(&a, u), *simd_part(&b, u), "");
    }
    return result;
}

LLVMTypeRef simd_part_type(const struct simd_emit *emit, LLVMTypeRef type,
                           const struct simd_shape *shape)
{
    return shape->kind == SHAPE_VARYING ? simd_vector_type(emit, type) : type;
}

struct simd_value simd_poison(struct simd_emit *emit, LLVMTypeRef type,
                              const struct simd_shape *shape)
{
    struct simd_value result = {.shape = shape, .is_set = true};
    for (unsigned u = 0; u < simd_distinct_vectors(emit, shape); u++) {
        *simd_part(&result, u) = LLVMGetPoison(simd_part_type(emit, type, shape));
    }
    return result;
}

struct simd_value simd_phi(struct simd_emit *emit, LLVMTypeRef type, const struct simd_shape *shape)
{
    struct simd_value result = {.shape = shape, .is_set = true};
    for (unsigned u = 0; u < simd_distinct_vectors(emit, shape); u++) {
        *simd_part(&result, u) = LLVMBuildPhi(emit->builder, simd_part_type(emit, type, shape), "");
    }
    return result;
}

void simd_add_incoming(struct simd_emit *emit, struct simd_value *phi,
                       const struct simd_value *value, LLVMBasicBlockRef from)
{
    struct simd_value copy = *value;
    for (unsigned u = 0; u < simd_distinct_vectors(emit, phi->shape); u++) {
        LLVMAddIncoming(*simd_part(phi, u), simd_part(&copy, u), &from, 1);
    }
}

bool simd_is_in_variable(const struct simd_emit *emit, int number)
{
    return emit->scope.version != NULL && emit->scope.region->promoted[number];
}

struct simd_value simd_get(struct simd_emit *emit, LLVMValueRef value)
{
    int number = simd_number(emit->kernel, value);
    if (number < 0) {
        return simd_uniform(value);
    }
    if (simd_is_in_variable(emit, number)) {
        return simd_load_promoted(emit, number);
    }
    assert(emit->scope.values[number].is_set);
    return emit->scope.values[number];
}

void simd_set(struct simd_emit *emit, LLVMValueRef value, struct simd_value result)
{
    int number = simd_number(emit->kernel, value);
    result.is_set = true;
    emit->scope.values[number] = result;
    if (simd_is_in_variable(emit, number)) {
        simd_save_promoted(emit, number, false);
    }
    if (emit->plan->has_slot[number]) {
        simd_save_slot(emit, number);
    }
}

LLVMValueRef simd_array(struct simd_emit *emit, LLVMTypeRef element, LLVMValueRef count,
                        const char *name)
{
    if (LLVMIsAConstantInt(count) != NULL) { /* as one type, which the optimizer splits */
        LLVMTypeRef type = LLVMArrayType2(element, LLVMConstIntGetZExtValue(count));
        return simd_alloca(emit, type, 64, name);
    }
    LLVMValueRef result = LLVMBuildArrayAlloca(emit->allocas, element, count, name);
    LLVMSetAlignment(result, 64);
    return result;
}

LLVMValueRef simd_alloca(struct simd_emit *emit, LLVMTypeRef type, unsigned align, const char *name)
{
    LLVMValueRef result = LLVMBuildAlloca(emit->allocas, type, name);
    LLVMSetAlignment(result, align);
    return result;
}

LLVMValueRef simd_round_up(struct simd_emit *emit, LLVMValueRef value, unsigned to)
{
    LLVMTypeRef i32 = emit->lower->types.i32;
    LLVMValueRef more = LLVMBuildNUWAdd(emit->builder, value, simd_int(i32, to - 1), "");
    LLVMValueRef multiples = LLVMBuildUDiv(emit->builder, more, simd_int(i32, to), "");
    return LLVMBuildNUWMul(emit->builder, multiples, simd_int(i32, to), "");
}

/* ---- if and else ---- */

struct simd_diamond simd_begin_if(struct simd_emit *emit, LLVMValueRef test, bool is_likely)
{
    LLVMBasicBlockRef first = simd_new(emit, "holds");
    struct simd_diamond diamond = {.second = simd_new(emit, "otherwise"),
                                   .join = simd_new(emit, "done")};
    LLVMValueRef branch = LLVMBuildCondBr(emit->builder, test, first, diamond.second);
    if (is_likely) {
        simd_mark_likely(emit->lower, branch);
    }
    simd_at(emit, first);
    return diamond;
}

void simd_begin_else(struct simd_emit *emit, struct simd_diamond *diamond, LLVMValueRef value)
{
    diamond->value = value;
    diamond->from = simd_here(emit);
    LLVMBuildBr(emit->builder, diamond->join);
    simd_at(emit, diamond->second);
}

LLVMValueRef simd_end_if(struct simd_emit *emit, const struct simd_diamond *diamond,
                         LLVMValueRef value)
{
    LLVMBasicBlockRef from[] = {diamond->from, simd_here(emit)};
    LLVMBuildBr(emit->builder, diamond->join);
    simd_at(emit, diamond->join);
    if (value == NULL) {
        return NULL;
    }
    LLVMValueRef phi = LLVMBuildPhi(emit->builder, LLVMTypeOf(value), "");
    LLVMValueRef values[] = {diamond->value, value};
    LLVMAddIncoming(phi, values, from, 2);
    return phi;
}

struct simd_value simd_end_if_vectors(struct simd_emit *emit, const struct simd_diamond *diamond,
                                      const struct simd_value *first,
                                      const struct simd_value *second)
{
    struct simd_value result = simd_varying();
    LLVMBasicBlockRef from[] = {diamond->from, simd_here(emit)};
    simd_end_if(emit, diamond, NULL);
    for (unsigned u = 0; u < emit->vectors; u++) {
        LLVMValueRef values[] = {first->vector[u], second->vector[u]};
        result.vector[u] = LLVMBuildPhi(emit->builder, LLVMTypeOf(values[0]), "");
        LLVMAddIncoming(result.vector[u], values, from, 2);
    }
    return result;
}

void simd_end_if_without_else(struct simd_emit *emit, struct simd_diamond *diamond)
{
    simd_begin_else(emit, diamond, NULL);
    simd_end_if(emit, diamond, NULL);
}
