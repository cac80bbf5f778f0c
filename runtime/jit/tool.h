/* cdpcc as a child process, for libraries that compile or link while the program runs. Errors of
 * the system give -1 or NULL or false, and errno. */
#ifndef CDP_JIT_TOOL_H
#define CDP_JIT_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

/* The path of cdpcc: what the environment variable CDPCC names, or ../bin/cdpcc beside the library
 * (or program) that has this function, or cdpcc on the PATH. NULL: there is none, or no memory.
 * Freed by cdp_free. */
char *cdp_tool_find(void);

/* A new directory for temporary files in TMPDIR or /tmp. Freed by cdp_tool_remove, which also
 * removes the directory with all that is in it. */
char *cdp_tool_directory(void);
void cdp_tool_remove(char *directory);

/* Runs a command until it ends. Its output and its messages go to the file. The status, or 128 and
 * a signal; -1 if it could not be started. */
int cdp_tool_run(const char *const *argv, const char *messages) CDP_MUST_CHECK;

/* The file's bytes and a zero; freed by cdp_free. */
char *cdp_tool_read(const char *path, size_t *size);
bool cdp_tool_write(const char *path, const void *bytes, size_t size) CDP_MUST_CHECK;

/* As printf: a new string, freed by cdp_free; NULL: no memory. */
char *cdp_tool_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
