/* Messages between processes.
 *
 * A process has one listening socket, whose address is its name, and one thread that moves all
 * bytes. It starts with the first ncclGetUniqueId or ncclCommInitRank. A connection has one
 * direction: a process sends to a peer by the connection that it made itself, and receives by the
 * one that the peer made. So two processes never make a connection twice, and the order of messages
 * from one to the other is that in which they were queued.
 *
 * Everything here needs the lock, but for cdp_nccl_flush. */
#ifndef CDP_API_NCCL_NET_H
#define CDP_API_NCCL_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/nccl/round.h"
#include "os/network.h"

enum cdp_nccl_message_kind {
    CDP_NCCL_HELLO,    /* the first of a connection; followed by the sender's address */
    CDP_NCCL_REGISTER, /* a rank registers with the process that made the id; its address */
    CDP_NCCL_TABLE,    /* all ranks have registered; the address of each */
    CDP_NCCL_REFUSED,  /* the ranks do not fit together; a text */
    CDP_NCCL_READY,    /* an op has arrived */
    CDP_NCCL_DATA,     /* elements of a slice */
    CDP_NCCL_SPLIT,    /* a rank calls ncclCommSplit */
    CDP_NCCL_LEAVE,    /* a rank makes no calls any more */
    CDP_NCCL_END,      /* the world has ended; a text */
};

/* The head of a message; so many bytes follow. All machines of a world have the same byte order and
 * the same version of this struct. */
struct cdp_nccl_message {
    uint32_t magic; /* set by cdp_nccl_send */
    uint32_t kind;
    uint64_t world; /* its id */
    uint64_t bytes;
    struct cdp_nccl_place place; /* READY, DATA */
    int32_t rank;                /* of the sender; DATA: CDP_NCCL_ALL for a result */
    int32_t slice;               /* DATA */
    union {
        struct cdp_nccl_fact fact; /* READY */
        struct {
            int32_t color, key;
            uint64_t number;
        } split;
        int32_t size;  /* REGISTER, TABLE: number of ranks */
        int32_t error; /* END */
    };
};

/* Another process. Life: for ever, because its address may be used again by messages. */
struct cdp_nccl_peer;

/* Starts the thread. False, after a message: there is no network. */
bool cdp_nccl_net_start(void) CDP_NEEDS(&cdp_nccl_all.lock);
/* This process's address. */
const struct cdp_os_address *cdp_nccl_net_address(void) CDP_NEEDS(&cdp_nccl_all.lock);
/* The process at the address; NULL: no memory. */
struct cdp_nccl_peer *cdp_nccl_peer_at(const struct cdp_os_address *address)
    CDP_NEEDS(&cdp_nccl_all.lock);
bool cdp_nccl_peer_is_dead(const struct cdp_nccl_peer *peer) CDP_NEEDS(&cdp_nccl_all.lock);
void cdp_nccl_peer_text(const struct cdp_nccl_peer *peer, char out[CDP_OS_ADDRESS_TEXT]);

/* Queues a message. The bytes after it are copied, or, if a round is given, borrowed: until they
 * are sent, which counts down round->remote->unsent, or until cdp_nccl_net_forget. False: no
 * memory. */
bool cdp_nccl_send(struct cdp_nccl_peer *peer, const struct cdp_nccl_message *message,
                   const void *bytes, struct cdp_nccl_round *round) CDP_NEEDS(&cdp_nccl_all.lock);
/* No message refers to the memory of the round any more. */
void cdp_nccl_net_forget(struct cdp_nccl_round *round) CDP_NEEDS(&cdp_nccl_all.lock);

/* Waits until all messages were sent, so that the process may end. The lock is not held. */
void cdp_nccl_flush(void);

/* ---- What the messages mean (wire.c) ---- */

/* A message has come, with its bytes. */
void cdp_nccl_received(struct cdp_nccl_peer *from, const struct cdp_nccl_message *message,
                       const char *bytes, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock);
/* The process has ended, or cannot be reached. */
void cdp_nccl_peer_died(struct cdp_nccl_peer *peer, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock);
/* Sends to all other processes of the world. */
void cdp_nccl_send_all(struct cdp_nccl_world *world, const struct cdp_nccl_message *message,
                       const void *bytes) CDP_NEEDS(&cdp_nccl_all.lock);
/* The world is complete in this process: messages that came earlier count now. */
void cdp_nccl_replay(struct cdp_nccl_world *world, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock);

/* ---- Registration (root.c) ---- */

/* This process is the root of a new id. */
bool cdp_nccl_root_new(uint64_t id) CDP_NEEDS(&cdp_nccl_all.lock);
void cdp_nccl_root_register(const struct cdp_nccl_message *message,
                            const struct cdp_os_address *from, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock);
/* The rank of this process waits for the table of its id. False, after a message: it cannot. */
bool cdp_nccl_join(struct cdp_nccl_comm *comm, uint64_t id, int size,
                   const struct cdp_os_address *root, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock);
void cdp_nccl_table(uint64_t id, const struct cdp_os_address *addresses, int size,
                    struct cdp_nccl_after *after) CDP_NEEDS(&cdp_nccl_all.lock);
void cdp_nccl_refused(uint64_t id, ncclResult_t error, const char *text)
    CDP_NEEDS(&cdp_nccl_all.lock);
void cdp_nccl_root_died(const struct cdp_nccl_peer *peer) CDP_NEEDS(&cdp_nccl_all.lock);

/* ---- Rounds of several processes (remote.c) ---- */

/* The op of this process has arrived. */
void cdp_nccl_remote_arrive(struct cdp_nccl_round *round, const struct cdp_nccl_op *op,
                            struct cdp_nccl_after *after) CDP_NEEDS(&cdp_nccl_all.lock);
/* An op of another process has arrived. */
void cdp_nccl_remote_ready(struct cdp_nccl_world *world, const struct cdp_nccl_message *message,
                           struct cdp_nccl_after *after) CDP_NEEDS(&cdp_nccl_all.lock);
/* Where the bytes of a DATA message go; NULL: nowhere, because its world has ended. */
char *cdp_nccl_remote_target(const struct cdp_nccl_message *message, struct cdp_nccl_round **round)
    CDP_NEEDS(&cdp_nccl_all.lock);
/* They are there. */
void cdp_nccl_remote_data(struct cdp_nccl_round *round, const struct cdp_nccl_message *message,
                          struct cdp_nccl_after *after) CDP_NEEDS(&cdp_nccl_all.lock);
/* All its messages were sent, or something else changed: ends the round if it is complete. True: it
 * is over. */
bool cdp_nccl_remote_check(struct cdp_nccl_round *round, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock);
/* Whether the round, whose ops have all arrived, waits for bytes of the process. */
bool cdp_nccl_remote_needs(const struct cdp_nccl_round *round, const struct cdp_nccl_peer *peer)
    CDP_NEEDS(&cdp_nccl_all.lock);
/* A task of the engine is part of the round: it must not end now. */
bool cdp_nccl_remote_runs(const struct cdp_nccl_round *round) CDP_NEEDS(&cdp_nccl_all.lock);
void cdp_nccl_remote_free(struct cdp_nccl_round *round) CDP_NEEDS(&cdp_nccl_all.lock);

#endif
