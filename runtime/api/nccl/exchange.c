/* ncclAlltoAll, ncclGather and ncclScatter: groups of sends and receives, as in NVIDIA's library.
 */
#include "nccl.h"

#include "api/nccl/comm.h"
#include "api/nccl/group.h"
#include "api/nccl/reduce.h"
#include "exec/report/races.h"

/* Blocks of count elements between ranks. */
struct exchange {
    const char *call;
    const char *send; /* NULL: this rank sends nothing */
    char *receive;    /* NULL: this rank receives nothing */
    size_t count;
    ncclDataType_t type;
    ncclComm_t comm;
    cudaStream_t stream;
    int ranks, rank;
};

/* Finds out the ranks. A call without a root gives 0. */
static ncclResult_t begin(struct exchange *exchange, int root)
{
    struct cdp_nccl_comm *comm;
    ncclResult_t result = cdp_nccl_enter_world(exchange->call, exchange->comm, &comm);
    if (result != ncclSuccess) {
        cdp_nccl_note_early(comm);
        return cdp_nccl_leave(result);
    }
    exchange->ranks = comm->world->size;
    exchange->rank = comm->rank;
    (void)cdp_nccl_leave(result);
    if (cdp_nccl_type_size(exchange->type) == 0) {
        return cdp_nccl_fail(ncclInvalidArgument, "%d is no type", (int)exchange->type);
    }
    return root >= 0 && root < exchange->ranks
               ? ncclSuccess
               : cdp_nccl_fail(ncclInvalidArgument, "the root %d is not one of the ranks 0 to %d",
                               root, exchange->ranks - 1);
}

static ncclResult_t no_buffer(const char *which)
{
    return cdp_nccl_fail(ncclInvalidArgument, "the %s buffer is NULL", which);
}

/* The block for, or from, a rank: the n-th one, or the only one. */
static size_t offset(const struct exchange *exchange, int block)
{
    return (size_t)block * exchange->count * cdp_nccl_type_size(exchange->type);
}

static ncclResult_t send_block(const struct exchange *exchange, int block, int to)
{
    return ncclSend(exchange->send + offset(exchange, block), exchange->count, exchange->type, to,
                    exchange->comm, exchange->stream);
}

static ncclResult_t receive_block(const struct exchange *exchange, int block, int from)
{
    return ncclRecv(exchange->receive + offset(exchange, block), exchange->count, exchange->type,
                    from, exchange->comm, exchange->stream);
}

/* The first error ends the calls, and is the result. Within an outer group its end comes later. */
static ncclResult_t end_group(ncclResult_t result)
{
    ncclResult_t end = ncclGroupEnd();
    return result != ncclSuccess ? result : end;
}

static ncclResult_t exchange_all(const struct exchange *exchange)
{
    ncclResult_t result = ncclGroupStart();
    for (int i = 0; result == ncclSuccess && i < exchange->ranks; i++) {
        result = send_block(exchange, i, i);
        result = result == ncclSuccess ? receive_block(exchange, i, i) : result;
    }
    return end_group(result);
}

ncclResult_t ncclAlltoAll(const void *send, void *recv, size_t count, ncclDataType_t type,
                          ncclComm_t comm, cudaStream_t stream)
{
    struct exchange exchange = {.call = "ncclAlltoAll",
                                .send = send,
                                .receive = recv,
                                .count = count,
                                .type = type,
                                .comm = comm,
                                .stream = stream};
    CDP_RACES_CALL();
    ncclResult_t result = begin(&exchange, 0);
    if (result == ncclSuccess && count > 0 && (send == NULL || recv == NULL)) {
        result = no_buffer(send == NULL ? "send" : "receive");
    }
    return result == ncclSuccess ? exchange_all(&exchange) : cdp_nccl_group_error(result);
}

/* The calls with a root: all send to it, or it sends to all. own: the buffer of one block, and
 * of_root: that of a block for each rank, which the root alone needs. */
static ncclResult_t exchange_with_root(struct exchange *exchange, int root, bool is_gather)
{
    ncclResult_t result = begin(exchange, root);
    bool is_root = exchange->rank == root;
    const void *own = is_gather ? exchange->send : exchange->receive;
    const void *of_root = is_gather ? exchange->receive : exchange->send;
    if (result == ncclSuccess && exchange->count > 0 &&
        (own == NULL || (is_root && of_root == NULL))) {
        result = no_buffer((own == NULL) == is_gather ? "send" : "receive");
    }
    if (result != ncclSuccess) {
        return cdp_nccl_group_error(result);
    }
    result = ncclGroupStart();
    if (result == ncclSuccess) {
        result = is_gather ? send_block(exchange, 0, root) : receive_block(exchange, 0, root);
    }
    for (int i = 0; result == ncclSuccess && is_root && i < exchange->ranks; i++) {
        result = is_gather ? receive_block(exchange, i, i) : send_block(exchange, i, i);
    }
    return end_group(result);
}

ncclResult_t ncclGather(const void *send, void *recv, size_t count, ncclDataType_t type, int root,
                        ncclComm_t comm, cudaStream_t stream)
{
    CDP_RACES_CALL();
    return exchange_with_root(&(struct exchange){.call = "ncclGather",
                                                 .send = send,
                                                 .receive = recv,
                                                 .count = count,
                                                 .type = type,
                                                 .comm = comm,
                                                 .stream = stream},
                              root, true);
}

ncclResult_t ncclScatter(const void *send, void *recv, size_t count, ncclDataType_t type, int root,
                         ncclComm_t comm, cudaStream_t stream)
{
    CDP_RACES_CALL();
    return exchange_with_root(&(struct exchange){.call = "ncclScatter",
                                                 .send = send,
                                                 .receive = recv,
                                                 .count = count,
                                                 .type = type,
                                                 .comm = comm,
                                                 .stream = stream},
                              root, false);
}
