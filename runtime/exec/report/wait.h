/* What a thread that stands still waits for, as reports tell it. */
#ifndef CDP_EXEC_REPORT_WAIT_H
#define CDP_EXEC_REPORT_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/state/block.h"

enum cdp_wait_kind {
    CDP_WAIT_TURN,     /* for nothing: it could run */
    CDP_WAIT_NOTHING,  /* it runs */
    CDP_WAIT_BARRIER,  /* for all other threads of the block */
    CDP_WAIT_NAMED,    /* at a named barrier */
    CDP_WAIT_WARP,     /* for the lanes of a mask */
    CDP_WAIT_CONVERGE, /* until nothing else of the block can run */
    CDP_WAIT_CHILDREN,
};

struct cdp_wait {
    enum cdp_wait_kind kind;
    const struct cdp_fiber *fiber;
    const char *operation; /* WARP: the function's name */
    uint32_t mask;         /* WARP: as the lane gave it */
    uint32_t missing;      /* WARP: lanes that have not come and have not ended */
    bool unnamed;          /* WARP: the mask does not name the lane itself */
    /* NAMED. */
    const struct cdp_named_barrier *barrier;
    bool again; /* it has arrived, and would arrive once more */
};

struct cdp_wait_visitor {
    void (*visit)(void *arg, const struct cdp_wait *wait);
    void *arg;
};

#endif
