/* --run deletes its program, so a debugger needs another one. Its command has the words of this one
 * up to the first input, without --run, and with what a debugger needs. */
#include "driver/rebuild.h"

#include "support/str.h"

#include <stdlib.h>
#include <string.h>

static bool is_run(const char *word)
{
    return str_equals(word, "--run") || str_equals(word, "-run");
}

static const char *words_of(const struct args *args, int argc, const char *const *argv)
{
    const char *text = "cdpcc -g -G";
    for (int i = 1; i < argc; i++) {
        bool is_given = str_equals(argv[i], "-g") || str_equals(argv[i], "-G");
        if (!is_run(argv[i]) && !is_given) {
            text = str_format("%s %s", text, str_shell_quote(argv[i]));
        }
        if (str_equals(argv[i], args->inputs[0].path)) {
            break;
        }
    }
    return text;
}

void rebuild_announce(const struct args *args, int argc, const char *const *argv)
{
    const char *words = words_of(args, argc, argv), *output = args->output_path;
    if (output == NULL) {
        output = str_stem(args->inputs[0].path);
        words = str_format("%s -o %s", words, str_shell_quote(output));
    }
    setenv("CDP_RUN_BUILD", words, 1);
    setenv("CDP_RUN_PROGRAM", strchr(output, '/') != NULL ? output : str_format("./%s", output), 1);
}
