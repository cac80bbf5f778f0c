/* Measures the processor time of cdpcc's steps, for --time.
 *
 * A step appends a line to a file that all processes of one cdpcc share; driver/time_table.c prints
 * the table. Without --time nothing is measured. */
#ifndef CDPCC_TIMING_H
#define CDPCC_TIMING_H
#include <stdbool.h>
#include <stdint.h>

/* What a line is about, and so the section of the table that it belongs to. */
enum timing_section {
    TIMING_STEP,    /* a process that cdpcc started, with its children */
    TIMING_PASS,    /* a part of compiling device code */
    TIMING_VERSION, /* a part of making one function, which is a kernel's version */
};

/* Steps are measured from now on, also in the processes that this one starts. The file is empty or
 * does not exist. */
void timing_start(const char *path);
bool timing_is_on(void);
/* Processor time of this process in microseconds; 0 without --time. */
int64_t timing_now(void);
/* That of the children of this process that it has waited for. */
int64_t timing_of_children(void);
struct rusage;
int64_t timing_of(const struct rusage *usage);
/* The section's row `name` takes this many microseconds more. about: the function's name for
 * TIMING_VERSION; else "". */
void timing_add(enum timing_section section, const char *name, const char *about,
                int64_t microseconds);
/* The same, for what has run since `begun` in this process. */
void timing_add_since(enum timing_section section, const char *name, const char *about,
                      int64_t begun);

#endif
