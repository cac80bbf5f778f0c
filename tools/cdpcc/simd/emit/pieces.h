/* Interleave groups that are transposed. */
#ifndef CDPCC_SIMD_EMIT_PIECES_H
#define CDPCC_SIMD_EMIT_PIECES_H
#include <llvm-c/Types.h>

struct simd_emit;
struct simd_group;
struct simd_value;

/* The field that the load reads. *read: the vectors that an earlier load has read; NULL: it is set
 * to what this one reads. */
struct simd_value simd_load_by_pieces(struct simd_emit *emit, LLVMValueRef load,
                                      const struct simd_group *group, LLVMValueRef **read);
/* All fields of one vector. `at` is the address of the group's first store. */
void simd_store_by_pieces(struct simd_emit *emit, const struct simd_group *group,
                          const struct simd_value *at, unsigned vector);

#endif
