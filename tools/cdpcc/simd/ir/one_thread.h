/* Code that one thread of a block runs alone. */
#ifndef CDPCC_SIMD_IR_ONE_THREAD_H
#define CDPCC_SIMD_IR_ONE_THREAD_H
#include <llvm-c/Types.h>
#include <stdbool.h>

/* The value that the condition has for one thread of a block at most; -1: none is known.
 * is_one_row: threadIdx.x is another number for each thread. */
int simd_value_of_one_thread(LLVMValueRef condition, bool is_one_row);

#endif
