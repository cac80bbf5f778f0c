/* Addresses as a base, an index and a constant, to find those that are next to each other. */
#ifndef CDPCC_SIMD_PREPARE_ADDRESS_PARTS_H
#define CDPCC_SIMD_PREPARE_ADDRESS_PARTS_H
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

struct lower_context;

/* base + size * extension(index) + offset, in bytes. */
struct simd_address_parts {
    LLVMValueRef base, index; /* index NULL: there is none */
    int extension;            /* LLVMZExt, LLVMSExt, or 0: the index is as wide as an address */
    uint64_t size;
    int64_t offset;
};

struct simd_address_parts simd_address_parts_of(const struct lower_context *lower,
                                                LLVMValueRef address);
/* They differ only in their offset. */
bool simd_same_but_offset(const struct simd_address_parts *a, const struct simd_address_parts *b);

#endif
