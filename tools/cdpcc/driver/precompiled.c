/* Uses precompiled headers.
 *
 *     clang ... -include cuda_runtime.h -Idir -c a.cu -o a.o
 *     clang ... -include-pch FILE       -Idir -c a.cu -o a.o
 *
 * The second command runs first. If it fails, its messages are dropped, and the first one decides.
 * So a source with errors costs a little more, and no message is ever about a precompiled header.
 * It does not run if the messages are about PTX assembly: other jobs then compile the unit
 * (driver/job.c). */
#include "driver/precompiled.h"

#include "driver/diag.h"
#include "driver/precompiled_store.h"
#include "support/str.h"
#include "support/timing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Variables that add directories of headers before the system's. */
static const char *const search_variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};

static bool has_search_variables(void)
{
    for (size_t i = 0; i < sizeof(search_variables) / sizeof(search_variables[0]); i++) {
        if (getenv(search_variables[i]) != NULL) {
            return true;
        }
    }
    return false;
}

/* The word before the output's name, which ends the command. */
static size_t source_at(const struct vec *command)
{
    size_t count = command->count;
    return count > 4 && str_equals(command->items[count - 2], "-o") ? count - 3 : 0;
}

/* The position of "-include HEADER", where HEADER is cdpcc's; 0: there is none. */
static size_t include_at(const struct vec *command, const char *headers)
{
    const char *header = str_format("%s/cuda_runtime.h", headers);
    for (size_t i = 1; i + 1 < command->count; i++) {
        if (str_equals(command->items[i], "-include") &&
            str_equals(command->items[i + 1], header)) {
            return i;
        }
    }
    return 0;
}

/* The command that writes dependencies does not suit: clang would name the files in another
 * order, and programs rely on the source's being the first. */
bool precompiled_suits(const struct vec *command, const char *headers)
{
    static const char *const others[] = {
        "-M", "-E", "-fsyntax-only", "-include-pch", "-fmodules", "-ivfsoverlay", NULL};
    bool is_compilation = false;
    for (size_t i = 1; i < command->count; i++) {
        const char *word = command->items[i];
        if (str_starts_any(word, others)) {
            return false;
        }
        is_compilation |= str_equals(word, "-c") || str_equals(word, "-S");
    }
    return is_compilation && source_at(command) != 0 && include_at(command, headers) != 0 &&
           !has_search_variables();
}

/* The user's words about single files and directories do not concern the header. It returns how
 * many words there are of this kind from `at` on, and adds the directory that they name. */
static size_t skip(const struct vec *command, size_t at, const char *headers,
                   struct vec *directories)
{
    static const char *const alone[] = {"-c", "-S", "-emit-llvm", "-fcolor-diagnostics", NULL};
    static const char *const searched[] = {"-I", "-isystem", "-iquote", NULL};
    const char *word = command->items[at], *next = command->items[at + 1];
    for (size_t i = 0; alone[i] != NULL; i++) {
        if (str_equals(word, alone[i])) {
            return 1;
        }
    }
    if (str_starts(word, "-cuid=")) {
        return 1;
    }
    if (str_equals(word, "-include")) {
        return 2;
    }
    for (size_t i = 0; searched[i] != NULL; i++) {
        if (str_equals(word, searched[i]) && !str_equals(next, headers)) {
            vec_push(directories, next);
            return 2;
        }
    }
    if (str_starts(word, "-I") && word[2] != '\0') {
        vec_push(directories, word + 2);
        return 1;
    }
    bool is_ours = str_starts(next, headers);
    return str_equals(word, "-idirafter") && !is_ours ? 2 : 0;
}

/* All words that follow are values of options, up to the source. */
static struct precompiled_wish make_wish(const struct vec *command, const char *headers)
{
    struct precompiled_wish wish = {.header = command->items[include_at(command, headers) + 1]};
    vec_push(&wish.make, command->items[0]);
    for (size_t i = 1; i < source_at(command);) {
        size_t skipped = skip(command, i, headers, &wish.directories);
        if (skipped == 0) {
            vec_push(&wish.make, command->items[i]);
        }
        i += skipped == 0 ? 1 : skipped;
    }
    return wish;
}

/* The command with the precompiled header in place of the header. */
static struct vec with_precompiled(const struct vec *command, const char *headers,
                                   const char *precompiled)
{
    struct vec words = {.items = NULL};
    size_t at = include_at(command, headers);
    for (size_t i = 0; i < command->count; i++) {
        if (i == at) {
            VEC_PUSH(&words, "-include-pch", precompiled);
        } else if (i != at + 1) {
            vec_push(&words, command->items[i]);
        }
    }
    return words;
}

bool precompiled_run(const struct vec *command, const char *headers, const char *step)
{
    int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (empty >= 0) {
        dup2(empty, 0);
    }
    struct precompiled_wish wish = make_wish(command, headers);
    int64_t begun = timing_of_children();
    const char *precompiled = precompiled_find(&wish);
    int64_t made = timing_of_children() - begun;
    timing_add(TIMING_STEP, "precompiled headers, made once", "", made);
    timing_add(TIMING_STEP, step, "", -made); /* the step's own time has it, too */
    if (precompiled == NULL) {
        return false;
    }
    struct vec words = with_precompiled(command, headers, precompiled);
    return precompiled_command(&words, false);
}

int precompiled_run_without(const struct vec *command)
{
    if (ftruncate(2, 0) != 0 || lseek(2, 0, SEEK_SET) != 0) {
        return 1;
    }
    execv(command->items[0], (char *const *)(const void *)command->items);
    diag_error("cannot run '%s': %s", command->items[0], strerror(errno));
    return 1;
}
