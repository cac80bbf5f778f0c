/* Emission of one instruction for all lanes. */
#ifndef CDPCC_SIMD_EMIT_INSTRUCTION_H
#define CDPCC_SIMD_EMIT_INSTRUCTION_H
#include <llvm-c/Types.h>
#include "simd/analysis/facts.h"

struct simd_emit;
struct simd_value;

/* i1: nothing wraps, as signed or unsigned, between a value and the value that is `span` away. */
LLVMValueRef simd_test_span(struct simd_emit *emit, enum simd_test test, LLVMValueRef lane0,
                            int64_t span);
/* i1: the lanes' values follow lane 0's without a wrap between them. */
LLVMValueRef simd_test(struct simd_emit *emit, LLVMValueRef instruction, enum simd_test test,
                       const struct simd_value *operand, unsigned vector);
/* Arithmetic: by scalars, with tests if the shape needs them; else by vectors. */
void simd_compute_instruction(struct simd_emit *emit, LLVMValueRef instruction);
/* emit->mask must be that of the instruction's node. */
void simd_instruction(struct simd_emit *emit, LLVMValueRef instruction);
/* Inserts a clone of the kernel's instruction, without metadata that holds for one thread but not
 * for all, such as that pointers do not alias. */
void simd_insert_clone(struct simd_emit *emit, LLVMValueRef source, LLVMValueRef clone);
/* A clone for lane 0 of the vector. */
LLVMValueRef simd_clone(struct simd_emit *emit, LLVMValueRef instruction,
                        const struct simd_value *operands, unsigned vector);
/* A clone with these operands. */
LLVMValueRef simd_clone_scalar(struct simd_emit *emit, LLVMValueRef instruction,
                               const LLVMValueRef *operands);

#endif
