/* Rounds: one operation of several ranks (comm.h has the picture). */
#ifndef CDP_API_NCCL_ROUND_H
#define CDP_API_NCCL_ROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/nccl/comm.h"
#include "api/nccl/reduce.h"
#include "exec/loop/engine.h"

struct cdp_command;

enum cdp_nccl_kind {
    CDP_NCCL_ALL_REDUCE,
    CDP_NCCL_REDUCE,
    CDP_NCCL_BROADCAST,
    CDP_NCCL_ALL_GATHER,
    CDP_NCCL_REDUCE_SCATTER,
    CDP_NCCL_SEND,
    CDP_NCCL_RECEIVE,
};

/* What one rank asks for. Life: owned by its batch. Const, but for what is under the lock. */
struct cdp_nccl_op {
    enum cdp_nccl_kind kind;
    const char *call;
    const char *from; /* NULL: nothing is read */
    char *to;         /* NULL: nothing is written */
    size_t count;     /* as the program gave it */
    ncclDataType_t type;
    int op;   /* as in struct cdp_nccl_reduction */
    int root; /* or the peer of a send or receive; 0 if there is none */
    struct cdp_nccl_scale scale;
    struct cdp_nccl_batch *batch;
    struct cdp_nccl_op *next;     /* in the batch */
    struct cdp_nccl_round *round; /* under the lock; NULL: the op is over */
};

/* Life: from ncclGroupEnd until its ops are over and its hold has ended. */
struct cdp_nccl_batch {
    struct cdp_nccl_comm *comm; /* counted */
    uint64_t stream;
    cudaStream_t given;               /* the same stream, as the program named it */
    struct cdp_nccl_op *first, *last; /* owned */
    struct cdp_nccl_batch *next;      /* in a group */
    /* Under the lock: */
    struct cdp_command *hold; /* NULL until the batch begins */
    int pending;              /* ops that are not over */
};

/* Which round of a world an op belongs to. */
struct cdp_nccl_place {
    int from, to; /* ranks; -1, -1: a collective */
    uint64_t number;
};

/* What ranks compare. The layout is that of messages between processes. */
struct cdp_nccl_fact {
    bool is_known;
    int32_t kind, type, op, root;
    uint64_t count;
    const void *device_scale; /* only in the op's own process */
    uint64_t scale;
};

/* The state of a round that other processes take part in (remote.c). */
struct cdp_nccl_remote {
    struct cdp_nccl_remote_parts *parts; /* owned; NULL: an op of this process has not arrived */
    int unsent;                          /* messages with data of the round */
    int tasks;                           /* computations that run */
    bool has_gone;                       /* all ops have arrived */
    bool is_dead;                        /* its world has ended, but tasks run */
    bool failed;                         /* no memory */
};

/* Life: from the first op that belongs to it until it is over. Under the lock, but for what the
 * work reads. */
struct cdp_nccl_round {
    struct cdp_engine_task task;  /* first */
    struct cdp_nccl_world *world; /* borrowed: it outlives its rounds */
    struct cdp_nccl_round *next, *next_ready;
    struct cdp_nccl_place place;
    int size;    /* of ops */
    int local;   /* how many of these are of this process */
    int arrived; /* of these */
    int ready;   /* how many of the others have arrived */
    bool runs; /* all are of this process, and the work has started: it is over when this is done */
    struct cdp_nccl_remote *remote; /* owned; NULL: all are of this process */
    struct cdp_nccl_fact *facts;    /* owned; indices as in ops */
    /* By rank; or the send and the receive. NULL: not known yet, or of another process. */
    struct cdp_nccl_op *ops[];
};

/* An op of this process; NULL: none has been made. */
static inline struct cdp_nccl_op *cdp_nccl_any_op(const struct cdp_nccl_round *round)
{
    for (int i = 0; i < round->size; i++) {
        if (round->ops[i] != NULL) {
            return round->ops[i];
        }
    }
    return NULL;
}

/* What must be done after the lock is released. */
struct cdp_nccl_after {
    struct cdp_nccl_batch *ended;  /* by next: their holds end */
    struct cdp_nccl_round *ready;  /* by next_ready: their work starts */
    struct cdp_engine_task *tasks; /* by internal[0]: they start */
};
void cdp_nccl_do_after(struct cdp_nccl_after *after);

/* Finds the round of each op of the batch, or makes it. An op that does not fit the others of its
 * round ends the world: the result is an error, which was printed. */
ncclResult_t cdp_nccl_register(struct cdp_nccl_batch *batch, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock);
/* Queues the batch's hold. The batch may be freed then. */
ncclResult_t cdp_nccl_queue(struct cdp_nccl_batch *batch);
/* Whether the stream is being captured: then the batch is a node of the graph, or was freed, and
 * *result is that of the call (captured.c). */
bool cdp_nccl_capture(struct cdp_nccl_batch *batch, ncclResult_t *result);
/* Frees a batch that was not queued. */
void cdp_nccl_batch_free(struct cdp_nccl_batch *batch) CDP_NEEDS(&cdp_nccl_all.lock);

/* Ends the world, because a split waits for a rank that has left; how: what its communicator did.
 */
void cdp_nccl_end_split(struct cdp_nccl_world *world, const struct cdp_nccl_split *split, int rank,
                        const char *how, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock);
/* Nothing of the world is done any more, but for work that has started. text: why. Does nothing if
 * the world has ended before. */
void cdp_nccl_world_end(struct cdp_nccl_world *world, ncclResult_t error, const char *text,
                        struct cdp_nccl_after *after) CDP_NEEDS(&cdp_nccl_all.lock);
/* The rank makes no calls any more. If others wait for it, the world ends. how: "was destroyed" */
void cdp_nccl_rank_leaves(struct cdp_nccl_world *world, int rank, const char *how,
                          struct cdp_nccl_after *after) CDP_NEEDS(&cdp_nccl_all.lock);
/* The work of the round is done. */
void cdp_nccl_round_done(struct cdp_nccl_round *round);
/* The same: takes the round out of its world, and frees it. */
void cdp_nccl_round_over(struct cdp_nccl_round *round, struct cdp_nccl_after *after)
    CDP_NEEDS(&cdp_nccl_all.lock);
/* The round of that place, NULL: there is none; or made, NULL: no memory. */
struct cdp_nccl_round *cdp_nccl_round_find(const struct cdp_nccl_world *world,
                                           const struct cdp_nccl_place *place)
    CDP_NEEDS(&cdp_nccl_all.lock);
struct cdp_nccl_round *cdp_nccl_round_at(struct cdp_nccl_world *world,
                                         const struct cdp_nccl_place *place)
    CDP_NEEDS(&cdp_nccl_all.lock);
/* An op of another process is known. False: it does not fit, and the world has ended. */
bool cdp_nccl_add_fact(struct cdp_nccl_round *round, int index, const struct cdp_nccl_fact *fact,
                       struct cdp_nccl_after *after) CDP_NEEDS(&cdp_nccl_all.lock);

/* ---- Work (work.c) ---- */

/* The copies and reductions of a round of this process, whose ops have all arrived: the run of its
 * task. */
void cdp_nccl_work(struct cdp_engine_task *task);
/* On a worker, with the help of others. The moves access different memory. Returns NULL, or the
 * address of an access that faulted. */
const void *cdp_nccl_run_moves(const struct cdp_nccl_move *moves, size_t count);
/* The round's ops, as far as they are of this process, access their memory now; have done that. For
 * checks. */
void cdp_nccl_note_start(const struct cdp_nccl_round *round);
void cdp_nccl_note_end(const struct cdp_nccl_round *round);
/* An access to memory of the round's ops faulted: it was valid when the call was made. */
void cdp_nccl_fault(const struct cdp_nccl_round *round, const void *address);

#endif
