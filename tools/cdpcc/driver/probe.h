/* Checks of the environment before the work starts: inputs exist, outputs can be written. */
#ifndef CDPCC_PROBE_H
#define CDPCC_PROBE_H
#include "driver/args.h"

/* Checks the inputs and gives each .cu an identity, a hash over path, contents and options. Two
 * units with equal identities would use each other's static kernels. Returns 0, or 1 after printing
 * an error. */
int probe_inputs(struct args *args, int argc, const char *const *argv);

/* Checks that each path can be written, is not an input, and is named once. Creates nothing.
 * Returns 0, or 1 after printing an error. */
int probe_outputs(const struct args *args, const struct vec *paths);

/* Directories of a CUDA toolkit that are given with -I are searched last, because otherwise their
 * headers would be found before ours. Our own, include and the links to it, are dropped: they have
 * their place among the system's. */
void probe_toolkits(struct args *args, const char *include);

#endif
