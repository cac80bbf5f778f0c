/* What runs lane by lane. */
#ifndef CDPCC_SIMD_EMIT_SCALARIZE_H
#define CDPCC_SIMD_EMIT_SCALARIZE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_value;

/* Runs the instruction once for each lane that is on. */
void block_each_lane(struct block_emit *emit, LLVMValueRef instruction);
void block_call(struct block_emit *emit, LLVMValueRef call);
/* An array with the value of each lane, for a loop over them; used counts the arrays that the
 * loop has. */
LLVMValueRef block_keep_lanes(struct block_emit *emit, const struct block_value *value,
                              LLVMTypeRef type, size_t *used);
LLVMValueRef block_kept_lane(struct block_emit *emit, LLVMValueRef array, LLVMTypeRef type,
                             LLVMValueRef lane /* i64, in the chunk */);

#endif
