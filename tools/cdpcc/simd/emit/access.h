/* Emission of loads and stores for all lanes. */
#ifndef CDPCC_SIMD_EMIT_ACCESS_H
#define CDPCC_SIMD_EMIT_ACCESS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_access;
struct simd_emit;
struct simd_value;

/* The plan of an access, where all lanes are active or under the current mask.
 * A mask that is a constant "all lanes" is no mask. */
const struct simd_access *simd_access_here(const struct simd_emit *emit, LLVMValueRef at);
/* A chunk for which the test fails restarts under masks; other chunks continue. */
void simd_restart_unless(struct simd_emit *emit, LLVMValueRef holds);
void simd_load(struct simd_emit *emit, LLVMValueRef load);
/* A load before all chunks, from that address. */
LLVMValueRef simd_load_one(struct simd_emit *emit, LLVMValueRef load, LLVMValueRef at);
void simd_store(struct simd_emit *emit, LLVMValueRef store);
/* A store of a warp operation's second result.  The value or the address differs between lanes. */
void simd_store_value(struct simd_emit *emit, LLVMValueRef source, unsigned align, LLVMTypeRef type,
                      const struct simd_value *value, const struct simd_value *at);

#endif
