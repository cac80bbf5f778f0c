/* What a suspended thread waits for, for reports. */
#ifndef CDP_EXEC_REPORT_WAIT_H
#define CDP_EXEC_REPORT_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/state/block.h"

enum cdp_wait_kind {
    CDP_WAIT_TURN,     /* for nothing: it can run */
    CDP_WAIT_NOTHING,  /* it runs */
    CDP_WAIT_BARRIER,  /* for all other threads of the block */
    CDP_WAIT_NAMED,    /* at a named barrier */
    CDP_WAIT_CLUSTER,  /* for all other threads of the cluster */
    CDP_WAIT_WARP,     /* for the lanes of a mask */
    CDP_WAIT_CONVERGE, /* until nothing else of the block can run */
    CDP_WAIT_CHILDREN,
};

struct cdp_wait {
    enum cdp_wait_kind kind;
    const struct cdp_fiber *fiber;
    const char *operation; /* WARP: the function's name */
    uint32_t mask;         /* WARP: the mask that the lane gave */
    uint32_t missing;      /* WARP: lanes that have not arrived and not ended */
    bool unnamed;          /* WARP: the mask does not name the lane itself */
    /* NAMED. */
    const struct cdp_named_barrier *barrier;
    bool again; /* it has arrived, and waits to arrive in the next phase */
};

struct cdp_wait_visitor {
    void (*visit)(void *arg, const struct cdp_wait *wait);
    void *arg;
};

#endif
