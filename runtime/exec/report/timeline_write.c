/* The file of CDP_TRACE: JSON as Chrome's tracing and Perfetto read it ("Trace Event Format").
 *
 *     process 0       the host: a track for each thread, with its calls of the API
 *     process 1 + n   device n: a track for each stream of the host; below, tracks of copies and of
 *                     grids that device code launched, by their depth
 *     process 257     the workers: a track for each, with the kernels whose blocks it runs
 *
 * Slices of one track must not overlap, so copies and grids of device code take the first track of
 * their kind that is free. Arrows lead from a launch to its grid. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "exec/report/json.h"
#include "exec/report/recorder.h"
#include "exec/report/timeline_sites.h"
#include "os/code.h"
#include "os/os.h"
#include "os/report_file.h"

enum {
    MOST_STREAMS = 4096,
    MOST_GROUPS = 512,
    MOST_TRACKS = 1024, /* of a group */
    /* The numbers of tracks: of the streams from 0 on, then of copies, then of grids of device
     * code, by depth. */
    FIRST_OF_COPIES = MOST_STREAMS,
    FIRST_OF_GRIDS = FIRST_OF_COPIES + MOST_TRACKS,
    /* Processes: the host, devices, workers. */
    WORKERS = 257,
    PROCESSES,
};

/* An event, and where it is drawn. */
struct placed {
    struct cdp_timeline_event event;
    unsigned thread; /* that recorded it */
    unsigned process, track;
};

/* Tracks of one kind. Each has the end of its latest slice. */
struct group {
    unsigned process, first; /* the number of its first track */
    unsigned count;
    uint64_t ends[MOST_TRACKS];
};

/* Life: of the function that writes. */
struct writer {
    FILE *file;
    struct placed *events; /* owned; by their beginnings */
    size_t count;
    uint64_t streams[MOST_STREAMS]; /* handles of the streams that have tracks 1, 2, ... */
    unsigned stream_count;
    bool is_named[PROCESSES][MOST_STREAMS]; /* tracks of streams, threads and workers */
    const char *thread_names[MOST_STREAMS]; /* that the program gave; or NULL */
    struct group *groups[MOST_GROUPS];      /* owned */
    unsigned group_count;
    uint64_t start, dropped;
    bool has_written;
    struct cdp_timeline_sites sites;
    uint64_t function; /* the address of function_name */
    char function_name[400];
};

/* ---- JSON ---- */

static void begin_object(struct writer *writer)
{
    fprintf(writer->file, "%s\n{", writer->has_written ? "," : "");
    writer->has_written = true;
}

/* In microseconds from the first event. */
static void print_time(const struct writer *writer, const char *name, uint64_t time)
{
    uint64_t since = time - writer->start;
    fprintf(writer->file, ",\"%s\":%" PRIu64 ".%03u", name, since / 1000, (unsigned)(since % 1000));
}

static void print_name_of(struct writer *writer, const char *what, unsigned process, unsigned track,
                          const char *name)
{
    begin_object(writer);
    fprintf(writer->file,
            "\"ph\":\"M\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":", what, process,
            track);
    cdp_json_print_text(writer->file, name);
    fprintf(writer->file, "}}");
}

/* ---- Tracks ---- */

static void name_track(struct writer *writer, unsigned process, unsigned number, const char *name)
{
    print_name_of(writer, "thread_name", process, number, name);
    begin_object(writer);
    fprintf(writer->file,
            "\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%u,\"tid\":%u,"
            "\"args\":{\"sort_index\":%u}}",
            process, number, number);
}

/* A track of a stream or a thread. */
static void use_track(struct writer *writer, const struct placed *placed, const char *name)
{
    bool *is_named = &writer->is_named[placed->process][placed->track];
    if (!*is_named) {
        *is_named = true;
        name_track(writer, placed->process, placed->track, name);
    }
}

/* NULL: there are too many, or no memory. */
static struct group *group_of(struct writer *writer, unsigned process, unsigned first)
{
    for (unsigned i = 0; i < writer->group_count; i++) {
        if (writer->groups[i]->process == process && writer->groups[i]->first == first) {
            return writer->groups[i];
        }
    }
    struct group *group = writer->group_count < MOST_GROUPS ? cdp_alloc_zero(sizeof *group) : NULL;
    if (group != NULL) {
        group->process = process;
        group->first = first;
        writer->groups[writer->group_count++] = group;
    }
    return group;
}

/* Places the event in the first track of the group that is free when it begins. False: there is
 * none. */
static bool place_in(struct writer *writer, struct placed *placed, unsigned first, const char *name)
{
    struct group *group = group_of(writer, placed->process, first);
    unsigned at = 0;
    while (group != NULL && at < group->count && group->ends[at] > placed->event.began) {
        at++;
    }
    if (group == NULL || at == MOST_TRACKS) {
        return false;
    }
    placed->track = first + at;
    if (at == group->count) {
        group->count++;
        name_track(writer, placed->process, placed->track, name);
    }
    group->ends[at] = placed->event.ended;
    return true;
}

/* The number of a stream, in the order of first use; the default stream is 0. */
static unsigned stream_number(struct writer *writer, uint64_t handle)
{
    unsigned at = 0;
    if (handle <= 1) {
        return 0;
    }
    while (at < writer->stream_count && writer->streams[at] != handle) {
        at++;
    }
    if (at == writer->stream_count && at < MOST_STREAMS - 1) {
        writer->streams[writer->stream_count++] = handle;
    }
    return at < MOST_STREAMS - 1 ? at + 1 : 0;
}

static bool place(struct writer *writer, struct placed *placed)
{
    const struct cdp_timeline_event *event = &placed->event;
    char name[64];
    bool is_of_thread = event->kind == CDP_TIMELINE_CALL || event->kind == CDP_TIMELINE_RANGE ||
                        event->kind == CDP_TIMELINE_MARK;
    placed->process = is_of_thread ? 0 : 1u + event->device;
    if (is_of_thread) {
        placed->track = placed->thread < MOST_STREAMS ? placed->thread : MOST_STREAMS - 1;
        const char *given = writer->thread_names[placed->track];
        snprintf(name, sizeof name, "thread %u", placed->track);
        use_track(writer, placed, given != NULL ? given : name);
        return true;
    }
    if (event->kind == CDP_TIMELINE_WORKER) {
        placed->process = WORKERS;
        placed->track = event->detail < MOST_STREAMS ? (unsigned)event->detail : MOST_STREAMS - 1;
        snprintf(name, sizeof name, "worker %u", placed->track);
        use_track(writer, placed, name);
        return true;
    }
    if (event->kind == CDP_TIMELINE_COPY) {
        return place_in(writer, placed, FIRST_OF_COPIES, "copies and fills");
    }
    if (event->parent == 0) {
        const char *given = cdp_recorder_stream_name(event->detail);
        placed->track = stream_number(writer, event->detail);
        snprintf(name, sizeof name, placed->track == 0 ? "default stream" : "stream %u",
                 placed->track);
        use_track(writer, placed, given != NULL ? given : name);
        return true;
    }
    snprintf(name, sizeof name, "launched by device code, depth %u", event->depth);
    return place_in(writer, placed, FIRST_OF_GRIDS + event->depth * (unsigned)MOST_TRACKS, name);
}

/* ---- Events ---- */

/* Functions of the host are found in the symbol tables of the program's files, which takes long:
 * the latest one is kept. */
static void name_function(struct writer *writer, uint64_t address, char *out, size_t size)
{
    char symbol[400];
    if (writer->function != address) {
        writer->function = address;
        bool is_known =
            cdp_os_function_name((const void *)(uintptr_t)address, symbol, sizeof symbol);
        cdp_os_demangle(is_known ? symbol : "", writer->function_name,
                        sizeof writer->function_name);
    }
    bool is_named = writer->function_name[0] != '\0';
    snprintf(out, size, "host function%s%s", is_named ? " " : "", writer->function_name);
}

/* Of a range or a mark. */
static void print_domain(struct writer *writer, const struct cdp_timeline_event *e)
{
    fprintf(writer->file, ",\"cat\":");
    cdp_json_print_text(writer->file, e->domain != NULL ? e->domain : "nvtx");
}

static void print_detail(struct writer *writer, const struct cdp_timeline_event *e)
{
    if (e->detail != 0) {
        fprintf(writer->file, ",\"args\":{%s}", (const char *)(uintptr_t)e->detail);
    }
}

/* The members of a grid. */
static void print_grid(struct writer *writer, const struct cdp_timeline_event *e)
{
    const struct cdp_timeline_site *site = cdp_timeline_sites_find(&writer->sites, e->site);
    fprintf(writer->file,
            ",\"args\":{\"grid\":\"(%u,%u,%u)\",\"block\":\"(%u,%u,%u)\",\"depth\":%u,"
            "\"waited_ns\":%" PRIu64 ",\"id\":%" PRIu64 ",\"parent\":%" PRIu64,
            e->grid[0], e->grid[1], e->grid[2], e->block[0], e->block[1], e->block[2], e->depth,
            e->began - e->launched, e->id, e->parent);
    if (site != NULL) {
        fprintf(writer->file, ",\"file\":");
        cdp_json_print_text(writer->file, site->file);
        fprintf(writer->file, ",\"line\":%u", site->line);
    }
    fprintf(writer->file, "}");
}

static void print_slice(struct writer *writer, const struct placed *placed)
{
    const struct cdp_timeline_event *e = &placed->event;
    char name[512];
    if (e->kind == CDP_TIMELINE_GRID || e->kind == CDP_TIMELINE_WORKER) {
        cdp_os_demangle(e->name, name, sizeof name);
    } else if (e->kind == CDP_TIMELINE_HOST) {
        name_function(writer, e->id, name, sizeof name);
    } else {
        snprintf(name, sizeof name, "%s", e->name);
    }
    begin_object(writer);
    fprintf(writer->file, "\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"name\":", placed->process,
            placed->track);
    cdp_json_print_text(writer->file, name);
    print_time(writer, "ts", e->began);
    uint64_t lasted = e->ended - e->began;
    fprintf(writer->file, ",\"dur\":%" PRIu64 ".%03u", lasted / 1000, (unsigned)(lasted % 1000));
    if (e->kind == CDP_TIMELINE_GRID) {
        print_grid(writer, e);
    } else if (e->kind == CDP_TIMELINE_RANGE) {
        print_domain(writer, e);
        print_detail(writer, e);
    } else if (e->kind == CDP_TIMELINE_COPY) {
        fprintf(writer->file, ",\"args\":{\"bytes\":%" PRIu64 "}", e->detail);
    }
    fprintf(writer->file, "}");
}

/* The ends of a range of the process: it may overlap others, so it is no slice of the track. */
static void print_process_range(struct writer *writer, const struct placed *placed)
{
    for (int i = 0; i < 2; i++) {
        const struct cdp_timeline_event *e = &placed->event;
        begin_object(writer);
        fprintf(writer->file,
                "\"ph\":\"%s\",\"pid\":0,\"tid\":%u,\"id\":\"0x%" PRIx64 "\",\"name\":",
                i == 0 ? "b" : "e", placed->track, e->id);
        cdp_json_print_text(writer->file, e->name);
        print_domain(writer, e);
        print_time(writer, "ts", i == 0 ? e->began : e->ended);
        print_detail(writer, e);
        fprintf(writer->file, "}");
    }
}

static void print_mark(struct writer *writer, const struct placed *placed)
{
    begin_object(writer);
    fprintf(writer->file, "\"ph\":\"i\",\"s\":\"t\",\"pid\":0,\"tid\":%u,\"name\":", placed->track);
    cdp_json_print_text(writer->file, placed->event.name);
    print_domain(writer, &placed->event);
    print_time(writer, "ts", placed->event.began);
    print_detail(writer, &placed->event);
    fprintf(writer->file, "}");
}

static void print_event(struct writer *writer, const struct placed *placed)
{
    if (placed->event.kind == CDP_TIMELINE_MARK) {
        print_mark(writer, placed);
    } else if (placed->event.kind == CDP_TIMELINE_RANGE && placed->event.id != 0) {
        print_process_range(writer, placed);
    } else {
        print_slice(writer, placed);
    }
}

static int by_number(const void *a, const void *b)
{
    uint64_t first = (*(const struct placed *const *)a)->event.id;
    uint64_t second = (*(const struct placed *const *)b)->event.id;
    return (first > second) - (first < second);
}

static void print_arrow_end(struct writer *writer, const char *phase, uint64_t id,
                            const struct placed *at, uint64_t time)
{
    begin_object(writer);
    fprintf(writer->file,
            "\"ph\":\"%s\",\"name\":\"launch\",\"cat\":\"launch\",\"id\":%" PRIu64
            ",\"pid\":%u,\"tid\":%u",
            phase, id, at->process, at->track);
    print_time(writer, "ts", time);
    fprintf(writer->file, "%s}", phase[0] == 'f' ? ",\"bp\":\"e\"" : "");
}

/* From the launching grid, if it was kept, to each grid. */
static void print_arrows(struct writer *writer)
{
    const struct placed **grids = cdp_alloc((writer->count + 1) * sizeof *grids);
    size_t count = 0;
    for (size_t i = 0; i < writer->count && grids != NULL; i++) {
        if (writer->events[i].event.kind == CDP_TIMELINE_GRID) {
            grids[count++] = &writer->events[i];
        }
    }
    if (count != 0) {
        qsort(grids, count, sizeof *grids, by_number);
    }
    for (size_t i = 0; i < count; i++) {
        struct placed key = {.event.id = grids[i]->event.parent};
        const struct placed *sought = &key;
        const struct placed *const *found =
            key.event.id != 0 ? bsearch(&sought, grids, count, sizeof *grids, by_number) : NULL;
        if (found != NULL) {
            uint64_t id = grids[i]->event.id;
            print_arrow_end(writer, "s", id, *found, grids[i]->event.launched);
            print_arrow_end(writer, "f", id, grids[i], grids[i]->event.began);
        }
    }
    cdp_free(grids);
}

/* ---- The file ---- */

/* The longer of two events that begin at the same time contains the other. */
static int by_beginning(const void *a, const void *b)
{
    const struct cdp_timeline_event *first = &((const struct placed *)a)->event;
    const struct cdp_timeline_event *second = &((const struct placed *)b)->event;
    if (first->began != second->began) {
        return first->began < second->began ? -1 : 1;
    }
    return (first->ended < second->ended) - (first->ended > second->ended);
}

/* Takes the events of all threads, sorted by their beginnings. */
static void collect(struct writer *writer)
{
    for (struct cdp_recorder *r = cdp_recorder_all(); r != NULL; r = r->next) {
        writer->thread_names[r->index < MOST_STREAMS ? r->index : MOST_STREAMS - 1] =
            atomic_load(&r->name);
        cdp_lock_acquire(&r->lock);
        struct cdp_timeline_list list = r->list;
        r->list = (struct cdp_timeline_list){.is_closed = true};
        cdp_lock_release(&r->lock);
        size_t all = writer->count + list.count;
        struct placed *events = cdp_realloc(writer->events, (all + 1) * sizeof *events);
        writer->dropped += list.dropped + (events == NULL ? list.count : 0);
        if (events != NULL) {
            writer->events = events;
            for (size_t i = 0; i < list.count; i++) {
                events[writer->count++] =
                    (struct placed){.event = list.events[i], .thread = r->index};
            }
        }
        cdp_free(list.events);
    }
    if (writer->count != 0) {
        qsort(writer->events, writer->count, sizeof *writer->events, by_beginning);
        writer->start = writer->events[0].event.began;
    }
}

static void print_processes(struct writer *writer)
{
    bool is_named[256] = {false}, has_workers = false;
    print_name_of(writer, "process_name", 0, 0, "host");
    for (size_t i = 0; i < writer->count; i++) {
        const struct placed *placed = &writer->events[i];
        if (placed->process == WORKERS && !has_workers) {
            has_workers = true;
            print_name_of(writer, "process_name", WORKERS, 0, "workers");
        } else if (placed->process != 0 && placed->process != WORKERS &&
                   !is_named[placed->event.device]) {
            char name[32];
            is_named[placed->event.device] = true;
            snprintf(name, sizeof name, "device %u", placed->event.device);
            print_name_of(writer, "process_name", placed->process, 0, name);
        }
    }
}

/* The number that a launcher of MPI gave the process: Open MPI, MPICH and others, Slurm. */
static const char *rank_of_process(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                        "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const char *rank = secure_getenv(names[i]);
        if (rank != NULL) {
            return rank;
        }
    }
    return NULL;
}

/* Which process this is: a program may be several, each with a file. */
static void print_end(struct writer *writer)
{
    char command[256];
    const char *rank = rank_of_process();
    cdp_os_command_line(command, sizeof command, NULL);
    fprintf(writer->file,
            "\n],\"otherData\":{\"dropped_events\":%" PRIu64 ",\"process\":%u,\"program\":",
            writer->dropped, cdp_os_process_number());
    cdp_json_print_text(writer->file, command);
    if (rank != NULL) {
        fputs(",\"rank\":", writer->file);
        cdp_json_print_text(writer->file, rank);
    }
    fputs("}}\n", writer->file);
}

static void write_all(struct writer *writer)
{
    size_t kept = 0;
    collect(writer);
    fprintf(writer->file, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    for (size_t i = 0; i < writer->count; i++) {
        if (place(writer, &writer->events[i])) {
            print_event(writer, &writer->events[i]);
            writer->events[kept++] = writer->events[i];
        }
    }
    writer->dropped += writer->count - kept;
    writer->count = kept;
    print_processes(writer);
    print_arrows(writer);
    print_end(writer);
    if (writer->dropped != 0) {
        fprintf(stderr,
                "cdp: CDP_TRACE left out %" PRIu64 " events, most of them grids that device code "
                "launched, to keep the file small\n",
                writer->dropped);
    }
}

void cdp_timeline_write(const char *path)
{
    struct writer *writer = cdp_alloc_zero(sizeof *writer);
    if (writer == NULL) {
        fprintf(stderr, "cdp: no memory for the events of CDP_TRACE\n");
        return;
    }
    struct cdp_os_report report;
    if (cdp_os_report_open(&report, "CDP_TRACE", path)) {
        writer->file = report.file;
        write_all(writer);
        cdp_os_report_close(&report);
    }
    for (unsigned i = 0; i < writer->group_count; i++) {
        cdp_free(writer->groups[i]);
    }
    cdp_timeline_sites_finish(&writer->sites);
    cdp_free(writer->events);
    cdp_free(writer);
}
