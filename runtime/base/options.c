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

/* What a program sets in place of the table's defaults. Written before the first thread starts. */
enum { MOST_DEFAULTS = 8 };
static struct {
    const char *variable, *value;
} defaults[MOST_DEFAULTS];
static size_t default_count;

void cdp_options_default(const char *variable, const char *value)
{
    if (default_count < MOST_DEFAULTS) {
        defaults[default_count].variable = variable;
        defaults[default_count].value = value;
        default_count++;
    }
}

/* The environment's value or the program's; NULL if there is none. */
static const char *find_text(const char *variable)
{
    const char *text = secure_getenv(variable);
    if (text != NULL && *text != '\0') {
        return text;
    }
    for (size_t i = 0; i < default_count; i++) {
        if (strcmp(defaults[i].variable, variable) == 0) {
            return defaults[i].value;
        }
    }
    return NULL;
}

static uint32_t read_number(const char *variable, uint32_t initial, uint64_t least, uint64_t most)
{
    const char *text = find_text(variable);
    if (text == NULL) {
        return initial;
    }
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    bool has_digits = *text >= '0' && *text <= '9'; /* strtoull also takes blanks and a sign */
    if (!has_digits || errno != 0 || *end != '\0' || value < least || value > most) {
        fprintf(stderr, "cdp: %s=%s: must be a number from %" PRIu64 " to %" PRIu64 "; using %u\n",
                variable, text, least, most, initial);
        return initial;
    }
    return (uint32_t)value;
}

/* The index of a word in "word|word|..."; UINT32_MAX if it is not there. */
static uint32_t index_of(const char *words, const char *wanted, size_t wanted_length)
{
    uint32_t index = 0;
    for (const char *word = words; *word != '\0'; index++) {
        size_t length = strcspn(word, "|");
        if (wanted_length == length && strncmp(wanted, word, length) == 0) {
            return index;
        }
        word += length + (word[length] == '|');
    }
    return UINT32_MAX;
}

static uint32_t read_choice(const char *variable, uint32_t initial, const char *words)
{
    const char *text = find_text(variable);
    if (text == NULL) {
        return initial;
    }
    uint32_t index = index_of(words, text, strlen(text));
    if (index == UINT32_MAX) {
        fprintf(stderr, "cdp: %s=%s: must be one of %s; using the default\n", variable, text,
                words);
        return initial;
    }
    return index;
}

static uint32_t read_list(const char *variable, const char *words)
{
    const char *text = find_text(variable);
    if (text == NULL || strcmp(text, "all") == 0) {
        return UINT32_MAX;
    }
    if (strcmp(text, "none") == 0) {
        return 0;
    }
    uint32_t mask = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        uint32_t index = index_of(words, text, length);
        if (index == UINT32_MAX) {
            fprintf(stderr, "cdp: %s: %.*s: must be all, none or some of %s; using all\n", variable,
                    (int)length, text, words);
            return UINT32_MAX;
        }
        mask |= 1u << index;
        text += length + (text[length] == ',');
    }
    return mask;
}

void cdp_options_read(struct cdp_options *out)
{
#define CDP_OPTION_NUMBER(field, variable, initial, least, most, help)                             \
    out->field = read_number(#variable, initial, least, most);
#define CDP_OPTION_CHOICE(field, variable, initial, words, help)                                   \
    out->field = read_choice(#variable, initial, words);
#define CDP_OPTION_LIST(field, variable, words, help) out->field = read_list(#variable, words);
#define CDP_OPTION_TEXT(field, variable, values, help) out->field = find_text(#variable);
#include "base/options.def"
#undef CDP_OPTION_NUMBER
#undef CDP_OPTION_CHOICE
#undef CDP_OPTION_LIST
#undef CDP_OPTION_TEXT
}

/* Prints nothing: cdp_options_read prints the messages. */
static uint32_t read_early(const char *variable, uint32_t initial)
{
    const char *text = secure_getenv(variable);
    char *end;
    unsigned long long value = text != NULL ? strtoull(text, &end, 10) : 0;
    bool good = text != NULL && *text >= '0' && *text <= '9' && *end == '\0' && value <= UINT32_MAX;
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
