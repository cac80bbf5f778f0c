/* All streams and events of device code. */
#ifndef CDP_EXEC_STATE_SCOPE_OBJECTS_H
#define CDP_EXEC_STATE_SCOPE_OBJECTS_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/lock.h"

struct cdp_scope_slot;

/* Chunk i has CDP_SCOPE_FIRST << i slots. */
enum { CDP_SCOPE_FIRST_BITS = 8, CDP_SCOPE_FIRST = 1 << CDP_SCOPE_FIRST_BITS };
/* Bits of a handle for the number of its slot. */
enum { CDP_SCOPE_NUMBER_BITS = 24 };
enum { CDP_SCOPE_CHUNKS = CDP_SCOPE_NUMBER_BITS - CDP_SCOPE_FIRST_BITS + 1 };

/* The memory of all streams and events, in use or not (launch/scope_object.h).
 * Life: part of the engine.  A chunk is allocated once, and freed with the engine.  So every worker
 * may read a slot without a lock. */
struct cdp_scope_objects {
    struct cdp_lock lock;
    uint32_t used CDP_GUARDED_BY(&lock); /* slots that some worker has taken */
    _Atomic(struct cdp_scope_slot *) chunks[CDP_SCOPE_CHUNKS]; /* owned; set under the lock */
};

/* Unused slots of one worker.  Owner only. */
struct cdp_scope_free {
    struct cdp_scope_slot *first; /* by object.next */
    uint32_t count;               /* slots that were added since the last batch of spares */
};

#endif
