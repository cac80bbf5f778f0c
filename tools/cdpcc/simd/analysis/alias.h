/* Alias information about the memory that accesses reach. */
#ifndef CDPCC_SIMD_ANALYSIS_ALIAS_H
#define CDPCC_SIMD_ANALYSIS_ALIAS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_kernel;

/* The address is proven to be in the block's shared memory.
 * False if it is unknown: generic pointers may point to shared memory. */
bool simd_is_shared(LLVMValueRef address);
/* A volatile load or store, and the entry's access must be volatile, too.  On the block's shared
 * memory it need not be: no other worker can see that memory, and the entry runs the lanes in step.
 */
bool simd_keeps_volatile(LLVMValueRef at);
/* The load is neither atomic nor one that must stay volatile. */
bool simd_is_plain_load(LLVMValueRef load);
/* The kernel's shared memory does not alias its other memory. */
bool simd_is_shared_noalias(const struct simd_kernel *kernel);
/* An atomic operation on shared memory that plain instructions can do, since one worker runs the
 * whole block. */
bool simd_is_plain_atomic(LLVMValueRef instruction);

#endif
