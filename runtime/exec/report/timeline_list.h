/* The lists of events. */
#ifndef CDP_EXEC_REPORT_TIMELINE_LIST_H
#define CDP_EXEC_REPORT_TIMELINE_LIST_H

#include <stddef.h>

#include "exec/report/timeline.h"

/* Its owner has the lock that guards it. */
struct cdp_timeline_list {
    struct cdp_timeline_event *events;
    size_t count, capacity;
    uint64_t seen;          /* grids of device code, and slices of workers */
    unsigned thinned_times; /* of these every 2^n-th is kept */
    uint64_t dropped;
    bool is_closed; /* the file is being written */
};

#endif
