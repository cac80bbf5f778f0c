/* A launched grid, from its launch to its completion.
 *
 * A grid is complete when all its blocks are complete and its tail launches have run.  A block is
 * complete when its threads have ended and all grids that it launched are complete. Completion is a
 * loop (cdp_grid_complete) and never a recursion.  So a million nested grids need no more stack
 * than one. */
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
struct cdp_clusters;
struct cdp_device_stream;
struct cdp_executor;
struct cdp_submission_queue;
struct cdp_scope_slot;

/* What the completion of a grid affects. */
enum cdp_grid_kind {
    CDP_GRID_HOST,  /* its chain of the host's launches: the next grid starts */
    CDP_GRID_CHILD, /* the launching block, and the next grid of its stream */
    CDP_GRID_TAIL,  /* the grid whose tail launch it is: that grid's completion continues */
};

/* How the grid's stream orders it. */
enum cdp_grid_order {
    CDP_ORDER_NONE,  /* fire and forget, tail, or the host's */
    CDP_ORDER_BLOCK, /* a stream that only one block uses: its NULL stream, or a private one */
    CDP_ORDER_NAMED, /* a stream that all blocks of a grid may use: see exec/launch/scope.h */
};

/* Threads of a block, and of its x and y dimensions. */
enum { CDP_MOST_THREADS = 1024 };

/* The size of a grid and its nesting depth. */
struct cdp_grid_shape {
    uint32_t grid_dim[3];
    uint32_t dynamic_shared; /* bytes */
    uint32_t block_count;
    uint16_t block_dim[3];
    uint16_t depth; /* nesting depth; see cdp_grid_depth_below */
};

/* The grid's tail launches, linked by task.link. */
struct cdp_grid_tails {
    struct cdp_grid *first, *last; /* last is valid only if first is not NULL */
};

/* The launch record; parameters follow at cdp_grid_params().
 * Life: the launch takes the record from the records of its home.  When the grid is complete, the
 * executor that handles the completion keeps the record.  (The record of a HOST grid returns to its
 * queue.) A record is published when it is pushed, injected or linked into a stream.  All fields
 * are written before that.  Later they are const, unless their comment says otherwise. */
struct cdp_grid {
    alignas(CDP_CACHE_LINE) struct cdp_task task;
    const struct cdp_abi_kernel *kernel; /* NULL: an operation, see exec/launch/scope.h */
    union {
        /* CHILD, TAIL: the launching block; a TAIL's block may have been freed */
        struct cdp_block *parent;
        uint64_t began; /* HOST: start time, see exec/launch/pace.h; 0: not timed; the worker that
                           begins the grid writes it */
    };
    union {
        struct cdp_executor *home;          /* CHILD, TAIL: the executor that launched it */
        struct cdp_submission_queue *queue; /* HOST: the queue that owns the record */
    };
    union {
        /* CHILD: its named stream; NULL: it is in the block's NULL stream, or in none */
        struct cdp_device_stream *stream;
        struct cdp_grid *owner;  /* TAIL: the grid that completes after it.  When that grid runs its
                                    tails, it is not a TAIL any more */
        struct cdp_chain *chain; /* HOST */
    };
    /* Successor in a stream of one block or in a chain of the host, or CDP_GRID_DONE. The owner of
     * the stream appends with one exchange, and the worker that completes the grid exchanges
     * CDP_GRID_DONE. The second of the two starts the successor. */
    _Atomic(struct cdp_grid *) next;
    struct cdp_grid_shape shape;
    _Atomic uint32_t blocks_left; /* workers decrement it; unused if block_count == 1; with
                                     CDP_BOTH_HERE only one worker accesses it */
    uint8_t size_class;           /* const for the life of the memory */
    uint8_t order;                /* enum cdp_grid_order */
    uint16_t epoch;       /* CHILD: an epoch of its parent, see state/epoch.h; HOST: bits, see
                             cdp_grid_is_cooperative */
    uint8_t kind;         /* enum cdp_grid_kind */
    _Atomic uint8_t lock; /* launch/spin.h; guards tails and objects while blocks run */
    uint8_t device;       /* its device, and the bits below: see cdp_grid_device */
    bool plain;           /* see block/plain.h */
    struct cdp_grid_tails tails;
    const void *site;               /* return address of the launch */
    struct cdp_scope_slot *objects; /* owned; streams and events that all its blocks may use */
};

/* Bits of device: the engine's pending device launches include the grid; it has clusters; the
 * profile has it (exec/report/profile.h). */
#define CDP_GRID_COUNTED 0x80u
#define CDP_GRID_CLUSTERED 0x40u
#define CDP_GRID_PROFILED 0x20u

#define CDP_GRID_DONE ((struct cdp_grid *)1)

/* A bit of blocks_left: the grid has two blocks, and the worker that began the first has taken back
 * the second.  So this worker counts them with plain stores. */
#define CDP_BOTH_HERE 0x80000000u

/* Bytes for parameters in a record of size class 0.  Each next class has twice as many. */
enum { CDP_GRID_SMALLEST_PARAMS = 64 };

_Static_assert(sizeof(struct cdp_grid) == 2 * CDP_CACHE_LINE, "two lines per launch record");

/* The number of the device that the grid runs on. */
static inline unsigned cdp_grid_device(const struct cdp_grid *grid)
{
    return grid->device & ~(CDP_GRID_COUNTED | CDP_GRID_CLUSTERED | CDP_GRID_PROFILED);
}

static inline bool cdp_grid_is_counted(const struct cdp_grid *grid)
{
    return (grid->device & CDP_GRID_COUNTED) != 0;
}

static inline bool cdp_grid_is_profiled(const struct cdp_grid *grid)
{
    return (grid->device & CDP_GRID_PROFILED) != 0;
}

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

/* The bits of a HOST grid's epoch. */
enum { CDP_GRID_COOPERATIVE = 1 << 0, CDP_GRID_IN_GRAPH = 1 << 1 };

/* Whether all blocks of the grid are resident at the same time, and may meet. */
static inline bool cdp_grid_is_cooperative(const struct cdp_grid *grid)
{
    return grid->kind == CDP_GRID_HOST && (grid->epoch & CDP_GRID_COOPERATIVE) != 0;
}

static inline bool cdp_grid_has_clusters(const struct cdp_grid *grid)
{
    return (grid->device & CDP_GRID_CLUSTERED) != 0;
}

/* Where the blocks of a cooperative grid meet (block/grid_barrier.c), and a grid's clusters.  The
 * counts are changed by all workers that run blocks of the grid. */
struct cdp_grid_barrier {
    _Atomic uint32_t arrived;      /* blocks, in this phase */
    _Atomic uint32_t phase;        /* counts up */
    struct cdp_clusters *clusters; /* state/cluster.h; used if the grid has clusters; const */
};

/* Bytes of parameters, and of the barrier that follows them in a cooperative grid and in one
 * with clusters. */
static inline size_t cdp_grid_barrier_at(const struct cdp_abi_kernel *kernel)
{
    size_t align = alignof(struct cdp_grid_barrier);
    return (kernel->param_size + align - 1) / align * align;
}

static inline struct cdp_grid_barrier *cdp_grid_barrier(struct cdp_grid *grid)
{
    char *params = cdp_grid_params(grid);
    return (struct cdp_grid_barrier *)(void *)(params + cdp_grid_barrier_at(grid->kernel));
}

/* The graph that the grid is a part of, if kernels may launch it; else NULL.  A pointer of api/. */
static inline void **cdp_grid_environment_at(struct cdp_grid *grid)
{
    return (void **)(void *)((char *)cdp_grid_barrier(grid) + sizeof(struct cdp_grid_barrier));
}

static inline void *cdp_grid_environment(struct cdp_grid *grid)
{
    bool is_host = grid->kind == CDP_GRID_HOST;
    return is_host && (grid->epoch & CDP_GRID_IN_GRAPH) ? *cdp_grid_environment_at(grid) : NULL;
}

/* The next grid of a list by task.link, or NULL. */
static inline struct cdp_grid *cdp_grid_linked(const struct cdp_grid *grid)
{
    return grid->task.link != NULL ? cdp_grid_of_task(grid->task.link) : NULL;
}

/* Links the grid to next, which may be NULL. */
static inline void cdp_grid_link(struct cdp_grid *grid, struct cdp_grid *next)
{
    grid->task.link = next != NULL ? &next->task : NULL;
}

/* An offer of the grid's blocks first to last - 1. */
static inline struct cdp_offer cdp_grid_blocks(struct cdp_grid *grid, uint32_t first, uint32_t last)
{
    return (struct cdp_offer){.task = &grid->task, .first = first, .last = last};
}

/* The end of an offer's range of blocks.  An offer with last == 0 means all blocks of the grid. */
static inline uint32_t cdp_grid_end(const struct cdp_grid *grid, uint32_t last)
{
    return last != 0 ? last : grid->shape.block_count;
}

/* The nesting depth of the grids that a grid of that depth launches.  Depths above UINT16_MAX
 * become UINT16_MAX. */
static inline uint16_t cdp_grid_depth_below(uint32_t depth)
{
    return (uint16_t)(depth + (depth < UINT16_MAX));
}

/* Called before the record is published. */
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

#endif
