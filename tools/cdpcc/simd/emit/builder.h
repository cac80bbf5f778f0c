/* Values of a chunk and what all emission needs. */
#ifndef CDPCC_SIMD_EMIT_BUILDER_H
#define CDPCC_SIMD_EMIT_BUILDER_H
#include "simd/analysis/shape.h"
#include "simd/emit/emit.h"

LLVMValueRef block_int(LLVMTypeRef type, int64_t value);
LLVMBasicBlockRef block_new(struct block_emit *emit, const char *name);
void block_at(struct block_emit *emit, LLVMBasicBlockRef at);
LLVMBasicBlockRef block_here(struct block_emit *emit);
void block_fail(struct block_emit *emit, LLVMValueRef where, const char *why);
LLVMTypeRef block_vector_type(const struct block_emit *emit, LLVMTypeRef element);
LLVMValueRef block_splat_constant(const struct block_emit *emit, LLVMValueRef constant);
LLVMValueRef block_splat(struct block_emit *emit, LLVMValueRef scalar);
LLVMValueRef block_steps(const struct block_emit *emit, LLVMTypeRef type, int64_t stride);
LLVMValueRef block_intrinsic(struct block_emit *emit, const char *name, LLVMTypeRef *types,
                             unsigned type_count, LLVMValueRef *arguments, unsigned count);
/* To a multiple. */
LLVMValueRef block_round_up(struct block_emit *emit, LLVMValueRef value, unsigned to);
bool block_is_full(const struct block_emit *emit, const LLVMValueRef *mask);
LLVMValueRef block_bits(struct block_emit *emit, LLVMValueRef mask);
/* i1: what all lanes of the mask are; NULL: they may differ. */
LLVMValueRef block_one_for_all(struct block_emit *emit, LLVMValueRef mask);
LLVMValueRef block_any_in(struct block_emit *emit, LLVMValueRef mask);
LLVMValueRef block_any(struct block_emit *emit, const LLVMValueRef *mask);
LLVMValueRef block_all(struct block_emit *emit, const LLVMValueRef *mask);
/* Any of the lanes that the vector's part of a value of the shape serves. */
LLVMValueRef block_any_for(struct block_emit *emit, const LLVMValueRef *mask,
                           struct block_shape shape, unsigned vector);
LLVMValueRef block_and(struct block_emit *emit, LLVMValueRef mask, LLVMValueRef condition);
/* i1: the second test, which may be poison where the first one does not hold. */
LLVMValueRef block_both(struct block_emit *emit, LLVMValueRef first, LLVMValueRef second);
/* How many of a value's vectors differ: one for uniform values. */
unsigned block_parts(const struct block_emit *emit, struct block_shape shape);
struct block_value block_uniform(LLVMValueRef scalar);
LLVMValueRef block_scalar(const struct block_value *value, unsigned vector);
LLVMValueRef block_vector(struct block_emit *emit, const struct block_value *value,
                          unsigned vector);
/* The same value with the weaker shape. */
struct block_value block_to_shape(struct block_emit *emit, const struct block_value *value,
                                  struct block_shape shape);
/* Where mask: then; else: otherwise; all three of the shape. */
struct block_value block_select(struct block_emit *emit, const LLVMValueRef *mask,
                                const struct block_value *then, const struct block_value *otherwise,
                                struct block_shape shape);
struct block_value block_poison(struct block_emit *emit, LLVMTypeRef type,
                                struct block_shape shape);
/* Phis of the shape, without incoming values; and one way in for them. */
struct block_value block_phi(struct block_emit *emit, LLVMTypeRef type, struct block_shape shape);
void block_add_incoming(struct block_emit *emit, struct block_value *phi,
                        const struct block_value *value, LLVMBasicBlockRef from);
struct block_value block_get(struct block_emit *emit, LLVMValueRef value);
/* Whether block_get has it without a load and cannot fail, for what may as well be left out. */
bool block_is_at_hand(const struct block_emit *emit, LLVMValueRef value);
/* Likewise, or in memory: for what is computed from it where something else that is, is used. */
bool block_is_known(const struct block_emit *emit, LLVMValueRef value);
/* The same for each vector; or one more from lane to lane. */
bool block_is_known_uniform(const struct block_emit *emit, LLVMValueRef value);
bool block_is_known_line(const struct block_emit *emit, LLVMValueRef value);
void block_set(struct block_emit *emit, LLVMValueRef value, struct block_value made);
/* count elements, aligned for vectors. */
LLVMValueRef block_array(struct block_emit *emit, LLVMTypeRef element, LLVMValueRef count,
                         const char *name);
LLVMValueRef block_alloca(struct block_emit *emit, LLVMTypeRef type, unsigned align,
                          const char *name);

/* Two ways that meet again: the builder is in the first, then in the second, then behind both.
 * Values: one of each way, or NULL. */
struct block_ways {
    LLVMBasicBlockRef second, join, from;
    LLVMValueRef value; /* of the first way */
};
struct block_ways block_part_ways(struct block_emit *emit, LLVMValueRef test, bool is_likely);
void block_other_way(struct block_emit *emit, struct block_ways *ways, LLVMValueRef value);
LLVMValueRef block_meet(struct block_emit *emit, const struct block_ways *ways, LLVMValueRef value);
/* The second way is empty. */
void block_or_nothing(struct block_emit *emit, struct block_ways *ways);

#endif
