/* The order of a program's accesses, for the race check.
 *
 * An access is described by the segment in which it was made, and its thread. A segment is an
 * interval of one execution of a block between two events of that block: a barrier, a launch, a
 * warp operation, a fence. Segments have numbers that grow with time. So "before that event of the
 * block" is a comparison of two numbers.
 *
 * Launches have numbers, too. The record of a launch says what is before the launched grid: the
 * launching thread's position, the launches it had waited for, and a clock of streams. The order of
 * two accesses follows from the records on their ways up the launch tree, to the first block, grid
 * or host that they have in common.
 *
 * All host threads count as one: the order between them is ThreadSanitizer's subject.
 *
 * Both tables are rings. A segment or launch that was overwritten is forgotten: it counts as before
 * everything, and a counter says how often that was used. */
#ifndef CDP_RACES_ORDER_H
#define CDP_RACES_ORDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "races/clock.h"

struct cdp_abi_kernel;

enum {
    CDP_ORDER_LANES = 32,
    CDP_ORDER_SEGMENTS = 1 << 22, /* of the ring */
    CDP_ORDER_LAUNCHES = 1 << 20,
};

/* A segment of a block, or of the host (launch 0). Written before its number is used; then const
 * until the ring overwrites it. */
struct cdp_order_segment {
    uint32_t number;
    uint32_t launch; /* number of the grid's launch; 0: the host */
    uint32_t run;    /* the execution of the block; grows; 0: the host */
    uint32_t block;  /* linear index in the grid */
};

enum cdp_order_kind {
    CDP_LAUNCH_HOST,  /* an operation of a host's stream: a grid, a copy, a host function */
    CDP_LAUNCH_CHILD, /* by device code, in a stream or fire and forget */
    CDP_LAUNCH_TAIL,
};

/* The launch of a grid. Written before the grid can run; then const until the ring overwrites it.
 * The table owns clock and lanes. */
struct cdp_order_launch {
    uint32_t number;
    enum cdp_order_kind kind;
    uint32_t depth;      /* 0: by the host */
    uint32_t parent;     /* number of the launching grid's launch; 0: the host */
    uint32_t run, block; /* the launching block's */
    uint32_t thread;     /* the launching thread's number in its block */
    uint32_t segment;    /* of the launch: the thread's accesses up to it are before */
    uint32_t epoch;      /* segments of the block below it are before its last barrier */
    uint32_t joined;     /* launches by the block up to it are complete */
    uint32_t grid_dim[3], block_dim[3]; /* of the launched grid */
    uint32_t host_segment;              /* HOST: the host's accesses up to it are before */
    uintptr_t stream;                   /* 0: none, as fire and forget */
    struct cdp_race_clock *clock;
    uint32_t *lanes; /* CDP_ORDER_LANES, see struct cdp_order_thread; NULL: none */
    const struct cdp_abi_kernel *kernel;
    const void *site; /* return address of the launch; may be NULL */
};

/* What one thread of a block knows beyond its block. Owned by its block's struct. */
struct cdp_order_thread {
    uint32_t joined; /* launches of the block up to it are complete */
    uint32_t fence;  /* accesses up to this segment are before its latest fence; 0: none */
    uint32_t mask;   /* lanes of its latest warp operation */
    uint32_t *lanes; /* by lane: its accesses up to that segment are before; NULL: none */
    struct cdp_release_view *acquired; /* see races/release.h */
};

/* One execution of a block, or the host.
 * Owner: the executor that runs the block; nobody else accesses it. The host's has a lock.
 * Invariant: epoch >= first; current is 0 or >= epoch. */
struct cdp_order_block {
    uint32_t launch, run, block;
    uint32_t first;    /* its segments are not below it */
    uint32_t epoch;    /* segments below it are before the latest barrier */
    uint32_t current;  /* segment; 0: the next access begins one */
    uint32_t latest;   /* number of the latest launch by the block */
    uint32_t joined;   /* launches up to it are complete, and all threads know it */
    uint32_t arriving; /* the same, from the next barrier on */
    uint32_t thread_count;
    struct cdp_order_thread *threads; /* owned; NULL until needed */
    struct cdp_release_view *acquired;
    struct cdp_race_clock *null_clock; /* of the block's NULL stream */
    uint32_t null_latest;              /* latest launch in it */
    uint32_t before; /* a launch by the host that is before this block, found lately; 0: none */
};

/* Reserves the tables. False without memory. */
bool cdp_order_start(void) CDP_MUST_CHECK;
void cdp_order_stop(void);

/* Segments. */
/* The block's current segment; begins one if there is none. */
uint32_t cdp_order_segment(struct cdp_order_block *block);
/* A copy of the segment's record. False if it is forgotten. */
bool cdp_order_find_segment(uint32_t number, struct cdp_order_segment *out);
/* All segments below the horizon are before everything that follows. The caller knows that nothing
 * is pending. */
void cdp_order_set_horizon(void);
uint32_t cdp_order_horizon(void);

/* Events of a block. */
struct cdp_order_block *cdp_order_begin(uint32_t launch, uint32_t block, uint32_t threads);
void cdp_order_end(struct cdp_order_block *block);
void cdp_order_barrier(struct cdp_order_block *block);
/* Lanes of the warp that starts with that thread have met. */
void cdp_order_warp(struct cdp_order_block *block, uint32_t first, uint32_t lanes);
/* The thread has waited for the launches of its block up to that number. */
void cdp_order_joined(struct cdp_order_block *block, uint32_t thread, uint32_t number);
void cdp_order_fence(struct cdp_order_block *block, uint32_t thread);
/* The thread's own record, made at the first call; NULL without memory. */
struct cdp_order_thread *cdp_order_thread(struct cdp_order_block *block, uint32_t thread);

/* A launch by a thread of the block. launch has kind, depth, parent, thread, stream, clock, kernel,
 * site, dims; the rest is filled in. Takes over the clock. Returns the number. */
uint32_t cdp_order_launch(struct cdp_order_block *block, struct cdp_order_launch *launch);
/* An operation of a host's stream. */
uint32_t cdp_order_host_launch(struct cdp_order_launch *launch);
bool cdp_order_find_launch(uint32_t number, struct cdp_order_launch *out);

/* The host has waited for the work of a clock, and for a launch of a stream. */
void cdp_order_host_joined(const struct cdp_race_clock *clock, uintptr_t stream, uint32_t number);
/* The host's segment. */
uint32_t cdp_order_host_segment(void);

/* The threads that made an access. */
enum cdp_order_set {
    CDP_SET_THREAD, /* one thread */
    CDP_SET_WARP,   /* several lanes of its warp */
    CDP_SET_BLOCK,  /* several warps of its block */
    CDP_SET_GRID,   /* several blocks of its grid */
};
struct cdp_order_access {
    uint32_t segment, thread;
    enum cdp_order_set set;
};

/* Why there is no order. */
enum cdp_order_rule {
    CDP_ORDERED,
    CDP_NO_WARP_SYNC,   /* lanes of a warp, without a warp operation between */
    CDP_NO_BARRIER,     /* threads of a block */
    CDP_NO_GRID_SYNC,   /* blocks of a grid */
    CDP_NO_LAUNCH,      /* the launched grid may run before the access */
    CDP_NO_JOIN,        /* nobody waited for the launched grid */
    CDP_JOIN_BY_OTHER,  /* another thread of the block waited */
    CDP_NO_STREAM,      /* two launches whose streams do not order them */
    CDP_NO_HOST_SYNC,   /* the host did not wait */
    CDP_NO_HOST_LAUNCH, /* the host's access came after the launch */
};

/* Whether access a is before what the thread of the block does now. block NULL: the host. */
enum cdp_order_rule cdp_order_of(const struct cdp_order_access *a, struct cdp_order_block *block,
                                 uint32_t thread);

/* How often a forgotten segment or launch counted as ordered. */
uint64_t cdp_order_forgotten(void);

#endif
