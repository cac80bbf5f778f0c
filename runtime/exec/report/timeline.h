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
    CDP_TIMELINE_HOST,   /* a stream runs a function of the host */
    CDP_TIMELINE_WAIT,   /* a stream waits for an event */
};

/* One event. Times in nanoseconds. detail is the number of bytes of a copy, the number of a worker,
 * the address of a text for a range or a mark (members of a JSON object, never freed; 0: none), and
 * else the stream. */
struct cdp_timeline_event {
    const char *name; /* never freed; of a kernel: mangled */
    uint64_t began, ended;
    uint64_t launched; /* of a grid */
    /* Of a grid and of the one that launched it; parent 0: the host. id of a function of the host:
     * its address. */
    uint64_t id, parent;
    uint64_t detail; /* see below */
    union {
        const char *domain; /* of NVTX; NULL: the default one */
        const void *site;   /* of a grid: the return address of its launch */
    };
    uint32_t grid[3]; /* of a grid: its sizes */
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
