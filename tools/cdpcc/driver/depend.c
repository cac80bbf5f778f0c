/* clang puts several names into a line of a rule, nvcc one. CMake's FindCUDA relies on that: it
 * takes a line for a name, so it would not see that a header has changed whose name shares a line.
 *
 * In a rule, a blank or the end of a line separates names; a backslash before the end of a line
 * continues the rule, and before a blank it makes the blank a part of the name. */
#include "driver/depend.h"

#include "driver/diag.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Copies all rules. The target and the first name stay in one line. */
static void copy_rules(FILE *in, FILE *out)
{
    bool is_in_names = false, had_name = false;
    int last = '\n', next;
    while ((next = getc(in)) != EOF) {
        if (next == '\\') {
            int escaped = getc(in);
            if (escaped != '\n') {
                fprintf(out, "\\%c", escaped);
                last = escaped;
                continue;
            }
            next = ' ';
        }
        if (next == ' ' && last == ' ') {
            continue;
        }
        if (next == ' ' && is_in_names) {
            fputs(had_name ? " \\\n " : " ", out);
            had_name = true;
        } else if (next == '\n' || next != ' ' || last != '\n') {
            putc(next, out);
        }
        is_in_names = next != '\n' && (is_in_names || next == ':');
        had_name &= is_in_names;
        last = next;
    }
}

int depend_rewrite(const char *from, const char *to)
{
    FILE *in = fopen(from, "re"), *out = to == NULL ? stdout : fopen(to, "we");
    int failed = in == NULL || out == NULL;
    if (!failed) {
        copy_rules(in, out);
        failed = fflush(out) != 0 || ferror(out);
    }
    if (failed) {
        diag_error("cannot write the dependencies to '%s': %s", to == NULL ? "standard output" : to,
                   strerror(errno));
    }
    if (in != NULL) {
        fclose(in);
    }
    if (out != NULL && out != stdout && fclose(out) != 0) {
        failed = 1;
    }
    return failed;
}
