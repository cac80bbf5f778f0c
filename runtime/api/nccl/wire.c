/* What the messages of other processes mean. */
#include <stdio.h>
#include <string.h>

#include "api/nccl/net.h"
#include "base/alloc.h"

/* A message for a world that is not complete in this process yet. Life: until it is. */
struct early {
    struct early *next;
    struct cdp_nccl_message message;
    char text[]; /* its bytes, with a zero after them */
};

static struct early *all_early CDP_THREAD_SAFETY(guarded_by(cdp_nccl_all.lock));

static void keep(const struct cdp_nccl_message *message, const char *bytes)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct early *early = cdp_alloc_zero(sizeof *early + message->bytes + 1);
    if (early == NULL) {
        return;
    }
    early->message = *message;
    memcpy(early->text, bytes, message->bytes);
    struct early **link = &all_early;
    while (*link != NULL) {
        link = &(*link)->next;
    }
    *link = early;
}

static void end_world(struct cdp_nccl_world *world, const struct cdp_nccl_message *message,
                      const char *text, struct cdp_nccl_after *after) CDP_NEEDS(&cdp_nccl_all.lock)
{
    if (world->error == ncclSuccess && world->refs > 0) {
        cdp_nccl_print((ncclResult_t)message->error, text);
        world->is_told = true;
        cdp_nccl_world_end(world, (ncclResult_t)message->error, text, after);
    }
}

static void of_world(struct cdp_nccl_world *world, const struct cdp_nccl_message *message,
                     const char *bytes, struct cdp_nccl_after *after) CDP_NEEDS(&cdp_nccl_all.lock)
{
    bool is_rank = message->rank >= 0 && message->rank < world->size;
    switch (message->kind) {
    case CDP_NCCL_READY:
        cdp_nccl_remote_ready(world, message, after);
        break;
    case CDP_NCCL_SPLIT:
        if (is_rank) {
            struct cdp_nccl_part part = {.color = message->split.color, .key = message->split.key};
            (void)cdp_nccl_split_add(world, message->split.number, message->rank, &part, after);
        }
        break;
    case CDP_NCCL_LEAVE:
        if (is_rank) {
            cdp_nccl_rank_leaves(world, message->rank, bytes, after);
            cdp_nccl_world_release(world);
        }
        break;
    case CDP_NCCL_END:
        end_world(world, message, bytes, after);
        break;
    default:
        break;
    }
}

void cdp_nccl_received(struct cdp_nccl_peer *from, const struct cdp_nccl_message *message,
                       const char *bytes, struct cdp_nccl_after *after)
{
    struct cdp_os_address address;
    struct cdp_nccl_world *world;
    (void)from; /* each message has all that it needs */
    switch (message->kind) {
    case CDP_NCCL_REGISTER:
        if (message->bytes == sizeof address) {
            memcpy(&address, bytes, sizeof address);
            cdp_nccl_root_register(message, &address, after);
        }
        break;
    case CDP_NCCL_TABLE:
        if (message->size > 0 &&
            message->bytes == (size_t)message->size * sizeof(struct cdp_os_address)) {
            cdp_nccl_table(message->world, (const struct cdp_os_address *)(const void *)bytes,
                           message->size, after);
        }
        break;
    case CDP_NCCL_REFUSED:
        cdp_nccl_refused(message->world, (ncclResult_t)message->error, bytes);
        break;
    default:
        world = cdp_nccl_world_find(message->world);
        if (world == NULL || world->joined < world->local) {
            keep(message, bytes);
        } else {
            of_world(world, message, bytes, after);
        }
    }
}

void cdp_nccl_replay(struct cdp_nccl_world *world, struct cdp_nccl_after *after)
{
    uint64_t id = world->id;
    struct early **link = &all_early;
    while (*link != NULL) {
        struct early *early = *link;
        if (early->message.world != id) {
            link = &early->next;
            continue;
        }
        *link = early->next;
        of_world(world, &early->message, early->text, after);
        cdp_free(early);
        link = &all_early;
    }
}

void cdp_nccl_send_all(struct cdp_nccl_world *world, const struct cdp_nccl_message *like,
                       const void *bytes)
{
    struct cdp_nccl_message message = *like;
    message.world = world->id;
    for (int i = 0; i < world->size; i++) {
        bool is_first = world->peers[i] != NULL;
        for (int k = 0; k < i && is_first; k++) {
            is_first = world->peers[k] != world->peers[i];
        }
        if (is_first) {
            (void)!cdp_nccl_send(world->peers[i], &message, bytes, NULL);
        }
    }
}

/* The ranks of the process. Those that have left before do not matter. */
static void leave_world(struct cdp_nccl_world *world, const struct cdp_nccl_peer *peer,
                        struct cdp_nccl_after *after) CDP_NEEDS(&cdp_nccl_all.lock)
{
    char text[CDP_NCCL_TEXT], where[CDP_OS_ADDRESS_TEXT];
    cdp_nccl_peer_text(peer, where);
    for (const struct cdp_nccl_round *round = world->rounds; round != NULL; round = round->next) {
        if (world->error == ncclSuccess && cdp_nccl_remote_needs(round, peer)) {
            const struct cdp_nccl_op *op = cdp_nccl_any_op(round);
            snprintf(text, sizeof text,
                     "%s of rank %d waits for data of the process at %s, which has ended", op->call,
                     op->batch->comm->rank, where);
            cdp_nccl_print(ncclRemoteError, text);
            cdp_nccl_world_end(world, ncclRemoteError, text, after);
            break;
        }
    }
    snprintf(text, sizeof text, "was in the process at %s, which has ended", where);
    for (int rank = 0; rank < world->size; rank++) {
        if (world->peers[rank] == peer && !world->has_left[rank]) {
            cdp_nccl_rank_leaves(world, rank, text, after);
        }
    }
}

void cdp_nccl_peer_died(struct cdp_nccl_peer *peer, struct cdp_nccl_after *after)
{
    cdp_nccl_root_died(peer);
    struct cdp_nccl_world *next;
    for (struct cdp_nccl_world *world = cdp_nccl_all.worlds; world != NULL; world = next) {
        next = world->next;
        leave_world(world, peer, after);
        struct cdp_nccl_round *round = world->rounds;
        while (round != NULL) { /* the end of one may be the end of others */
            round = cdp_nccl_remote_check(round, after) ? world->rounds : round->next;
        }
        cdp_nccl_world_release(world);
    }
}
