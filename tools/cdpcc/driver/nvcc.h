/* cdpcc under the name nvcc.
 *
 * bin/nvcc is a link to bin/cdpcc. The options are the same; what nvcc prints is different, because
 * build systems read it. A program that was called as nvcc also links as nvcc does, with libraries
 * of the toolkit's names. */
#ifndef CDPCC_NVCC_H
#define CDPCC_NVCC_H
#include "driver/args.h"

/* What precedes each command that -v and --dryrun print. */
#define NVCC_TRACE "#$ "

/* The text of --version. */
void nvcc_print_version(void);

/* The variables that nvcc prints before its commands, to standard error. toolkit may be NULL. */
void nvcc_print_environment(const struct args *args, const char *toolkit);

/* The answer to --list-gpu-code, --list-gpu-arch, or both. */
void nvcc_print_architectures(const struct args *args);

#endif
