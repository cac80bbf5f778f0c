/* --check: code that is tested while it runs. instrument/ puts the tests into device code; host
 * code is compiled with Clang's callbacks for loads and stores. */
#ifndef CDPCC_CHECK_H
#define CDPCC_CHECK_H
#include <stdbool.h>
#include <stdint.h>

enum check {
#define CDP_CHECK(name, word, text) CHECK_##name,
#include "abi/cdp_check.def"
#undef CDP_CHECK
    CHECK_COUNT,
};

/* Which kinds are enabled; zero is none. */
struct checks {
    bool on[CHECK_COUNT];
    bool is_strict; /* --race=strict */
    bool counts;    /* --count: not a check, but it instruments the same accesses */
};

/* Adds the kinds of a list, "space,...", or all kinds for NULL. memory includes space. Returns
 * NULL, or the first unknown word. */
const char *check_take(struct checks *checks, const char *list);
/* Whether device code is instrumented: for a check, or for --count. */
bool check_any(const struct checks *checks);
/* The enabled kinds as bits of enum cdp_abi_checks. */
uint32_t check_mask(const struct checks *checks);

/* The words of the enabled kinds, or of all kinds for NULL; "space,...". */
const char *check_names(const struct checks *checks);
/* A part of --help. */
void check_print_help(void);

#endif
