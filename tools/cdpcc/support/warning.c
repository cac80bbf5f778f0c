/* cdpcc's own warnings and their options.
 *
 * The warnings are the rows of support/warning.def: the name in code, the option without "-W", and
 * the text of --help. -Wno-error=NAME is stronger than -Werror, in any order of the words. */
#include "support/warning.h"

#include "support/str.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *option, *text;
} rows[] = {
#define CDP_WARNING(name, option, text) {option, text},
#include "support/warning.def"
#undef CDP_WARNING
};

/* "-Wno-error=x" to its prefix and "x".
 *
 * NULL if it is no word of this kind. Longer prefixes are tried first. */
static const char *split(const char *word, const char **prefix)
{
    static const char *const prefixes[] = {"-Wno-error=", "-Werror=", "-Wno-", "-W"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (str_starts(word, prefixes[i])) {
            *prefix = prefixes[i];
            return word + strlen(prefixes[i]);
        }
    }
    return NULL;
}

/* -Werror=NAME also turns a warning on; -Wno-error=NAME does not. */
static void set(struct warnings *warnings, size_t index, const char *prefix)
{
    if (str_equals(prefix, "-Wno-error=")) {
        warnings->each[index].error = WARNING_NO_ERROR;
        return;
    }
    warnings->each[index].off = str_equals(prefix, "-Wno-");
    if (str_equals(prefix, "-Werror=")) {
        warnings->each[index].error = WARNING_ERROR;
    }
}

bool warning_take(struct warnings *warnings, const char *word, bool *unknown)
{
    const char *prefix, *name = split(word, &prefix);
    *unknown = false;
    if (str_equals(word, "-Werror") || str_equals(word, "-Wno-error")) {
        warnings->all_errors = str_equals(word, "-Werror");
        return false; /* for clang too */
    }
    if (name == NULL || !str_starts(name, "cdp-")) {
        return false;
    }
    for (size_t i = 0; i < WARNING_COUNT; i++) {
        if (str_equals(rows[i].option, name)) {
            set(warnings, i, prefix);
            return true;
        }
    }
    *unknown = true;
    return true;
}

bool warning_is_on(const struct warnings *warnings, enum warning warning)
{
    return !warnings->none && !warnings->each[warning].off;
}

bool warning_is_error(const struct warnings *warnings, enum warning warning)
{
    return warnings->each[warning].error == WARNING_ERROR ||
           (warnings->each[warning].error == WARNING_AS_ALL && warnings->all_errors);
}

const char *warning_option(enum warning warning)
{
    return rows[warning].option;
}

const char *warning_word(const struct warnings *warnings, enum warning warning)
{
    const char *prefix = warnings->each[warning].off                         ? "-Wno-"
                         : warnings->each[warning].error == WARNING_ERROR    ? "-Werror="
                         : warnings->each[warning].error == WARNING_NO_ERROR ? "-Wno-error="
                                                                             : NULL;
    return prefix == NULL ? NULL : str_format("%s%s", prefix, rows[warning].option);
}

void warning_print_help(void)
{
    puts(
        "\nWarnings, all on: -Wno-NAME turns one off, -Werror=NAME makes it an error, -w turns all "
        "off:\n");
    for (size_t i = 0; i < WARNING_COUNT; i++) {
        printf("  %-32s%s\n", rows[i].option, rows[i].text);
    }
}
