/* Which of cdpcc's own warnings are enabled, and which of them are errors. clang handles the
 * options of its own warnings. */
#ifndef CDPCC_WARNING_H
#define CDPCC_WARNING_H
#include <stdbool.h>

enum warning {
#define CDP_WARNING(name, option, text) WARNING_##name,
#include "support/warning.def"
#undef CDP_WARNING
    WARNING_COUNT,
};

/* The state of all options -W of cdpcc; zero is the default state: all on, no errors. */
struct warnings {
    bool none;       /* -w */
    bool all_errors; /* -Werror */
    struct {
        bool off;
        enum { WARNING_AS_ALL, WARNING_ERROR, WARNING_NO_ERROR } error;
    } each[WARNING_COUNT];
};

/* Handles a word "-W..." if it is about one of our warnings; false: it is clang's. *unknown is set
 * if the name has our prefix but no such warning exists. */
bool warning_take(struct warnings *warnings, const char *word, bool *unknown);

bool warning_is_on(const struct warnings *warnings, enum warning warning);
bool warning_is_error(const struct warnings *warnings, enum warning warning);

/* Without "-W". */
const char *warning_option(enum warning warning);
/* The options that differ from the default, for -###: one word or NULL. */
const char *warning_word(const struct warnings *warnings, enum warning warning);
/* A part of --help. */
void warning_print_help(void);

#endif
