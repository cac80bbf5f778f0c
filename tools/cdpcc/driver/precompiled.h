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
/* Runs such a command with a precompiled header, for a child of cdpcc whose standard error is a
 * file. step: its row of --time. Returns whether it succeeded. If not, the caller runs the command
 * without it, except if the messages show that other jobs must compile the unit. */
bool precompiled_run(const struct vec *command, const char *headers, const char *step);
/* Replaces this process by the command itself, and drops the messages so far. Returns only after an
 * error, 1. */
int precompiled_run_without(const struct vec *command);

#endif
