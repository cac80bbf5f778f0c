/* Interleave groups: arrays of structures. */
#ifndef CDPCC_SIMD_PLAN_INTERLEAVE_H
#define CDPCC_SIMD_PLAN_INTERLEAVE_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_value;

/* A load of a field of structures that follow each other: false if it is none, or the row must not
 * be read. */
bool simd_load_field(struct simd_emit *emit, LLVMValueRef load, const struct simd_value *at,
                     struct simd_value *made);
/* A store of one, of which first is the one that comes first in the program; the last of them is
 * made, for all.  False if not all fields are stored. */
bool simd_store_structure(struct simd_emit *emit, LLVMValueRef store, LLVMValueRef first);

#endif
