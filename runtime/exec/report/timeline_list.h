/* The lists of events. */
#ifndef CDP_EXEC_REPORT_TIMELINE_LIST_H
#define CDP_EXEC_REPORT_TIMELINE_LIST_H

#include <stddef.h>

#include "exec/report/timeline.h"

/* Owner: one OS thread, until the end of the program. Only this thread writes it. */
struct cdp_timeline_list {
    struct cdp_timeline_list *next; /* const once published */
    struct cdp_timeline_event *events;
    size_t count, capacity;
    uint64_t numbers; /* grids that got a number */
    uint64_t seen;    /* grids of device code */
    uint64_t stride;  /* every such grid of that many is kept; a power of two */
    uint64_t dropped;
    unsigned index; /* const: the number of the thread */
};

/* All lists; the latest thread's first. */
const struct cdp_timeline_list *cdp_timeline_lists(void);

#endif
