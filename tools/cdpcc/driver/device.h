/* Device bitcode to object: the passes of cdpcc.
 *
 * The front end (clang) writes unoptimized bitcode of the device side. lower_device compiles it to
 * an object that defines descriptors, entries and variables as runtime/abi/cdp_tables.h describes.
 * Every symbol has a suffix, so that it cannot conflict with the host object.
 *
 * The bitcode must come from "-O0" or "-O1 -Xclang -disable-llvm-passes", and always with "-g
 * -fstandalone-debug" (or -gdwarf-4 for -g), whatever options the user gave: only the debug
 * information contains the layout of kernel parameters. strip_debug removes it at the end. */
#ifndef CDPCC_DEVICE_H
#define CDPCC_DEVICE_H
#include "ir/options.h"

/* Compiles options->files.input to options->files.output. Returns 0, or 1 after printing an error
 * with file and line. To be called once in a process: LLVM's options and its fatal errors are
 * global. */
int lower_device(const struct lower_options *options);

/* The file of a separately compiled part, from 0. If there are parts, all files up to the last one
 * exist. */
const char *lower_part_path(const char *parts, unsigned part);

struct lower_context;

/* Runs the pass of that name on the context's module, for tests of single passes. False if there
 * is no such pass. */
bool lower_run_pass(struct lower_context *lower, const char *name);

#endif
