/* Loads and stores of all lanes. */
#ifndef CDPCC_SIMD_EMIT_ACCESS_H
#define CDPCC_SIMD_EMIT_ACCESS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_value;

void simd_load(struct simd_emit *emit, LLVMValueRef load);
/* Before all chunks, from that address. */
LLVMValueRef simd_load_one(struct simd_emit *emit, LLVMValueRef load, LLVMValueRef at);
void simd_store(struct simd_emit *emit, LLVMValueRef store);
/* A copy of a small structure, if all lanes' can be made at once; false: it is as any call. */
bool simd_copy_contiguous(struct simd_emit *emit, LLVMValueRef call);
/* The source only says what the accesses alias; one of the two differs between lanes. */
void simd_store_value(struct simd_emit *emit, LLVMValueRef source, unsigned align, LLVMTypeRef type,
                      const struct simd_value *value, const struct simd_value *at);

#endif
