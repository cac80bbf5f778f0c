/* The thread that moves bytes between processes. */
#include "api/nccl/net.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/last_thread.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "os/os.h"

enum { MAGIC = 0x6e636331, MOST_PIECE = 1 << 18, MOST_SOCKETS = 2048 };

/* A message that is to be sent. Life: from cdp_nccl_send until all its bytes are sent. */
struct item {
    struct item *next;
    struct cdp_nccl_message message;
    const char *bytes;
    char *owned;                  /* bytes, if they are a copy; else NULL */
    struct cdp_nccl_round *round; /* that bytes belong to; NULL: none */
    size_t done;                  /* of the message with its bytes */
};

struct cdp_nccl_peer {
    struct cdp_nccl_peer *next;
    struct cdp_os_address address; /* const */
    int socket;                    /* to send; -1: none yet */
    bool is_cut;                   /* nothing can be sent; what comes is still read */
    bool is_dead;
    struct item *first, **last; /* to be sent; owned */
};

/* A connection by which messages come. Life: owned by the list; only the thread frees it. */
struct source {
    struct source *next;
    int socket;                 /* -1: has ended */
    struct cdp_nccl_peer *peer; /* NULL until its HELLO */
    struct cdp_nccl_message message;
    size_t have; /* of the message with its bytes */
    char *bytes; /* where they go; NULL: nowhere */
    char *owned; /* bytes, if they are not memory of a round */
    struct cdp_nccl_round *round;
};

static struct {
    unsigned process; /* that started it: a child of fork starts another one */
    int listener, bell;
    struct cdp_os_address address;
    struct cdp_nccl_peer *peers;
    struct source *sources;
    struct watched *watched; /* owned; only the thread uses it */
    /* In a child: the parent's. Its communicators may refer to them. */
    struct cdp_nccl_peer *lost;
} net CDP_THREAD_SAFETY(guarded_by(cdp_nccl_all.lock));

static _Atomic int item_count; /* in all queues; changed under the lock */

/* ---- Peers and queues ---- */

const struct cdp_os_address *cdp_nccl_net_address(void)
{
    return &net.address;
}

struct cdp_nccl_peer *cdp_nccl_peer_at(const struct cdp_os_address *address)
{
    struct cdp_nccl_peer *peer = net.peers;
    while (peer != NULL && memcmp(&peer->address, address, sizeof *address) != 0) {
        peer = peer->next;
    }
    if (peer != NULL) {
        return peer;
    }
    peer = cdp_alloc_zero(sizeof *peer);
    if (peer != NULL) {
        peer->address = *address;
        peer->socket = -1;
        peer->last = &peer->first;
        peer->next = net.peers;
        net.peers = peer;
    }
    return peer;
}

bool cdp_nccl_peer_is_dead(const struct cdp_nccl_peer *peer)
{
    return peer->is_dead;
}

void cdp_nccl_peer_text(const struct cdp_nccl_peer *peer, char out[CDP_OS_ADDRESS_TEXT])
{
    cdp_os_address_text(&peer->address, out);
}

static void free_item(struct item *item)
{
    cdp_free(item->owned);
    cdp_free(item);
    const struct cdp_runtime *running = cdp_runtime_running();
    if (atomic_fetch_sub(&item_count, 1) == 1 && running != NULL) {
        cdp_engine_notify(running->engine); /* for cdp_nccl_flush */
    }
}

static bool add_item(struct cdp_nccl_peer *peer, const struct cdp_nccl_message *message,
                     const void *bytes, struct cdp_nccl_round *round) CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct item *item = cdp_alloc_zero(sizeof *item);
    if (item == NULL) {
        return false;
    }
    item->message = *message;
    item->message.magic = MAGIC;
    item->bytes = bytes;
    item->round = round;
    if (round == NULL && message->bytes > 0) {
        item->owned = cdp_alloc(message->bytes);
        if (item->owned == NULL) {
            cdp_free(item);
            return false;
        }
        memcpy(item->owned, bytes, message->bytes);
        item->bytes = item->owned;
    }
    atomic_fetch_add(&item_count, 1);
    *peer->last = item;
    peer->last = &item->next;
    return true;
}

bool cdp_nccl_send(struct cdp_nccl_peer *peer, const struct cdp_nccl_message *message,
                   const void *bytes, struct cdp_nccl_round *round)
{
    if (peer->is_dead || peer->is_cut) {
        return true; /* its end was told, or will be */
    }
    if (peer->socket < 0 && peer->first == NULL) {
        struct cdp_nccl_message hello = {.kind = CDP_NCCL_HELLO, .bytes = sizeof net.address};
        if (!add_item(peer, &hello, &net.address, NULL)) {
            return false;
        }
    }
    if (!add_item(peer, message, bytes, round)) {
        return false;
    }
    if (round != NULL) {
        round->remote->unsent++;
    }
    cdp_os_ring(net.bell);
    return true;
}

/* An item that is being sent is continued with a copy, so that the next message is found. */
static void forget_item(struct item *item)
{
    item->round = NULL;
    item->owned = cdp_alloc(item->message.bytes);
    if (item->owned != NULL) {
        memcpy(item->owned, item->bytes, item->message.bytes);
    }
    item->bytes = item->owned;
}

void cdp_nccl_net_forget(struct cdp_nccl_round *round)
{
    for (struct cdp_nccl_peer *peer = net.peers; peer != NULL; peer = peer->next) {
        struct item **link = &peer->first;
        while (*link != NULL) {
            struct item *item = *link;
            if (item->round == round && item->done == 0) {
                *link = item->next;
                free_item(item);
                continue;
            }
            if (item->round == round) {
                forget_item(item);
            }
            link = &item->next;
        }
        peer->last = link;
    }
    for (struct source *source = net.sources; source != NULL; source = source->next) {
        if (source->round == round) {
            source->round = NULL;
            source->bytes = NULL;
        }
    }
}

/* Drops what is still to be sent. The rounds of this do not wait for it any more. */
static void stop_sending(struct cdp_nccl_peer *peer) CDP_NEEDS(&cdp_nccl_all.lock)
{
    if (peer->socket >= 0) {
        cdp_os_close_socket(peer->socket);
        peer->socket = -1;
    }
    struct item *first = peer->first, *next;
    peer->first = NULL;
    peer->last = &peer->first;
    for (struct item *item = first; item != NULL; item = next) {
        next = item->next;
        struct cdp_nccl_round *round = item->round;
        free_item(item);
        if (round != NULL) {
            round->remote->unsent--;
        }
    }
}

static void die(struct cdp_nccl_peer *peer, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    if (!peer->is_dead) {
        peer->is_dead = true;
        stop_sending(peer);
        cdp_nccl_peer_died(peer, after);
    }
}

/* Nothing can be sent to the process: it has ended. What it sent before comes on another
 * connection, and is read until that ends, too. */
static void cut(struct cdp_nccl_peer *peer, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    for (const struct source *source = net.sources; source != NULL; source = source->next) {
        if (source->peer == peer && source->socket >= 0) {
            peer->is_cut = true;
            stop_sending(peer);
            return;
        }
    }
    die(peer, after);
}

/* Takes no lock: with CDP_SEED it is called under another one. */
static bool is_flushed(void *unused)
{
    (void)unused;
    return atomic_load(&item_count) == 0;
}

void cdp_nccl_flush(void)
{
    cdp_engine_wait(cdp_runtime_running()->engine, is_flushed, NULL);
}

/* ---- Sending ---- */

/* Sends a part of the item; false if it could not send all that it tried to. */
static bool send_part(struct cdp_nccl_peer *peer, struct item *item, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    size_t head = sizeof item->message;
    bool is_head = item->done < head;
    const char *from =
        is_head ? (const char *)&item->message + item->done : item->bytes + (item->done - head);
    size_t left = is_head ? head - item->done : head + item->message.bytes - item->done;
    left = left < MOST_PIECE ? left : MOST_PIECE;
    ptrdiff_t sent = cdp_os_send(peer->socket, from, left);
    if (sent < 0) {
        cut(peer, after);
        return false;
    }
    item->done += (size_t)sent;
    return (size_t)sent == left;
}

static void send_some(struct cdp_nccl_peer *peer, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    size_t budget = 4 * MOST_PIECE; /* so that the lock is free at times */
    while (peer->first != NULL && budget > 0) {
        struct item *item = peer->first;
        size_t before = item->done;
        if (!send_part(peer, item, after)) {
            return;
        }
        budget -= item->done - before < budget ? item->done - before : budget;
        if (item->done < sizeof item->message + item->message.bytes) {
            continue;
        }
        struct cdp_nccl_round *round = item->round;
        peer->first = item->next;
        if (peer->first == NULL) {
            peer->last = &peer->first;
        }
        free_item(item);
        if (round != NULL) {
            round->remote->unsent--;
            (void)cdp_nccl_remote_check(round, after);
        }
    }
}

/* ---- Receiving ---- */

static void end_source(struct source *source, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    cdp_os_close_socket(source->socket);
    source->socket = -1;
    if (source->peer != NULL) {
        die(source->peer, after);
    }
}

/* The head of a message is complete. False: it is none of ours. */
static bool begin_bytes(struct source *source) CDP_NEEDS(&cdp_nccl_all.lock)
{
    const struct cdp_nccl_message *message = &source->message;
    bool is_first = source->peer == NULL;
    if (message->magic != MAGIC || is_first != (message->kind == CDP_NCCL_HELLO) ||
        (message->kind != CDP_NCCL_DATA && message->bytes > (size_t)1 << 24)) {
        return false;
    }
    source->owned = NULL;
    source->round = NULL;
    if (message->kind == CDP_NCCL_DATA) {
        source->bytes = cdp_nccl_remote_target(message, &source->round);
        return true;
    }
    source->owned = cdp_alloc(message->bytes + 1);
    source->bytes = source->owned;
    return source->owned != NULL;
}

static bool end_message(struct source *source, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    const struct cdp_nccl_message *message = &source->message;
    bool is_right = true;
    if (message->kind == CDP_NCCL_HELLO) {
        struct cdp_os_address address;
        is_right = message->bytes == sizeof address;
        if (is_right) {
            memcpy(&address, source->owned, sizeof address);
            source->peer = cdp_nccl_peer_at(&address);
            is_right = source->peer != NULL;
        }
    } else if (message->kind == CDP_NCCL_DATA) {
        if (source->round != NULL) {
            cdp_nccl_remote_data(source->round, message, after);
        }
    } else {
        source->owned[message->bytes] = '\0';
        cdp_nccl_received(source->peer, message, source->owned, after);
    }
    cdp_free(source->owned);
    source->owned = NULL;
    source->round = NULL;
    source->have = 0;
    return is_right;
}

/* Receives once; the number of bytes, 0: none now, -1: the connection has ended. */
static ptrdiff_t receive_part(struct source *source)
{
    static char nowhere[MOST_PIECE]; /* only this thread writes there */
    size_t head = sizeof source->message;
    if (source->have < head) {
        return cdp_os_receive(source->socket, (char *)&source->message + source->have,
                              head - source->have);
    }
    size_t at = source->have - head, left = source->message.bytes - at;
    left = left < MOST_PIECE ? left : MOST_PIECE;
    return cdp_os_receive(source->socket, source->bytes != NULL ? source->bytes + at : nowhere,
                          left);
}

static void receive_some(struct source *source, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    size_t head = sizeof source->message;
    for (int i = 0; i < 16 && source->socket >= 0; i++) {
        ptrdiff_t got = receive_part(source);
        if (got == 0) {
            return;
        }
        bool is_right = got > 0;
        bool had_head = source->have >= head;
        source->have += got > 0 ? (size_t)got : 0;
        if (is_right && !had_head && source->have == head) {
            is_right = begin_bytes(source);
        }
        if (is_right && source->have >= head && source->have == head + source->message.bytes) {
            is_right = end_message(source, after);
        }
        if (!is_right) {
            end_source(source, after);
        }
    }
}

static void accept_all(void) CDP_NEEDS(&cdp_nccl_all.lock)
{
    int socket;
    while ((socket = cdp_os_accept(net.listener)) >= 0) {
        struct source *source = cdp_alloc_zero(sizeof *source);
        if (source == NULL) {
            cdp_os_close_socket(socket);
            continue;
        }
        source->socket = socket;
        source->next = net.sources;
        net.sources = source;
    }
}

static void free_ended_sources(void) CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct source **link = &net.sources;
    while (*link != NULL) {
        struct source *source = *link;
        if (source->socket >= 0) {
            link = &source->next;
            continue;
        }
        *link = source->next;
        cdp_free(source->owned);
        cdp_free(source);
    }
}

/* ---- The thread ---- */

/* What the thread watches. It alone makes and ends sockets. */
struct watched {
    struct cdp_os_watch watches[MOST_SOCKETS];
    struct cdp_nccl_peer *peers[MOST_SOCKETS];
    struct source *sources[MOST_SOCKETS];
    size_t count;
};

static void watch(struct watched *watched, int socket, bool for_sending, struct cdp_nccl_peer *peer,
                  struct source *source)
{
    if (watched->count < MOST_SOCKETS) {
        size_t i = watched->count++;
        watched->watches[i] = (struct cdp_os_watch){.socket = socket, .for_sending = for_sending};
        watched->peers[i] = peer;
        watched->sources[i] = source;
    }
}

static void watch_all(struct watched *watched, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    watched->count = 0;
    watch(watched, net.bell, false, NULL, NULL);
    watch(watched, net.listener, false, NULL, NULL);
    for (struct cdp_nccl_peer *peer = net.peers; peer != NULL; peer = peer->next) {
        if (peer->socket < 0 && peer->first != NULL) {
            peer->socket = cdp_os_connect(&peer->address);
            if (peer->socket < 0) {
                die(peer, after);
            }
        }
        if (peer->socket >= 0) { /* nothing comes there but the connection's end */
            watch(watched, peer->socket, peer->first != NULL, peer, NULL);
        }
    }
    for (struct source *source = net.sources; source != NULL; source = source->next) {
        watch(watched, source->socket, false, NULL, source);
    }
}

static void serve(const struct watched *watched, size_t i, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_peer *peer = watched->peers[i];
    if (peer == NULL && watched->sources[i] == NULL) {
        if (i == 0) {
            cdp_os_silence(net.bell);
        } else {
            accept_all();
        }
    } else if (peer == NULL) {
        receive_some(watched->sources[i], after);
    } else if (watched->watches[i].for_sending) {
        send_some(peer, after);
    } else {
        char byte;
        if (peer->socket >= 0 && cdp_os_receive(peer->socket, &byte, 1) != 0) {
            cut(peer, after);
        }
    }
}

static void *run(void *data)
{
    struct watched *watched = data;
    for (;;) {
        struct cdp_nccl_after after = {NULL, NULL, NULL};
        cdp_lock_acquire(&cdp_nccl_all.lock);
        free_ended_sources();
        watch_all(watched, &after);
        cdp_lock_release(&cdp_nccl_all.lock);
        cdp_nccl_do_after(&after);
        cdp_os_network_wait(watched->watches, watched->count);
        for (size_t i = 0; i < watched->count; i++) {
            if (!watched->watches[i].is_ready) {
                continue;
            }
            cdp_lock_acquire(&cdp_nccl_all.lock);
            serve(watched, i, &after);
            cdp_lock_release(&cdp_nccl_all.lock);
            cdp_nccl_do_after(&after);
        }
    }
    return NULL;
}

/* A child of fork gets the lock free, and the lists whole. */
static void before_fork(void) CDP_ACQUIRES(&cdp_nccl_all.lock)
{
    cdp_lock_acquire(&cdp_nccl_all.lock);
}

static void after_fork(void) CDP_RELEASES(&cdp_nccl_all.lock)
{
    cdp_lock_release(&cdp_nccl_all.lock);
}

/* Signals are the program's: its threads get them. */
static bool start_thread(void) CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct watched *watched = cdp_alloc_zero(sizeof *watched);
    pthread_t thread;
    sigset_t all, before;
    if (watched == NULL) {
        return false;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&thread, NULL, run, watched) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) {
        pthread_detach(thread);
        net.watched = watched;
        cdp_last_thread_set_own(1);
    } else {
        cdp_free(watched);
    }
    return started;
}

static void lose_peer(struct cdp_nccl_peer *peer) CDP_NEEDS(&cdp_nccl_all.lock)
{
    if (peer->socket >= 0) {
        cdp_os_close_socket(peer->socket);
    }
    peer->socket = -1;
    peer->is_dead = true;
    while (peer->first != NULL) {
        struct item *item = peer->first;
        peer->first = item->next;
        free_item(item);
    }
    peer->next = net.lost;
    net.lost = peer;
}

/* After fork the thread and the other ends of the sockets are the parent's. */
static void leave_to_parent(void) CDP_NEEDS(&cdp_nccl_all.lock)
{
    cdp_os_close_socket(net.listener);
    cdp_os_close_socket(net.bell);
    while (net.peers != NULL) {
        struct cdp_nccl_peer *peer = net.peers;
        net.peers = peer->next;
        lose_peer(peer);
    }
    for (struct source *source = net.sources; source != NULL; source = source->next) {
        if (source->socket >= 0) {
            cdp_os_close_socket(source->socket);
        }
        source->socket = -1;
    }
    free_ended_sources();
    cdp_free(net.watched);
    net.watched = NULL;
}

bool cdp_nccl_net_start(void)
{
    unsigned process = cdp_os_process_number();
    if (net.process == process) {
        return true;
    }
    static bool is_prepared;
    if (net.process != 0) {
        leave_to_parent();
        net.process = 0;
    }
    if (!is_prepared && pthread_atfork(before_fork, after_fork, after_fork) != 0) {
        return false;
    }
    is_prepared = true;
    const char *names = secure_getenv("NCCL_SOCKET_IFNAME");
    names = names != NULL && *names != '\0' ? names : "lo";
    if (!cdp_os_interface(names, &net.address)) {
        (void)cdp_nccl_fail(ncclSystemError,
                            "no network interface is up whose name fits NCCL_SOCKET_IFNAME=%s",
                            names);
        return false;
    }
    net.listener = cdp_os_listen(&net.address);
    net.bell = cdp_os_bell();
    if (net.listener < 0 || net.bell < 0 || !start_thread()) {
        (void)cdp_nccl_fail(ncclSystemError, "no socket or thread for messages of processes");
        return false;
    }
    net.process = process;
    char text[CDP_OS_ADDRESS_TEXT];
    cdp_os_address_text(&net.address, text);
    cdp_nccl_say(CDP_NCCL_INFO, "listens at %s", text);
    return true;
}
