/* Emission of interleave groups. */
#ifndef CDPCC_SIMD_EMIT_INTERLEAVE_H
#define CDPCC_SIMD_EMIT_INTERLEAVE_H
#include <llvm-c/Types.h>

struct simd_emit;
struct simd_group;
struct simd_structure;
struct simd_value;

/* The field that the load reads, of whole structures. */
struct simd_value simd_load_field(struct simd_emit *emit, LLVMValueRef load,
                                  const struct simd_group *group);
/* All fields, where the last of the group's stores is. */
void simd_store_structures(struct simd_emit *emit, const struct simd_group *group);
/* The alignment, in bytes, of any field of the structures that the load or store accesses. */
unsigned simd_field_align(const struct simd_structure *layout, LLVMValueRef access);

#endif
