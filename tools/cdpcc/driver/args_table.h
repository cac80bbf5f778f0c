/* The interface between args.c, which reads the words of a command line, and args_take.c, which
 * implements each option. */
#ifndef CDPCC_ARGS_TABLE_H
#define CDPCC_ARGS_TABLE_H
#include "driver/args.h"

#include <sys/types.h>

/* A file with options, some of whose words may not have been read yet.
 *
 * In a stack: the file that is read is the last one. Identified by device and inode, not by its
 * name. */
struct args_file {
    dev_t device;
    ino_t inode;
    size_t left_after; /* number of words left to read after all words of this file */
};

/* The words that have not been read yet, and what some options have to remember until the end of
 * the command line. On the stack of args_parse. */
struct args_reader {
    struct args *args;
    struct vec words;
    size_t next;
    enum language language;                /* of -x; LANGUAGE_LINK = by extension */
    bool forward_compiler, forward_linker; /* what happens to unknown options */
    bool emit_llvm;
    bool force_cdp1; /* CUDA_FORCE_CDP1_IF_SUPPORTED is defined */
    bool mode_given, arch_given;
    struct args_file *files; /* each file except the first is named by the one before it */
    size_t file_count;
};

/* How an option gets its value. A flag has none; an optional one follows "=" in the same word. */
enum args_form { ARGS_FLAG, ARGS_VALUE, ARGS_JOINED, ARGS_LEVEL, ARGS_PREFIX, ARGS_OPTIONAL };

/* One row of the table of options: all its names, its form, its handler, and its text in --help.
 * word is an argument for the handler, for example clang's name of the option. */
struct args_row {
    const char *names;
    enum args_form form;
    /* Returns 0, or 1 after printing an error. */
    int (*take)(struct args_reader *reader, const struct args_row *row, const char *value);
    const char *word;
    const char *help;
};

extern const struct args_row args_table[];
extern const size_t args_table_count;

/* Handles an option; its value is in the same word, or comes from the reader. */
int args_read_option(struct args_reader *reader, const char *word);
/* Appends a word to the link line. */
void args_add_link_word(struct args *args, const char *text);
/* Appends a library, unless cdpcc's runtime or headers replace it. */
void args_add_library(struct args *args, const char *name);
/* Takes a file to compile or link. */
int args_take_input(struct args_reader *reader, const char *path);
/* The path of an executable that --run only runs; NULL if the word names an input. */
const char *args_program_of(const char *word);
/* Refuses a value with the values that are known. Always returns 1, the result of a handler that
 * has failed. */
int args_refuse(const char *option, const char *value, const char *known);
/* The words of an option's value; of a list for another program also commas separate them. Return
 * 0, or 1 after printing an error. */
int args_split_words(struct vec *out, const char *option, const char *value);
int args_split_list(struct vec *out, const char *option, const char *value);
/* The values of an option that takes several. */
void args_split_commas(struct vec *out, const char *value);
/* Records an architecture; of several the highest counts. Returns 0, or 1 after printing an error.
 */
int args_note_arch(struct args_reader *reader, const char *option, const char *value);
/* Reads "true" or "false". Returns 0, or 1 after printing an error. */
int args_read_bool(const char *option, const char *value, bool *out);
/* Take a word "-W...", and a word "-Werror...". Return 0, or 1 after printing an error. */
int args_take_warning(struct args_reader *reader, const char *word);
int args_take_werror(struct args_reader *reader, const char *value);
/* Takes a word for the host compiler, as from -Xcompiler. */
int args_take_compiler_word(struct args_reader *reader, const char *word);
/* Inserts words before the next word to read. */
void args_insert_words(struct args_reader *reader, struct vec words);
/* Inserts the words of a file there. */
int args_take_file(struct args_reader *reader, const char *path);
#endif
