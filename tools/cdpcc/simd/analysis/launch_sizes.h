/* Block sizes seen at launches. */
#ifndef CDPCC_SIMD_ANALYSIS_LAUNCH_SIZES_H
#define CDPCC_SIMD_ANALYSIS_LAUNCH_SIZES_H
#include <stdbool.h>
#include <stddef.h>
#include "simd/ir/variant.h"

struct lower_context;

enum { SIMD_MOST_SIZES = 2 }; /* known sizes for which a kernel has versions */

/* All launches that are found in a unit, in the arena.  Complete before any kernel's versions
 * are chosen. */
struct simd_launches {
    struct simd_launch {
        const char *kernel;
        struct simd_size size; /* all zero: unknown */
        bool is_bound;         /* not from a launch, but from __launch_bounds__ or a test */
    } *items;
    size_t count;
    bool has_host; /* it includes the sizes that host code launches */
};
struct simd_launches simd_launches_find(const struct lower_context *lower);
/* The number of different sizes.
 * Writes the first SIMD_MOST_SIZES different sizes, in the order in which they were found. */
unsigned simd_launches_of(const struct simd_launches *launches, const char *kernel,
                          struct simd_size sizes[SIMD_MOST_SIZES]);
/* The unit launches the kernel, and always with one of these sizes. */
bool simd_launches_are_known(const struct simd_launches *launches, const char *kernel);

#endif
