/* Builds the nodes and numbers of a kernel, and says what single instructions are. */
#ifndef CDPCC_SIMD_IR_REGION_CFG_H
#define CDPCC_SIMD_IR_REGION_CFG_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_kernel;

/* False if it is too large or has what is no node. */
bool block_kernel_build(struct block_kernel *kernel);
/* -1 for constants and what is defined outside. */
int block_number(const struct block_kernel *kernel, LLVMValueRef value);
bool block_is_barrier(LLVMValueRef instruction);
/* What a barrier tells of all threads' predicates. */
enum block_vote { VOTE_NONE, VOTE_COUNT, VOTE_AND, VOTE_OR };
enum block_vote block_vote_of(LLVMValueRef instruction);
const char *block_callee_name(LLVMValueRef instruction);
/* The address is base plus a constant; base is NULL if unknown. */
LLVMValueRef block_address_base(LLVMValueRef address, int64_t *offset);
/* Which field of the thread's own context a load reads; -1 = it does not. */
int block_self_field(LLVMValueRef load);
/* Which field of the block a load reads; -1 = it does not. */
int block_field(LLVMValueRef load);
bool block_is_self(LLVMValueRef value);
/* The value the phi has when control comes from the node. */
LLVMValueRef block_phi_value(const struct block_kernel *kernel, LLVMValueRef phi, unsigned from);

#endif
