/* Between args.c, which reads the words of a command line, and args_take.c, which
 * knows what each option means. */
#ifndef CDPCC_ARGS_TABLE_H
#define CDPCC_ARGS_TABLE_H

#include "args.h"

/* The words still to read. */
struct args_reader {
    struct args *args;
    struct vec words;
    size_t next;
    enum language language; /* of -x; LANGUAGE_LINK = by extension */
    bool forward_unknown;
    bool emit_llvm;
    bool force_cdp1; /* CUDA_FORCE_CDP1_IF_SUPPORTED is defined */
    bool mode_given, arch_given;
    unsigned depth; /* of options files within options files */
};

enum args_form { ARGS_FLAG, ARGS_VALUE, ARGS_JOINED, ARGS_LEVEL, ARGS_PREFIX };

struct args_row {
    const char *names;
    enum args_form form;
    /* 0, or 1 after printing what is wrong. */
    int (*take)(struct args_reader *reader, const struct args_row *row, const char *value);
    const char *word;
    const char *help;
};

extern const struct args_row args_table[];
extern const size_t args_table_count;

/* Takes an option, with its value from the reader if it is not glued to it. */
int args_read_option(struct args_reader *reader, const char *word);
/* Appends a word to the link line. */
void args_add_link_word(struct args *args, const char *text);
/* Takes a file to compile or link. */
int args_take_input(struct args_reader *reader, const char *path);
/* Takes a word for the host compiler, as from -Xcompiler. */
int args_take_compiler_word(struct args_reader *reader, const char *word);
/* Inserts the words of a file before the next word. */
int args_take_file(struct args_reader *reader, const char *path);
#endif
