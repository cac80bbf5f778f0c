/* A message of clang starts with a line "file:1:2: error: ..." or "warning: ...". "In file included
 * from" lines may precede it. It extends to the start of the next message, and includes source
 * lines and notes.
 *
 *     In file included from a.cu:1:                lead: belongs to the next message
 *     a.h:3:5: warning: unused variable 'x'        begins a message; without colours it is the key
 *         3 |     int x;                           source
 *     a.h:7:9: note: expanded from macro 'M'       note: hidden if it is about our own headers
 *     1 warning generated.                         total: dropped
 *
 * For the merge, two messages are equal if their keys are. It is like that of two sorted lists,
 * but the order of the source is only known for messages about the same file. */
#include "driver/messages.h"

#include "support/arena.h"
#include "support/map.h"
#include "support/str.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum line_kind {
    LINE_OTHER,
    LINE_SOURCE,
    LINE_LEAD,
    LINE_NOTE,
    LINE_ERROR,
    LINE_WARNING,
    LINE_TOTAL
};

/* The text being read, line by line. On the stack of messages_read. */
struct reader {
    const char *headers;
    struct messages out;
    struct message *last; /* NULL: none yet */
    const char *lead;     /* "In file included from" lines that belong to the next message */
    char *to;             /* end of the last message's text, in a buffer for all of them */
    bool hides;           /* the last note is not shown */
    bool hides_source;    /* nor are its source lines */
};

/* A colour code begins with an escape character and ends with the letter m. */
static const char *plain(const char *text, size_t length)
{
    char *out = arena_alloc(length + 1), *to = out;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\033') {
            while (i < length && text[i] != 'm') {
                i++;
            }
        } else {
            *to++ = text[i];
        }
    }
    return out;
}

const char *messages_plain(const char *text)
{
    return plain(text, strlen(text));
}

/* "   12 | text" and the line below it. */
bool messages_is_source(const char *line)
{
    const char *at = line + strspn(line, " ");
    at += strspn(at, "0123456789");
    at += strspn(at, " ");
    return line[0] == ' ' && *at == '|';
}

/* line has no colours and no end of line. */
static enum line_kind classify(const char *line)
{
    static const struct {
        const char *word;
        enum line_kind kind;
    } words[] = {{" error: ", LINE_ERROR}, {" warning: ", LINE_WARNING}, {" note: ", LINE_NOTE}};
    if (messages_is_source(line)) {
        return LINE_SOURCE;
    }
    if (strstr(line, " generated when compiling for ") != NULL || str_ends(line, " generated.")) {
        return LINE_TOTAL;
    }
    if (str_starts(line, "In file included from ") || str_starts(line, "In module ")) {
        return LINE_LEAD;
    }
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strstr(line, words[i].word) != NULL || str_starts(line, words[i].word + 1)) {
            return words[i].kind;
        }
    }
    return LINE_OTHER;
}

/* A file's name may contain colons; the first colon that a number and another colon follow
 * counts. */
bool messages_place(const char *line, struct messages_place *place)
{
    for (const char *at = strchr(line, ':'); at != NULL; at = strchr(at + 1, ':')) {
        char *end;
        if (!isdigit((unsigned char)at[1])) {
            continue;
        }
        place->line = strtoul(at + 1, &end, 10);
        if (*end == ':') {
            place->file = str_copy(line, (size_t)(at - line));
            place->column = isdigit((unsigned char)end[1]) ? strtoul(end + 1, NULL, 10) : 0;
            return true;
        }
    }
    return false;
}

/* ---- reading ---- */

/* The buffer has room for all text: see messages_read. */
static void put(struct reader *reader, const char *text, size_t length)
{
    memcpy(reader->to, text, length);
    reader->to += length;
}

/* Starts a message. Its text follows the last message's in the buffer. */
static void begin(struct reader *reader, enum message_kind kind, const char *key)
{
    struct messages *out = &reader->out;
    if ((out->count & (out->count - 1)) == 0) {
        out->items = arena_grow(out->items, out->count * sizeof(*out->items),
                                (2 * out->count + 1) * sizeof(*out->items));
    }
    reader->last = &out->items[out->count++];
    *reader->last = (struct message){.kind = kind, .text = ++reader->to, .key = key};
    struct messages_place place = {.file = ""};
    if (messages_place(key, &place)) {
        reader->last->file = place.file;
        reader->last->line = place.line;
    } else {
        reader->last->file = "";
    }
}

/* Decides how a line changes what is shown of the following lines. Of a note about our headers only
 * the text is shown. A note that explains how our headers are implemented is not shown at all: the
 * user only wrote the name of a macro or a function. */
static void judge_note(struct reader *reader, const char *line)
{
    if (str_starts(line, "<scratch space>")) {
        return; /* the text that the macro of the previous note pasted */
    }
    reader->hides_source = str_starts(line, reader->headers);
    reader->hides =
        reader->hides_source && (strstr(line, " note: expanded from macro ") != NULL ||
                                 strstr(line, " note: from 'diagnose_if' attribute ") != NULL);
}

/* Adds a line, with CUDA's names for the attributes in it. */
static void put_words(struct reader *reader, const char *text, size_t length)
{
    static const char *const names[] = {"shared",   "device",  "global",       "host",
                                        "constant", "managed", "launch_bounds"};
    const char *line = str_copy(text, length), *quote;
    if (strstr(line, " attribute") == NULL) {
        put(reader, text, length);
        return;
    }
    while ((quote = strchr(line, '\'')) != NULL) {
        put(reader, line, (size_t)(++quote - line));
        line = quote;
        size_t size = strcspn(line, "'");
        for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
            if (size == strlen(names[i]) && str_starts(line, names[i])) {
                put(reader, str_format("__%s__", names[i]), size + 4);
                line += size;
            }
        }
    }
    put(reader, line, strlen(line));
}

/* text begins with the line; length includes its end. */
static void take_line(struct reader *reader, const char *text, size_t length)
{
    const char *line = plain(text, length - (text[length - 1] == '\n'));
    enum line_kind kind = classify(line);
    if (kind == LINE_TOTAL) {
        return;
    }
    if (kind == LINE_LEAD) {
        reader->lead = reader->lead == NULL ? text : reader->lead;
        return;
    }
    if (kind == LINE_ERROR || kind == LINE_WARNING) {
        begin(reader, kind == LINE_ERROR ? MESSAGE_ERROR : MESSAGE_WARNING, line);
    } else if (reader->last == NULL) {
        begin(reader, MESSAGE_OTHER, line);
    }
    /* If clang crashes because it cannot write, users see one line of its messages. */
    bool is_dump = kind == LINE_OTHER && strstr(reader->last->key, "IO failure on output") != NULL;
    if (kind == LINE_NOTE) {
        judge_note(reader, line);
    } else if (kind != LINE_SOURCE) {
        reader->hides_source = false;
        reader->hides = is_dump;
    }
    if (!reader->hides && reader->lead != NULL) {
        put(reader, reader->lead, (size_t)(text - reader->lead));
    }
    if (kind == LINE_SOURCE && !reader->hides && !reader->hides_source) {
        put(reader, text, length);
    } else if (kind != LINE_SOURCE && !reader->hides) {
        put_words(reader, text, length);
    }
    reader->lead = NULL;
}

/* Drops each message that equals an earlier one, including all notes. */
static void drop_repeated(struct messages *messages)
{
    struct map seen = {.entries = NULL};
    size_t kept = 0;
    for (size_t i = 0; i < messages->count; i++) {
        if ((*map_at(&seen, messages->items[i].text))++ == 0) {
            messages->items[kept++] = messages->items[i];
        }
    }
    messages->count = kept;
}

struct messages messages_read(const char *text, const char *headers)
{
    /* Messages are separated by a zero byte, and lines may become longer. */
    struct reader reader = {.headers = headers, .to = arena_alloc(3 * strlen(text) + 2)};
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        length += text[length] == '\n';
        take_line(&reader, text, length);
        text += length;
    }
    drop_repeated(&reader.out);
    return reader.out;
}

/* ---- merging ---- */

/* For each message of the first list the equal message of the second, or the reverse; NONE if there
 * is none. */
enum { NONE = -1 };
struct pairs {
    long *of_first, *of_second;
};

/* All entries are NONE. */
static long *unpaired(size_t count)
{
    long *partners = arena_alloc((count + 1) * sizeof(*partners));
    for (size_t i = 0; i < count; i++) {
        partners[i] = NONE;
    }
    return partners;
}

/* The n-th of several messages with the same key corresponds to the n-th of the other list. */
static const char *numbered(struct map *counts, const char *key)
{
    return str_format("%zu:%s", (*map_at(counts, key))++, key);
}

/* Both directions, so that each list can be walked. */
static struct pairs pair(const struct messages *first, const struct messages *second)
{
    struct pairs pairs = {unpaired(first->count), unpaired(second->count)};
    struct map places = {.entries = NULL}, counts = places, other_counts = places;
    for (size_t i = 0; i < first->count; i++) {
        *map_at(&places, numbered(&counts, first->items[i].key)) = i + 1;
    }
    for (size_t i = 0; i < second->count; i++) {
        size_t found = *map_at(&places, numbered(&other_counts, second->items[i].key));
        if (found != 0) {
            pairs.of_second[i] = (long)found - 1;
            pairs.of_first[found - 1] = (long)i;
        }
    }
    return pairs;
}

/* The state of the second list during a pass over the first. next is the first message of the
 * second list that may not have been added. */
struct merger {
    const struct messages *second;
    struct pairs pairs;
    size_t next; /* of the second's */
    struct messages out;
};

/* The list has room for all messages of both lists. */
static void add(struct messages *out, const struct message *message)
{
    out->items[out->count++] = *message;
}

/* Adds the messages that only the second list has, up to but not including a position in its
 * list. */
static void add_until(struct merger *merger, size_t end)
{
    for (; merger->next < end; merger->next++) {
        if (merger->pairs.of_second[merger->next] == NONE) {
            add(&merger->out, &merger->second->items[merger->next]);
        }
    }
}

/* The end of the second list's messages that precede a message that only the first list has. It is
 * the next message that both lists have, or that is later in the source. */
static size_t end_before(const struct merger *merger, const struct message *message)
{
    size_t at = merger->next;
    for (; at < merger->second->count; at++) {
        const struct message *other = &merger->second->items[at];
        if (merger->pairs.of_second[at] != NONE || !str_equals(other->file, message->file) ||
            other->line >= message->line) {
            break;
        }
    }
    return at;
}

struct messages messages_merge(const struct messages *first, const struct messages *second)
{
    struct merger merger = {.second = second, .pairs = pair(first, second)};
    merger.out.items = arena_alloc((first->count + second->count + 1) * sizeof(*merger.out.items));
    for (size_t i = 0; i < first->count; i++) {
        long partner = merger.pairs.of_first[i];
        add_until(&merger,
                  partner == NONE ? end_before(&merger, &first->items[i]) : (size_t)partner);
        add(&merger.out, &first->items[i]);
    }
    add_until(&merger, second->count);
    return merger.out;
}

/* ---- preprocessed text ---- */

/* "file:1:2: error: ..." as "file:1: error: ...". */
static const char *without_column(const struct message *message)
{
    const char *line = message->key + strlen(message->file);
    const char *column = line[0] == ':' ? strchr(line + 1, ':') : NULL;
    if (*message->file == '\0' || column == NULL) {
        return message->key;
    }
    const char *rest = column + 1 + strspn(column + 1, "0123456789");
    return str_format("%.*s%s", (int)(column - message->key), message->key, rest);
}

struct messages messages_in_source_words(const struct messages *preprocessed,
                                         const struct messages *source)
{
    struct messages out = {.items = arena_alloc((preprocessed->count + 1) * sizeof(*out.items))};
    struct map places = {.entries = NULL}, counts = places, other_counts = places;
    for (size_t i = 0; i < source->count; i++) {
        *map_at(&places, numbered(&counts, without_column(&source->items[i]))) = i + 1;
    }
    for (size_t i = 0; i < preprocessed->count; i++) {
        const struct message *message = &preprocessed->items[i];
        const char *key = without_column(message);
        size_t found = *map_at(&places, numbered(&other_counts, key));
        if (found != 0) {
            add(&out, &source->items[found - 1]);
        } else if (*map_at(&counts, key) == 0) {
            add(&out, message);
        } /* else a macro has its argument twice, and the source has the message once */
    }
    return out;
}
