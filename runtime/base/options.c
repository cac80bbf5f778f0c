/* Parser of the CDP_* environment variables: one table, options.def. A program that has more
 * privileges than the user who started it (setuid) ignores the variables in that user's
 * environment. */
#include "base/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t read_number(const char *variable, uint32_t initial, uint64_t least, uint64_t most)
{
    const char *text = secure_getenv(variable);
    if (text == NULL || *text == '\0') {
        return initial;
    }
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0' || *text == '-' || value < least || value > most) {
        fprintf(stderr, "cdp: %s=%s: must be a number from %" PRIu64 " to %" PRIu64 "; using %u\n",
                variable, text, least, most, initial);
        return initial;
    }
    return (uint32_t)value;
}

static uint32_t read_choice(const char *variable, uint32_t initial, const char *words)
{
    const char *text = secure_getenv(variable);
    if (text == NULL || *text == '\0') {
        return initial;
    }
    uint32_t index = 0;
    for (const char *word = words; *word != '\0'; index++) {
        size_t length = strcspn(word, "|");
        if (strlen(text) == length && strncmp(text, word, length) == 0) {
            return index;
        }
        word += length + (word[length] == '|');
    }
    fprintf(stderr, "cdp: %s=%s: must be one of %s; using the default\n", variable, text, words);
    return initial;
}

void cdp_options_read(struct cdp_options *out)
{
#define CDP_OPTION_NUMBER(field, variable, initial, least, most, help)                             \
    out->field = read_number(#variable, initial, least, most);
#define CDP_OPTION_CHOICE(field, variable, initial, words, help)                                   \
    out->field = read_choice(#variable, initial, words);
#include "base/options.def"
#undef CDP_OPTION_NUMBER
#undef CDP_OPTION_CHOICE
}

/* Prints nothing: cdp_options_read prints the messages. */
static uint32_t read_early(const char *variable, uint32_t initial)
{
    const char *text = secure_getenv(variable);
    char *end;
    unsigned long long value = text != NULL ? strtoull(text, &end, 10) : 0;
    bool good = text != NULL && *text != '\0' && *end == '\0' && value <= UINT32_MAX;
    return good ? (uint32_t)value : initial;
}

uint32_t cdp_options_fail_alloc(void)
{
    return read_early("CDP_FAIL_ALLOC", 0);
}

uint32_t cdp_options_fail_alloc_times(void)
{
    return read_early("CDP_FAIL_ALLOC_TIMES", 1);
}
