/* Loads of the fields of a thread's context and of its block. */
#ifndef CDPCC_SIMD_IR_THREAD_FIELDS_H
#define CDPCC_SIMD_IR_THREAD_FIELDS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

/* A load of the address of the thread's context (struct cdp_abi_thread). */
bool simd_is_self(LLVMValueRef value);
/* The offset in bytes of the field that a load reads; -1 if it reads none.  The first is for fields
 * of the thread's context, the second for fields of the block (struct cdp_abi_block) that do not
 * change. */
int simd_self_field(LLVMValueRef load);
int simd_field(LLVMValueRef load);
/* A load of the thread's number in its block, or of several fields at once. */
bool simd_reads_number(LLVMValueRef at);
/* Makes a load of threadIdx.x one of threadIdx.y, and the reverse; no effect on other instructions.
 * For transposed versions. */
void simd_transpose(LLVMValueRef instruction);
/* A load of a field of the thread's context that is the same for all threads of a block entry: the
 * bounds of private memory. */
bool simd_is_common_field(LLVMValueRef load);

#endif
