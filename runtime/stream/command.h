/* The private interface of this folder: commands, queues and waiters. */
#ifndef CDP_STREAM_COMMAND_H
#define CDP_STREAM_COMMAND_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/handle.h"
#include "base/lock.h"
#include "races/clock.h"
#include "exec/launch/chain.h"
#include "exec/loop/engine.h"
#include "stream/shared_event.h"
#include "stream/stream.h"

#define CDP_NO_TICKET UINT64_MAX

enum cdp_command_kind {
    CDP_COMMAND_LAUNCH, /* a chain of launches */
    CDP_COMMAND_CALL,   /* runs on a worker */
    CDP_COMMAND_BRIEF,  /* runs on the thread that completes the previous command */
    CDP_COMMAND_HOLD,   /* begins there, and is complete when cdp_stream_end_hold is called */
    CDP_COMMAND_RECORD, /* stamps an event */
    CDP_COMMAND_WAIT,   /* for another stream's ticket */
    CDP_COMMAND_TURN,   /* a host thread does the work itself */
};

/* The function of a command. */
union cdp_command_call {
    void (*run)(void *data);                             /* CALL, BRIEF */
    bool (*begin)(void *data, struct cdp_command *hold); /* HOLD */
};

/* WAIT. */
struct cdp_command_wait {
    struct cdp_stream *stream; /* counted; waits for this one's ticket */
    uint64_t ticket;
    /* For CDP_TRACE: whether to record the wait, in which stream, and since when; 0: not yet. */
    bool is_recorded;
    uint64_t handle, began;
};

/* One queued operation. Life: taken from streams->spare, pushed to a stream, returned when it is
 * complete. Invariant: a started command is the head of its stream; an open chain is the tail. */
struct cdp_command {
    struct cdp_engine_task task; /* first: the engine passes it back */
    struct cdp_streams *streams;
    struct cdp_stream *stream; /* borrowed: pending commands keep it alive */
    struct cdp_command *next;  /* in the stream, or spare */
    struct cdp_command *link;  /* in a batch, or in another stream's waiters */
    uint64_t ticket;
    enum cdp_command_kind kind;
    uint32_t weight;      /* in its stream's length */
    uint32_t race_number; /* with the race check: the number of this operation (stream/races.h) */
    bool started;
    _Atomic bool granted;   /* TURN: set under the lock, polled by its host thread */
    struct cdp_chain chain; /* LAUNCH; not in the union, as launch/chain.h requires */
    union {
        union cdp_command_call call;
        struct cdp_event *event; /* counted; if it is shared, data has the number of the record */
        struct cdp_command_wait wait;
    };
    void *large; /* owned: data that does not fit below, or NULL */
    alignas(16) char data[128];
};

/* What the operations of a stream are parts of: see struct cdp_stream_service. */
struct cdp_race_cause {
    uint32_t hold, launcher; /* numbers; 0: none */
};

struct cdp_stream {
    struct cdp_stream_device *device; /* const; borrowed */
    struct cdp_command *head, *tail;
    _Atomic uint64_t oldest; /* head's ticket or CDP_NO_TICKET; set under the lock */
    uint64_t newest;         /* last ticket submitted */
    uint32_t length;         /* commands pending, by weight */
    /* this stream's newest ticket that the NULL stream's queue waits for */
    uint64_t null_waits_for;
    /* the NULL stream's newest ticket that this stream's queue waits for */
    uint64_t waits_for_null;
    struct cdp_command *waiters; /* started WAITs for tickets of this stream, by link */
    struct cdp_stream *busy_previous, *busy_next; /* in streams->busy while head != NULL */
    struct cdp_stream *advance_next;              /* in a batch */
    bool is_blocking;                             /* takes part in the NULL stream's barrier */
    bool in_batch;
    bool is_of_holds;                 /* gets work from holds: see cdp_stream_serve_hold */
    struct cdp_race_cause race_cause; /* with the race check */
    struct cdp_stream_traits traits;
    uint32_t refs;                /* handle, non-empty queue, WAITs, events, waiting host threads */
    struct cdp_race_stream races; /* with the race check */
};

/* Whether the invariants hold (base/valid.h).  With the lock of its streams. */
bool cdp_stream_is_valid(const struct cdp_stream *stream);

struct cdp_event {
    unsigned device;           /* const; CDP_ALL_DEVICES: any */
    struct cdp_stream *stream; /* counted; of the latest record; NULL: never recorded */
    uint64_t ticket;           /* of the latest record */
    uint64_t time;             /* nanoseconds, of the latest completed record */
    unsigned flags;
    uint32_t refs;                  /* handle, RECORDs */
    struct cdp_race_clock *clock;   /* with the race check: what the latest record comes after */
    struct cdp_shared_event shared; /* counted; none: the event is this process's alone */
    uint64_t shared_record;         /* of the latest record by this process */
};

/* What belongs to one device. */
struct cdp_stream_device {
    unsigned number; /* const */
    struct cdp_stream null;
    _Atomic uint32_t busy_count; /* streams with work; set under the lock */
    /* With the race check: all work of blocking streams but the NULL stream, and of all streams. */
    struct cdp_race_clock *blocking_clock, *all_clock;
};

/* A host thread waiting for (stream, ticket), or with stream NULL for everything. */
struct cdp_host_waiter {
    struct cdp_host_waiter *next;
    struct cdp_stream *stream;
    uint64_t ticket;
};

struct cdp_streams {
    struct cdp_engine *engine; /* borrowed */
    pthread_key_t thread_key;  /* const: struct thread_stream of each thread */
    struct cdp_lock lock;      /* guards all below, and all streams, commands, events */
    uint64_t ticket;
    unsigned device_count; /* const */
    struct cdp_stream_device devices[CDP_MOST_DEVICES];
    /* no program's stream: calls that run after everything that was pending */
    struct cdp_stream after_all;
    struct cdp_stream *busy;     /* of all devices */
    _Atomic uint32_t busy_count; /* streams with work; set under the lock */
    struct cdp_command *spare;
    void *slabs; /* owned memory of commands */
    struct cdp_handle_table stream_handles, event_handles;
    struct cdp_host_waiter *host_waiters;
    /* Whether only one thread has ever submitted. Then nothing can be pending except what this
     * thread waits for. */
    pthread_t submitter;
    bool has_submitter;
    _Atomic bool many_submitters; /* set under the lock */
};

/* Commands to start after the lock is released, and streams to advance before. */
struct cdp_batch {
    struct cdp_command *head, **tail;
    struct cdp_stream *streams;
    bool notify; /* a host thread's wait may be over */
};
static inline void cdp_batch_init(struct cdp_batch *batch)
{
    *batch = (struct cdp_batch){0};
    batch->tail = &batch->head;
}

/* NULL if there is no memory. */
struct cdp_command *cdp_command_take(struct cdp_streams *streams, enum cdp_command_kind kind)
    CDP_NEEDS(&streams->lock);
void cdp_command_give(struct cdp_streams *streams, struct cdp_command *command)
    CDP_NEEDS(&streams->lock);
/* Memory for size bytes in the command; NULL if there is none. */
void *cdp_command_data(struct cdp_command *command, size_t size);

/* Queues the waits that CUDA's NULL-stream rules require before the stream's next command. */
enum cdp_status cdp_command_push_barrier(struct cdp_streams *streams, struct cdp_stream *stream)
    CDP_NEEDS(&streams->lock);
enum cdp_status cdp_command_push_wait(struct cdp_streams *streams, struct cdp_stream *stream,
                                      struct cdp_stream *on, uint64_t ticket)
    CDP_NEEDS(&streams->lock);
/* Closes the chain at the stream's tail, if there is one: the end of the pending work will be
 * notified. A stream without a handle may then be freed. */
void cdp_command_close(struct cdp_streams *streams, struct cdp_stream *stream)
    CDP_NEEDS(&streams->lock);
void cdp_command_close_all(struct cdp_streams *streams, unsigned device) CDP_NEEDS(&streams->lock);
/* The same if only a resting chain is pending. */
void cdp_command_retire(struct cdp_streams *streams, struct cdp_stream *stream)
    CDP_NEEDS(&streams->lock);
void cdp_command_retire_all(struct cdp_streams *streams, unsigned device) CDP_NEEDS(&streams->lock);
/* Appends; the caller then advances. */
void cdp_command_push(struct cdp_streams *streams, struct cdp_stream *stream,
                      struct cdp_command *command) CDP_NEEDS(&streams->lock);
/* Starts what can start at the head of stream. What needs the lock released goes into the batch. */
void cdp_command_advance(struct cdp_streams *streams, struct cdp_stream *stream,
                         struct cdp_batch *batch) CDP_NEEDS(&streams->lock);
/* Completes a command, called without the lock; then starts what can start now. */
void cdp_command_finish(struct cdp_command *command);
/* The engine's on_complete of a command's chain. */
void cdp_command_launches_done(struct cdp_chain *chain);
/* Starts the batch's commands. The lock is not held. */
void cdp_batch_run(struct cdp_streams *streams, struct cdp_batch *batch);

void cdp_stream_ref(struct cdp_stream *stream);
void cdp_stream_unref(struct cdp_stream *stream);
void cdp_event_unref(struct cdp_event *event);

/* The live stream that a handle names, NULL if there is none. Creates the thread's own stream if
 * the handle names it and it does not exist. */
struct cdp_stream *cdp_stream_find(struct cdp_streams *streams, uint64_t handle)
    CDP_NEEDS(&streams->lock);
enum cdp_status cdp_stream_refuse_device(unsigned first, unsigned second);
/* Why cdp_stream_find found none: only the creation of the thread's own stream can fail for lack of
 * memory. */
enum cdp_status cdp_stream_missing(uint64_t handle);
/* What a handle was passed as. */
enum cdp_handle_use {
    CDP_USE_STREAM,
    CDP_USE_EVENT,
    CDP_USE_TIME,   /* an event's time */
    CDP_USE_DEVICE, /* handles of two devices together */
};
/* Stores for cdp_streams_explain that the handle is invalid for this use; returns
 * CDP_INVALID_HANDLE. */
enum cdp_status cdp_stream_refuse(enum cdp_handle_use use, uint64_t handle);
/* Releases the lock, waits until the ticket is complete, and takes the lock again. */
void cdp_stream_wait_ticket(struct cdp_streams *streams, struct cdp_stream *stream, uint64_t ticket)
    CDP_NEEDS(&streams->lock);
/* Records that the calling thread submits work to the stream, which may be NULL. */
void cdp_streams_note_submitter(struct cdp_streams *streams, const struct cdp_stream *stream)
    CDP_NEEDS(&streams->lock);

static inline bool cdp_stream_is_of(const struct cdp_stream *stream, unsigned device)
{
    return stream->device->number == device || device == CDP_ALL_DEVICES;
}

static inline bool cdp_stream_is_done(const struct cdp_stream *stream, uint64_t ticket)
{
    /* Acquire pairs with the release in set_oldest (command.c): a thread that sees a command
     * complete sees what it wrote. */
    return atomic_load_explicit(&stream->oldest, memory_order_acquire) > ticket;
}

#endif
