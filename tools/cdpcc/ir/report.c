/* Errors, warnings and notes of the lowering, in clang's form: the position, the message, the line
 * of the source and a caret below it.
 *
 *     a.cu:12:5: error: device code writes to the __constant__ variable 'limit'
 *        12 |     limit = 1;
 *           |     ^
 *
 * The position comes from the debug location of an instruction. The line is read from the file
 * when the message is printed. Tabs become blanks, so that the caret is at the right place. */
#include "ir/report.h"

#include "support/str.h"

#include <ctype.h>
#include <limits.h>
#include <llvm-c/DebugInfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { KIND_ERROR, KIND_WARNING, KIND_NOTE };
enum { TAB_STOP = 8 };

/* The codes of a terminal, or empty strings. */
struct colours {
    const char *place, *text, *caret, *end;
    const char *kind[3];
};

static const struct colours plain = {"", "", "", "", {"", "", ""}};
static const struct colours coloured = {
    .place = "\033[1m",
    .text = "\033[0m\033[1m",
    .caret = "\033[0;1;32m",
    .end = "\033[0m",
    .kind = {"\033[0;1;31m", "\033[0;1;35m", "\033[0;1;30m"},
};

/* options is NULL in contexts that only serve the helpers. */
static const struct colours *colours_of(const struct lower_context *lower)
{
    return lower->options != NULL && lower->options->colours ? &coloured : &plain;
}

/* Debug information has a file's path relative to a directory that it shares with the
 * compilation's. Messages have the path as it was given. */
static const char *path_from(const char *directory, const char *name)
{
    char here[PATH_MAX];
    bool is_here = getcwd(here, sizeof here) != NULL && str_equals(here, directory);
    return name[0] == '/' || directory[0] == '\0' || is_here ? name
                                                             : str_format("%s/%s", directory, name);
}

const char *lower_file_path(LLVMMetadataRef file)
{
    unsigned length = 0, directory_length = 0;
    const char *name = file == NULL ? NULL : LLVMDIFileGetFilename(file, &length);
    if (name == NULL || length == 0) {
        return NULL;
    }
    const char *directory = LLVMDIFileGetDirectory(file, &directory_length);
    return path_from(directory == NULL ? "" : str_copy(directory, directory_length),
                     str_copy(name, length));
}

struct lower_place lower_place_at(LLVMMetadataRef location)
{
    struct lower_place place = {.file = NULL};
    if (location == NULL) {
        return place;
    }
    place.file = lower_file_path(LLVMDIScopeGetFile(LLVMDILocationGetScope(location)));
    if (place.file != NULL) {
        place.line = LLVMDILocationGetLine(location);
        place.column = LLVMDILocationGetColumn(location);
    }
    return place;
}

struct lower_place lower_place_of(LLVMValueRef where)
{
    struct lower_place place = {.file = NULL};
    unsigned length = 0, directory_length = 0;
    const char *file = where == NULL ? NULL : LLVMGetDebugLocFilename(where, &length);
    if (file != NULL && length != 0) {
        const char *directory = LLVMGetDebugLocDirectory(where, &directory_length);
        place.file = path_from(directory == NULL ? "" : str_copy(directory, directory_length),
                               str_copy(file, length));
        place.line = LLVMGetDebugLocLine(where);
        place.column = LLVMIsAInstruction(where) != NULL ? LLVMGetDebugLocColumn(where) : 0;
    }
    return place;
}

static void print_place(const struct lower_place *place)
{
    if (place->file == NULL) {
        fputs("cdpcc: ", stderr);
        return;
    }
    fprintf(stderr, "%s:%u:", place->file, place->line);
    if (place->column != 0) {
        fprintf(stderr, "%u:", place->column);
    }
    fputc(' ', stderr);
}

/* The line of the source without its end, to be freed by the caller; NULL if it cannot be read. */
static char *read_line(const struct lower_place *place)
{
    FILE *file = fopen(place->file, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t length = -1;
    for (unsigned i = 0; file != NULL && i < place->line; i++) {
        length = getline(&line, &room, file);
        if (length < 0) {
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    if (length < 0) {
        free(line);
        return NULL;
    }
    line[strcspn(line, "\r\n")] = '\0';
    return line;
}

/* A character of a C++ identifier. */
static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

void lower_place_find(struct lower_place *place, const char *name)
{
    char *line = place->file == NULL ? NULL : read_line(place);
    size_t length = strlen(name);
    const char *at = line;
    while (at != NULL && (at = strstr(at, name)) != NULL) {
        if ((at == line || !is_word(at[-1])) && !is_word(at[length])) {
            place->column = (unsigned)(at - line) + 1;
            break;
        }
        at += length;
    }
    free(line);
}

/* Prints the line with its tabs as blanks; returns the column of the caret. */
static unsigned print_expanded(const char *line, unsigned column)
{
    unsigned at = 0, caret = 0;
    for (unsigned i = 0; line[i] != '\0'; i++) {
        if (i + 1 == column) {
            caret = at;
        }
        bool continues = ((unsigned char)line[i] & 0xc0) == 0x80; /* of a character of UTF-8 */
        unsigned end = line[i] == '\t' ? (at / TAB_STOP + 1) * TAB_STOP : at + !continues;
        if (line[i] != '\t') {
            fputc(line[i], stderr);
        }
        for (; line[i] == '\t' && at < end; at++) {
            fputc(' ', stderr);
        }
        at = end;
    }
    return column > strlen(line) ? at : caret;
}

static void print_source(const struct colours *colours, const struct lower_place *place)
{
    char *line = place->file == NULL || place->column == 0 ? NULL : read_line(place);
    if (line == NULL) {
        return;
    }
    fprintf(stderr, "%5u | ", place->line);
    unsigned caret = print_expanded(line, place->column);
    fprintf(stderr, "\n      | %*s%s^%s\n", (int)caret, "", colours->caret, colours->end);
    free(line);
}

/* Prints the whole message. tail is the option of a warning. */
static void say(const struct lower_context *lower, enum kind kind, const struct lower_place *place,
                const char *tail, const char *format, va_list args)
{
    static const char *const names[] = {"error: ", "warning: ", "note: "};
    const struct colours *colours = colours_of(lower);
    fputs(colours->place, stderr);
    print_place(place);
    fprintf(stderr, "%s%s%s", colours->kind[kind], names[kind],
            kind == KIND_NOTE ? colours->end : colours->text);
    vfprintf(stderr, format, args);
    fprintf(stderr, "%s%s\n", tail, colours->end);
    print_source(colours, place);
}

void lower_error(struct lower_context *lower, LLVMValueRef where, const char *format, ...)
{
    struct lower_place place = lower_place_of(where);
    lower->errors++;
    va_list args;
    va_start(args, format);
    say(lower, KIND_ERROR, &place, "", format, args);
    va_end(args);
}

bool lower_warning(struct lower_context *lower, enum warning warning,
                   const struct lower_place *place, const char *format, ...)
{
    const struct warnings *wanted = &lower->options->warnings;
    if (!warning_is_on(wanted, warning)) {
        return false;
    }
    bool error = warning_is_error(wanted, warning);
    lower->errors += error;
    const char *tail = str_format(" [%s-W%s]", error ? "-Werror," : "", warning_option(warning));
    va_list args;
    va_start(args, format);
    say(lower, error ? KIND_ERROR : KIND_WARNING, place, tail, format, args);
    va_end(args);
    return true;
}

void lower_note(const struct lower_context *lower, const struct lower_place *place,
                const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(lower, KIND_NOTE, place, "", format, args);
    va_end(args);
}
