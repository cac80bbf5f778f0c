/* The arithmetic of reductions.
 *
 * Operands are combined in the order in which they are given. Types of 8 and 16 bits are computed
 * in float and rounded once, at the end; all others in their own type. */
#ifndef CDP_API_NCCL_REDUCE_H
#define CDP_API_NCCL_REDUCE_H

#include <stddef.h>

#include "nccl.h"

/* Bytes of an element; 0: there is no such type. */
size_t cdp_nccl_type_size(ncclDataType_t type);
const char *cdp_nccl_type_name(ncclDataType_t type);

enum { CDP_NCCL_PRE_MUL_SUM = ncclNumOps };

struct cdp_nccl_reduction {
    ncclDataType_t type;
    int op;    /* ncclRedOp_t or CDP_NCCL_PRE_MUL_SUM */
    int ranks; /* the divisor of ncclAvg */
};

/* An operand. scale: of CDP_NCCL_PRE_MUL_SUM, one element of the type. */
struct cdp_nccl_operand {
    const char *from;
    const void *scale;
};

/* Combines count elements of the operands and stores them at each of the targets. A target may be
 * an operand. */
void cdp_nccl_reduce(const struct cdp_nccl_reduction *reduction,
                     const struct cdp_nccl_operand *operands, int operand_count,
                     char *const *targets, int target_count, size_t count);

#endif
