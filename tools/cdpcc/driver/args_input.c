/* The files of a command line: inputs, whose names show their language, and files with more
 * options.
 *
 * The words of an options file are inserted before the words that have not been read. So a file
 * can be named anywhere, also in another file, and its words work as if they were on the command
 * line. To find a file that names itself, the reader knows for each file how many words are left
 * after it. */
#include "driver/args_table.h"
#include "driver/diag.h"
#include "support/arena.h"
#include "support/str.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The text of a file that must contain only text; NULL after printing an error. */
static const char *read_options(FILE *file, const char *path)
{
    char *line = NULL;
    size_t size = 0;
    errno = 0;
    ssize_t length = getdelim(&line, &size, '\0', file);
    const char *text = NULL;
    if (length < 0 && errno != 0) {
        diag_error("cannot read the options file '%s': %s", path, strerror(errno));
    } else if (length > 0 && line[length - 1] == '\0') {
        diag_error("the options file '%s' is not text: it contains a zero byte", path);
    } else {
        text = length > 0 ? str_copy(line, (size_t)length) : "";
    }
    free(line);
    return text;
}

/* A file is open as long as some of its words have not been read. The word read last counts as not
 * read, because its value, or the file that it names, may follow. */
static bool is_open(struct args_reader *reader, const struct stat *info)
{
    size_t left = reader->words.count - reader->next;
    while (reader->file_count > 0 && left < reader->files[reader->file_count - 1].left_after) {
        reader->file_count--;
    }
    for (size_t i = 0; i < reader->file_count; i++) {
        if (reader->files[i].inode == info->st_ino && reader->files[i].device == info->st_dev) {
            return true;
        }
    }
    return false;
}

/* Called before the file's words are inserted. */
static void note_open(struct args_reader *reader, const struct stat *info)
{
    reader->files = arena_grow(reader->files, reader->file_count * sizeof(*reader->files),
                               (reader->file_count + 1) * sizeof(*reader->files));
    reader->files[reader->file_count++] =
        (struct args_file){info->st_dev, info->st_ino, reader->words.count - reader->next};
}

void args_insert_words(struct args_reader *reader, struct vec words)
{
    for (size_t i = reader->next; i < reader->words.count; i++) {
        vec_push(&words, reader->words.items[i]);
    }
    reader->words = words;
    reader->next = 0;
}

/* Returns 0, or 1 after printing an error. The caller closes the file. */
static int take_open_file(struct args_reader *reader, FILE *file, const char *path)
{
    struct stat info;
    if (fstat(fileno(file), &info) != 0 || S_ISDIR(info.st_mode)) {
        diag_error("cannot read the options file '%s': %s", path,
                   strerror(S_ISDIR(info.st_mode) ? EISDIR : errno));
        return 1;
    }
    if (is_open(reader, &info)) {
        diag_error("the options file '%s' names itself", path);
        return 1;
    }
    const char *text = read_options(file, path);
    struct vec words = {.items = NULL};
    if (text == NULL) {
        return 1;
    }
    if (!str_split_words(&words, text)) {
        diag_error("the options file '%s' ends within a quotation", path);
        return 1;
    }
    note_open(reader, &info);
    args_insert_words(reader, words);
    return 0;
}

int args_take_file(struct args_reader *reader, const char *path)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        diag_error("cannot read the options file '%s': %s", path, strerror(errno));
        return 1;
    }
    int failed = take_open_file(reader, file, path);
    fclose(file);
    return failed;
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

/* By the extension. Versioned libraries such as libx.so.1 are for the linker. */
static bool find_language(const char *path, enum language *out)
{
    const char *extension = str_extension(path);
    for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++) {
        if (str_equals(extensions[i].extension, extension)) {
            *out = extensions[i].language;
            return true;
        }
    }
    return strstr(str_file_name(path), ".so.") != NULL;
}

/* nvcc gives the word to a shell, so meson 1.0 adds quotation marks. */
const char *args_program_of(const char *word)
{
    enum language language;
    struct stat info;
    size_t length = strlen(word);
    if (length > 2 && word[0] == '"' && word[length - 1] == '"') {
        word = str_copy(word + 1, length - 2);
    }
    bool is_program = !find_language(word, &language) && stat(word, &info) == 0 &&
                      S_ISREG(info.st_mode) && access(word, X_OK) == 0;
    return is_program ? word : NULL;
}

/* By -x, or by the extension. */
static int language_of(struct args_reader *reader, const char *path, enum language *out)
{
    *out = reader->language;
    if (reader->language != LANGUAGE_LINK || find_language(path, out)) {
        return 0;
    }
    diag_error("the name of '%s' does not show its language; give it, for example -x cu", path);
    return 1;
}

/* Adds the input, and its place in the link line, which is that of its object if it is a source. */
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
