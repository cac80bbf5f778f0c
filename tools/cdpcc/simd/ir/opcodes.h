/* Sets of opcodes. */
#ifndef CDPCC_SIMD_IR_OPCODES_H
#define CDPCC_SIMD_IR_OPCODES_H
#include <llvm-c/Core.h>
#include <stdbool.h>

/* The opcode converts one value to another type. */
bool simd_is_cast(LLVMOpcode opcode);
/* Quotients and remainders of integers; those of signed numbers; and quotients alone. */
bool simd_is_division(LLVMOpcode opcode);
bool simd_is_signed_division(LLVMOpcode opcode);
bool simd_is_quotient(LLVMOpcode opcode);
/* The instruction inverts all bits of its first operand. */
bool simd_is_inversion(LLVMValueRef instruction);
/* Arithmetic of integers and addresses that cannot trap. */
bool simd_is_index_arithmetic(LLVMOpcode opcode);
/* LLVM has the instruction on vectors. */
bool simd_has_vector_form(LLVMValueRef instruction);

#endif
