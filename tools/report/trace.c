/* Reads the file of CDP_TRACE. The runtime writes each event on a line of its own
 * (runtime/exec/report/timeline_write.c), so files of any size are read line by line. */
#include "report/trace.h"

#include "report/json.h"
#include "report/memory.h"
#include "report/tree.h"
#include "support/str.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in runtime/exec/report/timeline_write.c. */
enum { WORKERS = 257 };

/* Life: of trace_read. The indices have the places of names, tracks, sites, grids and paths. */
struct reader {
    struct trace *trace;
    struct json json;
    struct index names, tracks, sites, grids, paths;
    struct trace_slice range; /* of the process; its end is the next event */
};

/* ---- Names and tracks ---- */

static uint32_t name_index(struct reader *reader, const char *name)
{
    struct trace *trace = reader->trace;
    uint64_t key = str_hash(STR_HASH_START, name, strlen(name));
    uint32_t at;
    while (index_find(&reader->names, key, &at)) {
        if (str_equals(trace->names[at], name)) {
            return at;
        }
        key++;
    }
    trace->names =
        memory_room(trace->names, trace->name_count, &trace->name_room, sizeof *trace->names);
    trace->names[trace->name_count] = str_copy(name, strlen(name));
    index_add(&reader->names, key, (uint32_t)trace->name_count);
    return (uint32_t)trace->name_count++;
}

static uint32_t track_index(struct reader *reader, const struct json_value *event)
{
    struct trace *trace = reader->trace;
    unsigned process = (unsigned)json_number(&reader->json, event, "pid");
    unsigned number = (unsigned)json_number(&reader->json, event, "tid");
    uint64_t key = (uint64_t)process << 32 | number;
    uint32_t at;
    if (index_find(&reader->tracks, key, &at)) {
        return at;
    }
    trace->tracks =
        memory_room(trace->tracks, trace->track_count, &trace->track_room, sizeof *trace->tracks);
    trace->tracks[trace->track_count] = (struct trace_track){process, number, NULL};
    index_add(&reader->tracks, key, (uint32_t)trace->track_count);
    return (uint32_t)trace->track_count++;
}

static void read_track_name(struct reader *reader, const struct json_value *event)
{
    if (!str_equals(json_text(&reader->json, event, "name"), "thread_name")) {
        return;
    }
    uint32_t at = track_index(reader, event); /* may move the array */
    const char *name = json_text(&reader->json, json_member(&reader->json, event, "args"), "name");
    reader->trace->tracks[at].name = str_copy(name, strlen(name));
}

const char *trace_process_name(unsigned process, char *buffer, size_t size)
{
    if (process == 0 || process == WORKERS) {
        return process == 0 ? "host" : "workers";
    }
    snprintf(buffer, size, "device %u", process - 1);
    return buffer;
}

/* ---- Events ---- */

/* Microseconds with three digits behind the point are whole nanoseconds. */
static uint64_t nanoseconds(double microseconds)
{
    return microseconds <= 0 ? 0 : (uint64_t)llround(microseconds * 1000);
}

static struct trace_slice read_slice(struct reader *reader, const struct json_value *event,
                                     const struct json_value *args)
{
    struct json *json = &reader->json;
    return (struct trace_slice){.track = track_index(reader, event),
                                .name = name_index(reader, json_text(json, event, "name")),
                                .began = nanoseconds(json_number(json, event, "ts")),
                                .lasted = nanoseconds(json_number(json, event, "dur")),
                                .bytes = (uint64_t)json_number(json, args, "bytes")};
}

static void read_size(const char *text, uint32_t *size)
{
    if (sscanf(text, "(%u,%u,%u)", &size[0], &size[1], &size[2]) != 3) {
        size[0] = size[1] = size[2] = 0;
    }
}

/* TRACE_NONE: the event does not say where it was launched. */
static uint32_t site_index(struct reader *reader, const struct json_value *args)
{
    struct trace *trace = reader->trace;
    const char *file = json_text(&reader->json, args, "file");
    uint32_t line = (uint32_t)json_number(&reader->json, args, "line");
    if (file[0] == '\0') {
        return TRACE_NONE;
    }
    struct trace_site site = {.file = name_index(reader, file), .line = line};
    uint64_t key = (uint64_t)site.file << 32 | line;
    uint32_t at;
    if (!index_find(&reader->sites, key, &at)) {
        trace->sites =
            memory_room(trace->sites, trace->site_count, &trace->site_room, sizeof *trace->sites);
        at = (uint32_t)trace->site_count;
        trace->sites[trace->site_count++] = site;
        index_add(&reader->sites, key, at);
    }
    return at;
}

static void add_grid(struct reader *reader, const struct trace_slice *slice,
                     const struct json_value *args)
{
    struct trace *trace = reader->trace;
    struct json *json = &reader->json;
    struct trace_grid grid = {.slice = *slice,
                              .waited = (uint64_t)json_number(json, args, "waited_ns"),
                              .parent = TRACE_NONE,
                              .site = site_index(reader, args),
                              .depth = (uint32_t)json_number(json, args, "depth")};
    read_size(json_text(json, args, "grid"), grid.size);
    read_size(json_text(json, args, "block"), grid.size + 3);
    uint64_t parent = (uint64_t)json_number(json, args, "parent");
    bool is_lost = parent != 0 && !index_find(&reader->grids, parent, &grid.parent);
    grid.parent = is_lost ? TRACE_NONE : grid.parent;
    tree_add(trace, &reader->paths, &grid, is_lost);
    uint64_t id = (uint64_t)json_number(json, args, "id");
    uint32_t known;
    if (id != 0 && !index_find(&reader->grids, id, &known)) {
        index_add(&reader->grids, id, (uint32_t)trace->grid_count);
    }
    trace->grids =
        memory_room(trace->grids, trace->grid_count, &trace->grid_room, sizeof *trace->grids);
    trace->grids[trace->grid_count++] = grid;
}

static void add_slice(struct trace *trace, const struct trace_slice *slice)
{
    trace->slices =
        memory_room(trace->slices, trace->slice_count, &trace->slice_room, sizeof *trace->slices);
    trace->slices[trace->slice_count++] = *slice;
}

/* The ends of a range of the process are two events, one after the other. */
static void read_range(struct reader *reader, const struct json_value *event, bool is_begin)
{
    if (is_begin) {
        reader->range = read_slice(reader, event, NULL);
        return;
    }
    uint64_t ended = nanoseconds(json_number(&reader->json, event, "ts"));
    reader->range.lasted = ended > reader->range.began ? ended - reader->range.began : 0;
    add_slice(reader->trace, &reader->range);
}

/* A mark of NVTX is a slice without length. Arrows repeat what the grids say. */
static void read_event(struct reader *reader, char *line)
{
    struct json *json = &reader->json;
    if (!json_read(json, line)) {
        return;
    }
    const struct json_value *event = &json->values[0];
    const char *phase = json_text(json, event, "ph");
    if (str_equals(phase, "M")) {
        read_track_name(reader, event);
    } else if (str_equals(phase, "X") || str_equals(phase, "i")) {
        const struct json_value *args = json_member(json, event, "args");
        struct trace_slice slice = read_slice(reader, event, args);
        if (json_member(json, args, "waited_ns") != NULL) {
            add_grid(reader, &slice, args);
        } else {
            add_slice(reader->trace, &slice);
        }
    } else if (str_equals(phase, "b") || str_equals(phase, "e")) {
        read_range(reader, event, str_equals(phase, "b"));
    }
}

/* NULL for an empty text. */
static char *text_of(const struct json *json, const char *name)
{
    const char *text = json_text(json, &json->values[0], name);
    return text[0] == '\0' ? NULL : str_copy(text, strlen(text));
}

/* The line "],"otherData":{...}}". */
static void read_end(struct reader *reader, char *line)
{
    static const char *const key = "\"otherData\":";
    struct trace_end *end = &reader->trace->end;
    char *rest = strstr(line, key), *last = strrchr(line, '}');
    end->is_whole = true;
    if (rest == NULL || last == NULL) {
        return;
    }
    *last = '\0'; /* of the object around it */
    if (json_read(&reader->json, rest + strlen(key))) {
        const struct json *json = &reader->json;
        end->dropped = (uint64_t)json_number(json, &json->values[0], "dropped_events");
        end->program = text_of(json, "program");
        end->rank = text_of(json, "rank");
    }
}

static void read_line(struct reader *reader, char *line)
{
    size_t length = strcspn(line, "\n");
    line[length] = '\0';
    if (length != 0 && line[length - 1] == ',') {
        line[length - 1] = '\0';
    }
    if (line[0] == ']') {
        read_end(reader, line);
    } else {
        read_event(reader, line);
    }
}

static void free_indices(struct reader *reader)
{
    struct index *indices[] = {&reader->names, &reader->tracks, &reader->sites, &reader->grids,
                               &reader->paths};
    for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
        index_free(indices[i]);
    }
}

bool trace_read(struct trace *trace, const char *path)
{
    struct reader reader = {.trace = trace};
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    tree_begin(trace);
    while (getline(&line, &room, file) > 0) {
        read_line(&reader, line);
    }
    free(line);
    json_free(&reader.json);
    free_indices(&reader);
    fclose(file);
    return true;
}

void trace_free(struct trace *trace)
{
    free(trace->names);
    free(trace->tracks);
    free(trace->slices);
    free(trace->grids);
    free(trace->paths);
    free(trace->sites);
    *trace = (struct trace){0};
}
