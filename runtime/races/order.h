/* Whether one access is before another.
 *
 * The answer follows from the records of launches (races/history.h) on the ways of the two accesses
 * up the launch tree, to the first block, grid or host that they have in common. */
#ifndef CDP_RACES_ORDER_H
#define CDP_RACES_ORDER_H

#include <stdint.h>

#include "races/history.h"

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
enum cdp_order_rule cdp_order_of(const struct cdp_order_access *a, struct cdp_history_block *block,
                                 uint32_t thread);
/* What holds for all accesses of a segment and all threads of the block, as long as it runs. */
enum cdp_history_seen cdp_order_of_segment(uint32_t segment, struct cdp_history_block *block);
/* The same, from the block's table. An entry may be from a time when less was before the block. */
static inline enum cdp_history_seen cdp_order_look_up(uint32_t segment,
                                                      struct cdp_history_block *block)
{
    struct cdp_history_verdict *verdict = &block->verdicts[segment % CDP_HISTORY_VERDICTS];
    if (verdict->segment != segment) {
        *verdict = (struct cdp_history_verdict){segment, cdp_order_of_segment(segment, block)};
    }
    return verdict->seen;
}
/* What holds if other blocks of the segment's grid made the access, too: a record of several blocks
 * has the segment of the latest one. */
static inline enum cdp_history_seen cdp_order_of_grid(enum cdp_history_seen seen)
{
    return seen == CDP_SEEN_OWN ? CDP_SEEN_GRID : seen == CDP_SEEN_LAUNCHER ? CDP_SEEN_OTHER : seen;
}
static inline bool cdp_order_is_before(enum cdp_history_seen seen)
{
    return seen == CDP_SEEN_BEFORE || seen == CDP_SEEN_LAUNCHER;
}

#endif
