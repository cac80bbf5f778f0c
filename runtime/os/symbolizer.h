/* The machine's symbolizer, which finds source lines by a program's debug information. */
#ifndef CDP_OS_SYMBOLIZER_H
#define CDP_OS_SYMBOLIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Asks for the functions at an offset in a file: two lines for each, "function" and
 * "file:line:column", first the innermost one of those that were inlined. What is not known is
 * "??". False if no symbolizer is installed, or if it does not answer. Starts a process; the caller
 * serializes the calls. Never in a signal handler. */
bool cdp_os_ask_llvm(const char *file, uintptr_t offset, char *text, size_t size);
bool cdp_os_ask_gnu(const char *file, uintptr_t offset, char *text, size_t size);

#endif
