/* What happened, for the race check: segments of blocks, and launches.
 *
 * An access is described by the segment in which it was made, and its thread. A segment is an
 * interval of one execution of a block between two events of that block: a barrier, a launch, a
 * warp operation, a fence. Segments have numbers that grow with time. So "before that event of the
 * block" is a comparison of two numbers.
 *
 * Launches have numbers, too. The record of a launch says what is before the launched grid: the
 * launching thread's position, the launches it had waited for, and a clock of streams.
 *
 * All host threads count as one: the order between them is ThreadSanitizer's subject.
 *
 * Both tables are rings. A segment or launch that was overwritten is forgotten: it counts as before
 * everything, and a counter says how often that was used. */
#ifndef CDP_RACES_HISTORY_H
#define CDP_RACES_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "races/clock.h"

struct cdp_abi_kernel;
struct cdp_release_query;
struct cdp_release_view;

enum {
    CDP_HISTORY_LANES = 32,
    CDP_HISTORY_SEGMENTS = 1 << 22, /* of the ring */
    CDP_HISTORY_LAUNCHES = 1 << 20,
    CDP_HISTORY_VERDICTS = 16,
};

/* A segment of a block, or of the host (launch 0). Written before its number is used; then const
 * until the ring overwrites it. */
struct cdp_history_segment {
    uint32_t number;
    uint32_t launch; /* number of the grid's launch; 0: the host */
    uint32_t run;    /* the execution of the block; grows; 0: the host */
    uint32_t block;  /* linear index in the grid */
};

enum cdp_history_kind {
    CDP_LAUNCH_HOST,  /* an operation of a host's stream: a grid, a copy, a host function */
    CDP_LAUNCH_CHILD, /* by device code, in a stream or fire and forget */
    CDP_LAUNCH_TAIL,
};

/* What a thread knows of the lanes of its warp, by warp operations. */
struct cdp_history_lanes {
    uint32_t until[CDP_HISTORY_LANES]; /* a lane's accesses up to that segment are before */
    uint32_t mask;                     /* lanes of the latest operation; 0: none */
};

/* What a launching thread knows beyond its block's latest barrier, or what the launching host has
 * acquired. Owned by the launch. */
struct cdp_history_view {
    struct cdp_history_lanes lanes;
    struct cdp_release_view *acquired;
};

/* The launch of a grid. Written before the grid can run; then const until the ring overwrites it.
 * The table owns clock and view. */
struct cdp_history_launch {
    uint32_t number;
    enum cdp_history_kind kind;
    uint32_t depth;      /* 0: by the host */
    uint32_t parent;     /* number of the launching grid's launch; 0: the host */
    uint32_t run, block; /* the launching block's */
    uint32_t thread;     /* the launching thread's number in its block */
    uint32_t segment;    /* of the launch: the thread's accesses up to it are before */
    uint32_t epoch;      /* segments of the block below it are before its last barrier */
    uint32_t joined;     /* launches by the block up to it are complete */
    uint32_t grid_dim[3], block_dim[3]; /* of the launched grid */
    uint32_t host_segment;              /* HOST: the host's accesses up to it are before */
    uint32_t whole;    /* HOST: number of the operation that this one is a part of; 0: none */
    uint32_t launcher; /* HOST: number of the launch by device code that asked for it; 0: none */
    uintptr_t stream;  /* 0: none, as fire and forget */
    struct cdp_race_clock *clock;  /* see cdp_history_covers */
    struct cdp_history_view *view; /* see cdp_history_lanes_of; NULL: nothing */
    const struct cdp_abi_kernel *kernel;
    const void *site; /* return address of the launch; may be NULL */
};

/* What one thread of a block knows beyond its block. Owned by its block's struct. */
struct cdp_history_thread {
    uint32_t joined; /* launches of the block up to it are complete */
    /* accesses up to this segment are before its latest fence of the device's or a wider scope, and
     * of any scope; 0: none */
    uint32_t fence, block_fence;
    struct cdp_history_lanes *lanes;   /* owned; NULL: no warp operation */
    struct cdp_release_view *acquired; /* owned; see races/release.h */
};

/* What is known of a segment without a look at the threads of its accesses. */
enum cdp_history_seen {
    CDP_SEEN_OTHER,  /* none of the following */
    CDP_SEEN_BEFORE, /* all of it is before all that the block does */
    /* likewise, but of a block under whose launches this one is: its grid may still run */
    CDP_SEEN_LAUNCHER,
    CDP_SEEN_OWN,  /* of this execution of the block */
    CDP_SEEN_GRID, /* of another block of the same grid */
};
struct cdp_history_verdict {
    uint32_t segment; /* 0: none */
    enum cdp_history_seen seen;
};

struct cdp_unwritten;

/* What the threads of one instruction of a block entry store: none of the stores has been executed
 * when the first one is checked. Owned by its block. */
enum { CDP_HISTORY_VALUES = 64 };
struct cdp_history_stores {
    uint32_t site, first_thread, segment;
    bool is_uniform;                     /* all store the same value */
    uint64_t known;                      /* a bit for each of values that is set */
    uint64_t values[CDP_HISTORY_VALUES]; /* by thread - first_thread */
};

/* Reads of a loop that are recorded as reads of several warps of the block, so that other warps add
 * nothing. Valid in one segment. Owned by its block. */
enum { CDP_HISTORY_LOOPS = 8 };
struct cdp_history_loop {
    uint32_t segment; /* 0: none */
    const char *first;
    int64_t stride, step;
    uint64_t size, count, lanes;
};

/* One execution of a block, or the host.
 * Owner: the executor that runs the block; nobody else accesses it. The host's has a lock.
 * Invariant: epoch >= first; current is 0 or >= epoch. */
struct cdp_history_block {
    uint32_t launch, run, block;
    uint32_t first;    /* its segments are not below it */
    uint32_t shared;   /* segments below it used its shared memory before: other blocks' */
    uint32_t horizon;  /* cdp_history_horizon, which does not change while a block runs */
    uint32_t epoch;    /* segments below it are before the latest barrier */
    uint32_t current;  /* segment; 0: the next access begins one */
    uint32_t latest;   /* number of the latest launch by the block */
    uint32_t joined;   /* launches up to it are complete, and all threads know it */
    uint32_t arriving; /* the same, from the next barrier on */
    uint32_t thread_count;
    struct cdp_history_thread *threads; /* owned; NULL until needed */
    struct cdp_release_view *acquired;
    struct cdp_race_stream null_stream;
    struct cdp_unwritten *unwritten; /* of exec/report/unwritten.h, which owns it; or NULL */
    uint32_t before; /* a launch by the host that is before this block, found lately; 0: none */
    struct cdp_history_stores *stores; /* owned; NULL: none yet */
    struct cdp_history_loop *loops;    /* owned; CDP_HISTORY_LOOPS, by site; NULL: none yet */
    struct cdp_history_verdict verdicts[CDP_HISTORY_VERDICTS]; /* by the segment's low bits */
};

/* Reserves the tables. False without memory. */
bool cdp_history_start(void) CDP_MUST_CHECK;
void cdp_history_stop(void);

/* Segments. The block's current segment; begins one if there is none. */
uint32_t cdp_history_begin_segment(struct cdp_history_block *block);
static inline uint32_t cdp_history_segment(struct cdp_history_block *block)
{
    return CDP_LIKELY(block->current != 0) ? block->current : cdp_history_begin_segment(block);
}
/* A copy of the segment's record. False if it is forgotten. */
bool cdp_history_find_segment(uint32_t number, struct cdp_history_segment *out);
/* All segments below the horizon are before everything that follows. The caller knows that nothing
 * is pending. True: the numbers restart, so the caller must forget all records. */
bool cdp_history_set_horizon(void);
uint32_t cdp_history_horizon(void);
/* Whether nothing was launched since the horizon was set. */
bool cdp_history_is_quiet(void);

/* Events of a block. block: the linear index in the grid. NULL without memory. */
struct cdp_history_block *cdp_history_begin(uint32_t launch, uint32_t block, uint32_t threads);
void cdp_history_end(struct cdp_history_block *block);
void cdp_history_barrier(struct cdp_history_block *block);
/* Lanes of the warp that starts with that thread have met. */
void cdp_history_warp(struct cdp_history_block *block, uint32_t first, uint32_t lanes);
/* The thread has waited for the launches of its block up to that number. */
void cdp_history_joined(struct cdp_history_block *block, uint32_t thread, uint32_t number);
/* is_of_block: __threadfence_block, which orders only for threads of the block. */
void cdp_history_fence(struct cdp_history_block *block, uint32_t thread, bool is_of_block);
/* The thread's own record, made at the first call; NULL without memory. */
struct cdp_history_thread *cdp_history_thread(struct cdp_history_block *block, uint32_t thread);

/* A launch by a thread of the block. launch has kind, depth, thread, stream, clock, kernel, site
 * and dimensions; the rest is filled in. Takes over the clock. Returns the number. */
uint32_t cdp_history_launch(struct cdp_history_block *block, struct cdp_history_launch *launch);
/* An operation of a host's stream. If it is a part of a whole, the host asked for it when it asked
 * for the whole. */
uint32_t cdp_history_host_launch(struct cdp_history_launch *launch);
/* Joins what comes before an operation of a host's stream. */
void cdp_history_join_before(struct cdp_race_clock **clock, uint32_t number);
/* Joins what comes before the grid of the host's streams under which device code made a launch, and
 * this grid itself. */
void cdp_history_join_launcher(struct cdp_race_clock **clock, uint32_t number);
bool cdp_history_find_launch(uint32_t number, struct cdp_history_launch *out);
/* Of a copy of the launch: whether its clock covers another launch; what it knows of lanes, false
 * if nothing; whether an access is before it by what its thread had acquired. */
bool cdp_history_covers(const struct cdp_history_launch *launch, uintptr_t stream, uint32_t number);
bool cdp_history_lanes_of(const struct cdp_history_launch *launch, struct cdp_history_lanes *out);
/* Adds to *view what the launching thread, or the host, had acquired. */
void cdp_history_view_of(const struct cdp_history_launch *launch, struct cdp_release_view **view);
bool cdp_history_has_acquired(const struct cdp_history_launch *launch,
                              const struct cdp_release_query *query);

/* The host has waited for the work of a clock, and for a launch of a stream. */
void cdp_history_host_joined(const struct cdp_race_clock *clock, uintptr_t stream, uint32_t number);
/* A function of the host in that operation of a stream begins. What comes before the operation is
 * before all that the host does from now on: the function may tell any thread of the host. */
void cdp_history_host_called(uint32_t number);
bool cdp_history_host_waited_for(uintptr_t stream, uint32_t number);
/* The host's segment. */
uint32_t cdp_history_host_segment(void);

/* How often a segment, a launch or a record was missing, so that nothing could be compared; and
 * adds one to it. */
uint64_t cdp_history_forgotten(void);
void cdp_history_forget(void);

#endif
