/* Releases and acquires: orders that a program makes itself, by a fence and an atomic flag.
 *
 * A thread releases when it writes atomically after a fence. What it did before the fence, what its
 * block did before its latest barrier, and what it had acquired itself, are then before every
 * thread that reads that address atomically. Each address has a log of releases. A view says which
 * part of which logs a thread has acquired. */
#ifndef CDP_RACES_RELEASE_H
#define CDP_RACES_RELEASE_H

#include <stdbool.h>
#include <stdint.h>

struct cdp_history_block;
struct cdp_race_clock;
struct cdp_release_view;

/* The thread of the block writes the address atomically. Does nothing if there was no fence. */
void cdp_release_write(const void *address, struct cdp_history_block *block, uint32_t thread);
/* The thread reads it atomically. Call it before cdp_release_write for operations that do both. */
void cdp_release_read(const void *address, struct cdp_history_block *block, uint32_t thread);

/* The same for the host, whose threads count as one. It writes flags by plain stores: with a store
 * in that segment it has released all of it. Called when the device reads the flag. */
void cdp_release_host_wrote(const void *address, uint32_t segment);
void cdp_release_host_read(const void *address);
/* An operation of a host's stream writes the address: what is before the operation is released. The
 * function takes over the clock and the view. */
struct cdp_operation_release {
    uint32_t host_segment;         /* the host's accesses up to it are before */
    struct cdp_race_clock *clock;  /* operations of streams that are before, with itself */
    struct cdp_release_view *view; /* what was acquired before */
};
void cdp_release_operation_wrote(const void *address, const struct cdp_operation_release *release);
/* Adds what has been released at the address to *view. */
void cdp_release_add(const void *address, struct cdp_release_view **view);
/* Adds what the host has acquired to *view. */
void cdp_release_host_view(struct cdp_release_view **view);

/* Adds what other has to *view, which may be NULL. */
void cdp_release_view_join(struct cdp_release_view **view, const struct cdp_release_view *other);
void cdp_release_view_drop(struct cdp_release_view *view);

/* An access in a block; or everything under a launch of the block (launch not 0); or everything
 * under an operation of a host's stream (stream not 0). */
struct cdp_release_query {
    uintptr_t stream;
    uint32_t number; /* of the operation */
    uint32_t run;
    uint32_t segment, thread; /* thread UINT32_MAX: several threads */
    uint32_t warp;            /* the one that has all of them; UINT32_MAX: there is none */
    uint32_t launch;
    uint32_t reader; /* the execution of the block that reads now; 0: other blocks */
};
/* Whether the access is before what the owner of the view does. view may be NULL. */
bool cdp_release_view_has(const struct cdp_release_view *view,
                          const struct cdp_release_query *query);

/* The same of what the host does. */
bool cdp_release_host_has(const struct cdp_release_query *query);

/* Whether any thread has released since the last cdp_release_clear. */
bool cdp_release_is_used(void);
/* Forgets all logs: nothing is pending, and everything so far is before what follows. */
void cdp_release_clear(void);

#endif
