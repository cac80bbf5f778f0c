/* Emission of the function around the regions. */
#ifndef CDPCC_SIMD_EMIT_FUNCTION_H
#define CDPCC_SIMD_EMIT_FUNCTION_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_plan;
struct lower_context;

enum { SIMD_MOST_INDEX = 0x7fff0000 }; /* threads in the grid's x dimension */

/* The emitted function of a version. */
struct simd_entry {
    /* void (params, block, i32 blockIdx.x), and the index after the last block if the plan takes a
     * range. */
    LLVMValueRef function;
    bool has_nontemporal; /* some of its stores may be nontemporal, so a fence must follow */
};
/* The plan must have no refusal. The function belongs to the kernel's module. */
struct simd_entry simd_emit_plan(const struct simd_plan *plan);
/* i32: a field of the block that is the same for all blocks of the grid. */
LLVMValueRef simd_word(struct simd_emit *emit, size_t offset, const char *name);
/* Stores the index of the block, which fault reports and debuggers read. */
void simd_store_index(struct lower_context *lower, LLVMBuilderRef builder, LLVMValueRef block,
                      LLVMValueRef x);

#endif
