/* Rounds and batches. */
#include "api/nccl/round.h"

#include <stdio.h>
#include <string.h>

#include "api/runtime.h"
#include "base/alloc.h"

static bool is_collective(const struct cdp_nccl_place *place)
{
    return place->from < 0;
}

/* ---- Ends ---- */

void cdp_nccl_batch_free(struct cdp_nccl_batch *batch)
{
    struct cdp_nccl_op *next;
    for (struct cdp_nccl_op *op = batch->first; op != NULL; op = next) {
        next = op->next;
        cdp_free(op);
    }
    if (batch->comm != NULL) {
        cdp_nccl_comm_drop(batch->comm);
    }
    cdp_free(batch);
}

static void end_batch(struct cdp_nccl_batch *batch)
{
    struct cdp_command *hold = batch->hold;
    cdp_lock_acquire(&cdp_nccl_all.lock);
    cdp_nccl_batch_free(batch);
    cdp_lock_release(&cdp_nccl_all.lock);
    cdp_stream_end_hold(hold);
}

void cdp_nccl_do_after(struct cdp_nccl_after *after)
{
    while (after->ready != NULL) {
        struct cdp_nccl_round *round = after->ready;
        after->ready = round->next_ready;
        cdp_engine_run_task(cdp_runtime_running()->engine, &round->task);
    }
    while (after->ended != NULL) {
        struct cdp_nccl_batch *batch = after->ended;
        after->ended = batch->next;
        end_batch(batch);
    }
}

static bool is_transfer(const struct cdp_nccl_op *op)
{
    return op->kind == CDP_NCCL_SEND || op->kind == CDP_NCCL_RECEIVE;
}

static void arrive(struct cdp_nccl_op *op, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_round *round = op->round;
    if (round != NULL && round->world->error == ncclSuccess && ++round->arrived == round->size) {
        round->runs = true;
        round->next_ready = after->ready;
        after->ready = round;
    }
}

/* The collectives of a batch arrive one after the other, as in a stream. Its sends and receives
 * arrive together: none may wait for another one. */
static void arrive_next(struct cdp_nccl_op *op, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    while (op != NULL && is_transfer(op)) {
        op = op->next;
    }
    if (op != NULL) {
        arrive(op, after);
    }
}

static void op_is_over(struct cdp_nccl_op *op, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_batch *batch = op->batch;
    op->round = NULL;
    batch->pending--;
    if (batch->hold == NULL) {
        return;
    }
    if (batch->pending == 0) {
        batch->next = after->ended;
        after->ended = batch;
    } else if (!is_transfer(op)) {
        arrive_next(op->next, after);
    }
}

/* Takes the round out of its world, and frees it. */
static void round_is_over(struct cdp_nccl_round *round, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_round **link = &round->world->rounds;
    while (*link != round) {
        link = &(*link)->next;
    }
    *link = round->next;
    for (int i = 0; i < round->size; i++) {
        if (round->ops[i] != NULL) {
            op_is_over(round->ops[i], after);
        }
    }
    cdp_free(round);
}

void cdp_nccl_round_done(struct cdp_nccl_round *round)
{
    struct cdp_nccl_after after = {NULL, NULL};
    cdp_lock_acquire(&cdp_nccl_all.lock);
    round_is_over(round, &after);
    cdp_lock_release(&cdp_nccl_all.lock);
    cdp_nccl_do_after(&after);
}

void cdp_nccl_world_end(struct cdp_nccl_world *world, ncclResult_t error, const char *text,
                        struct cdp_nccl_after *after)
{
    if (world->error != ncclSuccess) {
        return;
    }
    world->error = error;
    snprintf(world->text, sizeof world->text, "%s", text);
    cdp_nccl_splits_end(world, error);
    struct cdp_nccl_round *next;
    for (struct cdp_nccl_round *round = world->rounds; round != NULL; round = next) {
        next = round->next;
        if (!round->runs) {
            round_is_over(round, after);
        }
    }
}

/* Whether the round needs the rank, which has not made its call. */
static bool waits_for(const struct cdp_nccl_round *round, int rank)
{
    const struct cdp_nccl_place *place = &round->place;
    if (is_collective(place)) {
        return round->ops[rank] == NULL;
    }
    return (place->from == rank && round->ops[0] == NULL) ||
           (place->to == rank && round->ops[1] == NULL);
}

static void end_for_leaver(struct cdp_nccl_world *world, const struct cdp_nccl_round *round,
                           int rank, const char *how, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    char text[CDP_NCCL_TEXT];
    const struct cdp_nccl_op *op = cdp_nccl_any_op(round);
    snprintf(text, sizeof text, "%s of rank %d waits for rank %d, whose communicator %s", op->call,
             op->batch->comm->rank, rank, how);
    cdp_nccl_print(ncclRemoteError, text);
    cdp_nccl_world_end(world, ncclRemoteError, text, after);
}

void cdp_nccl_rank_leaves(struct cdp_nccl_world *world, int rank, const char *how,
                          struct cdp_nccl_after *after)
{
    world->has_left[rank] = true;
    for (const struct cdp_nccl_split *split = world->splits; split != NULL; split = split->next) {
        if (!split->parts[rank].is_known) {
            char text[CDP_NCCL_TEXT];
            snprintf(text, sizeof text, "ncclCommSplit waits for rank %d, whose communicator %s",
                     rank, how);
            cdp_nccl_print(ncclRemoteError, text);
            cdp_nccl_world_end(world, ncclRemoteError, text, after);
            return;
        }
    }
    for (const struct cdp_nccl_round *round = world->rounds; round != NULL; round = round->next) {
        if (!round->runs && waits_for(round, rank)) {
            end_for_leaver(world, round, rank, how, after);
            return;
        }
    }
}

/* ---- Registration ---- */

static struct cdp_nccl_place place_of(const struct cdp_nccl_op *op) CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_comm *comm = op->batch->comm;
    switch (op->kind) {
    case CDP_NCCL_SEND:
        return (struct cdp_nccl_place){comm->rank, op->root, comm->sends[op->root]++};
    case CDP_NCCL_RECEIVE:
        return (struct cdp_nccl_place){op->root, comm->rank, comm->receives[op->root]++};
    case CDP_NCCL_ALL_REDUCE:
    case CDP_NCCL_REDUCE:
    case CDP_NCCL_BROADCAST:
    case CDP_NCCL_ALL_GATHER:
    case CDP_NCCL_REDUCE_SCATTER:
        break;
    }
    return (struct cdp_nccl_place){-1, -1, comm->collectives++};
}

static struct cdp_nccl_round *find(const struct cdp_nccl_world *world,
                                   const struct cdp_nccl_place *place) CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_round *round = world->rounds;
    while (round != NULL && memcmp(&round->place, place, sizeof *place) != 0) {
        round = round->next;
    }
    return round;
}

static struct cdp_nccl_round *find_or_make(struct cdp_nccl_world *world,
                                           const struct cdp_nccl_place *place)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_round *round = find(world, place);
    if (round != NULL) {
        return round;
    }
    int size = is_collective(place) ? world->size : 2;
    round = cdp_alloc_zero(sizeof *round + (size_t)size * sizeof round->ops[0]);
    if (round != NULL) {
        round->task.run = cdp_nccl_work;
        round->world = world;
        round->place = *place;
        round->size = size;
        round->next = world->rounds;
        world->rounds = round;
    }
    return round;
}

/* Says in text how the two ops differ; false: they fit. */
static bool differ(const struct cdp_nccl_op *op, const struct cdp_nccl_op *other, char *text,
                   size_t size)
{
    int rank = op->batch->comm->rank, other_rank = other->batch->comm->rank;
    size_t bytes = op->count * cdp_nccl_type_size(op->type);
    size_t other_bytes = other->count * cdp_nccl_type_size(other->type);
    if (!is_transfer(op) && op->kind != other->kind) {
        snprintf(text, size, "rank %d calls %s where rank %d calls %s", rank, op->call, other_rank,
                 other->call);
    } else if (is_transfer(op) ? bytes != other_bytes : op->count != other->count) {
        snprintf(text, size, "%s of rank %d has %zu %s, and %s of rank %d has %zu", op->call, rank,
                 is_transfer(op) ? bytes : op->count, is_transfer(op) ? "bytes" : "elements",
                 other->call, other_rank, is_transfer(op) ? other_bytes : other->count);
    } else if (op->type != other->type) {
        snprintf(text, size, "%s has the type %s at rank %d and %s at rank %d", op->call,
                 cdp_nccl_type_name(op->type), rank, cdp_nccl_type_name(other->type), other_rank);
    } else if (!is_transfer(op) && op->root != other->root) {
        snprintf(text, size, "%s has the root %d at rank %d and %d at rank %d", op->call, op->root,
                 rank, other->root, other_rank);
    } else if (op->op != other->op) {
        snprintf(text, size, "%s has different reductions at ranks %d and %d", op->call, rank,
                 other_rank);
    } else {
        return false;
    }
    return true;
}

/* A rank that the round needs and that has left; -1: none. */
static int missing_rank(const struct cdp_nccl_round *round) CDP_NEEDS(&cdp_nccl_all.lock)
{
    for (int rank = 0; rank < round->world->size; rank++) {
        if (round->world->has_left[rank] && waits_for(round, rank)) {
            return rank;
        }
    }
    return -1;
}

static ncclResult_t fail_world(struct cdp_nccl_world *world, ncclResult_t error, const char *text,
                               struct cdp_nccl_after *after) CDP_NEEDS(&cdp_nccl_all.lock)
{
    cdp_nccl_world_end(world, error == ncclInvalidArgument ? ncclInvalidUsage : error, text, after);
    return cdp_nccl_fail(error, "%s", text);
}

static ncclResult_t register_op(struct cdp_nccl_op *op, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_world *world = op->batch->comm->world;
    struct cdp_nccl_place place = place_of(op);
    struct cdp_nccl_round *round = find_or_make(world, &place);
    if (round == NULL) {
        return fail_world(world, ncclSystemError, "no memory for an operation", after);
    }
    const struct cdp_nccl_op *other = cdp_nccl_any_op(round);
    round->ops[is_collective(&place) ? op->batch->comm->rank : op->kind == CDP_NCCL_RECEIVE] = op;
    round->known++;
    op->round = round;
    op->batch->pending++;
    char text[CDP_NCCL_TEXT];
    if (other != NULL && differ(op, other, text, sizeof text)) {
        return fail_world(world, ncclInvalidArgument, text, after);
    }
    int missing = missing_rank(round);
    if (missing >= 0) {
        end_for_leaver(world, round, missing, "has ended", after);
        return cdp_nccl_again(ncclRemoteError, world->text);
    }
    return ncclSuccess;
}

ncclResult_t cdp_nccl_register(struct cdp_nccl_batch *batch, struct cdp_nccl_after *after)
{
    struct cdp_nccl_world *world = batch->comm->world;
    for (struct cdp_nccl_op *op = batch->first; op != NULL; op = op->next) {
        if (world->error != ncclSuccess) {
            return cdp_nccl_again(world->error, world->text);
        }
        cdp_nccl_call = op->call;
        ncclResult_t result = register_op(op, after);
        if (result != ncclSuccess) {
            return result;
        }
    }
    return ncclSuccess;
}

/* ---- Holds ---- */

/* The ops of the batch arrive. */
static bool begin(void *data, struct cdp_command *hold)
{
    struct cdp_nccl_batch *batch = *(struct cdp_nccl_batch **)data;
    struct cdp_nccl_after after = {NULL, NULL};
    cdp_lock_acquire(&cdp_nccl_all.lock);
    batch->hold = hold;
    for (struct cdp_nccl_op *op = batch->first; op != NULL; op = op->next) {
        if (is_transfer(op)) {
            arrive(op, &after);
        }
    }
    arrive_next(batch->first, &after);
    bool is_over = batch->pending == 0;
    if (is_over) {
        cdp_nccl_batch_free(batch);
    }
    cdp_lock_release(&cdp_nccl_all.lock);
    cdp_nccl_do_after(&after);
    return is_over;
}

ncclResult_t cdp_nccl_queue(struct cdp_nccl_batch *batch)
{
    struct cdp_stream_call call = {.begin = begin, .data = &batch, .size = sizeof batch};
    enum cdp_status status = cdp_stream_call(cdp_runtime_running()->streams, batch->stream, &call);
    if (status == CDP_OK) {
        return ncclSuccess;
    }
    struct cdp_nccl_after after = {NULL, NULL};
    cdp_lock_acquire(&cdp_nccl_all.lock);
    ncclResult_t result = fail_world(batch->comm->world, ncclSystemError,
                                     "an operation could not be queued in its stream", &after);
    cdp_nccl_batch_free(batch);
    cdp_lock_release(&cdp_nccl_all.lock);
    cdp_nccl_do_after(&after);
    return result;
}
