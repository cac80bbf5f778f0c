/* Between memory.c and row.c. */
#ifndef CDPCC_BLOCK_ROW_H
#define CDPCC_BLOCK_ROW_H

#include "block/block.h"

struct block_access {
    LLVMValueRef instruction;
    LLVMTypeRef type;
    unsigned align;
    unsigned step;        /* loads in order: from a lane's element to the next lane's */
    LLVMValueRef partner; /* of whose element it is, too; may be NULL */
};

/* An access of the entry that stands for this one. */
void block_mark_access(struct block_emit *emit, const struct block_access *access,
                       LLVMValueRef made);

/* All below are under the lanes' mask; what lanes that are off get is nobody's business.  Lane 0's
 * element is at that address, the others' follow. */
LLVMValueRef block_load_row(struct block_emit *emit, const struct block_access *access,
                            LLVMValueRef at, unsigned vector);
void block_store_row(struct block_emit *emit, const struct block_access *access, LLVMValueRef value,
                     LLVMValueRef at, unsigned vector);
/* The others' are each so many elements further on. */
LLVMValueRef block_load_spread(struct block_emit *emit, const struct block_access *access,
                               LLVMValueRef at, unsigned vector, unsigned step);
/* Each at its own address; lanes store in order. */
LLVMValueRef block_gather(struct block_emit *emit, const struct block_access *access,
                          const struct block_value *at, unsigned vector);
void block_scatter(struct block_emit *emit, const struct block_access *access, LLVMValueRef value,
                   const struct block_value *at, unsigned vector);

#endif
