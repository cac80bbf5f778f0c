/* A launched grid, from its launch to its completion.
 *
 * A grid is complete when all its blocks are and its tail launches have run; a block
 * is complete when its threads have ended and all grids it launched are complete.
 * Completion is a loop (cdp_grid_complete), never a recursion: chains of a million
 * nested grids are fine. */
#ifndef CDP_EXEC_STATE_GRID_H
#define CDP_EXEC_STATE_GRID_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/cdp_abi.h"
#include "base/attr.h"
#include "sched/task.h"

struct cdp_block;
struct cdp_chain;
struct cdp_device_stream;
struct cdp_executor;
struct cdp_submission_queue;
struct cdp_scope;

/* What the grid must tell when it is complete. */
enum cdp_grid_kind {
    CDP_GRID_HOST,  /* the chain of the host's launches that it is in */
    CDP_GRID_CHILD, /* the launching block, and the successor in its stream */
    CDP_GRID_TAIL,  /* the grid that launched it, which then goes on completing */
};

/* How its stream orders it. */
enum cdp_grid_order {
    CDP_ORDER_NONE,  /* fire and forget, tail, or the host's */
    CDP_ORDER_BLOCK, /* the block's NULL stream */
    CDP_ORDER_NAMED, /* a named stream: see exec/launch/scope.h */
};

/* Threads of a block, and of its x and y dimensions. */
enum { CDP_MOST_THREADS = 1024 };

/* How large a grid is, and how deep. */
struct cdp_grid_shape {
    uint32_t grid_dim[3];
    uint32_t dynamic_shared; /* bytes */
    uint32_t block_count;
    uint16_t block_dim[3];
    uint16_t depth; /* of nesting; see cdp_grid_depth_below */
};

/* The grid's tail launches, linked by task.link. */
struct cdp_grid_tails {
    struct cdp_grid *first, *last; /* last: only if there is a first */
};

/* The launch record; parameters follow at cdp_grid_params().
 *
 * Life: taken from its home's records by the launch; whoever learns that it is complete, a
 * CHILD's home, keeps the record.  Everything is written before the record is published (pushed,
 * injected or linked into a stream) and const from then on, but for what says otherwise. */
struct cdp_grid {
    alignas(CDP_CACHE_LINE) struct cdp_task task;
    const struct cdp_abi_kernel *kernel; /* NULL: an operation, see exec/launch/scope.h */
    union {
        struct cdp_block *parent; /* CHILD, TAIL: the launching block; a TAIL's may be gone */
        uint64_t began; /* HOST: see exec/launch/pace.h; 0: not timed; who runs it writes */
    };
    union {
        struct cdp_executor *home;          /* that launched it */
        struct cdp_submission_queue *queue; /* HOST: owns the record */
    };
    union {
        struct cdp_device_stream *stream; /* CDP_ORDER_NAMED */
        struct cdp_grid *owner;           /* TAIL: the grid that completes after it; no tail itself
                                             once it runs its tails */
        struct cdp_chain *chain;          /* HOST */
    };
    /* Successor in a block's NULL stream or in a chain of the host's, or CDP_GRID_DONE.
     * The owner appends and the completer passes on, with one exchange each; whoever
     * comes second starts the successor. */
    _Atomic(struct cdp_grid *) next;
    struct cdp_grid_shape shape;
    _Atomic uint32_t blocks_left; /* workers decrement; untouched if block_count == 1; with
                                     CDP_BOTH_HERE, one worker's alone */
    uint8_t size_class;           /* const as long as the record is */
    uint8_t order;                /* enum cdp_grid_order */
    uint16_t epoch;               /* CHILD: of its parent, see state/epoch.h */
    uint8_t kind;                 /* enum cdp_grid_kind */
    _Atomic uint8_t lock;         /* launch/spin.h; guards tails, scope while blocks run */
    bool counted;                 /* among the engine's pending device launches */
    bool plain;                   /* see block/plain.h */
    struct cdp_grid_tails tails;
    const void *site;        /* return address of the launch */
    struct cdp_scope *scope; /* owned; named streams and events; NULL until the first */
};

#define CDP_GRID_DONE ((struct cdp_grid *)1)

/* In blocks_left: the grid has two blocks, and the worker that began the first has taken back the
 * second.  So it counts them with plain stores. */
#define CDP_BOTH_HERE 0x80000000u

/* Bytes for parameters in a record of size class 0; each class has twice the one before. */
enum { CDP_GRID_SMALLEST_PARAMS = 64 };

_Static_assert(sizeof(struct cdp_grid) == 2 * CDP_CACHE_LINE, "two lines per launch record");

static inline void *cdp_grid_params(struct cdp_grid *grid)
{
    return grid + 1;
}

static inline struct cdp_grid *cdp_grid_of_params(void *params)
{
    return (struct cdp_grid *)params - 1;
}

static inline struct cdp_grid *cdp_grid_of_task(struct cdp_task *task)
{
    return (struct cdp_grid *)task; /* the first member */
}

/* The grid behind this one in a list by task.link; NULL: it is the last. */
static inline struct cdp_grid *cdp_grid_linked(const struct cdp_grid *grid)
{
    return grid->task.link != NULL ? cdp_grid_of_task(grid->task.link) : NULL;
}

/* Puts the grid before next, which may be NULL. */
static inline void cdp_grid_link(struct cdp_grid *grid, struct cdp_grid *next)
{
    grid->task.link = next != NULL ? &next->task : NULL;
}

/* Blocks first to last - 1, as an offer that says how many they are. */
static inline struct cdp_offer cdp_grid_blocks(struct cdp_grid *grid, uint32_t first, uint32_t last)
{
    return (struct cdp_offer){.task = &grid->task, .first = first, .last = last};
}

/* The end of the blocks that an offer of the grid stands for, whether it says so or not. */
static inline uint32_t cdp_grid_end(const struct cdp_grid *grid, uint32_t last)
{
    return last != 0 ? last : grid->shape.block_count;
}

/* Of what a grid of that depth launches; the greatest stands for all beyond. */
static inline uint16_t cdp_grid_depth_below(uint32_t depth)
{
    return (uint16_t)(depth + (depth < UINT16_MAX));
}

/* Before the record is published. */
static inline void cdp_grid_set_shape(struct cdp_grid *grid, const uint32_t grid_dim[3],
                                      const uint32_t block_dim[3])
{
    for (int i = 0; i < 3; i++) {
        grid->shape.grid_dim[i] = grid_dim[i];
        grid->shape.block_dim[i] = (uint16_t)block_dim[i];
    }
    grid->shape.block_count = grid_dim[0] * grid_dim[1] * grid_dim[2];
    atomic_store_explicit(&grid->blocks_left, grid->shape.block_count, memory_order_relaxed);
}

/* With CDP_STATS=1: when it was launched, behind the space for its parameters. */
static inline uint64_t *cdp_grid_launch_time(struct cdp_grid *grid)
{
    return (uint64_t *)(void *)((char *)(grid + 1) +
                                ((size_t)CDP_GRID_SMALLEST_PARAMS << grid->size_class));
}

#endif
