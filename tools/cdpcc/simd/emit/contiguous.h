/* Vector accesses of one vector's lanes. */
#ifndef CDPCC_SIMD_EMIT_CONTIGUOUS_H
#define CDPCC_SIMD_EMIT_CONTIGUOUS_H

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

struct simd_emit;
struct simd_index;
struct simd_value;

/* The element that is accessed, and how (plan/access.h). */
struct simd_element {
    LLVMValueRef instruction;
    LLVMTypeRef type;
    unsigned align;
    unsigned step;       /* for loads: elements from one lane to the next one */
    bool is_reversed;    /* the lanes' elements descend from lane 0's (ACCESS_REVERSED) */
    bool is_nontemporal; /* a store that may be nontemporal where all lanes are active */
    bool is_interleaved; /* in a local array: a contiguous access finds memory at inactive lanes */
    bool is_in_array;    /* interleaved, and at a constant index of the array */
};

/* All functions below use the lanes' mask; inactive lanes may get any value.  Lane 0's element is
 * at the address, and those of the other lanes follow it. */
LLVMValueRef simd_load_contiguous(struct simd_emit *emit, const struct simd_element *element,
                                  LLVMValueRef at, unsigned vector);
void simd_store_contiguous(struct simd_emit *emit, const struct simd_element *element,
                           LLVMValueRef value, LLVMValueRef at, unsigned vector);
/* The last lane's value in lane 0, and so on. */
LLVMValueRef simd_reverse(struct simd_emit *emit, LLVMValueRef vector);
/* Lane 0's element is at the address, and those of the other lanes precede it. */
LLVMValueRef simd_load_reversed(struct simd_emit *emit, const struct simd_element *element,
                                LLVMValueRef at, unsigned vector);
void simd_store_reversed(struct simd_emit *emit, const struct simd_element *element,
                         LLVMValueRef value, LLVMValueRef at, unsigned vector);
/* The other lanes' elements are `step` elements apart. */
LLVMValueRef simd_load_strided(struct simd_emit *emit, const struct simd_element *element,
                               LLVMValueRef at, unsigned vector, unsigned step);
/* Each lane has its own address; lanes store in order. */
LLVMValueRef simd_gather(struct simd_emit *emit, const struct simd_element *element,
                         const struct simd_value *at, unsigned vector);
void simd_scatter(struct simd_emit *emit, const struct simd_element *element, LLVMValueRef value,
                  const struct simd_value *at, unsigned vector);

/* The address base[number] of the index. */
LLVMValueRef simd_index_address(struct simd_emit *emit, const struct simd_index *index,
                                LLVMValueRef number, unsigned vector);

#endif
