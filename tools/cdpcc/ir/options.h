/* The user's options for device code. Const for all passes. */
#ifndef CDPCC_OPTIONS_H
#define CDPCC_OPTIONS_H
#include "support/check.h"
#include "support/warning.h"
#include "target/processor.h"

#include <stdbool.h>

struct defer_commands;

/* What the lowering writes: an object file, one for a file of cuModuleLoad, assembly, bitcode or
 * LLVM's assembly language. */
enum lower_output { LOWER_OBJECT, LOWER_MODULE, LOWER_ASSEMBLY, LOWER_BITCODE, LOWER_IR };
/* What is printed of how kernels run: nothing; which got a block entry, and why others did not;
 * also each plan, as text or as JSON. */
enum lower_explain { EXPLAIN_NOTHING, EXPLAIN_KERNELS, EXPLAIN_PLAN, EXPLAIN_JSON };
/* For tests of the vectorizer: what is printed on standard output. */
enum lower_print { PRINT_NOTHING, PRINT_SHAPES, PRINT_REGIONS, PRINT_PLAN };
/* The generation of dynamic parallelism: both together, the first (cudaDeviceSynchronize in device
 * code), or the second (named streams). */
enum cdp_mode { CDP_MODE_AUTO, CDP_MODE_1, CDP_MODE_2 };

/* Paths, borrowed; unit is no path. input and host are read, the other files are written. */
struct lower_files {
    const char *input;  /* device bitcode */
    const char *host;   /* optimized bitcode of the host side, for hints; may be NULL */
    const char *output; /* file to write */
    const char *parts;  /* objects for block entries, if there are many; may be NULL */
    const char *unit;   /* a name of the unit, which the symbols of those objects contain */
    const char *names;  /* the file that lower/names.c writes; may be NULL */
    const char *dump;   /* the lowered IR is written here too, for tests; may be NULL */
};

/* How device code calculates. */
struct arithmetic {
    bool fast;
    bool no_contraction; /* -fmad=false: products and sums of inline PTX are not joined */
};

/* Filled by the driver from the command line, before any pass runs. Strings are borrowed. */
struct lower_options {
    struct lower_files files;
    enum lower_output kind;
    enum cdp_mode mode;
    unsigned arch;     /* like __CUDA_ARCH__ */
    int optimize;      /* 0..3 */
    bool debug_device; /* -G: thread entries only, device code as with -O0 */
    bool position_independent;
    struct arithmetic math;
    bool block_entries; /* where they are possible */
    enum lower_explain explain;
    enum lower_print print; /* for tests, on standard output */
    bool no_device_launch;  /* -rdc=false was given: a device launch is an error */
    struct {
        bool address, thread;
    } sanitize; /* run the instrumentation after lowering */
    struct target target;
    bool strip_debug;     /* the user asked for no debug information */
    bool strong_canaries; /* all functions test for overruns of their arrays, not only kernels */
    struct checks checks; /* --check */
    struct warnings warnings;
    bool colours; /* messages go to a terminal */
    /* For a front end that has folded constants to poison; NULL: they stay poison. */
    const struct defer_commands *defer;
};

#endif
