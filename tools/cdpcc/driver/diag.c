/* cdpcc's own messages, and the compiler's messages, each printed once.
 *
 * clang compiles a .cu twice, and both compilations report a syntax error. So the messages of both
 * are merged to one list in the order of the source. The list of what was shown stays for the
 * whole command, because a header with a warning is included by several sources.
 *
 * Only errors and warnings are compared; other text is always shown. The number of errors is
 * limited as nvcc limits it. */
#include "driver/diag.h"

#include "driver/messages.h"
#include "support/map.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static struct {
    const char *headers;
    struct map before; /* keys of messages that were shown: their value is not 0 */
    unsigned errors, warnings;
} shown = {.headers = "/nonexistent/"};

void diag_error(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("cdpcc: error: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
}

void diag_hide_macros_of(const char *headers)
{
    shown.headers = headers;
}

/* The same number as nvcc shows. */
enum { MOST_ERRORS = 100 };

/* Whether a message must be shown; counts it if it is new. */
static bool is_to_show(const struct message *message)
{
    if (message->kind == MESSAGE_OTHER) {
        return true;
    }
    if (*map_at(&shown.before, message->key) != 0) {
        return false;
    }
    shown.errors += message->kind == MESSAGE_ERROR;
    shown.warnings += message->kind == MESSAGE_WARNING;
    return shown.errors <= MOST_ERRORS;
}

/* Each message that is_to_show accepts, with its notes. */
static void show_list(const struct messages *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (is_to_show(&list->items[i])) {
            fputs(list->items[i].text, stderr);
        }
    }
    /* Only after the loop: a template may have the same error for several arguments. */
    for (size_t i = 0; i < list->count; i++) {
        *map_at(&shown.before, list->items[i].key) = 1;
    }
}

/* For preprocessed text the words of the source's own compilation are used, if there are any. */
static struct messages read_pass(const struct diag_pass *pass)
{
    struct messages list = messages_read(pass->text, shown.headers);
    if (pass->source != NULL) {
        struct messages source = messages_read(pass->source, shown.headers);
        list = messages_in_source_words(&list, &source);
    }
    return list;
}

void diag_show_passes(const struct diag_pass *passes, size_t count)
{
    struct messages all = {.items = NULL};
    for (size_t i = 0; i < count; i++) {
        struct messages list = read_pass(&passes[i]);
        all = messages_merge(&all, &list);
    }
    show_list(&all);
}

void diag_show(const char *text)
{
    const struct diag_pass pass = {.text = text};
    diag_show_passes(&pass, 1);
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
    if (shown.errors > MOST_ERRORS) {
        fprintf(stderr, "cdpcc: the first %d errors are shown\n", MOST_ERRORS);
    }
}
