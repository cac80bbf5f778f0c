/* What a compiler wrote, taken apart into messages, and put together again with what
 * another compilation of the same source wrote. */
#ifndef CDPCC_MESSAGES_H
#define CDPCC_MESSAGES_H
#include <stdbool.h>
#include <stddef.h>

enum message_kind { MESSAGE_OTHER, MESSAGE_ERROR, MESSAGE_WARNING };

/* One error or warning with its notes and source lines, or other text. */
struct message {
    enum message_kind kind;
    const char *text; /* all its lines, as they were written */
    const char *key;  /* the first line without colours and what was included from where */
    const char *file; /* of the place that it is about; "" if it names none */
    unsigned long line;
};

struct messages {
    struct message *items;
    size_t count;
};

/* What "file:1:2: error: ..." is about, or "file:1:". */
struct messages_place {
    const char *file;
    unsigned long line, column; /* column 0: none */
};
/* False if a line, without colours, begins with no place. */
bool messages_place(const char *line, struct messages_place *place);
/* Whether a line without colours shows source, or stands below it. */
bool messages_is_source(const char *line);
/* The text without a terminal's colours, which would hide its words. */
const char *messages_plain(const char *text);

/* Without those that say all that an earlier one says, without notes on the macros of the
 * headers in a directory, and without the compiler's count of its messages. */
struct messages messages_read(const char *text, const char *headers);

/* Those of two compilations of one source, each once, in the order of the source as far as
 * the compilations tell it: each kept its own. */
struct messages messages_merge(const struct messages *first, const struct messages *second);

/* Messages about preprocessed text, each as the compilation of the source itself put it if
 * it has one of this line that says the same: it knows the macros and the columns. */
struct messages messages_in_source_words(const struct messages *preprocessed,
                                         const struct messages *source);

#endif
