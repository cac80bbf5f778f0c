/* Respells sources: reads the messages of the failure, changes the texts, and writes the
 * overlay.
 *
 * Steps after a failure: the messages give file names and the positions of refused shared
 * variables; the lexer reads these files; respell_edit.c finds the edits; the changed text is
 * written as a copy; the overlay tells clang to read the copy. Lines never move. Columns may, so
 * each edit leaves a "shift", by which positions in later messages are converted back:
 *
 *     text of the user          __shared__ T x;
 *     text that clang reads     typedef T __cdp_type_x; __shared__ __cdp_place<...> ... */
#include "driver/respell.h"

#include "driver/lexer.h"
#include "driver/messages.h"
#include "driver/respell_edit.h"
#include "support/arena.h"
#include "support/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The effect of an edit on its line; columns count from 1. Shifts of one file are in the order in
 * which they were made, those of one round from left to right. */
struct shift {
    unsigned line;
    size_t column, inserted; /* of the new text */
    size_t removed;
    size_t anchor; /* the column of the old text that messages use for the inserted text */
};

/* A respelled file, or one that was read and needed no change: then copy is NULL. */
struct respelled {
    const char *name;     /* the name in messages */
    const char *path;     /* the same from the root */
    const char *original; /* the user's text */
    const char *text;     /* the text that clang read last */
    const char *copy;     /* the file with that text */
    struct shift *shifts; /* the newest change of each position is the last */
    size_t shift_count;
};

/* The facts that the messages report about one file. */
struct finding {
    const char *name;
    struct refused *refused;
    size_t refused_count;
};

/* What the messages of one compilation say about each file. */
struct findings {
    struct finding *items;
    size_t count;
};

/* ---- Messages ---- */

/* Valid until the next call. */
static struct finding *finding_of(struct findings *findings, const char *name)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (str_equals(findings->items[i].name, name)) {
            return &findings->items[i];
        }
    }
    findings->items = arena_grow(findings->items, findings->count * sizeof(*findings->items),
                                 (findings->count + 1) * sizeof(*findings->items));
    findings->items[findings->count] = (struct finding){.name = name};
    return &findings->items[findings->count++];
}

/* Adds a position of a file; positions are in the order of the text, each once. */
static void add_refused(struct finding *finding, struct refused place)
{
    size_t at = 0;
    for (; at < finding->refused_count; at++) {
        const struct refused *other = &finding->refused[at];
        if (other->line == place.line && other->column == place.column) {
            return;
        }
        if (other->line > place.line ||
            (other->line == place.line && other->column > place.column)) {
            break;
        }
    }
    size_t size = sizeof(*finding->refused);
    finding->refused = arena_grow(finding->refused, finding->refused_count * size,
                                  (finding->refused_count + 1) * size);
    memmove(&finding->refused[at + 1], &finding->refused[at], (finding->refused_count - at) * size);
    finding->refused[at] = place;
    finding->refused_count++;
}

/* Reads "name:1:2: error: ..." and "In file included from name:1:". */
static void read_line(struct findings *findings, const char *line, const char *headers)
{
    static const char from[] = "In file included from ";
    struct messages_place place;
    const char *start = str_starts(line, from) ? line + strlen(from) : line;
    if (!messages_place(start, &place) || str_starts(place.file, headers)) {
        return;
    }
    struct finding *finding = finding_of(findings, place.file);
    if (strstr(line, "error: initialization is not supported for __shared__ variables") != NULL) {
        add_refused(finding, (struct refused){(unsigned)place.line, (unsigned)place.column});
    }
}

/* ---- Files ---- */

/* The whole of a file that holds text; NULL if it cannot be read.
 *
 * In the arena. */
static const char *read_text(const char *path)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    ssize_t length = file == NULL ? -1 : getdelim(&line, &room, '\0', file);
    const char *text = length < 0 ? NULL : str_copy(line, (size_t)length);
    free(line);
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

static int write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    if (file == NULL) {
        return 1;
    }
    fputs(text, file);
    return fclose(file) != 0;
}

/* The overlay needs names from the root. */
static const char *absolute(const char *name)
{
    char directory[4096];
    if (name[0] == '/' || getcwd(directory, sizeof(directory)) == NULL) {
        return name;
    }
    return str_format("%s/%s", directory, name);
}

/* Reads the file at the first request. Valid until the next call. */
static struct respelled *file_of(struct respelling *respelling, const char *name)
{
    for (size_t i = 0; i < respelling->count; i++) {
        if (str_equals(respelling->files[i].name, name)) {
            return &respelling->files[i];
        }
    }
    size_t size = sizeof(*respelling->files);
    respelling->files =
        arena_grow(respelling->files, respelling->count * size, (respelling->count + 1) * size);
    struct respelled *file = &respelling->files[respelling->count++];
    const char *text = read_text(name);
    *file =
        (struct respelled){.name = name, .path = absolute(name), .original = text, .text = text};
    return file;
}

static int is_later(const void *a, const void *b)
{
    const struct edit *first = a, *second = b;
    if (first->at != second->at) {
        return first->at < second->at ? -1 : 1;
    }
    return first->anchor < second->anchor ? -1 : first->anchor > second->anchor;
}

/* The line of a byte of the text. */
static unsigned line_of(const char *text, size_t at, size_t *column)
{
    unsigned line = 1;
    size_t start = 0;
    for (size_t i = 0; i < at; i++) {
        if (text[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    *column = at - start + 1;
    return line;
}

/* Records how the edits, in their order, change their lines. */
static void note_shifts(struct respelled *file, const struct edits *edits)
{
    size_t size = sizeof(*file->shifts);
    file->shifts = arena_grow(file->shifts, file->shift_count * size,
                              (file->shift_count + edits->count) * size);
    unsigned last = 0;
    size_t inserted = 0, removed = 0;
    for (size_t i = 0; i < edits->count; i++) {
        const struct edit *edit = &edits->items[i];
        struct shift shift = {.inserted = strlen(edit->with), .removed = edit->length};
        shift.line = line_of(file->text, edit->at, &shift.column);
        (void)line_of(file->text, edit->anchor != 0 ? edit->anchor : edit->at, &shift.anchor);
        if (shift.line != last) {
            last = shift.line;
            inserted = removed = 0;
        }
        shift.column += inserted - removed;
        inserted += shift.inserted;
        removed += shift.removed;
        file->shifts[file->shift_count++] = shift;
    }
}

/* The text with the edits, which are sorted and do not overlap. */
static const char *apply(const char *text, const struct edits *edits)
{
    size_t size = strlen(text) + 1, done = 0;
    for (size_t i = 0; i < edits->count; i++) {
        size += strlen(edits->items[i].with);
    }
    char *out = arena_alloc(size), *to = out;
    for (size_t i = 0; i < edits->count; i++) {
        const struct edit *edit = &edits->items[i];
        memcpy(to, text + done, edit->at - done);
        to = stpcpy(to + (edit->at - done), edit->with);
        done = edit->at + edit->length;
    }
    strcpy(to, text + done);
    return out;
}

/* A JSON string, which is also valid YAML. */
static const char *quoted(const char *text)
{
    char *out = arena_alloc(2 * strlen(text) + 3), *to = out;
    *to++ = '"';
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            *to++ = '\\';
        }
        *to++ = *text;
    }
    *to = '"';
    return out;
}

/* Returns 0, or 1 if it cannot be written. */
static int write_overlay(struct respelling *respelling, const char *stem)
{
    const char *roots = "";
    for (size_t i = 0; i < respelling->count; i++) {
        const struct respelled *file = &respelling->files[i];
        if (file->copy != NULL) {
            roots = str_format("%s%s{\"type\": \"file\", \"name\": %s, \"external-contents\": %s}",
                               roots, *roots == '\0' ? "" : ", ", quoted(file->path),
                               quoted(file->copy));
        }
    }
    /* A new name each time: another compilation may be reading the previous file. */
    respelling->overlay = str_format("%s.overlay.%u", stem, ++respelling->version);
    return write_text(respelling->overlay,
                      str_format("{\"version\": 0, \"case-sensitive\": true, "
                                 "\"use-external-names\": false, \"roots\": [%s]}\n",
                                 roots));
}

/* Starts from the text that clang read last, so edits add up. True if there is a new copy. */
static bool respell_file(struct respelling *respelling, const struct finding *finding,
                         const char *stem)
{
    struct respelled *file = file_of(respelling, finding->name);
    if (file->text == NULL) {
        return false;
    }
    struct tokens tokens = lexer_read(file->text);
    struct edits edits = {.items = NULL};
    respell_find_launches(&edits, &tokens);
    respell_find_shared(&edits, &tokens, finding->refused, finding->refused_count);
    if (edits.count == 0) {
        return false;
    }
    qsort(edits.items, edits.count, sizeof(*edits.items), is_later);
    note_shifts(file, &edits);
    file->text = apply(file->text, &edits);
    file->copy =
        str_format("%s.%zu.%u", stem, (size_t)(file - respelling->files), respelling->version);
    return write_text(file->copy, file->text) == 0;
}

/* Whether a source was read without texture<> and surface<>, and uses one of these names. */
static bool lacks_references(struct respelling *respelling, const char *messages)
{
    const char *text = messages_plain(messages);
    if (respelling->has_references ||
        (strstr(text, " error: no template named 'texture'") == NULL &&
         strstr(text, " error: no template named 'surface'") == NULL)) {
        return false;
    }
    respelling->has_references = true;
    respelling->version++;
    return true;
}

bool respell_after(struct respelling *respelling, const char *messages, const char *headers,
                   const char *stem)
{
    struct findings findings = {.items = NULL};
    for (const char *at = messages_plain(messages); *at != '\0';) {
        size_t length = strcspn(at, "\n");
        read_line(&findings, str_copy(at, length), headers);
        at += length + (at[length] == '\n');
    }
    bool is_new = false;
    for (size_t i = 0; i < findings.count; i++) {
        is_new |= respell_file(respelling, &findings.items[i], stem);
    }
    if (is_new && write_overlay(respelling, stem) != 0) {
        return false;
    }
    return lacks_references(respelling, messages) || is_new;
}

void respell_words(const struct respelling *respelling, struct vec *words)
{
    if (respelling->overlay != NULL) {
        VEC_PUSH(words, "-ivfsoverlay", respelling->overlay);
    }
    if (respelling->has_references) {
        vec_push(words, "-D__CDP_REFERENCES");
    }
}

/* ---- Messages with the user's positions ---- */

/* The column before the change of the line; false if the position did not exist. */
static bool old_column(const struct respelled *file, unsigned long line, unsigned long *column)
{
    bool is_changed = false;
    for (size_t i = file->shift_count; i > 0; i--) {
        const struct shift *shift = &file->shifts[i - 1];
        if (shift->line != line) {
            continue;
        }
        is_changed = true;
        if (*column >= shift->column + shift->inserted) {
            *column = *column - shift->inserted + shift->removed;
        } else if (*column >= shift->column && shift->inserted != shift->removed) {
            *column = shift->anchor;
            while (i > 1 && file->shifts[i - 2].line == line) {
                i--; /* the anchor refers to the text before all of these */
            }
        }
    }
    return is_changed;
}

/* "   12 | text" with a caret below. */
static const char *source_lines(const struct respelled *file, unsigned long line,
                                unsigned long column)
{
    const char *text = file->original;
    for (unsigned long i = 1; i < line && *text != '\0'; i++) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    const char *words = str_copy(text, strcspn(text, "\r\n"));
    size_t before = column == 0 ? 0 : column - 1;
    char *blanks = str_copy(words, before < strlen(words) ? before : strlen(words));
    for (char *at = blanks; *at != '\0'; at++) {
        *at = *at == '\t' ? '\t' : ' ';
    }
    return str_format("%5lu | %s\n      | %s^\n", line, words, blanks);
}

/* NULL if clang read the user's own file. */
static const struct respelled *changed_file(const struct respelling *respelling, const char *name)
{
    for (size_t i = 0; i < respelling->count; i++) {
        if (respelling->files[i].copy != NULL && str_equals(respelling->files[i].name, name)) {
            return &respelling->files[i];
        }
    }
    return NULL;
}

/* Converts one line of a compiler's output to the user's positions. *skips: the following source
 * lines are not shown, because they were shown before. */
static const char *line_in_own_words(const struct respelling *respelling, const char *line,
                                     bool *skips)
{
    struct messages_place place;
    const char *plain = messages_plain(line);
    if (messages_is_source(plain)) {
        return *skips ? "" : line;
    }
    *skips = false;
    const struct respelled *file =
        messages_place(plain, &place) ? changed_file(respelling, place.file) : NULL;
    unsigned long column = file != NULL ? place.column : 0;
    if (column == 0 || !old_column(file, place.line, &column)) {
        return line;
    }
    const char *old = str_format("%s:%lu:%lu:", place.file, place.line, place.column);
    const char *found = strstr(line, old);
    *skips = found != NULL;
    return found == NULL ? line
                         : str_format("%.*s%s:%lu:%lu:%s%s", (int)(found - line), line, place.file,
                                      place.line, column, found + strlen(old),
                                      source_lines(file, place.line, column));
}

const char *respell_in_own_words(const struct respelling *respelling, const char *text)
{
    char *out = NULL;
    size_t size = 0;
    FILE *stream = respelling->overlay != NULL ? open_memstream(&out, &size) : NULL;
    if (stream == NULL) {
        return text;
    }
    bool skips = false;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        length += text[length] == '\n';
        fputs(line_in_own_words(respelling, str_copy(text, length), &skips), stream);
        text += length;
    }
    fclose(stream);
    const char *copy = str_copy(out, size);
    free(out);
    return copy;
}
