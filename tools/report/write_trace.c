/* The trace in a page: a table by columns, because a page may have 100,000 rows. */
#include "report/memory.h"
#include "report/write.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

/* What is listed of the grids, or of the other slices. A grid lasts at least as long as those that
 * it launched, so the longest ones form a tree. */
struct selection {
    const struct trace *trace;
    bool is_grids;
    size_t count, kept;
    uint32_t *places; /* owned; of each: its place in the list, or TRACE_NONE */
};

static const struct trace_slice *slice_of(const struct selection *selection, size_t i)
{
    const struct trace *trace = selection->trace;
    return selection->is_grids ? &trace->grids[i].slice : &trace->slices[i];
}

/* ---- Selection ---- */

static int by_length(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first < second) - (first > second);
}

/* The length that the longest `most` slices reach, and at *ties how many of just this length are
 * among them. */
static uint64_t least_length(const struct selection *selection, size_t most, size_t *ties)
{
    uint64_t *lengths = memory_grow(NULL, selection->count * sizeof *lengths);
    for (size_t i = 0; i < selection->count; i++) {
        lengths[i] = slice_of(selection, i)->lasted;
    }
    qsort(lengths, selection->count, sizeof *lengths, by_length);
    uint64_t least = lengths[most - 1];
    *ties = 0;
    for (size_t i = 0; i < most; i++) {
        *ties += lengths[i] == least;
    }
    free(lengths);
    return least;
}

static struct selection choose(const struct trace *trace, bool is_grids, size_t most)
{
    struct selection selection = {.trace = trace,
                                  .is_grids = is_grids,
                                  .count = is_grids ? trace->grid_count : trace->slice_count};
    uint64_t least = 0;
    size_t ties = selection.count;
    if (selection.count > most) {
        least = least_length(&selection, most, &ties);
    }
    selection.places = memory_grow(NULL, selection.count * sizeof *selection.places);
    for (size_t i = 0; i < selection.count; i++) {
        uint64_t lasted = slice_of(&selection, i)->lasted;
        bool keeps = lasted > least || (lasted == least && ties > 0);
        ties -= keeps && lasted == least;
        selection.places[i] = keeps ? (uint32_t)selection.kept++ : TRACE_NONE;
    }
    return selection;
}

/* ---- Columns ---- */

enum column { TRACK, NAME, BEGAN, LASTED, BYTES, PARENT, PATH, DEPTH, WAITED, SITE, SIZE };

/* -1: none. */
static int64_t number_at(const struct selection *selection, size_t i, enum column column)
{
    const struct trace_slice *slice = slice_of(selection, i);
    const struct trace_grid *grid = selection->is_grids ? &selection->trace->grids[i] : NULL;
    switch (column) {
    case TRACK:
        return slice->track;
    case NAME:
        return slice->name;
    case BEGAN:
        return (int64_t)slice->began;
    case LASTED:
        return (int64_t)slice->lasted;
    case BYTES:
        return (int64_t)slice->bytes;
    case PARENT:
        return grid->parent == TRACE_NONE || selection->places[grid->parent] == TRACE_NONE
                   ? -1
                   : (int64_t)selection->places[grid->parent];
    case PATH:
        return grid->path;
    case DEPTH:
        return grid->depth;
    case WAITED:
        return (int64_t)grid->waited;
    case SITE:
        return grid->site == TRACE_NONE ? -1 : (int64_t)grid->site;
    case SIZE:
        break;
    }
    return -1;
}

static void write_sizes(FILE *file, const uint32_t *size)
{
    fprintf(file, "[%" PRIu32, size[0]);
    for (int i = 1; i < TRACE_DIMENSIONS; i++) {
        fprintf(file, ",%" PRIu32, size[i]);
    }
    fputs("]", file);
}

static void write_column(FILE *file, const struct selection *selection, const char *name,
                         enum column column)
{
    const char *between = "";
    fprintf(file, ",\n\"%s\":[", name);
    for (size_t i = 0; i < selection->count; i++) {
        if (selection->places[i] == TRACE_NONE) {
            continue;
        }
        fputs(between, file);
        between = ",";
        if (column == SIZE) {
            write_sizes(file, selection->trace->grids[i].size);
        } else {
            fprintf(file, "%" PRId64, number_at(selection, i, column));
        }
    }
    fputs("]", file);
}

static void write_table(FILE *file, const struct selection *selection)
{
    fprintf(file, "{\"count\":%zu,\"left_out\":%zu", selection->kept,
            selection->count - selection->kept);
    write_column(file, selection, "track", TRACK);
    write_column(file, selection, "name", NAME);
    write_column(file, selection, "began", BEGAN);
    write_column(file, selection, "lasted", LASTED);
    if (selection->is_grids) {
        write_column(file, selection, "parent", PARENT);
        write_column(file, selection, "path", PATH);
        write_column(file, selection, "depth", DEPTH);
        write_column(file, selection, "waited", WAITED);
        write_column(file, selection, "site", SITE);
        write_column(file, selection, "size", SIZE);
    } else {
        write_column(file, selection, "bytes", BYTES);
    }
    fputs("}", file);
}

/* ---- The rest ---- */

static void write_names(FILE *file, const struct trace *trace)
{
    fputs("\"names\":[", file);
    for (size_t i = 0; i < trace->name_count; i++) {
        fputs(i == 0 ? "" : ",", file);
        write_text(file, trace->names[i]);
    }
    fputs("],\n\"tracks\":[", file);
    for (size_t i = 0; i < trace->track_count; i++) {
        const struct trace_track *track = &trace->tracks[i];
        char buffer[32];
        fprintf(file, "%s{\"process\":", i == 0 ? "" : ",\n");
        write_text(file, trace_process_name(track->process, buffer, sizeof buffer));
        fprintf(file, ",\"order\":[%u,%u],\"name\":", track->process, track->number);
        write_text(file, track->name == NULL ? "" : track->name);
        fputs("}", file);
    }
    fputs("]", file);
}

/* -1: not known; -2: there are several. */
static int site_number(uint32_t site)
{
    return site == TRACE_NONE ? -1 : site == TRACE_SEVERAL ? -2 : (int)site;
}

static void write_sites(FILE *file, const struct trace *trace)
{
    fputs(",\n\"sites\":[", file);
    for (size_t i = 0; i < trace->site_count; i++) {
        fprintf(file, "%s{\"line\":%" PRIu32 ",\"file\":", i == 0 ? "" : ",\n",
                trace->sites[i].line);
        write_text(file, trace->names[trace->sites[i].file]);
        fputs("}", file);
    }
    fputs("]", file);
}

/* Of all grids, also of those that are not listed. */
static void write_deepest(FILE *file, const struct trace *trace)
{
    unsigned deepest = 0;
    for (size_t i = 0; i < trace->grid_count; i++) {
        deepest = trace->grids[i].depth > deepest ? trace->grids[i].depth : deepest;
    }
    fprintf(file, ",\n\"deepest\":%u", deepest);
}

static void write_paths(FILE *file, const struct trace *trace)
{
    fputs(",\n\"paths\":[", file);
    for (size_t i = 0; i < trace->path_count; i++) {
        const struct trace_path *path = &trace->paths[i];
        fprintf(file,
                "%s{\"parent\":%" PRId64 ",\"name\":%" PRId64 ",\"count\":%" PRIu64
                ",\"total\":%" PRIu64 ",\"least\":%" PRIu64 ",\"most\":%" PRIu64
                ",\"waited\":%" PRIu64 ",\"others\":%" PRIu64 ",\"site\":%d,\"low\":",
                i == 0 ? "" : ",\n", path->parent == TRACE_NONE ? -1 : (int64_t)path->parent,
                path->name == TRACE_NONE ? -1 : (int64_t)path->name, path->count, path->total,
                path->least, path->most, path->waited, path->others, site_number(path->site));
        write_sizes(file, path->low);
        fputs(",\"high\":", file);
        write_sizes(file, path->high);
        fputs("}", file);
    }
    fputs("]", file);
}

static void write_end(FILE *file, const struct trace_end *end)
{
    fprintf(file, "{\"dropped\":%" PRIu64 ",\"is_whole\":%s,\"program\":", end->dropped,
            end->is_whole ? "true" : "false");
    write_text(file, end->program);
    fputs(",\"rank\":", file);
    write_text(file, end->rank);
    fputs(",\n", file);
}

void write_trace(FILE *file, const struct trace *trace, size_t most)
{
    struct selection grids = choose(trace, true, most);
    struct selection slices = choose(trace, false, most);
    write_end(file, &trace->end);
    write_names(file, trace);
    write_sites(file, trace);
    write_paths(file, trace);
    write_deepest(file, trace);
    fputs(",\n\"grids\":", file);
    write_table(file, &grids);
    fputs(",\n\"slices\":", file);
    write_table(file, &slices);
    fputs("}", file);
    free(grids.places);
    free(slices.places);
}
