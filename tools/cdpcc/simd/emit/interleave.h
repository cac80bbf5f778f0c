/* Emission of interleave groups. */
#ifndef CDPCC_SIMD_EMIT_INTERLEAVE_H
#define CDPCC_SIMD_EMIT_INTERLEAVE_H
#include <llvm-c/Types.h>

struct simd_emit;
struct simd_group;
struct simd_structure;
struct simd_value;

/* The field that the load reads, of whole structures. What is read is kept for the loads that have
 * this one as their reader. */
struct simd_value simd_load_field(struct simd_emit *emit, LLVMValueRef load,
                                  const struct simd_group *group);
/* Later loads do not use what the load has read: it is another emission's, or is only available in
 * code that not always runs. */
void simd_forget_read(struct simd_emit *emit, LLVMValueRef load);
/* All fields, where the last of the group's stores is. */
void simd_store_structures(struct simd_emit *emit, const struct simd_group *group);
/* The alignment, in bytes, of any field of the structures that the load or store accesses. */
unsigned simd_field_align(const struct simd_structure *layout, LLVMValueRef access);

#endif
