/* The indices of addresses: of getelementptr. */
#ifndef CDPCC_IR_INDICES_H
#define CDPCC_IR_INDICES_H
#include "ir/context.h"

/* What one index adds to an address. */
struct lower_index {
    LLVMValueRef number; /* NULL: a field of a structure */
    uint64_t bytes;      /* for each one of the number; or the field's offset */
};
/* The index that is operand `i`, from 1 on.  *type is what the indices so far lead to. The first
 * call sets it, and each one advances it. */
struct lower_index lower_index_of(LLVMTargetDataRef layout, LLVMValueRef address, unsigned i,
                                  LLVMTypeRef *type);

#endif
