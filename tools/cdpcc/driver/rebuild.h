/* How to build the temporary program of --run once more, to keep it. */
#ifndef CDPCC_REBUILD_H
#define CDPCC_REBUILD_H
#include "driver/args.h"

/* Puts the command into the environment of the program, for its findings (CDP_RUN_BUILD), and the
 * name of what that builds (CDP_RUN_PROGRAM). */
void rebuild_announce(const struct args *args, int argc, const char *const *argv);

#endif
