/* Precompiled forms of cdpcc's headers.
 *
 * Half of a small program's compilation is parsing cuda_runtime.h and the C++ library's headers
 * that it includes, once for the device side and once for the host side. clang can store what it
 * parsed and load it in a tenth of the time. The stored form is valid for one set of options only,
 * so there is a cache of them (precompiled_store.h). */
#ifndef CDPCC_PRECOMPILED_H
#define CDPCC_PRECOMPILED_H
#include "support/vec.h"

#include <stdbool.h>

/* Whether the command is clang's compilation of a .cu with cdpcc's header first, whose result a
 * precompiled header does not change. headers: the directory of cdpcc's headers. */
bool precompiled_suits(const struct vec *command, const char *headers);
/* Runs such a command, with a precompiled header if there is one, in this process, which must be a
 * child of cdpcc. step: its row of --time. Returns 0, or 1 after printing an error, or not at all:
 * then the process has become the command. Messages and result are those of the command alone. */
int precompiled_run(const struct vec *command, const char *headers, const char *step);

#endif
