/* The arithmetic of reductions.
 *
 * Operands are combined in the order in which they are given. Types of 8 and 16 bits are computed
 * in float and rounded once, at the end; all others in their own type. */
#ifndef CDP_API_NCCL_REDUCE_H
#define CDP_API_NCCL_REDUCE_H

#include <stdbool.h>
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

/* One computation: elements of operands are combined, or those of a single operand are copied. They
 * are stored at each of the targets, which may be operands. */
struct cdp_nccl_move {
    struct cdp_nccl_reduction reduction;
    bool combines;                           /* else there is one operand */
    const struct cdp_nccl_operand *operands; /* borrowed */
    char *const *targets;                    /* borrowed */
    int operand_count, target_count;
    size_t from_at, to_at; /* the first element at operands, at targets */
    size_t count;          /* elements */
};

/* Only the count elements from the first one on. whole: the bytes that all moves write together,
 * which are stored past the caches if these are smaller. */
void cdp_nccl_move(const struct cdp_nccl_move *move, size_t first, size_t count, size_t whole);

#endif
