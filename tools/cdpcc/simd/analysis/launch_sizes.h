/* Block sizes seen at launches. */
#ifndef CDPCC_SIMD_ANALYSIS_LAUNCH_SIZES_H
#define CDPCC_SIMD_ANALYSIS_LAUNCH_SIZES_H
#include "simd/ir/kernel.h"

struct lower_context;

struct simd_launches {
    struct simd_launch {
        const char *kernel;
        struct simd_size size; /* all zero: not known here */
        bool is_bound;         /* no launch, but what __launch_bounds__ or a test says */
    } *items;
    size_t count;
    bool has_host; /* the host's are among them */
};
struct simd_launches simd_launches_find(const struct lower_context *lower);
/* Different sizes, how many. */
unsigned simd_launches_of(const struct simd_launches *launches, const char *kernel,
                          struct simd_size sizes[SIMD_MOST_SIZES]);
/* Whether the unit launches the kernel, always with one of these. */
bool simd_launches_are_known(const struct simd_launches *launches, const char *kernel);

#endif
