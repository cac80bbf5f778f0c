/* The options about warnings: cdpcc's own, clang's, and nvcc's names for them. */
#include "driver/args_table.h"
#include "driver/diag.h"
#include "support/str.h"

#include <string.h>

/* "-W...": cdpcc's own warnings, or clang's. */
int args_take_warning(struct args_reader *reader, const char *word)
{
    bool unknown;
    if (!warning_take(&reader->args->device.warnings, word, &unknown)) {
        vec_push(&reader->args->clang.front, word);
    } else if (unknown) {
        diag_error("'%s' is not a warning of cdpcc; cdpcc --help lists them", word);
        return 1;
    }
    return 0;
}

/* nvcc's kinds of warnings, and clang's word for each. Clang always refuses cross-space calls; it
 * does not know the other kinds without a word. */
static const struct {
    const char *kind, *word;
} warning_kinds[] = {
    {"all-warnings", "-Werror"},
    {"reorder", "-Werror=reorder"},
    {"deprecated-declarations", "-Werror=deprecated-declarations"},
    {"cross-execution-space-call", NULL},
    {"default-stream-launch", NULL},
    {"missing-launch-bounds", NULL},
    {"ext-lambda-captures-this", NULL},
};
enum { KIND_COUNT = sizeof(warning_kinds) / sizeof(warning_kinds[0]) };

/* The index of a kind, or KIND_COUNT. */
static size_t find_kind(const char *name)
{
    size_t i = 0;
    while (i < KIND_COUNT && !str_equals(warning_kinds[i].kind, name)) {
        i++;
    }
    return i;
}

/* Whether a word is nvcc's list of kinds: then its first one is known. */
static bool is_kinds(const char *text)
{
    return text != NULL && find_kind(str_copy(text, strcspn(text, ","))) < KIND_COUNT;
}

static int take_kinds(struct args_reader *reader, const char *text)
{
    struct vec pieces = {.items = NULL};
    str_split_commas(&pieces, text);
    for (size_t i = 0; i < pieces.count; i++) {
        size_t kind = find_kind(pieces.items[i]);
        if (kind == KIND_COUNT) {
            return args_refuse("--Werror", pieces.items[i],
                               "all-warnings, cross-execution-space-call, reorder, "
                               "deprecated-declarations, default-stream-launch, "
                               "missing-launch-bounds or ext-lambda-captures-this");
        }
        if (warning_kinds[kind].word != NULL &&
            args_take_warning(reader, warning_kinds[kind].word) != 0) {
            return 1;
        }
    }
    return 0;
}

/* "-Werror" and "-Werror=NAME" are clang's; "-Werror KIND,KIND" and "-Werror=KIND,KIND" are
 * nvcc's. */
int args_take_werror(struct args_reader *reader, const char *value)
{
    const char *text = strchr(value, '=');
    bool is_last = reader->next >= reader->words.count;
    const char *kinds = text != NULL ? text + 1
                        : is_last    ? NULL
                                     : reader->words.items[reader->next];
    if (is_kinds(kinds) || (text != NULL && strchr(text, ',') != NULL)) {
        reader->next += text == NULL;
        return take_kinds(reader, kinds);
    }
    return args_take_warning(reader, value[1] == '-' ? value + 1 : value);
}
