/* Builds that count: what the lines and the kernels executed, at the end of the program. */
#ifndef CDP_EXEC_REPORT_COUNT_KERNELS_H
#define CDP_EXEC_REPORT_COUNT_KERNELS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "abi/cdp_count.h"

struct cdp_abi_kernel;

/* The share of a multiprocessor's warps that blocks of so many threads occupy; negative: unknown.
 */
typedef double cdp_count_occupancy(const struct cdp_abi_kernel *kernel, uint32_t threads,
                                   uint32_t dynamic_shared);

/* Instructions: executions by warps and by threads, and the latter by class. */
struct cdp_count_work {
    uint64_t warps, threads;
    uint64_t of[CDP_COUNT_CLASSES];
};

struct cdp_count_line_row {
    const struct cdp_abi_count_line *line;
    struct cdp_count_work work;
};

/* A kernel, or another function of which the kernels' calls were not inlined. */
struct cdp_count_kernel_row {
    const char *function, *name;
    uint64_t launches; /* 0: not a kernel */
    uint64_t largest;  /* as in struct cdp_count_kernel */
    double occupancy;
    uint64_t warps, threads; /* that have begun */
    struct cdp_count_work work;
    uint64_t branches, divergent_branches;
};

/* Owned by the caller, who frees both arrays. */
struct cdp_count_summary {
    struct cdp_count_line_row *lines; /* by file and line */
    struct cdp_count_kernel_row *kernels;
    size_t line_count, kernel_count;
};

/* Empty without memory. */
struct cdp_count_summary cdp_count_summarize(cdp_count_occupancy *occupancy);
void cdp_count_free(struct cdp_count_summary *summary);
/* Two members of the JSON object, and a table. */
void cdp_count_print_json(FILE *file, const struct cdp_count_summary *summary);
void cdp_count_print_kernels(FILE *file, const struct cdp_count_summary *summary);

#endif
