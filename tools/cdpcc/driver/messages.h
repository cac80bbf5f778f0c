/* Splits a compiler's output into messages, and merges it with the output of another compilation of
 * the same source. */
#ifndef CDPCC_MESSAGES_H
#define CDPCC_MESSAGES_H
#include <stdbool.h>
#include <stddef.h>

enum message_kind { MESSAGE_OTHER, MESSAGE_ERROR, MESSAGE_WARNING };

/* One error or warning with its notes and source lines, or other text. Strings are in the arena. */
struct message {
    enum message_kind kind;
    const char *text; /* all its lines, as they were written */
    const char *key;  /* the first line without colours and without the include stack */
    const char *file; /* the file that it is about; "" if it names none */
    unsigned long line;
};

/* Messages in the order in which they were printed. */
struct messages {
    struct message *items;
    size_t count;
};

/* The position in "file:1:2: error: ...", or "file:1:".
 *
 * Lines and columns count from 1, as clang counts them; columns are bytes. */
struct messages_place {
    const char *file;
    unsigned long line, column; /* column 0: none */
};
/* False if a line without colours does not begin with a position. */
bool messages_place(const char *line, struct messages_place *place);
/* Whether a line without colours shows source, or is below such a line. */
bool messages_is_source(const char *line);
/* The text without a terminal's colour codes, which would hide words. */
const char *messages_plain(const char *text);

/* Reads messages. Omits repetitions of earlier messages, notes on the macros of the headers in a
 * directory, and the compiler's count of its messages. */
struct messages messages_read(const char *text, const char *headers);

/* The messages of two compilations of one source, each once, in the order of the source as far as
 * it is known. Each compilation's own order is kept. The lists themselves do not change. */
struct messages messages_merge(const struct messages *first, const struct messages *second);

/* Messages about preprocessed text. Each is replaced by the message of the source's own compilation
 * that says the same about the same line, if there is one: that one knows the macros and the
 * columns. Repetitions that the source's own compilation does not have are left out. */
struct messages messages_in_source_words(const struct messages *preprocessed,
                                         const struct messages *source);

#endif
