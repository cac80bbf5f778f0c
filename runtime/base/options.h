/* The CDP_* environment variables, parsed once at start. */
#ifndef CDP_BASE_OPTIONS_H
#define CDP_BASE_OPTIONS_H

#include <stdint.h>

/* The most that options.def allows for CDP_DEVICES. */
enum { CDP_MOST_DEVICES = 16 };

/* One field for each entry of options.def. A choice is stored as the index of its word. A list is
 * stored as a mask, whose bit i is the i-th word. A text is NULL if it is not set; it belongs to
 * the environment, so it is valid until the program changes the environment. */
struct cdp_options {
#define CDP_OPTION_NUMBER(field, variable, initial, least, most, help) uint32_t field;
#define CDP_OPTION_CHOICE(field, variable, initial, words, help) uint32_t field;
#define CDP_OPTION_LIST(field, variable, words, help) uint32_t field;
#define CDP_OPTION_TEXT(field, variable, values, help) const char *field;
#include "base/options.def"
#undef CDP_OPTION_NUMBER
#undef CDP_OPTION_CHOICE
#undef CDP_OPTION_LIST
#undef CDP_OPTION_TEXT
};

/* A program's own default for a variable, which the environment overrides. For constructors: before
 * cdp_options_read, on the first thread. Both texts are borrowed. At most 8; more are ignored. */
void cdp_options_default(const char *variable, const char *value);

/* Reads the environment. If a value does not parse or is out of range, stderr gets a message with
 * the range and the value that is used instead. */
void cdp_options_read(struct cdp_options *out);

/* The two options that are needed before main, when a program may still set the others. */
uint32_t cdp_options_fail_alloc(void);
uint32_t cdp_options_fail_alloc_times(void);

#endif
