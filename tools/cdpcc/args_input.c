/* The files of a command line: inputs, whose names tell their language, and files
 * with more options. */
#include "arena.h"
#include "args_table.h"
#include "diag.h"
#include "str.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int args_take_file(struct args_reader *reader, const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        diag_error("cannot read the options file '%s': %s", path, strerror(errno));
        return 1;
    }
    if (++reader->depth > 100) {
        fclose(file);
        diag_error("the options file '%s' names itself", path);
        return 1;
    }
    char *text = NULL;
    size_t size = 0;
    ssize_t length = getdelim(&text, &size, '\0', file);
    fclose(file);
    struct vec words = {.items = NULL};
    str_split_words(&words, length > 0 ? text : "");
    free(text);
    for (size_t i = reader->next; i < reader->words.count; i++) {
        vec_push(&words, reader->words.items[i]);
    }
    reader->words = words;
    reader->next = 0;
    return 0;
}

static const struct {
    const char *extension;
    enum language language;
} extensions[] = {
    {".cu", LANGUAGE_CUDA},    {".c", LANGUAGE_C},     {".cpp", LANGUAGE_CXX},
    {".cc", LANGUAGE_CXX},     {".cxx", LANGUAGE_CXX}, {".C", LANGUAGE_CXX},
    {".c++", LANGUAGE_CXX},    {".CPP", LANGUAGE_CXX}, {".s", LANGUAGE_ASSEMBLY},
    {".S", LANGUAGE_ASSEMBLY}, {".o", LANGUAGE_LINK},  {".obj", LANGUAGE_LINK},
    {".a", LANGUAGE_LINK},     {".lo", LANGUAGE_LINK}, {".so", LANGUAGE_LINK},
};

static int language_of(struct args_reader *reader, const char *path, enum language *out)
{
    *out = reader->language;
    if (reader->language != LANGUAGE_LINK) {
        return 0;
    }
    const char *extension = str_extension(path);
    for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++) {
        if (str_equals(extensions[i].extension, extension)) {
            *out = extensions[i].language;
            return 0;
        }
    }
    if (strstr(str_file_name(path), ".so.") != NULL) {
        return 0;
    }
    diag_error("cannot tell what '%s' is by its name; name its language, for example -x cu", path);
    return 1;
}

int args_take_input(struct args_reader *reader, const char *path)
{
    struct args *args = reader->args;
    if (str_equals(path, "-")) {
        diag_error("a source is read twice, so standard input ('-') cannot be one");
        return 1;
    }
    enum language language;
    if (language_of(reader, path, &language) != 0) {
        return 1;
    }
    args->inputs = arena_grow(args->inputs, args->input_count * sizeof(*args->inputs),
                              (args->input_count + 1) * sizeof(*args->inputs));
    args->inputs[args->input_count] = (struct input){.path = path, .language = language};
    args_add_link_word(args, language == LANGUAGE_LINK ? path : NULL);
    args->link_items[args->link_count - 1].input = args->input_count++;
    return 0;
}
