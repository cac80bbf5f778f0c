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

#endif
