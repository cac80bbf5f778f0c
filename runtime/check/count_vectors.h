/* Builds that count: requests of block entries, whose lanes are in vectors. */
#ifndef CDP_CHECK_COUNT_VECTORS_H
#define CDP_CHECK_COUNT_VECTORS_H

#include "exec/report/count_request.h"

/* Lane l accesses first[l / lanes] + stride * (l % lanes). lanes: a power of two up to 32. */
struct cdp_count_vectors {
    const void *const *first;
    int64_t stride;
    uint32_t lanes;
};
/* What a warp of such vectors accesses. The request's values are not read. Most requests are
 * contiguous, and need no look at each lane. */
struct cdp_count_parts cdp_count_vector_parts(const struct cdp_count_request *request,
                                              const struct cdp_count_vectors *vectors);

#endif
