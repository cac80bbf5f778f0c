/* The values of options: numbers of architectures, truth values, lists of words.
 *
 * A wrong value is refused with the values that are known. */
#include "driver/args_table.h"
#include "driver/diag.h"
#include "support/near.h"
#include "support/str.h"

#include <stdlib.h>
#include <string.h>

/* Always returns 1, the result of a handler that has failed. */
int args_refuse(const char *option, const char *value, const char *known)
{
    diag_error("'%s' is not a value of option '%s'; it takes %s%s", value, option, known,
               near_of_list(value, known));
    return 1;
}

int args_split_words(struct vec *out, const char *option, const char *value)
{
    if (str_split_words(out, value)) {
        return 0;
    }
    diag_error("the value of option '%s' ends within a quotation: %s", option, value);
    return 1;
}

/* The words of a list for another program. Commas outside quotations also separate words. */
int args_split_list(struct vec *out, const char *option, const char *value)
{
    char *text = str_copy(value, strlen(value)), quote = '\0';
    for (char *at = text; *at != '\0'; at++) {
        if (*at == '\\' && quote != '\'' && at[1] != '\0') {
            at++;
        } else if (*at == quote) {
            quote = '\0';
        } else if (quote == '\0' && (*at == '"' || *at == '\'')) {
            quote = *at;
        } else if (quote == '\0' && *at == ',') {
            *at = ' ';
        }
    }
    return args_split_words(out, option, text);
}

/* nvcc separates the values of -I, -D and similar options at commas; a backslash keeps a comma, and
 * so do quotation marks and, for parameters of macros, parentheses. */
void args_split_commas(struct vec *out, const char *value)
{
    char *text = str_copy(value, strlen(value)), *to = text, *start = text, quote = '\0';
    int depth = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\\' && at[1] == ',') {
            at++;
        } else if (*at == quote) {
            quote = '\0';
        } else if (quote == '\0' && (*at == '"' || *at == '\'')) {
            quote = *at;
        } else if (quote == '\0' && (*at == '(' || *at == ')')) {
            depth += *at == '(' ? 1 : -1;
        } else if (quote == '\0' && depth == 0 && *at == ',') {
            *to++ = '\0';
            vec_push(out, start);
            start = to;
            continue;
        }
        *to++ = *at;
    }
    *to = '\0';
    vec_push(out, start);
}

/* Records "sm_90a" or "compute_35"; of several the highest counts. */
int args_note_arch(struct args_reader *reader, const char *option, const char *value)
{
    static const char *const any[] = {"native", "all", "all-major"};
    for (size_t i = 0; i < sizeof(any) / sizeof(any[0]); i++) {
        if (str_equals(any[i], value)) {
            return 0;
        }
    }
    const char *number = strchr(value, '_');
    char *end = NULL;
    unsigned long arch = number == NULL ? 0 : strtoul(number + 1, &end, 10);
    bool suffix_ok =
        end != NULL && (*end == '\0' || (strchr("af", *end) != NULL && end[1] == '\0'));
    if ((!str_starts(value, "sm_") && !str_starts(value, "compute_") &&
         !str_starts(value, "lto_")) ||
        !suffix_ok || arch < 10 || arch > 999) {
        return args_refuse(option, value, "sm_NN or compute_NN");
    }
    if (!reader->arch_given || arch * 10 > reader->args->device.arch) {
        reader->args->device.arch = (unsigned)arch * 10;
    }
    reader->arch_given = true;
    return 0;
}

int args_read_bool(const char *option, const char *value, bool *out)
{
    if (!str_equals(value, "true") && !str_equals(value, "false")) {
        return args_refuse(option, value, "true or false");
    }
    *out = value[0] == 't';
    return 0;
}

/* A word for the host compiler. Words that affect the meaning of the source, or the compatibility
 * of both halves, are passed to the device compilation too, as in nvcc. */
int args_take_compiler_word(struct args_reader *reader, const char *word)
{
    static const char *const both[] = {
        "-D",      "-U",         "-I",      "-fPIC",    "-fpic",     "-fno-pi",    "-no-pie",
        "-std=",   "-fsanitize", "-march=", "-fopenmp", "-fprofile", "--coverage", "-pthread",
        "-static", "-rdynamic",  "-pie",    "-W",       "-L",        "-l"};
    if (word[0] != '-') {
        vec_push(&reader->args->clang.front_host, word);
        return 0;
    }
    for (size_t i = 0; i < sizeof(both) / sizeof(both[0]); i++) {
        if (str_starts(word, both[i]) && word[2] != '\0') {
            return args_read_option(reader, word);
        }
    }
    vec_push(&reader->args->clang.front_host, word);
    return 0;
}
