/* Loads and stores of all lanes. */
#ifndef CDPCC_SIMD_EMIT_ACCESS_H
#define CDPCC_SIMD_EMIT_ACCESS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_value;

void block_load(struct block_emit *emit, LLVMValueRef load);
/* Before all chunks, from that address. */
LLVMValueRef block_load_one(struct block_emit *emit, LLVMValueRef load, LLVMValueRef at);
void block_store(struct block_emit *emit, LLVMValueRef store);
/* A copy of a small structure, if all lanes' can be made at once; false: it is as any call. */
bool block_copy_rows(struct block_emit *emit, LLVMValueRef call);
/* The source only says what the accesses alias; one of the two differs between lanes. */
void block_store_value(struct block_emit *emit, LLVMValueRef source, unsigned align,
                       LLVMTypeRef type, const struct block_value *value,
                       const struct block_value *at);

#endif
