/* Source, and what the second compilation sees:
 *
 *     int x = 5 % 0;               int x = 5 % ::__cdp_at_run_time( 0);
 *
 * The steps: preprocess the source; remove its line markers; let Clang print its warnings with
 * source ranges; insert the calls at these positions in the text that still has its markers;
 * compile it. The text without markers has the same lines and columns, so a position in one is a
 * position in the other.
 *
 * The text is edited in one pass, from a sorted list of insertions. All memory of the list is in
 * the arena. */
#include "lower/defer.h"

#include "ir/value.h"
#include "support/arena.h"
#include "support/str.h"

#include <fcntl.h>
#include <llvm-c/Core.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Is it needed? ---- */

/* Aggregates are built from poison, element by element. */
static bool builds_aggregate(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    return opcode == LLVMInsertValue || opcode == LLVMInsertElement || opcode == LLVMShuffleVector;
}

bool defer_is_poisoned(LLVMValueRef instruction)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
        if (LLVMIsPoison(LLVMGetOperand(instruction, i))) {
            return !builds_aggregate(instruction);
        }
    }
    return false;
}

bool defer_is_needed(LLVMModuleRef module)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (lower_any_instruction(function, defer_is_poisoned)) {
            return true;
        }
    }
    return false;
}

/* ---- Commands and files ---- */

/* The command's messages go to the file, or nowhere. */
static bool run(const struct vec *command, const char *messages)
{
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO,
                                     messages == NULL ? "/dev/null" : messages,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child;
    int failed = posix_spawn(&child, command->items[0], &files, NULL,
                             (char *const *)(const void *)command->items, environ);
    posix_spawn_file_actions_destroy(&files);
    int status = 0;
    return failed == 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* NULL if it cannot be read. Source contains no NUL. */
static char *read_text(const char *path)
{
    FILE *in = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (in == NULL) {
        return NULL;
    }
    bool is_read = getdelim(&text, &size, '\0', in) >= 0;
    fclose(in);
    return is_read ? text : NULL;
}

static bool write_text(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        return false;
    }
    bool is_written = fputs(text, out) >= 0;
    return fclose(out) == 0 && is_written;
}

/* Line markers are replaced by blanks. Pragmas, which also begin with '#', stay. */
static char *without_markers(const char *text)
{
    char *plain = str_copy(text, strlen(text));
    for (char *line = plain; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (line[0] == '#' && line[1] == ' ') {
            memset(line, ' ', length);
        }
        line += length + (line[length] == '\n');
    }
    return plain;
}

/* ---- Where ---- */

struct position {
    unsigned line, column; /* from 1; columns are bytes */
};

/* Text to insert before a position: "::__cdp_at_run_time(", or ")" if closes. */
struct insertion {
    struct position at;
    bool closes;
};

/* All insertions of one source, in the order of the warnings until they are sorted. The lines
 * point into the source's text. */
struct insertions {
    struct insertion *items;
    size_t count;
    const char **lines; /* of the source, each up to its end of line */
    size_t line_count;
};

static bool is_before(struct position a, struct position b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

/* Clang may warn twice of one operator, for example in two instances of a template. */
static bool has_opening(const struct insertions *all, struct position at)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct insertion *item = &all->items[i];
        if (!item->closes && item->at.line == at.line && item->at.column == at.column) {
            return true;
        }
    }
    return false;
}

static void insert(struct insertions *all, struct position at, bool closes)
{
    size_t size = sizeof *all->items;
    if ((all->count & (all->count - 1)) == 0) {
        size_t capacity = all->count == 0 ? 1 : all->count * 2;
        all->items = arena_grow(all->items, all->count * size, capacity * size);
    }
    all->items[all->count++] = (struct insertion){.at = at, .closes = closes};
}

/* The length of the operator at the position: a shift, a division or a remainder, perhaps with
 * '='. */
static unsigned operator_length(const struct insertions *all, struct position at)
{
    if (at.line == 0 || at.line > all->line_count) {
        return 0;
    }
    const char *line = all->lines[at.line - 1];
    if (at.column == 0 || at.column > strcspn(line, "\n")) {
        return 0;
    }
    const char *text = line + at.column - 1;
    unsigned length = str_starts(text, "<<") || str_starts(text, ">>") ? 2
                      : *text == '/' || *text == '%'                   ? 1
                                                                       : 0;
    return length != 0 && text[length] == '=' ? length + 1 : length;
}

/* The end of the last of the ranges "{3:5-3:9}{...}:" at text.
 *
 * clang prints ranges because of -fdiagnostics-print-source-range-info. */
static bool last_range_end(const char *text, struct position *end)
{
    bool is_any = false;
    int length = 0;
    while (sscanf(text, "{%*u:%*u-%u:%u}%n", &end->line, &end->column, &length) == 2 &&
           length != 0) {
        is_any = true;
        text += length;
        length = 0;
    }
    return is_any && *text == ':';
}

/* A warning is "FILE:LINE:COLUMN:RANGES: warning: ...". For an operator, the last range ends with
 * its right operand.
 *
 * Ignores lines that are no such warning, and positions without such an operator. */
static void take_warning(struct insertions *all, const char *path, const char *line)
{
    size_t length = strlen(path);
    struct position at, end;
    int ranges = 0;
    if (strncmp(line, path, length) != 0 || line[length] != ':' ||
        sscanf(line + length, ":%u:%u:%n", &at.line, &at.column, &ranges) != 2 || ranges == 0 ||
        !last_range_end(line + length + (size_t)ranges, &end)) {
        return;
    }
    unsigned width = operator_length(all, at);
    struct position open = {.line = at.line, .column = at.column + width};
    if (width != 0 && is_before(open, end) && !has_opening(all, open)) {
        insert(all, open, false);
        insert(all, end, true);
    }
}

static void take_warnings(struct insertions *all, const char *path, char *text)
{
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        take_warning(all, path, line);
    }
}

/* ---- Rewriting ---- */

/* By position. At one position closing text comes first, because it belongs to the text before. */
static int compare(const void *a, const void *b)
{
    const struct insertion *x = a, *y = b;
    if (is_before(x->at, y->at) || is_before(y->at, x->at)) {
        return is_before(x->at, y->at) ? -1 : 1;
    }
    return (int)y->closes - (int)x->closes;
}

/* The starts of all lines, so that a position is found at once. */
static void find_lines(struct insertions *all, const char *text)
{
    size_t count = 1;
    for (const char *c = text; *c != '\0'; c++) {
        count += *c == '\n';
    }
    all->lines = arena_alloc(count * sizeof *all->lines);
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += all->line_count != 0;
        all->lines[all->line_count++] = line;
    }
}

/* Writes the text with all insertions to the file. False if it cannot be written. */
static bool rewrite(const struct insertions *all, const char *text, const char *path)
{
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        return false;
    }
    const char *from = text;
    for (size_t i = 0; i < all->count; i++) {
        const struct insertion *item = &all->items[i];
        const char *to = all->lines[item->at.line - 1] + item->at.column - 1;
        fwrite(from, 1, (size_t)(to - from), out);
        fputs(item->closes ? ")" : " ::__cdp_at_run_time(", out);
        from = to;
    }
    fputs(from, out);
    return fclose(out) == 0;
}

bool defer_constants(const struct defer_commands *commands)
{
    const char *source = access(commands->ptx, R_OK) == 0 ? commands->ptx : commands->source;
    if (source == commands->source && !run(&commands->preprocess, NULL)) {
        return false;
    }
    char *text = read_text(source);
    if (text == NULL || !write_text(commands->plain, without_markers(text)) ||
        !run(&commands->find, commands->warnings)) {
        free(text);
        return false;
    }
    struct insertions all = {.items = NULL};
    find_lines(&all, text);
    char *warnings = read_text(commands->warnings);
    if (warnings != NULL) {
        take_warnings(&all, commands->plain, warnings);
    }
    if (all.count != 0) {
        qsort(all.items, all.count, sizeof *all.items, compare);
    }
    bool is_done =
        all.count != 0 && rewrite(&all, text, commands->rewritten) && run(&commands->compile, NULL);
    free(warnings);
    free(text);
    return is_done;
}
