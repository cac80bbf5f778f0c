/* Builds the nodes and numbers of a kernel, and says what single instructions are. */
#ifndef CDPCC_SIMD_IR_REGION_CFG_H
#define CDPCC_SIMD_IR_REGION_CFG_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_kernel;

/* False if it is too large or has what is no node. */
bool simd_kernel_build(struct simd_kernel *kernel);
/* -1 for constants and what is defined outside. */
int simd_number(const struct simd_kernel *kernel, LLVMValueRef value);
bool simd_is_barrier(LLVMValueRef instruction);
/* What a barrier tells of all threads' predicates. */
enum simd_vote { VOTE_NONE, VOTE_COUNT, VOTE_AND, VOTE_OR };
enum simd_vote simd_vote_of(LLVMValueRef instruction);
const char *simd_callee_name(LLVMValueRef instruction);
/* The address is base plus a constant; base is NULL if unknown. */
LLVMValueRef simd_address_base(LLVMValueRef address, int64_t *offset);
/* Which field of the thread's own context a load reads; -1 = it does not. */
int simd_self_field(LLVMValueRef load);
/* Which field of the block a load reads; -1 = it does not. */
int simd_field(LLVMValueRef load);
bool simd_is_self(LLVMValueRef value);
/* The value the phi has when control comes from the node. */
LLVMValueRef simd_phi_value(const struct simd_kernel *kernel, LLVMValueRef phi, unsigned from);

#endif
