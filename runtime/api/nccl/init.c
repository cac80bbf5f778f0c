/* How the ranks of a communicator meet.
 *
 * A rank registers with the process that made the id (root.c). When the table of all ranks has
 * come, the ranks of this process join a world, and their communicators are ready. Threads that
 * wait for that wait as for a stream. ncclCommInitAll makes a world of this process alone, without
 * a root. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "nccl.h"

#include "api/nccl/group.h"
#include "api/nccl/net.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "os/os.h"

static const char magic[] = "cdpcc NCCL id";

/* Calls of ncclCommShrink have numbers of their own, because not all ranks make them: this bit, and
 * others that depend on the excluded ranks. */
#define SHRINKS (UINT64_C(1) << 63)

/* What a unique id contains. */
struct id {
    char magic[sizeof magic + 2];
    uint64_t number;
    struct cdp_os_address root;
};
_Static_assert(sizeof(struct id) <= NCCL_UNIQUE_ID_BYTES, "an id fits");

/* The bits of several numbers in one. */
static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ b * UINT64_C(0x9e3779b97f4a7c15)) + UINT64_C(0x632be59bd9b4e019);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* A number that no other process makes. */
static uint64_t new_number(void)
{
    static _Atomic uint64_t count;
    uint64_t here = mix(cdp_os_process_number(), cdp_os_wall_clock());
    return mix(here, atomic_fetch_add(&count, 1) + cdp_os_now());
}

ncclResult_t ncclGetUniqueId(ncclUniqueId *out)
{
    cdp_nccl_call = "ncclGetUniqueId";
    if (out == NULL) {
        return cdp_nccl_fail(ncclInvalidArgument, "there is no place for the result");
    }
    struct id id = {.number = new_number()};
    cdp_lock_acquire(&cdp_nccl_all.lock);
    bool is_made = cdp_nccl_net_start() && cdp_nccl_root_new(id.number);
    id.root = *cdp_nccl_net_address();
    if (cdp_nccl_leave(is_made ? ncclSuccess : ncclSystemError) != ncclSuccess) {
        return cdp_nccl_fail(ncclSystemError, "no id could be made");
    }
    memcpy(id.magic, magic, sizeof magic);
    memset(out, 0, sizeof *out);
    memcpy(out->internal, &id, sizeof id);
    return ncclSuccess;
}

/* ---- Joining ---- */

static void set_state(struct cdp_nccl_comm *comm, ncclResult_t state) CDP_NEEDS(&cdp_nccl_all.lock)
{
    atomic_store(&comm->state, (int)state);
    cdp_engine_notify(cdp_runtime_running()->engine);
}

/* Whether the communicator fits the others of its world. */
static ncclResult_t check_member(const struct cdp_nccl_world *world,
                                 const struct cdp_nccl_comm *comm) CDP_NEEDS(&cdp_nccl_all.lock)
{
    for (int i = 0; i < world->size; i++) {
        const struct cdp_nccl_comm *other = world->comms[i];
        if (other != NULL && other->device == comm->device) {
            return cdp_nccl_fail(ncclInvalidUsage,
                                 "ranks %d and %d have the same device %u: each rank of a process "
                                 "needs its own (cudaSetDevice; CDP_DEVICES=%d makes %d devices)",
                                 i, comm->rank, comm->device, world->size, world->size);
        }
    }
    return ncclSuccess;
}

static void complete(struct cdp_nccl_world *world, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    for (int i = 0; i < world->size; i++) {
        struct cdp_nccl_comm *comm = world->comms[i];
        if (comm != NULL) {
            set_state(comm, ncclSuccess);
            cdp_nccl_say(CDP_NCCL_INFO, "communicator %016llx: rank %d of %d, device %u: ready",
                         (unsigned long long)world->id, i, world->size, comm->device);
        }
    }
    cdp_nccl_replay(world, after);
}

ncclResult_t cdp_nccl_world_add(struct cdp_nccl_world *world, struct cdp_nccl_comm *comm,
                                struct cdp_nccl_after *after)
{
    ncclResult_t result = world->error;
    if (result == ncclSuccess) {
        result = check_member(world, comm);
    }
    if (result != ncclSuccess) {
        cdp_nccl_world_end(world, result, "two ranks have the same device", after);
        for (int i = 0; i < world->size; i++) {
            if (world->comms[i] != NULL) {
                set_state(world->comms[i], result);
            }
        }
        return result;
    }
    cdp_nccl_world_join(world, comm);
    if (world->joined == world->local) {
        complete(world, after);
    }
    return ncclSuccess;
}

/* ---- Splits ---- */

static struct cdp_nccl_split *find_split(struct cdp_nccl_world *world, uint64_t number)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_split *split = world->splits;
    while (split != NULL && split->number != number) {
        split = split->next;
    }
    if (split != NULL) {
        return split;
    }
    split = cdp_alloc_zero(sizeof *split + (size_t)world->size * sizeof split->parts[0]);
    if (split != NULL) {
        split->number = number;
        split->next = world->splits;
        world->splits = split;
    }
    return split;
}

/* The new rank of an old one: how many of its color have a smaller key, or the same and a smaller
 * rank. With -1: how many have the color. */
static int rank_in_part(const struct cdp_nccl_split *split, int size, int color, int rank)
{
    int before = 0;
    for (int i = 0; i < size; i++) {
        const struct cdp_nccl_part *other = &split->parts[i];
        bool is_before = rank < 0 || other->key < split->parts[rank].key ||
                         (other->key == split->parts[rank].key && i < rank);
        before += other->color == color && is_before;
    }
    return before;
}

/* How many ranks of the color are in this process. */
static int local_in_part(const struct cdp_nccl_split *split, int size, int color)
{
    int local = 0;
    for (int i = 0; i < size; i++) {
        local += split->parts[i].color == color && split->parts[i].comm != NULL;
    }
    return local;
}

static void free_split(struct cdp_nccl_world *world, struct cdp_nccl_split *split)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_split **link = &world->splits;
    while (*link != split) {
        link = &(*link)->next;
    }
    *link = split->next;
    for (int i = 0; i < world->size; i++) {
        if (split->parts[i].comm != NULL) {
            cdp_nccl_comm_drop(split->parts[i].comm);
        }
    }
    cdp_free(split);
}

/* The world of the color of a local rank, with the processes of its ranks. The first local rank
 * makes it. NULL: no memory, for all of them. */
static struct cdp_nccl_world *world_of_part(const struct cdp_nccl_world *world,
                                            const struct cdp_nccl_split *split, int local)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    int color = split->parts[local].color;
    uint64_t id = mix(mix(world->id, split->number), (uint64_t)color);
    for (int i = 0; i < local; i++) {
        if (split->parts[i].color == color && split->parts[i].comm != NULL) {
            return cdp_nccl_world_find(id);
        }
    }
    struct cdp_nccl_world *made = cdp_nccl_world_new(
        id, rank_in_part(split, world->size, color, -1), local_in_part(split, world->size, color));
    for (int i = 0; i < world->size && made != NULL; i++) {
        if (split->parts[i].color == color) {
            made->peers[rank_in_part(split, world->size, color, i)] = world->peers[i];
        }
    }
    return made;
}

static void complete_split(struct cdp_nccl_world *world, struct cdp_nccl_split *split,
                           struct cdp_nccl_after *after) CDP_NEEDS(&cdp_nccl_all.lock)
{
    for (int i = 0; i < world->size; i++) {
        const struct cdp_nccl_part *part = &split->parts[i];
        if (part->comm == NULL) {
            continue;
        }
        struct cdp_nccl_world *made = world_of_part(world, split, i);
        part->comm->rank = rank_in_part(split, world->size, part->color, i);
        ncclResult_t result = made != NULL
                                  ? cdp_nccl_world_add(made, part->comm, after)
                                  : cdp_nccl_fail(ncclSystemError, "no memory for a communicator");
        if (result != ncclSuccess) {
            set_state(part->comm, result);
        }
    }
    free_split(world, split);
}

void cdp_nccl_splits_end(struct cdp_nccl_world *world, ncclResult_t error)
{
    while (world->splits != NULL) {
        struct cdp_nccl_split *split = world->splits;
        for (int i = 0; i < world->size; i++) {
            if (split->parts[i].comm != NULL) {
                set_state(split->parts[i].comm, error);
            }
        }
        free_split(world, split);
    }
}

/* A rank that has left will not call. Excluded ranks are told before the first one that calls: then
 * all are known. */
bool cdp_nccl_split_waits(const struct cdp_nccl_world *world, const struct cdp_nccl_split *split,
                          int rank)
{
    bool is_told = (split->number & SHRINKS) == 0;
    for (int i = 0; i < world->size && !is_told; i++) {
        is_told = split->parts[i].is_known && split->parts[i].color != NCCL_SPLIT_NOCOLOR;
    }
    return is_told && !split->parts[rank].is_known;
}

const char *cdp_nccl_split_call(const struct cdp_nccl_split *split)
{
    return (split->number & SHRINKS) != 0 ? "ncclCommShrink" : "ncclCommSplit";
}

static bool waits_for_leaver(struct cdp_nccl_world *world, const struct cdp_nccl_split *split,
                             struct cdp_nccl_after *after) CDP_NEEDS(&cdp_nccl_all.lock)
{
    for (int i = 0; i < world->size; i++) {
        if (world->has_left[i] && cdp_nccl_split_waits(world, split, i)) {
            cdp_nccl_end_split(world, split, i, "was destroyed", after);
            return true;
        }
    }
    return false;
}

ncclResult_t cdp_nccl_split_add(struct cdp_nccl_world *world, uint64_t number, int rank,
                                const struct cdp_nccl_part *part, struct cdp_nccl_after *after)
{
    struct cdp_nccl_split *split = find_split(world, number);
    if (split == NULL) {
        return cdp_nccl_fail(ncclSystemError, "no memory for a split");
    }
    if (split->parts[rank].is_known) { /* several ranks tell which ones ncclCommShrink excludes */
        return ncclSuccess;
    }
    split->parts[rank] = *part;
    split->parts[rank].is_known = true;
    if (++split->known == world->size) {
        complete_split(world, split, after);
    } else if (waits_for_leaver(world, split, after)) {
        return ncclRemoteError;
    }
    return ncclSuccess;
}

bool cdp_nccl_is_splitting(const struct cdp_nccl_comm *comm)
{
    const struct cdp_nccl_split *split = comm->world->splits;
    for (; split != NULL; split = split->next) {
        const struct cdp_nccl_part *part = &split->parts[comm->rank];
        bool is_excluded = (split->number & SHRINKS) != 0 && part->color == NCCL_SPLIT_NOCOLOR;
        if (part->is_known && !is_excluded) {
            return true;
        }
    }
    return false;
}

/* ---- Meetings ---- */

static void start(struct cdp_nccl_meeting *meeting)
{
    struct cdp_nccl_after after = {NULL, NULL, NULL};
    cdp_lock_acquire(&cdp_nccl_all.lock);
    if (!cdp_nccl_join(meeting->comm, meeting->id, meeting->size, &meeting->root, &after)) {
        set_state(meeting->comm, ncclSystemError);
    }
    cdp_lock_release(&cdp_nccl_all.lock);
    cdp_nccl_do_after(&after);
}

/* Others would wait for a rank that could not be registered. */
static void start_all(struct cdp_nccl_meeting *first)
{
    for (struct cdp_nccl_meeting *meeting = first; meeting != NULL; meeting = meeting->next) {
        if (!meeting->is_split) {
            start(meeting);
        }
    }
    cdp_lock_acquire(&cdp_nccl_all.lock);
    for (const struct cdp_nccl_meeting *one = first; one != NULL; one = one->next) {
        if (!one->is_split && atomic_load(&one->comm->state) == ncclSystemError) {
            cdp_nccl_refused(one->id, ncclSystemError, "another rank could not be registered");
        }
    }
    cdp_lock_release(&cdp_nccl_all.lock);
}

/* A call of its group was wrong. The other ranks of a split have the error, too. */
static void end(struct cdp_nccl_meeting *meeting, ncclResult_t error)
{
    struct cdp_nccl_comm *parent;
    struct cdp_nccl_after after = {NULL, NULL, NULL};
    cdp_lock_acquire(&cdp_nccl_all.lock);
    if (atomic_load(&meeting->comm->state) == ncclInProgress) {
        set_state(meeting->comm, error);
        parent = cdp_nccl_comm_find(meeting->parent);
        if (parent != NULL && parent->world != NULL) {
            cdp_nccl_world_end(parent->world, error,
                               "ncclCommSplit or ncclCommShrink was in a group with an "
                               "error",
                               &after);
        }
    }
    cdp_lock_release(&cdp_nccl_all.lock);
    cdp_nccl_do_after(&after);
}

static bool is_over(void *arg)
{
    const struct cdp_nccl_comm *comm = arg;
    return atomic_load(&comm->state) != ncclInProgress;
}

static ncclResult_t finish(struct cdp_nccl_meeting *meeting)
{
    struct cdp_nccl_comm *comm = meeting->comm;
    if (meeting->blocks) {
        cdp_engine_wait(cdp_runtime_running()->engine, is_over, comm);
        cdp_nccl_flush(); /* others need to know of a split, also if this process now ends */
    }
    ncclResult_t result = (ncclResult_t)atomic_load(&comm->state);
    if (result == ncclSuccess && !meeting->blocks) { /* as NVIDIA's library, always */
        result = ncclInProgress;
    }
    cdp_lock_acquire(&cdp_nccl_all.lock);
    cdp_nccl_comm_drop(comm);
    cdp_lock_release(&cdp_nccl_all.lock);
    return result;
}

ncclResult_t cdp_nccl_meet(struct cdp_nccl_meeting *first, ncclResult_t error)
{
    ncclResult_t result = ncclSuccess;
    if (error == ncclSuccess) {
        start_all(first);
    }
    for (struct cdp_nccl_meeting *meeting = first; error != ncclSuccess && meeting != NULL;
         meeting = meeting->next) {
        end(meeting, error);
    }
    struct cdp_nccl_meeting *next;
    for (struct cdp_nccl_meeting *meeting = first; meeting != NULL; meeting = next) {
        next = meeting->next;
        ncclResult_t one = finish(meeting);
        result = result == ncclSuccess || result == ncclInProgress ? one : result;
        cdp_free(meeting);
    }
    return result;
}

/* ---- Calls ---- */

static bool config_blocks(const ncclConfig_t *config)
{
    return config == NULL || config->blocking != 0;
}

static ncclResult_t check_config(const ncclConfig_t *config)
{
    if (config != NULL && config->magic != 0xcafebeef) {
        return cdp_nccl_fail(ncclInvalidArgument,
                             "the configuration was not set to NCCL_CONFIG_INITIALIZER");
    }
    bool is_valid = config == NULL || config->blocking == NCCL_CONFIG_UNDEF_INT ||
                    config->blocking == 0 || config->blocking == 1;
    return is_valid ? ncclSuccess
                    : cdp_nccl_fail(ncclInvalidArgument, "blocking is %d, and not 0 or 1",
                                    config->blocking);
}

static ncclResult_t init_rank(ncclComm_t *out, int size, const ncclUniqueId *unique, int rank,
                              const ncclConfig_t *config)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return cdp_nccl_cuda(error);
    }
    struct id id;
    memcpy(&id, unique->internal, sizeof id);
    if (out == NULL || memcmp(id.magic, magic, sizeof magic) != 0) {
        return cdp_nccl_fail(ncclInvalidArgument, "%s",
                             out == NULL ? "there is no place for the result"
                                         : "the id was not made by ncclGetUniqueId");
    }
    *out = NULL;
    if (size < 1 || rank < 0 || rank >= size) {
        return cdp_nccl_fail(ncclInvalidArgument, "rank %d of %d does not exist", rank, size);
    }
    ncclResult_t result = check_config(config);
    if (result != ncclSuccess) {
        return result;
    }
    struct cdp_nccl_comm *comm = cdp_nccl_comm_new(cdp_device_number, rank, size);
    if (comm == NULL) {
        return cdp_nccl_fail(ncclSystemError, "no memory for a communicator");
    }
    comm->blocks = config_blocks(config);
    comm->refs++;
    *out = comm->handle;
    return cdp_nccl_group_meeting(&(struct cdp_nccl_meeting){
        .comm = comm, .blocks = comm->blocks, .id = id.number, .size = size, .root = id.root});
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int nranks, ncclUniqueId id, int rank)
{
    cdp_nccl_call = "ncclCommInitRank";
    ncclResult_t result = init_rank(comm, nranks, &id, rank, NULL);
    return result == ncclSuccess ? result : cdp_nccl_group_error(result);
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int nranks, ncclUniqueId id, int rank,
                                    ncclConfig_t *config)
{
    cdp_nccl_call = "ncclCommInitRankConfig";
    ncclResult_t result = init_rank(comm, nranks, &id, rank, config);
    return result == ncclSuccess || result == ncclInProgress ? result
                                                             : cdp_nccl_group_error(result);
}

/* All ranks have the same ids, of which the first one is enough. */
ncclResult_t ncclCommInitRankScalable(ncclComm_t *comm, int nranks, int rank, int count,
                                      ncclUniqueId *ids, ncclConfig_t *config)
{
    cdp_nccl_call = "ncclCommInitRankScalable";
    ncclResult_t result =
        ids != NULL && count >= 1 && count <= nranks
            ? init_rank(comm, nranks, ids, rank, config)
            : cdp_nccl_fail(ncclInvalidArgument,
                            "%d ids for %d ranks: there must be at least one, and "
                            "no more than ranks",
                            ids != NULL ? count : 0, nranks);
    return result == ncclSuccess || result == ncclInProgress ? result
                                                             : cdp_nccl_group_error(result);
}

static ncclResult_t check_devices(const struct cdp_runtime *runtime, int count, const int *devices)
{
    for (int i = 0; i < count; i++) {
        int device = devices != NULL ? devices[i] : i;
        if (!cdp_device_exists(runtime, device)) {
            return cdp_nccl_fail(ncclInvalidArgument,
                                 "there is no device %d: CDP_DEVICES=%d makes so many", device,
                                 device < count ? count : device + 1);
        }
        for (int k = 0; devices != NULL && k < i; k++) {
            if (devices[k] == device) {
                return cdp_nccl_fail(ncclInvalidUsage, "device %d is listed twice", device);
            }
        }
    }
    return ncclSuccess;
}

/* A world of this process. False: no memory; nothing was made. */
static bool make_all(ncclComm_t *comms, int count, const int *devices)
{
    struct cdp_nccl_comm *made[CDP_MOST_DEVICES];
    struct cdp_nccl_after after = {NULL, NULL, NULL};
    bool is_made = true;
    for (int i = 0; i < count; i++) {
        made[i] = cdp_nccl_comm_new((unsigned)(devices != NULL ? devices[i] : i), i, count);
        is_made = is_made && made[i] != NULL;
    }
    cdp_lock_acquire(&cdp_nccl_all.lock);
    struct cdp_nccl_world *world = is_made ? cdp_nccl_world_new(new_number(), count, count) : NULL;
    for (int i = 0; i < count; i++) {
        if (world != NULL) {
            comms[i] = made[i]->handle;
            (void)cdp_nccl_world_add(world, made[i], &after);
        } else if (made[i] != NULL) {
            cdp_nccl_comm_forget(made[i]);
        }
    }
    cdp_lock_release(&cdp_nccl_all.lock);
    cdp_nccl_do_after(&after);
    return world != NULL;
}

ncclResult_t ncclCommInitAll(ncclComm_t *comms, int count, const int *devices)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    cdp_nccl_call = "ncclCommInitAll";
    if (error != cudaSuccess) {
        return cdp_nccl_cuda(error);
    }
    if (comms == NULL || count < 1) {
        return cdp_nccl_fail(ncclInvalidArgument, "%s",
                             comms == NULL ? "there is no place for the result"
                                           : "the number of devices is not positive");
    }
    ncclResult_t result = check_devices(runtime, count, devices);
    if (result == ncclSuccess && !make_all(comms, count, devices)) {
        result = cdp_nccl_fail(ncclSystemError, "no memory for communicators");
    }
    return result;
}

/* What ncclCommSplit and ncclCommShrink give a rank. */
struct child {
    ncclComm_t parent;
    ncclComm_t *out;
    const ncclConfig_t *config;
    int color, key;
    const int *without; /* ranks that do not call; NULL: all do */
    int without_count;
};

/* The ranks that do not call, as a number. */
static uint64_t set_of(const struct cdp_nccl_comm *comm, const struct child *child)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    uint64_t set = 0;
    for (int rank = 0; rank < comm->world->size; rank++) {
        bool is_in = false;
        for (int i = 0; i < child->without_count; i++) {
            is_in |= child->without[i] == rank;
        }
        set = is_in ? mix(set, (uint64_t)rank) : set;
    }
    return set;
}

/* The same for all ranks that call: those that exclude the same ones for the n-th time. 0: no
 * memory. */
static uint64_t next_shrink(struct cdp_nccl_comm *comm, uint64_t set) CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_shrinks *shrinks = comm->shrinks;
    while (shrinks != NULL && shrinks->set != set) {
        shrinks = shrinks->next;
    }
    if (shrinks == NULL) {
        shrinks = cdp_alloc_zero(sizeof *shrinks);
        if (shrinks == NULL) {
            return 0;
        }
        *shrinks = (struct cdp_nccl_shrinks){.next = comm->shrinks, .set = set};
        comm->shrinks = shrinks;
    }
    return mix(set, shrinks->count++) | SHRINKS;
}

static ncclResult_t tell_part(const struct cdp_nccl_comm *comm, uint64_t number, int rank,
                              const struct cdp_nccl_part *part, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    struct cdp_nccl_message message = {
        .kind = CDP_NCCL_SPLIT,
        .rank = rank,
        .split = {.color = part->color, .key = part->key, .number = number}};
    cdp_nccl_send_all(comm->world, &message, NULL);
    return cdp_nccl_split_add(comm->world, number, rank, part, after);
}

/* The ranks that do not call come first: once the last one that calls is known, the split is
 * complete, and forgotten. */
static ncclResult_t split_now(struct cdp_nccl_comm *comm, const struct child *child,
                              struct cdp_nccl_comm *made)
{
    struct cdp_nccl_after after = {NULL, NULL, NULL};
    struct cdp_nccl_part part = {.color = child->color, .key = child->key, .comm = made};
    const struct cdp_nccl_part none = {.color = NCCL_SPLIT_NOCOLOR};
    cdp_lock_acquire(&cdp_nccl_all.lock);
    bool is_shrink = child->without != NULL;
    uint64_t number = is_shrink ? next_shrink(comm, set_of(comm, child)) : comm->splits++;
    ncclResult_t result = is_shrink && number == 0
                              ? cdp_nccl_fail(ncclSystemError, "no memory for a split")
                              : ncclSuccess;
    for (int i = 0; i < child->without_count && result == ncclSuccess; i++) {
        result = tell_part(comm, number, child->without[i], &none, &after);
    }
    if (result == ncclSuccess) {
        result = tell_part(comm, number, comm->rank, &part, &after);
    }
    cdp_lock_release(&cdp_nccl_all.lock);
    cdp_nccl_do_after(&after);
    return result;
}

static ncclResult_t check_without(const struct cdp_nccl_comm *comm, const struct child *child)
    CDP_NEEDS(&cdp_nccl_all.lock)
{
    for (int i = 0; i < child->without_count; i++) {
        int rank = child->without[i];
        if (rank < 0 || rank >= comm->world->size || rank == comm->rank) {
            return cdp_nccl_fail(ncclInvalidArgument, "rank %d cannot be excluded: it %s", rank,
                                 rank == comm->rank ? "calls" : "does not exist");
        }
    }
    return ncclSuccess;
}

/* A communicator of some ranks of another one. */
static ncclResult_t make_child(const char *call, const struct child *child)
{
    struct cdp_nccl_comm *comm, *made = NULL;
    ncclResult_t result = cdp_nccl_enter_world(call, child->parent, &comm);
    if (result != ncclSuccess) {
        return cdp_nccl_leave(result);
    }
    unsigned device = comm->device;
    int size = comm->world->size;
    bool waits = comm->blocks;
    bool blocks = child->config != NULL ? config_blocks(child->config) : comm->blocks;
    result = check_without(comm, child);
    (void)cdp_nccl_leave(result);
    if (child->out == NULL) {
        return cdp_nccl_fail(ncclInvalidArgument, "there is no place for the result");
    }
    *child->out = NULL;
    result = result == ncclSuccess ? check_config(child->config) : result;
    if (result != ncclSuccess) {
        return result;
    }
    if (child->color != NCCL_SPLIT_NOCOLOR) {
        made = cdp_nccl_comm_new(device, 0, size);
        if (made == NULL) {
            return cdp_nccl_fail(ncclSystemError, "no memory for a communicator");
        }
        made->blocks = blocks;
        made->refs += 2; /* of the split and of the meeting */
    }
    *child->out = made != NULL ? made->handle : NULL;
    result = split_now(comm, child, made);
    if (result != ncclSuccess || made == NULL) {
        return result;
    }
    result = cdp_nccl_group_meeting(&(struct cdp_nccl_meeting){
        .comm = made, .is_split = true, .blocks = waits, .parent = child->parent});
    /* The parent is in progress then, but NVIDIA's library does not say so here. */
    return result == ncclInProgress ? ncclSuccess : result;
}

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *out,
                           ncclConfig_t *config)
{
    ncclResult_t result = make_child(
        "ncclCommSplit",
        &(struct child){.parent = comm, .out = out, .config = config, .color = color, .key = key});
    return result == ncclSuccess ? result : cdp_nccl_group_error(result);
}

/* Only the ranks that stay call. */
ncclResult_t ncclCommShrink(ncclComm_t comm, int *without, int count, ncclComm_t *out,
                            ncclConfig_t *config, int flags)
{
    const struct child child = {
        .parent = comm, .out = out, .config = config, .without = without, .without_count = count};
    ncclResult_t result;
    cdp_nccl_call = "ncclCommShrink";
    if (without == NULL || count < 1) {
        result = cdp_nccl_fail(ncclInvalidArgument, "there are no ranks to exclude");
    } else if (flags != NCCL_SHRINK_DEFAULT) {
        result = cdp_nccl_fail(ncclInvalidArgument, "of the flags only NCCL_SHRINK_DEFAULT is "
                                                    "supported");
    } else {
        result = make_child("ncclCommShrink", &child);
    }
    return result == ncclSuccess ? result : cdp_nccl_group_error(result);
}
