/* The slices of each kind of round. */
#include "api/nccl/shape.h"

int cdp_nccl_slice_count(const struct cdp_nccl_op *op, int ranks)
{
    return op->kind == CDP_NCCL_SEND || op->kind == CDP_NCCL_RECEIVE ? 1 : ranks;
}

/* The i-th of so many parts of about the same size. */
static size_t cut(size_t count, int parts, int i)
{
    return count / (size_t)parts * (size_t)i + count % (size_t)parts * (size_t)i / (size_t)parts;
}

/* A part of the whole, for kinds that have no slices of their own. */
static struct cdp_nccl_slice part(const struct cdp_nccl_op *op, int ranks, int slice)
{
    size_t at = cut(op->count, ranks, slice);
    return (struct cdp_nccl_slice){.count = cut(op->count, ranks, slice + 1) - at,
                                   .from_at = at,
                                   .to_at = at,
                                   .source = CDP_NCCL_ALL,
                                   .target = CDP_NCCL_ALL};
}

struct cdp_nccl_slice cdp_nccl_slice(const struct cdp_nccl_op *op, int ranks, int slice)
{
    struct cdp_nccl_slice made = part(op, ranks, slice);
    size_t at = op->count * (size_t)slice;
    switch (op->kind) {
    case CDP_NCCL_ALL_REDUCE:
        break;
    case CDP_NCCL_REDUCE:
        made.target = op->root;
        break;
    case CDP_NCCL_BROADCAST:
        made.source = op->root;
        break;
    case CDP_NCCL_ALL_GATHER:
        made = (struct cdp_nccl_slice){op->count, 0, at, slice, CDP_NCCL_ALL};
        break;
    case CDP_NCCL_REDUCE_SCATTER:
        made = (struct cdp_nccl_slice){op->count, at, 0, CDP_NCCL_ALL, slice};
        break;
    case CDP_NCCL_SEND: /* of a round's two ops the first is the source */
    case CDP_NCCL_RECEIVE:
        made = (struct cdp_nccl_slice){op->count, 0, 0, 0, 1};
        break;
    }
    return made;
}

static size_t bytes(const struct cdp_nccl_op *op, size_t times)
{
    return op->count * times * cdp_nccl_type_size(op->type);
}

size_t cdp_nccl_bytes_read(const struct cdp_nccl_op *op, int ranks)
{
    bool is_scattered = op->kind == CDP_NCCL_REDUCE_SCATTER;
    return op->from == NULL ? 0 : bytes(op, is_scattered ? (size_t)ranks : 1);
}

size_t cdp_nccl_bytes_written(const struct cdp_nccl_op *op, int ranks)
{
    bool is_gathered = op->kind == CDP_NCCL_ALL_GATHER;
    return op->to == NULL ? 0 : bytes(op, is_gathered ? (size_t)ranks : 1);
}
