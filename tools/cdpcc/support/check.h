/* --check: device code that tests what it does while it runs.  The tests themselves
 * are in instrument/instrument.c and instrument_*.c. */
#ifndef CDPCC_CHECK_H
#define CDPCC_CHECK_H
#include <stdbool.h>

enum check {
#define CDP_CHECK(name, word, text) CHECK_##name,
#include "support/check.def"
#undef CDP_CHECK
    CHECK_COUNT,
};

struct checks {
    bool on[CHECK_COUNT];
};

/* Adds the kinds of a list, "space,..."; NULL, or the first word that is none. */
const char *check_take(struct checks *checks, const char *list);
bool check_any(const struct checks *checks);

/* The kinds in words: those that are on, or all with NULL; "space,...". */
const char *check_names(const struct checks *checks);
/* A part of --help. */
void check_print_help(void);

#endif
