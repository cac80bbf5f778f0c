/* --check: device code that tests its own accesses at run time. The tests are in
 * instrument/instrument.c and instrument/space.c. */
#ifndef CDPCC_CHECK_H
#define CDPCC_CHECK_H
#include <stdbool.h>

enum check {
#define CDP_CHECK(name, word, text) CHECK_##name,
#include "support/check.def"
#undef CDP_CHECK
    CHECK_COUNT,
};

/* Which kinds are enabled; zero is none. */
struct checks {
    bool on[CHECK_COUNT];
};

/* Adds the kinds of a list, "space,...". Returns NULL, or the first unknown word. */
const char *check_take(struct checks *checks, const char *list);
bool check_any(const struct checks *checks);

/* The words of the enabled kinds, or of all kinds for NULL; "space,...". */
const char *check_names(const struct checks *checks);
/* A part of --help. */
void check_print_help(void);

#endif
