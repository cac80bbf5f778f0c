/* The lanes of a warp that execute a warp operation together.  Internal to warp.c and its check. */
#ifndef CDP_EXEC_BLOCK_MEETING_H
#define CDP_EXEC_BLOCK_MEETING_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/state/block.h"

enum cdp_meeting_kind {
    MEET_SYNC,
    MEET_SHUFFLE,
    MEET_BALLOT,
    MEET_MATCH_ANY,
    MEET_MATCH_ALL,
    MEET_REDUCE
};

/* The operands of one lane. */
struct cdp_offering {
    uint64_t value;
    uint32_t lane, width; /* of a shuffle */
};

/* A meeting: lanes that execute a warp operation together.  It is on the first lane's stack until
 * it is complete. */
struct cdp_meeting {
    struct cdp_meeting *next; /* in the warp's list */
    uint32_t mask, arrived;
    uint32_t unnamed; /* lanes whose own mask does not name them, although mask does */
    enum cdp_meeting_kind kind;
    int mode; /* of a shuffle or a reduction; the first lane's */
    struct cdp_offering offers[CDP_LANES];
    struct cdp_fiber *fibers[CDP_LANES]; /* NULL: the last lane, which runs */
    uint64_t results[CDP_LANES];
    uint32_t predicates;
};

/* The source lane of a shuffle's lane.  False, and the lane itself, if that is outside of its
 * segment. */
bool cdp_meeting_source(const struct cdp_meeting *meeting, uint32_t lane, uint32_t *source);
/* The name of the operation in the source, such as "__shfl_sync". */
const char *cdp_meeting_operation(const struct cdp_meeting *meeting);

#endif
