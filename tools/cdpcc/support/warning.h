/* Which of cdpcc's own warnings are wanted, and which of them are errors; clang has
 * its own for its own. */
#ifndef CDPCC_WARNING_H
#define CDPCC_WARNING_H
#include <stdbool.h>

enum warning {
#define CDP_WARNING(name, option, text) WARNING_##name,
#include "support/warning.def"
#undef CDP_WARNING
    WARNING_COUNT,
};

/* Zero is what holds without options. */
struct warnings {
    bool none;       /* -w */
    bool all_errors; /* -Werror */
    struct {
        bool off;
        enum { WARNING_AS_ALL, WARNING_ERROR, WARNING_NO_ERROR } error;
    } each[WARNING_COUNT];
};

/* Takes a word "-W..." if it is about one of ours; false: it is clang's.  *unknown is
 * set if it is ours by its name and yet none that exists. */
bool warning_take(struct warnings *warnings, const char *word, bool *unknown);

bool warning_is_on(const struct warnings *warnings, enum warning warning);
bool warning_is_error(const struct warnings *warnings, enum warning warning);

/* Without "-W". */
const char *warning_option(enum warning warning);
/* The options that differ from what holds without any, for -###: one word or NULL. */
const char *warning_word(const struct warnings *warnings, enum warning warning);
/* A part of --help. */
void warning_print_help(void);

#endif
