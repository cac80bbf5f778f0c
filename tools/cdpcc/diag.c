/* What cdpcc says, and the compiler's messages, each of them once.
 *
 * A message of clang starts with a line "file:1:2: error: ..." or "warning: ...",
 * perhaps preceded by "In file included from" lines, and runs to the next start;
 * source lines and notes belong to it.  A message is known by its first line. */
#include "diag.h"

#include "arena.h"
#include "str.h"
#include "vec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct {
    struct vec seen;
    unsigned errors, warnings;
} shown;

static void say(const char *kind, const char *format, va_list list)
{
    fprintf(stderr, "cdpcc: %s: ", kind);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
}

void diag_error(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say("error", format, list);
    va_end(list);
}

void diag_warning(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say("warning", format, list);
    va_end(list);
}

/* The line without terminal colours, which would hide its words. */
static const char *plain_line(const char *line, size_t length)
{
    char *plain = arena_alloc(length + 1), *to = plain;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '\033') {
            while (i < length && line[i] != 'm') {
                i++;
            }
        } else {
            *to++ = line[i];
        }
    }
    return plain;
}

enum line_kind { LINE_OTHER, LINE_LEAD, LINE_ERROR, LINE_WARNING, LINE_TOTAL };

static enum line_kind classify(const char *line)
{
    if (strstr(line, " generated when compiling for ") != NULL || str_ends(line, " generated.")) {
        return LINE_TOTAL;
    }
    if (str_starts(line, "In file included from ") || str_starts(line, "In module ")) {
        return LINE_LEAD;
    }
    if (strstr(line, " error: ") != NULL || str_starts(line, "error: ")) {
        return LINE_ERROR;
    }
    if (strstr(line, " warning: ") != NULL || str_starts(line, "warning: ")) {
        return LINE_WARNING;
    }
    return LINE_OTHER;
}

/* Notes whether a message is new; counts it if so. */
static bool is_new(const char *line, enum line_kind kind)
{
    if (vec_has(&shown.seen, line)) {
        return false;
    }
    vec_push(&shown.seen, line);
    if (kind == LINE_ERROR) {
        shown.errors++;
    } else {
        shown.warnings++;
    }
    return true;
}

void diag_show(const char *text)
{
    const char *lead = NULL; /* start of "In file included from" lines not yet shown */
    bool visible = true;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        const char *next = text + length + (text[length] == '\n');
        const char *line = plain_line(text, length);
        enum line_kind kind = classify(line);
        if (kind == LINE_LEAD) {
            lead = lead == NULL ? text : lead;
        } else if (kind == LINE_ERROR || kind == LINE_WARNING) {
            visible = is_new(line, kind);
        }
        if (visible && kind != LINE_LEAD && kind != LINE_TOTAL) {
            const char *from = lead == NULL ? text : lead;
            fwrite(from, 1, (size_t)(next - from), stderr);
        }
        if (kind != LINE_LEAD) {
            lead = NULL;
        }
        text = next;
    }
}

void diag_show_raw(const char *text)
{
    fputs(text, stderr);
}

void diag_show_totals(void)
{
    if (shown.errors + shown.warnings == 0) {
        return;
    }
    if (shown.warnings != 0) {
        fprintf(stderr, "%u warning%s", shown.warnings, shown.warnings == 1 ? "" : "s");
    }
    if (shown.errors != 0) {
        fprintf(stderr, "%s%u error%s", shown.warnings != 0 ? " and " : "", shown.errors,
                shown.errors == 1 ? "" : "s");
    }
    fputs(" generated.\n", stderr);
}
