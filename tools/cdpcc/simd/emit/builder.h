/* Values of a chunk, and builder functions that all emission uses. */
#ifndef CDPCC_SIMD_EMIT_BUILDER_H
#define CDPCC_SIMD_EMIT_BUILDER_H
#include <llvm-c/Types.h>
#include "simd/emit/emit.h"

/* The constant is sign-extended to the type. */
LLVMValueRef simd_int(LLVMTypeRef type, int64_t value);
/* A new block at the function's end. simd_at() puts the builder at a block's end; simd_here() is
 * the block that the builder is in. */
LLVMBasicBlockRef simd_new(struct simd_emit *emit, const char *name);
void simd_at(struct simd_emit *emit, LLVMBasicBlockRef at);
LLVMBasicBlockRef simd_here(struct simd_emit *emit);
LLVMTypeRef simd_vector_type(const struct simd_emit *emit, LLVMTypeRef element);
/* The value in all lanes. simd_splat() also takes constants. */
LLVMValueRef simd_splat_constant(const struct simd_emit *emit, LLVMValueRef constant);
LLVMValueRef simd_splat(struct simd_emit *emit, LLVMValueRef scalar);
/* The constant vector 0, stride, 2 * stride, ... */
LLVMValueRef simd_steps(const struct simd_emit *emit, LLVMTypeRef type, int64_t stride);
LLVMValueRef simd_intrinsic(struct simd_emit *emit, const char *name, LLVMTypeRef *types,
                            unsigned type_count, LLVMValueRef *arguments, unsigned count);
/* Rounds up to a multiple. */
LLVMValueRef simd_round_up(struct simd_emit *emit, LLVMValueRef value, unsigned to);
/* The mask is the constant "all lanes", in each vector; NULL counts as such. */
bool simd_is_full(const struct simd_emit *emit, const LLVMValueRef *mask);
/* The mask as an integer with one bit for each lane; lane 0 is the lowest one. */
LLVMValueRef simd_bits(struct simd_emit *emit, LLVMValueRef mask);
/* The bits of several masks as one integer of the type; the first mask has the lowest ones. */
LLVMValueRef simd_join_bits(struct simd_emit *emit, const LLVMValueRef *masks, unsigned count,
                            LLVMTypeRef type);
/* Sets the mask to the value in each vector. */
void simd_fill_mask(const struct simd_emit *emit, LLVMValueRef *mask, LLVMValueRef value);
/* i1: the value that all lanes of the mask have; NULL: they may differ. */
LLVMValueRef simd_one_for_all(struct simd_emit *emit, LLVMValueRef mask);
/* i1: any lane of this vector is active. simd_any() tests this for all vectors. simd_all() tests
 * whether all lanes of all vectors are active. */
LLVMValueRef simd_any_in(struct simd_emit *emit, LLVMValueRef mask);
LLVMValueRef simd_any(struct simd_emit *emit, const LLVMValueRef *mask);
LLVMValueRef simd_all(struct simd_emit *emit, const LLVMValueRef *mask);
/* i1: any lane is active among those that use the given vector of a value of this shape. */
LLVMValueRef simd_any_for(struct simd_emit *emit, const LLVMValueRef *mask,
                          const struct simd_shape *shape, unsigned vector);
/* The lanes of the mask for which the condition holds. The condition may be poison in other lanes.
 */
LLVMValueRef simd_and(struct simd_emit *emit, LLVMValueRef mask, LLVMValueRef condition);
/* i1: the first test and the second one.  The second may be poison where the first does not
 * hold. */
LLVMValueRef simd_both(struct simd_emit *emit, LLVMValueRef first, LLVMValueRef second);
/* The number of a value's vectors that may differ: one for uniform values. */
unsigned simd_distinct_vectors(const struct simd_emit *emit, const struct simd_shape *shape);
/* A varying value whose vectors are not set yet. */
struct simd_value simd_varying(void);
/* From the value's shape: one scalar for all lanes; one for each vector; the same if its test
 * holds; lane 0 and a stride; vectors. */
bool simd_value_is_uniform(const struct simd_value *value);
bool simd_value_is_scalar(const struct simd_value *value);
bool simd_value_is_flat(const struct simd_value *value);
bool simd_value_is_affine(const struct simd_value *value);
bool simd_value_is_varying(const struct simd_value *value);
/* From one lane to the next one, of affine values. */
int64_t simd_value_stride(const struct simd_value *value);
/* A value of one scalar for all lanes. */
struct simd_value simd_uniform(LLVMValueRef scalar);
/* Lane 0's value in that vector; the value must not be varying. */
LLVMValueRef simd_scalar(const struct simd_value *value, unsigned vector);
/* The value of all lanes of that vector, built from the scalar if need be. */
LLVMValueRef simd_vector(struct simd_emit *emit, const struct simd_value *value, unsigned vector);
/* What a value of its shape has for a vector: lane 0's value, or a vector of all lanes.  Its type
 * for elements of a type, and the lanes that use it: those of the mask, or i1 if any of them is
 * active. */
LLVMValueRef *simd_part(struct simd_value *value, unsigned vector);
LLVMTypeRef simd_part_type(const struct simd_emit *emit, LLVMTypeRef type,
                           const struct simd_shape *shape);
LLVMValueRef simd_lanes_of_part(struct simd_emit *emit, const LLVMValueRef *mask,
                                const struct simd_shape *shape, unsigned vector);
/* Converts the value to the weaker shape. */
struct simd_value simd_to_shape(struct simd_emit *emit, const struct simd_value *value,
                                const struct simd_shape *shape);
/* `then` where the mask is set, else `otherwise`; all three have the shape. */
struct simd_value simd_select(struct simd_emit *emit, const LLVMValueRef *mask,
                              const struct simd_value *then, const struct simd_value *otherwise,
                              const struct simd_shape *shape);
struct simd_value simd_poison(struct simd_emit *emit, LLVMTypeRef type,
                              const struct simd_shape *shape);
/* A phi of the shape without incoming values, and a function that adds them for one edge. */
struct simd_value simd_phi(struct simd_emit *emit, LLVMTypeRef type,
                           const struct simd_shape *shape);
void simd_add_incoming(struct simd_emit *emit, struct simd_value *phi,
                       const struct simd_value *value, LLVMBasicBlockRef from);
/* The value is a promoted live-in, which has variables inside of versions. */
bool simd_is_in_variable(const struct simd_emit *emit, int number);
/* The value as it is at the builder's position. Values that are no values of the kernel, such as
 * constants, are uniform. */
struct simd_value simd_get(struct simd_emit *emit, LLVMValueRef value);
/* Sets the result of an instruction, and stores it to its slot or variable, if it has one. */
void simd_set(struct simd_emit *emit, LLVMValueRef value, struct simd_value result);
/* An array of count elements, aligned for vectors. */
LLVMValueRef simd_array(struct simd_emit *emit, LLVMTypeRef element, LLVMValueRef count,
                        const char *name);
LLVMValueRef simd_alloca(struct simd_emit *emit, LLVMTypeRef type, unsigned align,
                         const char *name);

/* An if with two sides that join: simd_begin_if() puts the builder in the first side,
 * simd_begin_else() in the second, and simd_end_if() after both.  Each side may have a value, or
 * NULL; simd_end_if() returns their phi. */
struct simd_diamond {
    LLVMBasicBlockRef second, join, from;
    LLVMValueRef value; /* of the first side */
};
struct simd_diamond simd_begin_if(struct simd_emit *emit, LLVMValueRef test, bool is_likely);
void simd_begin_else(struct simd_emit *emit, struct simd_diamond *diamond, LLVMValueRef value);
LLVMValueRef simd_end_if(struct simd_emit *emit, const struct simd_diamond *diamond,
                         LLVMValueRef value);
/* The same for the vectors of a value that each side has.  Returns their phis. */
struct simd_value simd_end_if_vectors(struct simd_emit *emit, const struct simd_diamond *diamond,
                                      const struct simd_value *first,
                                      const struct simd_value *second);
/* Ends an if whose second side is empty. */
void simd_end_if_without_else(struct simd_emit *emit, struct simd_diamond *diamond);

#endif
