/* The file of CDP_TRACE as arrays, and the launch tree that follows from it.
 *
 * A path is the chain of kernels that leads to a grid: "host, build, build". All grids with one
 * path are one node of the tree, so millions of grids become a tree that can be read. */
#ifndef CDP_REPORT_TRACE_H
#define CDP_REPORT_TRACE_H
#include "report/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_NONE UINT32_MAX
#define TRACE_SEVERAL (UINT32_MAX - 1)
enum {
    /* Paths. The second one is for grids whose launching grid is not in the file. */
    TRACE_PATH_HOST = 0,
    TRACE_PATH_UNKNOWN = 1,
    TRACE_MOST_PATHS = 4000,
    TRACE_DIMENSIONS = 6, /* the grid's, then the block's */
};

/* Anything with a beginning and an end, in nanoseconds from the first event. */
struct trace_slice {
    uint32_t track, name; /* indices */
    uint64_t began, lasted;
    uint64_t bytes; /* of a copy, else 0 */
};

struct trace_grid {
    struct trace_slice slice;
    uint64_t waited; /* from its launch to its first block */
    uint32_t parent; /* the index of the grid that launched it; TRACE_NONE: the host, or unknown */
    uint32_t path, depth;
    uint32_t site; /* where it was launched; TRACE_NONE: not known */
    uint32_t size[TRACE_DIMENSIONS];
};

/* A row of the timeline. */
struct trace_track {
    unsigned process, number;
    char *name; /* NULL until the file names it */
};

/* A line of the source. */
struct trace_site {
    uint32_t file; /* a name */
    uint32_t line;
};

/* All grids of one path. */
struct trace_path {
    uint32_t parent, name; /* a path; the kernel. TRACE_NONE for the first two paths */
    uint64_t count, total, least, most, waited;
    uint32_t site;   /* where all were launched; TRACE_NONE: not known; TRACE_SEVERAL */
    uint64_t others; /* grids below it whose own paths are too many; they count nowhere else */
    uint32_t low[TRACE_DIMENSIONS], high[TRACE_DIMENSIONS];
};

/* What the last line of a file says. */
struct trace_end {
    bool is_whole;    /* there is a last line */
    uint64_t dropped; /* events that the program left out */
    char *program;    /* its name; NULL: the file does not say */
    char *rank;       /* its rank as a process of MPI; NULL: it has none */
};

/* All of a file. Arrays are owned; names and the texts of the end are never freed. Zero is the
 * empty trace. */
struct trace {
    char **names;
    struct trace_track *tracks;
    struct trace_slice *slices; /* all but the grids */
    struct trace_grid *grids;   /* by their beginnings: a grid comes after its parent */
    struct trace_path *paths;
    struct trace_site *sites;
    size_t name_count, track_count, slice_count, grid_count, path_count, site_count;
    size_t name_room, track_room, slice_room, grid_room, path_room, site_room;
    struct trace_end end;
};

/* False: there is no such file. */
bool trace_read(struct trace *trace, const char *path);
void trace_free(struct trace *trace);

/* The word for a process: "host", "device 0", "workers". */
const char *trace_process_name(unsigned process, char *buffer, size_t size);

#endif
