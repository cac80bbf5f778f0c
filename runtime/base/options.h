/* The CDP_* environment variables, parsed once at start. */
#ifndef CDP_BASE_OPTIONS_H
#define CDP_BASE_OPTIONS_H

#include <stdint.h>

/* One field per row of options.def; a choice holds the index of its word. */
struct cdp_options {
#define CDP_OPTION_NUMBER(field, variable, initial, least, most, help) uint32_t field;
#define CDP_OPTION_CHOICE(field, variable, initial, words, help) uint32_t field;
#include "base/options.def"
#undef CDP_OPTION_NUMBER
#undef CDP_OPTION_CHOICE
};

/* Reads the environment.  A value that does not parse or is out of range is
 * reported on stderr, with the range and the value used instead. */
void cdp_options_read(struct cdp_options *out);

/* The two that are wanted before main, when a program may still set others. */
uint32_t cdp_options_fail_alloc(void);
uint32_t cdp_options_fail_alloc_times(void);

#endif
