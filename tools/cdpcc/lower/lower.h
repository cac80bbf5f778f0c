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
#ifndef CDPCC_LOWER_H
#define CDPCC_LOWER_H

#include "support/check.h"
#include "lower/defer.h"
#include "support/warning.h"

#include <stdbool.h>

enum lower_output { LOWER_OBJECT, LOWER_ASSEMBLY, LOWER_BITCODE, LOWER_IR };
enum cdp_mode { CDP_MODE_AUTO, CDP_MODE_1, CDP_MODE_2 };

struct lower_options {
    const char *input;  /* device bitcode */
    const char *host;   /* optimized bitcode of the host side, for hints; may be NULL */
    const char *output; /* file to write */
    const char *apart;  /* objects for block entries, if there are many: see below; may be NULL */
    const char *unit;   /* tells the symbols of those from other units' */
    enum lower_output kind;
    enum cdp_mode mode;
    unsigned arch;     /* as in __CUDA_ARCH__ */
    int optimize;      /* 0..3 */
    bool debug_device; /* -G: thread entries only, device code as if -O0 */
    bool position_independent;
    bool fast_math;
    bool block_entries;                     /* where they are possible */
    bool explain;                           /* which kernels got one, and why others did not */
    bool no_device_launch;                  /* -rdc=false was given: a device launch is an error */
    bool sanitize_address, sanitize_thread; /* run the instrumentation after lowering */
    const char *target;                     /* --target; NULL = this machine */
    const char *cpu;                        /* -march; NULL = the machine's own */
    const char *features;                   /* may be NULL */
    bool strip_debug;                       /* the user asked for no debug information */
    bool strong_canaries; /* all functions look for overruns of their arrays, not kernels alone */
    struct checks checks; /* --check */
    struct warnings warnings;
    bool colours; /* messages go to a terminal */
    /* Should the front end have folded constants to poison; NULL: they stay so. */
    const struct defer_commands *defer;
    const char *dump; /* write the lowered IR here too, for tests; may be NULL */
};

/* 0, or 1 after printing what is wrong with file and line. */
int lower_device(const struct lower_options *options);

/* The file of a part, from 0, of what is compiled apart: where there are parts, all of them up
 * to the last are there. */
const char *lower_part_path(const char *apart, unsigned part);

/* Host bitcode with __managed__ variables: turns each annotated shadow into a
 * reference to the device's variable.  Reads input, writes bitcode to output. */
int lower_host_managed(const char *input, const char *output);

#endif
