/* The cache of precompiled headers on disk, below the directory of NVRTC's cache
 * (CUDA_CACHE_PATH; CUDA_CACHE_DISABLE=1 switches it off). Nothing of it makes a compilation fail.
 */
#ifndef CDPCC_PRECOMPILED_STORE_H
#define CDPCC_PRECOMPILED_STORE_H
#include "support/vec.h"

#include <stdbool.h>

/* A precompiled header that is wanted. Borrowed while the functions run. */
struct precompiled_wish {
    const char *header;     /* the file that is compiled */
    struct vec make;        /* the command that makes it, without the names of files */
    struct vec directories; /* of the user, searched before the system's */
};

/* The path of the precompiled header, or NULL if there is none. When the same one is wanted for the
 * second time, it is made: a build with ever new options does not pay for what it never uses. */
const char *precompiled_find(const struct precompiled_wish *wish);

/* Runs the command and waits, without messages if is_silent. Whether it succeeded. */
bool precompiled_command(const struct vec *command, bool is_silent);

#endif
