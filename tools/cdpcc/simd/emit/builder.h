/* Values of a chunk and what all emission needs. */
#ifndef CDPCC_SIMD_EMIT_BUILDER_H
#define CDPCC_SIMD_EMIT_BUILDER_H
#include <llvm-c/Types.h>
#include "simd/analysis/shape.h"
#include "simd/emit/emit.h"

LLVMValueRef simd_int(LLVMTypeRef type, int64_t value);
LLVMBasicBlockRef simd_new(struct simd_emit *emit, const char *name);
void simd_at(struct simd_emit *emit, LLVMBasicBlockRef at);
LLVMBasicBlockRef simd_here(struct simd_emit *emit);
LLVMTypeRef simd_vector_type(const struct simd_emit *emit, LLVMTypeRef element);
LLVMValueRef simd_splat_constant(const struct simd_emit *emit, LLVMValueRef constant);
LLVMValueRef simd_splat(struct simd_emit *emit, LLVMValueRef scalar);
LLVMValueRef simd_steps(const struct simd_emit *emit, LLVMTypeRef type, int64_t stride);
LLVMValueRef simd_intrinsic(struct simd_emit *emit, const char *name, LLVMTypeRef *types,
                            unsigned type_count, LLVMValueRef *arguments, unsigned count);
/* To a multiple. */
LLVMValueRef simd_round_up(struct simd_emit *emit, LLVMValueRef value, unsigned to);
bool simd_is_full(const struct simd_emit *emit, const LLVMValueRef *mask);
LLVMValueRef simd_bits(struct simd_emit *emit, LLVMValueRef mask);
/* i1: what all lanes of the mask are; NULL: they may differ. */
LLVMValueRef simd_one_for_all(struct simd_emit *emit, LLVMValueRef mask);
LLVMValueRef simd_any_in(struct simd_emit *emit, LLVMValueRef mask);
LLVMValueRef simd_any(struct simd_emit *emit, const LLVMValueRef *mask);
LLVMValueRef simd_all(struct simd_emit *emit, const LLVMValueRef *mask);
/* Any of the lanes that the vector's part of a value of the shape serves. */
LLVMValueRef simd_any_for(struct simd_emit *emit, const LLVMValueRef *mask, struct simd_shape shape,
                          unsigned vector);
LLVMValueRef simd_and(struct simd_emit *emit, LLVMValueRef mask, LLVMValueRef condition);
/* i1: the second test, which may be poison where the first one does not hold. */
LLVMValueRef simd_both(struct simd_emit *emit, LLVMValueRef first, LLVMValueRef second);
/* How many of a value's vectors differ: one for uniform values. */
unsigned simd_parts(const struct simd_emit *emit, struct simd_shape shape);
struct simd_value simd_uniform(LLVMValueRef scalar);
LLVMValueRef simd_scalar(const struct simd_value *value, unsigned vector);
LLVMValueRef simd_vector(struct simd_emit *emit, const struct simd_value *value, unsigned vector);
/* The same value with the weaker shape. */
struct simd_value simd_to_shape(struct simd_emit *emit, const struct simd_value *value,
                                struct simd_shape shape);
/* Where mask: then; else: otherwise; all three of the shape. */
struct simd_value simd_select(struct simd_emit *emit, const LLVMValueRef *mask,
                              const struct simd_value *then, const struct simd_value *otherwise,
                              struct simd_shape shape);
struct simd_value simd_poison(struct simd_emit *emit, LLVMTypeRef type, struct simd_shape shape);
/* Phis of the shape, without incoming values; and one way in for them. */
struct simd_value simd_phi(struct simd_emit *emit, LLVMTypeRef type, struct simd_shape shape);
void simd_add_incoming(struct simd_emit *emit, struct simd_value *phi,
                       const struct simd_value *value, LLVMBasicBlockRef from);
struct simd_value simd_get(struct simd_emit *emit, LLVMValueRef value);
void simd_set(struct simd_emit *emit, LLVMValueRef value, struct simd_value result);
/* count elements, aligned for vectors. */
LLVMValueRef simd_array(struct simd_emit *emit, LLVMTypeRef element, LLVMValueRef count,
                        const char *name);
LLVMValueRef simd_alloca(struct simd_emit *emit, LLVMTypeRef type, unsigned align,
                         const char *name);

/* Two ways that meet again: the builder is in the first, then in the second, then behind both.
 * Values: one of each way, or NULL. */
struct simd_ways {
    LLVMBasicBlockRef second, join, from;
    LLVMValueRef value; /* of the first way */
};
struct simd_ways simd_part_ways(struct simd_emit *emit, LLVMValueRef test, bool is_likely);
void simd_other_way(struct simd_emit *emit, struct simd_ways *ways, LLVMValueRef value);
LLVMValueRef simd_meet(struct simd_emit *emit, const struct simd_ways *ways, LLVMValueRef value);
/* The second way is empty. */
void simd_or_nothing(struct simd_emit *emit, struct simd_ways *ways);

#endif
