/* How processes find each other.
 *
 * The process that makes a unique id is its root. Each rank registers there with the address of its
 * process. When all have, the root sends the table of addresses to each process. */
#include <stdio.h>
#include <string.h>

#include "api/nccl/net.h"
#include "api/runtime.h"
#include "base/alloc.h"

/* An id of this process. Life: until the table was sent, or, after a mistake, for ever. */
struct root {
    struct root *next;
    uint64_t id;
    int size; /* 0: no rank has registered */
    int known;
    struct cdp_os_address *addresses; /* by rank; owned; without a family: not registered */
    char refusal[CDP_NCCL_TEXT];      /* why its ranks do not fit; "": they do */
};

/* A rank of this process that has registered. Life: until the table comes. */
struct waiting {
    struct waiting *next;
    uint64_t id;
    int size;
    struct cdp_nccl_comm *comm; /* counted */
    struct cdp_nccl_peer *root; /* NULL: this process */
};

static struct root *roots CDP_THREAD_SAFETY(guarded_by(cdp_nccl_all.lock));
static struct waiting *all_waiting CDP_THREAD_SAFETY(guarded_by(cdp_nccl_all.lock));

/* ---- The root ---- */

bool cdp_nccl_root_new(uint64_t id)
{
    struct root *root = cdp_alloc_zero(sizeof *root);
    if (root != NULL) {
        root->id = id;
        root->next = roots;
        roots = root;
    }
    return root != NULL;
}

static bool is_here(const struct cdp_os_address *address) CDP_NEEDS(&cdp_nccl_all.lock)
{
    return memcmp(address, cdp_nccl_net_address(), sizeof *address) == 0;
}

static void refuse_one(const struct root *root, const struct cdp_os_address *to)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    if (is_here(to)) {
        cdp_nccl_refused(root->id, ncclInvalidArgument, root->refusal);
        return;
    }
    struct cdp_nccl_message message = {.kind = CDP_NCCL_REFUSED,
                                       .world = root->id,
                                       .error = ncclInvalidArgument,
                                       .bytes = strlen(root->refusal)};
    struct cdp_nccl_peer *peer = cdp_nccl_peer_at(to);
    if (peer != NULL) {
        (void)!cdp_nccl_send(peer, &message, root->refusal, NULL);
    }
}

static void refuse_all(const struct root *root) CDP_NEEDS(&cdp_nccl_all.lock)
{
    for (int i = 0; i < root->size; i++) {
        if (root->addresses[i].family != 0) {
            refuse_one(root, &root->addresses[i]);
        }
    }
}

static void send_table(const struct root *root, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_message message = {.kind = CDP_NCCL_TABLE,
                                       .world = root->id,
                                       .size = root->size,
                                       .bytes = (size_t)root->size * sizeof *root->addresses};
    bool here = false;
    for (int i = 0; i < root->size; i++) {
        const struct cdp_os_address *address = &root->addresses[i];
        bool is_first = true;
        for (int k = 0; k < i && is_first; k++) {
            is_first = memcmp(address, &root->addresses[k], sizeof *address) != 0;
        }
        here = here || is_here(address);
        struct cdp_nccl_peer *peer =
            is_first && !is_here(address) ? cdp_nccl_peer_at(address) : NULL;
        if (peer != NULL) {
            (void)!cdp_nccl_send(peer, &message, root->addresses, NULL);
        }
    }
    if (here) {
        cdp_nccl_table(root->id, root->addresses, root->size, after);
    }
}

static void free_root(struct root *root) CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct root **link = &roots;
    while (*link != root) {
        link = &(*link)->next;
    }
    *link = root->next;
    cdp_free(root->addresses);
    cdp_free(root);
}

/* False, with the reason: the rank does not fit the others. */
static bool add(struct root *root, int rank, int size, const struct cdp_os_address *from)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    if (root->size == 0 && rank >= 0 && rank < size) {
        root->addresses = cdp_alloc_zero((size_t)size * sizeof *root->addresses);
        root->size = root->addresses != NULL ? size : 0;
    }
    if (root->size != size || rank < 0 || rank >= size) {
        snprintf(root->refusal, sizeof root->refusal,
                 "rank %d says that there are %d ranks, and another rank with the same id said %d",
                 rank, size, root->size);
    } else if (root->addresses[rank].family != 0) {
        snprintf(root->refusal, sizeof root->refusal, "two ranks with the same id are rank %d",
                 rank);
    } else {
        root->addresses[rank] = *from;
        root->known++;
    }
    return root->refusal[0] == '\0';
}

void cdp_nccl_root_register(const struct cdp_nccl_message *message,
                            const struct cdp_os_address *from, struct cdp_nccl_after *after)
{
    struct root *root = roots;
    while (root != NULL && root->id != message->world) {
        root = root->next;
    }
    if (root == NULL) {
        struct root unknown = {.id = message->world,
                               .refusal = "the id is unknown in the process that made it, or a "
                                          "communicator with all of its ranks exists already"};
        refuse_one(&unknown, from);
        return;
    }
    if (root->refusal[0] != '\0') {
        refuse_one(root, from);
    } else if (!add(root, message->rank, message->size, from)) {
        refuse_one(root, from);
        refuse_all(root);
    } else if (root->known == root->size) {
        send_table(root, after);
        free_root(root);
    }
}

/* ---- The others ---- */

static void set_state(struct cdp_nccl_comm *comm, ncclResult_t state) CDP_NEEDS(&cdp_nccl_all.lock)
{
    atomic_store(&comm->state, (int)state);
    cdp_engine_notify(cdp_runtime_running()->engine);
}

bool cdp_nccl_join(struct cdp_nccl_comm *comm, uint64_t id, int size,
                   const struct cdp_os_address *address, struct cdp_nccl_after *after)
{
    if (!cdp_nccl_net_start()) {
        return false;
    }
    bool here = is_here(address);
    struct waiting *waiting = cdp_alloc_zero(sizeof *waiting);
    struct cdp_nccl_peer *root = here ? NULL : cdp_nccl_peer_at(address);
    struct cdp_nccl_message message = {.kind = CDP_NCCL_REGISTER,
                                       .world = id,
                                       .rank = comm->rank,
                                       .size = size,
                                       .bytes = sizeof *address};
    bool is_dead = root != NULL && cdp_nccl_peer_is_dead(root);
    if (waiting == NULL || is_dead || (!here && root == NULL) ||
        (root != NULL && !cdp_nccl_send(root, &message, cdp_nccl_net_address(), NULL))) {
        cdp_free(waiting);
        (void)cdp_nccl_fail(ncclSystemError, is_dead ? "the process that made the id has ended"
                                                     : "no memory for a communicator");
        return false;
    }
    *waiting = (struct waiting){all_waiting, id, size, comm, root};
    comm->refs++;
    all_waiting = waiting;
    if (here) {
        cdp_nccl_root_register(&message, address, after);
    }
    return true;
}

/* Takes a waiting rank with the id, or whose root is the process, off the list; NULL: none. */
static struct cdp_nccl_comm *take_waiting(uint64_t id, const struct cdp_nccl_peer *root)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct waiting **link = &all_waiting;
    while (*link != NULL && (root != NULL ? (*link)->root != root : (*link)->id != id)) {
        link = &(*link)->next;
    }
    struct waiting *waiting = *link;
    if (waiting == NULL) {
        return NULL;
    }
    *link = waiting->next;
    struct cdp_nccl_comm *comm = waiting->comm;
    cdp_free(waiting);
    return comm;
}

void cdp_nccl_refused(uint64_t id, ncclResult_t error, const char *text)
{
    struct cdp_nccl_comm *comm = take_waiting(id, NULL);
    if (comm != NULL) {
        cdp_nccl_print(error, text);
    }
    for (; comm != NULL; comm = take_waiting(id, NULL)) {
        set_state(comm, error);
        cdp_nccl_comm_drop(comm);
    }
}

/* A process that has registered here has ended: the others need not wait for the table. */
static void refuse_without(const struct cdp_nccl_peer *peer) CDP_NEEDS(&cdp_nccl_all.lock)
{
    for (struct root *root = roots; root != NULL; root = root->next) {
        bool is_known = false;
        for (int i = 0; i < root->size && !is_known; i++) {
            is_known = root->addresses[i].family != 0 && !is_here(&root->addresses[i]) &&
                       cdp_nccl_peer_at(&root->addresses[i]) == peer;
        }
        if (is_known && root->refusal[0] == '\0') {
            snprintf(root->refusal, sizeof root->refusal,
                     "a process has ended before all ranks had registered");
            refuse_all(root);
        }
    }
}

void cdp_nccl_root_died(const struct cdp_nccl_peer *peer)
{
    refuse_without(peer);
    char where[CDP_OS_ADDRESS_TEXT], text[CDP_NCCL_TEXT];
    struct cdp_nccl_comm *comm;
    while ((comm = take_waiting(0, peer)) != NULL) {
        cdp_nccl_peer_text(peer, where);
        snprintf(text, sizeof text,
                 "rank %d cannot reach the process that made the id, at %s: it has ended, or "
                 "NCCL_SOCKET_IFNAME should name an interface that reaches it",
                 comm->rank, where);
        cdp_nccl_print(ncclSystemError, text);
        set_state(comm, ncclSystemError);
        cdp_nccl_comm_drop(comm);
    }
}

/* The world of the table; NULL: no memory. */
static struct cdp_nccl_world *make_world(uint64_t id, const struct cdp_os_address *addresses,
                                         int size) CDP_NEEDS(&cdp_nccl_all.lock)
{
    int local = 0;
    for (int i = 0; i < size; i++) {
        local += is_here(&addresses[i]);
    }
    struct cdp_nccl_world *world = cdp_nccl_world_new(id, size, local);
    for (int i = 0; i < size && world != NULL; i++) {
        world->peers[i] = is_here(&addresses[i]) ? NULL : cdp_nccl_peer_at(&addresses[i]);
    }
    return world;
}

void cdp_nccl_table(uint64_t id, const struct cdp_os_address *addresses, int size,
                    struct cdp_nccl_after *after)
{
    struct cdp_nccl_world *world = make_world(id, addresses, size);
    struct cdp_nccl_comm *comm;
    while ((comm = take_waiting(id, NULL)) != NULL) {
        ncclResult_t result = world != NULL
                                  ? cdp_nccl_world_add(world, comm, after)
                                  : cdp_nccl_fail(ncclSystemError, "no memory for a communicator");
        if (result != ncclSuccess) {
            set_state(comm, result);
        }
        cdp_nccl_comm_drop(comm);
    }
}
