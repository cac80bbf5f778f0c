/* NVRTC's options as cdpcc's. options.def has the table.
 *
 * A handler gets the value, NULL for a flag. It returns false after setting the message. */
#include "program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "jit/tool.h"

enum form { FLAG, VALUE, JOINED };

/* On the stack of nvrtc_options_parse. */
struct reader {
    struct nvrtc_options *options;
    bool is_relocatable;
    const char *arch, *standard; /* for cdpcc; borrowed */
    char **message;              /* owned by the caller of the parser */
    const char *given;           /* the string of the current option */
};

struct row {
    const char *names;
    enum form form;
    bool (*take)(struct reader *reader, const struct row *row, const char *value);
    const char *word;
};

#define TAKE(name)                                                                                 \
    static bool take_##name(struct reader *reader __attribute__((unused)),                         \
                            const struct row *row __attribute__((unused)),                         \
                            const char *value __attribute__((unused)))

/* Always false. */
static bool refuse(struct reader *reader, const char *why)
{
    *reader->message = cdp_tool_format("nvrtc: error: option '%s': %s\n", reader->given, why);
    return false;
}

TAKE(word)
{
    if (row->word != NULL && strchr(row->word, '%') != NULL) {
        const char *mark = strchr(row->word, '%');
        nvrtc_words_add(&reader->options->words, "%.*s%s", (int)(mark - row->word), row->word,
                        value);
    } else if (row->word != NULL) {
        nvrtc_words_add(&reader->options->words, "%s", row->word);
    }
    return true;
}

TAKE(refuse)
{
    return refuse(reader, row->word);
}

static bool is_bool(const char *value)
{
    return strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
}

TAKE(bool)
{
    return is_bool(value) ? take_word(reader, row, value)
                          : refuse(reader, "the value must be true or false");
}

/* The word is for "false". */
TAKE(bool_off)
{
    if (!is_bool(value)) {
        return refuse(reader, "the value must be true or false");
    }
    return *value == 't' || take_word(reader, row, value);
}

TAKE(rdc)
{
    reader->is_relocatable = true;
    return true;
}

TAKE(rdc_value)
{
    reader->is_relocatable = strcmp(value, "true") == 0;
    return is_bool(value) || refuse(reader, "the value must be true or false");
}

TAKE(lto)
{
    reader->options->is_lto = true;
    return true;
}

TAKE(default_device)
{
    reader->options->is_default_device = true;
    return true;
}

TAKE(no_source_include)
{
    reader->options->no_source_include = true;
    return true;
}

TAKE(no_cache)
{
    reader->options->no_cache = true;
    return true;
}

TAKE(pre_include)
{
    nvrtc_words_add(&reader->options->words, "-include");
    nvrtc_words_add(&reader->options->words, "%s", value);
    return true;
}

/* "90", "90a", "100f": one of those that nvrtcGetSupportedArchs tells. */
static bool is_arch(const char *text)
{
    int archs[64], count = 0;
    char *end;
    long number = isdigit((unsigned char)*text) ? strtol(text, &end, 10) : 0;
    if (number == 0 || (strcmp(end, "") != 0 && strcmp(end, "a") != 0 && strcmp(end, "f") != 0)) {
        return false;
    }
    if (nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS ||
        nvrtcGetSupportedArchs(archs) != NVRTC_SUCCESS) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (archs[i] == number) {
            return true;
        }
    }
    return false;
}

TAKE(arch)
{
    static const char real[] = "sm_", virtual[] = "compute_", intermediate[] = "lto_";
    const char *const prefixes[] = {real, virtual, intermediate};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(value, prefixes[i], length) == 0 && is_arch(value + length)) {
            reader->arch = value + length;
            reader->options->is_real = prefixes[i] == real;
            return true;
        }
    }
    return refuse(reader, "the value must be sm_NN or compute_NN, with an NN of "
                          "nvrtcGetSupportedArchs");
}

/* Clang's CUDA needs C++11. */
TAKE(std)
{
    static const char *const known[] = {"c++03", "c++11", "c++14", "c++17", "c++20"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i], value) == 0) {
            reader->standard = known[i == 0 ? 1 : i];
            return true;
        }
    }
    return refuse(reader, "the value must be c++03, c++11, c++14, c++17 or c++20");
}

TAKE(time)
{
    cdp_free(reader->options->time_file);
    reader->options->time_file = cdp_tool_format("%s", value);
    reader->options->words.failed |= reader->options->time_file == NULL;
    return true;
}

static const struct row rows[] = {
#define OPTION(names, form, take, word) {names, form, take_##take, word},
#include "options.def"
#undef OPTION
};

/* What follows a row's name in the option; NULL if it is another option. text has no dashes. */
static const char *after_name(const struct row *row, const char *text)
{
    for (const char *name = row->names; *name != '\0';) {
        size_t length = strcspn(name, "|");
        char next = strncmp(name, text, length) == 0 ? text[length] : 'x';
        if (row->form == JOINED && strncmp(name, text, length) == 0) {
            return text + length;
        }
        if (next == '\0' || isspace((unsigned char)next) || next == '=') {
            return text + length;
        }
        name += length + (name[length] == '|');
    }
    return NULL;
}

static const struct row *find_row(const char *text, const char **after)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *after = after_name(&rows[i], text);
        if (*after != NULL) {
            return &rows[i];
        }
    }
    return NULL;
}

static const char *skip_blanks(const char *text)
{
    while (isspace((unsigned char)*text)) {
        text++;
    }
    return text;
}

/* Takes an option. The value may be the next string: then *next grows. */
static bool read_option(struct reader *reader, int count, const char *const *given, int *next)
{
    const char *text = skip_blanks(given[*next]), *after;
    reader->given = text;
    size_t dashes = strspn(text, "-");
    const struct row *row = dashes == 1 || dashes == 2 ? find_row(text + dashes, &after) : NULL;
    (*next)++;
    if (row == NULL) {
        return refuse(reader, "NVRTC has no such option");
    }
    bool has_sign = *after == '=' && row->form == VALUE;
    const char *value = skip_blanks(after + has_sign);
    if (row->form == FLAG) {
        return *value == '\0' ? row->take(reader, row, NULL)
                              : refuse(reader, "this option has no value");
    }
    if (*value == '\0' && !has_sign && *next < count && given[*next] != NULL) {
        value = given[(*next)++];
    }
    return row->take(reader, row, value);
}

/* The default architecture is that of version 12. */
static void add_rest(struct reader *reader)
{
    struct nvrtc_words *words = &reader->options->words;
    nvrtc_words_add(words, "-arch=compute_%s", reader->arch);
    nvrtc_words_add(words, "-std=%s", reader->standard);
    nvrtc_words_add(words, "-rdc=%s", reader->is_relocatable ? "true" : "false");
}

nvrtcResult nvrtc_options_parse(struct nvrtc_options *options, int count, const char *const *given,
                                char **message)
{
    *options = (struct nvrtc_options){.time_file = NULL};
    struct reader reader = {
        .options = options, .message = message, .arch = "52", .standard = "c++17"};
    for (int next = 0; next < count;) {
        if (given[next] == NULL) {
            return NVRTC_ERROR_INVALID_OPTION;
        }
        if (!read_option(&reader, count, given, &next)) {
            return NVRTC_ERROR_INVALID_OPTION;
        }
    }
    add_rest(&reader);
    return options->words.failed ? NVRTC_ERROR_OUT_OF_MEMORY : NVRTC_SUCCESS;
}

void nvrtc_options_finish(struct nvrtc_options *options)
{
    nvrtc_words_finish(&options->words);
    cdp_free(options->time_file);
}
