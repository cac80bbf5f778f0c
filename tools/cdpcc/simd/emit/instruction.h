/* One instruction for all lanes. */
#ifndef CDPCC_SIMD_EMIT_INSTRUCTION_H
#define CDPCC_SIMD_EMIT_INSTRUCTION_H
#include "simd/analysis/shape.h"

struct block_emit;
struct block_value;

/* i1: nothing wraps, signed or unsigned, between a value and the one that far from it. */
LLVMValueRef block_test_span(struct block_emit *emit, enum block_test test, LLVMValueRef lane0,
                             int64_t span);
/* i1: the lanes' values follow lane 0's without a wrap between them. */
LLVMValueRef block_test(struct block_emit *emit, LLVMValueRef instruction, enum block_test test,
                        const struct block_value *operand, unsigned vector);
void block_instruction(struct block_emit *emit, LLVMValueRef instruction);
/* What holds for one thread need not for all, such as that pointers do not alias. */
void block_drop_metadata(struct block_emit *emit, LLVMValueRef source, LLVMValueRef clone);
/* A clone for lane 0 of the vector. */
LLVMValueRef block_clone(struct block_emit *emit, LLVMValueRef instruction,
                         const struct block_value *operands, unsigned vector);

#endif
