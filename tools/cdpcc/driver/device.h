/* Device bitcode to object: the passes of cdpcc proper.
 *
 * The front end (clang) writes unoptimized bitcode of the device side; lower_device
 * turns it into an object that defines descriptors, entries and variables as
 * runtime/abi/cdp_abi.h describes, with every symbol suffixed so that it cannot
 * collide with the host object.
 *
 * The bitcode must come from "-O0" or "-O1 -Xclang -disable-llvm-passes", and always
 * with "-g -fstandalone-debug" (or -gdwarf-4 for -g), whatever the user asked for:
 * the layout of kernel parameters is in the debug information alone.  strip_debug
 * takes it out again at the end. */
#ifndef CDPCC_DEVICE_H
#define CDPCC_DEVICE_H
#include "ir/options.h"

/* 0, or 1 after printing what is wrong with file and line. */
int lower_device(const struct lower_options *options);

/* The file of a part, from 0, of what is compiled apart: where there are parts, all of them up
 * to the last are there. */
const char *lower_part_path(const char *apart, unsigned part);

struct lower_context;

/* Runs the pass of that name; false if there is none. */
bool lower_run_pass(struct lower_context *lower, const char *name);

#endif
