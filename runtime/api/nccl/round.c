/* Rounds and batches. */
#include "api/nccl/round.h"

#include <stdio.h>
#include <string.h>

#include "api/nccl/net.h"
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
    while (after->tasks != NULL) {
        struct cdp_engine_task *task = after->tasks;
        after->tasks = task->internal[0];
        cdp_engine_run_task(cdp_runtime_running()->engine, task);
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
    if (round == NULL || round->world->error != ncclSuccess) {
        return;
    }
    round->arrived++;
    if (round->remote != NULL) {
        cdp_nccl_remote_arrive(round, op, after);
    } else if (round->arrived == round->size) {
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

static void free_round(struct cdp_nccl_round *round) CDP_NEEDS(&cdp_nccl_all.lock)
{
    if (round->remote != NULL) {
        cdp_nccl_remote_free(round);
    }
    cdp_free(round->facts);
    cdp_free(round);
}

void cdp_nccl_round_over(struct cdp_nccl_round *round, struct cdp_nccl_after *after)
{
    struct cdp_nccl_round **link = &round->world->rounds;
    while (*link != round) {
        link = &(*link)->next;
    }
    *link = round->next;
    if (round->remote != NULL) {
        cdp_nccl_net_forget(round);
    }
    for (int i = 0; i < round->size; i++) {
        if (round->ops[i] != NULL) {
            op_is_over(round->ops[i], after);
        }
    }
    free_round(round);
}

void cdp_nccl_round_done(struct cdp_nccl_round *round)
{
    struct cdp_nccl_after after = {NULL, NULL, NULL};
    cdp_lock_acquire(&cdp_nccl_all.lock);
    cdp_nccl_round_over(round, &after);
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
    if (!world->is_told) {
        struct cdp_nccl_message message = {
            .kind = CDP_NCCL_END, .error = (int)error, .bytes = strlen(world->text)};
        world->is_told = true;
        cdp_nccl_send_all(world, &message, world->text);
    }
    cdp_nccl_splits_end(world, error);
    struct cdp_nccl_round *next;
    for (struct cdp_nccl_round *round = world->rounds; round != NULL; round = next) {
        next = round->next;
        if (cdp_nccl_remote_runs(round)) {
            round->remote->is_dead = true;
            cdp_nccl_net_forget(round);
        } else if (!round->runs) {
            cdp_nccl_round_over(round, after);
        }
    }
}

/* Whether the round needs the rank, which has not made its call. */
static bool waits_for(const struct cdp_nccl_round *round, int rank)
{
    const struct cdp_nccl_place *place = &round->place;
    if (is_collective(place)) {
        return !round->facts[rank].is_known;
    }
    return (place->from == rank && !round->facts[0].is_known) ||
           (place->to == rank && !round->facts[1].is_known);
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

void cdp_nccl_end_split(struct cdp_nccl_world *world, const struct cdp_nccl_split *split, int rank,
                        const char *how, struct cdp_nccl_after *after)
{
    char text[CDP_NCCL_TEXT];
    snprintf(text, sizeof text, "%s waits for rank %d, whose communicator %s",
             cdp_nccl_split_call(split), rank, how);
    cdp_nccl_print(ncclRemoteError, text);
    cdp_nccl_world_end(world, ncclRemoteError, text, after);
}

void cdp_nccl_rank_leaves(struct cdp_nccl_world *world, int rank, const char *how,
                          struct cdp_nccl_after *after)
{
    world->has_left[rank] = true;
    for (const struct cdp_nccl_split *split = world->splits; split != NULL; split = split->next) {
        if (cdp_nccl_split_waits(world, split, rank)) {
            cdp_nccl_end_split(world, split, rank, how, after);
            return;
        }
    }
    for (const struct cdp_nccl_round *round = world->rounds; round != NULL; round = round->next) {
        if (!round->runs && cdp_nccl_any_op(round) != NULL && waits_for(round, rank)) {
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

struct cdp_nccl_round *cdp_nccl_round_find(const struct cdp_nccl_world *world,
                                           const struct cdp_nccl_place *place)
{
    struct cdp_nccl_round *round = world->rounds;
    while (round != NULL && memcmp(&round->place, place, sizeof *place) != 0) {
        round = round->next;
    }
    return round;
}

/* How many ops of the place are of this process. */
static int count_local(const struct cdp_nccl_world *world, const struct cdp_nccl_place *place)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    return is_collective(place)
               ? world->local
               : (world->peers[place->from] == NULL) + (world->peers[place->to] == NULL);
}

static bool is_rank(const struct cdp_nccl_world *world, int rank)
{
    return rank >= 0 && rank < world->size;
}

struct cdp_nccl_round *cdp_nccl_round_at(struct cdp_nccl_world *world,
                                         const struct cdp_nccl_place *place)
{
    struct cdp_nccl_round *round = cdp_nccl_round_find(world, place);
    if (round != NULL ||
        (!is_collective(place) && (!is_rank(world, place->from) || !is_rank(world, place->to)))) {
        return round;
    }
    int size = is_collective(place) ? world->size : 2;
    round = cdp_alloc_zero(sizeof *round + (size_t)size * sizeof round->ops[0]);
    if (round == NULL) {
        return NULL;
    }
    round->task.run = cdp_nccl_work;
    round->world = world;
    round->place = *place;
    round->size = size;
    round->local = count_local(world, place);
    round->facts = cdp_alloc_zero((size_t)size * sizeof round->facts[0]);
    if (round->local < size) {
        round->remote = cdp_alloc_zero(sizeof *round->remote);
    }
    if (round->facts == NULL || (round->local < size && round->remote == NULL)) {
        free_round(round);
        return NULL;
    }
    round->next = world->rounds;
    world->rounds = round;
    return round;
}

static const char *name_of(int kind)
{
    static const char *const names[] = {[CDP_NCCL_ALL_REDUCE] = "ncclAllReduce",
                                        [CDP_NCCL_REDUCE] = "ncclReduce",
                                        [CDP_NCCL_BROADCAST] = "ncclBroadcast",
                                        [CDP_NCCL_ALL_GATHER] = "ncclAllGather",
                                        [CDP_NCCL_SEND] = "ncclSend",
                                        [CDP_NCCL_REDUCE_SCATTER] = "ncclReduceScatter",
                                        [CDP_NCCL_RECEIVE] = "ncclRecv"};
    return kind >= 0 && kind <= CDP_NCCL_RECEIVE ? names[kind] : "an unknown operation";
}

/* A fact and its rank. */
struct member {
    const struct cdp_nccl_fact *fact;
    int rank;
};

/* Says in text how the two differ; false: they fit. */
static bool differ(const struct member *one, const struct member *two, char *text, size_t size)
{
    const struct cdp_nccl_fact *a = one->fact, *b = two->fact;
    const char *call = name_of(a->kind), *other = name_of(b->kind);
    bool moves = a->kind >= CDP_NCCL_SEND;
    size_t count = a->count * (moves ? cdp_nccl_type_size((ncclDataType_t)a->type) : 1);
    size_t other_count = b->count * (moves ? cdp_nccl_type_size((ncclDataType_t)b->type) : 1);
    if (!moves && a->kind != b->kind) {
        snprintf(text, size, "rank %d calls %s where rank %d calls %s", one->rank, call, two->rank,
                 other);
    } else if (count != other_count) {
        snprintf(text, size, "%s of rank %d has %zu %s, and %s of rank %d has %zu", call, one->rank,
                 count, moves ? "bytes" : "elements", other, two->rank, other_count);
    } else if (a->type != b->type && !moves) {
        snprintf(text, size, "%s has the type %s at rank %d and %s at rank %d", call,
                 cdp_nccl_type_name((ncclDataType_t)a->type), one->rank,
                 cdp_nccl_type_name((ncclDataType_t)b->type), two->rank);
    } else if (!moves && a->root != b->root) {
        snprintf(text, size, "%s has the root %d at rank %d and %d at rank %d", call, a->root,
                 one->rank, b->root, two->rank);
    } else if (a->op != b->op) {
        snprintf(text, size, "%s has different reductions at ranks %d and %d", call, one->rank,
                 two->rank);
    } else {
        return false;
    }
    return true;
}

/* Stores the fact. Says in text why it does not fit another one; false: it fits. */
static bool add_fact(struct cdp_nccl_round *round, int index, const struct cdp_nccl_fact *fact,
                     char *text, size_t size) CDP_NEEDS(&cdp_nccl_all.lock)
{
    int other = 0;
    while (other < round->size && !round->facts[other].is_known) {
        other++;
    }
    round->facts[index] = *fact;
    if (other == round->size) {
        return false;
    }
    const int ends[] = {round->place.from, round->place.to};
    bool is_of_all = is_collective(&round->place);
    struct member one = {fact, is_of_all ? index : ends[index]};
    struct member two = {&round->facts[other], is_of_all ? other : ends[other]};
    return differ(&one, &two, text, size);
}

bool cdp_nccl_add_fact(struct cdp_nccl_round *round, int index, const struct cdp_nccl_fact *fact,
                       struct cdp_nccl_after *after)
{
    char text[CDP_NCCL_TEXT];
    if (!add_fact(round, index, fact, text, sizeof text)) {
        return true;
    }
    cdp_nccl_print(ncclInvalidUsage, text);
    cdp_nccl_world_end(round->world, ncclInvalidUsage, text, after);
    return false;
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
    struct cdp_nccl_round *round = cdp_nccl_round_at(world, &place);
    if (round == NULL) {
        return fail_world(world, ncclSystemError, "no memory for an operation", after);
    }
    int index = is_collective(&place) ? op->batch->comm->rank : op->kind == CDP_NCCL_RECEIVE;
    struct cdp_nccl_fact fact = {.is_known = true,
                                 .kind = (int)op->kind,
                                 .type = (int)op->type,
                                 .op = op->op,
                                 .root = op->root,
                                 .count = op->count,
                                 .device_scale = op->scale.device,
                                 .scale = op->scale.value};
    round->ops[index] = op;
    op->round = round;
    op->batch->pending++;
    char text[CDP_NCCL_TEXT];
    if (add_fact(round, index, &fact, text, sizeof text)) {
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
    struct cdp_nccl_after after = {NULL, NULL, NULL};
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
    struct cdp_nccl_after after = {NULL, NULL, NULL};
    cdp_lock_acquire(&cdp_nccl_all.lock);
    ncclResult_t result = fail_world(batch->comm->world, ncclSystemError,
                                     "an operation could not be queued in its stream", &after);
    cdp_nccl_batch_free(batch);
    cdp_lock_release(&cdp_nccl_all.lock);
    cdp_nccl_do_after(&after);
    return result;
}
