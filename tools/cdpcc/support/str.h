/* Strings in the arena: created once, never changed, never freed. */
#ifndef CDPCC_STR_H
#define CDPCC_STR_H
#include "support/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* As printf: a new string. */
char *str_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The first length bytes of text, and a NUL. */
char *str_copy(const char *text, size_t length);

bool str_equals(const char *a, const char *b);
bool str_starts(const char *text, const char *prefix);
/* Whether text starts with one of the prefixes. The last one is NULL. */
bool str_starts_any(const char *text, const char *const *prefixes);
bool str_ends(const char *text, const char *suffix);

/* "dir/name.ext": "name.ext", "name" and ".ext" ("" if there is none). */
const char *str_file_name(const char *path);
const char *str_stem(const char *path);
const char *str_extension(const char *path);

/* Appends the pieces between commas, without empty ones; "\," is a comma. */
void str_split_commas(struct vec *out, const char *text);
/* Appends the words of text as a shell would: blanks, quotes, backslashes. No expansion. False if
 * the text ends within a quotation. */
bool str_split_words(struct vec *out, const char *text);

/* The word as a POSIX shell reads it; unchanged if it needs no quotes. */
const char *str_shell_quote(const char *word);

/* The text as a string of JSON, with its quotes. YAML reads it too. */
void str_print_json(FILE *file, const char *text);

/* FNV-1a; start with STR_HASH_START. */
#define STR_HASH_START UINT64_C(0xcbf29ce484222325)
/* FNV-1a over the bytes, from a previous hash; start with STR_HASH_START. */
uint64_t str_hash(uint64_t hash, const void *bytes, size_t size);

#endif
