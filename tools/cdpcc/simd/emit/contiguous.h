/* One access of the lanes of a vector. */
#ifndef CDPCC_SIMD_EMIT_CONTIGUOUS_H
#define CDPCC_SIMD_EMIT_CONTIGUOUS_H
#include "simd/ir/kernel.h"

struct simd_emit;
struct simd_index;
struct simd_value;

/* What an access is of; the plan says how it is made (plan/access.h). */
struct simd_element {
    LLVMValueRef instruction;
    LLVMTypeRef type;
    unsigned align;
    unsigned step;       /* of loads: elements from a lane to the next one */
    bool is_nontemporal; /* a store that may be so, where all lanes are active */
};

/* All below are under the lanes' mask; inactive lanes may get any value.  Lane 0's
 * element is at that address, the others' follow. */
LLVMValueRef simd_load_contiguous(struct simd_emit *emit, const struct simd_element *element,
                                  LLVMValueRef at, unsigned vector);
void simd_store_contiguous(struct simd_emit *emit, const struct simd_element *element,
                           LLVMValueRef value, LLVMValueRef at, unsigned vector);
/* The others' are each so many elements further on. */
LLVMValueRef simd_load_strided(struct simd_emit *emit, const struct simd_element *element,
                               LLVMValueRef at, unsigned vector, unsigned step);
/* Each at its own address; lanes store in order. */
LLVMValueRef simd_gather(struct simd_emit *emit, const struct simd_element *element,
                         const struct simd_value *at, unsigned vector);
void simd_scatter(struct simd_emit *emit, const struct simd_element *element, LLVMValueRef value,
                  const struct simd_value *at, unsigned vector);

/* The address base[number] of the index. */
LLVMValueRef simd_index_address(struct simd_emit *emit, const struct simd_index *index,
                                LLVMValueRef number, unsigned vector);

#endif
