/* --count: what a basic block consists of, for struct cdp_abi_count_block. */
#ifndef CDPCC_INSTRUMENT_COUNT_CODE_H
#define CDPCC_INSTRUMENT_COUNT_CODE_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct instrument;

/* A global of struct cdp_abi_count_block for the program's instructions in the block, before any of
 * them is instrumented. is_entry: the block is the start of a kernel. */
LLVMValueRef instrument_count_code(struct instrument *instrument, LLVMBasicBlockRef block,
                                   bool is_entry);
bool instrument_is_entry_code(LLVMValueRef code);
/* A branch with a condition, or a switch. */
bool instrument_has_sides(LLVMValueRef end);
/* The site of a branch with a condition, or of a switch. Each function has sites of its own, for
 * the sums of kernels. */
LLVMValueRef instrument_branch_site(struct instrument *instrument, LLVMValueRef branch);

#endif
