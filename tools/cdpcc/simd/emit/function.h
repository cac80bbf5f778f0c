/* The function around the regions. */
#ifndef CDPCC_SIMD_EMIT_FUNCTION_H
#define CDPCC_SIMD_EMIT_FUNCTION_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_kernel;
struct lower_context;

struct simd_options {
    unsigned lanes, vectors;
    unsigned vectors_of_size; /* at most, where the block's size is known and fills them */
    bool in_halves;           /* a vector lies in two registers of half the width */
    bool is_cold;             /* the entry hardly ever runs */
    const char *prefix;       /* of the function's name */
};
/* What became of a kernel for its layout. */
struct simd_entry {
    /* void (params, block, i32 blockIdx.x), or with the one behind the last block's as well if
     * it takes a range; NULL if it was refused. */
    LLVMValueRef function;
    bool takes_range;
    const char *refusal;
    unsigned regions, slots;
    uint64_t thread_bytes; /* of stack for each thread of the block */
};
struct simd_entry simd_entry_emit(struct simd_kernel *kernel, const struct simd_options *options);
/* i32: a field of the block that is the same for all blocks of the grid. */
LLVMValueRef simd_word(struct simd_emit *emit, size_t offset, const char *name);
/* Faults and debuggers ask which block it is. */
void simd_store_index(struct lower_context *lower, LLVMBuilderRef builder, LLVMValueRef block,
                      LLVMValueRef x);

#endif
