/* What must hold outside before work starts: inputs exist, outputs can be written. */
#ifndef CDPCC_PROBE_H
#define CDPCC_PROBE_H
#include "driver/args.h"

/* Checks the inputs and gives each .cu its identity, a hash over path, contents and
 * options: two units with equal ones would take each other's static kernels.
 * 0, or 1 after printing what is wrong. */
int probe_inputs(struct args *args, int argc, const char *const *argv);

/* Whether each file can be written, is none of the inputs and named once; 0, or 1
 * after printing why not. */
int probe_outputs(const struct args *args, const struct vec *paths);

/* Directories given with -I that hold a CUDA toolkit are searched last, since its
 * headers would be found before ours. */
void probe_toolkits(struct args *args);

#endif
