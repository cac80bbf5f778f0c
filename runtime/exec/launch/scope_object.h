/* Streams and events of device code: their memory, their handles, and who may use them.
 *
 * An object is private if only one block may use it: in CDP1, and in grids of one block.  Then only
 * the block's worker accesses it, and it ends with the block.  All blocks of a grid may use its
 * other objects, so these have locks, and end with the grid.
 *
 * Unused objects are kept by the workers, as launch records are.  So a stream that is created for
 * one launch and destroyed costs less than the launch.
 *
 * A handle packs a tag, a generation and the number of a slot:
 *   bits 63..56 tag, 55..24 generation, 23..0 number.
 * A slot's generation grows each time its object ends.  So an old handle would become valid again
 * only after 2^32 uses of one slot.  A handle is looked up without a lock: the slots stay where
 * they are, and the slot itself has its present handle. */
#ifndef CDP_EXEC_LAUNCH_SCOPE_OBJECT_H
#define CDP_EXEC_LAUNCH_SCOPE_OBJECT_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/handle.h"
#include "exec/report/races.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"

enum cdp_scope_kind { CDP_SCOPE_STREAM, CDP_SCOPE_EVENT };

/* The common first member of streams and events.
 * Life: in use from cdp_scope_object_create() until cdp_scope_object_give(); then in a worker's
 * list of unused ones.  The memory lives as long as the engine.
 * Invariant: it is in its owner's list if and only if it is in use and has a handle. */
struct cdp_scope_object {
    /* Links of the owner's list.  That of a block: only its worker; that of a grid: its lock.  The
     * lists of unused objects use the same memory (state/spare.h). */
    struct cdp_scope_slot *next, *before;
    /* 0: none.  Written by the worker that creates or ends the object; any worker reads it. */
    _Atomic uint64_t handle;
    /* The next handle of this slot.  As handle. */
    _Atomic uint64_t next_handle;
    /* The block, or the grid, whose blocks may use the object.  Valid while it has a handle. */
    _Atomic(const void *) owner;
    bool is_private;
    uint8_t kind; /* enum cdp_scope_kind */
};

/* Invariant: head is the only grid of the stream that has been started.  Private: the stream is a
 * chain of records (launch/grid.h), as the block's NULL stream, and only its tail is known. */
struct cdp_device_stream {
    struct cdp_scope_object object; /* first: the pointers convert */
    struct cdp_grid *tail;          /* the last grid; NULL: idle */
    bool is_ending; /* its handle was destroyed: the stream ends when its last grid is complete */
    _Atomic uint8_t lock;         /* spin; guards head, tail and is_ending, unless private */
    struct cdp_grid *head;        /* linked by next; unused if private */
    struct cdp_race_stream races; /* with the race check; guarded by lock */
};

struct cdp_event_mark;

struct cdp_device_event {
    struct cdp_scope_object object; /* first: the pointers convert */
    _Atomic uint8_t lock;           /* spin; guards latest */
    struct cdp_event_mark *latest;  /* holds a reference; NULL: never recorded */
};

struct cdp_scope_slot {
    alignas(CDP_CACHE_LINE) union {
        struct cdp_scope_object object;
        struct cdp_device_stream stream;
        struct cdp_device_event event;
    };
};

static inline struct cdp_scope_slot *cdp_scope_slot_of(struct cdp_scope_object *object)
{
    return (struct cdp_scope_slot *)object; /* the first member */
}

/* The slot that the handle names, or would name; NULL: there is none. */
static inline struct cdp_scope_slot *cdp_scope_slot_at(const struct cdp_scope_objects *objects,
                                                       uint64_t handle)
{
    uint32_t at = (uint32_t)(handle & ((1u << CDP_SCOPE_NUMBER_BITS) - 1)) + CDP_SCOPE_FIRST;
    unsigned chunk = 31u - (unsigned)__builtin_clz(at) - CDP_SCOPE_FIRST_BITS;
    /* Acquire pairs with the release in scope_object.c: the slots are initialized. */
    struct cdp_scope_slot *slots =
        atomic_load_explicit(&objects->chunks[chunk], memory_order_acquire);
    return slots != NULL ? slots + (at - ((uint32_t)CDP_SCOPE_FIRST << chunk)) : NULL;
}

/* The object with the handle, if the block may use it; else NULL. */
static inline struct cdp_scope_slot *cdp_scope_find(const struct cdp_block *block, uint64_t handle,
                                                    enum cdp_scope_kind kind)
{
    struct cdp_scope_slot *slot =
        cdp_scope_slot_at(&block->executor->engine->scope_objects, handle);
    /* Acquire pairs with the release in cdp_scope_object_create: the object. */
    if (slot == NULL || handle == 0 ||
        atomic_load_explicit(&slot->object.handle, memory_order_acquire) != handle) {
        return NULL;
    }
    /* Relaxed: if it is this block or its grid, it does not change now. */
    const void *owner = atomic_load_explicit(&slot->object.owner, memory_order_relaxed);
    bool ours = owner == block || owner == block->grid;
    return ours && slot->object.kind == kind ? slot : NULL;
}

void cdp_scope_objects_init(struct cdp_scope_objects *objects);
void cdp_scope_objects_finish(struct cdp_scope_objects *objects);

/* An object that the block creates, with a handle, in its owner's list.  NULL without memory. */
struct cdp_scope_slot *cdp_scope_object_create(struct cdp_block *block, enum cdp_scope_kind kind);

/* The handle of an object of the block or of its grid becomes invalid.  False: it was invalid. */
bool cdp_scope_object_end(struct cdp_block *block, struct cdp_scope_object *object);

/* The object, which has no handle, is not used any more. */
void cdp_scope_object_give(struct cdp_executor *executor, struct cdp_scope_object *object);

/* Ends the objects of a list, which no work uses.  The owner is complete. */
void cdp_scope_objects_close(struct cdp_executor *executor, struct cdp_scope_slot **list,
                             void (*finish)(struct cdp_scope_slot *slot));

/* For reports. */
enum cdp_handle_state cdp_scope_handle_state(const struct cdp_scope_objects *objects,
                                             uint64_t handle);

#endif
