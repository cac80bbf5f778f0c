/* Constant parts of indices become constant offsets of addresses. */
#ifndef CDPCC_SIMD_PREPARE_OFFSETS_H
#define CDPCC_SIMD_PREPARE_OFFSETS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct lower_context;

/* Rewrites the function's addresses.  False: there was nothing to change. */
bool simd_split_offsets(struct lower_context *lower, LLVMValueRef function);

#endif
