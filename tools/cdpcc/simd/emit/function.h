/* Emission of the function around the regions. */
#ifndef CDPCC_SIMD_EMIT_FUNCTION_H
#define CDPCC_SIMD_EMIT_FUNCTION_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_plan;
struct simd_vector_function;
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
/* The function of the version, which is emitted when a call needs it first:
 * (i64 mask, block, i32 number of lane 0's thread, i32 blockIdx.x, its parameters).  Each parameter
 * is a scalar if it is uniform, or else several vectors. */
LLVMValueRef simd_emit_vector_function(struct simd_vector_function *function);
/* i32: a field of the block that is the same for all blocks of the grid. */
LLVMValueRef simd_word(struct simd_emit *emit, size_t offset, const char *name);
/* Stores the index of the block, which fault reports and debuggers read. */
void simd_store_index(struct lower_context *lower, LLVMBuilderRef builder, LLVMValueRef block,
                      LLVMValueRef x);

#endif
