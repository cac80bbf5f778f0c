/* Which instructions LLVM has on vectors. */
#ifndef CDPCC_SIMD_IR_OPCODES_H
#define CDPCC_SIMD_IR_OPCODES_H
#include <llvm-c/Core.h>
#include <stdbool.h>

bool simd_is_cast(LLVMOpcode opcode);
/* LLVM has the instruction on vectors. */
bool simd_has_vector_form(LLVMValueRef instruction);

#endif
