/* Groups of calls. */
#include "api/nccl/group.h"

#include "base/alloc.h"

/* Of each thread. Owns its lists. */
static __thread struct {
    int depth;
    ncclResult_t error; /* of the first wrong call */
    struct cdp_nccl_batch *first, *last;
    struct cdp_nccl_meeting *meetings, **meetings_end;
} group;

static struct cdp_nccl_batch *batch_for(const struct cdp_nccl_batch *like)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_batch *batch = group.first;
    while (batch != NULL && (batch->comm != like->comm || batch->stream != like->stream)) {
        batch = batch->next;
    }
    if (batch != NULL) {
        return batch;
    }
    batch = cdp_alloc(sizeof *batch);
    if (batch == NULL) {
        return NULL;
    }
    *batch = *like;
    batch->comm->refs++;
    if (group.first == NULL) {
        group.first = batch;
    } else {
        group.last->next = batch;
    }
    group.last = batch;
    return batch;
}

static bool add_op(const struct cdp_nccl_batch *like, const struct cdp_nccl_op *op_like)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_batch *batch = batch_for(like);
    struct cdp_nccl_op *op = batch != NULL ? cdp_alloc(sizeof *op) : NULL;
    if (op == NULL) {
        return false;
    }
    *op = *op_like;
    op->batch = batch;
    if (batch->first == NULL) {
        batch->first = op;
    } else {
        batch->last->next = op;
    }
    batch->last = op;
    return true;
}

/* The batches of streams that are being captured become nodes. Returns the others. */
static struct cdp_nccl_batch *capture_batches(struct cdp_nccl_batch *first, ncclResult_t *result)
{
    struct cdp_nccl_batch *rest = NULL, **end = &rest, *next;
    for (struct cdp_nccl_batch *batch = first; batch != NULL; batch = next) {
        ncclResult_t captured = ncclSuccess;
        next = batch->next;
        batch->next = NULL;
        if (!cdp_nccl_capture(batch, &captured)) {
            *end = batch;
            end = &batch->next;
        }
        *result = *result == ncclSuccess ? captured : *result;
    }
    return rest;
}

/* Registers all batches before it queues one. So all ops of a group are compared before a stream
 * waits for one. */
static ncclResult_t start_batches(struct cdp_nccl_batch *first)
{
    struct cdp_nccl_after after = {NULL, NULL, NULL};
    ncclResult_t result = ncclSuccess;
    cdp_lock_acquire(&cdp_nccl_all.lock);
    for (struct cdp_nccl_batch *batch = first; batch != NULL; batch = batch->next) {
        ncclResult_t error = cdp_nccl_register(batch, &after);
        result = result == ncclSuccess ? error : result;
    }
    cdp_lock_release(&cdp_nccl_all.lock);
    cdp_nccl_do_after(&after);
    struct cdp_nccl_batch *next;
    for (struct cdp_nccl_batch *batch = first; batch != NULL; batch = next) {
        next = batch->next;
        ncclResult_t error = cdp_nccl_queue(batch);
        result = result == ncclSuccess ? error : result;
    }
    return result;
}

static void drop_batches(struct cdp_nccl_batch *first)
{
    struct cdp_nccl_batch *next;
    cdp_lock_acquire(&cdp_nccl_all.lock);
    for (struct cdp_nccl_batch *batch = first; batch != NULL; batch = next) {
        next = batch->next;
        cdp_nccl_batch_free(batch);
    }
    cdp_lock_release(&cdp_nccl_all.lock);
}

/* The ops are queued when the call returns. But with a communicator that does not block, NVIDIA's
 * library always says that they are in progress, and programs expect it. */
static ncclResult_t result_of(const struct cdp_nccl_batch *first)
{
    bool blocks = true;
    cdp_lock_acquire(&cdp_nccl_all.lock);
    for (const struct cdp_nccl_batch *batch = first; batch != NULL; batch = batch->next) {
        blocks &= batch->comm->blocks;
    }
    cdp_lock_release(&cdp_nccl_all.lock);
    return blocks ? ncclSuccess : ncclInProgress;
}

static ncclResult_t end_group(void)
{
    struct cdp_nccl_batch *first = group.first;
    struct cdp_nccl_meeting *meetings = group.meetings;
    ncclResult_t error = group.error;
    group.first = group.last = NULL;
    group.meetings = NULL;
    group.meetings_end = NULL;
    group.error = ncclSuccess;
    ncclResult_t met = cdp_nccl_meet(meetings, error);
    if (error != ncclSuccess) {
        drop_batches(first);
        return error;
    }
    ncclResult_t captured = ncclSuccess, usual = result_of(first);
    first = capture_batches(first, &captured);
    ncclResult_t started = start_batches(first);
    started = started != ncclSuccess ? started : captured;
    met = met == ncclSuccess ? usual : met;
    return started != ncclSuccess ? started : met;
}

ncclResult_t cdp_nccl_group_error(ncclResult_t error)
{
    if (group.depth > 0 && group.error == ncclSuccess) {
        group.error = error;
    }
    return error;
}

ncclResult_t cdp_nccl_group_op(const struct cdp_nccl_batch *like, const struct cdp_nccl_op *op)
{
    cdp_lock_acquire(&cdp_nccl_all.lock);
    bool added = add_op(like, op);
    cdp_lock_release(&cdp_nccl_all.lock);
    if (!added) {
        return cdp_nccl_group_error(cdp_nccl_fail(ncclSystemError, "no memory for an operation"));
    }
    return group.depth > 0 ? ncclSuccess : end_group();
}

ncclResult_t cdp_nccl_group_meeting(const struct cdp_nccl_meeting *like)
{
    struct cdp_nccl_meeting *meeting = cdp_alloc(sizeof *meeting);
    if (meeting == NULL) {
        return cdp_nccl_group_error(cdp_nccl_fail(ncclSystemError, "no memory"));
    }
    *meeting = *like;
    if (group.meetings_end == NULL) {
        group.meetings_end = &group.meetings;
    }
    *group.meetings_end = meeting;
    group.meetings_end = &meeting->next;
    return group.depth > 0 ? ncclSuccess : end_group();
}

ncclResult_t ncclGroupStart(void)
{
    group.depth++;
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void)
{
    if (group.depth == 0) {
        cdp_nccl_call = "ncclGroupEnd";
        return cdp_nccl_fail(ncclInvalidUsage, "there was no ncclGroupStart");
    }
    return --group.depth > 0 ? ncclSuccess : end_group();
}
