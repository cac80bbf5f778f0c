/* Emission of values that live across barriers: slots, variables of promoted live-ins, and
 * recomputed values.
 *
 * The layout of slots, for 4 lanes and 12 threads:
 *
 *     uniform   u                              one element
 *     vector    v0 v1 v2                       one element for each vector
 *     varying   t0 t1 t2 t3 | t4 ... | t8 ...  one element for each lane, loaded as vectors
 *
 * A promoted live-in has variables in place of SSA values: LLVM's mem2reg makes phis of them.
 * Bools are stored in slots as bytes. */
#include "simd/emit/slots.h"

#include "ir/context.h"
#include "simd/analysis/facts.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/instruction.h"
#include "simd/ir/numbers.h"
#include "simd/ir/values.h"

/* Operands come first; what is set already is not computed again. */
void simd_recompute(struct simd_emit *emit, LLVMValueRef value)
{
    int number = simd_number(emit->kernel, value);
    if (number < 0 || emit->scope.values[number].is_set) {
        return;
    }
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    for (unsigned i = 0; i < count; i++) {
        simd_recompute(emit, LLVMGetOperand(value, i));
    }
    simd_instruction(emit, value);
}

static LLVMTypeRef type_of(const struct simd_emit *emit, int number)
{
    return LLVMTypeOf(simd_value_at(emit->kernel, (size_t)number));
}

/* A vector of i1 would be packed in memory. */
static LLVMTypeRef stored_type(const struct simd_emit *emit, int number)
{
    LLVMTypeRef type = type_of(emit, number);
    bool is_odd = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 8;
    return is_odd ? emit->lower->types.i8 : type;
}

static const struct simd_shape *shape_of(const struct simd_emit *emit, int number)
{
    return &simd_facts_of(emit->kernel)->shapes[number];
}

/* The type of what is loaded and stored at once. */
static LLVMTypeRef part_type(const struct simd_emit *emit, int number, LLVMTypeRef type)
{
    return simd_part_type(emit, type, shape_of(emit, number));
}

void simd_make_slot(struct simd_emit *emit, int number)
{
    const struct simd_shape *shape = shape_of(emit, number);
    LLVMTypeRef type = stored_type(emit, number);
    if (shape->kind <= SHAPE_UNIFORM) {
        emit->memory.slots[number] = simd_alloca(emit, type, 16, "slot");
        return;
    }
    LLVMValueRef count = emit->launch.padded_count;
    emit->memory.slots[number] = simd_array(emit, type, count, "slot");
}

/* i64: the number of the chunk's vector in the block. */
static LLVMValueRef vector_index(struct simd_emit *emit, unsigned vector)
{
    return LLVMBuildUDiv(emit->builder, emit->chunk.first64[vector],
                         simd_int(emit->lower->types.i64, emit->lanes), "");
}

LLVMValueRef simd_alive_at(struct simd_emit *emit, unsigned vector)
{
    LLVMTypeRef i16 = LLVMInt16TypeInContext(emit->lower->llvm);
    LLVMValueRef index = vector_index(emit, vector);
    return LLVMBuildInBoundsGEP2(emit->builder, i16, emit->memory.alive, &index, 1, "");
}

/* The address of a slot's element.  Vectors and threads have the same layout: little memory is
 * wasted. */
static LLVMValueRef slot_at(struct simd_emit *emit, int number, unsigned vector)
{
    const struct simd_shape *shape = shape_of(emit, number);
    if (shape->kind <= SHAPE_UNIFORM) {
        return emit->memory.slots[number];
    }
    LLVMValueRef index =
        shape->kind == SHAPE_VARYING ? emit->chunk.first64[vector] : vector_index(emit, vector);
    return LLVMBuildInBoundsGEP2(emit->builder, stored_type(emit, number),
                                 emit->memory.slots[number], &index, 1, "");
}

static LLVMValueRef load_vector(struct simd_emit *emit, int number, unsigned vector)
{
    LLVMTypeRef type = type_of(emit, number), stored = stored_type(emit, number);
    LLVMValueRef value = LLVMBuildLoad2(emit->builder, part_type(emit, number, stored),
                                        slot_at(emit, number, vector), "");
    LLVMSetAlignment(value, LLVMABIAlignmentOfType(emit->lower->layout, stored));
    return stored == type ? value
                          : LLVMBuildTrunc(emit->builder, value, part_type(emit, number, type), "");
}

/* Inactive lanes keep their old values. */
static LLVMValueRef merged(struct simd_emit *emit, const struct simd_shape *shape, unsigned vector,
                           LLVMValueRef now, LLVMValueRef before)
{
    LLVMValueRef on = simd_lanes_of_part(emit, emit->mask, shape, vector);
    return LLVMBuildSelect(emit->builder, on, now, before, "");
}

/* The value's part in the shape of its memory, which may be weaker than its own. */
static LLVMValueRef part_of(struct simd_emit *emit, int number, unsigned vector)
{
    const struct simd_value *value = &emit->scope.values[number];
    return shape_of(emit, number)->kind == SHAPE_VARYING ? simd_vector(emit, value, vector)
                                                         : simd_scalar(value, vector);
}

/* Called for each definition of the value, so the slot always has the latest one. */
void simd_save_slot(struct simd_emit *emit, int number)
{
    const struct simd_shape *shape = shape_of(emit, number);
    LLVMTypeRef stored = stored_type(emit, number);
    for (unsigned u = 0; u < simd_distinct_vectors(emit, shape); u++) {
        LLVMValueRef value = part_of(emit, number, u);
        if (emit->mask != NULL) {
            value = merged(emit, shape, u, value, load_vector(emit, number, u));
        }
        if (stored != type_of(emit, number)) {
            value = LLVMBuildZExt(emit->builder, value, part_type(emit, number, stored), "");
        }
        LLVMValueRef store = LLVMBuildStore(emit->builder, value, slot_at(emit, number, u));
        LLVMSetAlignment(store, LLVMABIAlignmentOfType(emit->lower->layout, stored));
    }
}

void simd_load_slot(struct simd_emit *emit, int number)
{
    const struct simd_shape *shape = shape_of(emit, number);
    struct simd_value result = {.shape = shape, .is_set = true};
    for (unsigned u = 0; u < simd_distinct_vectors(emit, shape); u++) {
        LLVMValueRef value = load_vector(emit, number, u);
        *simd_part(&result, u) = value;
    }
    emit->scope.values[number] = result;
}

static LLVMValueRef variable(struct simd_emit *emit, int number, unsigned vector)
{
    LLVMValueRef *result = &emit->memory.variables[number][vector];
    if (*result == NULL) {
        LLVMTypeRef type = type_of(emit, number);
        *result = simd_alloca(emit, part_type(emit, number, type), 64, "promoted");
    }
    return *result;
}

void simd_save_promoted(struct simd_emit *emit, int number, bool is_first)
{
    const struct simd_shape *shape = shape_of(emit, number);
    for (unsigned u = 0; u < simd_distinct_vectors(emit, shape); u++) {
        LLVMValueRef value = part_of(emit, number, u);
        LLVMValueRef at = variable(emit, number, u);
        if (emit->mask != NULL && !is_first) {
            LLVMValueRef before = LLVMBuildLoad2(emit->builder, LLVMTypeOf(value), at, "");
            value = merged(emit, shape, u, value, before);
        }
        LLVMBuildStore(emit->builder, value, at);
    }
}

struct simd_value simd_load_promoted(struct simd_emit *emit, int number)
{
    const struct simd_shape *shape = shape_of(emit, number);
    LLVMTypeRef type = part_type(emit, number, type_of(emit, number));
    struct simd_value result = {.shape = shape, .is_set = true};
    for (unsigned u = 0; u < simd_distinct_vectors(emit, shape); u++) {
        LLVMValueRef value = LLVMBuildLoad2(emit->builder, type, variable(emit, number, u), "");
        *simd_part(&result, u) = value;
    }
    return result;
}
