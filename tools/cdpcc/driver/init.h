/* --init: files that make an editor understand CUDA as cdpcc does. */
#ifndef CDPCC_INIT_H
#define CDPCC_INIT_H
#include "driver/args.h"
#include "driver/tools.h"

/* Writes the files for args->action.init into the current folder. A file that exists is not
 * changed. Returns 0, or 1 after printing an error. */
int init_write(const struct args *args, const struct tools *tools);

#endif
