/* Strings in the arena: created once, never changed, never freed. */
#include "support/str.h"

#include "support/arena.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char *str_format(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *text = arena_alloc(size);
    va_start(list, format);
    vsnprintf(text, size, format, list);
    va_end(list);
    return text;
}

char *str_copy(const char *text, size_t length)
{
    char *copy = arena_alloc(length + 1);
    memcpy(copy, text, length);
    return copy;
}

bool str_equals(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

bool str_starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool str_starts_any(const char *text, const char *const *prefixes)
{
    for (; *prefixes != NULL; prefixes++) {
        if (str_starts(text, *prefixes)) {
            return true;
        }
    }
    return false;
}

/* The empty suffix ends any text. */
bool str_ends(const char *text, const char *suffix)
{
    size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && strcmp(text + length - tail, suffix) == 0;
}

const char *str_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* A name that only begins with a dot has no extension. */
const char *str_extension(const char *path)
{
    const char *name = str_file_name(path);
    const char *dot = strrchr(name, '.');
    return dot == NULL || dot == name ? "" : dot;
}

const char *str_stem(const char *path)
{
    const char *name = str_file_name(path);
    return str_copy(name, strlen(name) - strlen(str_extension(path)));
}

/* One buffer for all pieces: it is as long as the text. */
void str_split_commas(struct vec *out, const char *text)
{
    char *piece = arena_alloc(strlen(text) + 1);
    size_t length = 0;
    for (const char *at = text;; at++) {
        if (at[0] == '\\' && at[1] == ',') {
            piece[length++] = *++at;
        } else if (*at == ',' || *at == '\0') {
            if (length != 0) {
                vec_push(out, str_copy(piece, length));
            }
            length = 0;
            if (*at == '\0') {
                return;
            }
        } else {
            piece[length++] = *at;
        }
    }
}

/* Reads one word from *at into word; false at the end of the text. *open is set if the text ends
 * within a quotation. */
static bool next_word(const char **at, char *word, bool *open)
{
    const char *from = *at;
    while (isspace((unsigned char)*from)) {
        from++;
    }
    if (*from == '\0') {
        return false;
    }
    char quote = '\0';
    for (; *from != '\0' && (quote != '\0' || !isspace((unsigned char)*from)); from++) {
        if (*from == quote) {
            quote = '\0';
        } else if (quote == '\0' && (*from == '"' || *from == '\'')) {
            quote = *from;
        } else if (*from == '\\' && quote != '\'' && from[1] != '\0') {
            *word++ = *++from;
        } else {
            *word++ = *from;
        }
    }
    *word = '\0';
    *at = from;
    *open = quote != '\0';
    return true;
}

bool str_split_words(struct vec *out, const char *text)
{
    char *word = arena_alloc(strlen(text) + 1);
    bool open = false;
    while (next_word(&text, word, &open)) {
        vec_push(out, str_copy(word, strlen(word)));
    }
    return !open;
}

/* A quote within single quotes ends them, is escaped, and begins them again. */
const char *str_shell_quote(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=/.,:@%^";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        return word;
    }
    char *quoted = arena_alloc(4 * strlen(word) + 3);
    char *to = quoted;
    *to++ = '\'';
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            memcpy(to, "'\\''", 4);
            to += 4;
        } else {
            *to++ = *word;
        }
    }
    *to = '\'';
    return quoted;
}

void str_print_json(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            fputc('\\', file);
        }
        if (c < 0x20) {
            fprintf(file, "\\u%04x", c);
        } else {
            fputc(c, file);
        }
    }
    fputc('"', file);
}

uint64_t str_hash(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}
