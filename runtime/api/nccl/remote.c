/* Rounds whose ranks are in several processes.
 *
 * Slice i of a round belongs to rank i: the process of this rank, its owner, gets the elements of
 * all sources, combines them in the order of the ranks, and sends the result to the processes that
 * have targets. So each process sends and receives little more than twice its data, as in a ring,
 * and the result does not depend on the processes. Slices with a single source, a rank that also
 * owns them, are sent to the targets directly.
 *
 * A READY message says that an op has arrived. A process sends data when it has the READY of all
 * ops: so the memory of all receivers is ready, and all ops fit together. */
#include <stdio.h>
#include <string.h>

#include "api/nccl/net.h"
#include "api/nccl/shape.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "exec/report/guard.h"

/* A slice as this process sees it. Life: from the arrival of the last op of this process until the
 * round is over. Constant then, but for what is under the lock. */
struct part {
    struct cdp_engine_task task; /* first; of the computation below */
    struct cdp_nccl_round *round;
    int number;
    struct cdp_nccl_slice slice;
    int owner;       /* as index of ops */
    bool is_owner;   /* this process has it */
    bool has_source; /* a single source, which is of this process */
    struct cdp_nccl_move move;
    struct cdp_nccl_operand *operands; /* owned */
    char **targets;                    /* of this process; owned */
    char **buffers;                    /* by index: for data of other sources; owned, also each */
    char *result;                      /* where the owner has the result, or gets it */
    char *own_result;                  /* owned: result, if no target is in this process */
    /* Under the lock: */
    bool *has;       /* by index: the data of a source has come; owned */
    int missing;     /* data messages that have not come */
    bool has_result; /* all targets of this process have it */
    bool is_done;    /* and others were sent it */
};

struct cdp_nccl_remote_parts {
    int count;
    struct part parts[];
};

static size_t size_of(const struct part *part)
{
    return cdp_nccl_type_size(part->move.reduction.type);
}

static size_t bytes_of(const struct part *part)
{
    return part->slice.count * size_of(part);
}

static int rank_of(const struct cdp_nccl_round *round, int index)
{
    bool is_collective = round->place.from < 0;
    return is_collective ? index : index == 0 ? round->place.from : round->place.to;
}

/* NULL: this process. */
static struct cdp_nccl_peer *peer_of(const struct cdp_nccl_round *round, int index)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    return round->world->peers[rank_of(round, index)];
}

static bool takes_part(int which, int index)
{
    return which == CDP_NCCL_ALL || which == index;
}

/* ---- Preparation ---- */

static void free_part(struct part *part, int size)
{
    for (int i = 0; i < size && part->buffers != NULL; i++) {
        cdp_free(part->buffers[i]);
    }
    cdp_free(part->buffers);
    cdp_free(part->operands);
    cdp_free(part->targets);
    cdp_free(part->has);
    cdp_free(part->own_result);
}

void cdp_nccl_remote_free(struct cdp_nccl_round *round)
{
    struct cdp_nccl_remote_parts *parts = round->remote->parts;
    for (int i = 0; parts != NULL && i < parts->count; i++) {
        free_part(&parts->parts[i], round->size);
    }
    cdp_free(parts);
    cdp_free(round->remote);
}

static bool allocate(struct part *part, int size)
{
    part->operands = cdp_alloc_zero((size_t)size * sizeof *part->operands);
    part->targets = cdp_alloc_zero((size_t)size * sizeof(char *));
    part->buffers = cdp_alloc_zero((size_t)size * sizeof(char *));
    part->has = cdp_alloc_zero((size_t)size * sizeof(bool));
    return part->operands != NULL && part->targets != NULL && part->buffers != NULL &&
           part->has != NULL;
}

/* The targets in this process, and where the result lies. */
static bool prepare_targets(struct part *part) CDP_NEEDS(&cdp_nccl_all.lock)
{
    const struct cdp_nccl_round *round = part->round;
    struct cdp_nccl_move *move = &part->move;
    for (int i = 0; i < round->size; i++) {
        if (takes_part(part->slice.target, i) && peer_of(round, i) == NULL) {
            part->targets[move->target_count++] =
                round->ops[i]->to + part->slice.to_at * size_of(part);
        }
    }
    if (move->target_count == 0 && part->is_owner && move->combines) {
        part->own_result = cdp_alloc(bytes_of(part));
        part->targets[move->target_count++] = part->own_result;
    }
    part->result = move->target_count > 0 ? part->targets[0] : NULL;
    return part->result != NULL || move->target_count == 0;
}

/* The sources: memory of this process, or a buffer for what comes. */
static bool prepare_sources(struct part *part) CDP_NEEDS(&cdp_nccl_all.lock)
{
    const struct cdp_nccl_round *round = part->round;
    struct cdp_nccl_move *move = &part->move;
    if (!move->combines) {
        part->missing = !part->has_source && move->target_count > 0;
        if (part->has_source) {
            const struct cdp_nccl_op *op = round->ops[part->slice.source];
            part->result = (char *)(uintptr_t)op->from + part->slice.from_at * size_of(part);
        }
        part->operands[0].from = part->result;
        return true;
    }
    for (int i = 0; i < round->size && part->is_owner; i++) {
        struct cdp_nccl_operand *operand = &part->operands[move->operand_count++];
        operand->scale = &round->facts[i].scale;
        if (peer_of(round, i) == NULL) {
            operand->from = round->ops[i]->from + part->slice.from_at * size_of(part);
            continue;
        }
        part->missing++;
        operand->from = part->buffers[i] = cdp_alloc(bytes_of(part));
        if (operand->from == NULL) {
            return false;
        }
    }
    if (!part->is_owner) { /* it only copies the result */
        part->missing = move->target_count > 0;
        move->combines = false;
        move->operand_count = 1;
        part->operands[0].from = part->result;
    }
    return true;
}

static void run(struct cdp_engine_task *task);

static bool prepare_part(struct part *part, struct cdp_nccl_round *round, int number)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    const struct cdp_nccl_op *op = cdp_nccl_any_op(round);
    int ranks = round->world->size;
    part->task.run = run;
    part->round = round;
    part->number = number;
    part->slice = cdp_nccl_slice(op, ranks, number);
    bool is_single = part->slice.source != CDP_NCCL_ALL;
    part->owner = is_single && op->kind != CDP_NCCL_BROADCAST ? part->slice.source : number;
    part->is_owner = peer_of(round, part->owner) == NULL;
    part->has_source = is_single && peer_of(round, part->slice.source) == NULL;
    part->move = (struct cdp_nccl_move){.reduction = {op->type, op->op, ranks},
                                        .combines = !is_single,
                                        .operand_count = is_single,
                                        .count = part->slice.count};
    if (part->slice.count == 0) {
        part->has_result = part->is_done = true;
        return true;
    }
    if (!allocate(part, round->size) || !prepare_targets(part) || !prepare_sources(part)) {
        return false;
    }
    part->move.operands = part->operands;
    part->move.targets = part->targets;
    part->has_result = part->move.target_count == 0 && part->missing == 0 && !part->has_source;
    part->is_done = part->has_result && !part->is_owner;
    return true;
}

static bool prepare(struct cdp_nccl_round *round) CDP_NEEDS(&cdp_nccl_all.lock)
{
    int count = cdp_nccl_slice_count(cdp_nccl_any_op(round), round->world->size);
    struct cdp_nccl_remote_parts *parts =
        cdp_alloc_zero(sizeof *parts + (size_t)count * sizeof parts->parts[0]);
    round->remote->parts = parts;
    if (parts == NULL) {
        return false;
    }
    parts->count = count;
    for (int i = 0; i < count; i++) {
        if (!prepare_part(&parts->parts[i], round, i)) {
            return false;
        }
    }
    return true;
}

/* ---- Progress ---- */

static void send_data(struct part *part, int to, int from, const char *bytes)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_round *round = part->round;
    struct cdp_nccl_message message = {.kind = CDP_NCCL_DATA,
                                       .world = round->world->id,
                                       .bytes = bytes_of(part),
                                       .place = round->place,
                                       .rank = from,
                                       .slice = part->number};
    if (!cdp_nccl_send(peer_of(round, to), &message, bytes, round)) {
        round->remote->failed = true;
    }
}

/* The owner sends the result once to each process with a target; not to that of a single source,
 * which has it. */
static void publish(struct part *part) CDP_NEEDS(&cdp_nccl_all.lock)
{
    const struct cdp_nccl_round *round = part->round;
    const struct cdp_nccl_peer *source =
        part->slice.source == CDP_NCCL_ALL ? NULL : peer_of(round, part->slice.source);
    for (int i = 0; i < round->size && part->is_owner; i++) {
        const struct cdp_nccl_peer *peer = peer_of(round, i);
        bool is_first = takes_part(part->slice.target, i) && peer != NULL && peer != source;
        for (int k = 0; k < i && is_first; k++) {
            is_first = !takes_part(part->slice.target, k) || peer_of(round, k) != peer;
        }
        if (is_first) {
            send_data(part, i, CDP_NCCL_ALL, part->result);
        }
    }
    part->is_done = true;
}

static void advance(struct part *part) CDP_NEEDS(&cdp_nccl_all.lock)
{
    if (part->has_result && part->round->remote->has_gone && !part->is_done) {
        publish(part);
    }
}

/* The elements are combined, or copied to the other targets. */
static void start_task(struct part *part, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    part->round->remote->tasks++;
    part->task.internal[0] = after->tasks; /* as long as it is not queued */
    after->tasks = &part->task;
}

static void end_if_dead(struct cdp_nccl_round *round, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    if (round->remote->tasks == 0) {
        cdp_nccl_round_over(round, after);
    }
}

static void run(struct cdp_engine_task *task)
{
    struct part *part = (struct part *)(void *)task;
    struct cdp_nccl_round *round = part->round;
    struct cdp_nccl_move move = part->move;
    char **targets = part->targets;
    if (!move.combines && move.target_count > 0 && targets[0] == part->result) {
        move.targets++; /* it is there already */
        move.target_count--;
    }
    /* Offsets are in the addresses. */
    const void *address = cdp_nccl_run_moves(&move, 1);
    if (address != NULL) {
        cdp_nccl_fault(round, address);
    }
    struct cdp_nccl_after after = {NULL, NULL, NULL};
    cdp_lock_acquire(&cdp_nccl_all.lock);
    round->remote->tasks--;
    if (round->remote->is_dead) {
        end_if_dead(round, &after);
    } else {
        part->has_result = true;
        advance(part);
        (void)cdp_nccl_remote_check(round, &after);
    }
    cdp_lock_release(&cdp_nccl_all.lock);
    cdp_nccl_do_after(&after);
}

/* All data of the part is here. */
static void complete(struct part *part, struct cdp_nccl_after *after) CDP_NEEDS(&cdp_nccl_all.lock)
{
    if (part->move.combines || part->move.target_count > (part->has_source ? 0 : 1)) {
        start_task(part, after);
    } else {
        part->has_result = true;
        advance(part);
    }
}

/* All ops have arrived: the data of this process is sent. */
static void go(struct cdp_nccl_round *round, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_remote_parts *parts = round->remote->parts;
    round->remote->has_gone = true;
    for (int i = 0; i < parts->count; i++) {
        struct part *part = &parts->parts[i];
        for (int k = 0; k < round->size && !part->is_owner && part->slice.count > 0; k++) {
            if (takes_part(part->slice.source, k) && peer_of(round, k) == NULL) {
                const char *from = round->ops[k]->from + part->slice.from_at * size_of(part);
                send_data(part, part->owner, k, from);
            }
        }
        if (part->has_source && part->slice.count > 0) {
            complete(part, after);
        } else {
            advance(part);
        }
    }
}

bool cdp_nccl_remote_check(struct cdp_nccl_round *round, struct cdp_nccl_after *after)
{
    struct cdp_nccl_remote *remote = round->remote;
    if (remote == NULL || remote->is_dead) {
        return false;
    }
    if (remote->failed) {
        cdp_nccl_world_end(round->world, ncclSystemError, "no memory for messages", after);
        return true;
    }
    bool is_done = remote->has_gone && remote->unsent == 0 && remote->tasks == 0;
    for (int i = 0; is_done && i < remote->parts->count; i++) {
        is_done = remote->parts->parts[i].is_done;
    }
    if (is_done) {
        cdp_nccl_note_end(round);
        cdp_nccl_round_over(round, after);
    }
    return is_done;
}

static void try_go(struct cdp_nccl_round *round, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    if (round->arrived == round->local && round->ready == round->size - round->local &&
        !round->remote->has_gone) {
        go(round, after);
        (void)cdp_nccl_remote_check(round, after);
    }
}

/* ---- Events ---- */

static void read_scale(void *data)
{
    struct cdp_nccl_fact *fact = data;
    const void *from = fact->device_scale;
    fact->scale = 0;
    memcpy(&fact->scale, from, cdp_nccl_type_size((ncclDataType_t)fact->type));
}

static void send_ready(struct cdp_nccl_round *round, int index) CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_message message = {.kind = CDP_NCCL_READY,
                                       .world = round->world->id,
                                       .place = round->place,
                                       .rank = index,
                                       .fact = round->facts[index]};
    if (round->place.from < 0) {
        cdp_nccl_send_all(round->world, &message, NULL);
    } else if (!cdp_nccl_send(peer_of(round, 1 - index), &message, NULL, NULL)) {
        round->remote->failed = true;
    }
}

static bool all_live(const struct cdp_nccl_round *round) CDP_NEEDS(&cdp_nccl_all.lock)
{
    for (int i = 0; i < round->size; i++) {
        const struct cdp_nccl_peer *peer = peer_of(round, i);
        if (peer != NULL && cdp_nccl_peer_is_dead(peer)) {
            return false;
        }
    }
    return true;
}

void cdp_nccl_remote_arrive(struct cdp_nccl_round *round, const struct cdp_nccl_op *op,
                            struct cdp_nccl_after *after)
{
    int index = 0;
    while (round->ops[index] != op) {
        index++;
    }
    struct cdp_nccl_fact *fact = &round->facts[index];
    const void *address;
    if (fact->device_scale != NULL && !cdp_guard_run(read_scale, fact, &address)) {
        cdp_nccl_fault(round, address);
    }
    if (round->arrived == round->local) {
        if (!all_live(round) || !prepare(round)) {
            bool is_live = all_live(round);
            cdp_nccl_world_end(round->world, is_live ? ncclSystemError : ncclRemoteError,
                               is_live ? "no memory for an operation of several processes"
                                       : "a process of the communicator has ended",
                               after);
            return;
        }
        cdp_nccl_note_start(round);
    }
    send_ready(round, index);
    try_go(round, after);
}

void cdp_nccl_remote_ready(struct cdp_nccl_world *world, const struct cdp_nccl_message *message,
                           struct cdp_nccl_after *after)
{
    struct cdp_nccl_round *round = world->error == ncclSuccess && world->refs > 0
                                       ? cdp_nccl_round_at(world, &message->place)
                                       : NULL;
    if (round == NULL || message->rank < 0 || message->rank >= round->size ||
        round->facts[message->rank].is_known) {
        return;
    }
    struct cdp_nccl_fact fact = message->fact;
    fact.device_scale = NULL;
    fact.is_known = true;
    if (cdp_nccl_add_fact(round, message->rank, &fact, after)) {
        round->ready++;
        try_go(round, after);
    }
}

static struct part *part_of(const struct cdp_nccl_message *message, struct cdp_nccl_round *round)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    bool has_parts = round != NULL && round->remote != NULL && !round->remote->is_dead &&
                     round->remote->parts != NULL;
    if (!has_parts || message->slice < 0 || message->slice >= round->remote->parts->count) {
        return NULL;
    }
    struct part *part = &round->remote->parts->parts[message->slice];
    return message->rank < round->size && message->bytes == bytes_of(part) && part->missing > 0
               ? part
               : NULL;
}

char *cdp_nccl_remote_target(const struct cdp_nccl_message *message, struct cdp_nccl_round **round)
{
    const struct cdp_nccl_world *world = cdp_nccl_world_find(message->world);
    *round = world != NULL ? cdp_nccl_round_find(world, &message->place) : NULL;
    const struct part *part = part_of(message, *round);
    if (part == NULL) {
        *round = NULL;
        return NULL;
    }
    return message->rank >= 0 && part->move.combines ? part->buffers[message->rank] : part->result;
}

void cdp_nccl_remote_data(struct cdp_nccl_round *round, const struct cdp_nccl_message *message,
                          struct cdp_nccl_after *after)
{
    struct part *part = part_of(message, round);
    if (part == NULL) {
        return;
    }
    if (message->rank >= 0) {
        part->has[message->rank] = true;
    }
    if (--part->missing == 0) {
        complete(part, after);
        (void)cdp_nccl_remote_check(round, after);
    }
}

bool cdp_nccl_remote_needs(const struct cdp_nccl_round *round, const struct cdp_nccl_peer *peer)
{
    const struct cdp_nccl_remote_parts *parts = round->remote != NULL ? round->remote->parts : NULL;
    for (int i = 0; parts != NULL && i < parts->count; i++) {
        const struct part *part = &parts->parts[i];
        if (part->missing > 0 && !part->is_owner && peer_of(round, part->owner) == peer) {
            return true;
        }
        for (int k = 0; k < round->size && part->missing > 0 && part->is_owner; k++) {
            if (takes_part(part->slice.source, k) && !part->has[k] && peer_of(round, k) == peer) {
                return true;
            }
        }
    }
    return false;
}

bool cdp_nccl_remote_runs(const struct cdp_nccl_round *round)
{
    return round->remote != NULL && round->remote->tasks > 0;
}
