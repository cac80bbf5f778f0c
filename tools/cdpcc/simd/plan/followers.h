/* The regions that follow a region. */
#ifndef CDPCC_SIMD_PLAN_FOLLOWERS_H
#define CDPCC_SIMD_PLAN_FOLLOWERS_H
#include <stdbool.h>

struct simd_region;

/* Where control may go at the end of a region, or of a part of it. */
struct simd_followers {
    const bool *regions; /* by number */
    unsigned count;      /* how many of them */
    unsigned one;        /* one of them, if there are any */
    bool ends;           /* threads may end */
};

/* Only nodes of the set count; NULL: all nodes of the region's graph. */
struct simd_followers simd_find_followers(const struct simd_region *region, const bool *set);

#endif
