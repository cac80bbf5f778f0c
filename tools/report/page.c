/* Fills the template. Its lines "<!-- title -->", "<!-- style -->", "<!-- data -->" and
 * "<!-- script -->" are replaced; everything lands in one file, which needs no other. */
#include "report/page.h"

#include "report/memory.h"
#include "report/sources.h"
#include "report/trace.h"
#include "report/write.h"
#include "support/str.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 28, MOST_PROCESSES = 64, LEAST_SLICES = 500 };

/* In this order; the last one starts the page. */
static const char *const scripts[] = {"words.js",  "elements.js", "tables.js",   "tree.js",
                                      "lanes.js",  "draw.js",     "timeline.js", "findings.js",
                                      "counts.js", "source.js",   "steps.js",    "page.js"};
enum { SCRIPTS = sizeof scripts / sizeof *scripts };

/* ---- Data ---- */

static void write_program(FILE *file, const struct page *page)
{
    const struct run *run = page->run;
    fputs("{\"command\":[", file);
    for (size_t i = 0; page->command[i] != NULL; i++) {
        fputs(i == 0 ? "" : ",", file);
        write_text(file, page->command[i]);
    }
    fprintf(file,
            "],\n\"status\":%d,\"lasted\":%llu,\"errors_are_cut\":%s,\"signal\":", run->status,
            (unsigned long long)run->lasted, run->errors_are_cut ? "true" : "false");
    write_text(file, run->signal == 0 ? NULL : strsignal(run->signal));
    fputs(",\n\"errors\":", file);
    write_text(file, run->errors);
    fputs("}", file);
}

/* A file of JSON as it is. null: there is none, or it is damaged, as a program that is killed may
 * leave it. */
static void write_file(FILE *file, const char *path, struct sources *sources)
{
    struct json json = {0};
    char *text = path == NULL ? NULL : memory_of_file(path, MOST_BYTES);
    char *copy = text == NULL ? NULL : memory_of_file(path, MOST_BYTES);
    if (copy != NULL && json_read(&json, copy)) {
        sources_add(sources, &json);
        write_json(file, text);
    } else {
        fputs("null", file);
    }
    json_free(&json);
    free(copy);
    free(text);
}

static void write_trace_file(FILE *file, const char *path, size_t most_slices,
                             struct sources *sources)
{
    struct trace trace = {0};
    if (path != NULL && trace_read(&trace, path)) {
        write_trace(file, &trace, most_slices);
        for (size_t i = 0; i < trace.site_count; i++) {
            sources_add_name(sources, trace.names[trace.sites[i].file]);
        }
    } else {
        fputs("null", file);
    }
    trace_free(&trace);
}

static void write_process(FILE *file, const struct process *process, size_t most_slices,
                          struct sources *sources)
{
    static const char *const names[PROCESS_FILES] = {[PROCESS_PROFILE] = "profile",
                                                     [PROCESS_FINDINGS] = "findings",
                                                     [PROCESS_STEPS] = "steps",
                                                     [PROCESS_COUNTS] = "counts"};
    fprintf(file, "{\"number\":%ld,\n\"trace\":", (long)process->number);
    write_trace_file(file, process->files[PROCESS_TRACE], most_slices, sources);
    for (int i = 0; i < PROCESS_FILES; i++) {
        if (names[i] != NULL) {
            fprintf(file, ",\n\"%s\":", names[i]);
            write_file(file, process->files[i], sources);
        }
    }
    fputs("}", file);
}

/* At least one process, so that there is something to show. Together they have as many slices as
 * one would have. */
static void write_data(FILE *file, const struct page *page)
{
    static const struct process none;
    struct sources sources = {0};
    size_t count = page->processes->count;
    size_t shown = count < MOST_PROCESSES ? count : MOST_PROCESSES;
    size_t slices = shown < 2 ? page->most_slices : page->most_slices / shown;
    size_t least = page->most_slices < LEAST_SLICES ? page->most_slices : LEAST_SLICES;
    fputs("{\"program\":", file);
    write_program(file, page);
    fprintf(file, ",\n\"processes_left_out\":%zu,\n\"processes\":[", count - shown);
    for (size_t i = 0; i < (shown == 0 ? 1 : shown); i++) {
        fputs(i == 0 ? "" : ",\n", file);
        write_process(file, shown == 0 ? &none : &page->processes->items[i],
                      slices < least ? least : slices, &sources);
    }
    fputs("],\n\"sources\":", file);
    sources_write(file, &sources);
    fputs("}\n", file);
}

/* ---- The template ---- */

static char *part(const char *folder, const char *name)
{
    const char *path = str_format("%s/%s", folder, name);
    char *text = memory_of_file(path, MOST_BYTES);
    if (text == NULL) {
        fprintf(stderr, "cdp-report: '%s', a part of the page, cannot be read\n", path);
    }
    return text;
}

static bool write_part(FILE *file, const char *folder, const char *name)
{
    char *text = part(folder, name);
    if (text != NULL) {
        fputs(text, file);
    }
    free(text);
    return text != NULL;
}

static bool write_scripts(FILE *file, const char *folder)
{
    bool is_written = true;
    for (size_t i = 0; i < SCRIPTS; i++) {
        is_written &= write_part(file, folder, scripts[i]);
    }
    return is_written;
}

/* One line of the template. */
static bool write_line(FILE *file, const struct page *page, const char *line)
{
    bool is_written = true;
    if (strstr(line, "<!-- title -->") != NULL) {
        fputs("<title>", file);
        write_html(file, str_file_name(page->command[0]));
        fputs(" — cdp-report</title>\n", file);
    } else if (strstr(line, "<!-- style -->") != NULL) {
        is_written = write_part(file, page->folder, "page.css");
    } else if (strstr(line, "<!-- data -->") != NULL) {
        write_data(file, page);
    } else if (strstr(line, "<!-- script -->") != NULL) {
        is_written = write_scripts(file, page->folder);
    } else {
        fprintf(file, "%s\n", line);
    }
    return is_written;
}

bool page_write(FILE *file, const struct page *page)
{
    char *template = part(page->folder, "page.html"), *rest = template;
    bool is_written = template != NULL;
    for (char *line; is_written && (line = strsep(&rest, "\n")) != NULL;) {
        is_written = write_line(file, page, line);
    }
    free(template);
    return is_written;
}

bool page_has_template(const char *folder)
{
    char *template = part(folder, "page.html");
    free(template);
    return template != NULL;
}
