/* CDP_TRACE: when grids, copies and calls of the API ran, as events for Perfetto and Chrome's
 * tracing. They are recorded by the functions of exec/report/profile.h, and written to a file at
 * the end of the program.
 *
 * Each OS thread has a list of its own. A list that is full keeps every second of the grids that
 * device code launched, and of the workers' slices, then every fourth, and so on; the file says
 * so. */
#ifndef CDP_EXEC_REPORT_TIMELINE_H
#define CDP_EXEC_REPORT_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/state/grid_times.h"

/* Const after the library is loaded. */
extern bool cdp_timeline_is_on;

enum cdp_timeline_kind {
    CDP_TIMELINE_GRID,
    CDP_TIMELINE_COPY,
    CDP_TIMELINE_CALL,
    CDP_TIMELINE_WORKER, /* a worker runs blocks of a kernel */
    CDP_TIMELINE_RANGE,  /* of NVTX; id not 0: of the process, else of a thread */
    CDP_TIMELINE_MARK,   /* of NVTX */
};

/* One event. Times in nanoseconds. */
struct cdp_timeline_event {
    const char *name; /* never freed; of a kernel: mangled */
    uint64_t began, ended;
    uint64_t launched;   /* of a grid */
    uint64_t id, parent; /* of a grid and of the one that launched it; parent 0: the host */
    uint64_t
        detail; /* of a grid of the host: its stream; of a copy: bytes; of a worker: its number */
    const char *domain; /* of NVTX; NULL: the default one */
    uint32_t grid[3];   /* of a grid: its sizes */
    uint16_t block[3], depth;
    uint8_t kind, device; /* enum cdp_timeline_kind */
};

/* A number for a grid, or for a range that overlaps another one. Never the same again; 0 without
 * memory. */
uint64_t cdp_timeline_number(void);
struct cdp_timeline_list;
/* Adds an event to the list of the calling OS thread, which holds its lock. */
void cdp_timeline_add(struct cdp_timeline_list *list, const struct cdp_timeline_event *event);
void cdp_timeline_add_grid(struct cdp_timeline_list *list, struct cdp_grid *grid, const char *name,
                           uint64_t ended);

/* Writes the file. Says why it cannot. Kernels may still run: what they add later is lost. */
void cdp_timeline_write(const char *path);

#endif
