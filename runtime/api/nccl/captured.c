/* Operations in a stream that is being captured. The batch becomes a node of the graph. Each launch
 * of the graph makes a copy of the batch, which takes its place in the order of the communicator's
 * operations then: as if the program made the calls at the launch. */
#include "api/capture.h"
#include "api/library_work.h"
#include "api/nccl/round.h"
#include "api/runtime.h"
#include "base/alloc.h"

struct captured {
    struct cdp_library_work work; /* the first member */
    struct cdp_nccl_batch *batch; /* owned; neither registered nor queued */
};

static struct captured *captured_of(struct cdp_library_work *work)
{
    return (struct captured *)(void *)work;
}

static void free_captured(struct cdp_library_work *work)
{
    struct captured *captured = captured_of(work);
    cdp_lock_acquire(&cdp_nccl_all.lock);
    cdp_nccl_batch_free(captured->batch);
    cdp_lock_release(&cdp_nccl_all.lock);
    cdp_free(captured);
}

/* NULL: no memory. */
static struct cdp_nccl_batch *copy_batch(const struct cdp_nccl_batch *like, uint64_t stream)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_batch *batch = cdp_alloc(sizeof *batch);
    if (batch == NULL) {
        return NULL;
    }
    *batch = (struct cdp_nccl_batch){.comm = like->comm, .stream = stream};
    batch->comm->refs++;
    for (const struct cdp_nccl_op *from = like->first; from != NULL; from = from->next) {
        struct cdp_nccl_op *op = cdp_alloc(sizeof *op);
        if (op == NULL) {
            cdp_nccl_batch_free(batch);
            return NULL;
        }
        *op = *from;
        op->batch = batch;
        op->next = NULL;
        if (batch->first == NULL) {
            batch->first = op;
        } else {
            batch->last->next = op;
        }
        batch->last = op;
    }
    return batch;
}

/* The copy of the batch joins its rounds. Failures were printed. */
static enum cdp_status start(const struct captured *captured, uint64_t stream,
                             struct cdp_nccl_after *after, struct cdp_nccl_batch **batch)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    cdp_nccl_call = captured->batch->first->call;
    if (captured->batch->comm->has_ended) {
        (void)cdp_nccl_fail(ncclInvalidUsage, "the communicator of a captured operation has ended, "
                                              "so its graph cannot be launched");
        return CDP_INVALID_VALUE;
    }
    *batch = copy_batch(captured->batch, stream);
    if (*batch == NULL) {
        (void)cdp_nccl_fail(ncclSystemError, "no memory for an operation");
        return CDP_NO_MEMORY;
    }
    /* An error has ended the world, and the hold ends at once. */
    (void)cdp_nccl_register(*batch, after);
    return CDP_OK;
}

static enum cdp_status queue(struct cdp_library_work *work, uint64_t stream)
{
    struct cdp_nccl_after after = {NULL, NULL, NULL};
    cdp_lock_acquire(&cdp_nccl_all.lock);
    struct cdp_nccl_batch *batch = NULL;
    enum cdp_status status = start(captured_of(work), stream, &after, &batch);
    cdp_lock_release(&cdp_nccl_all.lock);
    cdp_nccl_do_after(&after);
    if (status == CDP_OK && cdp_nccl_queue(batch) != ncclSuccess) {
        status = CDP_NO_MEMORY;
    }
    return status;
}

static struct captured *make(struct cdp_nccl_batch *batch)
{
    struct captured *captured = cdp_alloc(sizeof *captured);
    if (captured != NULL) {
        *captured = (struct captured){
            .work = {.references = 1, .queue = queue, .free = free_captured}, .batch = batch};
    }
    return captured;
}

static void drop(struct cdp_nccl_batch *batch)
{
    cdp_lock_acquire(&cdp_nccl_all.lock);
    cdp_nccl_batch_free(batch);
    cdp_lock_release(&cdp_nccl_all.lock);
}

bool cdp_nccl_capture(struct cdp_nccl_batch *batch, ncclResult_t *result)
{
    cudaError_t error;
    if (CDP_LIKELY(!cdp_capture_is_on())) {
        return false;
    }
    struct captured *captured = make(batch);
    if (captured == NULL) {
        *result = cdp_nccl_fail(ncclSystemError, "no memory for an operation");
        drop(batch);
        return true;
    }
    bool is_node = cdp_capture_library(batch->given, &captured->work, &error);
    if (is_node) {
        return true;
    }
    cdp_free(captured);
    if (error != cudaSuccess) {
        *result = cdp_nccl_cuda(error);
        drop(batch);
    }
    return error != cudaSuccess;
}
