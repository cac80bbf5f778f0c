/* Reads the command line word by word and finds each option in the table.
 *
 * For each word of the command line, each name of each option is tried; the longest name that
 * matches wins, so "-MF" is not "-M" with the value "F". A word that begins with '@' names a file
 * with more words. A word without a dash is an input. With --run the first input is the last word
 * that cdpcc reads; the rest are the program's arguments.
 *
 * Options are independent of their order, except lists and "the last one counts". What depends on
 * several options is decided in finish(), when all are known. */
#include "driver/args.h"

#include "driver/args_table.h"
#include "driver/diag.h"
#include "support/near.h"
#include "support/str.h"
#include "target/target.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The match of a command-line word with an entry of the table. */
struct match {
    const struct args_row *row;
    size_t length;     /* length of the name in the word */
    const char *value; /* glued to the name; NULL = none */
};

/* Whether a word such as "-O3" has the form that the entry requires of a name; sets the value. */
static bool fits(enum args_form form, const char *rest, bool long_name, const char **value)
{
    *value = NULL;
    if (*rest == '\0') {
        return true;
    }
    *value = *rest == '=' ? rest + 1 : rest;
    switch (form) {
    case ARGS_FLAG:
        return false;
    case ARGS_VALUE:
    case ARGS_OPTIONAL:
        return *rest == '=';
    case ARGS_JOINED:
        return !long_name || *rest == '=';
    case ARGS_LEVEL:
        return *rest == '=' || (!long_name && (isdigit((unsigned char)*rest) || rest[1] == '\0' ||
                                               str_equals(rest, "fast")));
    case ARGS_PREFIX:
        return true;
    }
    return false;
}

/* Tries one name of an entry on a word; the longest matching name wins. */
static void try_name(const struct args_row *row, const char *name, size_t length, const char *word,
                     struct match *best)
{
    const char *value;
    bool long_name = length > 2 && name[1] == '-';
    if (length <= best->length || strncmp(word, name, length) != 0 ||
        !fits(row->form, word + length, long_name, &value)) {
        return;
    }
    *best = (struct match){.row = row, .length = length, .value = value};
    if (row->form == ARGS_PREFIX) {
        best->value = word;
    }
}

/* The row is NULL if no name matches. */
static struct match find(const char *word)
{
    struct match best = {.row = NULL};
    for (size_t i = 0; i < args_table_count; i++) {
        const char *name = args_table[i].names;
        while (*name != '\0') {
            size_t length = strcspn(name, "|");
            try_name(&args_table[i], name, length, word, &best);
            name += length + (name[length] == '|');
        }
    }
    return best;
}

/* Like find, but a name of several letters may have one dash more or less, as in nvcc.
 *
 * nvcc accepts "-std" and "--std". */
static struct match find_either(const char *word)
{
    struct match match = find(word);
    const char *other = NULL;
    if (word[1] == '-') {
        other = word + 1;
    } else if (strlen(word) > 2) {
        other = str_format("-%s", word);
    }
    /* "-Dx" is not "--Dx": the other spelling counts only if it is a complete name. */
    if (other != NULL && (match.row == NULL || match.length <= 2)) {
        struct match second = find(other);
        if (second.row != NULL && second.length > 2 && second.row->form != ARGS_PREFIX) {
            return second;
        }
    }
    return match;
}

/* The value of an option: in the same word, or the next word.
 *
 * Moves the reader behind the next word if that is the value. Returns 0, or 1 after printing an
 * error. */
static int complete(struct args_reader *reader, const char *word, struct match *match)
{
    bool is_last = reader->next == reader->words.count;
    const char *next = is_last ? NULL : reader->words.items[reader->next];
    if (match->row->form == ARGS_FLAG || match->row->form == ARGS_OPTIONAL ||
        match->value != NULL) {
        return 0;
    }
    if (match->row->form == ARGS_LEVEL) {
        if (next != NULL && isdigit((unsigned char)next[0]) && next[1] == '\0') {
            match->value = next;
            reader->next++;
        }
        return 0;
    }
    if (next == NULL) {
        diag_error("option '%s' needs a value", word);
        return 1;
    }
    match->value = next;
    reader->next++;
    return 0;
}

/* The option nearest to the first bytes of the word. */
static struct near nearest(const char *word, size_t length)
{
    struct near near = near_start(word, length);
    for (size_t i = 0; i < args_table_count; i++) {
        const char *name = args_table[i].names;
        while (*name != '\0') {
            size_t end = strcspn(name, "|"), before = strspn(name, "-");
            near_try(&near, name + before, end - before);
            name += end + (name[end] == '|');
        }
    }
    return near;
}

/* "; did you mean '--check=race'?" for "--chek=race". The number of dashes does not count. Some
 * options are whole words with a value: "--explain=plan". */
static const char *meant_by(const char *word)
{
    size_t dashes = strspn(word, "-"), length = strcspn(word + dashes, "=");
    struct near near = nearest(word + dashes, length);
    if (near.best != NULL && near.best_distance == 0) {
        length = strlen(word + dashes);
        near = nearest(word + dashes, length);
    }
    if (near.best == NULL) {
        return "; cdpcc --help lists the options";
    }
    return str_format("; did you mean '%.*s%.*s%s'?", (int)dashes, word, (int)near.best_length,
                      near.best, word + dashes + length);
}

/* An option that may be one of the host compiler or of the linker. */
static int take_unknown(struct args_reader *reader, const char *word)
{
    if (!reader->forward_compiler && !reader->forward_linker) {
        diag_error("unknown option '%s'%s", word, meant_by(word));
        return 1;
    }
    if (reader->forward_linker) {
        args_add_link_word(reader->args, word);
    }
    return reader->forward_compiler ? args_take_compiler_word(reader, word) : 0;
}

int args_read_option(struct args_reader *reader, const char *word)
{
    struct match match = find_either(word);
    if (match.row == NULL) {
        return take_unknown(reader, word);
    }
    if (complete(reader, word, &match) != 0) {
        return 1;
    }
    return match.row->take(reader, match.row, match.value);
}

bool args_joins_objects(const struct args *args)
{
    switch (args->output) {
    case OUTPUT_PROGRAM:
    case OUTPUT_SHARED:
    case OUTPUT_DEVICE_LINK:
    case OUTPUT_ARCHIVE:
        return true;
    case OUTPUT_OBJECT:
    case OUTPUT_MODULE:
    case OUTPUT_ASSEMBLY:
    case OUTPUT_BITCODE:
    case OUTPUT_IR:
    case OUTPUT_PREPROCESSED:
    case OUTPUT_DEPENDENCIES:
    case OUTPUT_NONE:
        return false;
    }
    return false;
}

/* The generation of dynamic parallelism that the options choose. */
static void choose_mode(const struct args_reader *reader)
{
    struct args *args = reader->args;
    if (!reader->mode_given) {
        if (reader->arch_given && args->device.arch >= 900) {
            args->device.mode = CDP_MODE_2;
        } else if (reader->force_cdp1 || (reader->arch_given && args->device.arch < 500)) {
            args->device.mode = CDP_MODE_1;
        }
    }
    if (args->device.mode == CDP_MODE_1 && !reader->arch_given) {
        args->device.arch = 890; /* the last architecture that had it */
    }
}

/* For ARM, clang has different options for names of processors and of architectures. */
static void choose_cpu(struct args *args)
{
    if (args->device.cpu != NULL) {
        bool is_name = target_is_arm(args->target) && !str_starts(args->device.cpu, "armv");
        vec_push(&args->clang.front,
                 str_format(is_name ? "-mcpu=%s" : "-march=%s", args->device.cpu));
    }
}

/* This machine's own name has no effect. */
static void choose_target(struct args *args)
{
    const char *here = target_here();
    if (args->target != NULL && here != NULL && str_equals(args->target, here)) {
        args->target = NULL;
    }
}

/* Inputs that are compiled, not only linked. */
static size_t count_sources(const struct args *args)
{
    size_t count = 0;
    for (size_t i = 0; i < args->input_count; i++) {
        count += args->inputs[i].language != LANGUAGE_LINK;
    }
    return count;
}

/* Refuses options that are for this machine only. */
static int check_target(const struct args *args)
{
    if (args->target == NULL) {
        return 0;
    }
    if (args->sanitize.any) {
        diag_error("-fsanitize and --target=%s cannot be combined: the libraries of the sanitizers "
                   "are this machine's",
                   args->target);
        return 1;
    }
    if (args->device.cpu != NULL && str_equals(args->device.cpu, "native")) {
        diag_error("-march=native is this machine's processor; with --target=%s name one of its",
                   args->target);
        return 1;
    }
    return 0;
}

/* A module is made of one .cu, or of objects with device code. */
static int check_module(const struct args *args)
{
    bool is_linked = args->inputs[0].language == LANGUAGE_LINK;
    for (size_t i = 0; i < args->input_count; i++) {
        if (args->inputs[i].language != (is_linked ? LANGUAGE_LINK : LANGUAGE_CUDA)) {
            diag_error("'%s' has no device code for a %s file; only a .cu has (-x cu)",
                       args->inputs[i].path, args->module_extension + 1);
            return 1;
        }
    }
    return 0;
}

/* Checks that depend on more than one option. */
static int check(const struct args_reader *reader)
{
    const struct args *args = reader->args;
    size_t sources = count_sources(args);
    if (args->action.program != NULL) {
        return 0;
    }
    if (args->input_count == 0 && args->action.init == NULL) {
        diag_error("no input files; cdpcc --help shows the usage");
        return 1;
    }
    if (args->action.run && args->output != OUTPUT_PROGRAM) {
        diag_error("--run builds and runs a program; remove the option for another output");
        return 1;
    }
    bool is_linked = args_joins_objects(args) || args->output == OUTPUT_MODULE;
    if (!is_linked && sources == 0) {
        diag_error("nothing to compile: '%s' is an object or library", args->inputs[0].path);
        return 1;
    }
    if (!args_joins_objects(args) && sources > 1 && args->output_path != NULL) {
        diag_error("one output, '%s', cannot hold the results of %zu sources; leave out -o",
                   args->output_path, sources);
        return 1;
    }
    if (args->output == OUTPUT_MODULE && check_module(args) != 0) {
        return 1;
    }
    if (args->sanitize.address && args->sanitize.thread) {
        diag_error("-fsanitize=address and -fsanitize=thread cannot be combined");
        return 1;
    }
    return check_target(args);
}

/* Decides what follows from all options together. */
static int finish(const struct args_reader *reader)
{
    struct args *args = reader->args;
    if (args->action.help || args->action.version || args->action.list_codes ||
        args->action.list_arches) {
        return 0;
    }
    if (args->action.as_nvcc && args->output == OUTPUT_PREPROCESSED && args->side == SIDE_BOTH) {
        args->side = SIDE_DEVICE; /* nvcc -E shows __CUDA_ARCH__ */
    }
    if (reader->emit_llvm && args->output <= OUTPUT_ASSEMBLY) {
        args->output = args->output == OUTPUT_ASSEMBLY ? OUTPUT_IR : OUTPUT_BITCODE;
    }
    choose_mode(reader);
    choose_target(args);
    choose_cpu(args);
    return check(reader);
}

/* All words that have not been read. With --run those after the program's name are its own. */
static int take_words(struct args_reader *reader)
{
    struct args *args = reader->args;
    bool program_found = false;
    while (reader->next < reader->words.count) {
        const char *word = reader->words.items[reader->next++];
        int failed = 0;
        if (program_found) {
            vec_push(&args->action.run_arguments, word);
        } else if (word[0] == '@') {
            failed = args_take_file(reader, word + 1);
        } else if (word[0] == '-' && word[1] != '\0') {
            failed = args_read_option(reader, word);
        } else {
            program_found = args->action.run;
            args->action.program = program_found ? args_program_of(word) : NULL;
            failed = args->action.program == NULL ? args_take_input(reader, word) : 0;
        }
        if (failed) {
            return 1;
        }
    }
    return 0;
}

/* The words of an environment variable of nvcc, before those that have not been read. */
static int insert_variable(struct args_reader *reader, const char *name)
{
    const char *text = getenv(name);
    struct vec words = {.items = NULL};
    if (text == NULL) {
        return 0;
    }
    if (!str_split_words(&words, text)) {
        diag_error("the environment variable %s ends within a quotation", name);
        return 1;
    }
    args_insert_words(reader, words);
    return 0;
}

/* The defaults are sm_90, position-independent code, contraction of products and sums, and two
 * compilations at once. */
int args_parse(struct args *args, int argc, const char *const *argv)
{
    *args = (struct args){
        .device = {.arch = 900, .position_independent = true, .contract = "fast"},
        .action = {.threads = 2},
    };
    args->action.as_nvcc = argc > 0 && str_starts(str_file_name(argv[0]), "nvcc");
    struct args_reader reader = {.args = args, .language = LANGUAGE_LINK};
    for (int i = 1; i < argc; i++) {
        vec_push(&reader.words, argv[i]);
    }
    if (args->action.as_nvcc && insert_variable(&reader, "NVCC_PREPEND_FLAGS") != 0) {
        return 1;
    }
    if (take_words(&reader) != 0) {
        return 1;
    }
    if (args->action.as_nvcc &&
        (insert_variable(&reader, "NVCC_APPEND_FLAGS") != 0 || take_words(&reader) != 0)) {
        return 1;
    }
    return finish(&reader);
}

/* "-o, --output-file FILE": the first name, its long form, and the value's name. */
static void print_row(const struct args_row *row)
{
    const char *help = row->help;
    if (help[0] == '!') {
        printf("  %s\n", help + 1);
        return;
    }
    size_t length = strcspn(row->names, "|");
    const char *left = str_format("  %.*s", (int)length, row->names);
    if (str_starts(row->names + length, "|--")) {
        const char *name = row->names + length + 1;
        left = str_format("%s, %.*s", left, (int)strcspn(name, "|"), name);
    }
    const char *colon = strstr(help, ": ");
    if (row->form == ARGS_OPTIONAL && colon != NULL) {
        left = str_format("%s[=%.*s]", left, (int)(colon - help), help);
        help = colon + 2;
    } else if (row->form != ARGS_FLAG && colon != NULL) {
        left = str_format("%s %.*s", left, (int)(colon - help), help);
        help = colon + 2;
    }
    printf(strlen(left) > 33 ? "%s\n%34s%s\n" : "%-34s%s%s\n", left, "", help);
}

void args_print_help(void)
{
    puts("Usage: cdpcc [OPTIONS] FILES\n"
         "       cdpcc [OPTIONS] --run FILE.cu [ARGUMENTS]\n"
         "\n"
         "Compiles CUDA programs, with dynamic parallelism, for CPUs.\n"
         "Inputs: .cu .c .cpp .s .o .a .so; options as nvcc has them:\n");
    for (size_t i = 0; i < args_table_count; i++) {
        if (args_table[i].help != NULL) {
            print_row(&args_table[i]);
        }
    }
    check_print_help();
    warning_print_help();
    puts("\nEnvironment: CDPCC_CLANG names the clang to use (version 22 or later).");
}
