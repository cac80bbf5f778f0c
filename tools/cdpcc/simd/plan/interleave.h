/* Interleave groups: arrays of structures. */
#ifndef CDPCC_SIMD_PLAN_INTERLEAVE_H
#define CDPCC_SIMD_PLAN_INTERLEAVE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct block_emit;
struct block_value;

/* A load of a field of structures that follow each other: false if it is none, or the row must not
 * be read. */
bool block_load_field(struct block_emit *emit, LLVMValueRef load, const struct block_value *at,
                      struct block_value *made);
/* A store of one, of which first is the one that comes first in the program; the last of them is
 * made, for all.  False if not all fields are stored. */
bool block_store_structure(struct block_emit *emit, LLVMValueRef store, LLVMValueRef first);

/* The address, without constants that are added to it. */
LLVMValueRef block_without_constants(LLVMValueRef address, int64_t *offset);
/* Of a load or store. */
LLVMValueRef block_accessed(LLVMValueRef at);
/* What a plain access of a number is to. */
struct block_member {
    LLVMValueRef base;
    int64_t offset; /* from the base, bytes */
    unsigned size;  /* 0: no such access */
};
struct block_member block_member_of(LLVMValueRef at);

#endif
