/* What a round moves, in one form for all kinds.
 *
 * The data of a round are slices. Each slice has sources: one rank, or all of them, whose elements
 * are combined. Each slice has targets: one rank or all. The kinds differ only in this. */
#ifndef CDP_API_NCCL_SHAPE_H
#define CDP_API_NCCL_SHAPE_H

#include "api/nccl/round.h"

enum { CDP_NCCL_ALL = -1 };

struct cdp_nccl_slice {
    size_t count;          /* elements */
    size_t from_at, to_at; /* first element in the memory of a source, of a target */
    int source, target;    /* a rank or CDP_NCCL_ALL */
};

/* The number of slices of a round of that kind. */
int cdp_nccl_slice_count(const struct cdp_nccl_op *op, int ranks);
/* op: of any rank. */
struct cdp_nccl_slice cdp_nccl_slice(const struct cdp_nccl_op *op, int ranks, int slice);

/* The bytes that the op reads at op->from, and writes at op->to. */
size_t cdp_nccl_bytes_read(const struct cdp_nccl_op *op, int ranks);
size_t cdp_nccl_bytes_written(const struct cdp_nccl_op *op, int ranks);

#endif
