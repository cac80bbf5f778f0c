/* Addresses and types of memory accesses, as far as they follow from the instructions alone. */
#ifndef CDPCC_SIMD_IR_MEMORY_H
#define CDPCC_SIMD_IR_MEMORY_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

/* A fence or an atomic access. */
bool simd_is_order(LLVMValueRef at);
/* A volatile load or store of memory that other threads can access: not of a variable on the
 * thread's own stack. */
bool simd_is_volatile(LLVMValueRef at);
/* The base to which the address adds a constant number of bytes.  NULL if the address has another
 * index. */
LLVMValueRef simd_address_base(LLVMValueRef address, int64_t *offset);
/* The address without the constants that are added last. */
LLVMValueRef simd_without_constants(LLVMValueRef address, int64_t *offset);
/* Whether a load in a kernel loads a parameter, and from which offset. */
bool simd_is_parameter(LLVMValueRef load, int64_t *offset);
/* The address of a load or store, and the type of the value.
 * Only for loads and stores. */
LLVMValueRef simd_accessed(LLVMValueRef at);
LLVMTypeRef simd_accessed_type(LLVMValueRef at);
/* The memory of a plain access of a number. */
struct simd_member {
    LLVMValueRef base;
    int64_t offset; /* from the base, bytes */
    unsigned size;  /* bytes; 0: the instruction is not such an access */
};
struct simd_member simd_member_of(LLVMValueRef at);

#endif
