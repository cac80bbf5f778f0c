/* Communicators, and how the ranks of one meet (NVIDIA's manual "NCCL").
 *
 *     calls.c     the operations: arguments, groups of calls
 *     exchange.c  operations that are groups of sends and receives
 *     group.c     ncclGroupStart and ncclGroupEnd: what a group has collected becomes work
 *     comm.c      communicators: handles, queries, the end
 *     init.c      communicators: how the ranks meet
 *     round.c     one operation of several ranks: who has arrived, and what happens then
 *     shape.c     what an operation moves
 *     captured.c  operations in streams that are being captured
 *     work.c      the copies and reductions of an operation of this process
 *     remote.c    an operation of several processes
 *     root.c      how processes find each other
 *     net.c       the messages between processes, and their thread
 *     wire.c      what the messages mean
 *     reduce.c    arithmetic
 *     report.c    errors, NCCL_DEBUG
 *
 * The ranks of a process share a world. What a rank asks for is an op. The ops of several ranks
 * that belong together are a round: the n-th collective of each rank, or the n-th send from one
 * rank to another with the n-th receive. The ops of one group of calls, one communicator and one
 * stream are a batch, which is a hold of this stream (stream/stream.h). When a batch begins, its
 * ops arrive at their rounds: sends and receives at once, collectives one after the other. The last
 * op to arrive starts the round's work, on the engine's workers. When all ops of a batch are
 * complete, its hold ends. So no thread ever waits for a rank.
 *
 * One lock protects everything here. It is never held during a call of the streams, of the engine
 * or of the program. */
#ifndef CDP_API_NCCL_COMM_H
#define CDP_API_NCCL_COMM_H

#include <stdbool.h>
#include <stdint.h>

#include "nccl.h"

#include "base/handle.h"
#include "base/lock.h"
#include "api/nccl/report.h"

struct cdp_nccl_after;
struct cdp_nccl_peer;
struct cdp_nccl_round;
struct cdp_nccl_world;

/* A reduction made by ncclRedOpCreatePreMulSum. */
struct cdp_nccl_scale {
    bool is_live; /* else its number may be used again */
    ncclDataType_t type;
    const void *device; /* where the factor is when the operation runs; NULL: it is in value */
    uint64_t value;     /* the bits of one element */
};

/* How often a rank has called ncclCommShrink with a set of ranks to exclude. Owned by the
 * communicator. */
struct cdp_nccl_shrinks {
    struct cdp_nccl_shrinks *next;
    uint64_t set, count;
};

/* One rank of a world in this process. Life: counted, by the handle and each batch. Fields without
 * a comment: under the lock. */
struct cdp_nccl_comm {
    ncclComm_t handle;
    struct cdp_nccl_world *world; /* counted; NULL until the ranks have met */
    int rank;                     /* const once there is a world */
    unsigned device;              /* const */
    bool blocks;                  /* const; else calls that would wait return ncclInProgress */
    bool has_ended;               /* by ncclCommFinalize, Destroy or Abort */
    bool was_early;               /* an operation was called before the ranks had met */
    uint32_t refs;
    /* Of the initialization: ncclInProgress, then its result. Set under the lock; a thread that
     * waits reads it without. */
    _Atomic int state;
    uint64_t collectives; /* so far */
    uint64_t splits;
    struct cdp_nccl_shrinks *shrinks; /* owned */
    uint64_t *sends, *receives;       /* so far, for each peer; owned */
    struct cdp_nccl_scale *scales;    /* owned */
    int scale_count;
};

/* ncclCommSplit, or ncclCommShrink: the n-th call of each rank. Life: from the first call until all
 * are known. Under the lock. */
struct cdp_nccl_split {
    struct cdp_nccl_split *next;
    uint64_t number;
    int known;
    struct cdp_nccl_part {
        bool is_known;
        int color, key;
        struct cdp_nccl_comm *comm; /* the new one, counted; NULL: of another process, or none */
    } parts[];                      /* by rank */
};

/* What the ranks of a communicator share within this process. Life: counted, by each comm; and
 * until all ranks of other processes have left. All but constants: under the lock. */
struct cdp_nccl_world {
    uint64_t id; /* const; the same in all processes */
    int size;    /* const: number of ranks */
    int local;   /* const: how many of them are in this process */
    int joined;  /* how many of these have joined */
    uint32_t refs;
    struct cdp_nccl_world *next;   /* of all worlds */
    struct cdp_nccl_comm **comms;  /* by rank; owned; NULL: of another process, or freed */
    struct cdp_nccl_peer **peers;  /* by rank; owned: the process of a rank; NULL: this one */
    bool *has_left;                /* by rank; owned: the rank makes no calls any more */
    struct cdp_nccl_round *rounds; /* not complete */
    struct cdp_nccl_split *splits; /* not complete */
    ncclResult_t error;            /* what ended this world; ncclSuccess: nothing */
    bool is_told;                  /* the other processes know of the error */
    char text[CDP_NCCL_TEXT];      /* why */
};

/* The lock, and what it protects. */
struct cdp_nccl_all {
    struct cdp_lock lock;
    struct cdp_handle_table comms;
    struct cdp_nccl_world *worlds;
};
extern struct cdp_nccl_all cdp_nccl_all;

/* ---- Communicators (comm.c) ---- */

/* The start of a call that needs a communicator: takes the lock, also if the result is an error,
 * which was printed. */
ncclResult_t cdp_nccl_enter(const char *call, ncclComm_t handle, struct cdp_nccl_comm **comm)
    CDP_ACQUIRES(&cdp_nccl_all.lock) CDP_MUST_CHECK;
/* An operation came before the ranks had met: a communicator that does not block keeps the error,
 * as in NVIDIA's library. comm: may be NULL. */
void cdp_nccl_note_early(struct cdp_nccl_comm *comm) CDP_NEEDS(&cdp_nccl_all.lock);
/* The same for a call that uses the world: refuses one that is not ready, or has ended. */
ncclResult_t cdp_nccl_enter_world(const char *call, ncclComm_t handle, struct cdp_nccl_comm **comm)
    CDP_ACQUIRES(&cdp_nccl_all.lock) CDP_MUST_CHECK;
/* Releases the lock, and returns result. */
ncclResult_t cdp_nccl_leave(ncclResult_t result) CDP_RELEASES(&cdp_nccl_all.lock);

/* NULL: it was destroyed, or never made. */
struct cdp_nccl_comm *cdp_nccl_comm_find(ncclComm_t handle) CDP_NEEDS(&cdp_nccl_all.lock);
/* A new communicator without a world, on that device; NULL: no memory. It has at most size
 * ranks. */
struct cdp_nccl_comm *cdp_nccl_comm_new(unsigned device, int rank, int size);
void cdp_nccl_comm_drop(struct cdp_nccl_comm *comm) CDP_NEEDS(&cdp_nccl_all.lock);
/* Frees the handle, too. */
void cdp_nccl_comm_forget(struct cdp_nccl_comm *comm) CDP_NEEDS(&cdp_nccl_all.lock);

/* A world with that number of ranks, of which so many are in this process; NULL: no memory. */
struct cdp_nccl_world *cdp_nccl_world_new(uint64_t id, int size, int local)
    CDP_NEEDS(&cdp_nccl_all.lock);
struct cdp_nccl_world *cdp_nccl_world_find(uint64_t id) CDP_NEEDS(&cdp_nccl_all.lock);
void cdp_nccl_world_join(struct cdp_nccl_world *world, struct cdp_nccl_comm *comm)
    CDP_NEEDS(&cdp_nccl_all.lock);
/* Frees the world if nothing needs it any more. */
void cdp_nccl_world_release(struct cdp_nccl_world *world) CDP_NEEDS(&cdp_nccl_all.lock);

/* ---- Meetings (init.c) ---- */

/* The communicator joins the world, if it fits; the last one makes the world complete. An error was
 * printed, and the world has ended. */
ncclResult_t cdp_nccl_world_add(struct cdp_nccl_world *world, struct cdp_nccl_comm *comm,
                                struct cdp_nccl_after *after) CDP_NEEDS(&cdp_nccl_all.lock);
/* The rank calls ncclCommSplit or ncclCommShrink, or does not take part. Takes over the reference
 * to the new communicator. */
ncclResult_t cdp_nccl_split_add(struct cdp_nccl_world *world, uint64_t number, int rank,
                                const struct cdp_nccl_part *part, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock);
/* Whether the split waits for the call of that rank; unknown for ranks that may be excluded. */
bool cdp_nccl_split_waits(const struct cdp_nccl_world *world, const struct cdp_nccl_split *split,
                          int rank) CDP_NEEDS(&cdp_nccl_all.lock);
/* The call that splits: its name. */
const char *cdp_nccl_split_call(const struct cdp_nccl_split *split);
/* Whether a split of the rank is not complete. The communicator has a world. */
bool cdp_nccl_is_splitting(const struct cdp_nccl_comm *comm) CDP_NEEDS(&cdp_nccl_all.lock);
/* Ends the splits that are not complete. */
void cdp_nccl_splits_end(struct cdp_nccl_world *world, ncclResult_t error)
    CDP_NEEDS(&cdp_nccl_all.lock);

#endif
